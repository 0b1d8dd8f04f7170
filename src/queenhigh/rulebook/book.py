"""A rulebook ready for use: frozen, complete, and small enough to read as arrays.

Everything that plays, settles, counts or samples a game reads these values and no others.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from queenhigh.cards import HAND_CLASSES, Ranking, ranking
from queenhigh.game import Game, GameRound, Line
from queenhigh.hashing import document_digest
from queenhigh.money import Pays
from queenhigh.rulebook.fact_words import (
    limits_words,
    schedule_words,
    settlement_words,
)
from queenhigh.rulebook.fees import Fees, Rate
from queenhigh.rulebook.schema import GameDocument
from queenhigh.rulebook.terms import BettingTerms, poker_terms
from queenhigh.rulebook.wording import has_shipped_words

__all__ = [
    "AnteBonus",
    "AnyGame",
    "Assumption",
    "Bank",
    "Cell",
    "Clause",
    "Fees",
    "Games",
    "Irregularities",
    "Limits",
    "PokerRulebook",
    "Rate",
    "Rulebook",
    "SideBet",
    "own_game",
]


class _Numbered(Protocol):
    @property
    def seat(self) -> int: ...


SeatT = TypeVar("SeatT", bound=_Numbered)

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


class Irregularities(NamedTuple):
    """The consequences of irregularities in a round (IR-1 to IR-3)."""

    misdeal: Literal["void", "redeal"] = "void"
    exposed_player: Literal["play_on", "void_hand"] = "play_on"
    exposed_dealer: Literal["void", "play_on"] = "void"


@dataclass(frozen=True, kw_only=True, eq=False)
class Rulebook:
    """What every rulebook has."""

    name: str
    title: str
    version: str
    source: str
    clauses: tuple[Clause, ...] = field(repr=False)
    assumptions: tuple[Assumption, ...] = field(repr=False)
    #: The rulebook as it was written, checked, in plain JSON values.
    document: Mapping[str, Any] = field(repr=False)
    #: The digest of the meaning: what moves money, not words, their order or a name.
    rules_digest: str
    #: The game that plays by this rulebook.
    game: "AnyGame" = field(repr=False)
    #: How a player's finite bank covers the table; ``None`` where the house banks.
    bank: "Bank | None" = None
    #: The collection schedule; ``None`` where no fees are charged.
    fees: Fees | None = None
    #: What follows when a round goes wrong; ``None`` in games without such rules.
    irregularities: Irregularities | None = None
    #: Keys that a fact speaks of beside those that it names.
    fact_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    #: The keys that were given other values than the file has.
    changes: Mapping[str, object] = field(repr=False, default_factory=dict)

    @cached_property
    def digest(self) -> str:
        """The digest of the document, by which commitments, views and proofs name it."""
        return document_digest(self.document)

    @cached_property
    def is_custom(self) -> bool:
        """Whether this is a custom rulebook: its name or its words were never shipped."""
        return not has_shipped_words(self.document)

    @cached_property
    def betting(self) -> BettingTerms:
        """The limits and fees of each wager."""
        raise NotImplementedError(f"the rulebook {self.name} has no betting terms")

    @property
    def all_pays(self) -> tuple[Pays, ...]:
        """Every payout that there is beside even money."""
        return ()

    @property
    def most_winners(self) -> int:
        """How many wagers of one player could win in a round."""
        return max(1, len(self.betting.wagers))

    @property
    def holds_bets(self) -> bool:
        """Return whether a round may hold bets over to the next one."""
        return False

    def fact(self, clause: str, name: str) -> str | None:
        """Return a fact that the text of a clause may name as ``{name}``, in words."""
        return None

    @property
    def notice_seconds(self) -> int | None:
        """How long a change of fees or limits is announced before it holds (CA-6), if at all.

        It is about changing the rules and not part of their meaning, so the digest leaves it out.
        """
        seconds: int | None = (self.document.get("fees") or {}).get("notice_seconds")
        return seconds

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


#: A game as its users know it: a rulebook goes only to the game that it carries.
AnyGame: TypeAlias = Game[Rulebook, GameRound, GameDocument, Line]
#: Games by their names in rulebook files.
Games: TypeAlias = Mapping[str, AnyGame]


def own_game(book: Rulebook) -> Games:
    """Return the only game that another rulebook in the place of this one may be of."""
    return {book.game.name: book.game}


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
    """The bonus of the Ante on a strong hand, also when it loses."""

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
    settle_order: Literal["seat", "wager", "bonus_first"] = "seat"
    fold_uncovered: Literal["returned", "lost"] = "returned"


@dataclass(frozen=True, kw_only=True, eq=False)
class PokerRulebook(Rulebook):
    """Three Card Poker, banked by a player or the house."""

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
    irregularities: Irregularities
    fact_keys: ClassVar[Mapping[str, tuple[str, ...]]] = {"settlement": ("short_ante", "tie")}
    #: Whether a maximum holds for each wager, or for all wagers of a seat together (HO-1).
    limits_scope: Literal["each", "total"] = "each"

    @cached_property
    def betting(self) -> BettingTerms:
        """The limits and fees of each wager."""
        return poker_terms(
            self.limits,
            self.fees,
            increment=self.increment,
            ante_required=self.ante_required,
            together=self.limits["ante"].max if self.limits_scope == "total" else None,
        )

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

    @property
    def all_pays(self) -> tuple[Pays, ...]:
        """The payouts of side bets and of the Ante bonus."""
        return tuple(pays for table in self._pay_tables for pays in table if pays is not None)

    @property
    def most_winners(self) -> int:
        """The Ante, Play, and whatever has a pay table."""
        return 2 + len(self._pay_tables)

    @property
    def _pay_tables(self) -> list[tuple[Pays | None, ...]]:
        bonus = [self.ante_bonus.pays] if self.ante_bonus else []
        return [*(bet.pays for bet in self.side_bets), *bonus]

    def case(self, strength: int, dealer: int) -> int:
        """Return the case of a player's strength against the dealer's: an index of ``cells``."""
        level = 4 if dealer >= self.qualifying_strength else 1
        return level + (strength > dealer) - (strength < dealer)

    def level_case(self, dealer: int) -> int:
        """Return the case of a player level with a dealer; behind is before it, ahead after."""
        return self.case(dealer, dealer)

    def in_action_order(self, seats: Iterable[SeatT], first: int) -> list[SeatT]:
        """Return seats in the order of action, which starts at ``first`` (CA-22)."""
        places = self.seats
        return sorted(seats, key=lambda seat: (seat.seat - first) % places)

    @cached_property
    def side_pays(self) -> tuple[tuple[Pays | None, ...], ...]:
        """The payout of each side bet, by strength."""
        return tuple(self.by_strength(bet.pays) for bet in self.side_bets)

    @cached_property
    def ante_bonus_pays(self) -> tuple[Pays | None, ...]:
        """The payout of the ante bonus, by strength."""
        table = self.ante_bonus.pays if self.ante_bonus else (None,) * len(HAND_CLASSES)
        return self.by_strength(table)

    def fact(self, clause: str, name: str) -> str | None:
        """Return what the cases of a clause do, the schedule of fees, or the limits of a wager."""
        table, wager, end = [*name.split("."), "", ""][:3]
        if table == "limits" and wager in self.limits:
            return limits_words(*self.limits[wager][:2], end)
        if name == "fees.rates" and self.fees:
            return schedule_words(self.fees)
        if name != "settlement" or all(cell.clause != clause for cell in self.cells):
            return None
        dealer = "Player/Dealer" if self.banker == "player" else "dealer"
        own = [(cell.ante, cell.play) if cell.clause == clause else None for cell in self.cells]
        return settlement_words(own, dealer)

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
