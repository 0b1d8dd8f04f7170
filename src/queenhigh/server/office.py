"""What a room keeps beside its streams: the floor's token and log, notices, how tables opened.

It stands in the same file as the streams, so that one file is the room. It is used from the
server's one thread.
"""

import hashlib
import json
import secrets
from pathlib import Path
from typing import Any

import apsw
from msgspec.json import decode, encode

from queenhigh.server.papers import migrate
from queenhigh.table.commands import ChangeTable

__all__ = ["Office", "hash_token"]


def hash_token(token: str) -> bytes:
    """Return what is kept of a token."""
    return hashlib.sha256(token.encode(errors="replace")).digest()


class Office:
    """The room's own papers."""

    def __init__(self, file: Path) -> None:
        self.db = apsw.Connection(str(file))
        self.db.set_busy_timeout(5000)
        self.db.pragma("synchronous", "full")
        migrate(self.db)

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
        with self.db:
            self.db.execute("delete from floor")
            self.db.execute("insert into floor values (?)", (hash_token(token),))
        return token

    def is_floor(self, token: str) -> bool:
        """Tell whether a token is of who runs the room."""
        ask = "select 1 from floor where hash = ?"
        return self.db.execute(ask, (hash_token(token),)).fetchone() is not None

    # What the floor did

    def log(
        self, at: int, who: str, action: str, subject: str, *, change: tuple[Any, Any], reason: str
    ) -> None:
        """Write down what was done: before, after, who and when."""
        before, after = (json.dumps(one, ensure_ascii=False) for one in change)
        ask = "insert into floor_log (at, who, action, subject, before, after, reason)"
        values = (at, who, action, subject, before, after, reason)
        self.db.execute(f"{ask} values (?, ?, ?, ?, ?, ?, ?)", values)

    def log_entries(self, before: int | None, limit: int) -> list[dict[str, Any]]:
        """Return what was done, newest first."""
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

    def post_notice(self, at: int, table: str, text: str) -> int:
        """Post a notice in the room or, with a name, at a table; return its number."""
        self.db.execute("insert into notice (at, tables, text) values (?, ?, ?)", (at, table, text))
        return self.db.last_insert_rowid()

    def take_notice_down(self, id: int) -> dict[str, Any] | None:
        """Take a notice down, and return it if there was one."""
        found = [one for one in self.notices() if one["n"] == id]
        self.db.execute("delete from notice where id = ?", (id,))
        return found[0] if found else None

    def notices(self) -> list[dict[str, Any]]:
        """Return the notices, oldest first."""
        names = ("n", "at", "table", "text")
        rows = self.db.execute("select id, at, nullif(tables, ''), text from notice order by id")
        return [dict(zip(names, row, strict=True)) for row in rows]

    # Tables

    def open_table(self, name: str, owner: str | None, *, bots: int, bots_bank: bool) -> None:
        """Remember whose table this is, how many bots it has, and whether they bank."""
        ask = "insert or replace into opened (name, owner, bots, bots_bank) values (?, ?, ?, ?)"
        self.db.execute(ask, (name, owner, bots, int(bots_bank)))

    def close_table(self, name: str) -> None:
        """Remember that a table is closed, so that it need not be read again."""
        self.db.execute("update opened set closed = 1 where name = ?", (name,))

    def closed(self) -> set[str]:
        """Return the tables that are closed."""
        return {str(name) for (name,) in self.db.execute("select name from opened where closed")}

    def opened(self, name: str) -> dict[str, Any]:
        """Return what is remembered of a table."""
        ask = "select owner, disabled, bots, bots_bank, change from opened where name = ?"
        found: Any = self.db.execute(ask, (name,)).fetchone() or (None, 0, 0, 1, None)
        owner, disabled, bots, bots_bank, change = found
        kept = decode(change, type=ChangeTable) if change is not None else None
        known = {"disabled": bool(disabled), "bots": bots, "bots_bank": bool(bots_bank)}
        return {"owner": owner, "change": kept, **known}

    def keep_change(self, name: str, change: ChangeTable | None) -> None:
        """Keep a change of the rules that waits for a round to end; nothing: it has been made."""
        ask = "insert into opened (name, change) values (?, ?)"
        ask += " on conflict (name) do update set change = excluded.change"
        self.db.execute(ask, (name, encode(change) if change is not None else None))

    def disable(self, name: str, *, disabled: bool) -> None:
        """Let no new round begin at a table, or let them begin again."""
        ask = "insert into opened (name, disabled) values (?, ?)"
        ask += " on conflict (name) do update set disabled = excluded.disabled"
        self.db.execute(ask, (name, int(disabled)))
