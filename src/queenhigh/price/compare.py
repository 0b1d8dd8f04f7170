"""What a change of the rules does to the edge: one reading against another, one rulebook too."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from queenhigh.errors import IllegalRound, InvalidRulebook
from queenhigh.money import Pays
from queenhigh.price.odds import odds
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.rulebook.load import vary

__all__ = ["Change", "Comparison", "Reading", "compare", "edges", "readings"]

Edges = Mapping[str, Fraction]


@dataclass(frozen=True, slots=True)
class Reading:
    """An assumption read one way: the edge of every bet. No edges where it cannot stand alone."""

    clause: str
    says: str
    key: str | None
    value: object
    is_default: bool
    edges: Edges


@dataclass(frozen=True, slots=True)
class Change:
    """One difference between two rulebooks, and the edges of the first with it alone."""

    what: str
    clauses: tuple[str, ...]
    before: str
    after: str
    edges: Edges


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two rulebooks, their edges, and each change on its own."""

    names: tuple[str, str]
    before: Edges
    after: Edges
    changes: tuple[Change, ...]


def edges(book: Rulebook) -> Edges:
    """Return the edge of every bet."""
    return {name: bet.edge for name, bet in odds(book).bets.items()}


def readings(book: Rulebook) -> tuple[Reading, ...]:
    """Return every assumption under each of its readings."""
    base = edges(book)
    found: list[Reading] = []
    for item in book.assumptions:
        found.append(Reading(item.clause, item.says, item.key, item.value, True, base))
        for other in item.others:
            try:
                other_edges = edges(vary(book, {str(item.key): other}))
            except InvalidRulebook:
                other_edges = {}
            found.append(Reading(item.clause, item.says, item.key, other, False, other_edges))
    return tuple(found)


def compare(one: Rulebook, other: Rulebook) -> Comparison:
    """Return what differs between two rulebooks of one game, and what each change does."""
    if isinstance(one, PokerRulebook) and isinstance(other, PokerRulebook):
        changes = tuple(_poker_changes(one, other))
    elif isinstance(one, RouletteRulebook) and isinstance(other, RouletteRulebook):
        changes = tuple(_roulette_changes(one, other))
    else:
        raise IllegalRound("rulebook.game", f"{one.name} and {other.name} are different games")
    return Comparison((one.name, other.name), edges(one), edges(other), changes)


_CASES = [
    f"dealer {dealer}, player {player}"
    for dealer in ("short", "qualified")
    for player in ("behind", "level", "ahead")
]
#: What differs between two poker rulebooks, and the key whose clause says so.
_POKER = {
    "banker": "banker", "seats": "seats", "up": "up", "royal_flush": "royal_flush",
    "ace_low": "ace_low", "qualifier": "qualifier", "side_bets": "",
    "ante_bonus": "ante_bonus.pays", "increment": "increment", "limits": "",
    "bank": "bank.coverage", "fees": "fees.fee_per",
}  # fmt: skip


def _poker_changes(one: PokerRulebook, other: PokerRulebook) -> Iterator[Change]:
    for at, (before, after) in enumerate(zip(one.cells, other.cells, strict=True)):
        if before[:2] != after[:2]:
            cells = (*one.cells[:at], after, *one.cells[at + 1 :])
            yield Change(
                _CASES[at],
                (before.clause, after.clause),
                _outcome(before),
                _outcome(after),
                edges(replace(one, cells=cells)),
            )
    for name, key in _POKER.items():
        mine, theirs = getattr(one, name), getattr(other, name)
        if _meaning(mine) != _meaning(theirs):
            clauses = tuple(c for book in (one, other) for c in _clauses(book, name, key))
            changed = replace(one, **{name: theirs})
            yield Change(
                name, tuple(dict.fromkeys(clauses)), _text(mine), _text(theirs), edges(changed)
            )


def _outcome(cell: Any) -> str:
    words = {1: "win", 0: "push", -1: "lose"}
    return f"Ante {words[cell.ante]}, Play {words[cell.play]}"


def _meaning(value: Any) -> Any:
    """Return a value without its clauses: another clause for the same thing is no change."""
    if isinstance(value, Mapping):
        return {key: _meaning(item) for key, item in value.items()}
    if isinstance(value, Pays):
        return value
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {
            key: _meaning(item)
            for key, item in value._asdict().items()
            if key not in ("clause", "fold_clause", "unmatched")
        }
    return tuple(map(_meaning, value)) if isinstance(value, tuple) else value


def _clauses(book: PokerRulebook, name: str, key: str) -> tuple[str, ...]:
    if name == "side_bets":
        return tuple(bet.clause for bet in book.side_bets)
    if name == "limits":
        return tuple(dict.fromkeys(limits.clause for limits in book.limits.values()))
    try:
        return book.governing(key)
    except KeyError:
        return ()


def _text(value: Any) -> str:
    if isinstance(value, Pays):
        return str(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_text(item)}" for key, item in value.items())
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        value = {k: v for k, v in _meaning(value).items() if v is not None}
        return ", ".join(f"{key} {_text(item)}" for key, item in value.items())
    if isinstance(value, tuple):
        return " ".join("-" if item is None else _text(item) for item in value)
    return "none" if value is None else str(value)


def _roulette_changes(one: RouletteRulebook, other: RouletteRulebook) -> Iterator[Change]:
    keys = ("zeros", "zero.on_zero", "zero.second_zero", "limits.min", "limits.max", "increment")
    for key in keys:
        mine, theirs = _at(one, key), _at(other, key)
        if mine != theirs:
            clauses = (one if key.split(".")[0] in one.document else other).governing(key)
            yield Change(key, clauses, _text(mine), _text(theirs), _varied(one, key, theirs))
    mine_by, theirs_by = ({s.bet: s for s in book.spots.values()} for book in (one, other))
    for name in dict.fromkeys((*mine_by, *theirs_by)):
        mine, theirs = mine_by.get(name), theirs_by.get(name)
        if mine is None or theirs is None or mine.pays != theirs.pays:
            clauses = tuple(dict.fromkeys(spot.clause for spot in (mine, theirs) if spot))
            before, after = (f"pays {s.pays}" if s else "not offered" for s in (mine, theirs))
            yield Change(name, clauses, before, after, _paying(one, mine, theirs))


def _at(book: Rulebook, key: str) -> Any:
    value: Any = book.document
    for part in key.split("."):
        value = value.get(part) if value is not None else None
    return "lose" if value is None and key.startswith("zero.") else value


def _varied(book: RouletteRulebook, key: str, value: Any) -> Edges:
    try:
        return edges(vary(book, {key: value}))
    except InvalidRulebook:
        return {}


def _paying(book: RouletteRulebook, mine: Any, theirs: Any) -> Edges:
    if mine is None or theirs is None:
        return {}
    spots = {
        text: spot._replace(pays=theirs.pays) if spot.bet == mine.bet else spot
        for text, spot in book.spots.items()
    }
    return edges(replace(book, spots=spots))
