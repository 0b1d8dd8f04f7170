"""`settle` against the plain implementation, on random rounds of every rulebook and reading."""

import json
import random
from collections.abc import Callable
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.settle_format import read_line, settle_checked, write_line
from tests.oracle import plain, rounds
from tests.sizes import FULL

ROUNDS = 200_000 if FULL else 1_500

Settle = Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]
Make = Callable[[random.Random, dict[str, Any]], dict[str, Any]]

GAMES: dict[str, tuple[Make, Settle]] = {
    "california": (rounds.california, plain.settle_california),
    "house": (rounds.house, plain.settle_house),
    "roulette": (rounds.roulette_of(rounds.LAYOUT, 2), plain.settle_roulette),
    "roulette-european": (rounds.roulette_of(rounds.EUROPEAN, 1), plain.settle_roulette),
    "roulette-american": (rounds.roulette_of(rounds.AMERICAN, 2), plain.settle_roulette),
}

ZERO: list[dict[str, Any]] = [
    {"on_zero": "la_partage"},
    *({"on_zero": "en_prison", "second_zero": ending} for ending in ("lose", "half", "stay")),
]
READINGS: dict[str, dict[str, list[Any]]] = {
    "california": {
        "ace_low": [True, False],
        "short_ante": ["ahead", "win", "push"],
        "tie": ["push", "win", "lose"],
        "bonus_on_fold": ["forfeit", "resolve"],
        "coverage": ["action", "net"],
        "fee_per": ["round", "wager"],
        "collect": ["before", "after"],
        "first": ["left", "button", "drawn"],
        "rotation": ["two_rounds", "every_round", "free"],
    },
    "house": {
        "ace_low": [True, False],
        "up": [0, 1, 2],
        "pair_plus_on_fold": ["resolve", "forfeit"],
        "ante_bonus_on_fold": ["forfeit", "pay"],
    },
    "roulette": {"zeros": [2, 1, 3]},
    "roulette-european": {
        "on_zero": ["lose", "la_partage", "en_prison"],
        "second_zero": ["lose", "half", "stay"],
    },
    "roulette-american": {
        "on_zero": ["lose", "la_partage", "en_prison"],
        "second_zero": ["lose", "half", "stay"],
    },
}


def cases() -> list[tuple[str, dict[str, Any]]]:
    """The defaults, each other reading alone, and some where every reading is drawn."""
    found: list[tuple[str, dict[str, Any]]] = []
    rng = random.Random(20)
    for name, readings in READINGS.items():
        found.append((name, {}))
        for key, (_, *others) in readings.items():
            found += [(name, {key: other}) for other in others]
        found.append((name, {key: rng.choice(values) for key, values in readings.items()}))
        if name.startswith("roulette-"):
            found += [(name, reading) for reading in ZERO]
    unique = {json.dumps(case): case for case in found}
    return list(unique.values())


def compare(
    book: qh.Rulebook, make: Make, expect: Settle, reading: dict[str, Any], *, count: int, seed: str
) -> dict[str, Any] | None:
    """Return the first round on which the two disagree, or nothing."""
    rng = random.Random(seed)
    for _ in range(count):
        round = make(rng, reading)
        id, finished = read_line(book, json.dumps(round).encode())
        settled = json.loads(write_line(id, settle_checked(book, finished)))
        if settled != expect(round, reading):
            return {"round": round, "settled": settled, "expected": expect(round, reading)}
        rows = settled["seats"] if "seats" in settled else settled["wagers"]
        assert settled["banker"] + sum(row["net"] for row in rows) == 0
        if "bank_left" in settled:
            assert abs(settled["banker"]) <= round["bank"]
    return None


@pytest.mark.parametrize(("name", "reading"), cases(), ids=str)
def test_settle_equals_the_plain_implementation(name: str, reading: dict[str, Any]) -> None:
    make, expect = GAMES[name]
    if reading.get("zeros"):
        make = rounds.roulette_of(rounds.LAYOUT, reading["zeros"])
    book = qh.load(name, reading)
    seed = f"{name} {reading}"
    assert compare(book, make, expect, reading, count=ROUNDS, seed=seed) is None


def test_every_reading_of_every_rulebook_is_compared() -> None:
    """A reading that a rulebook admits and the list above lacks fails here."""
    for name in qh.shipped():
        listed = READINGS[name]
        for item in qh.load(name).assumptions:
            if item.key and item.others:
                short = item.key.split(".")[-1]
                key = item.key.replace(".", "_") if short == "on_fold" else short
                assert sorted(map(str, listed[key])) == sorted(map(str, (item.value, *item.others)))


def _ties_win(round: dict[str, Any], reading: dict[str, Any]) -> dict[str, Any]:
    return plain.settle_california(round, {**reading, "tie": "win"})


def _folds_play_on(round: dict[str, Any], reading: dict[str, Any]) -> dict[str, Any]:
    seats = [{**seat, "move": "play"} for seat in round["seats"]]
    return plain.settle_california({**round, "seats": seats}, reading)


def _order_ignored(round: dict[str, Any], reading: dict[str, Any]) -> dict[str, Any]:
    return plain.settle_california({**round, "first": 1}, reading)


def _bank_endless(round: dict[str, Any], reading: dict[str, Any]) -> dict[str, Any]:
    result = plain.settle_california({**round, "bank": 10**9}, reading)
    return {**result, "bank_left": max(0, result["bank_left"] - 10**9 + round["bank"])}


def _fee_of_smallest_ante(round: dict[str, Any], reading: dict[str, Any]) -> dict[str, Any]:
    result = plain.settle_california(round, reading)
    least = plain.fee_row(min(seat["ante"] for seat in round["seats"]))
    return {**result, "banker_fee": least[3]}


@pytest.mark.parametrize(
    "planted", [_ties_win, _folds_play_on, _order_ignored, _bank_endless, _fee_of_smallest_ante]
)
def test_the_comparison_catches_a_planted_bug(planted: Settle) -> None:
    book = qh.load("california")
    found = compare(book, rounds.california, planted, {}, count=1_500, seed="planted")
    assert found is not None
