"""The events of the stream ``staff``: people with a role, and tokens of programs.

They hold no secrets: no password, no token, no hash of either, and no address.
"""

import msgspec

from queenhigh.errors import QueenhighError
from queenhigh.table.event_base import Event

__all__ = [
    "RoleChanged",
    "StaffAdded",
    "StaffEvent",
    "StaffPasswordSet",
    "StaffRemoved",
    "TokenGranted",
    "TokenRevoked",
    "TwoFactorSet",
    "TwoPeopleRequired",
    "decode_staff",
]


class StaffAdded(Event, frozen=True, kw_only=True, gc=False, tag="staff.added/1"):
    """A person is on the staff: the first one is an owner, whom the room's first token adds."""

    member: str
    role: str


class RoleChanged(Event, frozen=True, kw_only=True, gc=False, tag="staff.role_changed/1"):
    """A member has another role from now on."""

    member: str
    role: str
    reason: str


class StaffRemoved(Event, frozen=True, kw_only=True, gc=False, tag="staff.removed/1"):
    """A member has left the staff for good."""

    member: str
    reason: str


class StaffPasswordSet(Event, frozen=True, kw_only=True, gc=False, tag="staff.password_set/1"):
    """A member has another password."""

    member: str


class TwoFactorSet(Event, frozen=True, kw_only=True, gc=False, tag="staff.two_factor/1"):
    """A member needs a code to log in from now on, or needs none any more."""

    member: str
    on: bool


class TokenGranted(Event, frozen=True, kw_only=True, gc=False, tag="token.granted/1"):
    """A program has a token of this name, with a role."""

    token: str
    role: str
    reason: str


class TokenRevoked(Event, frozen=True, kw_only=True, gc=False, tag="token.revoked/1"):
    """A token is valid no more; the empty name is the room's first token."""

    token: str
    reason: str


class TwoPeopleRequired(Event, frozen=True, kw_only=True, gc=False, tag="staff.two_people/1"):
    """From here on nobody approves who may be the one who asked, by another name."""


StaffEvent = (
    StaffAdded
    | RoleChanged
    | StaffRemoved
    | StaffPasswordSet
    | TwoFactorSet
    | TokenGranted
    | TokenRevoked
    | TwoPeopleRequired
)

_decoder = msgspec.json.Decoder(StaffEvent)


def decode_staff(event: bytes) -> StaffEvent:
    """Read an event of the staff's stream from its bytes."""
    try:
        read: StaffEvent = _decoder.decode(event)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        sentence = f"this is not an event of the staff: {error}"
        raise QueenhighError("event.unreadable", sentence) from None
    return read
