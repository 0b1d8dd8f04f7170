"""Roulette, compiled: where the ball lands, round after round."""

import numpy as np
from numba import njit

from queenhigh.simulation.engines.kernels import mix
from queenhigh.simulation.engines.splitmix import GAMMA

__all__ = ["spin_rounds"]

_GAMMA, _LOW, _32 = np.uint64(GAMMA), np.uint64(0xFFFFFFFF), np.uint64(32)

_jit = njit(nogil=True, cache=True)


@_jit
def spin_rounds(seed, start, rounds, least, waits, landed):
    """Count where the ball lands first, and where it lands when all bets are decided."""
    pockets = np.uint64(len(landed))
    key = mix(seed + _GAMMA)
    for index in range(rounds):
        number = start + np.uint64(index) + np.uint64(1)
        product = (mix(key + number * _GAMMA) & _LOW) * pockets
        first = product >> _32
        if (product & _LOW) >= least and first >= waits[0]:
            landed[first, first] += 1
        else:
            _spin_on(seed, number, least, waits, landed)


@_jit
def _spin_on(seed, number, least, waits, landed):
    """Spin word by word: one is refused now and then, and a zero may call for another."""
    pockets = np.uint64(len(landed))
    first, word = np.int64(-1), 0
    while True:
        key = mix(seed + np.uint64(word // 2 + 1) * _GAMMA)
        both = mix(key + number * _GAMMA)
        product = ((both >> _32) if word % 2 else (both & _LOW)) * pockets
        word += 1
        if (product & _LOW) < least:
            continue
        pocket = np.int64(product >> _32)
        if first < 0:
            first = pocket
            if pocket < waits[0]:
                continue
        elif pocket < waits[1]:
            continue
        landed[first, pocket] += 1
        return
