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
    """A bet. Set exactly one of shape, spots and covers."""

    clause: ClauseId
    name: Annotated[str, StringConstraints(pattern=r"^[a-z]+(_[a-z]+)*( [1-9])?$")] = Field(
        examples=["red"], description="Name of the bet; names such as dozen 1 count as dozen."
    )
    aliases: tuple[Name, ...] = Field(
        default=(), max_length=9, examples=[["square"]], description="Aliases."
    )
    pays: Annotated[PaysText, Field(description="The pay.")]
    shape: Literal["straight", "split", "street", "corner", "line"] | None = Field(
        default=None,
        description="Every spot of this shape; players give the numbers.",
        frozen=True,
    )
    spots: tuple[Annotated[tuple[Pocket, ...], Field(min_length=1)], ...] | None = Field(
        default=None,
        min_length=1,
        max_length=200,
        examples=[[["0", 1]]],
        description="Extra spots, listed one by one; players give the numbers.",
    )
    covers: tuple[Pocket, ...] | None = Field(
        default=None,
        min_length=1,
        max_length=39,
        examples=[[1, 2, 3]],
        description="The pockets covered by a bet without numbers.",
    )


class RefusedRow(RulebookTable):
    """Bets that are deliberately not offered."""

    clause: ClauseId
    bets: tuple[Name, ...] = Field(max_length=99, examples=[["column"]], description="Bet names.")


class ZeroTable(RulebookTable):
    """The effect of a zero on even-money bets."""

    on_zero: Literal["lose", "la_partage", "en_prison"] = Field(
        description="An even-money bet loses, loses half, or is held for the next spin."
    )
    second_zero: Literal["lose", "half", "stay"] = Field(
        description="The effect of a second zero on a held bet."
    )
    la_partage_clause: ClauseId
    en_prison_clause: ClauseId


class LayoutTable(RulebookTable):
    """The layout; bets that are not on it are refused."""

    clause: ClauseId


class RouletteDocument(GameDocument):
    """A rulebook of roulette."""

    game: Literal["roulette"] = Field(description="The game.", frozen=True)
    zeros: Annotated[Literal[1, 2, 3], BeforeValidator(whole_number)] = Field(
        description="Number of zeros on the wheel."
    )
    limits: LimitsTable
    layout: LayoutTable
    bets: tuple[BetRow, ...] = Field(
        min_length=1, max_length=99, examples=[[]], description="The bets."
    )
    refused: tuple[RefusedRow, ...] = Field(
        default=(), max_length=99, examples=[[]], description="Bets deliberately not offered."
    )
    zero: ZeroTable | None = None


#: A rulebook file of any game.
Document = Annotated[PokerDocument | RouletteDocument, Field(discriminator="game")]
