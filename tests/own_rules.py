"""Copies of shipped rulebooks, for tests that need rules beyond a document's limits."""

from functools import cache
from typing import Any

import queenhigh as qh
from queenhigh.rulebook.load import parse
from queenhigh.sheets.rulebook_file import own_copy


@cache
def own_text(name: str) -> str:
    """Return a copy of a shipped rulebook, under another name and so without its law."""
    return own_copy(qh.load(name), f"own-{name}")


def own(name: str, **changes: Any) -> Any:
    """Return a rulebook like a shipped one, with changes that its law may forbid."""
    return parse(own_text(name), f"own-{name}.toml", changes)
