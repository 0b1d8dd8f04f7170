"""The rows of the staff: passwords, keys of authenticators, sessions, and tokens of programs.

Tokens are saved as hashes. None of this is in the log, in an answer, or in the server's own log.
"""

import unicodedata
from contextlib import suppress
from typing import Final, NamedTuple, cast

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.server.admin_store import hash_token
from queenhigh.store.batch import Statement
from queenhigh.store.rows import RowsDb

__all__ = [
    "IDLE_MS",
    "LONGEST_MS",
    "MemberRow",
    "SessionRow",
    "StaffRows",
    "add_member",
    "add_token",
    "end_sessions",
    "member_key",
    "remove_member",
    "remove_token",
    "set_key",
    "set_new_key",
    "set_password",
]

_HOUR_MS = 3600 * 1000
#: A session ends when it was not used for so long, and so long after it began.
IDLE_MS: Final = 12 * _HOUR_MS
LONGEST_MS: Final = 7 * 24 * _HOUR_MS
#: How often the time is saved at which a session was used last.
_BETWEEN_NOTES_MS = 60_000

_MEMBER = "name, password, secret, new_secret, used_step"
_SESSION = "id, name, address, started, seen"
_VALID = "started > ? and seen > ?"


class MemberRow(NamedTuple):
    """What a member logs in with: a password and, if they have an authenticator, its key."""

    name: str
    password: str
    key: bytes | None
    #: A key that a first code has still to confirm.
    new_key: bytes | None
    #: The step of the code that was used last.
    used_step: int


class SessionRow(NamedTuple):
    """A session, without its token."""

    id: str
    member: str
    address: str
    started: int
    seen: int

    @property
    def until(self) -> int:
        """When the session ends if it is not used any more."""
        return min(self.started + LONGEST_MS, self.seen + IDLE_MS)


def member_key(name: str) -> str:
    """Return the key of a member's name, which no two members share, however it is typed."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


class StaffRows:
    """Reads the rows, and writes those that no event goes with; ``time`` is that of sessions."""

    def __init__(self, db: RowsDb) -> None:
        self._db = db

    def member(self, name: str) -> MemberRow | None:
        """Return the row of a member by name, in upper or lower case."""
        query = f"select {_MEMBER} from staff where folded = ?"
        row = self._db.execute(query, (member_key(name),)).fetchone()
        return None if row is None else MemberRow(*cast("tuple[str, str, None, None, int]", row))

    def session(self, token: str, time: int) -> SessionRow | None:
        """Return the valid session of a token, and save that it is used."""
        hashed = hash_token(token)
        query = f"select {_SESSION} from staff_session where hash = ? and {_VALID}"
        row = self._db.execute(query, (hashed, *_oldest(time))).fetchone()
        if row is None:
            return None
        session = SessionRow(*cast("tuple[str, str, str, int, int]", row))
        if time - session.seen >= _BETWEEN_NOTES_MS:
            with suppress(apsw.Error, QueenhighError):  # a full disk ends no session at once
                self._db.execute("update staff_session set seen = ? where hash = ?", (time, hashed))
        return session

    def has_session(self, id: str) -> bool:
        """Return whether a session has not been ended."""
        query = "select 1 from staff_session where id = ?"
        return self._db.execute(query, (id,)).fetchone() is not None

    def sessions(self, time: int) -> list[SessionRow]:
        """Return all valid sessions, those used last first."""
        query = f"select {_SESSION} from staff_session where {_VALID} order by seen desc, id"
        rows = self._db.execute(query, _oldest(time))
        return [SessionRow(*cast("tuple[str, str, str, int, int]", row)) for row in rows]

    def begin_session(
        self, token: str, id: str, member: MemberRow, address: str, time: int
    ) -> bool:
        """Begin a session if the member still has this password; return whether it began."""
        with self._db:
            started, seen = _oldest(time)
            ended = "delete from staff_session where started <= ? or seen <= ?"
            self._db.execute(ended, (started, seen))
            query = (
                "insert into staff_session select ?, ?, name, ?, ?, ? from staff"
                " where name = ? and password = ?"
            )
            values = (hash_token(token), id, address, time, time, member.name, member.password)
            self._db.execute(query, values)
            return self._db.changes() > 0

    def end_session(self, id: str) -> None:
        """End a session."""
        self._db.execute("delete from staff_session where id = ?", (id,))

    def use_step(self, name: str, step: int) -> bool:
        """Save that the code of a step was used; return whether it was not, by any process."""
        query = "update staff set used_step = ? where name = ? and used_step < ?"
        self._db.execute(query, (step, name, step))
        return self._db.changes() > 0

    def token(self, token: str) -> str | None:
        """Return the name of a program's token."""
        query = "select name from staff_token where hash = ?"
        row = self._db.execute(query, (hash_token(token),)).fetchone()
        return None if row is None else str(row[0])


def _oldest(time: int) -> tuple[int, int]:
    """Return after which times a session must have begun, and been used, to be valid."""
    return time - LONGEST_MS, time - IDLE_MS


# Statements that are written together with their events


def add_member(name: str, password: str) -> tuple[Statement, ...]:
    """Return what saves a new member, with the hash of a password."""
    query = "insert into staff (name, folded, password) values (?, ?, ?)"
    row = (query, (name, member_key(name), password))
    return ("delete from staff where folded = ?", (member_key(name),)), row


def remove_member(name: str) -> tuple[Statement, ...]:
    """Return what removes a member, and ends their sessions."""
    return end_sessions(name), ("delete from staff where name = ?", (name,))


def set_password(name: str, password: str) -> Statement:
    """Return what saves the hash of a password."""
    return "update staff set password = ?, new_secret = null where name = ?", (password, name)


def set_new_key(name: str, key: bytes) -> Statement:
    """Return what saves the key of an authenticator that a first code has to confirm."""
    return "update staff set new_secret = ? where name = ?", (key, name)


def set_key(name: str, key: bytes | None) -> Statement:
    """Return what saves the key of an authenticator, or that there is none any more."""
    return "update staff set secret = ?, new_secret = null where name = ?", (key, name)


def end_sessions(name: str, *, but: str = "") -> Statement:
    """Return what ends the sessions of a member, ``but`` for one."""
    return "delete from staff_session where name = ? and id <> ?", (name, but)


def add_token(name: str, token: str) -> Statement:
    """Return what saves the hash of a program's token."""
    return "insert into staff_token values (?, ?)", (hash_token(token), name)


def remove_token(name: str) -> Statement:
    """Return what removes a program's token; the empty name is the room's first one."""
    if name == "":
        return "delete from floor", ()
    return "delete from staff_token where name = ?", (name,)
