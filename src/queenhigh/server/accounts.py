"""Who is who: guests, accounts with a password, and the sessions that cookies stand for.

A cookie is a random token; the file has only its hash. A password is kept as argon2id has it, and
worked out in a thread, two at a time, since that takes a while and much memory on purpose. Logins
say how long who guesses has to wait.
"""

import asyncio
import re
import secrets
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import apsw
import structlog
from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from queenhigh.errors import QueenhighError
from queenhigh.room.registry import AccountFrozen, AccountOpened, PasswordSet, is_floor
from queenhigh.server.ids import fresh_id
from queenhigh.server.logins import Logins
from queenhigh.server.office import hash_token
from queenhigh.server.papers import NOTHING, Change, Papers
from queenhigh.server.session_time import SessionTime
from queenhigh.server.text import fold_name, is_plain, mixes_scripts
from queenhigh.store.batches import Statement
from queenhigh.table.commands import CLOCK

__all__ = ["HOUR_MS", "Accounts", "Player"]

_log = structlog.get_logger()

#: A bot's name has brackets, which no person's name has.
_NAME = re.compile(r"[^\W_](?:[\w .'-]{0,22}[\w.])?")
HOUR_MS = 3600 * 1000
#: A session ends so long after it was used last.
_SESSION_MS = 30 * 24 * HOUR_MS
_PASSWORD = range(8, 257)
_AT_ONCE = 2
_NAMES_TRIED = 20


@dataclass(frozen=True)
class Player:
    """Who a request is from."""

    name: str
    guest: bool
    frozen: bool = False


class Accounts:
    """Accounts and sessions. What becomes of an account is in the log, if the papers have one."""

    def __init__(
        self,
        db: apsw.Connection,
        has_wallet: Callable[[str], bool] = lambda name: False,
        papers: Papers | None = None,
    ) -> None:
        self._db, self._has_wallet = db, has_wallet
        self._papers = papers or Papers(db)
        self._time = SessionTime(db)
        self._hasher = PasswordHasher()
        self._few = asyncio.Semaphore(_AT_ONCE)
        self.logins = Logins()

    def new_guest(self, wanted: str, at: int) -> tuple[Player, str]:
        """Return a new guest and the token of their session; a name that is taken gets a number."""
        name = _checked(wanted)
        for tried in range(_NAMES_TRIED):
            number = tried + 1 if tried < 9 else secrets.randbelow(10_000)
            called = name if tried == 0 else f"{name[:19].rstrip()} {number}"
            if not self._is_taken(called):
                return Player(called, guest=True), self._add(called, None, at)
        raise QueenhighError("name.taken", "this name is taken too often: choose another")

    async def register(self, wanted: str, password: str, at: int) -> tuple[Player, str]:
        """Return a new account and the token of its session."""
        name = _checked(wanted)
        self._check_free(name)
        hashed = await self._hashed(password)
        self._check_free(name)
        return Player(name, guest=False), self._add(name, hashed, at)

    async def set_password(
        self,
        player: Player,
        old: str | None,
        password: str,
        token: str | None,
        at: int,
        address: str = "",
    ) -> None:
        """Make a guest an account, or give an account another password; end other sessions.

        Whoever guesses the old one waits as at a login.
        """
        folded = fold_name(player.name)
        async with self.logins.turn(folded, address):
            row = self._find(player.name)
            assert row is not None
            known = row["password"]
            if known is not None and not await self._is_right(known, (old or "")[:256]):
                self.logins.fail(folded, address)
                _log.warning("change of password failed", name=folded, address=address)
                told = "the password until now is another one: check it"
                raise QueenhighError("password.old", told)
            hashed = await self._hashed(password)
        rows = (
            ("update account set password = ? where name = ?", (hashed, player.name)),
            (
                "delete from session where name = ? and hash <> ?",
                (player.name, hash_token(token or "")),
            ),
        )
        event = PasswordSet(at=at, by=player.name, id=fresh_id("password"), player=player.name)
        self._papers.write(Change(rows, (event,)))

    async def log_in(
        self, name: str, password: str, at: int, address: str = ""
    ) -> tuple[Player, str]:
        """Return an account and the token of a new session; who fails often waits for it."""
        folded = fold_name(name)
        async with self.logins.turn(folded, address):
            row = self._find(name)
            if row is None or row["password"] is None:
                await self._hashed(password[:256].ljust(8))  # as slow as with a name that is there
                right = False
            else:
                right = await self._is_right(row["password"], password[:256])
            if row is None or not right:
                self.logins.fail(folded, address)
                _log.warning("login failed", name=folded, address=address)
                raise QueenhighError("login.wrong", "name or password is wrong")
            self.logins.succeed(folded, address)
        player = Player(row["name"], guest=False, frozen=bool(row["frozen"]))
        return player, self._begin(row["name"], at)

    def used_from(self, name: str, address: str) -> None:
        """Remember where a name is used: nobody's wrong passwords slow its logins there."""
        self.logins.remember(fold_name(name), address)

    def player(self, token: str | None, at: int) -> Player | None:
        """Return whose session a token is of."""
        if not token:
            return None
        ask = (
            "select account.name, password is null, frozen from session join account"
            " on account.name = session.name where hash = ? and until > ?"
        )
        time = self._time.by(at)
        found: Any = self._db.execute(ask, (hash_token(token), time)).fetchone()
        return Player(found[0], bool(found[1]), bool(found[2])) if found else None

    def renew(self, session: bytes, at: int, *, after: int = HOUR_MS) -> bool:
        """Let a session that is used, given by its hash, last its whole time once more.

        Return whether it does: one that was renewed less than ``after`` milliseconds ago, or has
        ended, stays as it is. A disk that takes nothing is no reason to send somebody away.
        """
        time = self._time.by(at)
        until = time + _SESSION_MS
        ask = "update session set until = ? where hash = ? and until > ? and until <= ?"
        try:
            self._db.execute(ask, (until, session, time, until - after))
        except apsw.Error:
            return False
        return self._db.changes() > 0

    def named(self, name: str) -> Player | None:
        """Return a player by name, however it is capitalised."""
        row = self._find(name)
        if row is None:
            return None
        return Player(row["name"], row["password"] is None, bool(row["frozen"]))

    def log_out(self, token: str) -> None:
        """End a session."""
        self._papers.write(Change((("delete from session where hash = ?", (hash_token(token),)),)))

    def freeze(self, name: str, *, frozen: bool, at: int, by: str, note: Change = NOTHING) -> None:
        """Freeze an account, or thaw it."""
        row = ("update account set frozen = ? where name = ?", (int(frozen), name))
        id = fresh_id("freeze" if frozen else "thaw")
        event = AccountFrozen(at=at, by=by, id=id, player=name, frozen=frozen)
        self._papers.write(Change((row,), (event,)), note)

    # Rows

    def _find(self, name: str) -> dict[str, Any] | None:
        ask = "select name, password, frozen from account where folded = ?"
        found: Any = self._db.execute(ask, (fold_name(name),)).fetchone()
        names = ("name", "password", "frozen")
        return dict(zip(names, found, strict=True)) if found else None

    def _is_taken(self, name: str) -> bool:
        """Tell whether somebody is called like that, or was: a bot of another day, say."""
        return self._find(name) is not None or self._has_wallet(name)

    def _check_free(self, name: str) -> None:
        if self._is_taken(name):
            raise QueenhighError("name.taken", "this name is taken: choose another")

    def _add(self, name: str, password: str | None, at: int) -> str:
        """Open an account; return the token of its first session."""
        ask = "insert into account (name, folded, password) values (?, ?, ?)"
        row = (ask, (name, fold_name(name), password))
        guest = password is None
        event = AccountOpened(at=at, by=name, id=fresh_id("account"), player=name, guest=guest)
        token, rows = self._session(name, at)
        self._papers.write(Change((row, *rows), (event,)))
        return token

    def _begin(self, name: str, at: int) -> str:
        """Begin another session; return its token."""
        token, rows = self._session(name, at)
        self._papers.write(Change(rows))
        return token

    def _session(self, name: str, at: int) -> tuple[str, tuple[Statement, ...]]:
        """Return the token of a new session, and what is written for it."""
        token, time = secrets.token_urlsafe(32), self._time.by(at)
        ended = ("delete from session where until <= ?", (time,))
        kept = (hash_token(token), name, time + _SESSION_MS)
        return token, (ended, ("insert into session values (?, ?, ?)", kept))

    # Passwords

    async def _hashed(self, password: str) -> str:
        if len(password) not in _PASSWORD:
            least, most = _PASSWORD[0], _PASSWORD[-1]
            raise QueenhighError("password.length", f"a password has {least} to {most} characters")
        async with self._few:
            return await asyncio.to_thread(self._hasher.hash, password.encode(errors="replace"))

    async def _is_right(self, hashed: str, password: str) -> bool:
        async with self._few:
            try:
                given = password.encode(errors="replace")
                return await asyncio.to_thread(self._hasher.verify, hashed, given)
            except (Argon2Error, InvalidHashError):
                return False


def _checked(wanted: str) -> str:
    name = unicodedata.normalize("NFKC", " ".join(wanted.split()))
    if mixes_scripts(name) or (name and not is_plain(name)):
        raise QueenhighError("name.invalid", "a name has letters of one script that can be seen")
    is_reserved = fold_name(name) == CLOCK or is_floor(fold_name(name))
    if not _NAME.fullmatch(name) or is_reserved:
        told = "a name has 1 to 24 letters and digits, with blanks, dots, dashes or _ between them"
        raise QueenhighError("name.invalid", told)
    return name
