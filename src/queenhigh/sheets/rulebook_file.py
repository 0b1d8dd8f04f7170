"""A copy of a rulebook as a file to edit: the way around the limits of a document."""

import re

from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import shipped
from queenhigh.rulebook.to_toml import to_toml

__all__ = ["copy_name", "own_copy"]


def own_copy(book: Rulebook, name: str) -> str:
    """Return a copy of a rulebook as a file, under another name."""
    source = f"A copy of {book.name}, version {book.version}: {book.source}"
    return to_toml(book.document, book.game.document_type, name=name, source=source[:2000])


def copy_name(name: str) -> str:
    """Return a name for a copied rulebook, made from the name of its file."""
    plain = re.sub(r"[^a-z0-9_-]+", "-", name.lower()).strip("-_")[:60]
    is_own = re.match("[a-z]", plain) and plain not in shipped()
    return plain if is_own else f"my-{plain or 'rules'}"
