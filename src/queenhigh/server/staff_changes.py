"""Changes of the staff: each is an event of the stream ``staff``, written together with its rows.

The log decides what may be done (L27): the staff as of the last event refuses the rest, and an
event is written only if no other came in between.
"""

import secrets
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy

from queenhigh.errors import QueenhighError
from queenhigh.server import staff_rows
from queenhigh.server.accounts import checked_name
from queenhigh.server.admin_rows import AdminChange, AdminRows, StaffChanged
from queenhigh.server.current_staff import CurrentStaff
from queenhigh.server.ids import fresh_id
from queenhigh.server.passwords import Passwords
from queenhigh.server.text import is_plain, mixes_scripts
from queenhigh.store.batch import Statement
from queenhigh.store.rows import RowTaken
from queenhigh.table.commands import FLOOR
from queenhigh.table.staff import FIRST_TOKEN, Member, StaffRoster, is_staff_name
from queenhigh.table.staff_events import (
    RoleChanged,
    StaffAdded,
    StaffEvent,
    StaffPasswordSet,
    StaffRemoved,
    TokenGranted,
    TokenRevoked,
    TwoFactorSet,
    TwoPeopleRequired,
)

__all__ = ["StaffChanges"]

_TRIES = 5


class StaffChanges:
    """Writes changes of the staff."""

    def __init__(self, staff: CurrentStaff, rows: AdminRows, passwords: Passwords) -> None:
        self.staff, self._rows, self.passwords = staff, rows, passwords
        #: Whether every process of the room keeps the rule of ``TwoPeopleRequired``.
        self.all_keep_rule: Callable[[], bool] = lambda: False

    def write(
        self, event: StaffEvent, *rows: Statement, check: Callable[[], None] = lambda: None
    ) -> None:
        """Write an event and its rows; refuse one that the staff as it is now does not allow.

        ``check`` raises if the rows are not those any more that the event was decided on.
        """
        for _ in range(_TRIES):
            trial = deepcopy(self.staff.roster())
            check()
            try:
                trial.take(event)
            except QueenhighError as error:
                raise QueenhighError("staff.refused", f"{error}: look at the staff again") from None
            events: tuple[StaffEvent, ...] = (event,)
            if self._lacks_mark(trial):
                events += (_mark(event.at),)
            try:
                self._rows.write(AdminChange(rows, events, self.staff.version))
            except (StaffChanged, RowTaken):  # another process was faster: decide again
                continue
            return
        raise QueenhighError("busy", "the staff is being changed: try again in a moment")

    def require_two(self, time_ms: int) -> None:
        """Write in the log that two people are needed, if it lacks that and every process knows."""
        if self._lacks_mark(self.staff.roster()):
            with suppress(QueenhighError):  # another process was faster, or the next look does it
                self.write(_mark(time_ms))

    def _lacks_mark(self, roster: StaffRoster) -> bool:
        return bool(roster.owners()) and not roster.two_people and self.all_keep_rule()

    def member(self, name: str) -> Member:
        """Return a present member by name."""
        member = self.staff.roster().member(name)
        if member is None:
            raise QueenhighError("nothing.there", f"{name[:40]!r} is not on the staff: check it")
        return member

    def check_no_owner(self) -> None:
        """Refuse to make a first owner if there is one."""
        if self.staff.roster().owners():
            sentence = "this room has an owner: ask an owner to add you to the staff"
            raise QueenhighError("owner.exists", sentence)

    # What owners do

    async def add(self, name: str, role: str, password: str, by: str, time_ms: int) -> str:
        """Add a person to the staff; return their name in its usual form."""
        member = checked_name(name)
        self._check_new("member", member)
        hashed = await self.passwords.hash(password)
        self._check_new("member", member)
        event = StaffAdded(at=time_ms, by=by, id=fresh_id("staff"), member=member, role=role)
        self.write(event, *staff_rows.add_member(member, hashed))
        return member

    def set_role(self, name: str, role: str, by: str, time_ms: int, reason: str) -> None:
        """Give a member another role."""
        member = self.member(name)
        if role == member.role:
            raise QueenhighError("role.same", f"{name} is {role} already: choose another role")
        self._check_last_owner(name)
        id = fresh_id("role")
        self.write(RoleChanged(at=time_ms, by=by, id=id, member=name, role=role, reason=reason))

    def remove(self, name: str, by: str, time_ms: int, reason: str) -> None:
        """Remove a member for good; their sessions end."""
        self.member(name)
        self._check_last_owner(name)
        event = StaffRemoved(at=time_ms, by=by, id=fresh_id("staff"), member=name, reason=reason)
        self.write(event, *staff_rows.remove_member(name))

    async def set_password(self, name: str, password: str, by: str, time_ms: int) -> None:
        """Give a member another password; their sessions end."""
        self.member(name)
        hashed = await self.passwords.hash(password)
        event = StaffPasswordSet(at=time_ms, by=by, id=fresh_id("password"), member=name)
        self.write(event, staff_rows.set_password(name, hashed), staff_rows.end_sessions(name))

    def drop_codes(self, name: str, by: str, time_ms: int) -> None:
        """Switch the codes of a member off, if they are on."""
        if self.member(name).two_factor:
            event = TwoFactorSet(at=time_ms, by=by, id=fresh_id("code"), member=name, on=False)
            self.write(event, staff_rows.set_key(name, None))

    def grant(self, name: str, role: str, by: str, time_ms: int, reason: str) -> str:
        """Return a new token of a program, which is shown this once."""
        if not is_staff_name(name) or not is_plain(name) or mixes_scripts(name):
            sentence = "a token's name needs 1 to 24 letters and digits of one script"
            raise QueenhighError("name.invalid", sentence)
        self._check_new("token", name)
        token, id = secrets.token_urlsafe(32), fresh_id("token")
        event = TokenGranted(at=time_ms, by=by, id=id, token=name, role=role, reason=reason)
        self.write(event, staff_rows.add_token(name, token))
        return token

    def revoke(self, name: str, by: str, time_ms: int, reason: str) -> None:
        """Revoke a token of a program, or the room's first one by its empty name."""
        roster = self.staff.roster()
        is_valid = not roster.first_revoked if name == FIRST_TOKEN else roster.token(name)
        if not is_valid:
            raise QueenhighError("nothing.there", "there is no such token, or it was revoked")
        event = TokenRevoked(at=time_ms, by=by, id=fresh_id("token"), token=name, reason=reason)
        self.write(event, staff_rows.remove_token(name))

    # Checks

    def _check_new(self, kind: str, name: str) -> None:
        """Refuse a name that a member or a token has, or had."""
        if self.staff.has_had(kind, name):
            raise QueenhighError("name.taken", f"the name {name} was given before: choose another")

    def _check_last_owner(self, name: str) -> None:
        """Refuse to take the role of an owner away from the only one."""
        if self.staff.roster().owners() == [name]:
            sentence = f"{name} is the only owner: make another person an owner first"
            raise QueenhighError("owner.last", sentence)


def _mark(time_ms: int) -> TwoPeopleRequired:
    return TwoPeopleRequired(at=time_ms, by=FLOOR, id=fresh_id("staff"))
