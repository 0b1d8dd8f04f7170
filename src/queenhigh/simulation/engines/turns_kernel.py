"""A bank that meets wagers in turns of their own, compiled, from the outcomes of its rounds.

A compiled function is kept until its own file changes, so this one calls none of another file.
"""

import numpy as np
from numba import njit

__all__ = ["cover_in_turns"]

_jit = njit(nogil=True, cache=True)


@_jit
def cover_in_turns(a, start, kept, uncovered, returned, results):
    """Settle rounds wager by wager, as far as the bank covers; count those that used it up.

    A row of ``kept`` has a seat's outcomes, the last one what was drawn for the first seat.
    Forfeits that are taken whole need no turn.
    """
    base, exhausted = a.offsets[a.seats] - a.lows[a.seats], 0
    nets, backs = np.zeros(a.seats, dtype=np.int64), np.zeros(a.seats, dtype=np.int64)
    for lane in range(kept.shape[1]):
        outcomes = kept[:, lane]
        turns = a.turns[_first(a, start + np.uint64(lane), outcomes[a.seats])]
        left, total = a.bank, 0
        for seat in range(a.seats):
            nets[seat], backs[seat] = -a.taken[seat, outcomes[seat]], 0
        for turn in range(len(turns)):
            seat = turns[turn, 0]
            net, left, back = _match(a, a.dues[seat, outcomes[seat], turns[turn, 1]], left)
            nets[seat] += net
            backs[seat] += back
        for seat in range(a.seats):
            if backs[seat]:
                uncovered[seat, outcomes[seat]] += 1
                returned[seat] += backs[seat]
                results[a.offsets[seat] - a.lows[seat] + nets[seat]] += 1
            total -= nets[seat]
        exhausted += left == 0
        results[base + total] += 1
    return exhausted


@_jit
def _first(a, number, drawn):
    """Return the seat that action starts at, from 0."""
    if a.drawn:
        return np.int64(drawn)
    if a.button:
        return np.int64(number % np.uint64(a.places))
    return 0


@_jit
def _match(a, due, left):
    """Match one wager; return its gain, the rest of the bank, the stake returned."""
    if due > 0 or a.by_action:
        matched = min(abs(due), left)
        left -= matched
    else:
        matched = min(-due, 2 * a.bank - left)
        left += matched
    return (matched if due > 0 else -matched), left, abs(due) - matched
