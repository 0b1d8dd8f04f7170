"""Players: guests, accounts with a password, and the sessions that cookies stand for.

A cookie is a random token; the file has only its hash. Passwords are hashed with argon2id, and
``LoginDelays`` slows down guessing.
"""

import re
import secrets
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple, TypeVar, cast

import apsw
import structlog

from queenhigh.errors import QueenhighError
from queenhigh.server.admin_rows import NOTHING, AdminChange, AdminRows
from queenhigh.server.admin_store import hash_token
from queenhigh.server.ids import fresh_id
from queenhigh.server.login_delays import LoginDelays
from queenhigh.server.passwords import Passwords
from queenhigh.server.session_time import SessionTime
from queenhigh.server.text import is_plain, mixes_scripts, name_key
from queenhigh.store.batch import Statement
from queenhigh.store.rows import RowsDb, RowTaken
from queenhigh.table.commands import CLOCK
from queenhigh.table.registry import (
    AccountFrozen,
    AccountOpened,
    AccountRenamed,
    PasswordSet,
    is_floor,
)

__all__ = ["HOUR_MS", "Accounts", "Player", "checked_name"]

_log = structlog.get_logger()

#: A bot's name has brackets, which no person's name has.
_NAME = re.compile(r"[^\W_](?:[\w .'-]{0,22}[\w.])?")
HOUR_MS = 3600 * 1000
#: A session ends this long after it was used last.
_SESSION_MS = 30 * 24 * HOUR_MS
_NAMES_TRIED = 20
#: How many rows one query looks up.
_AT_A_TIME = 500
_T = TypeVar("_T")


@dataclass(frozen=True)
class Player:
    """The player that a request comes from."""

    name: str
    guest: bool
    frozen: bool = False


class _AccountRow(NamedTuple):
    """An account; guests have no password."""

    name: str
    password: str | None
    frozen: bool


class Accounts:
    """Accounts and sessions. Changes of accounts are logged as events, if the rows have a store."""

    def __init__(
        self,
        db: RowsDb,
        has_wallet: Callable[[str], bool] = lambda name: False,
        rows: AdminRows | None = None,
    ) -> None:
        self._db, self._has_wallet = db, has_wallet
        self._rows = rows or AdminRows(db)
        self.time = SessionTime(db)
        self.passwords = Passwords()
        self.logins = LoginDelays()

    def new_guest(self, wanted: str, time_ms: int) -> tuple[Player, str]:
        """Return a new guest and the token of their session; a name that is taken gets a number."""
        name = checked_name(wanted)
        for tried in range(_NAMES_TRIED):
            number = tried + 1 if tried < 9 else secrets.randbelow(10_000)
            called = name if tried == 0 else f"{name[:19].rstrip()} {number}"
            if self._is_taken(called):
                continue
            with suppress(RowTaken):  # at another process, a moment ago
                return Player(called, guest=True), self._add(called, None, time_ms)
        raise QueenhighError("name.taken", "too many players have this name: choose another")

    async def register(self, wanted: str, password: str, time_ms: int) -> tuple[Player, str]:
        """Return a new account and the token of its session."""
        name = checked_name(wanted)
        self._check_free(name)
        hashed = await self.passwords.hash(password)
        self._check_free(name)
        try:
            return Player(name, guest=False), self._add(name, hashed, time_ms)
        except RowTaken:
            raise _taken() from None

    async def set_password(
        self,
        player: Player,
        old: str | None,
        password: str,
        token: str | None,
        time_ms: int,
        address: str = "",
    ) -> None:
        """Make a guest an account, or give an account another password; end other sessions.

        Guessing the old password is slowed down like a login.
        """
        folded = name_key(player.name)
        async with self.logins.turn(folded, address):
            known = self._own_row(player).password
            if known is not None and not await self.passwords.is_right(known, old or ""):
                self.logins.fail(folded, address)
                _log.warning("change of password failed", name=folded, address=address)
                sentence = "that is not your current password"
                raise QueenhighError("password.old", sentence)
            hashed = await self.passwords.hash(password)
        if self._own_row(player).password != known:
            raise QueenhighError("password.old", "your password has just changed: log in again")
        rows = (
            ("update account set password = ? where name = ?", (hashed, player.name)),
            (
                "delete from session where name = ? and hash <> ?",
                (player.name, hash_token(token or "")),
            ),
        )
        event = PasswordSet(at=time_ms, by=player.name, id=fresh_id("password"), player=player.name)
        self._rows.write(AdminChange(rows, (event,)))

    async def log_in(
        self, name: str, password: str, time_ms: int, address: str = ""
    ) -> tuple[Player, str]:
        """Return an account and the token of a new session; repeated failures delay it."""
        folded = name_key(name)
        async with self.logins.turn(folded, address):
            row = self._find(name)
            known = None if row is None else row.password
            right = await self.passwords.is_right(known, password)
            if row is None or not right:
                self.logins.fail(folded, address)
                _log.warning("login failed", name=folded, address=address)
                raise QueenhighError("login.wrong", "name or password is wrong")
            self.logins.succeed(folded, address)
        player = Player(row.name, guest=False, frozen=row.frozen)
        return player, self._begin(row.name, time_ms)

    def check_rename(self, player: Player, wanted: str) -> str:
        """Return the new name of a guest; refuse a name that is taken or no name."""
        if not player.guest:
            sentence = "your name has a password and stays: come in as a guest for another name"
            raise QueenhighError("name.fixed", sentence)
        name = checked_name(wanted)
        self._check_free(name)
        return name

    def rename(self, player: str, name: str, time_ms: int) -> AdminChange:
        """Return the rows and the event by which a guest has another name."""
        values = (name, name_key(name), player)
        rows = (
            ("insert into former_name values (?) on conflict do nothing", (name_key(player),)),
            ("update account set name = ?, folded = ? where name = ?", values),
            ("update session set name = ? where name = ?", (name, player)),
            ("update opened set owner = ? where owner = ?", (name, player)),
        )
        id = fresh_id("rename")
        event = AccountRenamed(at=time_ms, by=player, id=id, player=player, name=name)
        return AdminChange(rows, (event,))

    def used_from(self, name: str, address: str) -> None:
        """Remember where a name is used: failures elsewhere do not delay its logins there."""
        self.logins.remember(name_key(name), address)

    def player(self, token: str | None, time_ms: int) -> Player | None:
        """Return the player whose session a token belongs to."""
        if not token:
            return None
        query = (
            "select account.name, password is null, frozen from session join account"
            " on account.name = session.name where hash = ? and until > ?"
        )
        time = self.time.by(time_ms)
        row = self._db.execute(query, (hash_token(token), time)).fetchone()
        return Player(str(row[0]), bool(row[1]), bool(row[2])) if row else None

    def players_of(self, sessions: Iterable[bytes], time_ms: int) -> dict[bytes, Player]:
        """Return the players of some sessions, given by their hashes, as far as these are valid."""
        time, players = self.time.by(time_ms), dict[bytes, Player]()
        for hashes in _in_parts(sessions, _AT_A_TIME):
            marks = ", ".join("?" * len(hashes))
            query = (
                "select hash, account.name, password is null, frozen from session join account"
                f" on account.name = session.name where until > ? and hash in ({marks})"
            )
            for session, name, guest, frozen in self._db.execute(query, (time, *hashes)):
                players[bytes(session)] = Player(str(name), bool(guest), bool(frozen))
        return players

    def frozen_among(self, names: Iterable[str]) -> list[str]:
        """Return those of some names whose accounts are frozen."""
        return self._among(names, "frozen <> 0")

    def names_among(self, names: Iterable[str]) -> list[str]:
        """Return those of some names that have an account."""
        return self._among(names, "true")

    def logged_out_among(self, names: Iterable[str], time_ms: int) -> list[str]:
        """Return those of some names that have an account and no valid session."""
        sessions = "select 1 from session where session.name = account.name and until > ?"
        return self._among(names, f"not exists ({sessions})", self.time.by(time_ms))

    def _among(self, names: Iterable[str], condition: str, *values: int) -> list[str]:
        """Return those of some names whose accounts meet a condition."""
        among: list[str] = []
        for some in _in_parts(names, _AT_A_TIME):
            marks = ", ".join("?" * len(some))
            query = f"select name from account where {condition} and name in ({marks})"
            among += [str(name) for (name,) in self._db.execute(query, (*values, *some))]
        return among

    def renew(self, session: bytes, time_ms: int, *, after: int = HOUR_MS) -> bool:
        """Renew a session, given by its hash, for its whole time; return whether it was renewed.

        A session that was renewed less than ``after`` milliseconds ago, or has ended, is not
        changed. If the disk cannot be written, the session goes on without being renewed.
        """
        time = self.time.by(time_ms)
        until = time + _SESSION_MS
        query = "update session set until = ? where hash = ? and until > ? and until <= ?"
        try:
            self._db.execute(query, (until, session, time, until - after))
        except (apsw.Error, QueenhighError):
            return False
        return self._db.changes() > 0

    def named(self, name: str) -> Player | None:
        """Return a player by name, in upper or lower case."""
        row = self._find(name)
        if row is None:
            return None
        return Player(row.name, row.password is None, row.frozen)

    def search(self, text: str, limit: int) -> list[Player]:
        """Return players whose names contain a text, in upper or lower case, by name."""
        escaped = name_key(text).replace("!", "!!").replace("%", "!%").replace("_", "!_")
        query = (
            "select name, password is null, frozen from account where folded like ? escape '!'"
            " order by folded limit ?"
        )
        rows = self._db.execute(query, (f"%{escaped}%", limit))
        return [Player(str(name), bool(guest), bool(frozen)) for name, guest, frozen in rows]

    def log_out(self, token: str) -> None:
        """End a session."""
        self._rows.write(
            AdminChange((("delete from session where hash = ?", (hash_token(token),)),))
        )

    def freeze(
        self, name: str, *, frozen: bool, time_ms: int, by: str, note: AdminChange = NOTHING
    ) -> None:
        """Freeze an account, or thaw it."""
        row = ("update account set frozen = ? where name = ?", (int(frozen), name))
        id = fresh_id("freeze" if frozen else "thaw")
        event = AccountFrozen(at=time_ms, by=by, id=id, player=name, frozen=frozen)
        self._rows.write(AdminChange((row,), (event,)), note)

    # Rows

    def _find(self, name: str) -> _AccountRow | None:
        query = "select name, password, frozen from account where folded = ?"
        row = self._db.execute(query, (name_key(name),)).fetchone()
        if row is None:
            return None
        account, password, frozen = cast("tuple[str, str | None, int]", row)
        return _AccountRow(account, password, bool(frozen))

    def _own_row(self, player: Player) -> _AccountRow:
        """Return the row of a player who waited; a guest may have another name since."""
        row = self._find(player.name)
        if row is None or row.name != player.name:
            raise QueenhighError("name.changed", "your name has changed: set the password again")
        return row

    def _is_taken(self, name: str) -> bool:
        """Return whether a player has this name, or had it: an earlier bot, for example.

        Names that look alike are the same, so that nobody passes for a guest who had one.
        """
        if self._find(name) is not None or self._has_wallet(name):
            return True
        query = "select 1 from former_name where folded = ?"
        return self._db.execute(query, (name_key(name),)).fetchone() is not None

    def _check_free(self, name: str) -> None:
        if self._is_taken(name):
            raise _taken()

    def _add(self, name: str, password: str | None, time_ms: int) -> str:
        """Open an account; return the token of its first session."""
        query = "insert into account (name, folded, password) values (?, ?, ?)"
        row = (query, (name, name_key(name), password))
        guest = password is None
        event = AccountOpened(at=time_ms, by=name, id=fresh_id("account"), player=name, guest=guest)
        token, rows = self._session(name, time_ms)
        self._rows.write(AdminChange((row, *rows), (event,)))
        return token

    def _begin(self, name: str, time_ms: int) -> str:
        """Begin another session; return its token."""
        token, rows = self._session(name, time_ms)
        self._rows.write(AdminChange(rows))
        return token

    def _session(self, name: str, time_ms: int) -> tuple[str, tuple[Statement, ...]]:
        """Return the token of a new session, and the statements that save it."""
        token, time = secrets.token_urlsafe(32), self.time.by(time_ms)
        ended = ("delete from session where until <= ?", (time,))
        saved = (hash_token(token), name, time + _SESSION_MS)
        return token, (ended, ("insert into session values (?, ?, ?)", saved))


def _in_parts(values: Iterable[_T], size: int) -> Iterator[list[_T]]:
    """Yield values by the hundred: a query takes so many at most."""
    every = list(values)
    for start in range(0, len(every), size):
        yield every[start : start + size]


def _taken() -> QueenhighError:
    return QueenhighError("name.taken", "this name is taken: choose another")


def checked_name(wanted: str) -> str:
    """Return a name in its usual form; refuse one that is not valid."""
    name = unicodedata.normalize("NFKC", " ".join(wanted.split()))
    if mixes_scripts(name) or (name and not is_plain(name)):
        raise QueenhighError("name.invalid", "a name must have visible letters of one script")
    is_reserved = name_key(name) == CLOCK or is_floor(name_key(name))
    if not _NAME.fullmatch(name) or is_reserved:
        sentence = (
            "a name needs 1 to 24 letters and digits, with spaces, dots, dashes or _ between them"
        )
        raise QueenhighError("name.invalid", sentence)
    return name
