"""The log goes into the index, event by event, each transaction with the rows that come of it."""

from collections.abc import Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, field
from typing import Any

import apsw

from queenhigh.history.index.archived_tables import ArchivedTables
from queenhigh.history.index.log_reader import LogReader
from queenhigh.history.index.packing import pack_record, pack_rounds, unpack_rounds
from queenhigh.history.index.report_rows import ReportRows, fill_in
from queenhigh.history.index.rulebooks import RulebookTable
from queenhigh.history.index.schema import HOUR_MS, DamagedIndex, IndexFile
from queenhigh.history.records import Record, Rounds, part_of
from queenhigh.history.reports import Actuals
from queenhigh.store.location import Location
from queenhigh.store.reader import Row
from queenhigh.store.streams import GENESIS, DamagedStream, is_next
from queenhigh.table import events
from queenhigh.table.commands import CLOCK
from queenhigh.table.events import Charge, RoundSettled, RoundVoided, TableEvent, decode, encode
from queenhigh.table.registry import FLOOR_LOG, decode_floor
from queenhigh.table.streams import table_stream
from queenhigh.verify.fold import BrokenStream, at_event

__all__ = ["Batch", "IndexedTable", "Ingest"]

#: How many events one transaction takes; and how many of a table lie between its snapshots.
_EVENTS_AT_ONCE, _BETWEEN_SNAPSHOTS = 5_000, 1_000


@dataclass
class IndexedTable:
    """A table as far as it is entered, and the version of its last snapshot."""

    id: int
    name: str
    rounds: Rounds
    version: int = 0
    hash: bytes = b""
    snapshot_version: int = 0
    #: Its events cannot be followed any further.
    lost: bool = False

    def is_followed_by(self, row: Row) -> bool:
        """Return whether an event is the next one, by its version and its hash."""
        if self.lost or row.version != self.version + 1:
            return False
        return is_next(self.hash or GENESIS, row.stream, row.version, row.event, row.hash)


_CORRECTIONS = events.CorrectionAsked | events.CorrectionMade | events.CorrectionRejected
_OFFERS: dict[type, str] = {
    events.BankOffered: "offered",
    events.BankPosted: "accepted",
    events.BankDeclined: "declined",
    events.BankUnwanted: "unwanted",
}


@dataclass
class Batch:
    """The rows that some events add to the index."""

    rounds: list[tuple[Any, ...]] = field(default_factory=list)
    parts: list[tuple[Any, ...]] = field(default_factory=list)
    offers: list[tuple[Any, ...]] = field(default_factory=list)
    voids: list[tuple[Any, ...]] = field(default_factory=list)
    fees: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    incidents: list[tuple[Any, ...]] = field(default_factory=list)
    corrections: list[tuple[Any, ...]] = field(default_factory=list)
    #: The floor's acts that voided a round: who did it, at which table, and the round.
    voided_by: list[tuple[str, str, int]] = field(default_factory=list)

    def add_act(self, row: Row) -> None:
        """Add what the floor did, where it says who voided a round: the table's event does not.

        An act that cannot be read names nobody, and holds up no table.
        """
        with suppress(BrokenStream), at_event(row.stream, row.version):
            act = decode_floor(row.event)
            if act.action == "void round":
                self.voided_by.append((act.by, act.subject, int(act.after["round"])))

    def add(self, n: int, table: IndexedTable, event: TableEvent) -> Record | None:
        """Add an event, and the round that it ends; return that round."""
        if type(event) in _OFFERS:
            self._add_offer(n, table, event)
        elif isinstance(event, events.BetsClosed):
            self._add_fees(table, event.at, _sum(event.fees))
        elif isinstance(event, events.HandVoided):
            self._add_fees(table, event.at, -event.fee)
        elif isinstance(event, events.IncidentRuled):
            self.incidents.append((n, table.id, event.round, encode(event).decode()))
        elif isinstance(event, _CORRECTIONS):
            self._add_correction(n, table, event)
        record = table.rounds.add(event)
        if record is not None:
            self._add_round(n, table, record)
        return record

    def _add_offer(self, n: int, table: IndexedTable, event: Any) -> None:
        answer, place = _OFFERS[type(event)], getattr(event, "place", None)
        if answer == "declined" and event.by == CLOCK:
            answer = "declined by the clock"
        state = table.rounds.state
        seated = state.places.get(place) if state and place is not None else None
        cents = event.cents if answer == "accepted" else None
        player = seated.player if seated else None
        if player is None and place is not None and event.by != CLOCK:
            player = event.by  # a player who declined by leaving
        self.offers.append((n, table.id, event.at, event.round, place, player, answer, cents))

    def _add_correction(self, n: int, table: IndexedTable, event: Any) -> None:
        round = getattr(event, "round", 0)
        if isinstance(event, events.CorrectionRejected) and table.rounds.state is not None:
            round = table.rounds.state.corrections.asked[event.correction].round
        if isinstance(event, events.CorrectionMade):
            gained = sum([row.cents for row in event.moved if row.against == "fees"])
            self._add_fees(table, event.at, -gained)
        self.corrections.append((n, table.id, event.correction, round, encode(event).decode()))

    def _add_fees(self, table: IndexedTable, time_ms: int, cents: int, rounds: int = 0) -> None:
        if cents or rounds:
            hour = self.fees.setdefault((table.id, time_ms // HOUR_MS), [0, 0])
            hour[0] += cents
            hour[1] += rounds

    def _add_round(self, n: int, table: IndexedTable, record: Record) -> None:
        end, number = record.end, record.live.number
        self.rounds.append((n, table.id, number, record.digest, end.at, pack_record(record)))
        for player, (net, fee) in part_of(record).items():
            self.parts.append((player, n, table.id, net, fee))
        if isinstance(end, RoundVoided):
            cents, fees = _sum(end.returned), _sum(end.fees)
            row = (n, table.id, end.at, number, end.reason, end.by, cents + fees)
            self.voids.append(row)
            self._add_fees(table, end.at, -fees)
        else:
            fees = _sum(end.fees) if isinstance(end, RoundSettled) else 0
            self._add_fees(table, end.at, fees, 1)

    def write(self, db: apsw.Connection) -> None:
        """Write all rows to the index."""
        db.executemany("insert into rounds values (?, ?, ?, ?, ?, ?)", self.rounds)
        db.executemany("insert into parts values (?, ?, ?, ?, ?)", self.parts)
        db.executemany("insert into offers values (?, ?, ?, ?, ?, ?, ?, ?)", self.offers)
        db.executemany("insert into voids values (?, ?, ?, ?, ?, ?, ?)", self.voids)
        named = "update voids set by = ? where tbl = (select id from tables where name = ?)"
        db.executemany(f"{named} and round = ?", self.voided_by)
        db.executemany("insert into incidents values (?, ?, ?, ?)", self.incidents)
        db.executemany("insert into corrections values (?, ?, ?, ?, ?)", self.corrections)
        add = (
            "insert into fees values (?, ?, ?, ?) on conflict do update"
            " set cents = cents + excluded.cents, rounds = rounds + excluded.rounds"
        )
        db.executemany(add, [(*key, *sums) for key, sums in self.fees.items()])


def _sum(charges: tuple[Charge, ...]) -> int:
    return sum([charge.cents for charge in charges])


class Ingest:
    """Enters the log of a store into the index. ``entered`` is the number of the last event."""

    def __init__(self, store: Location, file: IndexFile) -> None:
        self._store, self._file, self._query = store, file, file.query
        self.forget()

    def forget(self) -> None:
        """Forget everything that is not in the file, and look up how far that is."""
        self._tables: dict[str, IndexedTable] = {}
        self._actuals: dict[tuple[int, str], Actuals] = {}
        self.rulebooks = RulebookTable(self._query)
        self._report_rows = ReportRows(self._query)
        self.entered, self._hash = self._query("select read, hash from book")[0]

    def catch_up(self, most: int) -> bool:
        """Enter what is new in the log, so many events at most; return whether that is all."""
        with closing(LogReader(self._store)) as log, self._file.checked():
            self._check_store(log)
            while not fill_in(self._file.db, self._query, self.rulebooks):
                most -= _EVENTS_AT_ONCE
                if most <= 0:
                    return False
            while most > 0:
                limit = min(most, _EVENTS_AT_ONCE)
                rows = log.events(self.entered, limit)
                if rows:
                    self._enter(log, rows)
                if len(rows) < limit:
                    return True
                most -= limit
            return not log.events(self.entered, 1)

    def _check_store(self, log: LogReader) -> None:
        """Raise if the index is of another store, or of one that went on differently."""
        is_same = not self.entered or log.has_event(self.entered, self._hash)
        tables = self._query("select name, version, hash from tables where version > 0")
        if not is_same or not all(log.has_table(*table) for table in tables):
            raise DamagedIndex("the store is another one")

    def _enter(self, log: LogReader, rows: list[Row]) -> None:
        """Enter some events in one transaction."""
        batch, touched, archived = Batch(), dict[int, IndexedTable](), ArchivedTables(log)
        prefix = table_stream("")
        try:
            with self._file.db:
                for row in rows:
                    if row.stream == FLOOR_LOG:
                        batch.add_act(row)
                        continue
                    # An event whose stream has lost its name belongs to no table.
                    is_table = row.stream is not None and row.stream.startswith(prefix)
                    if not is_table or archived.take(row):
                        continue
                    table = self._table(log, row.stream.removeprefix(prefix))
                    if table.is_followed_by(row):
                        self._add(batch, table, row)
                        touched[table.id] = table
                batch.write(self._file.db)
                self._report_rows.write(self._file.db)
                self._write_tables(touched.values())
                archived.write(self._query)
                self._query("update book set read = ?, hash = ?", rows[-1].n, rows[-1].hash)
        except BaseException:
            with suppress(Exception):  # the first error is the one to raise
                self.forget()
            raise
        self.entered, self._hash = rows[-1].n, rows[-1].hash

    def _add(self, batch: Batch, table: IndexedTable, row: Row) -> None:
        with at_event(row.stream, row.version):
            record = batch.add(row.n, table, decode(row.event))
        table.version, table.hash = row.version, row.hash
        if record is None:
            return
        if table.rounds.state is None:
            raise BrokenStream(row.stream, row.version, "a round is over before the table opens")
        rulebook = self.rulebooks.add(record.digest, table.rounds.state.document)
        if isinstance(record.end, RoundVoided):
            self._report_rows.add(row.n, table.id, record)
            return
        counted = rulebook.values.count(record.live, record.end)
        self._actuals_of(table.id, record.digest).add(counted, record.end)
        self._report_rows.add(row.n, table.id, record, counted)

    def table(self, log: LogReader, name: str) -> IndexedTable | None:
        """Return a table as far as it is entered, if it is."""
        is_entered = self._query("select 1 from tables where name = ?", name)
        return self._table(log, name) if is_entered else None

    def _table(self, log: LogReader, name: str) -> IndexedTable:
        """Return a table as far as it is entered, from its snapshot and the events since."""
        if name in self._tables:
            return self._tables[name]
        query = "select id, version, hash, kept_at, kept from tables where name = ?"
        stored = self._query(query, name)
        if not stored:
            self._query("insert into tables values (null, ?, 0, x'', 0, x'')", name)
            table = IndexedTable(self._file.db.last_insert_rowid(), name, Rounds(name))
        else:
            ((id, version, last_hash, saved_version, saved),) = stored
            rounds = unpack_rounds(saved, name) if saved_version else None
            if rounds is None:  # its events are read instead
                rounds, saved_version = Rounds(name), 0
            table = IndexedTable(id, name, rounds, version, last_hash, saved_version)
            self._read_since_snapshot(log, table)
        self._tables[name] = table
        return table

    def _read_since_snapshot(self, log: LogReader, table: IndexedTable) -> None:
        after, last_hash = table.snapshot_version, table.hash or GENESIS
        try:
            stored = log.table_events(table.name, after, table.version, last_hash)
        except DamagedStream:  # the other tables go on
            table.lost, stored = True, []
        for version, event in enumerate(stored, after + 1):
            with at_event(table_stream(table.name), version):
                table.rounds.add(decode(event))

    def _write_tables(self, tables: Iterable[IndexedTable]) -> None:
        """Write how far tables are; of those that have gone far, a snapshot too."""
        ids = set()
        for table in tables:
            ids.add(table.id)
            query = "update tables set version = ?, hash = ? where id = ?"
            self._query(query, table.version, table.hash, table.id)
            if table.version - table.snapshot_version >= _BETWEEN_SNAPSHOTS:
                table.snapshot_version = table.version
                query = "update tables set kept_at = ?, kept = ? where id = ?"
                self._query(query, table.version, pack_rounds(table.rounds), table.id)
        rows = [(*key, sums.write()) for key, sums in self._actuals.items() if key[0] in ids]
        self._file.db.executemany("insert or replace into tallies values (?, ?, ?)", rows)

    def _actuals_of(self, table: int, digest: str) -> Actuals:
        key = (table, digest)
        if key not in self._actuals:
            rows = self._query("select sums from tallies where tbl = ? and digest = ?", *key)
            self._actuals[key] = Actuals.read(rows[0][0]) if rows else Actuals()
        return self._actuals[key]
