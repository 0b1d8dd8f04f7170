"""The base of all events."""

from msgspec import Struct

__all__ = ["Event"]


class Event(
    Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True, gc=False
):
    """The fields of every event: the time, the sender and the id of the command it comes from."""

    at: int
    by: str
    id: str = ""
