"""The books of a room: what its log comes to, kept beside it, so that nobody reads it all again.

Players' histories and the floor's reports are read from here. Everything in the file follows from
the log and nothing rests on it: a file that is missing, damaged, of another program or of another
store is thrown away and written again. Of the store the books only read.

A round is entered when it is over. Of one under way the file holds what is needed to go on, its
seed too, as the log does; nothing here returns any of it.
"""

import json
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.room.bookkeeping import (
    HOUR,
    BooksFile,
    Damaged,
    Entries,
    Table,
    pack_rounds,
    unpack,
    unpack_rounds,
)
from queenhigh.room.desk import stream_of
from queenhigh.room.hand_history import as_hand_history
from queenhigh.room.history import (
    Record,
    Rounds,
    as_own_line,
    as_proof,
    as_recall,
    hidden_seats,
)
from queenhigh.room.log_by_steps import Log
from queenhigh.room.reports import Tally, Worth, expectations
from queenhigh.room.unentered import Archived, Progress, check_entered, missing_tables
from queenhigh.rulebook.load import from_document
from queenhigh.store.streams import GENESIS, DamagedStream
from queenhigh.table.events import RoundVoided, decode
from queenhigh.table.fairness import document_digest
from queenhigh.table.state import is_banked

__all__ = ["Books"]

#: How many events one transaction takes; and how many of a table lie between its snapshots.
_BATCH, _BETWEEN = 5_000, 1_000
_ROUND = "select rounds.n, name, digest, record from"


class _Ruling(NamedTuple):
    """A rulebook that rounds were played by: its document, and what its wagers are worth."""

    document: dict[str, Any]
    worth: Worth


@contextmanager
def _fitting(table: str) -> Iterator[None]:
    """Say of which table the events do not fit together."""
    try:
        yield
    except (BrokenLog, LookupError, ValueError):
        told = f"the events of table {table} do not fit together: see queenhigh verify"
        raise QueenhighError("table.broken", told) from None


class Books:
    """The books of a store, in a file of their own. Use them from one thread of one process."""

    def __init__(self, store: Path, file: Path) -> None:
        self.store = store
        self._file = BooksFile(file)
        self._ask = self._file.ask
        self._forget()

    def close(self) -> None:
        """Let go of the file."""
        self._file.books.close()

    def _forget(self) -> None:
        """Forget all that is not in the file, and look up how far that is."""
        self._tables: dict[str, Table] = {}
        self._tallies: dict[tuple[int, str], Tally] = {}
        self._rulings: dict[str, _Ruling] = {}
        self._read, self._hash = self._ask("select read, hash from book")[0]

    def _begin_again(self) -> None:
        self._file.begin_again()
        self._forget()

    @contextmanager
    def _asked(self) -> Iterator[None]:
        """Begin the file again if a question finds it damaged."""
        try:
            with self._file.tended():
                yield
        except Damaged:
            self._begin_again()
            told = "the books were damaged and are written again: ask once they are up to date"
            raise QueenhighError("books.damaged", told) from None

    def _told(self, names: str, ask: str, *values: Any) -> list[dict[str, Any]]:
        """Return what is asked for, each row by its names."""
        with self._asked():
            return [dict(zip(names.split(), row, strict=True)) for row in self._ask(ask, *values)]

    # The log

    def catch_up(self, most: int = 200_000) -> bool:
        """Enter what is new in the log, so many events at most; tell whether that is all of it."""
        try:
            if self._file.mind():
                self._forget()
            return self._go_on(most)
        except Damaged:
            self._begin_again()
        try:
            return self._go_on(most)
        except Damaged as error:
            told = f"{self._file.path} cannot be used for the books ({error}): name another file"
            raise QueenhighError("books.file", told) from error

    def _go_on(self, most: int) -> bool:
        with closing(Log(self.store)) as log, self._file.tended():
            self._check(log)
            while most > 0:
                asked = min(most, _BATCH)
                rows = log.after(self._read, asked)
                if rows:
                    self._enter(log, rows)
                if len(rows) < asked:
                    return True
                most -= asked
            return not log.after(self._read, 1)

    def _check(self, log: Log) -> None:
        """Find out if the books are of another store, or of one that went on differently."""
        same = not self._read or log.has(self._read, self._hash)
        known = self._ask("select name, version, hash from tables where version > 0")
        if not same or not all(log.has_table(*table) for table in known):
            raise Damaged("the store is another one")

    def _enter(self, log: Log, rows: list[Any]) -> None:
        """Enter some events in one transaction."""
        entries, touched, archived = Entries(), {}, Archived(log)
        try:
            with self._file.books:
                for row in rows:
                    n, stream, version, event, hashed = row
                    if not stream.startswith(stream_of("")) or archived.has(row):
                        continue
                    table = self._table(log, stream.removeprefix(stream_of("")))
                    if table.goes_on_with(version, event, hashed):
                        self._add(entries, n, table, event)
                        table.version, table.hash = version, hashed
                        touched[table.id] = table
                entries.write(self._file.books)
                self._write(list(touched.values()))
                archived.write(self._ask)
                read, _, _, _, hashed = rows[-1]
                self._ask("update book set read = ?, hash = ?", read, hashed)
        except BaseException:
            with suppress(Exception):  # what went wrong first is told
                self._forget()
            raise
        self._read, self._hash = read, hashed

    def _add(self, entries: Entries, n: int, table: Table, event: bytes) -> None:
        with _fitting(table.name):
            record = entries.add(n, table, decode(event))
        if record is not None:
            ruling = self._ruling(record.digest, table)
            if not isinstance(record.end, RoundVoided):
                tally = self._tally(table.id, record.digest)
                tally.add(ruling.worth, record.live, record.end)

    def _table(self, log: Log, name: str) -> Table:
        """Return a table as far as it is entered, from its snapshot and the events since."""
        if name in self._tables:
            return self._tables[name]
        ask = "select id, version, hash, kept_at, kept from tables where name = ?"
        found = self._ask(ask, name)
        if not found:
            self._ask("insert into tables values (null, ?, 0, x'', 0, x'')", name)
            table = Table(self._file.books.last_insert_rowid(), name, Rounds())
        else:
            ((id, version, hashed, kept_at, kept),) = found
            rounds = unpack_rounds(kept) if kept_at else Rounds()
            table = Table(id, name, rounds, version, hashed, kept_at)
            try:
                with _fitting(name):
                    for event in log.of(name, kept_at, version, hashed or GENESIS):
                        rounds.add(decode(event))
            except DamagedStream:  # the other tables go on
                table.lost = True
        self._tables[name] = table
        return table

    def _write(self, tables: list[Table]) -> None:
        """Write how far tables are; of those that have gone far, a snapshot too."""
        for table in tables:
            where = (table.version, table.hash)
            self._ask("update tables set version = ?, hash = ? where id = ?", *where, table.id)
            if table.version - table.kept_at >= _BETWEEN:
                table.kept_at, kept = table.version, pack_rounds(table.rounds)
                ask = "update tables set kept_at = ?, kept = ? where id = ?"
                self._ask(ask, table.version, kept, table.id)
        ids = {table.id for table in tables}
        rows = [(*key, one.write()) for key, one in self._tallies.items() if key[0] in ids]
        self._file.books.executemany("insert or replace into tallies values (?, ?, ?)", rows)

    def _tally(self, table: int, digest: str) -> Tally:
        key = (table, digest)
        if key not in self._tallies:
            found = self._ask("select sums from tallies where tbl = ? and digest = ?", *key)
            self._tallies[key] = Tally.read(found[0][0]) if found else Tally()
        return self._tallies[key]

    def _ruling(self, digest: str, table: Table | None = None) -> _Ruling:
        """Return a rulebook; the first time a table plays by it, work out what it is worth."""
        if digest in self._rulings:
            return self._rulings[digest]
        found = self._ask("select document, worth from rulebooks where digest = ?", digest)
        if not found:
            assert table is not None
            assert table.rounds.state is not None
            document = table.rounds.state.document
            book = from_document(document)
            worth = expectations(book)
            texts = json.dumps(document), json.dumps({k: str(v) for k, v in worth.items()})
            self._ask("insert into rulebooks values (?, ?, ?)", digest, *texts)
        else:
            document = json.loads(found[0][0])
            if document_digest(document) != digest:
                raise Damaged("a rulebook is another one")
            book = from_document(document)
            worth = {name: Fraction(each) for name, each in json.loads(found[0][1]).items()}
        self._rulings[digest] = _Ruling(document, Worth(book, worth))
        return self._rulings[digest]

    # What players ask

    def history(
        self, player: str, *, table: str | None = None, before: int | None = None, limit: int = 10
    ) -> list[dict[str, Any]]:
        """Return a player's rounds, the newest first, each as its player may recall it.

        ``n`` grows from round to round; ``before`` one of them the next page begins.
        """
        told = []
        for n, record in self._rounds(player, table, before, limit):
            recalled = as_recall(record, player) or {}
            place = {"n": n, "table": record.table, "number": record.live.number}
            told.append(place | recalled)
        return told

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
        """Return what a player's last rounds brought and cost.

        Each with how many they are since the first, and what those come to: fees, and in all.
        """
        which = "" if table is None else " and tbl = (select id from tables where name = ?)"
        ask = (
            "select n, at, name, number, net, fee, count, fees, total from (select n, net, fee,"
            " count(*) over past as count, sum(fee) over past as fees,"
            f" sum(net - fee) over past as total from parts where player = ?{which}"
            " window past as (order by n) order by n desc limit ?) join rounds using (n)"
            " join tables on tables.id = rounds.tbl order by n"
        )
        values = [player, *([] if table is None else [table]), max(limit, 0)]
        return self._told("n at table round net fee count fees total", ask, *values)

    def proof(self, table: str, round: int) -> dict[str, Any] | None:
        """Return what anyone may see to verify a round that is over; ``None`` if there is none."""
        ask = f"{_ROUND} tables join rounds on tbl = id where name = ? and number = ?"
        with self._asked():
            for _, record in self._records(ask, table, round):
                return as_proof(record, self._ruling(record.digest).document)
            check_entered(self._ask, table)
        return None

    def progress(self) -> Progress:
        """Return how far the books are."""
        with self._asked(), closing(Log(self.store)) as log:
            return Progress(self._read, log.last(), missing_tables(self._ask))

    def numbers(self, table: str, *, limit: int = 24) -> list[dict[str, Any]]:
        """Return where the ball lay in the last spins of a table, the newest first."""
        ask = f"{_ROUND} tables join rounds on tbl = id where name = ? order by number desc limit ?"
        with self._asked():
            spins = [(r.live.number, r.live.spin) for _, r in self._records(ask, table, limit)]
        return [{"round": round, "pocket": spin.pocket} for round, spin in spins if spin]

    def _rounds(
        self, player: str, table: str | None, before: int | None, limit: int
    ) -> list[tuple[int, Record]]:
        """Return rounds that a player took part in, the newest first."""
        ask = (  # from the player's parts, however many rounds others have played
            f"{_ROUND} parts cross join rounds using (n) join tables on id = rounds.tbl"
            " where player = ?"
        )
        values: list[Any] = [player]
        if table is not None:
            ask += " and parts.tbl = (select id from tables where name = ?)"
            values.append(table)
        if before is not None:
            ask += " and parts.n < ?"
            values.append(before)
        with self._asked():
            return list(
                self._records(f"{ask} order by parts.n desc limit ?", *values, max(limit, 0))
            )

    def _records(self, ask: str, *values: Any) -> Iterator[tuple[int, Record]]:
        for n, table, digest, packed in self._ask(ask, *values):
            book = self._ruling(digest).worth.book
            yield n, unpack(packed, table, digest, book)

    # What the floor asks

    def collection(self) -> list[dict[str, Any]]:
        """Return the fees by table and hour, less what voids returned, and the rounds settled."""
        ask = (
            "select name, hour, cents, rounds from fees join tables on id = tbl order by hour, name"
        )
        found = self._told("table hour cents rounds", ask)
        return [row | {"hour": _hour(row["hour"])} for row in found]

    def offers(self, table: str | None = None, *, limit: int = 1000) -> list[dict[str, Any]]:
        """Return the last offers of the bank and what became of each, the newest first."""
        which = "" if table is None else "where tbl = (select id from tables where name = ?)"
        ask = (
            "select n, at, name, round, place, player, what, cents from offers"
            f" join tables on tables.id = tbl {which} order by n desc limit ?"
        )
        values = [max(limit, 0)] if table is None else [table, max(limit, 0)]
        return self._told("n at table round place player what cents", ask, *values)

    def voids(self, *, limit: int = 1000) -> list[dict[str, Any]]:
        """Return the last void rounds and what was returned, fees too, the newest first."""
        ask = (
            "select n, at, name, round, reason, by, cents from voids"
            " join tables on tables.id = tbl order by n desc limit ?"
        )
        return self._told("n at table round reason by cents", ask, max(limit, 0))

    def results(self) -> list[dict[str, Any]]:
        """Return by table and rulebook what the bank gained, and should have by the exact odds.

        ``wagered`` is by kind, only what was covered; ``net`` is all that the bank gained.
        ``counted`` is its part on wagers that the bank was sure to cover, ``theoretical`` what
        those bring with best play, ``sd`` estimated from what each round in fact deviated by, and
        ``z`` is how many of those lie between. Void rounds count nowhere.
        """
        ask = "select name, digest, sums from tallies join tables on id = tbl order by name, digest"
        told = []
        with self._asked():
            for name, digest, sums in self._ask(ask):
                worth = self._ruling(digest).worth
                banker = "player" if is_banked(worth.book) else "house"
                which = {"table": name, "digest": digest, "rulebook": worth.book.name}
                report = Tally.read(sums).report(worth.scale)
                told.append(which | {"banker": banker} | report)
        return told


def _hour(hour: int) -> str:
    return datetime.fromtimestamp(hour * HOUR // 1000, UTC).strftime("%Y-%m-%dT%H:00Z")
