"""What a printed report has beside its figures: the name of the room, and who signed it."""

from msgspec import Struct

__all__ = ["Letterhead", "Signed"]


class Signed(Struct, frozen=True):
    """Somebody who signed a report with this filter: when, with which digest, and their note."""

    name: str
    time_ms: int
    digest: str
    note: str


class Letterhead(Struct, frozen=True):
    """The room, and the signatures, the oldest first."""

    room: str
    signatures: tuple[Signed, ...] = ()
