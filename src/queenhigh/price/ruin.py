"""The risk of a session of rounds: the chance to lose, and the bankroll that survives it.

For one seat the banker's result is followed on its true lattice of payoffs, round by round. For a
full table only the mean and the standard deviation are known exactly, and curves named after what
they assume stand in for the rest.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, floor, gcd, inf, lcm, sqrt
from statistics import NormalDist

import numpy as np

from queenhigh.price.tables import Floats

__all__ = ["SessionRisk", "approximate", "exact_for_one_seat"]

_NORMAL = NormalDist()
#: A chance so small that all of them together change no digit that is printed.
_NOTHING = 1e-18
#: The most points of a lattice that are followed; a finer one is left to the curve.
_MOST_POINTS = 100_000


@dataclass(frozen=True, slots=True)
class SessionRisk:
    """The risk of a banker in ``rounds`` rounds, in units of the Ante, after fees."""

    rounds: int
    risk: float
    #: The chance to end the session behind.
    losing: float
    #: The bankroll that is lost during the session with a chance of at most ``risk``.
    bankroll: float
    #: How it was worked out: on the lattice, or by which curve.
    method: str


def exact_for_one_seat(
    gains: Mapping[Fraction, int], fee: Fraction, rounds: int, risk: float = 0.01, cents: int = 100
) -> SessionRisk | None:
    """Follow one seat round by round; return ``None`` if its lattice is too fine.

    ``gains`` counts deals by what the banker gains before a fee that is the same every round. The
    bankroll is the least number of cents that will do, of which an Ante has ``cents``.
    """
    scale = lcm(*(gain.denominator for gain in gains))
    step = Fraction(gcd(*(int(gain * scale) for gain in gains)) or 1, scale)
    walk = _Walk(
        {int(gain / step): count for gain, count in gains.items()}, float(fee / step), rounds
    )
    if walk.width > _MOST_POINTS:
        return None
    low, high = 0, ceil(walk.worst * step * cents) + 1
    while high - low > 1:
        middle = (low + high) // 2
        if walk.ruined(float(Fraction(middle, cents) / step)) <= risk:
            high = middle
        else:
            low = middle
    method = "exact, on the lattice of payoffs"
    return SessionRisk(rounds, risk, walk.losing(), high / cents, method)


class _Walk:
    """A banker's sum of gains, in steps of the lattice, against a fee that grows with time."""

    def __init__(self, counted: Mapping[int, int], fee: float, rounds: int) -> None:
        total = sum(counted.values())
        self.chances = [(gain, count / total) for gain, count in sorted(counted.items())]
        self.fee, self.rounds = fee, rounds
        self.lowest, self.highest = self.chances[0][0], self.chances[-1][0]
        mean = sum(gain * chance for gain, chance in self.chances)
        sd = sqrt(sum((gain - mean) ** 2 * chance for gain, chance in self.chances))
        self.width = min((self.highest - self.lowest) * rounds, 20 * sd * sqrt(rounds)) + 1
        #: The loss if every round goes as badly as it can.
        self.worst = floor(max(0.0, (self.fee - self.lowest) * rounds)) + 1

    def _follow(self, bankroll: float) -> tuple[Floats, int, float]:
        """Return the chances of the sums that end, the lowest of them, and what was surely safe."""
        alive, low, safe = np.ones(1), 0, 0.0
        for played in range(1, self.rounds + 1):
            after = np.zeros(len(alive) + self.highest - self.lowest)
            for gain, chance in self.chances:
                start = gain - self.lowest
                after[start : start + len(alive)] += chance * alive
            low += self.lowest
            lost = 0 if bankroll == inf else floor(played * self.fee - bankroll) + 1 - low
            there = np.flatnonzero(after > _NOTHING)
            first = max(lost, int(there[0]) if len(there) else 0)
            last = int(there[-1]) + 1 if len(there) else 0
            safe += float(after[max(last, first) :].sum())
            alive, low = after[first : max(last, first)], low + first
            if not len(alive):
                break
        return alive, low, safe

    def losing(self) -> float:
        """Return the chance that the fees are more than the gains."""
        alive, low, _ = self._follow(inf)
        behind = ceil(self.rounds * self.fee - 1e-9) - low
        return float(alive[: max(0, behind)].sum())

    def ruined(self, bankroll: float) -> float:
        """Return the chance that a bankroll is gone at some time during the rounds."""
        alive, _, safe = self._follow(bankroll)
        return 1.0 - float(alive.sum()) - safe


def approximate(mean: float, sd: float, rounds: int, risk: float = 0.01) -> SessionRisk:
    """Estimate the risk from the mean and the standard deviation of a round."""
    if sd == 0:
        losing = 1.0 if mean < 0 else 0.0
        return SessionRisk(rounds, risk, losing, max(0.0, -mean * rounds), "exact: no variance")
    losing = _NORMAL.cdf(-mean * rounds / (sd * sqrt(rounds)))
    low, high = 0.0, ceil(abs(mean) * rounds + 10 * sd * sqrt(rounds)) + 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _drifting(mean, sd, rounds, middle) <= risk:
            high = middle
        else:
            low = middle
    method = "approximation: normal for the session, Brownian motion with drift for the bankroll"
    return SessionRisk(rounds, risk, losing, high, method)


def _drifting(mean: float, sd: float, rounds: int, bankroll: float) -> float:
    """Return the chance that Brownian motion with drift falls by a bankroll in the time."""
    spread = sd * sqrt(rounds)
    down = _NORMAL.cdf((-bankroll - mean * rounds) / spread)
    back = _NORMAL.cdf((-bankroll + mean * rounds) / spread)
    power = -2 * mean * bankroll / sd**2
    return down + (exp(power) * back if back and power < 700 else 0.0)
