"""The processes that do what is heavy."""

import asyncio
from time import monotonic, sleep

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server.workers import _Worker


def slow() -> bytes:
    sleep(3)
    return b"{}"


def test_a_room_that_closes_waits_for_nothing() -> None:
    async def main() -> None:
        worker, began = _Worker(), monotonic()
        asked = [asyncio.create_task(worker.run(slow)) for _ in range(3)]
        await asyncio.sleep(0.1)
        worker.stop()
        for one in asked:
            with pytest.raises(QueenhighError, match="closes for a moment") as refused:
                await one
            assert refused.value.code == "room.stops"
        assert monotonic() - began < 3, "and not until the work is done"
        worker.close()

    asyncio.run(main())
