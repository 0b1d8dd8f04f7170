"""One decision by the slow way: the plain settlement of every hand the dealer may have."""

from collections.abc import Mapping
from fractions import Fraction
from itertools import combinations
from typing import Any

from tests.oracle.deals import DECK
from tests.oracle.plain import qualifies, rank_hand, settle_california, settle_house

Cases = list[int]


def weigh(
    game: str,
    hand: str,
    up: str,
    wagers: Mapping[str, int],
    reading: dict[str, Any] | None = None,
) -> tuple[Fraction, Fraction]:
    """Return what playing and folding bring in cents, less the fee that the move itself costs."""
    dealers = _dealers(hand, up)
    total = {"play": 0, "fold": 0}
    for move in total:
        for dealer in dealers:
            total[move] += _net(game, hand, dealer, move, wagers, reading or {})
    sunk = _fee(game, hand, wagers, reading or {})
    return (
        Fraction(total["play"], len(dealers)) + sunk,
        Fraction(total["fold"], len(dealers)) + sunk,
    )


def cases(hand: str, up: str, *, ace_low: bool = True) -> dict[str, Any]:
    """Return the dealer's hands by case, as a coach tells them."""
    mine, _ = rank_hand(hand, ace_low)
    dealers = _dealers(hand, up)
    found: dict[str, Any] = {"of": len(dealers)}
    for name in ("short", "qualified"):
        found[name] = {"behind": 0, "level": 0, "ahead": 0}
    for dealer in dealers:
        theirs, _ = rank_hand(dealer, ace_low)
        lead = "ahead" if mine > theirs else "behind" if mine < theirs else "level"
        found["qualified" if qualifies(theirs) else "short"][lead] += 1
    return found


def _dealers(hand: str, up: str) -> list[str]:
    shown = up.split()
    rest = [card for card in DECK if card not in hand.split() + shown]
    return [" ".join([*shown, *others]) for others in combinations(rest, 3 - len(shown))]


def _net(
    game: str, hand: str, dealer: str, move: str, wagers: Mapping[str, int], reading: dict[str, Any]
) -> int:
    seat = {"seat": 1, "cards": hand, "move": move, **wagers}
    round: dict[str, Any] = {"dealer": dealer, "bank": 10**12, "seats": [seat]}
    settle = settle_california if game == "california" else settle_house
    (settled,) = settle(round, reading)["seats"]
    return int(settled["net"]) - int(settled.get("fee", 0))


def _fee(game: str, hand: str, wagers: Mapping[str, int], reading: dict[str, Any]) -> int:
    """Return the fee that is paid whatever the move."""
    if game != "california":
        return 0
    dealer = _dealers(hand, "")[0]
    seat = {"seat": 1, "cards": hand, "move": "fold", **wagers}
    settled = settle_california({"dealer": dealer, "bank": 1, "seats": [seat]}, reading)
    return int(settled["seats"][0]["fee"])
