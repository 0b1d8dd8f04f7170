"""Checks of text that others see: hidden characters and changes of direction are refused.

Names are compared as people read them: by NFKC and without case. A name must not mix scripts whose
letters look alike.
"""

import unicodedata
from typing import TypeVar

__all__ = ["check_plain", "is_plain", "mixes_scripts", "name_key"]

_T = TypeVar("_T")
#: Control characters, formats such as changes of direction, surrogates, private use, unassigned
#: code points, and line and paragraph breaks.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
#: Invisible characters of other categories: Hangul fillers, the blank Braille pattern, the grapheme
#: joiner, Khmer inherent vowels, Mongolian selectors, the null notehead.
_UNSEEN = frozenset(
    "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\U0001d159"
)
#: Joiners, which Persian, Hindi and emoji of families need.
_JOINERS = frozenset("\u200c\u200d")
#: Variation selectors, which choose the look of the character before them.
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
#: Scripts whose letters look like each other's.
_LOOKALIKE_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "GREEK"})


def is_plain(text: str) -> bool:
    """Return whether a line of text has no hidden characters, and is visible or empty."""
    if text.isascii() and text.isprintable():
        return not text or not text.isspace()
    return any(map(_is_seen, text)) and all(
        _is_in_place(text, index) if letter in _JOINERS | _SELECTORS else not _is_hidden(letter)
        for index, letter in enumerate(text)
    )


def _is_hidden(letter: str) -> bool:
    return letter in _UNSEEN or unicodedata.category(letter) in _HIDDEN


def _is_seen(letter: str) -> bool:
    """Return whether a character is visible: a letter, digit, sign or picture."""
    return unicodedata.category(letter)[0] in "LNPS" and letter not in _UNSEEN


def _is_in_place(text: str, index: int) -> bool:
    """Return whether a selector follows a visible character, or a joiner is between two."""
    before = text[index - 1] if index else " "
    if text[index] in _SELECTORS:
        return _is_seen(before)
    after = text[index + 1 : index + 2] or " "
    joined = _is_seen(before) or before in _SELECTORS or unicodedata.category(before)[0] == "M"
    return joined and _is_letter_or_picture(after)


def _is_letter_or_picture(letter: str) -> bool:
    category = unicodedata.category(letter)
    return letter not in _UNSEEN and (category[0] == "L" or category in ("So", "Sm", "Sk"))


def check_plain(value: _T) -> _T:
    """Return text, or lists and dictionaries of it; refuse hidden characters."""
    left: list[object] = [value]
    while left:
        part = left.pop()
        if isinstance(part, str) and not is_plain(part):
            raise ValueError("this text contains invisible characters: remove them")
        if isinstance(part, dict):
            left += [*part.keys(), *part.values()]
        elif isinstance(part, list):
            left += part
    return value


def name_key(name: str) -> str:
    """Return the key of a name, which no two names may share."""
    return unicodedata.normalize("NFKC", name).casefold().rstrip(".")


def mixes_scripts(name: str) -> bool:
    """Return whether a name mixes scripts whose letters look alike."""
    letters = [letter for letter in name if letter.isalpha()]
    return (
        len({unicodedata.name(letter, "?").split()[0] for letter in letters} & _LOOKALIKE_SCRIPTS)
        > 1
    )
