"""Text that is shown to others: what could hide in it or turn it round is refused.

Names are compared as people read them: by NFKC, without regard to case, and none mixes scripts
whose letters look alike.
"""

import unicodedata
from typing import Any

__all__ = ["check_plain", "fold_name", "is_plain", "mixes_scripts"]

#: Controls, formats such as those that turn the direction of text, halves of letters, private use,
#: what no letter has yet, and breaks of lines and paragraphs.
_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
#: What has another category and cannot be seen: fillers of Hangul, the empty Braille pattern, the
#: joiner of graphemes, inherent vowels of Khmer, selectors of Mongolian, the empty note.
_UNSEEN = frozenset(
    "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\u180b\u180c\u180d\u180e\u180f\U0001d159"
)
#: Letters are joined and kept apart by these, in Persian, in Hindi, and in pictures of families.
_JOINERS = frozenset("\u200c\u200d")
#: These choose the look of the letter or picture before them.
_SELECTORS = frozenset(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))))
#: Scripts whose letters look like each other's.
_ALIKE = frozenset({"LATIN", "CYRILLIC", "GREEK"})


def is_plain(text: str) -> bool:
    """Tell whether a line of text is what it seems to be, and can be seen unless it is empty."""
    if text.isascii() and text.isprintable():
        return not text or not text.isspace()
    return any(map(_is_seen, text)) and all(
        _is_in_place(text, at) if letter in _JOINERS | _SELECTORS else not _is_hidden(letter)
        for at, letter in enumerate(text)
    )


def _is_hidden(letter: str) -> bool:
    return letter in _UNSEEN or unicodedata.category(letter) in _HIDDEN


def _is_seen(letter: str) -> bool:
    """Tell whether a letter, figure, sign or picture can be seen by itself."""
    return unicodedata.category(letter)[0] in "LNPS" and letter not in _UNSEEN


def _is_in_place(text: str, at: int) -> bool:
    """Tell whether a selector follows something that is seen, or a joiner stands between two."""
    before = text[at - 1] if at else " "
    if text[at] in _SELECTORS:
        return _is_seen(before)
    after = text[at + 1 : at + 2] or " "
    joined = _is_seen(before) or before in _SELECTORS or unicodedata.category(before)[0] == "M"
    return joined and _is_letter_or_picture(after)


def _is_letter_or_picture(letter: str) -> bool:
    category = unicodedata.category(letter)
    return letter not in _UNSEEN and (category[0] == "L" or category in ("So", "Sm", "Sk"))


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


def fold_name(name: str) -> str:
    """Return what two names must not share."""
    return unicodedata.normalize("NFKC", name).casefold().rstrip(".")


def mixes_scripts(name: str) -> bool:
    """Tell whether a name has letters of several scripts that look alike."""
    letters = [letter for letter in name if letter.isalpha()]
    return len({unicodedata.name(letter, "?").split()[0] for letter in letters} & _ALIKE) > 1
