"""A stream of staff in a store: who was on the staff, and as what."""

from queenhigh.store.streams import Append, Store
from queenhigh.table.events import encode
from queenhigh.table.registry import STAFF
from queenhigh.table.staff import CASHIER, FLOOR_ROLE, OWNER
from queenhigh.table.staff_events import (
    RoleChanged,
    StaffAdded,
    StaffEvent,
    StaffRemoved,
    TokenGranted,
    TokenRevoked,
    TwoPeopleRequired,
)

__all__ = ["StaffLog", "hire"]

OLGA = "staff Olga"


class StaffLog:
    """Writes the staff's stream of a store, as its owner Olga."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def _write(self, kind: type[StaffEvent], by: str = OLGA, **fields: str) -> None:
        version = self._store.version(STAFF)
        stamp = {"at": 1_000_000, "by": by, "id": f"staff{version}"}
        event = kind(**stamp, **fields)  # type: ignore[arg-type]
        self._store.append(Append(STAFF, version, (encode(event),)))

    def add(self, member: str, role: str) -> None:
        self._write(StaffAdded, "floor" if role == OWNER else OLGA, member=member, role=role)

    def change(self, member: str, role: str) -> None:
        self._write(RoleChanged, member=member, role=role, reason="a course")

    def remove(self, member: str) -> None:
        self._write(StaffRemoved, member=member, reason="moved away")

    def grant(self, token: str, role: str) -> None:
        self._write(TokenGranted, token=token, role=role, reason="a program")

    def revoke(self, token: str) -> None:
        self._write(TokenRevoked, token=token, reason="not used any more")

    def require_two(self) -> None:
        self._write(TwoPeopleRequired, "floor")


def hire(store: Store) -> StaffLog:
    """Put an owner, two people of the floor and a cashier on the staff, once."""
    staff = StaffLog(store)
    if not store.version(STAFF):
        staff.add("Olga", OWNER)
        staff.add("Maria", FLOOR_ROLE)
        staff.add("Noor", FLOOR_ROLE)
        staff.add("Carl", CASHIER)
    return staff
