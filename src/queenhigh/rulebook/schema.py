"""The shape of a rulebook file. Every key has an example: what to write when it is wrong."""

from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    PlainValidator,
    StrictBool,
    StrictInt,
    StringConstraints,
    WithJsonSchema,
)

from queenhigh.money import Pays, parse_pays
from queenhigh.rulebook.fees import FeePer

__all__ = ["ClauseRow", "GameDocument", "LawRow", "LimitsTable", "PokerDocument", "RulebookTable"]

Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
Words = Annotated[str, StringConstraints(max_length=2000)]
ClauseId = Annotated[
    str,
    StringConstraints(pattern=r"^[A-Z]{2,4}-[1-9][0-9]{0,2}$"),
    Field(examples=["CA-16"], description="The clause behind this row."),
]
Cents = Annotated[StrictInt, Field(ge=1, le=10**12)]
Fee = Annotated[StrictInt, Field(ge=0, le=10**9, json_schema_extra={"clause": "CA-4"})]
PaysText = Annotated[
    Pays,
    PlainValidator(parse_pays),
    PlainSerializer(str, return_type=str),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": "^[1-9][0-9]{0,6} to [1-9][0-9]{0,6}$"},
                {"type": "integer", "minimum": 1, "maximum": 9999999},
            ]
        },
        mode="validation",
    ),
    Field(examples=["3 to 1"], description='The pay: "3 to 1", or 3 for three to one.'),
]


def whole_number(value: Any) -> Any:
    """Keep 1.0 and true from passing for 1 where a few numbers are listed."""
    if type(value) is not int:
        raise ValueError("this is not a whole number")
    return value


Name = Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*$")]


def _added(default: Any, **parts: Any) -> Any:
    """Return a field that documents of older versions lack: at its default it is left out."""
    return Field(default=default, exclude_if=lambda value: value == default, **parts)


class RulebookTable(BaseModel):
    """A table of a rulebook file.

    A key that no change may set, though it holds no text, is marked as ``frozen``.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)


class ClauseRow(RulebookTable):
    """A clause of the rules."""

    id: Annotated[ClauseId, Field(description="Id of the clause, used to refer to it.")]
    text: Annotated[
        Text, Field(description="The text; {tie} stands for the value of that key.")
    ] = Field(examples=["Equal hands push."])
    keys: tuple[str, ...] = Field(
        default=(),
        max_length=99,
        examples=[["tie"]],
        description="Keys of this file that the clause governs.",
    )
    words: dict[str, dict[str, Words]] | None = Field(
        default=None,
        max_length=20,
        examples=[{"tie": {"push": "come back", "win": "win", "lose": "lose"}}],
        description="For a key: the words used in the text for each value.",
    )


class AssumptionRow(RulebookTable):
    """A point that the source leaves open, and the assumption made here."""

    clause: ClauseId
    says: Text = Field(
        examples=["The document does not say; equal hands push."], description="The assumption."
    )
    key: str | None = Field(
        default=None, examples=["tie"], description="The key that holds the assumption, if any."
    )


class LawRow(RulebookTable):
    """A limit set by the source; changed rules must stay within it."""

    key: str = Field(
        examples=["seats"],
        description="A key that holds a number, or a table with min and max.",
    )
    min: StrictInt | None = Field(default=None, examples=[1], description="Minimum value.")
    max: StrictInt | None = Field(default=None, examples=[10], description="Maximum value.")
    clause: ClauseId


class LimitsTable(RulebookTable):
    """The limits of a wager."""

    clause: ClauseId
    min: Cents = Field(examples=[100], description="Minimum bet in cents.")
    max: Cents = Field(examples=[10000], description="Maximum bet in cents.")


class GameDocument(RulebookTable):
    """What the rulebook file of every game has."""

    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")] = Field(
        examples=["my-table"], description="Short name: lowercase letters, digits, - and _."
    )
    title: Text = Field(examples=["My table"], description="Title shown to people.")
    version: Annotated[str, StringConstraints(pattern=r"^[0-9]+(\.[0-9]+){0,2}$")] = Field(
        examples=["1.0"], description="The author's version, as text."
    )
    source: Text = Field(
        examples=["Where these rules come from"], description="Where the rules come from."
    )
    increment: Annotated[StrictInt, Field(ge=1, le=10**9)] = Field(
        examples=[1], description="Every bet and limit is a multiple of this many cents."
    )
    increment_clause: ClauseId
    clauses: tuple[ClauseRow, ...] = Field(
        max_length=299, examples=[[]], description="The clauses.", frozen=True
    )
    assumptions: tuple[AssumptionRow, ...] = Field(
        default=(),
        max_length=299,
        examples=[[]],
        description="Points the source leaves open.",
        frozen=True,
    )
    law: tuple[LawRow, ...] = _added(
        (), max_length=99, description="The limits of the source.", frozen=True
    )


def _pay(meaning: str) -> Any:
    return Field(default=None, examples=["3 to 1"], description=meaning)


class PayTable(RulebookTable):
    """The pay of each hand class; classes that are not listed pay nothing."""

    royal_flush: PaysText | None = _pay("A-K-Q of one suit, if it is a separate class.")
    straight_flush: PaysText | None = _pay("Three in a row of one suit.")
    three_of_a_kind: PaysText | None = _pay("Three of one rank.")
    straight: PaysText | None = _pay("Three in a row.")
    flush: PaysText | None = _pay("Three of one suit.")
    pair: PaysText | None = _pay("Two of one rank.")
    high_card: PaysText | None = _pay("Anything less.")


class AnteTable(RulebookTable):
    """The Ante."""

    clause: ClauseId
    required: StrictBool = Field(examples=[True], description="Whether every seat must bet it.")


class FoldTable(RulebookTable):
    """Folding, which loses the Ante."""

    clause: ClauseId


class SideBetTable(RulebookTable):
    """A bet on the player's hand alone."""

    clause: ClauseId
    fold_clause: Annotated[ClauseId, Field(description="The clause that makes a fold lose it.")]
    on_fold: Literal["forfeit", "resolve"] = Field(
        description="After a fold: lost with the Ante, or still settled on the hand."
    )
    pays: PayTable = Field(description="Its pay table.")


class AnteBonusTable(RulebookTable):
    """A bonus on the Ante for strong hands, even if the Ante loses."""

    clause: ClauseId
    on_fold: Literal["forfeit", "pay"] = Field(description="After a fold: not paid, or paid.")
    pays: PayTable = Field(description="Its pay table.")


Outcome = Literal["win", "push", "lose", "short_ante", "tie"]


class SettlementRow(RulebookTable):
    """Cases of the showdown. All six must be covered, each by one row."""

    clause: ClauseId
    dealer: Literal["short", "qualified"] = Field(
        description="Below the qualifier, or not.", frozen=True
    )
    player: tuple[Literal["behind", "level", "ahead"], ...] = Field(
        max_length=3,
        examples=[["behind", "level", "ahead"]],
        description="The player's hand compared with the dealer's.",
        frozen=True,
    )
    ante: Outcome = Field(description="Result of the Ante; short_ante and tie refer to those keys.")
    play: Outcome = Field(description="Result of Play.")


class BankTable(RulebookTable):
    """The limited bank of a player-banked game."""

    clause: ClauseId
    unmatched_clause: Annotated[
        ClauseId, Field(description="The clause for a bet that gets no action at all.")
    ]
    coverage: Literal["action", "net"] = Field(
        description="The bank is used up by every amount won or lost, or only by its net losses."
    )
    first: Literal["left", "button", "drawn"] = Field(
        description="Where action starts: seat 1, one seat later each round, or a random seat."
    )
    rotation: Literal["two_rounds", "every_round", "free"] = Field(
        description="How long a player may bank while others want to."
    )
    settle_order: Literal["seat", "wager", "bonus_first"] = _added(
        "seat",
        description="Settled seat by seat, wager by wager, or seat by seat with side bets first.",
    )
    fold_uncovered: Literal["returned", "lost"] = _added(
        "returned",
        description="Folded bets beyond the rest of the bank: returned, or lost in full.",
    )


class RateRow(RulebookTable):
    """A collection rate: two flat fees for a range of wagers."""

    model_config = ConfigDict(json_schema_extra={"clause": "CA-4"})

    clause: ClauseId
    on: Literal["ante", "play", "bonus"] = _added(
        "ante", description='The kind of bet that pays, if fee_per = "kind".'
    )
    min: Cents | None = Field(
        default=None, examples=[500], description="Smallest bet of the range in cents."
    )
    max: Cents | None = Field(default=None, examples=[10000], description="Maximum bet in cents.")
    player: Fee = Field(examples=[100], description="The player's fee in cents.")
    banker: Fee = Field(examples=[200], description="The Player/Dealer's fee in cents.")


class FeesTable(RulebookTable):
    """The collection fees of a player-banked game."""

    model_config = ConfigDict(json_schema_extra={"clause": "CA-4"})

    clause: ClauseId
    max_rates: Annotated[StrictInt, Field(ge=1, le=100)] = Field(
        default=3, examples=[3], description="Maximum number of rates."
    )
    fee_per: FeePer = Field(
        description="Once a round by the Ante, on each bet, or on each kind of bet with a rate."
    )
    collect: Literal["before", "after"] = Field(
        description="Collected before or after the start of play."
    )
    notice_seconds: Annotated[StrictInt, Field(ge=60, le=604_800)] | None = Field(
        default=None,
        examples=[60],
        description="Seconds of notice before a change of fees or limits.",
    )
    rates: tuple[RateRow, ...] = Field(
        max_length=100, examples=[[]], description="The rates; their ranges may not overlap."
    )


class PokerLimits(RulebookTable):
    """Limits of each wager; without its own, the Ante has those of the collection rates."""

    ante: LimitsTable | None = None
    bonus: LimitsTable | None = None
    pair_plus: LimitsTable | None = None
    scope: Literal["each", "total"] = _added(
        "each", description="Whether a maximum applies to each bet, or to all of them combined."
    )


class IrregularitiesTable(RulebookTable):
    """The consequences of irregularities in a round."""

    misdeal: Literal["void", "redeal"] = _added(
        "void",
        description="A misdeal found before anyone decides: round void, or a new one at once.",
    )
    exposed_player: Literal["play_on", "void_hand"] = _added(
        "play_on", description="A player's card is exposed: the hand plays on, or is void."
    )
    exposed_dealer: Literal["void", "play_on"] = _added(
        "void", description="A down card of the dealer is exposed: round void, or it plays on."
    )


class PokerDocument(GameDocument):
    """A rulebook of Three Card Poker."""

    game: Literal["three_card_poker"] = Field(description="The game.", frozen=True)
    banker: Literal["player", "house"] = Field(description="The banker: a player or the house.")
    seats: Annotated[StrictInt, Field(ge=1, le=16)] = Field(
        examples=[7], description="Number of players, not counting the banker."
    )
    up: Annotated[Literal[0, 1, 2], BeforeValidator(whole_number)] = Field(
        description="Number of dealer cards shown before players decide."
    )
    royal_flush: StrictBool = Field(
        examples=[False], description="Whether A-K-Q of one suit is a separate class."
    )
    ace_low: StrictBool = Field(
        examples=[True], description="Whether A-2-3 is the lowest straight, or not a straight."
    )
    qualifier: Literal[
        "none", "five-high", "six-high", "seven-high", "eight-high", "nine-high", "ten-high",
        "jack-high", "queen-high", "king-high", "ace-high", "pair",
    ] = Field(description="The minimum hand for the dealer to qualify.")  # fmt: skip
    short_ante: Literal["ahead", "win", "push"] | None = Field(
        default=None,
        description="The Ante against a short dealer: paid if ahead, always paid, or returned.",
    )
    tie: Literal["push", "win", "lose"] | None = Field(
        default=None, description="Result of equal hands."
    )
    ante: AnteTable
    fold: FoldTable
    bonus: SideBetTable | None = None
    pair_plus: SideBetTable | None = None
    ante_bonus: AnteBonusTable | None = None
    settlement: tuple[SettlementRow, ...] = Field(
        max_length=99, examples=[[]], description="The settlement table."
    )
    limits: PokerLimits = PokerLimits()
    bank: BankTable | None = None
    fees: FeesTable | None = None
    irregularities: IrregularitiesTable = _added(IrregularitiesTable())
