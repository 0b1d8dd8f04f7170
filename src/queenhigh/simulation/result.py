"""What a simulation found: exact counts, and the statistics that follow from them."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from queenhigh.sampling.plan import Plan, PokerPlan
from queenhigh.sampling.tally import Tally

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
    #: What was paid in fees, on average; it is not in the mean.
    fee: float
    #: The share of rounds that were played; none where there is nothing to decide.
    played: float | None = None
    #: Rounds in which the bank did not cover every wager, and what came back on average.
    uncovered: int = 0
    returned: float = 0.0


@dataclass(frozen=True, kw_only=True)
class Simulation:
    """A simulation's results, and what gave them."""

    plan: Plan
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
        """What one unit is, in cents: the first seat's Ante, or the first stake there is."""
        if isinstance(self.plan, PokerPlan):
            seat = self.plan.seats[0]
            return seat.ante or seat.bonus or seat.pair_plus
        return self.plan.wagers[0].stake

    @property
    def seats(self) -> tuple[Result, ...]:
        """The result of each seat, or of each bet on a wheel."""
        return tuple(self._seat(place) for place in range(len(self.tally.results) - 1))

    def _seat(self, place: int) -> Result:
        plan, tally, rounds = self.plan, self.tally, max(1, self.rounds)
        if not isinstance(plan, PokerPlan):
            return Result(name=plan.wagers[place].bet, **self._moments(place), fee=0.0)
        decides = plan.seats[place].ante > 0
        return Result(
            name=f"seat {plan.seats[place].seat}",
            **self._moments(place),
            fee=int(tally.fees[place]) / rounds / self.stake,
            played=int(tally.played[place]) / rounds if decides else None,
            uncovered=int(tally.uncovered[place]),
            returned=int(tally.returned[place]) * plan.accounts[place].unit / rounds / self.stake,
        )

    @property
    def banker(self) -> Result:
        """The banker's result."""
        fee = int(self.tally.totals[2]) / max(1, self.rounds) / self.stake
        return Result(name="banker", **self._moments(-1), fee=fee)

    def _moments(self, place: int) -> dict[str, Any]:
        found, rounds = self.tally.result(place), max(1, self.rounds)
        mean = Fraction(found.moment(1), rounds * self.stake)
        variance = Fraction(found.moment(2), rounds * self.stake**2) - mean**2
        sd = sqrt(variance)
        return {
            "mean": float(mean),
            "sd": sd,
            "se": sd / sqrt(rounds),
            "distribution": found.by_cents,
        }

    def as_json(self) -> dict[str, Any]:
        """Return everything as plain values for JSON (docs/json.md)."""
        plan = self.plan
        banker = {**_plain(self.banker), "exhausted": self.tally.exhausted}
        table = (
            {"bank": plan.posted, "policy": plan.policy.name} if isinstance(plan, PokerPlan) else {}
        )
        return {
            "rulebook": plan.book.name,
            "digest": plan.book.digest,
            "seed": plan.seed,
            "rounds": self.rounds,
            "seconds": round(self.seconds, 6),
            "engine": self.engine,
            "threads": self.threads,
            "seats": [self._seat_json(place, found) for place, found in enumerate(self.seats)],
            "banker_result": banker,
            "asked": self.asked,
            "unit_cents": self.stake,
            **table,
        }

    def _seat_json(self, place: int, found: Result) -> dict[str, Any]:
        plan = self.plan
        if not isinstance(plan, PokerPlan):
            stake = plan.wagers[place].stake
            return {"seat": place + 1, "bet": found.name, "stake": stake, **_plain(found)}
        seat = plan.seats[place]
        stakes = {"ante": seat.ante, "bonus": seat.bonus or seat.pair_plus}
        extra = {
            "played_share": found.played,
            "uncovered": found.uncovered,
            "returned": found.returned,
        }
        return {"seat": seat.seat, **stakes, **_plain(found), **extra}

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><th>{one.name}<td>{one.mean:+.6f}<td>± {one.se:.6f}<td>{one.sd:.4f}"
            for one in (*self.seats, self.banker)
        )
        return f"<table><tr><th><th>mean<th>se<th>sd{rows}</table>"


def _plain(found: Result) -> dict[str, Any]:
    return {
        "mean": found.mean,
        "sd": found.sd,
        "se": found.se,
        "mean_fee": found.fee,
        "rounds_by_cents": {str(cents): count for cents, count in found.distribution.items()},
    }
