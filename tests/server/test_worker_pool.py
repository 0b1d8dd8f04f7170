"""The worker processes for heavy work."""

import asyncio
import json
import os
import shutil
import signal
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing
from multiprocessing.connection import wait
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from msgspec.json import encode
from structlog.testing import capture_logs

from queenhigh.errors import QueenhighError
from queenhigh.server import jobs
from queenhigh.server import worker_pool as workers_module
from queenhigh.server.worker_pool import Client, HistoryProgress, Workers, _Worker
from queenhigh.store.sqlite import SqliteStore
from tests.history.test_older_files import FILES
from tests.room.test_archive import play_on

ANN = Client("Ann", "203.0.113.7")


def wait_for(file: str) -> bytes:
    while not Path(file).exists():
        sleep(0.01)
    return b"{}"


def test_closing_room_waits_for_no_job(tmp_path: Path) -> None:
    async def main() -> None:
        worker, never = _Worker(), str(tmp_path / "never")
        asked = [asyncio.create_task(worker.run(wait_for, never)) for _ in range(3)]
        await asyncio.sleep(0.1)
        worker.stop()
        for task in asked:
            with pytest.raises(QueenhighError, match="restarting") as refused:
                await task
            assert refused.value.code == "room.stops"
        assert worker._pool is not None
        (process,) = worker._pool._processes.values()
        worker.close()
        # Not its exit code: only the first thread that asks gets that.
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


def test_same_job_runs_once_for_many_clients(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[Any, ...]] = []

    async def work(*args: Any, client: Client) -> bytes:
        asked.append(args)
        await asyncio.sleep(0.05)
        if len(asked) == 1:
            raise QueenhighError("busy", "not now")
        return b"{}"

    async def main() -> None:
        workers = Workers(tmp_path / "room.db")
        monkeypatch.setattr(workers._prices, "run", work)

        def ask() -> "asyncio.Task[bytes]":
            return asyncio.create_task(workers.price(ANN, "odds", "house", {}))

        refused = await asyncio.gather(ask(), ask(), return_exceptions=True)
        assert [getattr(outcome, "code", None) for outcome in refused] == ["busy", "busy"]
        assert len(asked) == 1

        first, second, third = ask(), ask(), ask()
        await asyncio.sleep(0.01)
        first.cancel()
        assert [await second, await third] == [b"{}", b"{}"]
        assert first.cancelled(), "who goes leaves it to the others"
        assert len(asked) == 2, "and a job that failed ran again"
        assert await ask() == b"{}"
        assert len(asked) == 2

    asyncio.run(main())


def test_closing_room_fails_all_who_wait_for_one_job(tmp_path: Path) -> None:
    async def main() -> None:
        workers = Workers(tmp_path / "room.db")
        asked = [asyncio.create_task(workers.price(ANN, "odds", "house", {})) for _ in range(3)]
        await asyncio.sleep(0.1)
        workers.stop()
        sentence = await asyncio.gather(*asked, return_exceptions=True)
        assert [getattr(outcome, "code", None) for outcome in sentence] == ["room.stops"] * 3
        workers.close()

    asyncio.run(main())


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("played") / "room.db"
    play_on(file, "roulette", 40)
    return file


@pytest.fixture
def room(played: Path, tmp_path: Path) -> Path:
    for end in ("", ".key"):
        shutil.copy(f"{played}{end}", f"{tmp_path}/room.db{end}")
    return tmp_path / "room.db"


def test_queries_do_not_wait_for_a_long_history(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A question waits for one turn at most; what was entered then stays entered."""
    monkeypatch.setattr(jobs, "_TURN", 0.0)
    monkeypatch.setattr(jobs, "_EVENTS_AT_ONCE", 100)
    with closing(SqliteStore(room)) as store:
        events = store.count()
    asked = (str(room), f"{room}.books", "history", {"player": "Ada"})
    try:
        reply: Any = jobs.query_history(*asked)
        code, message = reply
        assert code == "books.behind"
        assert f"the history is being built, 100 of {events:,} events are in it" in str(message)
        turns = 1
        while isinstance(reply := jobs.query_history(*asked), tuple):
            turns += 1
            assert turns < events
        assert len(json.loads(bytes(reply))) == 10  # type: ignore[arg-type]
        assert events // 100 <= turns + 1
        progress = json.loads(bytes(jobs.update_history(*asked[:2])))  # type: ignore[arg-type]
        done = {"done": True, "entered": events, "events": events, "missing": []}
        assert progress == done
    finally:
        jobs._indexes.pop(str(room)).close()


@pytest.fixture
def lacking(tmp_path: Path) -> Path:
    """A room with an archived table and a damaged index."""
    with zipfile.ZipFile(FILES / "6fed5b5.zip") as packed:
        packed.extract("room.db", tmp_path)
    (tmp_path / "room.db.books").write_bytes(bytes(range(256)))
    return tmp_path / "room.db"


def test_log_names_the_tables_that_a_damaged_index_had(lacking: Path) -> None:
    async def main() -> None:
        workers = Workers(lacking)
        for _ in range(2):
            assert json.loads(await workers.history("history", player="Ada"))
        workers.close()

    with capture_logs() as logs:
        asyncio.run(main())
    kept = f"{lacking}.books.aside-1"
    assert Path(kept).read_bytes() == bytes(range(256))
    assert not Path(f"{lacking}.books-wal").exists(), "a closed index is one whole file"
    aside, lacks = logs
    assert aside == {
        "event": "the history index was put aside", "log_level": "warning",
        "file": f"{lacking}.books", "kept": kept, "error": "file is not a database",
    }  # fmt: skip
    assert lacks == {
        "event": "the history lacks archived tables", "log_level": "warning",
        "tables": ["house"], "put_aside": ["room.db.books.aside-1"],
    }  # fmt: skip


def test_only_the_log_says_where_the_index_is(lacking: Path) -> None:
    shutil.copy(lacking, f"{lacking}.books")
    asked = (str(lacking), f"{lacking}.books")
    first, second = (jobs.query_history(*asked, "voids", {}) for _ in range(2))
    assert isinstance(first, jobs.Noted)
    assert first.reply == second
    assert second == (
        "books.other",
        "the history cannot be used: ask the operator to look at the log",
    )
    sentence = f"{lacking}.books is not a history index: choose another file"
    assert first.notes == [("the history cannot be used", {"error": sentence})]


@pytest.mark.parametrize(("few", "is_built"), [(0, True), (10**9, False)])
def test_history_is_built_in_the_background(
    room: Path, few: int, is_built: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the start if much is new; where little is, not before somebody asks."""
    monkeypatch.setattr(workers_module, "_FEW_EVENTS", few)
    monkeypatch.setattr(workers_module, "_SECONDS_BETWEEN_LOOKS", 0.01)
    notes: list[HistoryProgress] = []

    async def run_here(job: Callable[..., bytes], *args: Any) -> bytes:
        return job(*args)

    async def main() -> None:
        workers, store = Workers(room), SqliteStore(room)
        monkeypatch.setattr(workers._history, "run", run_here)
        workers.keep_history(store.count, notes.append)
        if is_built:
            async with asyncio.timeout(60):
                while not notes:
                    await asyncio.sleep(0.01)
            assert notes[-1]["entered"] == notes[-1]["events"] == store.count()
        else:
            await asyncio.sleep(0.1)
            assert notes == [], "no process is started for nothing"
        assert workers._keeping is not None
        workers.stop()
        await asyncio.wait([workers._keeping], timeout=60)
        assert workers._keeping.done()
        workers.close()
        store.close()

    asyncio.run(main())
    assert len(notes) == is_built, "nothing is new any more"
    for books in [books for file, books in jobs._indexes.items() if file == str(room)]:
        jobs._indexes.pop(str(room))
        books.close()


def test_failed_history_process_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(workers_module, "_SECONDS_BETWEEN_LOOKS", 0.01)
    notes: list[HistoryProgress] = []
    busy = QueenhighError("busy", "not now")
    answers: Iterator[Any] = iter([busy, {"done": False, "entered": 1}, {"done": True}])

    async def run(*args: Any) -> bytes:
        answer = next(answers)
        if isinstance(answer, QueenhighError):
            raise answer
        return encode({"entered": 30_000} | answer)

    async def main() -> None:
        workers = Workers(tmp_path / "room.db")
        monkeypatch.setattr(workers._history, "run", run)
        workers.keep_history(lambda: 30_000, notes.append)
        async with asyncio.timeout(60):
            while len(notes) < 3:
                await asyncio.sleep(0.01)
        workers.stop()

    asyncio.run(main())
    assert [note.get("done", note.get("error")) for note in notes] == ["not now", False, True]


def test_closing_room_builds_no_history(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "_FEW_EVENTS", 0)
    notes: list[HistoryProgress] = []

    async def main() -> None:
        workers = Workers(room)
        workers.keep_history(lambda: 1, notes.append)
        await asyncio.sleep(0.05)
        assert workers._keeping is not None
        assert workers._history._pool is not None
        workers.stop()
        await asyncio.wait([workers._keeping], timeout=60)
        assert workers._keeping.done()
        workers.close()

    asyncio.run(main())
    assert notes == [], "nothing is wrong"


def test_a_process_that_hangs_is_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        worker = _Worker()
        assert await worker.run(answer_at_once) == b"{}"
        assert worker._pool is not None
        (process,) = worker._pool._processes.values()
        assert process.pid is not None
        os.kill(process.pid, signal.SIGSTOP)
        monkeypatch.setattr(workers_module, "_SECONDS", 0.2)
        sentence = await asyncio.gather(
            *[worker.run(answer_at_once) for _ in range(2)], return_exceptions=True
        )
        assert [getattr(outcome, "code", None) for outcome in sentence] == ["busy", "busy"]
        monkeypatch.setattr(workers_module, "_SECONDS", 60.0)
        ended: list[Any] = await asyncio.to_thread(wait, [process.sentinel], 60)
        assert ended, "it is killed although it was stopped"
        assert await worker.run(answer_at_once) == b"{}"
        worker.close()

    with capture_logs() as logged:
        asyncio.run(main())
    assert [line["event"] for line in logged] == ["a worker process hangs and is replaced"]


@pytest.mark.full
def test_a_process_that_is_only_busy_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        worker = _Worker()
        assert await worker.run(answer_at_once) == b"{}"
        pool = worker._pool
        monkeypatch.setattr(workers_module, "_SECONDS", 0.2)

        async def be_done() -> None:
            await asyncio.sleep(0.1)
            worker._done_at = monotonic()

        with pytest.raises(QueenhighError, match="takes too long"):
            await asyncio.gather(worker.run(sleep_a_while), be_done())
        assert worker._pool is pool
        worker.close()

    asyncio.run(main())


def sleep_a_while() -> bytes:
    sleep(60)
    return b"{}"


def test_one_client_gets_only_a_few_places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        worker = _Worker()
        done = asyncio.Event()

        async def work(*args: Any) -> bytes:
            await done.wait()
            return b"{}"

        monkeypatch.setattr(worker, "_run", work)

        async def ask(
            times: int, player: str | None, network: str, work: Any = (answer_at_once,)
        ) -> list["asyncio.Task[bytes]"]:
            client = Client(player, network)
            tasks = [asyncio.create_task(worker.run(*work, client=client)) for _ in range(times)]
            await asyncio.sleep(0)
            return tasks

        asked = await ask(20, "Eve", "192.0.2.1")
        asked += await ask(20, None, "192.0.2.1")
        asked += await ask(20, "Mallory", "192.0.2.1")
        asked += await ask(20, "Ann", "203.0.113.7")
        slow = (jobs.price, "bank", "house", b"{}")  # takes seconds
        asked += await ask(20, "Bob", "203.0.113.8", slow)
        asked += await ask(20, "Cyd", "203.0.113.9", slow)
        done.set()
        sentence = await asyncio.gather(*asked, return_exceptions=True)
        let_in = [
            sum(outcome == b"{}" for outcome in sentence[first : first + 20])
            for first in range(0, 120, 20)
        ]
        assert let_in == [3, 3, 2, 3, 2, 1]
        assert not worker._clients, "nobody is counted for good"

    asyncio.run(main())


def test_history_is_kept_after_any_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "_SECONDS_BETWEEN_LOOKS", 0.01)
    notes: list[HistoryProgress] = []

    def count() -> int:
        raise OSError(5, "Input/output error")

    async def main() -> None:
        workers = Workers(tmp_path / "room.db")
        workers.keep_history(count, notes.append)
        async with asyncio.timeout(60):
            while len(notes) < 3:
                await asyncio.sleep(0.01)
        workers.stop()

    asyncio.run(main())
    assert "Input/output error" in notes[-1]["error"]
