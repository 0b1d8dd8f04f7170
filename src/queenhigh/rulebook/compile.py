"""From a checked document to the frozen values that every part of the system reads."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, TypeVar, cast

from pydantic import BaseModel
from pydantic_core import to_jsonable_python

from queenhigh.cards import HAND_CLASSES
from queenhigh.money import Pays
from queenhigh.rulebook.book import (
    AnteBonus,
    AnyGame,
    Assumption,
    Bank,
    Cell,
    Clause,
    Irregularities,
    Limits,
    PokerRulebook,
    Rulebook,
    SideBet,
)
from queenhigh.rulebook.fees import KINDS, Fees, Rate, kind_of
from queenhigh.rulebook.poker_checks import CASES, rate_span
from queenhigh.rulebook.roulette_book import RouletteRulebook, Spot, ZeroRule
from queenhigh.rulebook.roulette_checks import covering
from queenhigh.rulebook.roulette_schema import RouletteDocument
from queenhigh.rulebook.schema import (
    GameDocument,
    PayTable,
    PokerDocument,
    RateRow,
    SettlementRow,
)
from queenhigh.rulebook.schema_paths import field_at, readings, value_of

__all__ = ["compile_poker", "compile_roulette", "header", "with_digest"]

Book = TypeVar("Book", bound=Rulebook)

#: Fields of rulebooks that older versions did not have: at these values a digest leaves them out.
_ADDED = {"limits_scope": "each", "irregularities": Irregularities()}
_OUTCOMES = {"win": 1, "push": 0, "lose": -1}


def header(document: GameDocument, game: object) -> dict[str, Any]:
    """Return the fields of every rulebook, from a document that passed every check and its game."""
    content = document.model_dump(mode="json", exclude_none=True)
    return {
        "game": cast("AnyGame", game),
        "name": document.name,
        "title": document.title,
        "version": document.version,
        "source": document.source,
        "clauses": tuple(Clause(row.id, row.text, row.keys) for row in document.clauses),
        "assumptions": tuple(
            Assumption(row.clause, row.says, row.key, *_reading(document, row.key))
            for row in document.assumptions
        ),
        "document": MappingProxyType(content),
        "rules_digest": "",
        "increment": document.increment,
        "increment_clause": document.increment_clause,
    }


def _reading(document: BaseModel, key: str | None) -> tuple[object, tuple[object, ...]]:
    """Return the value at a key and the other values that could stand there."""
    if key is None:
        return None, ()
    value = to_jsonable_python(value_of(document, key), exclude_none=True)
    _, info = field_at(type(document), tuple(key.split(".")))
    choices = readings(info.annotation) if info else ()
    return value, tuple(other for other in choices if other != value)


def with_digest(book: Book) -> Book:
    """Return a rulebook with the digest of its meaning."""
    return replace(book, rules_digest=_digest(book))


def _digest(book: Rulebook) -> str:
    """Return the hash of a rulebook's meaning: its game's fields, no prose, no order, no name."""
    meaning = {
        name: _plain(getattr(book, name))
        for name in (field.name for field in dataclasses.fields(book))
        if name in type(book).__annotations__ and getattr(book, name) != _ADDED.get(name, ...)
    }
    meaning["game"] = book.game.name
    canonical = json.dumps(meaning, sort_keys=True, separators=(",", ":"))
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        defaults = getattr(value, "_field_defaults", {})
        items = value._asdict().items()
        return {key: _plain(item) for key, item in items if item != defaults.get(key, ...)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


# Three Card Poker


def compile_poker(document: PokerDocument, game: object) -> PokerRulebook:
    """Return the rulebook that a document of Three Card Poker means."""
    limits = _limits(document)
    book = PokerRulebook(
        **header(document, game),
        banker=document.banker,
        seats=document.seats,
        up=document.up,
        royal_flush=document.royal_flush,
        ace_low=document.ace_low,
        qualifier=document.qualifier,
        cells=_cells(document),
        fold_clause=document.fold.clause,
        ante_clause=document.ante.clause,
        ante_required=document.ante.required,
        limits=limits,
        side_bets=_side_bets(document),
        ante_bonus=_ante_bonus(document),
        bank=_bank(document),
        fees=_fees(document, limits),
        limits_scope=document.limits.scope,
        irregularities=_irregularities(document),
    )
    return with_digest(book)


def _cells(document: PokerDocument) -> tuple[Cell, ...]:
    rows: dict[tuple[str, str], SettlementRow] = {
        (row.dealer, player): row for row in document.settlement for player in row.player
    }
    return tuple(_cell(document, rows[case], ahead=case[1] == "ahead") for case in CASES)


def _cell(document: PokerDocument, row: SettlementRow, *, ahead: bool) -> Cell:
    stated = {"short_ante": document.short_ante, "tie": document.tie}

    def outcome(word: str) -> int:
        word = stated.get(word) or word
        if word == "ahead":
            return 1 if ahead else 0
        return _OUTCOMES[word]

    return Cell(outcome(row.ante), outcome(row.play), row.clause)


def _pays(table: PayTable) -> tuple[Pays | None, ...]:
    return tuple(getattr(table, hand) for hand in HAND_CLASSES)


def _side_bets(document: PokerDocument) -> tuple[SideBet, ...]:
    tables = [("bonus", document.bonus), ("pair_plus", document.pair_plus)]
    return tuple(
        SideBet(
            name, table.clause, table.fold_clause, table.on_fold == "forfeit", _pays(table.pays)
        )
        for name, table in tables
        if table
    )


def _ante_bonus(document: PokerDocument) -> AnteBonus | None:
    table = document.ante_bonus
    if table is None:
        return None
    return AnteBonus(table.clause, table.on_fold == "pay", _pays(table.pays))


def _limits(document: PokerDocument) -> Mapping[str, Limits]:
    """Return the limits of each wager; one that pays a fee has the limits of the rates too."""
    limits: dict[str, Limits] = {}
    for name in ("ante", "bonus", "pair_plus"):
        table = getattr(document.limits, name)
        if table:
            limits[name] = Limits(table.min, table.max, table.clause)
        span = rate_span(document.fees, name)
        if span and document.fees and (table or name == "ante"):
            least, most = span
            own = limits.get(name, Limits(least, most, document.fees.clause))
            clause = own.clause if own.min >= least and own.max <= most else document.fees.clause
            limits[name] = Limits(max(own.min, least), min(own.max, most), clause)
    return MappingProxyType(limits)


def _bank(document: PokerDocument) -> Bank | None:
    table = document.bank
    return None if table is None else Bank(
        table.clause, table.unmatched_clause, table.coverage, table.first, table.rotation,
        table.settle_order, table.fold_uncovered,
    )  # fmt: skip


def _irregularities(document: PokerDocument) -> Irregularities:
    table = document.irregularities
    return Irregularities(table.misdeal, table.exposed_player, table.exposed_dealer)


def _fees(document: PokerDocument, limits: Mapping[str, Limits]) -> Fees | None:
    table = document.fees
    if not table:
        return None
    rates = sorted(
        (_rate(row, limits) for row in table.rates), key=lambda rate: (KINDS.index(rate.on), rate)
    )
    return Fees(table.clause, table.max_rates, table.fee_per, table.collect, tuple(rates))


def _rate(row: RateRow, limits: Mapping[str, Limits]) -> Rate:
    """Return a rate; one without a range covers every legal amount."""
    least, most = row.min, row.max
    if least is None or most is None:
        names = [name for name in limits if kind_of(name) == row.on] or ["ante"]
        least = min(limits[name].min for name in names)
        most = max(limits[name].max for name in names)
    return Rate(least, most, row.player, row.banker, row.clause, row.on)


# Roulette


def compile_roulette(document: RouletteDocument, game: object) -> RouletteRulebook:
    """Return the rulebook that a document of roulette means."""
    limits = document.limits
    book = RouletteRulebook(
        **header(document, game),
        zeros=document.zeros,
        limits=Limits(limits.min, limits.max, limits.clause),
        layout_clause=document.layout.clause,
        spots=MappingProxyType(
            {
                text: Spot(row.name.split()[0], covered, row.pays, row.clause)
                for row in document.bets
                for text, covered in covering(row, document.zeros).items()
            }
        ),
        aliases=MappingProxyType(
            {alias: row.name for row in document.bets for alias in row.aliases}
        ),
        refused=MappingProxyType({bet: row.clause for row in document.refused for bet in row.bets}),
        zero=_zero(document),
    )
    return with_digest(book)


def _zero(document: RouletteDocument) -> ZeroRule | None:
    table = document.zero
    if table is None:
        return None
    return ZeroRule(
        table.on_zero, table.second_zero, table.la_partage_clause, table.en_prison_clause
    )
