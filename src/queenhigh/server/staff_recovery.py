"""The staff of a room as the command line lists it, and helps owners who cannot log in."""

import asyncio
from contextlib import ExitStack, closing
from pathlib import Path

from queenhigh.errors import QueenhighError
from queenhigh.room.room import now
from queenhigh.server.admin_store import AdminStore
from queenhigh.server.current_staff import CurrentStaff
from queenhigh.server.passwords import Passwords
from queenhigh.server.staff_changes import StaffChanges
from queenhigh.sheets.staff_sheet import StaffList
from queenhigh.store.location import Location
from queenhigh.store.locking import sole_writer
from queenhigh.store.open import open_reader, open_store
from queenhigh.store.streams import GENESIS, DamagedStream, is_next
from queenhigh.store.versions import version_of
from queenhigh.table.commands import FLOOR
from queenhigh.table.registry import STAFF
from queenhigh.table.staff import OWNER, Member, StaffRoster
from queenhigh.table.staff_events import StaffAdded, StaffEvent, TokenGranted, decode_staff

__all__ = ["help_owner", "read_staff"]


def read_staff(room: Location) -> StaffList:
    """Return the staff of a room, which may be open meanwhile."""
    _check_room(room)
    roster, since = StaffRoster(), dict[tuple[str, str], int]()
    for event in _events(room):
        roster.take(event)
        if isinstance(event, StaffAdded):
            since["member", event.member] = event.at
        elif isinstance(event, TokenGranted):
            since["token", event.token] = event.at
    return StaffList(
        [(member, since.get(("member", member.name), 0)) for member in roster.members()],
        [(token, since.get(("token", token.name), 0)) for token in roster.tokens()],
    )


def _check_room(room: Location) -> None:
    if version_of(room).has == 0:
        raise QueenhighError("file.unreadable", f"{room} has no room: choose another database")


def _events(room: Location) -> list[StaffEvent]:
    """Return the events of the staff's stream, each proved by the one before."""
    before, events = GENESIS, list[StaffEvent]()
    with closing(open_reader(room)) as reader, reader.explained():
        for version, event, hashed in reader.stream_events(STAFF):
            if version != len(events) + 1 or not is_next(before, STAFF, version, event, hashed):
                raise DamagedStream(STAFF, len(events))
            events.append(decode_staff(event))
            before = hashed
    return events


def help_owner(room: Location, keys: Path, name: str, password: str, *, codes_off: bool) -> Member:
    """Set an owner's password, and switch codes off if asked to; return the owner as of then."""
    _check_room(room)
    with ExitStack() as stack:
        if isinstance(room, Path):
            stack.enter_context(sole_writer(room))
        store = stack.enter_context(closing(open_store(room, keys)))
        admin = stack.enter_context(closing(AdminStore(room, store)))
        changes = StaffChanges(CurrentStaff(store), admin.rows, Passwords())
        _check_owner(changes, name)
        asyncio.run(changes.set_password(name, password, FLOOR, now()))
        if codes_off:
            changes.drop_codes(name, FLOOR, now())
        return changes.member(name)


def _check_owner(changes: StaffChanges, name: str) -> None:
    owners = changes.staff.roster().owners()
    if not owners:
        sentence = "this room has no owner yet: make the first one on the floor's page, #/floor"
        raise QueenhighError("owner.none", f"{sentence}, with the floor token")
    if changes.member(name).role != OWNER:
        sentence = f"{name} is not an owner: owners set the passwords of others on the floor's page"
        raise QueenhighError("owner.needed", f"{sentence} (owners: {', '.join(owners)})")
