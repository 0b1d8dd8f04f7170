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

__all__ = ["Document", "PokerDocument", "RouletteDocument"]

Text = Annotated[str, StringConstraints(min_length=1, max_length=2000)]
ClauseId = Annotated[
    str, StringConstraints(pattern=r"^[A-Z]{2,4}-[1-9][0-9]{0,2}$"), Field(examples=["CA-16"])
]
Cents = Annotated[StrictInt, Field(ge=1, le=10**12)]
Fee = Annotated[StrictInt, Field(ge=0, le=10**9, json_schema_extra={"clause": "CA-4"})]
PaysText = Annotated[
    Pays,
    PlainValidator(parse_pays),
    PlainSerializer(str),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": "^[0-9]{1,7} to [0-9]{1,7}$"},
                {"type": "integer", "minimum": 1, "maximum": 1000000},
            ]
        }
    ),
    Field(examples=["3 to 1"]),
]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ClauseRow(_Table):
    """A clause: its id, its text for a patron, and the keys outside row tables it governs."""

    id: ClauseId
    text: Text = Field(examples=["Equal hands push."])
    keys: tuple[str, ...] = Field(default=(), examples=[["tie"]])


class AssumptionRow(_Table):
    """What the document leaves open, the clause it belongs to and the key that holds it."""

    clause: ClauseId
    says: Text = Field(examples=["The document does not say; equal hands push."])
    key: str | None = Field(default=None, examples=["tie"])


class LimitsTable(_Table):
    """The least and the most a wager may be, in cents."""

    clause: ClauseId
    min: Cents = Field(examples=[100])
    max: Cents = Field(examples=[10000])


class _Header(_Table):
    name: Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_-]{0,63}$")] = Field(
        examples=["my-table"]
    )
    title: Text = Field(examples=["My table"])
    version: Annotated[str, StringConstraints(pattern=r"^[0-9]+(\.[0-9]+){0,2}$")] = Field(
        examples=["1.0"]
    )
    source: Text = Field(examples=["Where these rules come from"])
    increment: Annotated[StrictInt, Field(ge=1, le=10**9)] = Field(examples=[1])
    increment_clause: ClauseId
    clauses: tuple[ClauseRow, ...] = Field(examples=[[]])
    assumptions: tuple[AssumptionRow, ...] = Field(default=(), examples=[[]])


class PayTable(_Table):
    """What each class of hand pays; a class that is not listed pays nothing."""

    royal_flush: PaysText | None = None
    straight_flush: PaysText | None = None
    three_of_a_kind: PaysText | None = None
    straight: PaysText | None = None
    flush: PaysText | None = None
    pair: PaysText | None = None
    high_card: PaysText | None = None


class AnteTable(_Table):
    """The Ante: whether a seat must make it."""

    clause: ClauseId
    required: StrictBool = Field(examples=[True])


class FoldTable(_Table):
    """A fold loses the Ante; the clause that says so."""

    clause: ClauseId


class SideBetTable(_Table):
    """A bet on the player's hand alone."""

    clause: ClauseId
    on_fold: Literal["forfeit", "resolve"]
    pays: PayTable


class AnteBonusTable(_Table):
    """What the Ante earns on a strong hand, whoever wins."""

    clause: ClauseId
    on_fold: Literal["forfeit", "pay"]
    pays: PayTable


Outcome = Literal["win", "push", "lose", "short_ante", "tie"]


class SettlementRow(_Table):
    """Cases of the showdown; an outcome may name the reading that decides it."""

    clause: ClauseId
    dealer: Literal["short", "qualified"]
    player: tuple[Literal["behind", "level", "ahead"], ...] = Field(
        examples=[["behind", "level", "ahead"]]
    )
    ante: Outcome
    play: Outcome


class BankTable(_Table):
    """The finite bank of a player who banks."""

    clause: ClauseId
    unmatched_clause: ClauseId
    coverage: Literal["action", "net"]
    first: Literal["left", "button", "drawn"]
    rotation: Literal["two_rounds", "every_round", "free"]


class RateRow(_Table):
    """A collection rate: flat amounts in cents for wagers of a size."""

    model_config = ConfigDict(json_schema_extra={"clause": "CA-4"})

    clause: ClauseId
    min: Cents = Field(examples=[500])
    max: Cents = Field(examples=[10000])
    player: Fee = Field(examples=[100])
    banker: Fee = Field(examples=[200])


class FeesTable(_Table):
    """The collection schedule."""

    model_config = ConfigDict(json_schema_extra={"clause": "CA-4"})

    clause: ClauseId
    max_rates: Annotated[StrictInt, Field(ge=1, le=100)] = Field(default=3, examples=[3])
    fee_per: Literal["round", "wager"]
    collect: Literal["before", "after"]
    rates: tuple[RateRow, ...] = Field(examples=[[]])


class PokerLimits(_Table):
    """Limits by wager; an Ante without its own has those of the collection rates."""

    ante: LimitsTable | None = None
    bonus: LimitsTable | None = None
    pair_plus: LimitsTable | None = None


class PokerDocument(_Header):
    """A rulebook of Three Card Poker."""

    game: Literal["three_card_poker"]
    banker: Literal["player", "house"]
    seats: Annotated[StrictInt, Field(ge=1, le=16)] = Field(examples=[7])
    up: Literal[0, 1, 2]
    royal_flush: StrictBool = Field(examples=[False])
    ace_low: StrictBool = Field(examples=[True])
    qualifier: Literal[
        "none", "five-high", "six-high", "seven-high", "eight-high", "nine-high", "ten-high",
        "jack-high", "queen-high", "king-high", "ace-high", "pair",
    ]  # fmt: skip
    short_ante: Literal["ahead", "win", "push"] | None = None
    tie: Literal["push", "win", "lose"] | None = None
    ante: AnteTable
    fold: FoldTable
    bonus: SideBetTable | None = None
    pair_plus: SideBetTable | None = None
    ante_bonus: AnteBonusTable | None = None
    settlement: tuple[SettlementRow, ...] = Field(examples=[[]])
    limits: PokerLimits = PokerLimits()
    bank: BankTable | None = None
    fees: FeesTable | None = None


def _pocket(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Pocket = Annotated[
    str,
    BeforeValidator(_pocket),
    StringConstraints(pattern=r"^(0{1,3}|[1-9]|[12][0-9]|3[0-6])$"),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
    Field(examples=[17]),
]


class BetRow(_Table):
    """A bet: a shape on the layout, listed spots of a name, or the pockets one name covers."""

    clause: ClauseId
    name: Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*( [1-9])?$")] = Field(
        examples=["red"]
    )
    aliases: tuple[str, ...] = Field(default=(), examples=[["square"]])
    pays: PaysText
    shape: Literal["straight", "split", "street", "corner", "line"] | None = None
    spots: tuple[tuple[Pocket, ...], ...] | None = Field(default=None, examples=[[["0", 1]]])
    covers: tuple[Pocket, ...] | None = Field(default=None, examples=[[1, 2, 3]])


class RefusedRow(_Table):
    """Bets that these rules leave out on purpose."""

    clause: ClauseId
    bets: tuple[str, ...] = Field(examples=[["column"]])


class ZeroTable(_Table):
    """What a zero does to an even-money bet."""

    on_zero: Literal["lose", "la_partage", "en_prison"]
    second_zero: Literal["lose", "half", "stay"]
    la_partage_clause: ClauseId
    en_prison_clause: ClauseId


class LayoutTable(_Table):
    """The clause by which a bet that is not on the layout is refused."""

    clause: ClauseId


class RouletteDocument(_Header):
    """A rulebook of roulette."""

    game: Literal["roulette"]
    zeros: Literal[1, 2, 3]
    limits: LimitsTable
    layout: LayoutTable
    bets: tuple[BetRow, ...] = Field(examples=[[]])
    refused: tuple[RefusedRow, ...] = Field(default=(), examples=[[]])
    zero: ZeroTable | None = None


Document = Annotated[PokerDocument | RouletteDocument, Field(discriminator="game")]
