"""The floor's reports from the index.

A round belongs to the time at which it was over, as it was settled then; a correction of it to the
time at which it was made.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

from queenhigh.history.correction_lines import corrections_of
from queenhigh.history.floor_reports import banks, collection, lists
from queenhigh.history.floor_reports.collection import ChargedFee
from queenhigh.history.floor_reports.fee_rows import PostedRate
from queenhigh.history.floor_reports.filters import ReportFilter, read_filter
from queenhigh.history.floor_reports.periods import QUARTER_MS
from queenhigh.history.floor_reports.report import Report, ReportName, Row
from queenhigh.history.floor_reports.sums import (
    HOUSE,
    NO_RATE,
    FeeSum,
    MadeCorrection,
    as_made,
    fees_of_corrections,
)
from queenhigh.history.floor_rounds import incident_rows
from queenhigh.history.index.floor_queries import FloorIndex
from queenhigh.history.index.queries import ROUND
from queenhigh.store.location import Location
from queenhigh.table.events import CorrectionMade, decode

__all__ = ["MOST_ROWS", "ReportIndex"]

#: How many rows of a report there may be at once.
MOST_ROWS = 100_000
_MADE = CorrectionMade.__struct_config__.tag
#: How many corrections are remembered.
_MOST_KNOWN = 50_000
#: The rounds that a player took part in, by the number of their last event.
_OF_PLAYER = "in (select n from parts where player = ?)"


class ReportIndex(FloorIndex):
    """The index, with the reports."""

    def __init__(self, store: Location, file: Path) -> None:
        super().__init__(store, file)
        #: Corrections that were read with their rounds, which takes a while.
        self._known_made: dict[tuple[int, int, int], MadeCorrection] = {}

    def report(
        self, report: str, *, limit: int = MOST_ROWS, columns: str = "", **given: str | None
    ) -> Report:
        """Return a report by its name and its filter, with so many rows at most.

        ``columns`` are the keys of those that somebody signed: the digest is of them alone.
        """
        signed = tuple(key for key in columns.split(",") if key)
        wanted = replace(read_filter(report, given), columns=signed)
        with self._reading():
            return self._reports[wanted.report](self, wanted, limit)

    def _collection(self, wanted: ReportFilter, limit: int) -> Report:
        return collection.collection(wanted, [*self._fee_sums(wanted)], limit)

    def _fee_sums(self, wanted: ReportFilter) -> Iterator[FeeSum]:
        where, values = _where(wanted, "charges")
        has_payers = "payer" in wanted.by or wanted.player is not None
        payer = "player" if has_payers else "''"
        query = (
            f"select at / {QUARTER_MS}, name, {payer}, role, rate, count(*), sum(cents)"
            f" from charges join tables on tables.id = tbl where {where} group by 1, 2, 3, 4, 5"
        )
        rates = self._rates()
        for quarter, table, player, role, rate, count, cents in self._query(query, *values):
            time_ms = quarter * QUARTER_MS
            yield FeeSum(time_ms, table, player, role, rates[rate], count, cents)
        yield from fees_of_corrections(self._made(wanted))

    def _rates(self) -> dict[int | None, PostedRate | str]:
        query = "select id, fee_per, wagers, least, most, player, banker from rates"
        rates: dict[int | None, PostedRate | str] = {None: NO_RATE}
        return rates | {id: PostedRate(*rate) for id, *rate in self._query(query)}

    def _fees(self, wanted: ReportFilter, limit: int) -> Report:
        where, values = _where(wanted, "charges")
        query = (
            "select charges.n, charges.at, name, number, place, player, role, wager, rate, cents"
            " from charges join tables on tables.id = charges.tbl join rounds using (n)"
            f" where {where} order by charges.at, charges.n, charges.rowid"
        )
        rates = self._rates()
        charged: Iterator[ChargedFee] = (
            (*fee[:8], rates[fee[8]], fee[9]) for fee in self._rows(query, values)
        )
        return collection.fees(wanted, charged, self._made(wanted), limit)

    def _bankers(self, wanted: ReportFilter, limit: int) -> Report:
        where, values = _where(wanted, "figures")
        where_paid, values_paid = _where(wanted, "charges")
        query = (
            "with paid as (select n, sum(cents) as cents from charges where role = 'banker'"
            f" and {where_paid} group by n)"
            f" select at / {QUARTER_MS}, name, banker, count(*), sum(wagered), sum(net),"
            " sum(coalesce(cents, 0)) from figures join tables on tables.id = tbl"
            f" left join paid using (n) where settled = 1 and {where} group by 1, 2, 3"
        )
        sums = [
            banks.BankSum(quarter * QUARTER_MS, table, _banker(name), *row)
            for quarter, table, name, *row in self._query(query, *values_paid, *values)
        ]
        return banks.bankers(wanted, sums, self._made(wanted), limit)

    def _results(self, wanted: ReportFilter, limit: int) -> Report:
        where, values = _where(wanted, "figures")
        query = (
            "select figures.at, name, digest, wagered, net, counted, expected from figures"
            " join rounds using (n) join tables on tables.id = figures.tbl"
            f" where settled = 1 and {where}"
        )
        made = self._made(wanted)
        if wanted.player is not None:
            query, values = f"{query} and n {_OF_PLAYER}", [*values, wanted.player]
            made = [each for each in made if wanted.player in each.players]
        figures = (
            banks.RoundFigures(time_ms, table, digest, wagered, net, int(counted), int(expected))
            for time_ms, table, digest, wagered, net, counted, expected in self._rows(query, values)
        )
        digests = self._query("select digest from rulebooks")
        rules = {digest: self._played(digest) for (digest,) in digests}
        return banks.results(wanted, figures, made, rules, limit)

    def _played(self, digest: str) -> banks.RulesPlayed:
        values = self._ingest.rulebooks.get(digest).values
        banker = "player" if values.book.bank is not None else "house"
        return banks.RulesPlayed(values.book.name, banker, values.scale)

    def _voids(self, wanted: ReportFilter, limit: int) -> Report:
        where, values = _where(wanted, "voids", is_of_rounds=True)
        query = (
            "select voids.at, name, round, banker, by, reason, cents, fees from voids"
            " join figures using (n) join tables on tables.id = voids.tbl"
            f" where {where} order by voids.at, voids.n"
        )
        rows: Iterator[Row] = (
            (*row[:3], _banker(row[3]), *row[4:]) for row in self._rows(query, values)
        )
        return lists.voids(wanted, rows, limit)

    def _incidents(self, wanted: ReportFilter, limit: int) -> Report:
        where, values = _where(wanted, "rounds", is_of_rounds=True)
        query = (
            f"{ROUND} rounds join tables on tables.id = tbl where (tbl, number) in"
            f" (select tbl, round from incidents) and {where} order by rounds.at, rounds.n"
        )
        records = self._records(query, *values)
        ruled = (row for _, record in records for row in incident_rows(record))
        return lists.incidents(wanted, ruled, limit)

    def _corrections_report(self, wanted: ReportFilter, limit: int) -> Report:
        terms, values = _of_table(wanted, "corrections")
        query = "select name, event from corrections join tables on tables.id = tbl where "
        stored = self._query(f"{query}{terms} order by n", *values)
        lines = corrections_of((table, decode(event.encode())) for table, event in stored)
        if wanted.player is not None:
            rounds = self._corrected_rounds(wanted.player)
            lines = [line for line in lines if (line.table, line.round) in rounds]
        made = {(each.table, each.correction): each for each in self._made(wanted)}
        steps = lists.correction_steps(lines, made)
        rows = [row for row in steps if _is_within(wanted, row[0])]
        return lists.corrections(wanted, rows, limit)

    def _corrected_rounds(self, player: str) -> set[tuple[str, int]]:
        """Return the rounds of a player that corrections are about."""
        query = (
            "select name, number from parts join rounds using (n) join tables"
            " on tables.id = rounds.tbl where player = ? and (rounds.tbl, number) in"
            " (select tbl, round from corrections)"
        )
        return {(table, number) for table, number in self._query(query, player)}

    def _offers_report(self, wanted: ReportFilter, limit: int) -> Report:
        where, values = _where(wanted, "offers")
        query = (
            "select at, name, round, place, player, what, cents from offers"
            f" join tables on tables.id = tbl where {where}"
        )
        if wanted.player is not None:
            query, values = f"{query} and player = ?", [*values, wanted.player]
        rows: Iterator[Row] = self._rows(f"{query} order by at, n", values)
        return lists.offers(wanted, rows, limit)

    def _made(self, wanted: ReportFilter) -> list[MadeCorrection]:
        """Return the corrections that were made in the period, in their order."""
        terms, values = _of_table(wanted, "corrections")
        query = (
            "select n, tbl, round, event from corrections where event ->> 'type' = ?"
            f" and {terms} order by n"
        )
        made = []
        for n, table, round, text in self._query(query, _MADE, *values):
            event = decode(text.encode())
            if isinstance(event, CorrectionMade) and _is_within(wanted, event.at):
                key = (n, table, hash(text))
                if key not in self._known_made:
                    self._know_made(key, event, round)
                made.append(self._known_made[key])
        return made

    def _know_made(self, key: tuple[int, int, int], event: CorrectionMade, round: int) -> None:
        """Read the round of a correction, of which its report needs something."""
        n, table, _ = key
        if len(self._known_made) >= _MOST_KNOWN:
            self._known_made.clear()
        query = f"{ROUND} rounds join tables on tables.id = tbl where tbl = ? and number = ?"
        for _, record in self._records(query, table, round):
            self._known_made[key] = as_made(n, event, record)

    def _rows(self, query: str, values: Sequence[Any]) -> Iterator[Any]:
        """Return rows one by one: there may be more than fit into memory."""
        return iter(self._file.db.execute(query, values))

    _reports: ClassVar[dict[ReportName, Callable[["ReportIndex", ReportFilter, int], Report]]] = {
        "collection": _collection,
        "fees": _fees,
        "bankers": _bankers,
        "results": _results,
        "voids": _voids,
        "incidents": _incidents,
        "corrections": _corrections_report,
        "offers": _offers_report,
    }


def _banker(name: str | None) -> str:
    return HOUSE if name is None else name


def _is_within(wanted: ReportFilter, time_ms: Any) -> bool:
    is_late = wanted.until is not None and time_ms >= wanted.until
    return not is_late and (wanted.since is None or time_ms >= wanted.since)


def _of_table(wanted: ReportFilter, source: str) -> tuple[str, list[str]]:
    """Return the condition that rows of a source are of the table, with its values."""
    if wanted.table is None:
        return "true", []
    return f"{source}.tbl = (select id from tables where name = ?)", [wanted.table]


def _where(
    wanted: ReportFilter, source: str, *, is_of_rounds: bool = False
) -> tuple[str, list[Any]]:
    """Return the condition that rows of a source are of the period and the table.

    A source that has a row for each round is also asked for those of the player.
    """
    table, names = _of_table(wanted, source)
    terms, values = [table], list[Any](names)
    for term, value in ((">=", wanted.since), ("<", wanted.until)):
        if value is not None:
            terms.append(f"{source}.at {term} ?")
            values.append(value)
    if is_of_rounds and wanted.player is not None:
        terms.append(f"{source}.n {_OF_PLAYER}")
        values.append(wanted.player)
    return " and ".join(terms), values
