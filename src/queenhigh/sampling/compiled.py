"""The compiled engine: whole tables in blocks of lanes, the bank and rare cases lane by lane."""

from functools import lru_cache

import numpy as np

from queenhigh.sampling import wheel
from queenhigh.sampling.arrays import Counted, arrays, fill
from queenhigh.sampling.kernels import sample_rounds
from queenhigh.sampling.plan import OUTCOMES, Plan, PokerPlan, RoulettePlan
from queenhigh.sampling.spins import spin_rounds
from queenhigh.sampling.tally import Tally
from queenhigh.sampling.words import refused_below

__all__ = ["sample"]

_arrays = lru_cache(maxsize=4)(arrays)


def sample(plan: Plan, start: int, rounds: int) -> Tally:
    """Tally some rounds, from number ``start`` on."""
    if not isinstance(plan, PokerPlan):
        return _sample_spins(plan, start, rounds)
    found = _arrays(plan)
    results = np.zeros(found.offsets[-1], dtype=np.int64)
    uncovered = np.zeros((found.seats, OUTCOMES), dtype=np.int64)
    returned = np.zeros(found.seats, dtype=np.int64)
    counts, exhausted = sample_rounds(found, np.uint64(start), rounds, uncovered, returned, results)
    outcomes = counts.sum(axis=1)
    counted = Counted(outcomes, uncovered, returned, results, np.array([exhausted]))
    return fill(plan, rounds, counted)


def _sample_spins(plan: RoulettePlan, start: int, rounds: int) -> Tally:
    pockets = len(plan.book.pockets)
    landed = np.zeros((pockets, pockets), dtype=np.int64)
    least = np.uint64(refused_below(pockets))
    spin_rounds(
        np.uint64(plan.seed), np.uint64(start), rounds, least, wheel.waits(plan.book), landed
    )
    return wheel.fill(plan, rounds, landed)
