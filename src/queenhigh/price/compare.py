"""What a change of the rules does to the edge: one reading against another, one rulebook too."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from queenhigh.cards import HAND_CLASSES
from queenhigh.errors import IllegalRound, InvalidRulebook
from queenhigh.money import Pays
from queenhigh.price.odds import odds
from queenhigh.price.results import html_rows
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook, SideBet
from queenhigh.rulebook.load import vary
from queenhigh.rulebook.poker_checks import CASES

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

    def _repr_html_(self) -> str:
        return html_rows(
            {change.what: f"{change.before} → {change.after}" for change in self.changes}
        )


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
            changes = {**_ONLY_WITH.get(item.key, {}), str(item.key): other}
            try:
                other_edges = edges(vary(book, changes))
            except InvalidRulebook:
                other_edges = {}
            found.append(Reading(item.clause, item.says, item.key, other, False, other_edges))
    return tuple(found)


#: A reading that means something only under another is priced under that one.
_ONLY_WITH: dict[str | None, dict[str, object]] = {
    "zero.second_zero": {"zero.on_zero": "en_prison"}
}


def compare(one: Rulebook, other: Rulebook) -> Comparison:
    """Return what differs between two rulebooks of one game, and what each change does."""
    if isinstance(one, PokerRulebook) and isinstance(other, PokerRulebook):
        changes = tuple(_poker_changes(one, other))
    elif isinstance(one, RouletteRulebook) and isinstance(other, RouletteRulebook):
        changes = tuple(_roulette_changes(one, other))
    else:
        raise IllegalRound("rulebook.game", f"{one.name} and {other.name} are different games")
    name = f"{other.name}, changed" if other.changes else other.name
    return Comparison((one.name, name), edges(one), edges(other), changes)


_CASES = [f"dealer {dealer}, player {player}" for dealer, player in CASES]
#: What differs between two poker rulebooks, and the key whose clause says so.
_POKER = {
    "banker": "banker", "seats": "seats", "up": "up", "royal_flush": "royal_flush",
    "ace_low": "ace_low", "qualifier": "qualifier",
    "ante_bonus": "ante_bonus.pays", "increment": "increment", "limits": "",
    "bank": "bank.coverage", "fees": "fees.fee_per",
}  # fmt: skip


def _poker_changes(one: PokerRulebook, other: PokerRulebook) -> Iterator[Change]:
    yield from _cell_changes(one, other)
    yield from _side_bet_changes(one, other)
    for name, key in _POKER.items():
        mine, theirs = getattr(one, name), getattr(other, name)
        if _meaning(mine) != _meaning(theirs):
            clauses = tuple(c for book in (one, other) for c in _clauses(book, name, key))
            changed = edges(replace(one, **{name: theirs}))
            yield Change(name, tuple(dict.fromkeys(clauses)), *_differing(mine, theirs), changed)


def _cell_changes(one: PokerRulebook, other: PokerRulebook) -> Iterator[Change]:
    """Yield the cases that are settled otherwise, those of one clause together."""
    by_clause: dict[tuple[str, str], list[int]] = {}
    for at, (before, after) in enumerate(zip(one.cells, other.cells, strict=True)):
        if before[:2] != after[:2]:
            by_clause.setdefault((before.clause, after.clause), []).append(at)
    for clauses, places in by_clause.items():
        cells = tuple((other if at in places else one).cells[at] for at in range(len(one.cells)))
        yield Change(
            "; ".join(_CASES[at] for at in places),
            tuple(dict.fromkeys(clauses)),
            "; ".join(dict.fromkeys(_outcome(one.cells[at]) for at in places)),
            "; ".join(dict.fromkeys(_outcome(other.cells[at]) for at in places)),
            edges(replace(one, cells=cells)),
        )


def _side_bet_changes(one: PokerRulebook, other: PokerRulebook) -> Iterator[Change]:
    mine_by, theirs_by = ({bet.name: bet for bet in book.side_bets} for book in (one, other))
    for name in dict.fromkeys((*mine_by, *theirs_by)):
        mine, theirs = mine_by.get(name), theirs_by.get(name)
        if mine and theirs:
            yield from _one_side_bet(one, other, mine, theirs)
        elif mine:
            left = tuple(bet for bet in one.side_bets if bet is not mine)
            changed = edges(replace(one, side_bets=left))
            yield Change(name, (mine.clause,), "offered", "not offered", changed)
        elif theirs:
            changed = edges(replace(one, side_bets=(*one.side_bets, theirs)))
            yield Change(name, (theirs.clause,), "not offered", "offered", changed)


def _one_side_bet(
    one: PokerRulebook, other: PokerRulebook, mine: SideBet, theirs: SideBet
) -> Iterator[Change]:
    def with_bet(**parts: Any) -> Edges:
        changed = mine._replace(**parts)
        bets = tuple(changed if bet is mine else bet for bet in one.side_bets)
        return edges(replace(one, side_bets=bets))

    if mine.pays != theirs.pays:
        key = f"{mine.name}.pays"
        before, after = _differing_pays(mine.pays, theirs.pays)
        yield Change(key, other.governing(key), before, after, with_bet(pays=theirs.pays))
    if mine.lost_on_fold != theirs.lost_on_fold:
        key = f"{mine.name}.on_fold"
        before, after = ("lost" if bet.lost_on_fold else "settled" for bet in (mine, theirs))
        changed = with_bet(lost_on_fold=theirs.lost_on_fold)
        yield Change(key, other.governing(key), before, after, changed)


def _differing_pays(mine: Any, theirs: Any) -> tuple[str, str]:
    pairs = [(h, a, b) for h, a, b in zip(HAND_CLASSES, mine, theirs, strict=True) if a != b]
    return (
        ", ".join(f"{h} {a or 'loses'}" for h, a, _ in pairs),
        ", ".join(f"{h} {b or 'loses'}" for h, _, b in pairs),
    )


def _differing(mine: Any, theirs: Any) -> tuple[str, str]:
    """Write two values, only what differs where they have parts."""
    one, two = _meaning(mine), _meaning(theirs)
    if isinstance(one, dict) and isinstance(two, dict):
        keys = [key for key in one if one[key] != two.get(key)]
        keys += [key for key in two if key not in one]
        parts = [
            ", ".join(f"{key} {_text(side[key])}" for key in keys if key in side)
            for side in (one, two)
        ]
        return parts[0] or "none", parts[1] or "none"
    return _text(mine), _text(theirs)


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
    if _zero_rule(one) != _zero_rule(other):
        rule = other.zero if other.zero and other.zero.on_zero != "lose" else one.zero
        assert rule is not None
        clause = rule.la_partage if rule.on_zero == "la_partage" else rule.en_prison
        mine_rule, their_rule = (" ".join(_zero_rule(book)) for book in (one, other))
        changed = edges(replace(one, zero=other.zero))
        yield Change("on_zero", (clause,), mine_rule, their_rule, changed)
    keys = ("zeros", "limits.min", "limits.max", "increment")
    for key in keys:
        mine, theirs = _at(one, key), _at(other, key)
        if mine != theirs:
            yield Change(
                key, one.governing(key), _text(mine), _text(theirs), _varied(one, key, theirs)
            )
    mine_by, theirs_by = ({s.bet: s for s in book.spots.values()} for book in (one, other))
    for name in dict.fromkeys((*mine_by, *theirs_by)):
        mine, theirs = mine_by.get(name), theirs_by.get(name)
        if mine is None or theirs is None or mine.pays != theirs.pays:
            clauses = tuple(dict.fromkeys(spot.clause for spot in (mine, theirs) if spot))
            before, after = (f"pays {s.pays}" if s else "not offered" for s in (mine, theirs))
            yield Change(name, clauses, before, after, _paying(one, mine, theirs))


def _zero_rule(book: RouletteRulebook) -> tuple[str, ...]:
    """Return what becomes of an even-money bet on a zero, only as far as it means something."""
    zero = book.zero
    if zero is None or zero.on_zero == "lose":
        return ("lose",)
    return (zero.on_zero, zero.second_zero) if zero.on_zero == "en_prison" else (zero.on_zero,)


def _at(book: Rulebook, key: str) -> Any:
    value: Any = book.document
    for part in key.split("."):
        value = value.get(part) if value is not None else None
    return value


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
