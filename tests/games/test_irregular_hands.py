"""Entered hands with irregularities: against the plain settlement, and everything refused."""

import json
import random
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.games.three_card_poker import irregular, irregular_settlement
from queenhigh.settle_format import read_line, settle_checked, write_line
from tests import seeds
from tests.oracle import irregular as oracle
from tests.oracle import rounds
from tests.rules.short_rounds import load, refused, settle
from tests.sizes import sized

ROUNDS = sized(400, 1_500, 40_000)
MAKERS = {"california": rounds.california, "house": rounds.house}


def spoilt(name: str, rng: random.Random) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return readings and a round in which something went wrong."""
    reading = oracle.reading(rng, name)
    return reading, oracle.spoil(rng, name, MAKERS[name](rng, reading), reading)


def first_difference(name: str, count: int, rng: random.Random) -> dict[str, Any] | None:
    """Return the first round on which engine and oracle disagree, or nothing."""
    for _ in range(count):
        reading, round = spoilt(name, rng)
        book = load(name, reading)
        try:
            id, finished = read_line(book, json.dumps(round).encode())
            settled = json.loads(write_line(id, settle_checked(book, finished)))
        except qh.QueenhighError as error:
            settled = {"refused": str(error)}
        expected = oracle.settle(name, round, reading)
        if settled != expected:
            return {"round": round, "reading": reading, "settled": settled, "expected": expected}
        assert settled["banker"] + sum(seat["net"] for seat in settled["seats"]) == 0
    return None


@pytest.mark.parametrize("name", MAKERS)
def test_irregular_hands_settle_as_the_oracle_says(name: str) -> None:
    rng = seeds.rng(f"irregular {name}")
    different = first_difference(name, ROUNDS, rng)
    assert different is None, f"{seeds.VARIABLE}={seeds.SEED}: {different}"


@pytest.mark.parametrize("name", MAKERS)
def test_random_irregular_hands_show_every_ruling(name: str) -> None:
    rng, seen = random.Random(4), set()
    for _ in range(600):
        reading, round = spoilt(name, rng)
        seen |= {
            (row["kind"], row["ruling"])
            for row in oracle.settle(name, round, reading)["irregularities"]
        }
    assert len(seen) == 9


def test_a_fee_that_was_never_collected_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(irregular_settlement, "_collected", lambda book, fee: fee > 0)
    assert first_difference("california", 400, random.Random(1)) is not None


def test_a_wager_that_stands_above_its_limit_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    right = irregular._up_to_limit
    monkeypatch.setattr(irregular, "_up_to_limit", lambda *given: max(0, right(*given) - 1))
    assert first_difference("house", 400, random.Random(1)) is not None


def test_a_void_hand_that_is_settled_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = {
        **irregular._KINDS,
        "exposed_player": irregular._KINDS["exposed_player"]._replace(ruling="play_on"),
    }
    monkeypatch.setattr(irregular, "_KINDS", kinds)
    assert first_difference("california", 400, random.Random(1)) is not None


# What is refused

HAND = {"seat": 1, "cards": "As Kd 9h", "ante": 1000, "move": "play"}
OTHER = {"seat": 4, "cards": "Tc 8c 3d", "ante": 1000, "move": "fold"}
WHOLE = {"dealer": "Qs 7d 2c", "bank": 100_000}


BARE = {"seat": 4, "ante": 1000}


def entered(*irregularities: Any, seats: Any = (HAND, OTHER), **more: Any) -> dict[str, Any]:
    return {**WHOLE, "seats": list(seats), "irregularities": list(irregularities), **more}


def without(seat: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in seat.items() if key not in keys}


REFUSED: list[tuple[dict[str, Any], str]] = [
    (entered(), "irregularities is empty: omit the key"),
    (entered({"kind": "rain"}), "there is no irregularity 'rain': write one of misdeal, exposed_"),
    (entered({"kind": "player_gone", "seat": 1}), "enter it as the seat's move (IR-7)"),
    (entered({"kind": "wrong_cards"}), "wrong_cards concerns one hand: add its seat (IR-4)"),
    (
        entered({"kind": "foul_deck", "seat": 1}),
        "foul_deck concerns the whole round: remove seat (IR-5)",
    ),
    (entered({"kind": "wrong_cards", "seat": 7}), "seat 7 is not in this round (IR-4)"),
    (
        entered({"kind": "wrong_cards", "seat": 1}),
        "seat 1 has three cards, which is the right number (IR-4)",
    ),
    (
        entered({"kind": "exposed_player", "seat": 1}, {"kind": "exposed_player", "seat": 1}),
        "exposed_player of seat 1 appears twice: enter it once (IR-2)",
    ),
    (
        entered({"kind": "misdeal"}),
        "seat 1 has already decided: it is too late for a misdeal (IR-1)",
    ),
    (
        entered({"kind": "exposed_dealer"}),
        "every player has decided: the round cannot be void (IR-3)",
    ),
    (
        entered({"kind": "outside_limits", "seat": 1}),
        "outside_limits: add the wager (IR-6)",
    ),
    (
        entered({"kind": "wrong_cards", "seat": 1, "wager": "ante"}),
        "wrong_cards: only outside_limits has a wager: remove it (IR-4)",
    ),
    (
        entered({"kind": "outside_limits", "seat": 1, "wager": "ante"}),
        "the ante of seat 1, $10.00, is within its limits (IR-6)",
    ),
    (
        entered({"kind": "outside_limits", "seat": 1, "wager": "bonus"}),
        "seat 1 has no bonus that could be outside its limits (IR-6)",
    ),
    (
        entered({"kind": "outside_limits", "seat": 1, "wager": "insurance"}),
        "there is no insurance bet in this game (IR-6)",
    ),
    (
        entered({"kind": "exposed_player", "seat": 1}, seats=[{**HAND, "ante": 499}]),
        "the ante of seat 1, $4.99, is outside the limits $5.00 to $1,000.00 (CA-7)",
    ),
    (
        entered({"kind": "wrong_cards", "seat": 4}, seats=[HAND, {**OTHER, "cards": "As"}]),
        "As is dealt twice: enter foul_deck if the deck had it twice (IR-5)",
    ),
    (
        entered({"kind": "wrong_cards", "seat": 4}, seats=[{**HAND, "cards": "As"}, BARE]),
        "seat 1 has 1 card instead of three",
    ),
    (
        entered({"kind": "exposed_player", "seat": 1}, seats=[without(HAND, "move")]),
        "seat 1 has an ante but no move",
    ),
    (
        entered({"kind": "foul_deck"}, seats=[{**without(HAND, "ante"), "bonus": 100}]),
        "seat 1 has a move but no ante",
    ),
    (entered({"kind": "foul_deck"}, seats=[HAND, HAND]), "seat 1 appears twice"),
    (
        entered(
            {"kind": "outside_limits", "seat": 4, "wager": "ante"},
            seats=[HAND, {"seat": 4, "ante": 100, "pair_plus": 100}],
        ),
        "there is no pair_plus bet in this game",
    ),
    (entered({"kind": "foul_deck", "why": "?"}), "irregularities[0] has an unknown key why"),
]  # fmt: skip


@pytest.mark.parametrize(("round", "sentence"), REFUSED, ids=lambda value: str(value)[:40])
def test_nonsense_is_refused_in_one_sentence(round: dict[str, Any], sentence: str) -> None:
    said = refused("california", round)
    assert sentence in said
    assert "\n" not in said


def test_a_key_of_an_irregularity_may_not_come_twice() -> None:
    text = json.dumps(entered({"kind": "foul_deck"}))
    twice = text.replace('"kind": "foul_deck"', '"kind": "foul_deck", "kind": "foul_deck"')
    assert read_line(load("california", {}), text.encode())
    with pytest.raises(qh.InvalidRound, match="the key kind appears twice"):
        read_line(load("california", {}), twice.encode())


def test_an_entered_value_is_not_settled_unchecked() -> None:
    _, finished = read_line(
        load("california", {}), json.dumps(entered({"kind": "foul_deck"})).encode()
    )
    with pytest.raises(qh.IllegalRound, match="read from the settle format only"):
        qh.settle(load("california", {}), finished)


def test_the_wheel_has_no_irregularities() -> None:
    spin = {"pocket": "1", "wagers": [{"bet": "red", "stake": 100}], "irregularities": []}
    assert "unknown key irregularities" in refused("roulette", spin)


def test_two_void_hands_leave_a_void_round() -> None:
    hands = [without(HAND, "cards"), without(OTHER, "cards")]
    both = [{"kind": "wrong_cards", "seat": seat} for seat in (1, 4)]
    result = settle("california", entered(*both, seats=hands))
    assert (result["banker"], result["banker_fee"], result["bank_left"]) == (0, 0, 100_000)
    assert result["returned"][-1] == {"wager": "banker_fee", "cents": 200, "clause": "CA-7"}
