"""A tally: one row of whole numbers, so that merging two is adding them."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from queenhigh.simulation.engines.plan import Account, Plan

__all__ = ["Counts", "Tally"]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Counts: TypeAlias = NDArray[np.int64]
else:  # numpy.typing is slow to load
    Counts = Any

#: Sums for each seat: rounds it played, rounds in which the bank did not cover all of
#: its wagers, stakes returned for that reason in the accounts' unit, cents paid in fees.
_SUMS = ("played", "uncovered", "returned", "fees")


class Tally:
    """The counts of some rounds. ``numbers`` holds everything; the rest are views of it."""

    def __init__(self, plan: Plan, numbers: Counts | None = None) -> None:
        self.plan = plan
        sizes = [account.bins for account in plan.accounts]
        seats = len(sizes) - 1
        ends = np.cumsum([3, len(_SUMS) * seats, *sizes])
        self.numbers = np.zeros(ends[-1], dtype=np.int64) if numbers is None else numbers
        totals, sums, *self.results = np.split(self.numbers, ends[:-1])
        #: Rounds; rounds that used up the bank; cents the banker paid in fees.
        self.totals = totals
        self.played, self.uncovered, self.returned, self.fees = sums.reshape(len(_SUMS), seats)

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(self.plan, self.numbers + other.numbers)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Tally) and np.array_equal(self.numbers, other.numbers)

    __hash__ = None  # type: ignore[assignment]

    @property
    def rounds(self) -> int:
        """How many rounds were sampled."""
        return int(self.totals[0])

    @property
    def exhausted(self) -> int:
        """In how many of them nothing was left of the bank."""
        return int(self.totals[1])

    def result(self, place: int) -> "Distribution":
        """Return the results of a seat by its place in the plan; of the banker at -1."""
        return Distribution(self.plan.accounts[place], self.results[place])


@dataclass(frozen=True, eq=False)
class Distribution:
    """How often each result came. Mean and variance are exact, in cents and in whole numbers."""

    account: Account
    counts: Counts

    @cached_property
    def by_cents(self) -> Mapping[int, int]:
        """The number of rounds by result, for the results that came at all."""
        account = self.account
        return {
            account.low + place * account.unit: int(self.counts[place])
            for place in np.flatnonzero(self.counts).tolist()
        }

    def moment(self, power: int) -> int:
        """Return the sum of a power of all results."""
        return sum(cents**power * count for cents, count in self.by_cents.items())
