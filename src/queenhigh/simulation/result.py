"""The result of a simulation: exact counts, and statistics from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from queenhigh.simulation.engines.plan import FastPlan
from queenhigh.simulation.engines.tally import Tally

__all__ = ["Result", "Simulation"]


@dataclass(frozen=True, kw_only=True)
class Result:
    """The results of a seat, a bet or the banker, a round, in units of the first seat's Ante.

    ``sd`` divides by the number of rounds; ``se`` is the standard error of the mean.
    """

    name: str
    mean: float
    sd: float
    se: float
    #: How many rounds had each result, in cents.
    distribution: Mapping[int, int]
    #: The average fee; it is not in the mean.
    fee: float
    #: The share of rounds that were played; none where there is nothing to decide.
    played: float | None = None
    #: Rounds in which the bank did not cover every wager, and the average amount returned.
    uncovered: int = 0
    returned: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """A simulation's results, and its plan."""

    plan: FastPlan
    tally: Tally
    #: The time spent simulating, without starting up and compiling.
    seconds: float
    engine: str
    threads: int
    #: How many rounds were asked for; fewer were played if someone stopped it.
    asked: int

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return self.tally.rounds

    @property
    def stake(self) -> int:
        """One unit in cents: the first seat's Ante, or the first stake there is."""
        return self.plan.unit

    @property
    def seats(self) -> tuple[Result, ...]:
        """The result of each seat, or of each bet on a wheel."""
        return tuple(self._seat(place) for place in range(len(self.tally.results) - 1))

    def _seat(self, place: int) -> Result:
        plan, tally, rounds = self.plan, self.tally, max(1, self.rounds)
        return Result(
            name=plan.name(place),
            **self._moments(place),
            fee=int(tally.fees[place]) / rounds / self.stake,
            played=int(tally.played[place]) / rounds if plan.decides(place) else None,
            uncovered=int(tally.uncovered[place]),
            returned=int(tally.returned[place]) * plan.accounts[place].unit / rounds / self.stake,
        )

    @property
    def banker(self) -> Result:
        """The banker's result."""
        fee = int(self.tally.totals[2]) / max(1, self.rounds) / self.stake
        return Result(name="banker", **self._moments(-1), fee=fee)

    def _moments(self, place: int) -> dict[str, Any]:
        result, rounds = self.tally.result(place), max(1, self.rounds)
        mean = Fraction(result.moment(1), rounds * self.stake)
        variance = Fraction(result.moment(2), rounds * self.stake**2) - mean**2
        sd = sqrt(variance)
        return {
            "mean": float(mean),
            "sd": sd,
            "se": sd / sqrt(rounds),
            "distribution": result.by_cents,
        }

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values for JSON (docs/json.md)."""
        plan = self.plan
        banker = {**_plain(self.banker), "exhausted": self.tally.exhausted}
        return {
            "rulebook": plan.book.name,
            "digest": plan.book.digest,
            "rules_digest": plan.book.rules_digest,
            "seed": plan.seed,
            "rounds": self.rounds,
            "seconds": round(self.seconds, 6),
            "engine": self.engine,
            "threads": self.threads,
            "seats": [self._seat_json(place, result) for place, result in enumerate(self.seats)],
            "banker_result": banker,
            "asked": self.asked,
            "unit_cents": self.stake,
            **plan.terms(),
        }

    def _seat_json(self, place: int, result: Result) -> dict[str, Any]:
        row = {**self.plan.stakes(place), **_plain(result)}
        if not self.plan.seated:
            return row
        return row | {
            "played_share": result.played,
            "uncovered": result.uncovered,
            "returned": result.returned,
        }

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{result.name}<td>{result.mean:+.6f}<td>± {result.se:.6f}<td>{result.sd:.4f}"
            for result in (*self.seats, self.banker)
        )
        return f"<table><tr><th><th>mean<th>se<th>sd{rows}</table>"


def _plain(result: Result) -> dict[str, Any]:
    return {
        "mean": result.mean,
        "sd": result.sd,
        "se": result.se,
        "mean_fee": result.fee,
        "rounds_by_cents": {str(cents): count for cents, count in result.distribution.items()},
    }
