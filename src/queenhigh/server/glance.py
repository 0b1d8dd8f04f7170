"""The room at a glance, for those who run a shift: a line for every table, and what needs a look.

Alarms are codes. Of a table: ``damaged``, ``paused``, ``closing``, ``change`` (announced),
``correction`` (waits), ``away``, ``no_banker`` (for long), ``clock_stopped``. Of the room:
``damaged``, ``slow`` (the disk), ``books_behind`` (the history).
"""

from time import monotonic

from msgspec.json import decode

from queenhigh.errors import QueenhighError
from queenhigh.server.floor_responses import FloorTable, Glance
from queenhigh.server.host import Host
from queenhigh.server.ports import ListedTable
from queenhigh.server.worker_pool import Workers
from queenhigh.table.state import State

__all__ = ["RoomGlance"]

_HOUR_MS = 3_600_000
#: For how many seconds the counts of rounds are used before they are asked for again.
_COUNTS_FOR = 10.0
#: How long nobody may bank at a table with people before it is an alarm.
_WITHOUT_BANKER_MS = 120_000


class RoomGlance:
    """Makes the glance; ``counts`` of rounds are from the history, and a few seconds old."""

    def __init__(self, host: Host, workers: Workers) -> None:
        self._host, self._workers = host, workers
        self._counts: dict[str, int] = {}
        self._is_behind = False
        self._next = 0.0

    async def look(self, *, is_slow: bool) -> Glance:
        """Return the room as it is now; ``is_slow``: its disk is."""
        await self._count_rounds()
        now, damaged = self._host.clock.now(), self._host.all_damaged()
        tables = [self._line(table, now) for table in self._host.listed().values()]
        lines = [*tables, *map(_damaged_line, sorted(damaged))]
        states = {"damaged": bool(damaged), "slow": is_slow, "books_behind": self._is_behind}
        return Glance(
            now, lines, sum(line.people for line in lines), sum(line.bots for line in lines),
            [code for code, holds in states.items() if holds],
        )  # fmt: skip

    async def _count_rounds(self) -> None:
        """Count the rounds of the last hour, unless that was done a moment ago."""
        if monotonic() < self._next:
            return
        self._next = monotonic() + _COUNTS_FOR
        since = self._host.clock.now() - _HOUR_MS
        try:
            body = await self._workers.history("rounds_since", since=since)
        except QueenhighError as error:  # the glance goes without
            self._is_behind = error.code == "books.behind"
            return
        self._counts, self._is_behind = decode(body, type=dict[str, int]), False

    def _line(self, table: ListedTable, now: int) -> FloorTable:
        state = table.state
        people = state.people()
        banker = state.round.banker if state.round else None
        return FloorTable(
            table=table.name,
            title=state.book.title,
            game=state.document["game"],
            phase=state.phase,
            round=state.number,
            banker=state.places[banker].player if banker in state.places else None,
            house_banks=state.book.bank is None,
            people=len(people),
            bots=len(state.places) - len(people),
            away=_away(state),
            watching=table.watching,
            rounds_an_hour=self._counts.get(table.name, 0),
            chips=sum(state.stack(place) + state.held(place) for place in state.places),
            disabled=table.disabled,
            closing=state.closing,
            change_from=state.announced.starts if state.announced else None,
            corrections_waiting=len(state.corrections.asked),
            alarms=_alarms(table, now),
        )


def _away(state: State) -> int:
    return sum(seat.away for seat in state.places.values() if not seat.bot)


def _alarms(table: ListedTable, now: int) -> list[str]:
    """Return the codes of what needs a look at a table."""
    state = table.state
    codes = {
        "paused": table.disabled,
        "closing": state.closing is not None,
        "change": state.announced is not None,
        "correction": bool(state.corrections.asked),
        "away": _away(state) > 0,
        "no_banker": _lacks_banker(state, now),
        "clock_stopped": state.untimed,
    }
    return [code for code, holds in codes.items() if holds]


def _lacks_banker(state: State, now: int) -> bool:
    """Return whether people have waited long for somebody to bank."""
    waits = state.book.bank is not None and state.round is None and state.people()
    return bool(waits) and state.phase != "closed" and now - state.at >= _WITHOUT_BANKER_MS


def _damaged_line(name: str) -> FloorTable:
    """Return the line of a table of which nothing can be read."""
    return FloorTable(
        table=name, title="", game="", phase="closed", round=0, banker=None,
        house_banks=False, people=0, bots=0, away=0, watching=0, rounds_an_hour=0, chips=0,
        disabled=False, closing=None, change_from=None, corrections_waiting=0, alarms=["damaged"],
    )  # fmt: skip
