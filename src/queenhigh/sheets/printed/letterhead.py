"""What a printed report has beside its figures: the name of the room, and who signed it."""

from msgspec import Struct

__all__ = ["Letterhead", "Signed"]


class Signed(Struct, frozen=True):
    """Somebody who signed a report with this filter: when, with which digest, and their note.

    The digest is of these columns, whose keys are joined by commas; of all if there are none.
    """

    name: str
    time_ms: int
    digest: str
    note: str
    columns: str = ""


class Letterhead(Struct, frozen=True):
    """The room, and the signatures, the oldest first."""

    room: str
    signatures: tuple[Signed, ...] = ()
