"""Who is who: guests, accounts with a password, and the sessions that cookies stand for.

A cookie is a random token; the file has only its hash. A password is kept as argon2id has it. After
some failures in a row an account is locked for a while.
"""

import hashlib
import re
import secrets
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import apsw
from argon2 import PasswordHasher
from argon2.exceptions import VerificationError

from queenhigh.errors import QueenhighError
from queenhigh.table.commands import CLOCK, FLOOR

__all__ = ["Accounts", "Denied", "Player"]

_TABLES = """
create table if not exists account (
    name text primary key,
    folded text not null unique,
    password text,
    frozen integer not null default 0,
    failures integer not null default 0,
    locked_until integer not null default 0
) strict;
create table if not exists session (
    hash blob primary key,
    name text not null references account,
    until integer not null
) strict;
create table if not exists floor (hash blob primary key) strict;
"""
_NAME = re.compile(r"[^\W_](?:[\w .'-]{0,22}[\w.])?")
_SESSION_MS = 30 * 24 * 3600 * 1000
_FAILURES, _LOCKED_MS = 5, 15 * 60 * 1000
_PASSWORD = range(8, 257)


class Denied(QueenhighError):
    """Somebody may not do this, or not now."""


@dataclass(frozen=True)
class Player:
    """Who a request is from."""

    name: str
    guest: bool
    frozen: bool = False


class Accounts:
    """Accounts and sessions in a file, beside the streams."""

    def __init__(self, file: Path) -> None:
        self._db = apsw.Connection(str(file))
        self._db.set_busy_timeout(5000)
        self._db.execute(_TABLES)
        self._lock = Lock()
        self._hasher = PasswordHasher()

    def close(self) -> None:
        """Let go of the file."""
        self._db.close()

    def new_guest(self, wanted: str, at: int) -> tuple[Player, str]:
        """Return a new guest and the token of their session; a name that is taken gets a number."""
        name = _checked(wanted)
        with self._lock:
            for number in range(1, 1000):
                called = name if number == 1 else f"{name[:20]} {number}"
                if not self._find(called):
                    self._add(called, None)
                    return Player(called, guest=True), self._begin(called, at)
        raise Denied("name.taken", "this name is taken too often: choose another")

    def register(self, wanted: str, password: str, at: int) -> tuple[Player, str]:
        """Return a new account and the token of its session."""
        name, hashed = _checked(wanted), self._hashed(password)
        with self._lock:
            if self._find(name):
                raise Denied("name.taken", "this name is taken: choose another")
            self._add(name, hashed)
            return Player(name, guest=False), self._begin(name, at)

    def log_in(self, name: str, password: str, at: int) -> tuple[Player, str]:
        """Return an account and the token of a new session; lock it after many failures."""
        with self._lock:
            row = self._find(name)
            if row is None or row["password"] is None:
                self._hashed(password[:256].ljust(8))  # as slow as with a name that is there
                raise Denied("login.wrong", "name or password is wrong")
            if row["locked_until"] > at:
                raise Denied("login.locked", "too many wrong passwords: try again in 15 minutes")
            try:
                self._hasher.verify(row["password"], password[:256])
            except VerificationError:
                self._count_failure(row, at)
                raise Denied("login.wrong", "name or password is wrong") from None
            ask = "update account set failures = 0, locked_until = 0 where name = ?"
            self._db.execute(ask, (row["name"],))
            token = self._begin(row["name"], at)
            return Player(row["name"], guest=False, frozen=bool(row["frozen"])), token

    def _count_failure(self, row: dict[str, Any], at: int) -> None:
        failures = row["failures"] + 1
        until = at + _LOCKED_MS if failures >= _FAILURES else 0
        ask = "update account set failures = ?, locked_until = ? where name = ?"
        self._db.execute(ask, (failures % _FAILURES, until, row["name"]))

    def player(self, token: str | None, at: int) -> Player | None:
        """Return whose session a token is of."""
        if not token:
            return None
        ask = (
            "select account.name, password is null, frozen from session join account"
            " on account.name = session.name where hash = ? and until > ?"
        )
        with self._lock:
            found: Any = self._db.execute(ask, (_hash(token), at)).fetchone()
        return Player(found[0], bool(found[1]), bool(found[2])) if found else None

    def log_out(self, token: str) -> None:
        """End a session."""
        with self._lock:
            self._db.execute("delete from session where hash = ?", (_hash(token),))

    def freeze(self, name: str, *, frozen: bool) -> None:
        """Freeze an account, or thaw it."""
        with self._lock:
            if not self._find(name):
                raise Denied("name.unknown", f"there is no account {name[:30]!r}")
            self._db.execute("update account set frozen = ? where name = ?", (int(frozen), name))

    # The floor

    def floor_token(self) -> str | None:
        """Return a new token for who runs the room, once: at the first start."""
        with self._lock:
            if self._db.execute("select count(*) from floor").fetchall() != [(0,)]:
                return None
            token = secrets.token_urlsafe(32)
            self._db.execute("insert into floor values (?)", (_hash(token),))
            return token

    def is_floor(self, token: str) -> bool:
        """Tell whether a token is of who runs the room."""
        with self._lock:
            ask = "select 1 from floor where hash = ?"
            return self._db.execute(ask, (_hash(token),)).fetchone() is not None

    # Rows

    def _find(self, name: str) -> dict[str, Any] | None:
        ask = "select name, password, frozen, failures, locked_until from account where folded = ?"
        found: Any = self._db.execute(ask, (name.casefold(),)).fetchone()
        names = ("name", "password", "frozen", "failures", "locked_until")
        return dict(zip(names, found, strict=True)) if found else None

    def _add(self, name: str, password: str | None) -> None:
        ask = "insert into account (name, folded, password) values (?, ?, ?)"
        self._db.execute(ask, (name, name.casefold(), password))

    def _begin(self, name: str, at: int) -> str:
        token = secrets.token_urlsafe(32)
        self._db.execute("delete from session where until <= ?", (at,))
        ask = "insert into session values (?, ?, ?)"
        self._db.execute(ask, (_hash(token), name, at + _SESSION_MS))
        return token

    def _hashed(self, password: str) -> str:
        if len(password) not in _PASSWORD:
            least, most = _PASSWORD[0], _PASSWORD[-1]
            raise Denied("password.length", f"a password has {least} to {most} characters")
        return self._hasher.hash(password)


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode(errors="replace")).digest()


def _checked(wanted: str) -> str:
    name = " ".join(wanted.split())
    if not _NAME.fullmatch(name) or name.casefold() in (CLOCK, FLOOR):
        told = (
            "a name has 1 to 24 letters, digits, blanks, dots or dashes, and begins with a letter"
        )
        raise Denied("name.invalid", told)
    return name
