"""The scalar engine plays the games themselves; every other engine must tally the same."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import queenhigh as qh
from queenhigh.simulation.engines import arrays, compiled, scalar
from queenhigh.simulation.engines.arrays import Arrays
from queenhigh.simulation.engines.plan import PokerPlan
from queenhigh.simulation.engines.splitmix import GAMMA, MIX
from queenhigh.simulation.engines.tally import Tally
from queenhigh.simulation.terms import Terms, make_plan
from tests.games.test_settle_equals_oracle import cases
from tests.seeds import SEED, VARIABLE, rng
from tests.simulation import host_kernel
from tests.simulation.hard_tables import plans, poker, random_plan
from tests.sizes import FULL, sized

ROUNDS = sized(100, 600, 20_000)
#: Enough rounds for a word to be refused now and then, which happens to one hand in 40,000.
MANY = sized(40_000, 100_000, 2_000_000)
START = rng("engines").randrange(2**40)
WHERE = f"{VARIABLE}={SEED}, from round {START}"


@pytest.mark.parametrize(("name", "reading"), cases(), ids=str)
def test_compiled_engine_equals_scalar_engine(name: str, reading: dict[str, Any]) -> None:
    for plan in plans(name, reading):
        assert compiled.sample(plan, START, ROUNDS) == scalar.sample(plan, START, ROUNDS), WHERE


#: A kernel is compiled for each reading: at quick size for a third, other ones with each commit.
QUICK = rng("kernels").sample(range(len(cases())), len(cases()) // 3)
KERNELS = [
    pytest.param(
        *case, marks=() if number in QUICK else pytest.mark.full, id=f"{case[0]}-{case[1]}"
    )
    for number, case in enumerate(cases())
]


@pytest.mark.parametrize(("name", "reading"), KERNELS)
def test_gpu_kernel_equals_compiled_engine(name: str, reading: dict[str, Any]) -> None:
    every = plans(name, reading)
    for plan in every if FULL else every[:2]:
        assert host_kernel.sample(plan, START, MANY) == compiled.sample(plan, START, MANY), WHERE


def test_engines_agree_on_random_banks_and_readings() -> None:
    randoms = rng("banks")
    for number in range(sized(16, 80, 2000)):
        plan = random_plan(randoms)
        expected = compiled.sample(plan, START, 60)
        assert expected == scalar.sample(plan, START, 60), (WHERE, plan.book.bank, plan)
        if number < sized(2, 8, 200):
            assert host_kernel.sample(plan, START, 60) == expected, (WHERE, plan.book.bank, plan)


def test_best_play_against_two_up_cards() -> None:
    plan = make_plan(qh.load("house", {"up": 2}), {"seats": 2, "seed": 3})
    assert compiled.sample(plan, START, ROUNDS) == scalar.sample(plan, START, ROUNDS), WHERE
    assert host_kernel.sample(plan, START, MANY) == compiled.sample(plan, START, MANY), WHERE


def test_rounds_with_a_refused_word() -> None:
    """The rounds in which a word is refused are few: find some, and play only those."""
    book = qh.load("california", {"first": "drawn"})
    terms: Terms = {"seats": 10, "bank": 2500, "policy": "best+errors:7.531%", "seed": 1}
    plan = make_plan(book, terms)
    assert isinstance(plan, PokerPlan)
    rare = _refused(arrays.arrays(plan), 400_000)
    assert len(rare) > 20
    for index, number in enumerate(rare[:20]):
        expected = scalar.sample(plan, number, 1)
        assert compiled.sample(plan, number, 1) == expected
        if index < 2:
            assert host_kernel.sample(plan, number, 1) == expected


def _refused(inputs: Arrays, rounds: int) -> list[int]:
    """Return the rounds in which a word is refused."""
    low = np.uint64(2**32 - 1)
    pairs = len(inputs.bounds) // 2
    rounds_from_1 = np.arange(1, rounds + 1, dtype=np.uint64)[:, None]
    states = inputs.word_keys[None, :pairs] + rounds_from_1 * np.uint64(GAMMA)
    for shift, factor in zip((30, 27), MIX, strict=True):
        states = (states ^ (states >> np.uint64(shift))) * np.uint64(factor)
    states ^= states >> np.uint64(31)
    words = np.stack((states & low, states >> np.uint64(32)), axis=2).reshape(rounds, -1)
    refused = (words * inputs.bounds.prod(axis=1) & low) < inputs.least
    return np.flatnonzero(refused.any(axis=1)).tolist()


@pytest.mark.parametrize("ace_low", [True, False])
def test_keys_are_ordered_as_strengths_are(ace_low: bool) -> None:
    keys = arrays.keys_of(poker("house", {"ace_low": ace_low}).ranking).tolist()
    assert keys == sorted(set(keys))


# Planted bugs: each must make the tallies differ.


Change = Callable[[Arrays], dict[str, Any]]

PLANTED: dict[str, Change] = {
    "the order of action": lambda a: {"order": a.order[:, ::-1].copy()},
    "coverage": lambda a: {"by_action": not a.by_action},
    "a bank of one unit less": lambda a: {"bank": a.bank - 1},
    "ace, deuce, three": lambda a: {"ace_low": not a.ace_low},
    "a qualifier one hand higher": lambda a: {"qualifying": a.qualifying + 16},
    "chart play where suits decide": lambda a: {"plays_from": a.folds_below},
    "one error fewer": lambda a: {"errors": (a.errors[0] - 1, a.errors[1])},
    "words of another seed": lambda a: {"word_keys": a.word_keys + np.uint64(1)},
    "a bonus paid on a fold": lambda a: {"dues": np.abs(a.dues), "losses": a.losses * 0},
}


def _tally_with(plan: PokerPlan, change: Change, rounds: int) -> Tally:
    right = arrays.arrays(plan)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compiled, "_arrays", lambda _: right._replace(**change(right)))
        return compiled.sample(plan, 10**12, rounds)


def test_comparison_catches_every_planted_bug() -> None:
    terms: Terms = {"seats": 6, "bonus": 500, "bank": 3500, "policy": "best+errors:10%", "seed": 4}
    plan, rounds = make_plan(qh.load("california"), terms), 3_000
    assert isinstance(plan, PokerPlan)
    expected = scalar.sample(plan, 10**12, rounds)
    assert _tally_with(plan, lambda a: {}, rounds) == expected
    missed = [
        name for name, change in PLANTED.items() if _tally_with(plan, change, rounds) == expected
    ]
    assert missed == []


def _reordered(a: Arrays, order: Any) -> dict[str, Any]:
    return {"turns": np.ascontiguousarray(a.turns[:, order])}


#: Bugs that only the other orders and forfeits can show.
IN_TURNS: dict[str, Change] = {
    "turns of seats": lambda a: _reordered(a, np.lexsort(a.turns[0].T[::-1])),
    "side bets before Play": lambda a: _reordered(a, np.argsort(-a.turns[0, :, 1])),
    "the order of seats": lambda a: {"in_turns": False},
    "forfeits that come back": lambda a: {"taken": a.taken * 0},
    "a forfeit of one unit more": lambda a: {"taken": a.taken + (a.taken > 0)},
}


def test_comparison_catches_planted_bugs_of_turns() -> None:
    terms: Terms = {"seats": 6, "bonus": 500, "bank": 3500, "policy": "q64", "seed": 4}
    book = qh.load("california", {"settle_order": "wager", "fold_uncovered": "lost"})
    plan, rounds = make_plan(book, terms), 1_000
    assert isinstance(plan, PokerPlan)
    expected = scalar.sample(plan, 10**12, rounds)
    assert _tally_with(plan, lambda a: {}, rounds) == expected
    missed = [
        name for name, change in IN_TURNS.items() if _tally_with(plan, change, rounds) == expected
    ]
    assert missed == []


def test_banker_wins_the_bank_and_all_forfeits() -> None:
    """Everyone folds: a bank of a cent wins every Ante."""
    book = poker("california", {"fold_uncovered": "lost", "settle_order": "bonus_first"})
    plan = make_plan(book, {"seats": 10, "bank": 1, "policy": "q64+errors:100%", "seed": 9})
    assert plan.accounts[-1].high >= 5000
    tally = compiled.sample(plan, START, ROUNDS)
    assert tally == scalar.sample(plan, START, ROUNDS)
    assert max(tally.result(-1).by_cents) > 1
