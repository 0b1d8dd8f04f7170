"""What the floor's reports need of each round: its fees one by one, and what it came to."""

from collections.abc import Callable
from typing import Any

import apsw

from queenhigh.history.floor_reports.fee_rows import PostedRate, fee_rows
from queenhigh.history.index.packing import unpack_record
from queenhigh.history.index.rulebooks import RulebookTable
from queenhigh.history.records import Record
from queenhigh.history.reports import Counted
from queenhigh.table.events import RoundVoided

__all__ = ["ReportRows", "fill_in"]

#: Executes a statement on the index file, with its values.
Query = Callable[..., list[Any]]
_VOID = Counted()
#: How many rounds one transaction of :func:`fill_in` takes.
_ROUNDS_AT_ONCE = 500


class ReportRows:
    """Rows about rounds that are to be written, and the rates that the file knows."""

    def __init__(self, query: Query) -> None:
        self._query = query
        self._rates: dict[PostedRate, int] = {}
        self._charges: list[tuple[Any, ...]] = []
        self._figures: list[tuple[Any, ...]] = []

    def add(self, n: int, table: int, record: Record, counted: Counted = _VOID) -> None:
        """Add a round; ``counted`` are the figures of one that was settled."""
        end, live = record.end, record.live
        banker = None if live.banker is None else record.players[live.banker]
        if isinstance(end, RoundVoided):
            returned = sum([charge.cents for charge in end.fees])
            self._figures.append((n, table, end.at, 0, banker, 0, 0, returned, "0", "0"))
            return
        fees = 0
        for row in fee_rows(record):
            rate = None if row.rate is None else self._rate(row.rate)
            player = record.players[row.place]
            who = (row.place, player, row.role)
            self._charges.append((n, table, end.at, *who, row.wager, rate, row.cents))
            fees += row.cents
        sums = (sum(counted.wagered.values()), end.net, fees)
        gains = (str(counted.actual), str(counted.expected))
        self._figures.append((n, table, end.at, 1, banker, *sums, *gains))

    def write(self, db: apsw.Connection) -> None:
        """Write all rows to the index."""
        db.executemany("insert into charges values (?, ?, ?, ?, ?, ?, ?, ?, ?)", self._charges)
        db.executemany("insert into figures values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", self._figures)
        self._charges, self._figures = [], []

    def _rate(self, rate: PostedRate) -> int:
        """Return the number of a rate in the file; it gets one if it is new there."""
        if rate not in self._rates:
            self._query("insert or ignore into rates values (null, ?, ?, ?, ?, ?, ?)", *rate)
            query = (
                "select id from rates where (fee_per, wagers, least, most, player, banker)"
                " = (?, ?, ?, ?, ?, ?)"
            )
            ((self._rates[rate],),) = self._query(query, *rate)
        return self._rates[rate]


def fill_in(db: apsw.Connection, query: Query, rulebooks: RulebookTable) -> bool:
    """Add the rows of some rounds that an older program entered; return whether that is all."""
    match query("select filled, upto from refill"):
        case [(filled, upto)]:
            pass
        case _:
            return True
    stored = query(
        "select n, tbl, name, digest, record from rounds join tables on tables.id = tbl"
        " where n > ? and n <= ? order by n limit ?",
        filled, upto, _ROUNDS_AT_ONCE,
    )  # fmt: skip
    with db:
        rows = ReportRows(query)
        for n, table, name, digest, packed in stored:
            values = rulebooks.get(digest).values
            record = unpack_record(packed, name, digest, values.book)
            end, counted = record.end, _VOID
            if not isinstance(end, RoundVoided):
                counted = values.count(record.live, end)
            rows.add(n, table, record, counted)
            filled = n
        rows.write(db)
        if len(stored) < _ROUNDS_AT_ONCE:
            query("delete from refill")
        else:
            query("update refill set filled = ?", filled)
    return len(stored) < _ROUNDS_AT_ONCE
