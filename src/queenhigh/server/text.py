"""Text that is shown to others: what could hide in it or turn it round is refused."""

import unicodedata
from typing import Any

__all__ = ["check_plain", "is_plain"]

#: Controls, formats such as those that turn the direction of text, halves of letters, private use,
#: what no letter has yet, and breaks of lines and paragraphs.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
#: Letters are joined and kept apart by these, in Persian, in Hindi, and in pictures of families.
_JOINERS = frozenset("\u200c\u200d")


def is_plain(text: str) -> bool:
    """Tell whether a line of text is what it seems to be."""
    if text.isascii() and text.isprintable():
        return True
    return all(letter in _JOINERS or unicodedata.category(letter) not in _HIDDEN for letter in text)


def check_plain(value: Any) -> Any:
    """Return text, or lists and tables of it; refuse what is not plain."""
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str) and not is_plain(one):
            raise ValueError("this text has characters that cannot be seen: leave them out")
        if isinstance(one, dict):
            left += [*one.keys(), *one.values()]
        elif isinstance(one, list):
            left += one
    return value
