"""The public names: few, typed, and here in use."""

from fractions import Fraction
from typing import get_args, get_overloads, get_type_hints

import pytest

import queenhigh as qh
from queenhigh.money import Pays
from tests.simulation.compile_once import compile_engine


def test_few_names_and_all_of_them_there() -> None:
    assert len(qh.__all__) <= 22
    for name in qh.__all__:
        assert getattr(qh, name) is not None
    assert set(dir(qh)) == {*qh.__all__, "__version__"}
    with pytest.raises(AttributeError):
        qh.nonsense  # noqa: B018


def test_load_and_settle() -> None:
    book = qh.load("california", {"coverage": "net"})
    assert isinstance(book, qh.Rulebook)
    settled = qh.settle(
        book,
        {
            "dealer": "Qs 7d 2c",
            "bank": 100000,
            "seats": [{"seat": 3, "cards": "As Kd 9h", "ante": 1000, "move": "play"}],
        },
    )
    assert settled.banker == -2000
    assert settled.seats[0].wagers[0].clause == "CA-16"


def test_what_load_is_said_to_return_is_what_it_returns() -> None:
    said = {
        name: hints["return"]
        for hints in map(get_type_hints, get_overloads(qh.load))
        for name in get_args(hints["rulebook"])
        if isinstance(name, str)
    }
    assert said == {name: type(qh.load(name)) for name in qh.shipped()}


def test_shipped_names() -> None:
    assert qh.shipped() == (
        "california", "house", "roulette", "roulette-american", "roulette-european",
    )  # fmt: skip


def test_cards_read_and_written_are_inverse() -> None:
    assert qh.parse_cards("As Kd 9h") == (51, 45, 30)
    assert qh.format_cards((51, 45, 30)) == "As Kd 9h"
    for card in range(52):
        assert qh.parse_cards(qh.format_cards((card,))) == (card,)


def test_money() -> None:
    assert qh.dollars(100000) == "$1,000.00"
    assert qh.dollars(-5) == "−$0.05"
    assert qh.dollars(5, signed=True) == "+$0.05"
    assert qh.dollars(0, signed=True) == "$0.00"
    assert Pays(3, 2).on(200) == 300
    assert str(Pays(35, 1)) == "35 to 1"
    assert Fraction(*Pays(3, 2)) == Fraction(3, 2)


def test_simulate() -> None:
    compile_engine()
    simulation = qh.simulate(qh.load("california"), 100_000, seats=10, bank=5000, seed=7)
    assert simulation.rounds == 100_000
    assert simulation.banker.mean == pytest.approx(-sum(seat.mean for seat in simulation.seats))
    assert "seat 10" in simulation._repr_html_()


def test_games_are_modules_of_pure_functions() -> None:
    assert qh.game_of(qh.load("house")) is qh.game_of(qh.load("california"))
    assert qh.game_of(qh.load("roulette")) is not qh.game_of(qh.load("house"))


def test_errors_have_codes_clauses_and_problems() -> None:
    book = qh.load("house")
    seat = {"seat": 1, "cards": "As Kd 9h", "ante": 500, "move": "play"}
    with pytest.raises(qh.IllegalRound) as illegal:
        qh.settle(book, {"dealer": "Qs 7d 2c", "seats": [seat]})
    assert (illegal.value.code, illegal.value.clause) == ("wager.limits", "HO-1")
    with pytest.raises(qh.InvalidRound) as invalid:
        qh.parse_cards("Zz")
    assert invalid.value.code == "card.unknown"
    with pytest.raises(qh.InvalidRulebook) as problems:
        qh.load("house", {"seats": 0})
    assert isinstance(problems.value.problems[0], qh.Problem)
    assert isinstance(problems.value, qh.QueenhighError)
