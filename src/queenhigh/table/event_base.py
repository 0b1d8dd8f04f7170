"""What all events have."""

from msgspec import Struct

__all__ = ["Event"]


class Event(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """What every event has: the time, the sender and the id of the command it followed from."""

    at: int
    by: str
    id: str = ""
