"""The index of a room's rounds: what its log comes to, so that nobody reads it all again.

Players' histories and the floor's reports are read from here. The file follows from the log, and is
written again if it is missing. But the rounds of tables that were archived since are nowhere else.
So a file that is damaged or of another store is put aside, one of an unknown form is refused, and
none is deleted. The store is only read.

A round is entered when it is over. The file also holds the state of a round under way, its seed
too, as the log does; nothing here returns any of it.
"""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from queenhigh.errors import QueenhighError
from queenhigh.history.correction_lines import Correction, corrections_of
from queenhigh.history.hand_history import as_hand_history
from queenhigh.history.index.archived_tables import Progress, check_entered, missing_tables
from queenhigh.history.index.ingest import Ingest
from queenhigh.history.index.log_reader import LogReader
from queenhigh.history.index.packing import unpack_record
from queenhigh.history.index.schema import HOUR_MS, DamagedIndex, IndexFile, Note
from queenhigh.history.own_corrections import CorrectedPart, corrected_parts
from queenhigh.history.proofs import CorrectionPair, as_proof, made_corrections
from queenhigh.history.recall import as_recall
from queenhigh.history.records import Record, as_own_line, hidden_seats
from queenhigh.history.reports import Actuals
from queenhigh.store.location import Location
from queenhigh.table.events import CorrectionMade, TableEvent, decode
from queenhigh.table.staff import Making, StaffRoster

__all__ = ["ROUND", "HistoryIndex"]

#: Begins every query that reads whole rounds.
ROUND = "select rounds.n, name, digest, record from"
_MADE = CorrectionMade.__struct_config__.tag


class HistoryIndex:
    """The index of a store, in a file of its own. Use it from one thread of one process."""

    def __init__(self, store: Location, file: Path) -> None:
        self.store = store
        self._file = IndexFile(file)
        self._query = self._file.query
        self._ingest = Ingest(store, self._file)
        self._was_complete = False

    def close(self) -> None:
        """Close the file."""
        self._file.db.close()

    def catch_up(self, most: int = 200_000) -> bool:
        """Enter what is new in the log, so many events at most; return whether that is all."""
        try:
            if self._file.reopen_if_replaced():
                self._forget()
            return self._enter(most)
        except DamagedIndex as damage:
            self._begin_again(damage)
        try:
            return self._enter(most)
        except DamagedIndex as error:
            message = f"{self._file.path} cannot be used as an index ({error}): choose another file"
            raise QueenhighError("books.file", message) from error

    def _begin_again(self, damage: DamagedIndex) -> None:
        self._file.begin_again(str(damage))
        self._forget()

    def _forget(self) -> None:
        self._ingest.forget()
        self._was_complete = False

    def _enter(self, most: int) -> bool:
        is_complete = self._ingest.catch_up(most)
        if is_complete and not self._was_complete:
            self._was_complete = True
            with self._file.checked():
                if missing := missing_tables(self._query):
                    values = {"tables": missing, "put_aside": self._file.all_put_aside()}
                    self._file.notes.append(("the history lacks archived tables", values))
        return is_complete

    def take_notes(self) -> list[Note]:
        """Return what the operator has to know about the file, once."""
        notes, self._file.notes = self._file.notes, []
        return notes

    @contextmanager
    def _reading(self) -> Iterator[None]:
        """Begin the file again if a query inside finds it damaged."""
        try:
            with self._file.checked():
                yield
        except DamagedIndex as damage:
            self._begin_again(damage)
            message = "the history index was damaged and is being rebuilt: try again soon"
            raise QueenhighError("books.damaged", message) from None

    def _named_rows(self, names: str, query: str, *values: Any) -> list[dict[str, Any]]:
        """Return the rows of a query, each value by its name."""
        with self._reading():
            rows = self._query(query, *values)
            return [dict(zip(names.split(), row, strict=True)) for row in rows]

    # For players

    def history(
        self, player: str, *, table: str | None = None, before: int | None = None, limit: int = 10
    ) -> list[dict[str, Any]]:
        """Return a player's rounds, the newest first, each as its player may recall it.

        ``n`` grows from round to round; ``before`` one of them the next page begins.
        """
        rounds = []
        for n, record in self._rounds(player, table, before, limit):
            place = {"n": n, "table": record.table, "number": record.live.number}
            rounds.append(place | (as_recall(record, player, self._corrections_of(record)) or {}))
        return rounds

    def corrections(self, player: str, *, limit: int = 20) -> list[CorrectedPart]:
        """Return the corrections of a player's rounds, the newest first."""
        parts = [part for _, part in self._own_corrections(player)]
        return sorted(parts, key=lambda part: part.at, reverse=True)[:limit]

    def _own_corrections(
        self, player: str, table: str | None = None
    ) -> Iterator[tuple[int, CorrectedPart]]:
        """Yield the corrections of a player's rounds, each with the round's ``n``."""
        query = (  # from the corrections, of which there are few
            f"{ROUND} (select distinct tbl as of_tbl, round from corrections"
            " where event ->> 'type' = ?) cross join rounds on rounds.tbl = of_tbl"
            " and number = round cross join parts on player = ? and parts.n = rounds.n"
            " join tables on tables.id = of_tbl where ? in (name, '')"
        )
        with self._reading():
            for n, record in list(self._records(query, _MADE, player, table or "")):
                for part in self._corrected(record, player):
                    yield n, part

    def _corrected(self, record: Record, player: str) -> list[CorrectedPart]:
        """Return the corrections of a player's part in a round."""
        made = self._corrections_of(record)
        places = [place for place, name in record.players.items() if name == player]
        return [part for place in places for part in corrected_parts(record, place, made)]

    def _corrections_of(self, record: Record) -> list[Correction]:
        return self._corrections("name = ? and round = ?", record.table, record.live.number)

    def _corrections(self, where: str, *values: str | int) -> list[Correction]:
        """Return corrections, the newest first."""
        query = f"select name, event from corrections join tables on id = tbl where {where}"
        with self._reading():
            rows = self._query(f"{query} order by n", *values)
        return corrections_of((table, decode(event.encode())) for table, event in rows)

    def settle_lines(
        self, player: str, *, table: str | None = None, limit: int = 1000
    ) -> list[dict[str, Any]]:
        """Return a player's last rounds for ``queenhigh settle``, in the order they were played.

        Seats are left out whose hands the player did not get to see (CA-11), and so is a round
        that would settle differently without them.
        """
        rounds = reversed(self._rounds(player, table, None, limit))
        return [line for _, record in rounds if (line := as_own_line(record, player))]

    def hand_histories(
        self, player: str, *, table: str | None = None, limit: int = 1000
    ) -> list[str]:
        """Return a player's last rounds of poker as hand histories, in the order they were played.

        Hands that the player did not get to see are written as unknown cards (CA-11).
        """
        rounds = reversed(self._rounds(player, table, None, limit))
        histories = (as_hand_history(r, hidden_seats(r, player)) for _, r in rounds)
        return [text for text in histories if text is not None]

    def bankroll(
        self, player: str, *, table: str | None = None, limit: int = 1000
    ) -> list[dict[str, Any]]:
        """Return gain and fee of a player's last rounds, in the order they were played.

        Each has the number of rounds since the first, and the sums of fees and results so far, all
        as corrected since.
        """
        which = "" if table is None else " and tbl = (select id from tables where name = ?)"
        query = (
            "select n, at, name, number, net, fee, count, fees, total from (select n, net, fee,"
            " count(*) over past as count, sum(fee) over past as fees,"
            f" sum(net - fee) over past as total from parts where player = ?{which}"
            " window past as (order by n) order by n desc limit ?) join rounds using (n)"
            " join tables on tables.id = rounds.tbl order by n"
        )
        values = [player, *([] if table is None else [table]), max(limit, 0)]
        rows = self._named_rows("n at table round net fee count fees total", query, *values)
        for corrected, part in self._own_corrections(player, table):
            for row in rows:
                if row["n"] == corrected:
                    row["net"] += part.net
                    row["fee"] += part.fee
                if row["n"] >= corrected:
                    row["fees"] += part.fee
                    row["total"] += part.net - part.fee
        return rows

    def proof(self, table: str, round: int) -> dict[str, Any] | None:
        """Return the public proof of a round that is over; ``None`` if there is no such round."""
        query = f"{ROUND} tables join rounds on tbl = id where name = ? and number = ?"
        with self._reading():
            for _, record in self._records(query, table, round):
                document = self._ingest.rulebooks.get(record.digest).document
                events = self._correction_events(table, round)
                pairs = [*made_corrections(event for _, event in events)]
                return as_proof(record, document, pairs, self._makers(events, pairs))
            check_entered(self._query, table)
        return None

    def _correction_events(self, table: str, round: int) -> list[tuple[int, TableEvent]]:
        """Return the events of a round's corrections with their numbers in the log."""
        query = (
            "select n, event from corrections join tables on id = tbl where name = ? and round = ?"
            " order by n"
        )
        rows = self._query(query, table, round)
        return [(n, decode(str(event).encode())) for n, event in rows]

    def _makers(
        self, events: list[tuple[int, TableEvent]], pairs: list[CorrectionPair]
    ) -> dict[int, list[Making]]:
        """Return who made those who asked for and approved each correction, where two have to."""
        numbers = {event.correction: n for n, event in events if isinstance(event, CorrectionMade)}
        makers: dict[int, list[Making]] = {}
        for asked, made in pairs:
            roster = StaffRoster()
            with closing(LogReader(self.store)) as log:
                for change in log.staff_events(numbers[made.correction]):
                    roster.take(change)
            if roster.two_people:
                makers[made.correction] = roster.makings((asked.staff, made.staff), made.at)
        return makers

    def progress(self) -> Progress:
        """Return how far the index is."""
        with self._reading(), closing(LogReader(self.store)) as log:
            return Progress(self._ingest.entered, log.last_number(), missing_tables(self._query))

    def numbers(self, table: str, *, limit: int = 24) -> list[dict[str, Any]]:
        """Return the pockets of the last spins of a table, the newest first."""
        query = (
            f"{ROUND} tables join rounds on tbl = id where name = ? order by number desc limit ?"
        )
        with self._reading():
            spins = [(r.live.number, r.seen()) for _, r in self._records(query, table, limit)]
        return [{"round": n, "pocket": seen.pocket} for n, seen in spins if seen and seen.pocket]

    def _rounds(
        self, player: str, table: str | None, before: int | None, limit: int
    ) -> list[tuple[int, Record]]:
        """Return rounds that a player took part in, the newest first."""
        query = (  # from the player's parts, however many rounds others have played
            f"{ROUND} parts cross join rounds using (n) join tables on id = rounds.tbl"
            " where player = ?"
        )
        values: list[Any] = [player]
        if table is not None:
            query += " and parts.tbl = (select id from tables where name = ?)"
            values.append(table)
        if before is not None:
            query += " and parts.n < ?"
            values.append(before)
        with self._reading():
            return list(
                self._records(f"{query} order by parts.n desc limit ?", *values, max(limit, 0))
            )

    def _records(self, query: str, *values: Any) -> Iterator[tuple[int, Record]]:
        for n, table, digest, packed in self._query(query, *values):
            book = self._ingest.rulebooks.get(digest).values.book
            yield n, unpack_record(packed, table, digest, book)

    # For the floor

    def collection(self) -> list[dict[str, Any]]:
        """Return the fees by table and hour, less what voids returned, and the rounds settled."""
        query = (
            "select name, hour, cents, rounds from fees join tables on id = tbl order by hour, name"
        )
        rows = self._named_rows("table hour cents rounds", query)
        return [row | {"hour": _hour(row["hour"])} for row in rows]

    def offers(self, table: str | None = None, *, limit: int = 1000) -> list[dict[str, Any]]:
        """Return the last offers of the bank and the answer to each, the newest first."""
        which = "" if table is None else "where tbl = (select id from tables where name = ?)"
        query = (
            "select n, at, name, round, place, player, what, cents from offers"
            f" join tables on tables.id = tbl {which} order by n desc limit ?"
        )
        values = [max(limit, 0)] if table is None else [table, max(limit, 0)]
        return self._named_rows("n at table round place player what cents", query, *values)

    def voids(self, *, limit: int = 1000) -> list[dict[str, Any]]:
        """Return the last void rounds and the chips returned, with fees, the newest first."""
        query = (
            "select n, at, name, round, reason, by, cents from voids"
            " join tables on tables.id = tbl order by n desc limit ?"
        )
        return self._named_rows("n at table round reason by cents", query, max(limit, 0))

    def results(self) -> list[dict[str, Any]]:
        """Return the bank's actual and expected gains by table and rulebook.

        ``wagered`` is by kind, only covered wagers; ``net`` is the bank's whole gain. ``counted``
        is its gain on wagers it was sure to cover, ``theoretical`` the average gain on those with
        best play, ``sd`` is estimated from each round's deviation, and ``z`` is the difference of
        both in units of ``sd``. Void rounds count nowhere.
        """
        query = (
            "select name, digest, sums from tallies join tables on id = tbl order by name, digest"
        )
        results = []
        with self._reading():
            for name, digest, sums in self._query(query):
                values = self._ingest.rulebooks.get(digest).values
                banker = "player" if values.book.bank is not None else "house"
                which = {"table": name, "digest": digest, "rulebook": values.book.name}
                report = Actuals.read(sums).report(values.scale)
                results.append(which | {"banker": banker} | report)
        return results


def _hour(hour: int) -> str:
    return datetime.fromtimestamp(hour * HOUR_MS // 1000, UTC).strftime("%Y-%m-%dT%H:00Z")
