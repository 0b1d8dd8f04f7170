"""One decision, slowly: the plain settlement of every hand the dealer may have."""

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
    """Return the gains of playing and folding in cents, less the fee of the move."""
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
    own, _ = rank_hand(hand, ace_low)
    dealers = _dealers(hand, up)
    counts: dict[str, Any] = {"of": len(dealers)}
    for name in ("short", "qualified"):
        counts[name] = {"behind": 0, "level": 0, "ahead": 0}
    for dealer in dealers:
        theirs, _ = rank_hand(dealer, ace_low)
        lead = "ahead" if own > theirs else "behind" if own < theirs else "level"
        counts["qualified" if qualifies(theirs) else "short"][lead] += 1
    return counts


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
    """Return the fee that both moves pay."""
    if game != "california":
        return 0
    dealer = _dealers(hand, "")[0]
    seat = {"seat": 1, "cards": hand, "move": "fold", **wagers}
    settled = settle_california({"dealer": dealer, "bank": 1, "seats": [seat]}, reading)
    return int(settled["seats"][0]["fee"])
