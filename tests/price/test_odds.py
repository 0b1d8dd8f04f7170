"""Exact odds: the published figures, the slow enumeration, and what every key does."""

import random
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
import pytest

import queenhigh as qh
from queenhigh.price import poker
from queenhigh.price.poker_odds import bets_of
from queenhigh.price.tables import tables
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.roulette_book import RouletteRulebook
from tests import seeds
from tests.games.test_settle_equals_oracle import cases
from tests.oracle.deals import CARDS, HANDS, enumerate_deals
from tests.oracle.plain import KIND_RATES
from tests.rules.short_rounds import load
from tests.sizes import FULL, sized

# Published figures, each with its source. Exact where the source gives a fraction.


def ev(name: str, bet: str = "ante", **changes: object) -> Fraction:
    return qh.odds(load(name, changes)).bets[bet].ev


@pytest.mark.parametrize(
    ("name", "bet", "changes", "value"),
    [
        # apheat.net, 2015-06-12
        ("house", "ante", {}, Fraction(-686689, 20358520)),
        # casinocity.com, Grochowski
        ("house", "pair_plus", {}, Fraction(-402, 5525)),
        ("house", "pair_plus", {"pair_plus.pays.flush": 4}, Fraction(-128, 5525)),
        # apheat.net: one dealer card seen
        ("house", "ante", {"up": 1}, Fraction(443162, 12724075)),
        # "4.3 %", Wizard of Odds as cited by discountgambling.net, 2011-07-30
        ("california", "ante", {}, Fraction(-4373389, 101792600)),
        # casinocitytimes.com, Grochowski; jeu-roulette.info
        ("roulette", "red", {"zeros": 1}, Fraction(-1, 37)),
        ("roulette", "straight", {}, Fraction(-1, 19)),
        ("roulette", "corner", {"zeros": 3}, Fraction(-1, 13)),
        ("roulette-american", "five", {}, Fraction(-3, 38)),
        ("roulette-european", "odd", {"on_zero": "la_partage"}, Fraction(-1, 74)),
    ],
)  # fmt: skip
def test_published_fractions(
    name: str, bet: str, changes: dict[str, object], value: Fraction
) -> None:
    assert ev(name, bet, **changes) == value


@pytest.mark.parametrize(
    ("name", "bet", "changes", "edge"),
    [
        # casinocity.com and casinocitytimes.com, Grochowski
        ("house", "pair_plus", {"pair_plus.pays.flush": 4, "pair_plus.pays.straight": 5}, "5.5747"),
        ("california", "bonus", {}, "7.0950"),
        # "1.8 %", discountgambling.net, Ocean's 11
        ("california", "ante", {"short_ante": "win"}, "1.8022"),
        # casinocitytimes.com, Grochowski; jeu-roulette.info
        ("roulette-european", "red", {"on_zero": "en_prison"}, "1.3879"),
        ("roulette-european", "red", {"on_zero": "en_prison", "second_zero": "half"}, "1.3514"),
        ("roulette-european", "red", {"on_zero": "en_prison", "second_zero": "stay"}, "1.3514"),
    ],
)  # fmt: skip
def test_published_percentages(name: str, bet: str, changes: dict[str, object], edge: str) -> None:
    assert f"{-100 * float(ev(name, bet, **changes)):.4f}" == edge


def test_published_figures_of_the_house_game() -> None:
    ante = qh.odds(load("house", {})).bets["ante"]
    assert ante.play_rate == Fraction(14900, 22100)  # Wizard of Odds
    assert f"{float(ante.element_of_risk):.6f}" == "0.020147"  # casinocitytimes.com, Grochowski
    assert f"{ante.sd:.4f}" == "1.6393"  # apheat.net
    assert f"{float(ante.rate(1)):.6f}" == "0.449127"  # apheat.net
    seen = qh.odds(load("house", {"up": 1})).bets["ante"]
    assert f"{float(seen.rate(1)):.6f}" == "0.542203"  # apheat.net


def test_published_counts() -> None:
    assert qh.odds(load("house", {})).deals == 407_170_400
    assert qh.odds(load("california", {})).deals == 1_221_511_200
    assert qh.odds(load("california", {"up": 2})).deals == 1_221_511_200
    house = load("house", {})
    assert isinstance(house, PokerRulebook)
    short = tables(True).of_all[house.qualifying_strength]
    assert Fraction(22100 - int(short), 22100) == Fraction(769, 1105)


def test_published_outcome_of_straight_flushes() -> None:
    """Of all deals a straight flush beats, ties, loses, or the dealer is out (Wizard of Odds)."""
    book = load("house", {})
    assert isinstance(book, PokerRulebook)
    played = poker.count(book).played
    straight_flush = [sum(case) for case in zip(played[5], played[6], strict=True)]
    short, (loses, ties, beats) = sum(straight_flush[:3]), straight_flush[3:]
    assert (beats, ties, loses, short) == (617_044, 144, 968, 266_196)


# Every reading: counts that sum, a mean that agrees.

READINGS = cases()


@pytest.mark.parametrize(("name", "reading"), READINGS, ids=str)
def test_every_distribution_sums_to_the_deals_and_has_the_mean(
    name: str, reading: dict[str, Any]
) -> None:
    odds = qh.odds(load(name, reading))
    for bet in odds.bets.values():
        assert sum(bet.distribution.values()) == odds.deals
        assert all(isinstance(count, int) and count > 0 for count in bet.distribution.values())
        mean = sum(gain * count for gain, count in bet.distribution.items()) / Fraction(odds.deals)
        assert mean == bet.ev == -bet.edge
        assert bet.rate(1) + bet.rate(0) + bet.rate(-1) == 1


# The slow enumeration: over some hands for every reading, at full size over all deals.


def sample(name: str, count: int) -> list[int]:
    return sorted(seeds.rng(f"odds {name}").sample(range(len(HANDS)), count))


def counted(book: PokerRulebook, hands: list[int]) -> dict[str, dict[Fraction, int]]:
    bets = bets_of(book, poker.count(book, CARDS[hands].astype(np.int32)))
    return {name: dict(bet.distribution) for name, bet in bets.items()}


POKER = [(name, reading) for name, reading in READINGS if name in ("california", "house")]


@pytest.mark.parametrize(("name", "reading"), POKER, ids=str)
def test_some_hands_against_the_slow_enumeration(name: str, reading: dict[str, Any]) -> None:
    book = load(name, reading)
    assert isinstance(book, PokerRulebook)
    hands = sample(f"{name} {reading}", sized(30, 400, 2000))
    assert counted(book, hands) == enumerate_deals(name, book.up, reading, hands), seeds.SEED


@pytest.mark.parametrize("name", ["house", "california"])
def test_all_deals_against_the_slow_enumeration(name: str) -> None:
    """At full size all of them: 407,170,400 and 1,221,511,200."""
    book = load(name, {})
    assert isinstance(book, PokerRulebook)
    hands = list(range(len(HANDS))) if FULL else sample(f"{name} all", 1000)
    assert counted(book, hands) == enumerate_deals(name, book.up, {}, hands), seeds.SEED
    if FULL:
        bets = qh.odds(book).bets
        assert counted(book, hands) == {bet: dict(o.distribution) for bet, o in bets.items()}


@pytest.mark.parametrize("planted", [{"tie": "win"}, {"short_ante": "win"}, {"ace_low": False}])
def test_the_enumeration_catches_another_reading(planted: dict[str, Any]) -> None:
    book = load("california", {})
    assert isinstance(book, PokerRulebook)
    hands = [*random.Random("planted").sample(range(8, len(HANDS)), 12), *range(8)]
    assert counted(book, hands) != enumerate_deals("california", 1, planted, hands)


@pytest.mark.parametrize("zeros", [1, 2, 3])
def test_every_roulette_bet_on_every_wheel(zeros: int) -> None:
    book = load("roulette", {"zeros": zeros})
    assert isinstance(book, RouletteRulebook)
    edges = {bet.edge for bet in qh.odds(book).bets.values()}
    assert edges == {Fraction(zeros, 36 + zeros)}


@pytest.mark.parametrize("ending", ["lose", "half", "stay"])
def test_en_prison_by_spinning_on(ending: str) -> None:
    """Follow a bet on red over two spins of all pockets; what stays is freed or lost in turn."""
    changes: dict[str, object] = {"on_zero": "en_prison", "second_zero": ending}
    pockets = [str(n) for n in range(37)]
    book = load("roulette-european", changes)
    total, weight = Fraction(0), Fraction(0)
    for first, second in product(pockets, pockets):
        one = settled(book, first, {"bet": "red", "stake": 100})
        gain = one["net"]
        if one.get("held"):
            two = settled(book, second, {"bet": "red", "stake": 100, "in_prison": True})
            if two.get("held"):
                continue  # it waits: the other pockets decide, in the same proportion
            gain += two["net"]
            share = Fraction(37, 36) if ending == "stay" else Fraction(1)
        else:
            share = Fraction(1)
        total, weight = total + share * gain, weight + share
    assert weight == 37 * 37
    assert total / (100 * weight) == ev("roulette-european", "red", **changes)


def settled(book: qh.Rulebook, pocket: str, wager: dict[str, Any]) -> dict[str, Any]:
    result = qh.settle(book, {"pocket": pocket, "wagers": [wager]})
    row = result.wagers[0]  # type: ignore[union-attr]
    return {"net": row.net, "held": row.held}


# What a key does


def edges(name: str, **changes: object) -> dict[str, Fraction]:
    return {bet: odds.edge for bet, odds in qh.odds(load(name, changes)).bets.items()}


def test_unrelated_keys_do_not_change_odds() -> None:
    base = edges("california")
    for changes in (
        {"coverage": "net"}, {"first": "drawn"}, {"rotation": "free"}, {"collect": "after"},
        {"fee_per": "wager"}, {"fees.fee_per": "kind", "fees.rates": KIND_RATES}, {"seats": 5},
        {"settle_order": "wager"}, {"settle_order": "bonus_first"}, {"fold_uncovered": "lost"},
        {"limits.bonus.max": 500}, {"bonus_on_fold": "resolve"},
    ):  # fmt: skip
        assert edges("california", **changes) == base
    assert edges("house", scope="total") == edges("house")


def test_keys_move_the_odds_of_their_own_bet() -> None:
    base = edges("california")
    better = edges("california", flush=4)
    assert better["ante"] == base["ante"]
    assert base["bonus"] - better["bonus"] == Fraction(1096, 22100)
    assert (
        edges("california", tie="win")["ante"]
        < base["ante"]
        < edges("california", tie="lose")["ante"]
    )
    assert edges("california", up=2)["ante"] < base["ante"] < edges("california", up=0)["ante"]
    assert edges("house", qualifier="none")["ante"] < edges("house")["ante"]
    assert edges("house", ante_bonus_on_fold="pay") == edges("house"), "no such hand is folded"
    half = edges("house", increment=2, **{"ante_bonus.pays.straight": "3 to 2"})
    assert edges("house")["ante"] - half["ante"] == Fraction(720, 22100) / 2


def test_forfeited_side_bet_pays_nothing_on_fold() -> None:
    """A high card that pays: California forfeits it with the hands that are folded."""
    kept = edges("california", bonus_on_fold="resolve", **{"bonus.pays.high_card": 1})
    lost = edges("california", **{"bonus.pays.high_card": 1})
    folded = 1 - qh.odds(load("california", {})).bets["ante"].play_rate  # type: ignore[operator]
    assert lost["bonus"] - kept["bonus"] == 2 * folded


def test_odds_are_fractions_in_frozen_values() -> None:
    odds = qh.odds(load("house", {}))
    assert isinstance(odds.bets["ante"].ev, Fraction)
    with pytest.raises(AttributeError):
        odds.deals = 3  # type: ignore[misc]
    assert "<table>" in odds._repr_html_()
