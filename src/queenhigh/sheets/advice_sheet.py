"""The value of both moves with a hand, for people and for programs."""

from typing import Any

from queenhigh.money import dollars
from queenhigh.price.strategy import Advice
from queenhigh.sheets.format import cents, number
from queenhigh.sheets.tables import Block, line, sheet, table

__all__ = ["as_json", "as_text"]


def as_json(advice: Advice) -> dict[str, Any]:
    """Return what both moves are worth as docs/json.md describes it."""
    both = {"play": str(advice.play), "fold": str(advice.fold)}
    return {**both, "best": advice.best, "cost": str(advice.cost)}


def as_text(hand: str, up: str, ante: int, advice: Advice) -> Block:
    """Return what both moves are worth with a hand, for an Ante in cents, as a sheet."""
    rows = [
        (move, str(worth).replace("-", "−"), number(worth), cents(worth * ante, signed=True))
        for move, worth in (("Play", advice.play), ("Fold", advice.fold))
    ]
    against = f" against {up}" if up else ""
    other = "folding" if advice.best == "play" else "playing"
    if advice.cost:
        sentence = f"{advice.best.capitalize()}. With an Ante of {dollars(ante)}, {other} costs"
        sentence += f" {cents(advice.cost * ante)} on average."
    else:
        sentence = "Fold. Both moves are worth the same, and ties go to folding (TCP-5)."
    return sheet(
        line(f"{hand}{against}", style="bold"),
        table(
            ("Move", "Exact", "Antes", f"On {dollars(ante)}"),
            rows,
            right=("Exact", "Antes", f"On {dollars(ante)}"),
        ),
        line(sentence),
    )
