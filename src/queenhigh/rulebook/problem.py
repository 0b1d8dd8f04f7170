"""The findings of a check of a rulebook."""

from typing import NamedTuple

__all__ = ["Finding", "Key"]

#: A path into a document: ``("fees", "rates", 0, "player")``.
Key = tuple[str | int, ...]


class Finding(NamedTuple):
    """A problem at a key: a sentence about it, the remedy, and the clause."""

    key: Key
    message: str
    write: str
    clause: str | None = None
    #: Other places this rests on: put those right and it may be gone.
    depends_on: tuple[Key, ...] = ()
    #: Whether it is about words, which no table fails to start for.
    is_wording: bool = False
