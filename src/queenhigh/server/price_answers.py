"""What is answered over HTTP about rules and odds, as types. The workers write it as JSON."""

from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from queenhigh.game import Move
from queenhigh.table.commands import Settings
from queenhigh.table.posted import PostedRate

__all__ = [
    "Advice",
    "DifferenceLine",
    "Drill",
    "FeeSchedule",
    "Figure",
    "Odds",
    "RulebookLine",
    "Rules",
    "StakeRangeLine",
    "Strategy",
    "TableRules",
]

#: An exact figure: a fraction in lowest terms, as text.
Figure = Annotated[str, Meta(pattern=r"^-?[0-9]+(/[0-9]+)?$")]


class RulebookLine(Struct, frozen=True):
    """What a rulebook is called."""

    name: str
    title: str
    version: str
    digest: str
    rules_digest: str
    game: str


class AssumptionLine(Struct, frozen=True):
    """What a document leaves open, how the rulebook reads it, and the other readings."""

    clause: str
    says: str
    key: str | None
    value: Any
    others: list[Any]


class ClauseLine(Struct, frozen=True):
    """A clause in a patron's words, as this rulebook reads it, and the keys it governs."""

    id: str
    text: str
    keys: list[str]


class SettlementLine(Struct, frozen=True):
    """A case of the settlement table in words: the dealer's hand, yours, and what happens."""

    dealer: str
    hand: str
    ante: str
    play: str
    clause: str


class SpotLine(Struct, frozen=True):
    """A bet that a wheel offers."""

    spot: str
    bet: str
    pockets: list[str]
    pays: str
    clause: str


class StakeRangeLine(Struct, frozen=True):
    """Stakes in cents, the fee for one of them, and the fee of the move to come."""

    min: int
    max: int
    fee: int
    reserve_fee: int


class WagerTermsLine(Struct, frozen=True):
    """What a wager may be; a move to come takes ``reserve`` times its stake."""

    increment: int
    required: bool
    reserve: int
    min: int
    max: int
    ranges: list[StakeRangeLine]


class BankerFeeLine(Struct, frozen=True):
    """The least and the most that the banker is charged for a round."""

    least: int
    most: int


class BettingTermsLine(Struct, frozen=True):
    """What wagers cost; ``any`` are the terms of every spot on a wheel.

    ``together`` is the most that all wagers of a place may come to before the deal.
    """

    least_stack: int
    most_wagers: int
    banker_fee: BankerFeeLine
    together: int | None
    wagers: dict[str, WagerTermsLine]
    any: WagerTermsLine | None


class Rules(RulebookLine, frozen=True, kw_only=True):
    """A rulebook: its document, what it assumes, and what could be chosen."""

    changes: dict[str, Any]
    clauses: list[ClauseLine]
    assumptions: list[AssumptionLine]
    line: str
    choices: dict[str, list[Any]]
    defaults: dict[str, str | int | bool]
    betting: BettingTermsLine
    document: dict[str, Any]
    #: Of Three Card Poker.
    settlement: list[SettlementLine] | UnsetType = UNSET
    #: Of a wheel.
    pockets: list[str] | UnsetType = UNSET
    spots: list[SpotLine] | UnsetType = UNSET


class DifferenceLine(Struct, frozen=True):
    """What differs from the shipped rulebook: a key, a case or a text, and both values in words."""

    what: str
    label: str
    clauses: list[str]
    before: str
    after: str


class FeeSchedule(Struct, frozen=True):
    """The collection fees: what is charged on, when, and what a round costs a player in cents.

    ``least`` is the fee of the smallest hand that folds, ``most`` of the largest that plays.
    """

    per: str
    charged: str
    collect: Literal["before", "after"]
    least: int
    most: int
    rates: list[PostedRate]


class TableRules(Rules, frozen=True, kw_only=True):
    """The rules of a table: its own document, beside the shipped rulebook it is most like.

    ``digest`` is of the document; ``changes`` are the keys that make it of the shipped rulebook,
    the ``standard``. A game without one has no ``differences`` and ``shipped_edges``.
    """

    settings: Settings
    differences: list[DifferenceLine] | None
    standard: RulebookLine | None
    #: Whether it is a custom rulebook: its name or its words were never shipped.
    is_custom: bool
    schedule: FeeSchedule | None
    #: The exact edge of every bet, if they were asked for.
    edges: dict[str, Figure] | UnsetType = UNSET
    shipped_edges: dict[str, Figure] | UnsetType | None = UNSET


class BetLine(Struct, frozen=True):
    """The odds of a bet; ``distribution`` counts deals by what a unit gains."""

    ev: Figure
    edge: Figure
    element_of_risk: Figure
    sd: float
    skew: float
    win_rate: Figure
    push_rate: Figure
    lose_rate: Figure
    play_rate: Figure | None
    distribution: dict[str, int]


class Odds(Struct, frozen=True):
    """The exact odds of every bet of a rulebook."""

    rulebook: str
    digest: str
    rules_digest: str
    deals: int
    bets: dict[str, BetLine]


class RuleLine(Struct, frozen=True):
    """A line of the rule to remember."""

    up: str
    play_with: str


class ChartRow(Struct, frozen=True):
    """A line of the best chart, and the hands that it gets wrong."""

    up: str
    play_with: str
    also_play: list[str]
    but_fold: list[str]
    suits_decide: list[str]


class ClassGains(Struct, frozen=True):
    """What playing a class of hands is worth above folding, by up card."""

    hand: str
    worth: list[Figure]
    play_rates: list[Figure]


class StrategyMap(Struct, frozen=True):
    """What playing is worth above folding, by hand and up card: whole numbers over ``over``."""

    ups: list[str]
    hands: list[str]
    over: int
    gains: list[list[int]]
    suits: list[tuple[int, int, int, int]]
    classes: list[ClassGains]


class Strategy(Struct, frozen=True):
    """Best play, with its chart, its rule, and what each costs."""

    rulebook: str
    digest: str
    rules_digest: str
    ev: Figure
    sets: int
    played: int
    level: int
    suit_cells: int
    chart_cost: Figure
    rule_cost: Figure
    rule: list[RuleLine]
    chart: list[ChartRow]
    map: StrategyMap | None


class Lead(Struct, frozen=True):
    """How many of the dealer's hands leave the player behind, level or ahead."""

    behind: int
    level: int
    ahead: int


class Cases(Struct, frozen=True):
    """The dealer's hands, by the six cases of the settlement."""

    of: int
    short: Lead
    qualified: Lead


class Money(Struct, frozen=True):
    """What both moves are worth for all that is wagered, in cents."""

    play: Figure
    fold: Figure
    best: Move
    cost: Figure
    start: Figure


class Advice(Struct, frozen=True):
    """What both moves are worth with a hand, in units of the Ante."""

    play: Figure
    fold: Figure
    best: Move
    cost: Figure
    hands: Cases
    #: Where wagers were named.
    money: Money | UnsetType = UNSET


class DrillHand(Struct, frozen=True):
    """A hand to decide, with what both moves are worth."""

    hand: list[int]
    up: list[int]
    play: Figure
    fold: Figure
    best: Move
    cost: Figure
    hands: Cases


class Drill(Struct, frozen=True):
    """Hands to practise on."""

    rulebook: str
    digest: str
    rules_digest: str
    up: int
    deals: list[DrillHand]
