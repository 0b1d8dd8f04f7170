"""The scalar engine plays the games themselves; every other engine must tally the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import queenhigh as qh
from queenhigh.sampling import arrays, compiled, scalar
from queenhigh.sampling.arrays import Arrays
from queenhigh.sampling.plan import Plan, PokerPlan
from queenhigh.sampling.words import GAMMA, MIX
from queenhigh.simulation.terms import Terms, make_plan
from tests.simulate import host_kernel
from tests.simulate.tables import plans, poker
from tests.sizes import FULL
from tests.test_settle_equals_oracle import cases

ROUNDS = 4_000 if FULL else 150
#: Enough rounds for a word to be refused now and then, which happens to one hand in 40,000.
MANY = 400_000 if FULL else 40_000
START = 10**12


@pytest.mark.parametrize(("name", "reading"), cases(), ids=str)
def test_the_compiled_engine_equals_the_scalar_one(name: str, reading: dict[str, Any]) -> None:
    for plan in plans(name, reading):
        assert compiled.sample(plan, START, ROUNDS) == scalar.sample(plan, START, ROUNDS)


@pytest.mark.parametrize(("name", "reading"), cases(), ids=str)
def test_the_gpu_kernel_equals_the_compiled_engine(name: str, reading: dict[str, Any]) -> None:
    every = plans(name, reading)
    for plan in every if FULL else every[:2]:
        assert host_kernel.sample(plan, START, MANY) == compiled.sample(plan, START, MANY)


def test_best_play_against_two_up_cards() -> None:
    plan = make_plan(qh.load("house", {"up": 2}), {"seats": 2, "seed": 3})
    assert compiled.sample(plan, 0, ROUNDS) == scalar.sample(plan, 0, ROUNDS)
    assert host_kernel.sample(plan, 0, MANY) == compiled.sample(plan, 0, MANY)


def test_rounds_with_a_refused_word() -> None:
    """The rounds in which a word is refused are few: find some, and play only those."""
    book = qh.load("california", {"first": "drawn"})
    terms: Terms = {"seats": 10, "bank": 2500, "policy": "best+errors:7.531%", "seed": 1}
    plan = make_plan(book, terms)
    assert isinstance(plan, PokerPlan)
    rare = _refused(arrays.arrays(plan), 400_000)
    assert len(rare) > 20
    for at, number in enumerate(rare[:20]):
        expected = scalar.sample(plan, number, 1)
        assert compiled.sample(plan, number, 1) == expected
        if at < 2:
            assert host_kernel.sample(plan, number, 1) == expected


def _refused(found: Arrays, rounds: int) -> list[int]:
    """Return the rounds in which a word is refused."""
    low = np.uint64(2**32 - 1)
    pairs = len(found.bounds) // 2
    rounds_from_1 = np.arange(1, rounds + 1, dtype=np.uint64)[:, None]
    states = found.word_keys[None, :pairs] + rounds_from_1 * np.uint64(GAMMA)
    for shift, factor in zip((30, 27), MIX, strict=True):
        states = (states ^ (states >> np.uint64(shift))) * np.uint64(factor)
    states ^= states >> np.uint64(31)
    words = np.stack((states & low, states >> np.uint64(32)), axis=2).reshape(rounds, -1)
    refused = (words * found.bounds.prod(axis=1) & low) < found.least
    return np.flatnonzero(refused.any(axis=1)).tolist()


@pytest.mark.parametrize("ace_low", [True, False])
def test_keys_are_ordered_as_strengths_are(ace_low: bool) -> None:
    keys = arrays.keys_of(poker("house", {"ace_low": ace_low}).ranking).tolist()
    assert keys == sorted(set(keys))


# Planted bugs: each must make the tallies differ.


def _bug(change: Callable[[Arrays], dict[str, Any]]) -> Callable[[Plan], bool]:
    def differs(plan: Plan) -> bool:
        assert isinstance(plan, PokerPlan)
        compiled._arrays.cache_clear()
        right = arrays.arrays(plan)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(compiled, "_arrays", lambda _: right._replace(**change(right)))
            wrong = compiled.sample(plan, START, 3_000)
        return wrong != scalar.sample(plan, START, 3_000)

    return differs


PLANTED = {
    "the order of action": _bug(lambda a: {"order": a.order[:, ::-1].copy()}),
    "coverage": _bug(lambda a: {"by_action": not a.by_action}),
    "a bank of one unit less": _bug(lambda a: {"bank": a.bank - 1}),
    "ace, deuce, three": _bug(lambda a: {"ace_low": not a.ace_low}),
    "a qualifier one hand higher": _bug(lambda a: {"qualifying": a.qualifying + 16}),
    "chart play where suits decide": _bug(lambda a: {"plays_from": a.folds_below}),
    "one error fewer": _bug(lambda a: {"errors": (a.errors[0] - 1, a.errors[1])}),
    "words of another seed": _bug(lambda a: {"word_keys": a.word_keys + np.uint64(1)}),
    "a bonus paid on a fold": _bug(lambda a: {"dues": np.abs(a.dues), "losses": a.losses * 0}),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_the_comparison_catches_a_planted_bug(planted: str) -> None:
    terms: Terms = {"seats": 6, "bonus": 500, "bank": 3500, "policy": "best+errors:10%", "seed": 4}
    plan = make_plan(qh.load("california"), terms)
    assert PLANTED[planted](plan)
    assert not _bug(lambda a: {})(plan)
