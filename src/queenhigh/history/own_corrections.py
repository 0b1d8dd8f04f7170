"""Corrections of a round for one of its players: what moved, and what is still owed."""

from collections.abc import Iterable

from msgspec import Struct

from queenhigh.history.correction_lines import Correction
from queenhigh.history.records import Record
from queenhigh.table.corrected import owed_to

__all__ = ["CorrectedPart", "corrected_parts"]


class CorrectedPart(Struct, frozen=True):
    """A correction of a player's part in a round.

    ``net`` and ``fee`` are what it added to the gain and to the fee. ``cents`` came to the player's
    chips, or were taken; ``owed`` is what was not covered: above zero the player is still owed it,
    below zero the player owes it.
    """

    table: str
    round: int
    correction: int
    at: int
    reason: str
    net: int
    fee: int
    cents: int
    owed: int
    to_wallet: bool


def corrected_parts(
    record: Record, place: int, corrections: Iterable[Correction]
) -> list[CorrectedPart]:
    """Return the corrections of a round that concern a place, the oldest first."""
    made = [each for each in corrections if each.status == "made"]
    parts = [_part(record, place, each) for each in sorted(made, key=lambda each: each.correction)]
    return [part for part in parts if part.cents or part.owed or part.net or part.fee]


def _part(record: Record, place: int, made: Correction) -> CorrectedPart:
    banker, net, fee = record.live.banker, 0, 0
    for row in made.moved:
        if row.against == "fees":
            fee -= row.cents if row.place == place else 0
        elif row.place == place:
            net += row.cents
        elif place == banker:
            net -= row.cents
    chips = next((row for row in made.chips if row.place == place), None)
    return CorrectedPart(
        made.table,
        made.round,
        made.correction,
        made.decided_at or made.at,
        made.reason,
        net,
        fee,
        chips.cents if chips else 0,
        owed_to(made.moved, place, banker),
        chips is not None and chips.seat is None,
    )
