"""The effect of other rules on the edge: of another reading, or of another rulebook."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction

from queenhigh.errors import IllegalRound, InvalidRulebook
from queenhigh.price.differences import Difference, word_differences
from queenhigh.price.games import pricing_of
from queenhigh.price.odds import edges
from queenhigh.price.results import html_rows
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import vary
from queenhigh.rulebook.overrides import value_at

__all__ = ["Change", "Comparison", "Edges", "Reading", "compare", "readings"]

Edges = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two rulebooks, and the edges of the first with it alone.

    ``what`` is the key that differs, or the cases of the settlement table; ``before`` and ``after``
    are its values, ``None`` where a rulebook has no such thing.
    """

    what: str
    clauses: tuple[str, ...]
    before: object
    after: object
    edges: Edges


@dataclass(frozen=True, slots=True)
class Reading:
    """An assumption read one way: the edge of every bet. No edges where it cannot stand alone.

    ``under`` are the values of other keys that the edges assume, where the reading means nothing
    under the rulebook's own.
    """

    clause: str
    says: str
    key: str | None
    value: object
    is_default: bool
    edges: Edges
    under: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rulebooks, their edges, and each change on its own."""

    names: tuple[str, str]
    before: Edges
    after: Edges
    changes: tuple[Change, ...]

    def _repr_html_(self) -> str:
        return html_rows({change.what: ", ".join(change.clauses) for change in self.changes})


def readings(book: Rulebook) -> tuple[Reading, ...]:
    """Return every assumption under each of its readings."""
    base = edges(book)
    listed: list[Reading] = []
    for item in book.assumptions:
        listed.append(Reading(item.clause, item.says, item.key, item.value, True, base))
        for other in item.others:
            under = _needed(book, item.key)
            if str(item.key).startswith(_NEVER_PRICED):
                listed.append(Reading(item.clause, item.says, item.key, other, False, base))
                continue
            try:
                other_edges = edges(vary(book, {**under, str(item.key): other}, under_law=False))
            except InvalidRulebook:
                other_edges = {}
            reading = Reading(item.clause, item.says, item.key, other, False, other_edges, under)
            listed.append(reading)
    return tuple(listed)


#: What follows when a round goes wrong has no part in the edge.
_NEVER_PRICED = "irregularities."


def _needed(book: Rulebook, key: str | None) -> dict[str, object]:
    """Return the values that other keys must have, and do not have, for a reading to matter."""
    needed = _ONLY_WITH.get(key, {})
    return {key: value for key, value in needed.items() if value_at(book.document, key) != value}


#: A reading that means something only under another is priced under that one.
_ONLY_WITH: dict[str | None, dict[str, object]] = {
    "zero.second_zero": {"zero.on_zero": "en_prison"}
}


def compare(one: Rulebook, other: Rulebook) -> Comparison:
    """Return what differs between two rulebooks of one game, and what each change does."""
    if one.document["game"] != other.document["game"]:
        raise IllegalRound("rulebook.game", f"{one.name} and {other.name} are different games")
    differences = (*pricing_of(one).differences(one, other), *word_differences(one, other))
    changes = tuple(map(_priced, differences))
    name = f"{other.name}, changed" if other.changes else other.name
    return Comparison((one.name, name), edges(one), edges(other), changes)


def _priced(difference: Difference) -> Change:
    """Return a difference with the edges that it leads to on its own."""
    alone = {} if difference.alone is None else edges(difference.alone)
    return Change(difference.what, difference.clauses, difference.before, difference.after, alone)
