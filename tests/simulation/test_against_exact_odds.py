"""Sampled means and deviations against the exact ones: a thousand million rounds at night."""

from fractions import Fraction
from math import sqrt

import pytest

import queenhigh as qh
from queenhigh.simulation.result import Result, Simulation
from queenhigh.simulation.run import run
from queenhigh.simulation.terms import Terms, make_plan
from tests.sizes import sized

ROUNDS = sized(10**7, 5 * 10**7, 10**9)


def simulated(book: qh.Rulebook, terms: Terms) -> Simulation:
    return run(make_plan(book, {"seed": 20261115, **terms}), ROUNDS)


def off(result: Result, exact: Fraction) -> float:
    """Return how many standard errors a mean is from the exact one."""
    return abs(result.mean - float(exact)) / result.se


def test_the_house_ante() -> None:
    result = simulated(qh.load("house"), {})
    exact = qh.odds(qh.load("house")).bets["ante"]
    assert off(result.seats[0], exact.ev) < 4
    assert result.seats[0].sd == pytest.approx(exact.sd, rel=20 / sqrt(ROUNDS))
    assert off(result.seats[0], qh.odds(qh.load("house", {"ace_low": False})).bets["ante"].ev) > 4


def test_pair_plus_alone() -> None:
    result = simulated(qh.load("house"), {"ante": 0, "bonus": 100})
    assert off(result.seats[0], qh.odds(qh.load("house")).bets["pair_plus"].ev) < 4


def test_california_ante_and_bonus() -> None:
    bets = qh.odds(qh.load("california")).bets
    alone = simulated(qh.load("california"), {})
    assert off(alone.seats[0], bets["ante"].ev) < 4
    both = simulated(qh.load("california"), {"ante": 500, "bonus": 1000})
    assert off(both.seats[0], bets["ante"].ev + 2 * bets["bonus"].ev) < 4


def test_a_full_table_and_its_banker() -> None:
    """Every seat has the exact mean, and the banker the deviation that the covariance gives."""
    book = qh.load("california")
    result = simulated(book, {"seats": 10})
    exact = qh.odds(book).bets["ante"].ev
    for seat in result.seats:
        assert off(seat, exact) < 4
    ledger = qh.bank(book, seats=10)
    assert off(result.banker, ledger.mean) < 4
    assert abs(result.banker.sd - ledger.sd) < 4 * _error_of_sd(result.banker, result.rounds)
    assert abs(sqrt(10) * result.seats[0].sd - ledger.sd) > 4 * _error_of_sd(
        result.banker, result.rounds
    )


def _error_of_sd(result: Result, rounds: int) -> float:
    """Return the standard error of a standard deviation, from the fourth moment."""
    stake = 500
    fourth = sum(
        ((cents / stake - result.mean) ** 4) * count for cents, count in result.distribution.items()
    )
    return sqrt((fourth / rounds - result.sd**4) / rounds) / (2 * result.sd)


WHEELS: list[tuple[str, dict[str, object]]] = [("roulette", {})]
for wheel in ("roulette-american", "roulette-european"):
    WHEELS += [(wheel, {"on_zero": rule}) for rule in ("lose", "la_partage", "en_prison")]


@pytest.mark.parametrize(("name", "reading"), WHEELS, ids=str)
def test_every_bet_on_the_wheel(name: str, reading: dict[str, object]) -> None:
    book = qh.load(name, reading)
    exact = qh.odds(book).bets
    result = simulated(book, {})
    assert len(result.seats) == len(exact)
    for seat in result.seats:
        assert off(seat, exact[seat.name.split()[0]].ev) < 4, seat.name
