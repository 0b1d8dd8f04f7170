"""The words of clauses, made from the keys that they govern, so that they follow every change.

A text has places such as ``{tie}``: the value of that key, in the words that the clause gives for
its readings, or plainly. A rulebook adds facts of its own, such as ``{settlement}``.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pydantic import BaseModel

from queenhigh.cards import HAND_CLASSES
from queenhigh.money import Pays, dollars
from queenhigh.rulebook.book import Clause, Rulebook
from queenhigh.rulebook.fact_words import qualifier_words
from queenhigh.rulebook.problem import Finding, Key
from queenhigh.rulebook.schema import ClauseRow, GameDocument, PayTable
from queenhigh.rulebook.schema_paths import field_at, readings, value_of
from queenhigh.text import listed, words

__all__ = ["check_texts", "with_words"]

_PLACE = re.compile(r"\{([^{}]*)\}")
#: Words may have places too, but not without end.
_DEEPEST = 3
_CENTS = frozenset({"min", "max", "player", "banker", "increment"})


def with_words(
    book: Rulebook, document: GameDocument, rows: Sequence[ClauseRow]
) -> tuple[Clause, ...]:
    """Return the clauses of a rulebook in words; ``rows`` hold the wording."""
    return tuple(Clause(row.id, _text(book, document, row), row.keys) for row in rows)


def _text(book: Rulebook, document: GameDocument, row: ClauseRow) -> str:
    """Return the text of a clause; a key that it governs and does not mention comes after it."""
    text = row.text
    for _ in range(_DEEPEST):
        text = _PLACE.sub(lambda match: _word(book, document, row, match), text)
    said = _mentioned(book, row)
    unsaid = [key for key in row.keys if key not in said and not key.endswith("clause")]
    values = [(key, value_of(document, key)) for key in unsaid]
    notes = [f"{key}: {_plain(key, value)}" for key, value in values if value is not None]
    return f"{text} Here {', '.join(notes)}." if notes else text


def _mentioned(book: Rulebook, row: ClauseRow) -> set[str]:
    """Return the keys that a clause mentions, directly or through a fact of the rulebook."""
    texts = [row.text, *[text for said in (row.words or {}).values() for text in said.values()]]
    places = {place for text in texts for place in _PLACE.findall(text)}
    places |= {key for place in places for key in book.fact_keys.get(place, ())}
    tables = {key for key in row.keys if any(place.startswith(f"{key}.") for place in places)}
    return places | tables


def _word(book: Rulebook, document: GameDocument, row: ClauseRow, match: re.Match[str]) -> str:
    """Return the words for a place; a place that means nothing stays as it was written."""
    key = match[1]
    fact = book.fact(row.id, key)
    if fact is not None:
        return fact
    value = value_of(document, key)
    if value is None:
        return match[0]
    said = (row.words or {}).get(key, {})
    if isinstance(value, tuple) and said:
        return listed([said.get(str(item), str(item)) for item in value], "or")
    return said.get(_name(value), _plain(key, value))


def _name(reading: object) -> str:
    """Return a reading as a rulebook file names it."""
    return str(reading).lower() if isinstance(reading, bool) else str(reading)


def _plain(key: str, value: Any) -> str:
    """Return a value in plain words: money in dollars, a pay table or a schedule in full."""
    last = key.rsplit(".", maxsplit=1)[-1]
    if isinstance(value, PayTable):
        return _pay_table(value, "earns nothing" if key.startswith("ante_bonus") else "loses")
    if isinstance(value, tuple):
        return listed([str(item) for item in value], "or")
    if last in _CENTS and isinstance(value, int):
        return dollars(value)
    if last == "qualifier":
        return qualifier_words(value)
    if isinstance(value, BaseModel):
        return ", ".join(f"{name} {_plain(name, item)}" for name, item in value if item is not None)
    return _name(value)


def _pay_table(table: PayTable, otherwise: str) -> str:
    """Return a pay table, the best hand first, and what every other hand does."""
    pays: Mapping[str, Pays] = {hand: ratio for hand, ratio in table if ratio is not None}
    hands = [
        f"{words(hand).lower()} {pays[hand]}" for hand in reversed(HAND_CLASSES) if hand in pays
    ]
    rest = "" if len(pays) == len(HAND_CLASSES) else f"; every other hand {otherwise}"
    return (", ".join(hands) + rest) if hands else f"every hand {otherwise}"


# Checks, where rules are chosen


def check_texts(book: Rulebook, document: GameDocument) -> Iterator[Finding]:
    """Check that texts name keys that their clause governs, and that words fit the readings."""
    for i, row in enumerate(document.clauses):
        texts: dict[Key, str] = {("clauses", i, "text"): row.text}
        for key, said in (row.words or {}).items():
            texts |= {("clauses", i, "words", key, name): text for name, text in said.items()}
            yield from _check_readings(document, row, ("clauses", i, "words", key), key)
        for path, text in texts.items():
            for place in _PLACE.findall(text):
                yield from _check_place(book, document, row, path, place)


def _check_place(
    book: Rulebook, document: GameDocument, row: ClauseRow, path: Key, place: str
) -> Iterator[Finding]:
    if book.fact(row.id, place) is not None:
        return
    if not any(place == key or place.startswith(f"{key}.") for key in row.keys):
        message = f"{{{place}}} is not a key that {row.id} governs"
        yield Finding(path, message, f'add "{place}" to its keys, or remove the braces', row.id)
    elif value_of(document, place) is None:
        message = f"there is no value for {{{place}}}"
        yield Finding(path, message, "use a key that has a value", row.id)


def _check_readings(
    document: GameDocument, row: ClauseRow, path: Key, key: str
) -> Iterator[Finding]:
    """Check that a wording has each reading of its key, and no other."""
    if key not in row.keys:
        write = f'add "{key}" to its keys, or remove the words'
        yield Finding(path, f"{row.id} does not govern {key}", write, row.id)
        return
    _, info = field_at(type(document), tuple(key.split(".")))
    known = [_name(reading) for reading in readings(info.annotation)] if info else []
    said = (row.words or {})[key]
    missing = [name for name in known if name not in said]
    unknown = [name for name in said if known and name not in known]
    if missing:
        message = f"there are no words for {key} = {listed(missing, 'or')}"
        yield Finding(path, message, "add words for every reading", row.id)
    if unknown:
        message = f"{key} is never {listed(unknown, 'or')}"
        yield Finding(path, message, f"write words for {listed(known, 'and')}", row.id)
