"""A decision weighed by the coach, for programs."""

from collections.abc import Sequence
from typing import Any

from queenhigh.price.coach import Coaching, DecisionValue
from queenhigh.sheets import advice_sheet

__all__ = ["as_json", "cases_as_json"]


def as_json(coaching: Coaching) -> dict[str, Any]:
    """Return what both moves are worth, the dealer's hands by case, and the money at stake."""
    answer = advice_sheet.as_json(coaching.advice)
    answer["hands"] = cases_as_json(coaching.cases)
    if coaching.value is not None:
        answer["money"] = _money_as_json(coaching.value)
    return answer


def _money_as_json(value: DecisionValue) -> dict[str, Any]:
    both = {"play": str(value.play), "fold": str(value.fold), "best": value.best}
    return {**both, "cost": str(value.cost), "start": str(value.value_before_deal)}


def cases_as_json(counted: Sequence[int]) -> dict[str, Any]:
    """Return the six cases: dealer hands that are short or qualify, by the player's lead."""
    player = ("behind", "level", "ahead")
    return {
        "of": sum(counted),
        "short": dict(zip(player, counted[:3], strict=True)),
        "qualified": dict(zip(player, counted[3:], strict=True)),
    }
