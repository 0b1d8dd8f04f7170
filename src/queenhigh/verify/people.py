"""The people whom events of tables name, and whether they might do that at the time."""

from queenhigh.errors import BrokenLog
from queenhigh.table.events import (
    CorrectionAsked,
    CorrectionMade,
    CorrectionRejected,
    IncidentRuled,
    TableEvent,
)
from queenhigh.table.staff import StaffRoster
from queenhigh.table.state import State

__all__ = ["check_person"]

#: What a person of the staff does by an event of a table, as their roles name it.
_PERMISSIONS: dict[type, str] = {
    IncidentRuled: "rule incident",
    CorrectionAsked: "ask correction",
    CorrectionMade: "approve correction",
    CorrectionRejected: "reject correction",
}


def check_person(event: TableEvent, state: State | None, staff: StaffRoster | None) -> None:
    """Raise unless the person whom an event of a table names may do this now.

    ``staff`` is ``None`` where the log has only hashes of its stream: nobody knows then.
    """
    permission = _PERMISSIONS.get(type(event))
    if permission is None or staff is None:
        return
    name: str = getattr(event, "staff", "")
    if isinstance(event, CorrectionRejected) and state is not None:
        asked = state.corrections.asked.get(event.correction)
        if asked is not None and asked.staff == name:  # withdrawn
            permission = "ask correction"
    if not staff.may_member(name, permission):
        raise BrokenLog(f"{name[:40]} may not {permission} here")
    if isinstance(event, CorrectionMade) and staff.two_people and state is not None:
        asked = state.corrections.asked.get(event.correction)
        wait = None if asked is None else staff.wait(asked.staff, name)
        if wait is not None and event.at < wait.until:
            raise BrokenLog(f"{name[:40]} may be the person who asked, until {wait.until}")
