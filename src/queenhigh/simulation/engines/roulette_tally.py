"""Roulette for the fast engines: where the ball lands decides every bet, so they count pockets."""

import numpy as np

from queenhigh.game import Landed
from queenhigh.games import roulette
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.simulation.engines import scalar
from queenhigh.simulation.engines.arrays import Array
from queenhigh.simulation.engines.plan import RoulettePlan
from queenhigh.simulation.engines.tally import Tally

__all__ = ["fill", "waits"]


def waits(book: RouletteRulebook) -> tuple[int, int]:
    """Return how many pockets, the zeros, hold bets: at first, and again on a later spin."""
    if book.zero is None or book.zero.on_zero != "en_prison":
        return 0, 0
    return book.zeros, book.zeros if book.zero.second_zero == "stay" else 0


def fill(plan: RoulettePlan, rounds: int, landed: Array) -> Tally:
    """Return the tally of rounds from where the ball landed first and last in each."""
    tally = Tally(plan)
    tally.totals[0] = rounds
    for first, last in np.argwhere(landed).tolist():
        count = landed[first, last]
        gains = _gains(plan, first, last)
        for place, gain in enumerate([*gains, -sum(gains)]):
            tally.results[place][plan.accounts[place].bin(gain)] += count
    return tally


def _gains(plan: RoulettePlan, first: int, last: int) -> list[int]:
    """Return the gain of each bet by its first pocket, and by the last one if the bet is held."""
    book = plan.book
    spin = roulette.apply(book, plan.opened, Landed(book.pockets[first]))
    final = Landed(book.pockets[last])
    return scalar.gains(book, roulette.settle(book, spin), lambda wanted: final)
