"""A round may lack the hands that nothing depends on, and settles the same without them."""

import json
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.games.three_card_poker import Seat, legal, needed_hands, settlement
from queenhigh.settle_format import read_line, settle_checked, write_line
from tests import seeds
from tests.oracle import rounds
from tests.rules.short_rounds import load
from tests.sizes import sized

ROUNDS = sized(150, 2_000)

READINGS = [
    ("california", {}),
    ("california", {"bonus.on_fold": "resolve", "coverage": "net"}),
    ("house", {}),
    ("house", {"pair_plus.on_fold": "forfeit"}),
    ("house", {"ante_bonus.on_fold": "pay"}),
]


def settled(book: qh.Rulebook, round: dict[str, Any]) -> bytes:
    id, finished = read_line(book, json.dumps(round).encode())
    return write_line(id, settle_checked(book, finished))


def hands_of(round: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    return [(round, "dealer"), *((seat, "cards") for seat in round["seats"])]


def hands_that_matter(name: str, changes: dict[str, Any]) -> list[str]:
    """Take each hand out of random rounds; return the hands that changed the result."""
    book, rng = load(name, changes), seeds.rng(f"needed {name} {changes}")
    left_out, refused, wrong = 0, 0, []
    for _ in range(ROUNDS):
        round = getattr(rounds, name)(rng, {})
        if rng.random() < 0.6:
            round["seats"] = [
                {**seat, "move": "fold"} if "move" in seat else seat for seat in round["seats"]
            ]
        expected = settled(book, round)
        for where, key in hands_of(round):
            hand = where.pop(key)
            try:
                if settled(book, round) != expected:
                    wrong.append(f"{key} of {round}")
                left_out += 1
            except qh.IllegalRound as error:
                refused += error.code == "cards.count"
                where[key] = hand
    assert min(left_out, refused) > ROUNDS // 10
    return wrong


@pytest.mark.parametrize(("name", "changes"), READINGS, ids=str)
def test_hands_left_out_change_no_result(name: str, changes: dict[str, Any]) -> None:
    assert hands_that_matter(name, changes) == []


def test_missing_dealer_who_is_needed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (legal, settlement):
        monkeypatch.setattr(module, "compared_seat", lambda round: None)
    assert hands_that_matter("california", {})


def test_missing_hand_that_is_needed_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (legal, settlement):
        monkeypatch.setattr(module, "needs_cards", lambda book, seat: seat.move == "play")
    assert hands_that_matter("house", {})


@pytest.mark.parametrize(
    ("changes", "seat", "needed"),
    [
        ({}, {"ante": 100, "move": "fold"}, False),
        ({}, {"ante": 100, "move": "play"}, True),
        ({}, {"pair_plus": 100}, True),
        ({}, {"ante": 100, "pair_plus": 100, "move": "fold"}, True),
        ({"pair_plus.on_fold": "forfeit"}, {"ante": 100, "pair_plus": 1, "move": "fold"}, False),
        ({"ante_bonus.on_fold": "pay"}, {"ante": 100, "move": "fold"}, True),
    ],
)
def test_house_needs_cards_that_decide_a_wager(
    changes: dict[str, Any], seat: dict[str, Any], needed: bool
) -> None:
    book = qh.load("house", changes)
    assert needed_hands.needs_cards(book, Seat(1, **seat)) is needed


def test_round_without_any_card_is_settled() -> None:
    seats = [{"seat": 1, "ante": 1000, "bonus": 500, "move": "fold"}]
    result = qh.settle(qh.load("california"), {"bank": 1200, "seats": seats})
    assert [row.net for row in result.seats[0].wagers] == [-1000, -200]
    assert (result.banker, result.bank_left) == (1200, 0)


def test_cards_that_are_given_needlessly_are_still_checked() -> None:
    seats = [{"seat": 1, "cards": "As Ks Qs", "ante": 1000, "move": "fold"}]
    round = {"dealer": "As 2d 3c", "bank": 1000, "seats": seats}
    with pytest.raises(qh.IllegalRound, match="As is dealt twice"):
        qh.settle(qh.load("california"), round)
