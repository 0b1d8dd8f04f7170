"""A settled spin as a dealer would tell it, each amount with its clause."""

from collections.abc import Iterator

from queenhigh.games.roulette.values import SettledBet, SettledSpin, Spin
from queenhigh.money import dollars
from queenhigh.text import one_line
from queenhigh.wheel import RED

__all__ = ["describe"]


def describe(name: str, spin: Spin, settled: SettledSpin) -> Iterator[str]:
    """Yield the lines of a settled spin."""
    pocket = spin.pocket or ""
    colour = "green" if pocket.startswith("0") else "red" if pocket in RED else "black"
    yield f"Spin {name}: {pocket}, {colour}."
    for bet in settled.wagers:
        owner = f"{one_line(bet.player, 40)}: " if bet.player is not None else ""
        yield (
            f"  {owner + bet.bet:<30} {dollars(bet.stake):>10}  {_outcome(bet):<12}"
            f" {dollars(bet.net, signed=True):>12}  {bet.clause}"
        )
    yield f"  Banker {dollars(settled.banker, signed=True)}."


def _outcome(bet: SettledBet) -> str:
    if bet.held:
        return "held"
    if bet.net == 0:
        return "returned"
    if bet.net > 0:
        return "wins"
    return "loses" if bet.net == -bet.stake else "loses half"
