"""A night of rounds: the chance to lose, and the bankroll that survives it.

For one seat the banker's result is followed on its true lattice of payoffs, round by round. For a
full table only the mean and the standard deviation are known exactly, and curves named after what
they assume stand in for the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, gcd, lcm, sqrt
from statistics import NormalDist

import numpy as np

from queenhigh.price.tables import Floats

__all__ = ["Night", "night_by_curve", "night_on_lattice"]

_NORMAL = NormalDist()


@dataclass(frozen=True, slots=True)
class Night:
    """What a banker risks in so many rounds, in units of the Ante, after fees."""

    rounds: int
    risk: float
    #: The chance to end the night behind.
    losing: float
    #: The bankroll that is lost during the night with no more than the chance ``risk``.
    bankroll: float
    #: How it was found: on the lattice, or by which curve.
    method: str


def night_on_lattice(gains: Mapping[Fraction, int], rounds: int, risk: float = 0.01) -> Night:
    """Follow one seat round by round. ``gains`` counts deals by the banker's gain after fees."""
    scale = lcm(*(gain.denominator for gain in gains))
    whole = {int(gain * scale): count for gain, count in gains.items()}
    step = gcd(*whole) or 1
    chances = _chances({gain // step: count for gain, count in whole.items()})
    lowest = min(whole) // step
    losing = _losing(chances, lowest, rounds)
    bankroll = _bankroll(chances, lowest, rounds, risk)
    return Night(rounds, risk, losing, bankroll * step / scale, "exact, on the lattice of payoffs")


def _chances(counted: Mapping[int, int]) -> Floats:
    low, total = min(counted), sum(counted.values())
    chances = np.zeros(max(counted) - low + 1)
    for gain, count in counted.items():
        chances[gain - low] = count / total
    return chances


def _losing(chances: Floats, lowest: int, rounds: int) -> float:
    """Return the chance that the gains of all rounds sum to less than nothing."""
    total, power, left = np.ones(1), chances, rounds
    while left:
        if left & 1:
            total = np.convolve(total, power)
        left >>= 1
        if left:
            power = np.convolve(power, power)
    return float(total[: max(0, -lowest * rounds)].sum())


def _bankroll(chances: Floats, lowest: int, rounds: int, risk: float) -> int:
    """Return the least bankroll, in steps, whose chance of being lost is no more than the risk."""
    low, high = 0, max(1, -lowest * rounds + 1)
    while high - low > 1:
        middle = (low + high) // 2
        if _ruined(chances, lowest, rounds, middle) <= risk:
            high = middle
        else:
            low = middle
    return high


def _ruined(chances: Floats, lowest: int, rounds: int, bankroll: int) -> float:
    """Return the chance that a bankroll is gone at some time during the rounds."""
    alive = np.zeros(bankroll + 1)  # by what is left; index 0 is ruin and stays empty
    alive[bankroll] = 1.0
    for _ in range(rounds):
        after = np.convolve(alive, chances)
        start = -lowest if lowest < 0 else 0
        alive = after[start:] if lowest <= 0 else np.concatenate((np.zeros(lowest), after))
        alive[0] = 0.0
    return 1.0 - float(alive.sum())


def night_by_curve(mean: float, sd: float, rounds: int, risk: float = 0.01) -> Night:
    """Estimate a night from the mean and the standard deviation of a round."""
    if sd == 0:
        losing = 1.0 if mean < 0 else 0.0
        return Night(rounds, risk, losing, max(0.0, -mean * rounds), "nothing varies")
    losing = _NORMAL.cdf(-mean * rounds / (sd * sqrt(rounds)))
    low, high = 0.0, ceil(abs(mean) * rounds + 10 * sd * sqrt(rounds)) + 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _drifting(mean, sd, rounds, middle) <= risk:
            high = middle
        else:
            low = middle
    method = (
        "approximation: normal curve for the night, Brownian motion with drift for the bankroll"
    )
    return Night(rounds, risk, losing, high, method)


def _drifting(mean: float, sd: float, rounds: int, bankroll: float) -> float:
    """Return the chance that Brownian motion with drift falls by a bankroll in the time."""
    spread = sd * sqrt(rounds)
    down = _NORMAL.cdf((-bankroll - mean * rounds) / spread)
    back = _NORMAL.cdf((-bankroll + mean * rounds) / spread)
    power = -2 * mean * bankroll / sd**2
    return down + (exp(power) * back if back and power < 700 else 0.0)
