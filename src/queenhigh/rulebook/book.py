"""A rulebook ready for use: frozen, complete, and small enough to read as arrays.

Everything that plays, settles, counts or samples a game reads these values and no others.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from queenhigh.cards import HAND_CLASSES, Ranking, ranking
from queenhigh.money import Pays
from queenhigh.wheel import pockets

__all__ = [
    "AnteBonus",
    "Assumption",
    "Bank",
    "Cell",
    "Clause",
    "Fees",
    "Limits",
    "PokerRulebook",
    "Rate",
    "RouletteRulebook",
    "Rulebook",
    "SideBet",
    "Spot",
    "ZeroRule",
]

_ROYAL = HAND_CLASSES.index("royal_flush")


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of the rules in a patron's words, and the keys it governs."""

    id: str
    text: str
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Assumption:
    """What the document leaves open and how this rulebook reads it.

    ``key`` is the rulebook key that holds the reading, with its ``value`` and the ``others``
    that could stand there; an assumption that no key can alter has none.
    """

    clause: str
    says: str
    key: str | None
    value: object
    others: tuple[object, ...]


@dataclass(frozen=True, kw_only=True, eq=False)
class Rulebook:
    """What every rulebook has. ``digest`` is of the meaning: prose and order do not count."""

    name: str
    title: str
    version: str
    source: str
    clauses: tuple[Clause, ...] = field(repr=False)
    assumptions: tuple[Assumption, ...] = field(repr=False)
    #: The rulebook as it was written, checked, in plain JSON values.
    document: Mapping[str, Any] = field(repr=False)
    digest: str
    #: The keys that were given other values than the file has.
    changes: Mapping[str, object] = field(repr=False, default_factory=dict)

    def governing(self, key: str) -> tuple[str, ...]:
        """Return the ids of the clauses that govern a key, or else of the table it stands in."""
        named = tuple(
            clause.id
            for clause in self.clauses
            if any(key == own or key.startswith(own + ".") for own in clause.keys)
        )
        if named:
            return named
        table: Any = self.document
        for part in key.split(".")[:-1]:
            table = table[int(part)] if isinstance(table, list) else table[part]
        return (table["clause"],) if "clause" in table else ()

    def __getstate__(self) -> dict[str, Any]:
        """Go to another process with plain dicts: a read-only view of one does not travel."""
        return {k: dict(v) if isinstance(v, MappingProxyType) else v for k, v in vars(self).items()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            vars(self)[name] = MappingProxyType(value) if isinstance(value, dict) else value


class Limits(NamedTuple):
    """The least and the most cents a wager may be, and the clause that says so."""

    min: int
    max: int
    clause: str


class Cell(NamedTuple):
    """One case of the settlement table: +1 win, 0 push, -1 lose, for each wager."""

    ante: int
    play: int
    clause: str


class SideBet(NamedTuple):
    """A bet on the player's own hand; ``pays`` is by hand class and ``None`` loses."""

    name: str
    clause: str
    fold_clause: str
    lost_on_fold: bool
    pays: tuple[Pays | None, ...]


class AnteBonus(NamedTuple):
    """What the Ante earns on a strong hand, whoever wins."""

    clause: str
    paid_on_fold: bool
    pays: tuple[Pays | None, ...]


class Bank(NamedTuple):
    """How a player's finite bank covers the table."""

    clause: str
    unmatched: str
    coverage: Literal["action", "net"]
    first: Literal["left", "button", "drawn"]
    rotation: Literal["two_rounds", "every_round", "free"]


class Rate(NamedTuple):
    """A collection rate: flat fees for wagers from ``min`` to ``max`` cents."""

    min: int
    max: int
    player: int
    banker: int
    clause: str


class Fees(NamedTuple):
    """The collection schedule, its rates in order of size."""

    clause: str
    max_rates: int
    fee_per: Literal["round", "wager"]
    collect: Literal["before", "after"]
    rates: tuple[Rate, ...]

    def rate(self, stake: int) -> Rate:
        """Return the rate a wager falls under; ``LookupError`` if there is none (CA-7)."""
        for rate in self.rates:
            if rate.min <= stake <= rate.max:
                return rate
        raise LookupError(stake)

    def covers(self, stake: int) -> bool:
        """Tell whether a wager falls under a rate at all."""
        try:
            return self.rate(stake) is not None
        except LookupError:
            return False


@dataclass(frozen=True, kw_only=True, eq=False)
class PokerRulebook(Rulebook):
    """Three Card Poker, whoever banks it."""

    game: Literal["three_card_poker"] = "three_card_poker"
    banker: Literal["player", "house"]
    seats: int
    increment: int
    increment_clause: str
    up: int
    royal_flush: bool
    ace_low: bool
    qualifier: str
    #: The six cases: dealer short then qualified, each with the player behind, level, ahead.
    cells: tuple[Cell, ...]
    fold_clause: str
    ante_clause: str
    ante_required: bool
    limits: Mapping[str, Limits]
    side_bets: tuple[SideBet, ...]
    ante_bonus: AnteBonus | None
    bank: Bank | None
    fees: Fees | None

    @cached_property
    def ranking(self) -> Ranking:
        """The order of hands under this rulebook."""
        return ranking(self.ace_low)

    @cached_property
    def qualifying_strength(self) -> int:
        """The least strength with which the dealer qualifies; 0 when any hand does."""
        if self.qualifier == "none":
            return 0
        if self.qualifier == "pair":
            return self.ranking.lowest("pair")
        return self.ranking.lowest("high_card", QUALIFYING_RANKS.index(self.qualifier))

    @cached_property
    def side_pays(self) -> tuple[tuple[Pays | None, ...], ...]:
        """What each side bet pays, by strength."""
        return tuple(self.by_strength(bet.pays) for bet in self.side_bets)

    @cached_property
    def ante_bonus_pays(self) -> tuple[Pays | None, ...]:
        """What the ante bonus pays, by strength."""
        table = self.ante_bonus.pays if self.ante_bonus else (None,) * len(HAND_CLASSES)
        return self.by_strength(table)

    def by_strength(self, pays: tuple[Pays | None, ...]) -> tuple[Pays | None, ...]:
        """Spread a pay table by hand class over the 741 strengths."""
        spread = [pays[kind] for kind in self.ranking.classes]
        if self.royal_flush and pays[_ROYAL]:
            spread[-1] = pays[_ROYAL]
        return tuple(spread)


#: The high-card hands a dealer may need, placed by rank; no hand is lower than five-high.
QUALIFYING_RANKS = (
    "", "", "", "five-high", "six-high", "seven-high", "eight-high", "nine-high", "ten-high",
    "jack-high", "queen-high", "king-high", "ace-high",
)  # fmt: skip


class Spot(NamedTuple):
    """One place to bet on the layout."""

    bet: str
    pockets: frozenset[str]
    pays: Pays
    clause: str

    @property
    def even_money(self) -> bool:
        """Tell whether a zero may treat this bet more gently (RO-21, RO-22)."""
        return self.pays == (1, 1)


class ZeroRule(NamedTuple):
    """What becomes of an even-money bet when the ball lands on a zero."""

    on_zero: Literal["lose", "la_partage", "en_prison"]
    second_zero: Literal["lose", "half", "stay"]
    la_partage: str
    en_prison: str

    @property
    def halves(self) -> bool:
        """Tell whether a stake may be split in two, and so must be even."""
        return self.on_zero == "la_partage" or (
            self.on_zero == "en_prison" and self.second_zero == "half"
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class RouletteRulebook(Rulebook):
    """A wheel and a list of bets."""

    game: Literal["roulette"] = "roulette"
    zeros: int
    increment: int
    increment_clause: str
    limits: Limits
    layout_clause: str
    #: Every legal bet by its plain text, numbers in order: ``"split 17 20"``.
    spots: Mapping[str, Spot]
    aliases: Mapping[str, str]
    #: Bets the rules leave out on purpose, with the clause that says so.
    refused: Mapping[str, str]
    zero: ZeroRule | None

    @cached_property
    def pockets(self) -> tuple[str, ...]:
        """The wheel's pockets, zeros first."""
        return pockets(self.zeros)

    @cached_property
    def places(self) -> Mapping[str, int]:
        """Each pocket's place in ``pockets``, by which the numbers of a bet are put in order."""
        return {pocket: place for place, pocket in enumerate(self.pockets)}
