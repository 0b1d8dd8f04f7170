"""What a change of the rules does to the edge: one reading against another, one rulebook too."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from queenhigh.errors import IllegalRound, InvalidRulebook
from queenhigh.price.differences import Change, Edges, edges, poker_changes, roulette_changes
from queenhigh.price.results import html_rows
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.rulebook.changes import value_at
from queenhigh.rulebook.load import vary

__all__ = ["Change", "Comparison", "Edges", "Reading", "compare", "edges", "readings"]


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
    found: list[Reading] = []
    for item in book.assumptions:
        found.append(Reading(item.clause, item.says, item.key, item.value, True, base))
        for other in item.others:
            under = _needed(book, item.key)
            try:
                other_edges = edges(vary(book, {**under, str(item.key): other}))
            except InvalidRulebook:
                other_edges = {}
            reading = Reading(item.clause, item.says, item.key, other, False, other_edges, under)
            found.append(reading)
    return tuple(found)


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
    if isinstance(one, PokerRulebook) and isinstance(other, PokerRulebook):
        changes = tuple(poker_changes(one, other))
    elif isinstance(one, RouletteRulebook) and isinstance(other, RouletteRulebook):
        changes = tuple(roulette_changes(one, other))
    else:
        raise IllegalRound("rulebook.game", f"{one.name} and {other.name} are different games")
    name = f"{other.name}, changed" if other.changes else other.name
    return Comparison((one.name, name), edges(one), edges(other), changes)
