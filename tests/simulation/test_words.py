"""Chance: the words of a round, the numbers drawn from them, and the cards they deal."""

from collections import Counter
from itertools import islice
from math import prod
from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.cards import format_cards
from queenhigh.games.three_card_poker import Round
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.simulation.engines import scalar
from queenhigh.simulation.engines.plan import PokerPlan
from queenhigh.simulation.engines.splitmix import deal, draw, output, refused_below, words
from queenhigh.simulation.terms import make_plan
from tests.simulation.hard_tables import poker

DOCS = (Path(__file__).parents[2] / "docs" / "simulate.md").read_text()


def test_splitmix64_as_published() -> None:
    """The first outputs for the seed 1234567, as Rosetta Code lists them for SplitMix64."""
    assert [output(1234567, index) for index in range(5)] == [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]


#: The test vectors of docs/simulate.md: seed, round, the first words, the cards of two hands.
VECTORS = [
    (0, 0, "4d197e6f a706dd2f f0c37c00 46b73e79", "5s Td Ts 9s Kh 8h"),
    (7, 0, "7eabce45 b8b4c297 2111dce4 8254fd5b", "8d Jd 4s Ts 6c Kh"),
    (7, 1, "338ec8fe a65305fd 0d7f2360 c052c5bc", "4h 8c 3d 9s Qc 3c"),
    (2**64 - 1, 10**12, "70100962 2c3a8369 2093fead 44a65153", "7h Jh Kc 4c As 6c"),
]


@pytest.mark.parametrize(("seed", "round", "expected", "cards"), VECTORS)
def test_vectors(seed: int, round: int, expected: str, cards: str) -> None:
    assert " ".join(f"{word:08x}" for word in islice(words(seed, round), 4)) == expected
    assert format_cards(deal(words(seed, round), 2)) == cards
    assert expected in DOCS
    assert cards in DOCS


def played(plan: PokerPlan, number: int) -> Round:
    round = scalar.play(plan, number)
    assert isinstance(round, Round)
    return round


def test_vectors_of_draws_after_the_cards() -> None:
    """The sentence of docs/simulate.md on the drawn first seat, mistakes and the wheel."""
    book = poker("california", {"first": "drawn"})
    errs, best = (
        make_plan(book, {"seats": 3, "policy": policy, "seed": 7})
        for policy in ("best+errors:20%", "best")
    )
    assert isinstance(errs, PokerPlan)
    assert isinstance(best, PokerPlan)
    assert [played(errs, number).first for number in range(3)] == [7, 4, 7]
    pairs = zip(played(errs, 0).seats, played(best, 0).seats, strict=True)
    assert [seat.move != other.move for seat, other in pairs] == [False, True, False]
    pockets = european_wheel().pockets
    landed = [pockets[draw(words(7, number), len(pockets))[0]] for number in range(5)]
    assert landed == ["18", "7", "29", "5", "13"]
    assert "18, 7, 29, 5 and 13" in DOCS


def european_wheel() -> RouletteRulebook:
    book = qh.load("roulette-european")
    assert isinstance(book, RouletteRulebook)
    return book


def test_a_word_is_a_function_of_seed_round_and_place() -> None:
    pairs = [output(output(7, index), 5) for index in range(3)]
    assert list(islice(words(7, 5), 6)) == [half for p in pairs for half in (p % 2**32, p >> 32)]


@pytest.mark.parametrize(
    "bounds",
    [
        (52, 51, 50),
        (10**5, 1, 1),
        pytest.param((49, 48, 47), marks=pytest.mark.full),
        pytest.param((22, 21, 20), marks=pytest.mark.full),
    ],
)
def test_every_draw_has_as_many_words(bounds: tuple[int, ...]) -> None:
    """Of the words that give a combination, all but the refused ones are kept: always as many."""
    combinations = prod(bounds)
    for chosen in {0, 1, combinations // 3, combinations - 1}:
        low, high = -(-chosen * 2**32 // combinations), (chosen + 1) * 2**32 // combinations + 1
        accepted = Counter(
            tuple(draw(iter([word, 0xFFFFFFFF]), *bounds))
            for word in range(low, min(high, 2**32))
            if (word * combinations) % 2**32 >= refused_below(*bounds)
            and word * combinations >> 32 == chosen
        )
        assert list(accepted.values()) == [2**32 // combinations]


def test_refused_word_is_replaced_by_the_next() -> None:
    assert refused_below(52, 51, 50) == 2**32 % 132600 == 53296
    half = 2**31 + 1
    assert draw(iter([0, half]), 52, 51, 50) == draw(iter([half]), 52, 51, 50) == [26, 0, 0]
    with pytest.raises(ValueError, match="ran out"):
        draw(iter([0]), 52, 51, 50)


def test_a_deal_is_a_shuffle_from_the_end() -> None:
    cards = deal(words(7, 0), 17)
    assert len(set(cards)) == 51
    assert cards[:6] == deal(words(7, 0), 2)
    first, second, third = draw(words(7, 0), 52, 51, 50)
    deck = list(range(52))
    for number, last in ((first, 51), (second, 50), (third, 49)):
        deck[number], deck[last] = deck[last], deck[number]
    assert cards[:3] == (deck[51], deck[50], deck[49])


def test_all_cards_come_equally_often_at_every_place() -> None:
    """A coarse look at uniformity; the means of a thousand million rounds are the fine one."""
    rounds = 20_000
    counts = [
        Counter(place) for place in zip(*(deal(words(3, i), 2) for i in range(rounds)), strict=True)
    ]
    for place in counts:
        square = sum((place[card] - rounds / 52) ** 2 for card in range(52)) / (rounds / 52)
        assert square < 51 + 5 * (2 * 51) ** 0.5
