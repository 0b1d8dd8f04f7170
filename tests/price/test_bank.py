"""The banker's book: covariance by brute force and by sampling, fees, and the night."""

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import combinations, product
from math import sqrt

import numpy as np
import pytest

import queenhigh as qh
from queenhigh.price import bank as bank_book
from queenhigh.price import poker
from queenhigh.price.covariance import product_mean
from queenhigh.price.ruin import approximate, exact_for_one_seat
from queenhigh.price.tables import tables
from queenhigh.rulebook.book import PokerRulebook
from tests.oracle.deals import mean_product
from tests.oracle.plain import KIND_RATES
from tests.rules.short_rounds import load
from tests.simulation.compile_once import compile_engine
from tests.sizes import sized

pytestmark = pytest.mark.usefixtures("covariance_counted_once")


def book(name: str, **changes: object) -> PokerRulebook:
    loaded = load(name, changes)
    assert isinstance(loaded, PokerRulebook)
    return loaded


def cards(ranks: tuple[int, ...]) -> list[int]:
    return [4 * rank + suit for rank in ranks for suit in range(4)]


@pytest.mark.parametrize(
    ("name", "changes", "ranks"),
    [
        ("california", {}, (0, 7, 10)),
        ("california", {}, (1, 2, 9)),
        ("house", {}, (3, 7, 10)),
        ("house", {"up": 2}, (2, 8, 11)),
        pytest.param("california", {"tie": "lose"}, (0, 1, 9, 12), marks=pytest.mark.full),
        pytest.param("house", {"up": 1}, (0, 1, 2, 10), marks=pytest.mark.full),
    ],
)
def test_covariance_against_every_deal_of_a_short_deck(
    name: str, changes: dict[str, object], ranks: tuple[int, ...]
) -> None:
    rules = book(name, **changes)
    deck = cards(ranks)
    slow = mean_product(name, rules.up, changes, deck)
    assert product_mean(rules, poker.payoffs(rules), deck) == slow


def test_every_deal_of_a_short_deck_catches_a_wrong_payoff() -> None:
    rules = book("california")
    wrong = poker.payoffs(book("california", tie="win"))
    deck = cards((1, 2, 9))
    assert product_mean(rules, wrong, deck) != mean_product("california", 1, {}, deck)


def sampled(rules: PokerRulebook, deals: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Deal two seats and a dealer at random and yield both results, in Antes."""
    rng = np.random.default_rng(7)
    lookup = tables(rules.ace_low)
    worth = poker.payoffs(rules)
    hands = np.array(list(combinations(range(52), 3)), dtype=np.int32)
    index = np.zeros((52, 52, 52), dtype=np.int32)
    index[hands[:, 0], hands[:, 1], hands[:, 2]] = np.arange(len(hands))
    plays = np.stack([poker.plays_with(rules, hands, (up,)) for up in range(52)])
    cases, played, folded = (np.array(x) for x in (worth.cases, worth.played, worth.folded))
    for _ in range(deals // 50_000):
        deck = rng.random((50_000, 52)).argpartition(9, axis=1)[:, :9].astype(np.int32)
        deck = rng.permuted(deck, axis=1)
        dealer, up = lookup.strength(*deck[:, 6:9].T), deck[:, 6]
        base = np.where(dealer >= rules.qualifying_strength, 4, 1)
        results = []
        for seat in (deck[:, 0:3], deck[:, 3:6]):
            a, b, c = np.sort(seat, axis=1).T
            strength = lookup.strength(a, b, c)
            kind = lookup.classes[strength]
            win = cases[base + np.sign(strength - dealer)] + played[kind]
            results.append(np.where(plays[up, index[a, b, c]], win, folded[kind]) / worth.scale)
        yield results[0], results[1]


def test_covariance_against_a_million_sampled_deals() -> None:
    rules = book("california")
    total = sized(200_000, 1_000_000)
    ones, twos = (np.concatenate(part) for part in zip(*sampled(rules, total), strict=True))
    exact = qh.bank(rules, seats=2)
    products = (ones + float(exact.player_edge)) * (twos + float(exact.player_edge))
    error = products.std() / sqrt(total)
    assert abs(products.mean() - float(exact.seat_covariance)) < 4 * error
    assert abs(ones.mean() + float(exact.player_edge)) < 4 * ones.std() / sqrt(total)
    assert abs(products.mean()) > 20 * error, "the seats do go together"


def test_seats_add_up_with_their_covariance() -> None:
    one, ten = (qh.bank(book("california"), seats=seats) for seats in (1, 10))
    assert ten.mean == 10 * one.mean
    assert ten.variance == 10 * one.variance + 90 * one.seat_covariance
    ante = qh.odds(book("california")).bets["ante"]
    assert (one.mean, one.variance) == (ante.edge, ante.variance)


def test_a_side_bet_is_part_of_a_seats_result() -> None:
    rules = book("california")
    both = qh.bank(rules, seats=3, ante=1000, bonus=500)
    bets = qh.odds(rules).bets
    assert both.mean == 3 * (bets["ante"].edge + bets["bonus"].edge / 2)
    weird = qh.bank(rules, seats=3, ante=99_991, bonus=9_973)
    assert 0 < weird.correlation < 1


def test_seats_may_wager_different_amounts() -> None:
    rules = book("california")
    one = qh.bank(rules, seats=1)
    two = qh.bank(rules, ante=[500, 1000])
    assert (two.seats, two.unit_cents, two.mean) == (2, 500, 3 * one.mean)
    assert two.variance == 5 * one.variance + 4 * one.seat_covariance
    assert two.player_edge == one.player_edge
    assert (two.fee_player, two.fee_banker) == (Fraction(200, 1500), Fraction(200, 500))
    assert qh.bank(rules, ante=[500, 30_000]).fee_banker == Fraction(400, 500), "the largest Ante"
    assert qh.bank(rules) == qh.bank(rules, seats=10, ante=[500] * 10)


def test_covariance_of_seats_with_different_side_bets() -> None:
    rules = book("house")
    mixed = qh.bank(rules, ante=400, bonus=[200, 0])
    alike = qh.bank(rules, seats=2, ante=400, bonus=200)
    assert mixed.seat_covariance == alike.seat_covariance
    compile_engine()
    rounds = sized(1_000_000, 20_000_000)
    played = qh.simulate(rules, rounds, ante=400, bonus=[200, 0], seed=3).banker
    assert abs(played.mean - float(mixed.mean)) < 4 * played.se
    assert played.sd == pytest.approx(mixed.sd, rel=12 / sqrt(rounds))


def test_effect_of_a_dollar_of_fee() -> None:
    """$1 on a $10 Ante turns 4.30 % into 14.30 %."""
    bank = qh.bank(book("california"), seats=10, ante=1000)
    assert f"{float(bank.player_edge):.4f}" == "0.0430"
    assert f"{float(bank.player_edge_after_fee):.4f}" == "0.1430"
    assert bank.fee_banker == Fraction(200, 1000)
    assert bank.mean_after_fee == bank.mean - Fraction(1, 5)
    assert bank.break_even == Fraction(1, 5) / bank.player_edge
    assert bank.per_hour_cents == bank.mean_after_fee * 1000 * 40
    each = qh.bank(book("california", fee_per="wager"), seats=10, ante=1000, bonus=500)
    rate = qh.odds(book("california")).bets["ante"].play_rate
    assert rate is not None
    assert each.fee_player == (100 * (1 + rate) + 100) / 1000
    kinds = book("california", fee_per="kind", **{"fees.rates": KIND_RATES})
    by_kind = bank_book.average_fees(kinds, [bank_book.Stake(1000, 500)] * 10, rate)
    assert by_kind.seats == (100 + 50 * rate + 25,) * 10
    assert by_kind.banker == 200
    house = qh.bank(book("house"), seats=7)
    assert house.fee_player == house.fee_banker == house.break_even == 0


@pytest.mark.parametrize(
    ("terms", "said"),
    [({"seats": 11}, "1 to 10 seats"), ({"seats": 0}, "1 to 10 seats"),
     ({"seats": 1, "ante": 499}, r"CA-7"), ({"seats": 1, "bonus": 99}, r"CA-7")],
)  # fmt: skip
def test_impossible_tables_are_refused(terms: dict[str, int], said: str) -> None:
    with pytest.raises(qh.IllegalRound, match=said):
        qh.bank(book("california"), **terms)


def test_bank_keeps_to_a_limit_for_all_wagers_together() -> None:
    both = book("house", scope="total")
    assert bank_book._stakes(both, 1, 100, 300) == ((100, 300),)
    with pytest.raises(qh.IllegalRound, match=r"total \$4.01, .*HO-1"):
        qh.bank(both, seats=1, ante=100, bonus=301)


# The night

GAINS = {Fraction(-2): 3, Fraction(1, 2): 4, Fraction(1): 3}


def all_nights(rounds: int) -> Iterator[tuple[Fraction, list[Fraction]]]:
    """Yield every sequence of gains with its chance."""
    total = sum(GAINS.values())
    for gains in product(GAINS, repeat=rounds):
        chance = Fraction(1)
        for gain in gains:
            chance *= Fraction(GAINS[gain], total)
        yield chance, list(gains)


@pytest.mark.parametrize("rounds", [1, 4, 7])
def test_exact_session_equals_enumeration(rounds: int) -> None:
    nights = list(all_nights(rounds))
    fee = Fraction(1, 10)
    night = exact_for_one_seat(GAINS, fee, rounds, risk=0.2)
    assert night is not None
    losing = sum(chance for chance, gains in nights if sum(gains) < rounds * fee)
    assert night.losing == pytest.approx(float(losing), abs=1e-12)

    def ruined(bankroll: Fraction) -> Fraction:
        lost = Fraction(0)
        for chance, gains in nights:
            sums = [bankroll + sum(gains[: n + 1]) - (n + 1) * fee for n in range(rounds)]
            lost += chance if min(sums) <= 0 else 0
        return lost

    bankroll = Fraction(round(night.bankroll * 100), 100)
    assert ruined(bankroll) <= Fraction(1, 5)
    assert ruined(bankroll - Fraction(1, 100)) > Fraction(1, 5)


def test_one_seat_is_exact_and_a_table_names_its_curve() -> None:
    one, ten = (qh.bank(book("house"), seats=seats) for seats in (1, 7))
    assert one.night.method.startswith("exact")
    assert ten.night.method.startswith("approximation: normal")


@pytest.mark.full
def test_too_fine_lattice_falls_back_to_the_curve() -> None:
    rules = book("california")
    assert qh.bank(rules, seats=1, ante=777).night.method.startswith("exact")
    assert qh.bank(rules, seats=1, ante=1000, bonus=700).night.method.startswith("exact")
    fine = qh.bank(rules, seats=1, ante=100_000, bonus=501)
    assert fine.night.method.startswith("approximation")


def test_game_without_variance_has_a_bank() -> None:
    cells = tuple(cell._replace(ante=-1, play=-1) for cell in book("california").cells)
    bank = qh.bank(replace(book("california"), cells=cells), seats=2)
    assert bank.seat_variance == bank.correlation == 0
    assert bank.mean == 2


def test_a_stake_in_no_collection_range_is_refused() -> None:
    gap = book("california", **{"fees.rates.1.min": 20000})
    with pytest.raises(qh.IllegalRound, match=r"outside every collection range \(CA-7\)"):
        qh.bank(gap, seats=2, ante=15000)


def test_curve_is_close_to_the_exact_session() -> None:
    one = qh.bank(book("house"), seats=1)
    curve = approximate(float(one.mean), one.sd, one.night.rounds)
    assert curve.losing == pytest.approx(one.night.losing, abs=0.02)
    assert curve.bankroll == pytest.approx(one.night.bankroll, rel=0.05)


def test_the_curve_against_random_walks() -> None:
    rng = random.Random(5)
    curve = approximate(0.1, 1.0, 400, risk=0.05)
    ruined = 0
    for _ in range(2000):
        left = curve.bankroll
        for _ in range(400):
            left += rng.choice((-0.9, 1.1))
            if left <= 0:
                ruined += 1
                break
    assert 0.03 < ruined / 2000 < 0.07
