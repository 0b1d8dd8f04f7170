"""The differences between two rulebooks of a game, with their clauses, not yet priced."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from queenhigh.cards import HAND_CLASSES
from queenhigh.errors import InvalidRulebook
from queenhigh.money import Pays
from queenhigh.rulebook.book import AnteBonus, Bank, Fees, PokerRulebook, Rulebook, SideBet
from queenhigh.rulebook.load import in_words_of, vary
from queenhigh.rulebook.overrides import value_at
from queenhigh.rulebook.poker_checks import CASES
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.rulebook.wording import other_clauses

__all__ = [
    "DIFFERENCES",
    "Difference",
    "poker_differences",
    "roulette_differences",
    "word_differences",
]


@dataclass(frozen=True, slots=True)
class Difference:
    """One difference between two rulebooks of a game.

    ``what`` is the key that differs, or the cases of the settlement table; ``before`` and ``after``
    are its values, ``None`` where a rulebook has no such thing. ``alone`` is the first rulebook
    with only this changed, ``None`` where that would be no rulebook.
    """

    what: str
    clauses: tuple[str, ...]
    before: object
    after: object
    alone: Rulebook | None


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
#: Tables that a rulebook may lack, with their keys; a pay table counts as one key.
_TABLES = {
    "ante_bonus": {"paid_on_fold": "on_fold", "pays": "pays"},
    "bank": {
        "coverage": "coverage", "settle_order": "settle_order", "fold_uncovered": "fold_uncovered",
        "first": "first", "rotation": "rotation",
    },
    "fees": {
        "max_rates": "max_rates", "fee_per": "fee_per", "collect": "collect", "rates": "rates",
    },
    "irregularities": {
        "misdeal": "misdeal", "exposed_player": "exposed_player",
        "exposed_dealer": "exposed_dealer",
    },
}  # fmt: skip


def poker_differences(base: PokerRulebook, other: PokerRulebook) -> Iterator[Difference]:
    """Yield what differs between two rulebooks of Three Card Poker."""
    yield from _cell_differences(base, other)
    yield from _side_bet_differences(base, other)
    for name, key in _PLAIN.items():
        mine, theirs = getattr(base, name), getattr(other, name)
        if mine != theirs:
            clauses = _once(base.governing(key), other.governing(key))
            yield Difference(key, clauses, mine, theirs, replace(base, **{name: theirs}))
    yield from _limit_differences(base, other)
    for table in _TABLES:
        yield from _table_differences(base, other, table)


def _cell_differences(base: PokerRulebook, other: PokerRulebook) -> Iterator[Difference]:
    """Yield the cases that are settled otherwise, those of one clause together."""
    by_clause: dict[tuple[str, str], list[int]] = {}
    for case, (before, after) in enumerate(zip(base.cells, other.cells, strict=True)):
        if before[:2] != after[:2]:
            by_clause.setdefault((before.clause, after.clause), []).append(case)
    for clauses, cases in by_clause.items():
        pairs = enumerate(zip(base.cells, other.cells, strict=True))
        cells = tuple(theirs if case in cases else mine for case, (mine, theirs) in pairs)
        yield Difference(
            "; ".join(_CASES[case] for case in cases),
            _once(clauses),
            "; ".join(dict.fromkeys(_outcome(base.cells[case]) for case in cases)),
            "; ".join(dict.fromkeys(_outcome(other.cells[case]) for case in cases)),
            replace(base, cells=cells),
        )


def _outcome(cell: Any) -> str:
    words = {1: "win", 0: "push", -1: "lose"}
    ante, play = words[cell.ante], words[cell.play]
    if ante == play:
        return f"Ante and Play {ante}"
    return f"Ante {_third_person(ante)}, Play {_third_person(play)}"


def _third_person(verb: str) -> str:
    return f"{verb}es" if verb == "push" else f"{verb}s"


def _side_bet_differences(base: PokerRulebook, other: PokerRulebook) -> Iterator[Difference]:
    mine_by, theirs_by = ({bet.name: bet for bet in book.side_bets} for book in (base, other))
    for name in dict.fromkeys((*mine_by, *theirs_by)):
        mine, theirs = mine_by.get(name), theirs_by.get(name)
        if mine and theirs:
            yield from _side_bet_keys(base, other, mine, theirs)
        elif mine:
            left = tuple(bet for bet in base.side_bets if bet is not mine)
            changed = replace(base, side_bets=left)
            yield Difference(name, (mine.clause,), "offered", "not offered", changed)
        elif theirs:
            changed = replace(base, side_bets=(*base.side_bets, theirs))
            yield Difference(name, (theirs.clause,), "not offered", "offered", changed)


def _side_bet_keys(
    base: PokerRulebook, other: PokerRulebook, mine: SideBet, theirs: SideBet
) -> Iterator[Difference]:
    def with_bet(**parts: Any) -> Rulebook:
        changed = mine._replace(**parts)
        bets = tuple(changed if bet is mine else bet for bet in base.side_bets)
        return replace(base, side_bets=bets)

    if mine.pays != theirs.pays:
        key = f"{mine.name}.pays"
        before, after = _differing_pays(mine.pays, theirs.pays)
        yield Difference(key, other.governing(key), before, after, with_bet(pays=theirs.pays))
    if mine.lost_on_fold != theirs.lost_on_fold:
        key = f"{mine.name}.on_fold"
        before, after = ("forfeit" if bet.lost_on_fold else "resolve" for bet in (mine, theirs))
        changed = with_bet(lost_on_fold=theirs.lost_on_fold)
        yield Difference(key, other.governing(key), before, after, changed)


_PayTable = tuple[Pays | None, ...]


def _differing_pays(mine: _PayTable, theirs: _PayTable) -> tuple[object, object]:
    """Return two pay tables, only what differs between them."""
    hands = [hand for hand in range(len(HAND_CLASSES)) if mine[hand] != theirs[hand]]
    before, after = ({HAND_CLASSES[hand]: pays[hand] for hand in hands} for pays in (mine, theirs))
    return before, after


def _limit_differences(base: PokerRulebook, other: PokerRulebook) -> Iterator[Difference]:
    """Yield other limits for wagers that both offer."""
    for name, mine in base.limits.items():
        theirs = other.limits.get(name, mine)
        if mine[:2] != theirs[:2]:
            changed = replace(base, limits={**base.limits, name: theirs})
            clauses = _once([mine.clause, theirs.clause])
            yield Difference(f"limits.{name}", clauses, mine, theirs, changed)
    if base.limits_scope != other.limits_scope:
        changed = replace(base, limits_scope=other.limits_scope)
        clauses = _once([book.limits["ante"].clause for book in (base, other)])
        yield Difference("limits.scope", clauses, base.limits_scope, other.limits_scope, changed)


def _table_differences(
    base: PokerRulebook, other: PokerRulebook, table: str
) -> Iterator[Difference]:
    """Yield the keys of a table that differ, or that only one rulebook has the table."""
    mine, theirs = getattr(base, table), getattr(other, table)
    if mine is None or theirs is None:
        if mine is not theirs:
            clauses = _once(_clauses_of(base, table), _clauses_of(other, table))
            yield Difference(table, clauses, mine, theirs, replace(base, **{table: theirs}))
        return
    for name, end in _TABLES[table].items():
        before, after = getattr(mine, name), getattr(theirs, name)
        if _meaning(before) != _meaning(after):
            changed = replace(base, **{table: mine._replace(**{name: after})})
            clauses = _once(*(_key_clauses(book, f"{table}.{end}") for book in (base, other)))
            if name == "pays":
                before, after = _differing_pays(before, after)
            yield Difference(f"{table}.{end}", clauses, before, after, changed)


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


def roulette_differences(base: RouletteRulebook, other: RouletteRulebook) -> Iterator[Difference]:
    """Yield what differs between two rulebooks of roulette."""
    if _zero_rule(base) != _zero_rule(other):
        clause = _zero_clause(other) or _zero_clause(base)
        changed = replace(base, zero=other.zero)
        yield Difference("on_zero", clause, _zero_rule(base), _zero_rule(other), changed)
    for key in ("zeros", "limits.min", "limits.max", "increment"):
        mine, theirs = (value_at(book.document, key) for book in (base, other))
        if mine != theirs:
            clauses = _once(base.governing(key), other.governing(key))
            yield Difference(key, clauses, mine, theirs, _varied(base, key, theirs))
    mine_by, theirs_by = ({s.bet: s for s in book.spots.values()} for book in (base, other))
    for name in dict.fromkeys((*mine_by, *theirs_by)):
        mine, theirs = mine_by.get(name), theirs_by.get(name)
        if mine is None or theirs is None or mine.pays != theirs.pays:
            clauses = _once([spot.clause for spot in (mine, theirs) if spot])
            before, after = (f"pays {s.pays}" if s else "not offered" for s in (mine, theirs))
            yield Difference(name, clauses, before, after, _paying(base, mine, theirs))


def _zero_rule(book: RouletteRulebook) -> tuple[str, ...]:
    """Return what becomes of an even-money bet on a zero, only as far as it means something."""
    zero = book.zero
    if zero is None or zero.on_zero == "lose":
        return ("lose",)
    return (zero.on_zero, zero.second_zero) if zero.on_zero == "en_prison" else (zero.on_zero,)


def _zero_clause(book: RouletteRulebook) -> tuple[str, ...]:
    """Return the clause by which a zero is lenient to even-money bets, if there is one."""
    zero = book.zero
    if zero is None or zero.on_zero == "lose":
        return ()
    return (zero.la_partage if zero.on_zero == "la_partage" else zero.en_prison,)


def _varied(book: RouletteRulebook, key: str, value: Any) -> Rulebook | None:
    try:
        return vary(book, {key: value}, under_law=False)
    except InvalidRulebook:
        return None


def _paying(book: RouletteRulebook, mine: Any, theirs: Any) -> Rulebook | None:
    if mine is None or theirs is None:
        return None
    spots = {
        text: spot._replace(pays=theirs.pays) if spot.bet == mine.bet else spot
        for text, spot in book.spots.items()
    }
    return replace(book, spots=spots)


# Words


def word_differences(base: Rulebook, other: Rulebook) -> Iterator[Difference]:
    """Yield what two rulebooks say otherwise where they mean the same, unless both are shipped."""
    if base.is_custom or other.is_custom:
        yield from _text_differences(base, other)
    elif base.name != other.name:
        return
    for place, clause, before in other_clauses(other.document, base.document):
        if base.name == other.name or before is not None:
            yield Difference(".".join(map(str, place)), (clause,), before, clause, base)


def _text_differences(base: Rulebook, other: Rulebook) -> Iterator[Difference]:
    own, as_base = (_texts(in_words_of(other, words)) for words in (other, base))
    lacking = _texts(in_words_of(base, base))
    for what in dict.fromkeys((*own, *lacking)):
        before = as_base.get(what, lacking[what]) if what in lacking else None
        if before != own.get(what):
            clause = what.rpartition(".")[2]
            yield Difference(what, (clause,), before, own.get(what), base)
    if base.name == other.name:
        for what in ("title", "source"):
            before, after = (book.document[what] for book in (base, other))
            if before != after:
                yield Difference(what, (), before, after, base)


def _texts(book: Rulebook) -> dict[str, str]:
    """Return the texts of clauses and assumptions by their clauses."""
    texts = {f"clauses.{clause.id}": clause.text for clause in book.clauses}
    for item in book.assumptions:
        what = f"assumptions.{item.clause}"
        texts[what] = f"{texts[what]} {item.says}" if what in texts else item.says
    return texts


#: By the game that a rulebook names. Each takes two rulebooks of this game only.
DIFFERENCES: Mapping[str, Callable[[Any, Any], Iterator[Difference]]] = {
    "three_card_poker": poker_differences,
    "roulette": roulette_differences,
}
