"""The coach: decisions in money against the plain settlement of every dealer hand; the drill."""

import random
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import queenhigh as qh
from queenhigh.cards import format_cards, parse_cards
from queenhigh.price.coach import (
    DecisionValue,
    coach,
    count_cases,
    evaluate,
    seat_with,
    value_before_deal,
)
from queenhigh.price.drill import exercises
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.sheets import coach_sheet, drill_sheet
from tests import seeds
from tests.oracle import decisions
from tests.own_rules import own
from tests.rules.short_rounds import load
from tests.sizes import FULL, sized

READINGS: list[tuple[str, dict[str, Any]]] = [
    ("california", {}),
    ("california", {"bonus_on_fold": "resolve", "tie": "lose", "ace_low": False}),
    ("california", {"fee_per": "wager", "short_ante": "win"}),
    ("house", {}),
    ("house", {"pair_plus_on_fold": "forfeit", "ante_bonus_on_fold": "pay"}),
]


def book(name: str, **changes: object) -> PokerRulebook:
    loaded = load(name, changes)
    assert isinstance(loaded, PokerRulebook)
    return loaded


def weighed(rules: PokerRulebook, hand: str, up: str, wagers: dict[str, int]) -> DecisionValue:
    a, b, c = parse_cards(hand)
    return evaluate(rules, (a, b, c), parse_cards(up), seat_with(rules, wagers))


def wagers_for(name: str, rng: random.Random) -> dict[str, int]:
    if name == "california":
        return {"ante": rng.choice([500, 777, 10001]), "bonus": rng.choice([500, 9999])}
    return {"ante": rng.randint(100, 400), "pair_plus": rng.randint(100, 400)}


@pytest.mark.parametrize(("name", "reading"), READINGS, ids=str)
@pytest.mark.parametrize("up", [0, 1, 2])
def test_decision_value_equals_the_plain_settlement(
    name: str, reading: dict[str, Any], up: int
) -> None:
    rules, rng = book(name, up=up, **reading), seeds.rng(f"coach {name} {reading} {up}")
    hands = ["As Ks Qs", "2c 2d 3h", "Qs 6d 4c", "9h 8h 7h", "Jd 9s 4c"]
    for hand in hands if FULL else rng.sample(hands, 2):
        rest = [card for card in range(52) if card not in parse_cards(hand)]
        shown = format_cards(tuple(rng.sample(rest, up)))
        wagers = wagers_for(name, rng)
        value = weighed(rules, hand, shown, wagers)
        slow = decisions.weigh(name, hand, shown, wagers, reading)
        assert (value.play, value.fold) == slow, (seeds.SEED, hand, shown, wagers)
        assert value.best == ("play" if value.play > value.fold else "fold")
        assert value.cost == abs(value.play - value.fold)


def test_the_dealers_hands_are_counted_by_case() -> None:
    for hand, up in (("Qs 6d 4c", "Kd"), ("2c 2d 3h", "7h"), ("Jd 9s 4c", "")):
        sheet = coach_sheet.as_json(
            coach(book("california", up=len(up.split())), hand, up or None, None)
        )
        assert sheet["hands"] == decisions.cases(hand, up)


def test_value_before_deal_equals_the_odds() -> None:
    for name, wagers, fee in (
        ("california", {"ante": 500, "bonus": 300}, 100),
        ("house", {"ante": 400, "pair_plus": 100}, 0),
    ):
        bets = qh.odds(book(name)).bets
        expected = sum((bets[bet].ev * cents for bet, cents in wagers.items()), Fraction(-fee))
        value = weighed(book(name), "Qs 6d 4c", "Kd" * book(name).up, wagers)
        assert value.value_before_deal == expected


def test_value_before_deal_plays_best_for_all_wagers() -> None:
    """Two cards up, the side bet lost with the fold: a fold of the Ante may be no fold now."""
    reading = {"pair_plus_on_fold": "forfeit"}
    rules, wagers = book("house", up=2, **reading), {"ante": 100, "pair_plus": 400}
    lost = weighed(rules, "2c 2d 3h", "As Ad", wagers)
    assert qh.advise(rules, (0, 1, 6), parse_cards("As Ad")).best == "fold"
    assert (int(lost.play), int(lost.fold), str(lost.best)) == (200, -500, "play")

    hand = "2c 2d 3h"
    rest = [card for card in range(52) if card not in parse_cards(hand)]
    rng = random.Random(5)
    ups = [format_cards(tuple(rng.sample(rest, 2))) for _ in range(3)]
    ups += ["As Ad", "7s 7d"]
    for up in ups:
        value = weighed(rules, hand, up, wagers)
        assert (value.play, value.fold) == decisions.weigh("house", hand, up, wagers, reading)
    every = [weighed_best(rules, a, b, wagers) for i, a in enumerate(rest) for b in rest[i + 1 :]]
    hands = np.array([parse_cards(hand)], dtype=np.int32)
    assert value_before_deal(rules, seat_with(rules, wagers), hands) == sum(every) / len(every)


def weighed_best(rules: PokerRulebook, a: int, b: int, wagers: dict[str, int]) -> Fraction:
    """Weigh the pair of deuces against two up cards, by the cases alone."""
    pair = count_cases(rules, (0, 1, 6), (a, b))
    gains = [cell.ante + cell.play for cell in rules.cells]
    ante = Fraction(sum(n * gain for n, gain in zip(pair, gains, strict=True)), sum(pair))
    play = ante * wagers["ante"] + wagers["pair_plus"]
    return max(play, Fraction(-wagers["ante"] - wagers["pair_plus"]))


def test_sums_do_not_overflow() -> None:
    """The largest wagers that are counted at all: the sums are beyond 64 bits."""
    most = 10**11
    rules = own("house", **{"limits.ante.max": most, "limits.pair_plus.max": most})
    value = weighed(rules, "Qs 6d 4c", "", {"ante": most, "pair_plus": 100})
    bets = qh.odds(rules).bets
    assert value.value_before_deal == bets["ante"].ev * most + bets["pair_plus"].ev * 100
    with pytest.raises(qh.QueenhighError, match="possible winnings"):
        weighed(rules, "Qs 6d 4c", "", {"ante": most, "pair_plus": most})


@pytest.mark.parametrize(
    ("name", "wagers", "why"),
    [
        ("california", {"bonus": 500}, "you have no Ante"),
        ("house", {"pair_plus": 100}, "nothing to decide"),
        ("house", {"ante": 100, "bonus": 100}, "no bonus bet"),
        ("house", {"ante": 500}, "outside the limits"),
    ],
)
def test_impossible_wagers_are_refused(name: str, wagers: dict[str, int], why: str) -> None:
    with pytest.raises(qh.QueenhighError, match=why):
        seat_with(book(name), wagers)


# The drill


@pytest.mark.parametrize(("name", "up"), [("california", 1), ("house", 0), ("house", 2)])
def test_exercises_have_their_exact_values(name: str, up: int) -> None:
    rules = book(name, up=up)
    drilled = exercises(rules, 20, np.random.default_rng(3))
    assert (
        len(drilled)
        == len({(tuple(sorted(exercise.hand)), exercise.up) for exercise in drilled})
        == 20
    )
    for exercise in drilled[: sized(4, 20)]:
        assert len({*exercise.hand, *exercise.up}) == 3 + up
        hand, shown = format_cards(exercise.hand), format_cards(exercise.up)
        ante = {"ante": 100} if name == "house" else {"ante": 500}
        play, fold = decisions.weigh(name, hand, shown, ante)
        assert (exercise.play, exercise.fold) == (play / ante["ante"], fold / ante["ante"])
        advice = qh.advise(rules, exercise.hand, exercise.up)
        assert (exercise.play, exercise.fold, exercise.best) == (
            advice.play,
            advice.fold,
            advice.best,
        )


@pytest.mark.parametrize("name", ["california", "house"])
def test_drill_prefers_close_hands_of_both_moves(name: str) -> None:
    drilled = exercises(book(name), 50, np.random.default_rng(1))
    hard = [
        exercise for exercise in drilled if abs(exercise.play - exercise.fold) < Fraction(15, 100)
    ]
    assert len(hard) > 30
    assert 15 <= sum(exercise.best == "play" for exercise in drilled) <= 35


def test_drill_works_where_one_move_is_always_best() -> None:
    """A dealer who needs an ace is short so often that nobody folds."""
    drilled = exercises(book("house", qualifier="ace-high", up=0), 20, np.random.default_rng(1))
    assert {exercise.best for exercise in drilled} == {"play"}
    assert len(drilled) == 20


def test_a_drill_is_plain_data() -> None:
    rules = book("california")
    sheet = drill_sheet.as_json(rules, exercises(rules, 3, np.random.default_rng(2)))
    assert (sheet["rulebook"], sheet["up"], len(sheet["deals"])) == ("california", 1, 3)
    for deal in sheet["deals"]:
        hand, up = format_cards(tuple(deal["hand"])), format_cards(tuple(deal["up"]))
        assert deal["hands"] == decisions.cases(hand, up)
        assert Fraction(deal["cost"]) == abs(Fraction(deal["play"]) - Fraction(deal["fold"]))
