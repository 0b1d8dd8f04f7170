"""The banker's figures per unit give the same book as counting the table whole."""

from dataclasses import replace
from fractions import Fraction
from itertools import permutations

import pytest

import queenhigh as qh
from queenhigh.price.bank import Stake
from queenhigh.price.bank_figures import BankFigures, Loss, bank_figures
from queenhigh.rulebook.book import PokerRulebook
from tests.rules.short_rounds import load

pytestmark = pytest.mark.usefixtures("covariance_counted_once")
STAKES = [Stake(500, 0), Stake(1000, 500), Stake(2500, 100)]


def mean(figures: BankFigures, stakes: list[Stake]) -> Fraction:
    assert figures.side is not None
    return sum(
        (s.ante * figures.ante.mean + s.bonus * figures.side.mean for s in stakes), Fraction(0)
    )


def variance(figures: BankFigures, stakes: list[Stake]) -> Fraction:
    """Add up one seat's variance and the covariances of every two seats."""
    ante, side = figures.ante, figures.side
    assert side is not None
    total = Fraction(0)
    for a, b in stakes:
        total += a * a * ante.variance + b * b * side.variance + 2 * a * b * figures.same_seat
    for (a, b), (c, d) in permutations(stakes, 2):
        total += a * c * ante.covariance + b * d * side.covariance
        total += (a * d + b * c) * figures.two_seats
    return total


def book(name: str, **changes: object) -> PokerRulebook:
    loaded = load(name, changes)
    assert isinstance(loaded, PokerRulebook)
    return loaded


@pytest.mark.parametrize("name", ["california", pytest.param("house", marks=pytest.mark.full)])
def test_figures_add_up_to_the_book_of_a_table(name: str) -> None:
    rules = book(name)
    stakes = STAKES if name == "california" else [Stake(400, 0), Stake(200, 400), Stake(300, 100)]
    figures = bank_figures(rules)
    whole = qh.bank(rules, ante=[s.ante for s in stakes], bonus=[s.bonus for s in stakes])
    unit = whole.unit_cents
    assert mean(figures, stakes) == whole.mean * unit
    assert variance(figures, stakes) == whole.variance * unit**2
    swapped = replace(figures, two_seats=figures.same_seat)
    assert variance(swapped, stakes) != whole.variance * unit**2


@pytest.mark.full
def test_losses_are_the_most_a_hand_wins() -> None:
    assert bank_figures(book("california")).losses == (Loss(Fraction(2), Fraction(50)),)
    assert bank_figures(book("house")).losses == (Loss(Fraction(7), Fraction(40)),)


@pytest.mark.full
def test_rules_without_a_side_bet_have_no_figures_of_one() -> None:
    rules = replace(book("california"), side_bets=())
    figures = bank_figures(rules)
    assert figures.side is None
    assert figures.same_seat == figures.two_seats == 0
    assert figures.ante == bank_figures(book("california")).ante
