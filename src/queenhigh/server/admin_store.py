"""The admin store: the floor's token and log, notices, and how tables were opened.

It is in the same file as the streams, so that one file is the room. The floor's actions are logged
in a stream, in one transaction with the rows they change. Use it from the server's one thread.
"""

import hashlib
import json
import secrets
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple, cast

import apsw
from msgspec.json import decode, encode

from queenhigh.errors import QueenhighError
from queenhigh.server.admin_rows import NOTHING, AdminChange, AdminRows, StaffChanged
from queenhigh.server.current_staff import CurrentStaff
from queenhigh.server.ids import fresh_id
from queenhigh.server.responses import LogEntry, RoomNotice
from queenhigh.server.stop_log import LoggedStop, StopLog
from queenhigh.store.durable_store import DurableStore
from queenhigh.store.location import Location
from queenhigh.store.rows import RowsDb
from queenhigh.table.commands import ChangeTable
from queenhigh.table.registry import FLOOR_LOG, FloorActed, decode_floor

__all__ = ["AdminStore", "OpenedRow", "Opening", "hash_token"]

_REVOKED = (
    "an owner has revoked the first token for good: log in to the floor, or set an owner's password"
    " with queenhigh staff password"
)
#: How often an entry of the log is decided again.
_TRIES = 5
#: A row of the log from before it had a stream, and the row of a table.
_OldRow = tuple[int, int, str, str, str, str, str, str]
_OPENED = "owner, disabled, bots, bots_bank, change, closing, practice"
_TableRow = tuple[str | None, int, int, int, bytes | None, int, int]


def hash_token(token: str) -> bytes:
    """Return the hash of a token, which is all that is saved of it."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


def open_rows(room: Location) -> RowsDb:
    """Return the database of a room's rows."""
    if isinstance(room, str):
        from queenhigh.store.postgres.rows import PostgresRows  # noqa: PLC0415 (an extra)

        return PostgresRows(room)
    db = apsw.Connection(str(room))
    db.set_busy_timeout(5000)
    db.pragma("synchronous", "full")
    return db


class Opening(NamedTuple):
    """How a table is opened: the number of bots, whether they bank, and the owner."""

    bots: int = 0
    bots_bank: bool = True
    owner: str | None = None
    #: Whether it is for practice: the lobby does not list it.
    practice: bool = False


class OpenedRow(NamedTuple):
    """The row of a table: how it was opened, and what the floor or its owner has changed since."""

    owner: str | None = None
    disabled: bool = False
    bots: int = 0
    bots_bank: bool = True
    #: A change of the rules that waits for a round to end.
    change: ChangeTable | None = None
    #: Whether the owner has asked for the table to be closed.
    closing: bool = False
    #: Whether the table is for practice.
    practice: bool = False


class AdminStore:
    """The rows of a room; the floor's log needs a store."""

    def __init__(self, room: Location, store: DurableStore | None = None) -> None:
        self.db = open_rows(room)
        self.rows = AdminRows(self.db, store)
        #: The staff as the log has it; there is none without a log.
        self.staff = None if store is None else CurrentStaff(store)
        self._stops = None if store is None else StopLog(store)

    def close(self) -> None:
        """Close the file."""
        self.db.close()

    # The floor's token

    def new_floor_token(self) -> str | None:
        """Return a token for the floor if there was none yet, at the first start."""
        if self.staff is not None and self.staff.roster().first_revoked:
            return None
        token = secrets.token_urlsafe(32)
        query = "insert into floor select ? where not exists (select 1 from floor)"
        self.db.execute(query, (hash_token(token),))
        return token if self.db.changes() else None

    def renew_floor_token(self) -> str:
        """Return a new token for the floor; the old one is no longer valid."""
        self.check_renewable()
        token = secrets.token_urlsafe(32)
        new = ("insert into floor values (?)", (hash_token(token),))
        self.rows.write(AdminChange((("delete from floor", ()), new)))
        return token

    def check_renewable(self) -> None:
        """Refuse to make a new first token once an owner has revoked it."""
        if self.staff is not None and self.staff.roster().first_revoked:
            raise QueenhighError("token.revoked", _REVOKED)

    def is_floor(self, token: str) -> bool:
        """Return whether a token is the room's first one, and was not revoked."""
        if self.staff is not None and self.staff.roster().first_revoked:
            return False
        query = "select 1 from floor where hash = ?"
        return self.db.execute(query, (hash_token(token),)).fetchone() is not None

    # The floor's log

    def acted(
        self,
        time_ms: int,
        actor: str,
        action: str,
        subject: str,
        *,
        change: tuple[Any, Any],
        reason: str,
    ) -> AdminChange:
        """Return an entry of the floor's log: before, after, actor and time.

        Refuse an actor who may not do this any more; writing it fails if the staff changes first.
        """
        before, after = change
        staff = None if self.staff is None else self.staff.check(actor, action)
        event = FloorActed(
            at=time_ms, by=actor, id=fresh_id("floor"), action=action, subject=subject,
            before=before, after=after, reason=reason,
        )  # fmt: skip
        return AdminChange(events=(event,), staff=staff)

    def renewed(self, note: AdminChange) -> AdminChange:
        """Return an entry that could not be written, decided again on the staff of now."""
        if self.staff is None or note.staff is None:
            return note
        acted = [event for event in note.events if isinstance(event, FloorActed)]
        return note._replace(staff=min(self.staff.check(event.by, event.action) for event in acted))

    def log(self, acted: Callable[[], AdminChange]) -> None:
        """Write an entry by itself, decided again as often as the staff changes meanwhile."""
        for _ in range(_TRIES):
            try:
                return self.rows.write(self.renewed(acted()))
            except StaffChanged:
                continue
        raise StaffChanged

    def last_stop(self, table: str) -> LoggedStop | None:
        """Return the last stop of a table's clock by the floor."""
        return None if self._stops is None else self._stops.last(table)

    def log_entries(self, before: int | None, limit: int) -> list[LogEntry]:
        """Return the log, newest first: from its stream, then the rows from before it had one."""
        ((old,),) = self.db.execute("select coalesce(max(id), 0) from floor_log")
        first = int(str(old))
        entries = self._logged(first, before, limit)
        return entries + self._old_entries(before, limit - len(entries))

    def _logged(self, first: int, before: int | None, limit: int) -> list[LogEntry]:
        """Return entries of the stream; their numbers continue those of the old rows."""
        store = self.rows.store
        if store is None:
            return []
        end = store.version(FLOOR_LOG)
        if before is not None:
            end = min(end, before - first - 1)
        start = max(0, end - limit)
        rows = list(islice(store.read(FLOOR_LOG, start), max(0, end - start)))
        return [_entry(first + row.version, decode_floor(row.event)) for row in reversed(rows)]

    def _old_entries(self, before: int | None, limit: int) -> list[LogEntry]:
        query = "select * from floor_log where id < ? order by id desc limit ?"
        rows = self.db.execute(query, (2**62 if before is None else before, limit))
        return [_old_entry(cast("_OldRow", row)) for row in rows]

    # Notices

    def post_notice(self, time_ms: int, table: str, text: str, note: AdminChange = NOTHING) -> int:
        """Post a notice in the room or, with a name, at a table; return its number."""
        ((last,),) = self.db.execute("select coalesce(max(id), 0) from notice")
        number = int(str(last)) + 1
        query = "insert into notice (id, at, tables, text) values (?, ?, ?, ?)"
        self.rows.write(AdminChange(((query, (number, time_ms, table, text)),)), note)
        return number

    def take_notice_down(self, id: int, note: AdminChange = NOTHING) -> None:
        """Take a notice down."""
        self.rows.write(AdminChange((("delete from notice where id = ?", (id,)),)), note)

    def notice(self, id: int) -> RoomNotice | None:
        """Return a notice by its number, if it is there."""
        return next((notice for notice in self.notices() if notice.n == id), None)

    def notices(self) -> list[RoomNotice]:
        """Return the notices, oldest first."""
        rows = self.db.execute("select id, at, nullif(tables, ''), text from notice order by id")
        return [RoomNotice(*cast("tuple[int, int, str | None, str]", row)) for row in rows]

    # Tables

    def open_table(self, name: str, opening: Opening) -> AdminChange:
        """Return the row that saves how a table was opened."""
        old = ("delete from opened where name = ?", (name,))
        query = "insert into opened (name, owner, bots, bots_bank, practice) values (?, ?, ?, ?, ?)"
        bots, bots_bank, owner, practice = opening
        values = (name, owner, bots, int(bots_bank), int(practice))
        return AdminChange((old, (query, values)))

    def close_table(self, name: str) -> None:
        """Save that a table is closed, so that it need not be read again."""
        self.rows.write(self.closing(name))

    def closing(self, name: str) -> AdminChange:
        """Return the row that saves that a table is closed."""
        query = "insert into opened (name, closed) values (?, 1)"
        query += " on conflict (name) do update set closed = 1"
        return AdminChange(((query, (name,)),))

    def closed(self) -> set[str]:
        """Return the tables that are closed by their rows, which prove nothing."""
        return {
            str(name) for (name,) in self.db.execute("select name from opened where closed <> 0")
        }

    def is_closed(self, name: str) -> bool:
        """Return whether a table is closed by its row, which proves nothing."""
        query = "select 1 from opened where name = ? and closed <> 0"
        return self.db.execute(query, (name,)).fetchone() is not None

    def opened(self, name: str) -> OpenedRow:
        """Return the row of a table; one that has none has defaults."""
        row = self.db.execute(f"select {_OPENED} from opened where name = ?", (name,)).fetchone()
        return OpenedRow() if row is None else _opened_row(cast("_TableRow", row))

    def all_opened(self) -> dict[str, OpenedRow]:
        """Return the rows of all tables that are not closed."""
        rows = self.db.execute(f"select name, {_OPENED} from opened where closed = 0")
        return {str(name): _opened_row(cast("_TableRow", tuple(row))) for name, *row in rows}

    def keep_change(
        self, name: str, change: ChangeTable | None, note: AdminChange = NOTHING
    ) -> None:
        """Save a change of the rules that waits for a round to end; ``None`` when it is done."""
        query = "insert into opened (name, change) values (?, ?)"
        query += " on conflict (name) do update set change = excluded.change"
        values = (name, encode(change) if change is not None else None)
        self.rows.write(AdminChange(((query, values),)), note)

    def keep_closing(self, name: str) -> None:
        """Save that the owner of a table wants it closed."""
        query = "insert into opened (name, closing) values (?, 1)"
        query += " on conflict (name) do update set closing = 1"
        self.rows.write(AdminChange(((query, (name,)),)))

    def disable(self, name: str, *, disabled: bool, note: AdminChange = NOTHING) -> None:
        """Save whether a table begins no new round."""
        query = "insert into opened (name, disabled) values (?, ?)"
        query += " on conflict (name) do update set disabled = excluded.disabled"
        self.rows.write(AdminChange(((query, (name, int(disabled))),)), note)


def _opened_row(row: _TableRow) -> OpenedRow:
    owner, disabled, bots, bots_bank, change, closing, practice = row
    saved = decode(change, type=ChangeTable) if change is not None else None
    flags = (bool(closing), bool(practice))
    return OpenedRow(owner, bool(disabled), bots, bool(bots_bank), saved, *flags)


def _entry(number: int, event: FloorActed) -> LogEntry:
    """Return an event of the floor as an entry of its log."""
    return LogEntry(
        number, event.at, event.by, event.action, event.subject, event.before, event.after,
        event.reason,
    )  # fmt: skip


def _old_entry(row: _OldRow) -> LogEntry:
    """Return a row from before the log had a stream as an entry of it."""
    number, time_ms, actor, action, subject, before, after, reason = row
    changed = (json.loads(before), json.loads(after))
    return LogEntry(number, time_ms, actor, action, subject, *changed, reason)
