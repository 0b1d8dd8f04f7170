"""The shape of a rulebook file of roulette."""

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, WithJsonSchema

from queenhigh.rulebook.schema import (
    ClauseId,
    GameDocument,
    LimitsTable,
    Name,
    PaysText,
    PokerDocument,
    RulebookTable,
    whole_number,
)

__all__ = ["BetRow", "Document", "Pocket", "RouletteDocument"]


def _pocket(value: Any) -> Any:
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


Pocket = Annotated[
    str,
    BeforeValidator(_pocket),
    StringConstraints(pattern=r"^(0{1,3}|[1-9]|[12][0-9]|3[0-6])$"),
    WithJsonSchema({"anyOf": [{"type": "string"}, {"type": "integer"}]}),
    Field(examples=[17]),
]


class BetRow(RulebookTable):
    """A bet. Give exactly one of shape, spots and covers."""

    clause: ClauseId
    name: Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*( [1-9])?$")] = Field(
        examples=["red"], description="How the bet is called; dozen 1 and the like count as dozen."
    )
    aliases: tuple[Name, ...] = Field(
        default=(), max_length=9, examples=[["square"]], description="Other names for it."
    )
    pays: Annotated[PaysText, Field(description="What it pays.")]
    shape: Literal["straight", "split", "street", "corner", "line"] | None = Field(
        default=None, description="Every place of this shape on the layout; the bet names numbers."
    )
    spots: tuple[Annotated[tuple[Pocket, ...], Field(min_length=1)], ...] | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        examples=[[["0", 1]]],
        description="Further places listed one by one; the bet names numbers.",
    )
    covers: tuple[Pocket, ...] | None = Field(
        default=None,
        min_length=1,
        max_length=39,
        examples=[[1, 2, 3]],
        description="The pockets the name alone stands for.",
    )


class RefusedRow(RulebookTable):
    """Bets that these rules leave out on purpose."""

    clause: ClauseId
    bets: tuple[Name, ...] = Field(max_length=99, examples=[["column"]], description="Their names.")


class ZeroTable(RulebookTable):
    """What a zero does to an even-money bet."""

    on_zero: Literal["lose", "la_partage", "en_prison"] = Field(
        description="It loses, loses half, or is held for the next spin."
    )
    second_zero: Literal["lose", "half", "stay"] = Field(
        description="What a second zero does to a bet that is held."
    )
    la_partage_clause: ClauseId
    en_prison_clause: ClauseId


class LayoutTable(RulebookTable):
    """The layout: by this clause a bet that is not on it is refused."""

    clause: ClauseId


class RouletteDocument(GameDocument):
    """A rulebook of roulette."""

    game: Literal["roulette"] = Field(description="Which game this is.")
    zeros: Annotated[Literal[1, 2, 3], BeforeValidator(whole_number)] = Field(
        description="How many zeros the wheel has."
    )
    limits: LimitsTable
    layout: LayoutTable
    bets: tuple[BetRow, ...] = Field(
        min_length=1, max_length=99, examples=[[]], description="The bets."
    )
    refused: tuple[RefusedRow, ...] = Field(
        default=(), max_length=99, examples=[[]], description="Bets left out on purpose."
    )
    zero: ZeroTable | None = None


#: A rulebook file of any game.
Document = Annotated[PokerDocument | RouletteDocument, Field(discriminator="game")]
