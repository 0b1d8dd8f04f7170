"""The log of the staff as sentences."""

from queenhigh.table.staff import FIRST_TOKEN
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

__all__ = ["describe_staff_event"]


def describe_staff_event(event: StaffEvent) -> str:
    """Return a change of the staff as a sentence."""
    if isinstance(event, TokenGranted | TokenRevoked):
        return _describe_token(event)
    if isinstance(event, TwoPeopleRequired):
        return "From here on a login that somebody else has just made or changed approves nothing."
    match event:
        case StaffAdded():
            what = f"joins the staff as {event.role}."
        case RoleChanged():
            what = f"is {event.role} from now on: {event.reason}"
        case StaffRemoved():
            what = f"leaves the staff: {event.reason}"
        case StaffPasswordSet():
            what = "has a new password."
        case TwoFactorSet():
            what = f"needs {'a code' if event.on else 'no code any more'} to log in."
    return f"{event.member} {what}"


def _describe_token(event: TokenGranted | TokenRevoked) -> str:
    if isinstance(event, TokenGranted):
        return f"The program {event.token} gets a token as {event.role}: {event.reason}"
    which = "The first token" if event.token == FIRST_TOKEN else f"The token {event.token}"
    return f"{which} is revoked: {event.reason}"
