"""Staff who log in by name: sessions, passwords, and codes of an authenticator.

As with players, a cookie is a random token of which the rows have only a hash, passwords are hashed
with argon2id, and guessing is slowed down: wrong codes like wrong passwords. Who is on the staff,
and in which role, is read from the log at every request.
"""

import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Final

import structlog

from queenhigh.errors import QueenhighError
from queenhigh.server import staff_rows, totp
from queenhigh.server.accounts import Accounts, checked_name
from queenhigh.server.admin_rows import AdminChange, AdminRows, refusing_failures
from queenhigh.server.current_staff import CurrentStaff, utc
from queenhigh.server.ids import fresh_id
from queenhigh.server.staff_changes import StaffChanges
from queenhigh.server.staff_rows import MemberRow, SessionRow, StaffRows, member_key
from queenhigh.table.commands import FLOOR
from queenhigh.table.staff import OWNER, Member, Token, staff_sender
from queenhigh.table.staff_events import StaffAdded, StaffPasswordSet, TwoFactorSet

__all__ = ["StaffAccounts", "StaffLogin"]

_log = structlog.get_logger()
#: Delays of the staff's passwords are kept apart from those of players with the same names.
_STAFF: Final = "staff/"


@dataclass(frozen=True)
class StaffLogin:
    """A member of the staff who is logged in, and the session."""

    member: Member
    session: SessionRow

    @property
    def sender(self) -> str:
        """How the member is named in the log."""
        return staff_sender(self.member.name)


class StaffAccounts:
    """The staff's logins. Use it from the server's one thread."""

    def __init__(self, staff: CurrentStaff, rows: AdminRows, players: Accounts) -> None:
        self.staff, self._admin_rows, self._rows = staff, rows, StaffRows(rows.db)
        self._time, self._passwords, self._logins = players.time, players.passwords, players.logins
        self.changes = StaffChanges(staff, rows, players.passwords)

    # Who is it

    def login_of(self, token: str | None, time_ms: int) -> StaffLogin | None:
        """Return the member whose session a token belongs to, with the role of now."""
        if not token:
            return None
        session = self._rows.session(token, self._time.by(time_ms))
        member = None if session is None else self.staff.roster().member(session.member)
        return None if session is None or member is None else StaffLogin(member, session)

    def used_from(self, name: str, address: str) -> None:
        """Remember where a name is used: failures elsewhere do not delay its logins there."""
        self._logins.remember(_STAFF + member_key(name), address)

    def program_of(self, token: str) -> Token | None:
        """Return the program whose token this is, with its role, if the token is valid."""
        name = self._rows.token(token)
        return None if name is None else self.staff.roster().token(name)

    # Logging in

    async def add_first_owner(
        self, name: str, password: str, time_ms: int, address: str
    ) -> tuple[Member, str]:
        """Return the first owner, and the token of a session."""
        self.changes.check_no_owner()
        member = checked_name(name)
        hashed = await self._passwords.hash(password)
        self.changes.check_no_owner()
        id = fresh_id("owner")
        event = StaffAdded(at=time_ms, by=FLOOR, id=id, member=member, role=OWNER)
        self.changes.write(event, *staff_rows.add_member(member, hashed))
        row = MemberRow(member, hashed, None, None, 0)
        return self.changes.member(member), self._begin(row, time_ms, address)

    async def log_in(
        self,
        name: str,
        password: str,
        code: str | None,
        now: Callable[[], int],
        address: str,
        new_password: str | None = None,
    ) -> tuple[Member, str]:
        """Return a member of the staff, and the token of a new session.

        With a password that somebody else has set, the member has to choose a new one. Wrong
        passwords and wrong codes delay the next try, by name and by address; so the clock is read
        when its turn has come.
        """
        async with self._turn(name, address):
            row = self._rows.member(name)
            is_right = await self._passwords.is_right(row.password if row else None, password)
            member = self.staff.roster().member(row.name) if row else None
            if row is None or member is None or not is_right:
                self._fail(name, address)
                raise QueenhighError("login.wrong", "name or password is wrong")
            _check_chosen(member, password, new_password)
            if member.two_factor:
                self._check_code(row, row.key, code, now(), address)
            self._logins.succeed(_STAFF + member_key(name), address)
            if new_password is not None:
                row = await self._choose_password(row, new_password, now())
            return member, self._begin(row, now(), address)

    async def _choose_password(self, row: MemberRow, password: str, time_ms: int) -> MemberRow:
        """Give a member who logs in another password; return the row as of then."""
        hashed = await self._passwords.hash(password)
        id, by = fresh_id("password"), staff_sender(row.name)

        def check_same() -> None:
            now = self._rows.member(row.name)
            if now is None or now.password != row.password:
                raise _changed()

        self.changes.write(
            StaffPasswordSet(at=time_ms, by=by, id=id, member=row.name),
            staff_rows.set_password(row.name, hashed),
            staff_rows.end_sessions(row.name),
            check=check_same,
        )
        return row._replace(password=hashed)

    def _turn(self, name: str, address: str) -> AbstractAsyncContextManager[None]:
        """Wait until a password or a code of a name may be tried."""
        return self._logins.turn(_STAFF + member_key(name), address)

    def _fail(self, name: str, address: str) -> None:
        self._logins.fail(_STAFF + member_key(name), address)
        _log.warning("login of the staff failed", name=member_key(name), address=address)

    def _check_code(
        self, row: MemberRow, key: bytes | None, code: str | None, time_ms: int, address: str
    ) -> int:
        """Use a code, which is valid once; return its step."""
        if not code:
            sentence = "this login needs a code too: enter the one your authenticator shows"
            raise QueenhighError("code.needed", sentence)
        step = None if key is None else totp.matching_step(key, code, time_ms, row.used_step)
        with refusing_failures():
            is_used = step is not None and self._rows.use_step(row.name, step)
        if step is None or not is_used:
            self._fail(row.name, address)
            sentence = "this code is wrong or was used before: enter the next one"
            raise QueenhighError("code.wrong", sentence)
        return step

    def _begin(self, row: MemberRow, time_ms: int, address: str) -> str:
        """Begin a session; return its token."""
        token, id, time = secrets.token_urlsafe(32), secrets.token_hex(8), self._time.by(time_ms)
        with refusing_failures():
            if not self._rows.begin_session(token, id, row, address, time):
                raise _changed()
        return token

    # Sessions

    def sessions(self, time_ms: int) -> list[SessionRow]:
        """Return all valid sessions of present members, in the time of the room's clock."""
        roster, time = self.staff.roster(), self._time.by(time_ms)
        offset = time_ms - time
        rows = [row for row in self._rows.sessions(time) if roster.member(row.member)]
        return [row._replace(started=row.started + offset, seen=row.seen + offset) for row in rows]

    def end_session(self, id: str) -> None:
        """End a session."""
        with refusing_failures():
            self._rows.end_session(id)

    # A member's own password and authenticator

    async def change_password(
        self, login: StaffLogin, old: str, password: str, time_ms: int, address: str
    ) -> None:
        """Give a member another password; their other sessions end."""
        name = login.member.name
        row = await self._check_password(name, old, address)
        hashed = await self._passwords.hash(password)
        id = fresh_id("password")
        self.changes.write(
            StaffPasswordSet(at=time_ms, by=login.sender, id=id, member=name),
            staff_rows.set_password(name, hashed),
            staff_rows.end_sessions(name, but=login.session.id),
            check=lambda: self._check_same(login, row),
        )

    def _check_same(self, login: StaffLogin, row: MemberRow) -> None:
        """Refuse what a member began before their session ended or their password changed."""
        now = self._rows.member(login.member.name)
        is_same = now is not None and now.password == row.password
        if not is_same or not self._rows.has_session(login.session.id):
            raise QueenhighError("floor.only", "your session has ended: log in again")

    async def _check_password(self, name: str, password: str, address: str) -> MemberRow:
        async with self._turn(name, address):
            row = self._own_row(name)
            if not await self._passwords.is_right(row.password, password):
                self._fail(name, address)
                raise QueenhighError("password.old", "that is not your current password")
        return row

    def _own_row(self, name: str) -> MemberRow:
        row = self._rows.member(name)
        if row is None:
            raise QueenhighError("nothing.there", "you are not on the staff any more")
        return row

    async def ask_for_key(self, login: StaffLogin, password: str, address: str) -> bytes:
        """Return a key for a member's authenticator; refuse one who does not know the password."""
        row = await self._check_password(login.member.name, password, address)
        self._check_same(login, row)
        return self.new_key(login)

    def new_key(self, login: StaffLogin) -> bytes:
        """Return a key for a member's authenticator, which a first code has to confirm."""
        if login.member.two_factor:
            sentence = "your login needs a code already: switch that off first"
            raise QueenhighError("code.on", sentence)
        key = totp.new_key()
        self._admin_rows.write(AdminChange((staff_rows.set_new_key(login.member.name, key),)))
        return key

    async def confirm_key(
        self, login: StaffLogin, code: str, now: Callable[[], int], address: str
    ) -> Member:
        """Switch a member's codes on, by a first one; return the member as of now."""
        name = login.member.name
        async with self._turn(name, address):
            row = self._own_row(name)
            self._check_same(login, row)
            if row.new_key is None:
                raise QueenhighError("code.none", "there is no key to confirm: ask for one first")
            self._check_code(row, row.new_key, code, now(), address)
            event = TwoFactorSet(
                at=now(), by=login.sender, id=fresh_id("code"), member=name, on=True
            )
            key = staff_rows.set_key(name, row.new_key)
            self.changes.write(event, key, check=lambda: self._check_same(login, row))
        return self.changes.member(name)

    async def drop_key(
        self, login: StaffLogin, password: str, time_ms: int, address: str
    ) -> Member:
        """Switch a member's codes off, by their password; return the member as of now."""
        row = await self._check_password(login.member.name, password, address)
        self._check_same(login, row)
        self.changes.drop_codes(login.member.name, login.sender, time_ms)
        return self.changes.member(login.member.name)


def _changed() -> QueenhighError:
    return QueenhighError("login.wrong", "your password has changed: use the new one")


def _check_chosen(member: Member, password: str, new_password: str | None) -> None:
    """Refuse a password that somebody else has set, unless a new one is chosen; say who set it."""
    if new_password == password:
        raise QueenhighError("password.same", "this is your old password: choose another one")
    if member.password_by and new_password is None:
        by = member.password_by.removeprefix(staff_sender(""))
        who = "the command line" if by == FLOOR else by
        sentence = f"{who} set this password, {utc(member.password_at)}: choose another one"
        raise QueenhighError("password.given", sentence)
