"""What a room keeps beside its streams: the floor's token and log, notices, how tables opened.

It stands in the same file as the streams, so that one file is the room. What the floor does is in
the log: in a stream, written in one transaction with the rows it changes. It is used from the
server's one thread.
"""

import hashlib
import json
import secrets
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import apsw
from msgspec.json import decode, encode

from queenhigh.room.registry import FLOOR_LOG, FloorActed, decode_floor
from queenhigh.server.ids import fresh_id
from queenhigh.server.papers import NOTHING, Change, Papers
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import ChangeTable

__all__ = ["Office", "Opening", "hash_token"]


def hash_token(token: str) -> bytes:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


class Opening(NamedTuple):
    """How a table is opened: how many bots it has, whether they bank, and whose it is."""

    bots: int = 0
    bots_bank: bool = True
    owner: str | None = None


class Office:
    """The room's own papers; what the floor does needs its store."""

    def __init__(self, file: Path, store: SqliteStore | None = None) -> None:
        self.db = apsw.Connection(str(file))
        self.db.set_busy_timeout(5000)
        self.db.pragma("synchronous", "full")
        self.papers = Papers(self.db, store)

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

    # The floor's token

    def new_floor_token(self) -> str | None:
        """Return a token for who runs the room if there is none yet: at the first start."""
        if self.db.execute("select count(*) from floor").fetchall() != [(0,)]:
            return None
        return self.renew_floor_token()

    def renew_floor_token(self) -> str:
        """Return a new token; the one before is worth nothing from now on."""
        token = secrets.token_urlsafe(32)
        new = ("insert into floor values (?)", (hash_token(token),))
        self.papers.write(Change((("delete from floor", ()), new)))
        return token

    def is_floor(self, token: str) -> bool:
        """Tell whether a token is of who runs the room."""
        ask = "select 1 from floor where hash = ?"
        return self.db.execute(ask, (hash_token(token),)).fetchone() is not None

    # What the floor did

    def acted(
        self, at: int, who: str, action: str, subject: str, *, change: tuple[Any, Any], reason: str
    ) -> Change:
        """Return what the log gets: before, after, who and when."""
        before, after = change
        event = FloorActed(
            at=at, by=who, id=fresh_id("floor"), action=action, subject=subject, before=before,
            after=after, reason=reason,
        )  # fmt: skip
        return Change(events=(event,))

    def log_entries(self, before: int | None, limit: int) -> list[dict[str, Any]]:
        """Return what was done, newest first: from the log, then from before it had a stream."""
        ((old,),) = self.db.execute("select coalesce(max(id), 0) from floor_log")
        first = int(str(old))
        entries = self._logged(first, before, limit)
        return entries + self._old_entries(before, limit - len(entries))

    def _logged(self, first: int, before: int | None, limit: int) -> list[dict[str, Any]]:
        """Return entries of the stream; their numbers follow those of the old ones."""
        store = self.papers.store
        if store is None:
            return []
        end = store.version(FLOOR_LOG)
        if before is not None:
            end = min(end, before - first - 1)
        start = max(0, end - limit)
        rows = list(islice(store.read(FLOOR_LOG, start), max(0, end - start)))
        return [_entry(first + row.version, decode_floor(row.event)) for row in reversed(rows)]

    def _old_entries(self, before: int | None, limit: int) -> list[dict[str, Any]]:
        ask = "select * from floor_log where ? is null or id < ? order by id desc limit ?"
        names = ("n", "at", "who", "action", "subject", "before", "after", "reason")
        entries = []
        for row in self.db.execute(ask, (before, before, limit)):
            entry = dict(zip(names, row, strict=True))
            for name in ("before", "after"):
                entry[name] = json.loads(str(entry[name]))
            entries.append(entry)
        return entries

    # Notices

    def post_notice(self, at: int, table: str, text: str, note: Change = NOTHING) -> int:
        """Post a notice in the room or, with a name, at a table; return its number."""
        ((last,),) = self.db.execute("select coalesce(max(id), 0) from notice")
        number = int(str(last)) + 1
        ask = "insert into notice (id, at, tables, text) values (?, ?, ?, ?)"
        self.papers.write(Change(((ask, (number, at, table, text)),)), note)
        return number

    def take_notice_down(self, id: int, note: Change = NOTHING) -> None:
        """Take a notice down."""
        self.papers.write(Change((("delete from notice where id = ?", (id,)),)), note)

    def notice(self, id: int) -> dict[str, Any] | None:
        """Return a notice by its number, if it is there."""
        return next((one for one in self.notices() if one["n"] == id), None)

    def notices(self) -> list[dict[str, Any]]:
        """Return the notices, oldest first."""
        names = ("n", "at", "table", "text")
        rows = self.db.execute("select id, at, nullif(tables, ''), text from notice order by id")
        return [dict(zip(names, row, strict=True)) for row in rows]

    # Tables

    def open_table(self, name: str, opening: Opening) -> Change:
        """Return the row that remembers how a table was opened."""
        ask = "insert or replace into opened (name, owner, bots, bots_bank) values (?, ?, ?, ?)"
        bots, bots_bank, owner = opening
        return Change(((ask, (name, owner, bots, int(bots_bank))),))

    def close_table(self, name: str) -> None:
        """Remember that a table is closed, so that it need not be read again."""
        self.papers.write(self.closing(name))

    def closing(self, name: str) -> Change:
        """Return the row that remembers that a table is closed."""
        ask = "insert into opened (name, closed) values (?, 1)"
        ask += " on conflict (name) do update set closed = 1"
        return Change(((ask, (name,)),))

    def closed(self) -> set[str]:
        """Return the tables that are said to be closed; nothing proves it."""
        return {str(name) for (name,) in self.db.execute("select name from opened where closed")}

    def opened(self, name: str) -> dict[str, Any]:
        """Return what is remembered of a table."""
        ask = "select owner, disabled, bots, bots_bank, change, closing from opened where name = ?"
        found: Any = self.db.execute(ask, (name,)).fetchone() or (None, 0, 0, 1, None, 0)
        owner, disabled, bots, bots_bank, change, closing = found
        kept = decode(change, type=ChangeTable) if change is not None else None
        known = {"disabled": bool(disabled), "bots": bots, "bots_bank": bool(bots_bank)}
        return {"owner": owner, "change": kept, "closing": bool(closing), **known}

    def keep_change(self, name: str, change: ChangeTable | None, note: Change = NOTHING) -> None:
        """Keep a change of the rules that waits for a round to end; nothing: it has been made."""
        ask = "insert into opened (name, change) values (?, ?)"
        ask += " on conflict (name) do update set change = excluded.change"
        values = (name, encode(change) if change is not None else None)
        self.papers.write(Change(((ask, values),)), note)

    def keep_closing(self, name: str) -> None:
        """Keep that the owner of a table has asked for its end."""
        ask = "insert into opened (name, closing) values (?, 1)"
        ask += " on conflict (name) do update set closing = 1"
        self.papers.write(Change(((ask, (name,)),)))

    def disable(self, name: str, *, disabled: bool, note: Change = NOTHING) -> None:
        """Let no new round begin at a table, or let them begin again."""
        ask = "insert into opened (name, disabled) values (?, ?)"
        ask += " on conflict (name) do update set disabled = excluded.disabled"
        self.papers.write(Change(((ask, (name, int(disabled))),)), note)


def _entry(number: int, event: FloorActed) -> dict[str, Any]:
    """Return what the floor did as an entry of its log."""
    names = ("action", "subject", "before", "after", "reason")
    told = {name: getattr(event, name) for name in names}
    return {"n": number, "at": event.at, "who": event.by, **told}
