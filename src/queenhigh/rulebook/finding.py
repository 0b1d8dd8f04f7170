"""What a check of a rulebook finds."""

from typing import NamedTuple

__all__ = ["Finding", "Key"]

#: A path into a document: ``("fees", "rates", 0, "player")``.
Key = tuple[str | int, ...]


class Finding(NamedTuple):
    """Something wrong at a key: what it is, what to write instead, and by which clause."""

    key: Key
    message: str
    write: str
    clause: str | None = None
    #: Other places this rests on: put those right and it may be gone.
    rests_on: tuple[Key, ...] = ()
