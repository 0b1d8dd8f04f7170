"""The text of a round: seats in order of action, and the rest of the bank after each wager."""

import json
import re
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.games.three_card_poker import Round, SettledRound, bank_left
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.settle_format import read_line, settle
from queenhigh.sheets.trace import trace
from tests import seeds
from tests.oracle import rounds
from tests.rules.short_rounds import load
from tests.sizes import sized

ROUNDS = sized(200, 3_000)


def drawn(coverage: str) -> list[tuple[PokerRulebook, Round, SettledRound]]:
    book, rng = load("california", {"coverage": coverage}), seeds.rng(f"bank left {coverage}")
    assert isinstance(book, PokerRulebook)
    settled = []
    for _ in range(ROUNDS):
        _, finished = read_line(book, json.dumps(rounds.california(rng, {})).encode())
        assert isinstance(finished, Round)
        settled.append((book, finished, settle(book, finished)))
    return settled


def wrong_rests(coverage: str) -> list[Round]:
    """Return the rounds whose rests do not follow from the amounts and end at the one settled."""
    wrong = []
    for book, round, settled in drawn(coverage):
        after = bank_left.bank_left_after(book, round, settled)
        rests = list(after.values())
        bank = round.bank or 0
        bounds = all(0 <= rest <= (bank if coverage == "action" else 2 * bank) for rest in rests)
        if not bounds or rests[-1] != settled.bank_left:
            wrong.append(round)
        if len(after) != sum(len(seat.wagers) for seat in settled.seats):
            wrong.append(round)
    return wrong


@pytest.mark.parametrize("coverage", ["action", "net"])
def test_rest_of_the_bank_ends_at_what_is_settled(coverage: str) -> None:
    assert wrong_rests(coverage) == []


@pytest.mark.parametrize(("coverage", "planted"), [("action", "net"), ("net", "action")])
def test_rest_by_the_other_coverage_is_noticed(
    coverage: str, planted: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest, other = bank_left.bank_left_after, qh.load("california", {"coverage": planted})
    monkeypatch.setattr(
        bank_left, "bank_left_after", lambda book, round, settled: rest(other, round, settled)
    )
    assert wrong_rests(coverage)


def matched_after_the_end() -> list[Round]:
    """Return rounds in which a wager went unmatched for want of a bank that still had a rest."""
    wrong, unmatched = [], 0
    for book, round, settled in drawn("action"):
        after = bank_left.bank_left_after(book, round, settled)
        for seat in settled.seats:
            for wager in seat.wagers:
                if wager.clause == "CA-21":
                    unmatched += 1
                    wrong += [round] if after[seat.seat, wager.wager] else []
    assert unmatched > ROUNDS // 10
    return wrong


def test_unmatched_wager_meets_an_empty_bank() -> None:
    assert matched_after_the_end() == []


def test_rest_in_another_order_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def as_given(book: PokerRulebook, round: Round, settled: SettledRound) -> list[Any]:
        return [(seat.seat, wager) for seat in settled.seats for wager in seat.wagers]

    monkeypatch.setattr(bank_left, "as_matched", as_given)
    assert matched_after_the_end()


def seats_in_text(round: dict[str, Any], name: str = "california") -> list[int]:
    book = qh.load(name)
    id, finished = read_line(book, json.dumps(round).encode())
    text = trace(book, id or "", finished, settle(book, finished))
    return [int(number) for number in re.findall(r"^  Seat (\d+):", text, re.M)]


def test_text_has_seats_in_order_of_action_and_json_as_given() -> None:
    seats = [{"seat": number, "ante": 500, "move": "fold"} for number in (2, 9, 4)]
    round = {"bank": 1000, "first": 4, "seats": seats}
    assert seats_in_text(round) == [4, 9, 2]
    settled = qh.settle(qh.load("california"), round)
    assert [seat.seat for seat in settled.seats] == [2, 9, 4]


def test_text_of_the_house_has_seats_as_given() -> None:
    seats = [{"seat": number, "ante": 100, "move": "fold"} for number in (2, 7, 4)]
    assert seats_in_text({"seats": seats}, "house") == [2, 7, 4]
