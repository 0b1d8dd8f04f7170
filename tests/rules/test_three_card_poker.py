"""TCP: the rules that both games of Three Card Poker share."""

from fractions import Fraction
from itertools import combinations

import pytest

import queenhigh as qh
from queenhigh.cards import DECK, HAND_CLASSES, parse_cards, ranking
from queenhigh.games.moves import better_move
from tests.rules.short_rounds import california, refused


def strength(text: str, *, ace_low: bool = True) -> int:
    a, b, c = parse_cards(text)
    return ranking(ace_low).strength((a, b, c))


def test_TCP_1_one_deck_of_52_and_equal_suits() -> None:
    assert len(DECK) == 52
    cards = {
        card for name in "23456789TJQKA" for suit in "cdhs" for card in parse_cards(name + suit)
    }
    assert cards == set(DECK)
    with pytest.raises(qh.InvalidRound):
        parse_cards("Jo ker")
    assert strength("As Kd 9h") == strength("Ac Kh 9d")


def test_TCP_2_ace_counts_high_and_low_in_straights() -> None:
    straights = [f"{a}s {b}d {c}h" for a, b, c in ("A23", "234", "345", "9TJ", "JQK", "QKA")]
    order = [strength(hand) for hand in straights]
    assert order == sorted(order)
    assert strength("Ks As 2d") < strength("2c 2d 3h"), "K-A-2 goes round no corner"


def test_TCP_2_read_without_the_low_straight() -> None:
    assert strength("As 2d 3h", ace_low=False) < strength("2c 2d 3h", ace_low=False)
    assert strength("As 2d 3h", ace_low=False) > strength("Ks Qd Th", ace_low=False)


def test_TCP_3_order_of_the_classes_and_741_strengths() -> None:
    ladder = ["Qs Js 9d", "2s 2d 3h", "2s 3s 5s", "As 2d 3h", "2s 2d 2h", "As 2s 3s", "Qs Ks As"]
    order = [strength(hand) for hand in ladder]
    assert order == sorted(order)
    assert len({ranking(True).strength(hand) for hand in combinations(DECK, 3)}) == 741
    assert strength("As Kd 9h") > strength("As Kd 8h"), "kickers count"
    assert strength("9s 9d Ah") > strength("9c 9h Kh"), "kickers of pairs count"


def test_TCP_3_counts_of_the_classes() -> None:
    counts = dict.fromkeys(HAND_CLASSES, 0)
    order = ranking(True)
    for hand in combinations(DECK, 3):
        counts[HAND_CLASSES[order.classes[order.strength(hand)]]] += 1
    # wizardofodds.com, Three Card Poker; the four royal flushes are in the 48
    assert counts == {
        "high_card": 16440, "pair": 3744, "flush": 1096, "straight": 720,
        "three_of_a_kind": 52, "straight_flush": 48, "royal_flush": 0,
    }  # fmt: skip


def test_TCP_4_whole_cents_or_refused() -> None:
    assert california("As Kd 9h", "play", "Qs 7d 2c", bonus=101)[2] == ("bonus", -101, "CA-19")
    round = {
        "dealer": "Qs 7d 2c",
        "bank": 1,
        "seats": [{"seat": 1, "cards": "As Kd 9h", "ante": 1001, "move": "play"}],
    }
    even = {"increment": 2, "fees.rates.1.min": 10002, "fees.rates.2.min": 30002}
    assert refused("california", round, **even).endswith("is not a multiple of $0.02 (TCP-4)")
    with pytest.raises(qh.InvalidRulebook, match=r"3 to 2 .* would not be whole cents \(TCP-4\)"):
        qh.load("california", {"bonus.pays.flush": "3 to 2"})
    qh.load("california", {**even, "bonus.pays.flush": "3 to 2"})


def test_TCP_5_equal_worth_is_a_fold() -> None:
    assert better_move(Fraction(-1), Fraction(-1)) == "fold"
    assert better_move(Fraction(-99, 100), Fraction(-1)) == "play"
    assert better_move(Fraction(-101, 100), Fraction(-1)) == "fold"
