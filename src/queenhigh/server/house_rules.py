"""The rules of a table beside the standard ones: differences, in words too, and fees.

The standard is the shipped rulebook of the game that has the fewest other values. Nothing here is
priced, so the tables' own process can do it; a rulebook is looked at once.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from typing import Any

from queenhigh.errors import InvalidRulebook
from queenhigh.price.differences import DIFFERENCES, word_differences
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import load, shipped, vary
from queenhigh.rulebook.overrides import value_at
from queenhigh.server.price_answers import DifferenceLine, FeeSchedule
from queenhigh.sheets.wording import label, value_in_words
from queenhigh.table.posted import posted_rates

__all__ = ["changes_of", "differences_of", "schedule_of", "standard_of"]

#: Keys of how a table is run, beside the bets and their pays.
_RUNNING = ("bank.", "fees.", "limits.", "irregularities.")
#: Keys of a document that say nothing of how a round is played.
_WORDS = frozenset(
    {"name", "title", "version", "source", "clauses", "assumptions", "clause", "law"}
)


@cache
def _load(name: str) -> Rulebook:
    return load(name)


@lru_cache(maxsize=512)
def standard_of(book: Rulebook) -> Rulebook | None:
    """Return the shipped rulebook of the game that differs in the fewest keys, if there is one."""
    standards = [each for each in map(_load, shipped()) if each.game is book.game]
    own = dict(_leaves(book.document))

    def count(standard: Rulebook) -> int:
        leaves = dict(_leaves(standard.document))
        return sum(leaves.get(key) != own.get(key) for key in {**leaves, **own})

    return min(standards, key=count, default=None)


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every key of a document that holds a single value, but no words."""
    if isinstance(value, Mapping | list):
        for key, item in value.items() if isinstance(value, Mapping) else enumerate(value):
            if key not in _WORDS:
                yield from _leaves(item, f"{path}.{key}")
    else:
        yield path, value


@lru_cache(maxsize=512)
def differences_of(book: Rulebook) -> tuple[DifferenceLine, ...] | None:
    """Return what differs from the standard rules, in words; ``None`` if there are none."""
    standard = standard_of(book)
    if standard is None:
        return None
    known, words = (
        [_line(each.what, each.clauses, each.before, each.after) for each in differences]
        for differences in (
            DIFFERENCES[book.game.name](standard, book),
            word_differences(standard, book),
        )
    )
    return (*known, *_others(standard, book, [line.what for line in known]), *words)


def _line(what: str, clauses: tuple[str, ...], before: object, after: object) -> DifferenceLine:
    words = (value_in_words(what, value) for value in (before, after))
    return DifferenceLine(what, label(what), list(clauses), *words)


def _others(standard: Rulebook, book: Rulebook, known: list[str]) -> Iterator[DifferenceLine]:
    """Yield keys of running a table that nothing else lists, so that none is passed over."""
    for key, value in _changed(standard.document, book.document):
        listed = any(f"{key}.".startswith(f"{what}.") for what in known)
        if key.startswith(_RUNNING) and not listed and book.rules_digest != standard.rules_digest:
            before = value_at(standard.document, key)
            yield _line(key, book.governing(key), before, value)


@lru_cache(maxsize=512)
def changes_of(book: Rulebook) -> Mapping[str, object]:
    """Return the keys to set in the standard rules for the same meaning; none if none do it."""
    standard = standard_of(book)
    if standard is None:
        return {}
    changes = dict(_changed(standard.document, book.document))
    try:
        same = vary(standard, changes).rules_digest == book.rules_digest
    except InvalidRulebook:
        same = False
    return changes if same else {}


def _changed(before: Any, after: Any, path: str = "") -> Iterator[tuple[str, object]]:
    """Yield every key whose value differs, with the value it has afterwards.

    A table of optional keys may be left out as a whole.
    """
    if before is None and isinstance(after, Mapping):
        before = {}
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for key in dict.fromkeys((*before, *after)):
            if key not in _WORDS:
                yield from _changed(
                    before.get(key), after.get(key), f"{path}.{key}" if path else key
                )
    elif _are_lists(before, after) and len(before) == len(after):
        for index, pair in enumerate(zip(before, after, strict=True)):
            yield from _changed(*pair, f"{path}.{index}")
    elif before != after:
        yield path, after


def _are_lists(before: object, after: object) -> bool:
    return isinstance(before, list) and isinstance(after, list)


@lru_cache(maxsize=512)
def schedule_of(book: Rulebook) -> FeeSchedule | None:
    """Return the collection schedule as it is charged: on what, when, and what a round costs."""
    fees = book.fees
    if fees is None:
        return None
    terms = book.betting.wagers.values()
    required = [
        min(row.fee for row in each.ranges) for each in terms if each.required and each.ranges
    ]
    most = [max(row.fee + row.reserve_fee for row in each.ranges) for each in terms if each.ranges]
    return FeeSchedule(
        per=fees.fee_per,
        charged=f"{fees.charged.words}, by {fees.charged.by}",
        collect=fees.collect,
        least=sum(required),
        most=sum(most),
        rates=[*posted_rates(fees)],
    )
