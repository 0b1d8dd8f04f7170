"""What a coach says, as plain data: one decision weighed, and hands to practise on."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from queenhigh.cards import parse_cards
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.sheets.data import advice_data, advise_on

if TYPE_CHECKING:
    import numpy as np

    from queenhigh.price.drill import Exercise

__all__ = ["coach_data", "drill_data"]


def coach_data(
    book: PokerRulebook, hand: str, up: str | None, wagers: Mapping[str, int] | None
) -> dict[str, Any]:
    """Return what both moves are worth, with the dealer's hands by case; in money for wagers."""
    from queenhigh.price.coach import count_cases, seat_with, weigh  # noqa: PLC0415

    told = advice_data(advise_on(book, hand, up))
    a, b, c = parse_cards(hand)
    cards, ups = (a, b, c), parse_cards(up or "")
    told["hands"] = _cases(count_cases(book, cards, ups))
    if wagers is not None:
        worth = weigh(book, cards, ups, seat_with(book, wagers))
        both = {"play": str(worth.play), "fold": str(worth.fold), "best": worth.best}
        told["money"] = {**both, "cost": str(worth.cost), "start": str(worth.start)}
    return told


def _cases(counted: Sequence[int]) -> dict[str, Any]:
    """Return the six cases: how many of the dealer's hands are short or qualify, and who leads."""
    player = ("behind", "level", "ahead")
    return {
        "of": sum(counted),
        "short": dict(zip(player, counted[:3], strict=True)),
        "qualified": dict(zip(player, counted[3:], strict=True)),
    }


def drill_data(book: PokerRulebook, count: int, chance: "np.random.Generator") -> dict[str, Any]:
    """Return hands to practise on, with what both moves are worth in units of the Ante."""
    from queenhigh.price.drill import exercises  # noqa: PLC0415

    head = {"rulebook": book.name, "digest": book.digest, "up": book.up}
    return {**head, "deals": [_exercise(one) for one in exercises(book, count, chance)]}


def _exercise(one: "Exercise") -> dict[str, Any]:
    worth = {"play": str(one.play), "fold": str(one.fold), "best": one.best}
    cost = str(abs(one.play - one.fold))
    return {"hand": one.hand, "up": one.up, **worth, "cost": cost, "hands": _cases(one.cases)}
