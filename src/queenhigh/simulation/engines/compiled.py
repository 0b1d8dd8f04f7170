"""The compiled engine: whole tables in blocks of lanes, the bank and rare cases lane by lane."""

from functools import lru_cache

import numpy as np

from queenhigh.simulation.engines import roulette_tally
from queenhigh.simulation.engines.arrays import Counted, arrays, fill
from queenhigh.simulation.engines.kernels import sample_rounds
from queenhigh.simulation.engines.plan import OUTCOMES, FastPlan, PokerPlan, RoulettePlan
from queenhigh.simulation.engines.roulette_kernel import spin_rounds
from queenhigh.simulation.engines.splitmix import refused_below
from queenhigh.simulation.engines.tally import Tally

__all__ = ["sample"]

_arrays = lru_cache(maxsize=16)(arrays)  # a table under each reading takes turns


def sample(plan: FastPlan, start: int, rounds: int) -> Tally:
    """Tally some rounds, from number ``start`` on."""
    if not isinstance(plan, PokerPlan):
        return _sample_spins(plan, start, rounds)
    inputs = _arrays(plan)
    results = np.zeros(inputs.offsets[-1], dtype=np.int64)
    uncovered = np.zeros((inputs.seats, OUTCOMES), dtype=np.int64)
    returned = np.zeros(inputs.seats, dtype=np.int64)
    counts, exhausted = sample_rounds(
        inputs, np.uint64(start), rounds, uncovered, returned, results
    )
    outcomes = counts.sum(axis=1)
    counted = Counted(outcomes, uncovered, returned, results, np.array([exhausted]))
    return fill(plan, rounds, counted)


def _sample_spins(plan: RoulettePlan, start: int, rounds: int) -> Tally:
    pockets = len(plan.book.pockets)
    landed = np.zeros((pockets, pockets), dtype=np.int64)
    least = np.uint64(refused_below(pockets))
    spin_rounds(
        np.uint64(plan.seed),
        np.uint64(start),
        rounds,
        least,
        roulette_tally.waits(plan.book),
        landed,
    )
    return roulette_tally.fill(plan, rounds, landed)
