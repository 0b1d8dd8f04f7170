"""How the tables of a room are shared out among its processes."""

from collections.abc import Iterable
from math import ceil

from queenhigh.store.postgres.leases import NOBODY, Member

__all__ = ["fair_share", "gifts", "in_turns"]


def fair_share(tables: int, members: Iterable[Member]) -> int:
    """Return how many tables each process has when all have as many."""
    return ceil(tables / (sum(not member.stops for member in members) or 1))


def gifts(tables: Iterable[str], share: int, others: Iterable[Member]) -> dict[str, int]:
    """Return which process gets which table, as long as one has less than its share."""
    room = {member.id: share - member.held for member in others if not member.stops}
    to: dict[str, int] = {}
    for name in tables:
        other = max(room, key=lambda id: room[id], default=NOBODY)
        if other == NOBODY or room[other] <= 0:
            break
        room[other] -= 1
        to[name] = other
    return to


def in_turns(tables: Iterable[str], others: Iterable[Member]) -> dict[str, int]:
    """Return which process gets which table, those that hold fewest first; nobody if none can."""
    able = (member for member in others if not member.stops)
    ordered = [member.id for member in sorted(able, key=lambda member: member.held)] or [NOBODY]
    return {name: ordered[number % len(ordered)] for number, name in enumerate(tables)}
