"""What differs between two rulebooks of one game: each difference with its clauses and price."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from queenhigh.cards import HAND_CLASSES
from queenhigh.errors import InvalidRulebook
from queenhigh.money import Pays
from queenhigh.price.odds import odds
from queenhigh.rulebook.book import (
    AnteBonus,
    Bank,
    Fees,
    PokerRulebook,
    RouletteRulebook,
    Rulebook,
    SideBet,
)
from queenhigh.rulebook.changes import value_at
from queenhigh.rulebook.load import vary
from queenhigh.rulebook.poker_checks import CASES

__all__ = ["Change", "Edges", "edges", "poker_changes", "roulette_changes"]

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


def edges(book: Rulebook) -> Edges:
    """Return the edge of every bet."""
    return {name: bet.edge for name, bet in odds(book).bets.items()}


def _once(*clauses: Iterable[str]) -> tuple[str, ...]:
    """Return clauses in order, each once."""
    return tuple(dict.fromkeys(clause for some in clauses for clause in some))


# Three Card Poker

_CASES = [f"dealer {dealer}, player {player}" for dealer, player in CASES]
#: Keys that hold one value, by the name it has in a compiled rulebook.
_PLAIN = {
    "banker": "banker", "seats": "seats", "up": "up", "royal_flush": "royal_flush",
    "ace_low": "ace_low", "qualifier": "qualifier", "ante_required": "ante.required",
    "increment": "increment",
}  # fmt: skip
#: Tables that a rulebook may lack, with their keys; pay tables count as one.
_TABLES = {
    "ante_bonus": {"paid_on_fold": "on_fold", "pays": "pays"},
    "bank": {"coverage": "coverage", "first": "first", "rotation": "rotation"},
    "fees": {
        "max_rates": "max_rates", "fee_per": "fee_per", "collect": "collect", "rates": "rates",
    },
}  # fmt: skip


def poker_changes(one: PokerRulebook, other: PokerRulebook) -> Iterator[Change]:
    """Yield what differs between two rulebooks of Three Card Poker."""
    yield from _cell_changes(one, other)
    yield from _side_bet_changes(one, other)
    for name, key in _PLAIN.items():
        mine, theirs = getattr(one, name), getattr(other, name)
        if mine != theirs:
            clauses = _once(one.governing(key), other.governing(key))
            yield Change(key, clauses, mine, theirs, edges(replace(one, **{name: theirs})))
    yield from _limit_changes(one, other)
    for table in _TABLES:
        yield from _table_changes(one, other, table)


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
            _once(clauses),
            "; ".join(dict.fromkeys(_outcome(one.cells[at]) for at in places)),
            "; ".join(dict.fromkeys(_outcome(other.cells[at]) for at in places)),
            edges(replace(one, cells=cells)),
        )


def _outcome(cell: Any) -> str:
    words = {1: "win", 0: "push", -1: "lose"}
    return f"Ante {words[cell.ante]}, Play {words[cell.play]}"


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
        before, after = ("forfeit" if bet.lost_on_fold else "resolve" for bet in (mine, theirs))
        changed = with_bet(lost_on_fold=theirs.lost_on_fold)
        yield Change(key, other.governing(key), before, after, changed)


_PayTable = tuple[Pays | None, ...]


def _differing_pays(mine: _PayTable, theirs: _PayTable) -> tuple[object, object]:
    """Return two pay tables, only what differs between them."""
    hands = [hand for hand in range(len(HAND_CLASSES)) if mine[hand] != theirs[hand]]
    one, two = ({HAND_CLASSES[hand]: pays[hand] for hand in hands} for pays in (mine, theirs))
    return one, two


def _limit_changes(one: PokerRulebook, other: PokerRulebook) -> Iterator[Change]:
    """Yield other limits for wagers that both offer."""
    for name, mine in one.limits.items():
        theirs = other.limits.get(name, mine)
        if mine[:2] != theirs[:2]:
            changed = edges(replace(one, limits={**one.limits, name: theirs}))
            clauses = _once([mine.clause, theirs.clause])
            yield Change(f"limits.{name}", clauses, mine, theirs, changed)


def _table_changes(one: PokerRulebook, other: PokerRulebook, table: str) -> Iterator[Change]:
    """Yield the keys of a table that differ, or that only one rulebook has the table."""
    mine, theirs = getattr(one, table), getattr(other, table)
    if mine is None or theirs is None:
        if mine is not theirs:
            clauses = _once(_clauses_of(one, table), _clauses_of(other, table))
            yield Change(table, clauses, mine, theirs, edges(replace(one, **{table: theirs})))
        return
    for name, end in _TABLES[table].items():
        before, after = getattr(mine, name), getattr(theirs, name)
        if _meaning(before) != _meaning(after):
            changed = edges(replace(one, **{table: mine._replace(**{name: after})}))
            clauses = _once(*(_key_clauses(book, f"{table}.{end}") for book in (one, other)))
            if name == "pays":
                before, after = _differing_pays(before, after)
            yield Change(f"{table}.{end}", clauses, before, after, changed)


def _clauses_of(book: PokerRulebook, table: str) -> tuple[str, ...]:
    """Return the clauses of a table and of all its keys in order, if the rulebook has it."""
    held: AnteBonus | Bank | Fees | None = getattr(book, table)
    if held is None:
        return ()
    keys = [_key_clauses(book, f"{table}.{end}") for end in _TABLES[table].values()]
    own = [held.clause, held.unmatched] if isinstance(held, Bank) else [held.clause]
    named = _once(own, *keys)
    return tuple(clause.id for clause in book.clauses if clause.id in named)


def _key_clauses(book: PokerRulebook, key: str) -> tuple[str, ...]:
    """Return the clauses of a key; collection rates name their own too."""
    rates = book.fees.rates if book.fees and key == "fees.rates" else ()
    return _once(book.governing(key), [rate.clause for rate in rates])


def _meaning(value: Any) -> Any:
    """Return a value without its clauses: another clause for the same thing is no change."""
    if hasattr(value, "_asdict") and not isinstance(value, Pays):
        return {key: item for key, item in value._asdict().items() if key != "clause"}
    return tuple(map(_meaning, value)) if isinstance(value, tuple) else value


# Roulette


def roulette_changes(one: RouletteRulebook, other: RouletteRulebook) -> Iterator[Change]:
    """Yield what differs between two rulebooks of roulette."""
    if _zero_rule(one) != _zero_rule(other):
        rule = other.zero if other.zero and other.zero.on_zero != "lose" else one.zero
        assert rule is not None
        clause = rule.la_partage if rule.on_zero == "la_partage" else rule.en_prison
        changed = edges(replace(one, zero=other.zero))
        yield Change("on_zero", (clause,), _zero_rule(one), _zero_rule(other), changed)
    for key in ("zeros", "limits.min", "limits.max", "increment"):
        mine, theirs = (value_at(book.document, key) for book in (one, other))
        if mine != theirs:
            clauses = _once(one.governing(key), other.governing(key))
            yield Change(key, clauses, mine, theirs, _varied(one, key, theirs))
    mine_by, theirs_by = ({s.bet: s for s in book.spots.values()} for book in (one, other))
    for name in dict.fromkeys((*mine_by, *theirs_by)):
        mine, theirs = mine_by.get(name), theirs_by.get(name)
        if mine is None or theirs is None or mine.pays != theirs.pays:
            clauses = _once([spot.clause for spot in (mine, theirs) if spot])
            before, after = (f"pays {s.pays}" if s else "not offered" for s in (mine, theirs))
            yield Change(name, clauses, before, after, _paying(one, mine, theirs))


def _zero_rule(book: RouletteRulebook) -> tuple[str, ...]:
    """Return what becomes of an even-money bet on a zero, only as far as it means something."""
    zero = book.zero
    if zero is None or zero.on_zero == "lose":
        return ("lose",)
    return (zero.on_zero, zero.second_zero) if zero.on_zero == "en_prison" else (zero.on_zero,)


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
