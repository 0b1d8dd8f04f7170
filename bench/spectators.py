"""Spectators of a room, and proof that every change reached them.

The protocol promises a view after each change, and to slow spectators the newest one: a view may
stand for several changes, but after each change comes a view of at least its version.
"""

import asyncio
from bisect import bisect_left
from collections.abc import Sequence

import msgspec

from bench.load import Answer, until
from bench.measure import NotComputed
from bench.sockets import Socket

__all__ = ["Spectator", "ages_of_changes"]


class _Message(msgspec.Struct):
    type: str
    version: int = 0


_decode = msgspec.json.Decoder(_Message).decode


class Spectator:
    """Looks on at a table; notes the version of each view, and when it came."""

    def __init__(self, table: int) -> None:
        self.table = table
        self.socket: Socket | None = None
        self.versions: list[int] = []
        self.times: list[float] = []

    def hear(self, message: bytes) -> None:
        """Take a message."""
        heard = _decode(message)
        if heard.type == "view":
            self.versions.append(heard.version)
            self.times.append(asyncio.get_running_loop().time())

    def has(self, version: int) -> bool:
        """Return whether the newest view is of at least a version."""
        return bool(self.versions) and self.versions[-1] >= version


async def ages_of_changes(
    answers: Sequence[Answer], spectators: Sequence[Spectator]
) -> list[float]:
    """Wait for the last views; return the age of each change, in milliseconds, at each spectator.

    A change is as old as its command: it counts from when that was due. Raise NotComputed if a
    spectator never had a change, or was shown an older table after a newer one.
    """
    changes: dict[int, list[tuple[int, float]]] = {spectator.table: [] for spectator in spectators}
    for answer in answers:
        if answer.table in changes:
            changes[answer.table].append((answer.version, answer.due))
    newest = {table: max(own)[0] for table, own in changes.items() if own}
    await until(lambda: all(each.has(newest.get(each.table, 0)) for each in spectators))
    missed, ages = 0, []
    for spectator in spectators:
        if spectator.versions != sorted(spectator.versions):
            raise NotComputed("a spectator was shown an older table after a newer one")
        for version, due in changes[spectator.table]:
            place = bisect_left(spectator.versions, version)
            if place == len(spectator.versions):
                missed += 1
            else:
                ages.append(1000 * (spectator.times[place] - due))
    if missed:
        raise NotComputed(f"{missed} changes never reached a spectator, {len(ages)} did")
    return ages
