"""The processes that do what is heavy."""

import asyncio
import os
import signal
from multiprocessing.connection import wait
from pathlib import Path
from time import sleep
from typing import Any

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server.workers import Workers, _Worker


def wait_for(file: str) -> bytes:
    while not Path(file).exists():
        sleep(0.01)
    return b"{}"


def test_a_room_that_closes_waits_for_nothing(tmp_path: Path) -> None:
    async def main() -> None:
        worker, never = _Worker(), str(tmp_path / "never")
        asked = [asyncio.create_task(worker.run(wait_for, never)) for _ in range(3)]
        await asyncio.sleep(0.1)
        worker.stop()
        for one in asked:
            with pytest.raises(QueenhighError, match="closes for a moment") as refused:
                await one
            assert refused.value.code == "room.stops"
        assert worker._pool is not None
        (process,) = worker._pool._processes.values()
        worker.close()
        # Not its exit code: whichever thread asks for that second is told nothing.
        ended: list[Any] = await asyncio.to_thread(wait, [process.sentinel], 60)
        assert ended, "in the middle of its work"

    asyncio.run(main())


def answer_at_once() -> bytes:
    return b"{}"


def test_a_process_that_dies_while_idle_is_replaced() -> None:
    async def main() -> None:
        worker = _Worker()
        assert await worker.run(answer_at_once) == b"{}"
        assert worker._pool is not None
        (process,) = worker._pool._processes.values()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGKILL)
        pool: Any = worker._pool
        async with asyncio.timeout(60):
            while not pool._broken:
                await asyncio.sleep(0.01)
        assert await worker.run(answer_at_once) == b"{}"
        worker.close()

    asyncio.run(main())


def test_the_same_is_worked_out_once_however_many_ask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []

    async def work(*args: Any) -> bytes:
        asked.append(args)
        await asyncio.sleep(0.05)
        if len(asked) == 1:
            raise QueenhighError("busy", "not now")
        return b"{}"

    async def main() -> None:
        workers = Workers(tmp_path / "room.db")
        monkeypatch.setattr(workers._prices, "run", work)

        def ask() -> "asyncio.Task[bytes]":
            return asyncio.create_task(workers.price("odds", "house", {}))

        refused = await asyncio.gather(ask(), ask(), return_exceptions=True)
        assert [getattr(one, "code", None) for one in refused] == ["busy", "busy"]
        assert len(asked) == 1

        first, second, third = ask(), ask(), ask()
        await asyncio.sleep(0.01)
        first.cancel()
        assert [await second, await third] == [b"{}", b"{}"]
        assert first.cancelled(), "who goes leaves it to the others"
        assert len(asked) == 2, "and what went wrong was tried anew"
        assert await ask() == b"{}"
        assert len(asked) == 2

    asyncio.run(main())


def test_a_room_that_closes_tells_all_who_wait_for_the_same(tmp_path: Path) -> None:
    async def main() -> None:
        workers = Workers(tmp_path / "room.db")
        asked = [asyncio.create_task(workers.price("odds", "house", {})) for _ in range(3)]
        await asyncio.sleep(0.1)
        workers.stop()
        told = await asyncio.gather(*asked, return_exceptions=True)
        assert [getattr(one, "code", None) for one in told] == ["room.stops"] * 3
        workers.close()

    asyncio.run(main())
