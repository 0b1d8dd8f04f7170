"""Tables to simulate, made to hurt: tiny banks, unequal bets, empty places, mistakes."""

import random
from typing import Any

import queenhigh as qh
from queenhigh.games.policy import Policy
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.simulation.engines.plan import FastPlan, PokerPlan
from queenhigh.simulation.policy_file import find_policy
from queenhigh.simulation.terms import Terms, make_plan
from tests.oracle.plain import changes_of

#: By rulebook. Their banks go from a cent to more than can be lost; ``None`` has no end.
TABLES: dict[str, list[Terms]] = {
    "california": [
        {"seats": 1},
        {"ante": [700, 500, 10001, 900], "bonus": [0, 500, 777, 0], "bank": 12345, "seed": 5},
        {"seats": 10, "bonus": 500, "bank": 1, "policy": "q64", "seed": 6},
        {"seats": 10, "bank": 3500, "policy": "best+errors:7.5%", "seed": 7},
        {
            "seats": 9,
            "ante": 600,
            "bonus": 500,
            "bank": 21_000,
            "policy": "mimic",
            "seed": 2**64 - 1,
        },
        {
            "seats": 3,
            "bonus": [500, 500, 0],
            "bank": 10**12,
            "policy": "best+errors:100%",
            "seed": 8,
        },
    ],
    "house": [
        {"seats": 1},
        {"seats": 7, "bonus": 300, "seed": 5},
        {"ante": [0, 100, 250], "bonus": [400, 0, 100], "policy": "q64+errors:33%", "seed": 6},
        {"ante": 0, "bonus": 100, "seats": 2, "policy": "mimic+errors:50%", "seed": 7},
    ],
}
WHEEL: list[Terms] = [
    {"seed": 5},
    {"bets": ["red", "odd", "straight 7", "red"], "stake": 1000, "seed": 2**63},
]


def poker(name: str, reading: dict[str, Any] | None = None) -> PokerRulebook:
    book = qh.load(name, reading or {})
    assert isinstance(book, PokerRulebook)
    return book


_POLICIES: dict[tuple[str, str], Policy] = {}


def _policy(book: PokerRulebook, name: str) -> Policy:
    """Find a policy once for all plans of a rulebook."""
    if (book.digest, name) not in _POLICIES:
        _POLICIES[book.digest, name] = find_policy(book, name)
    return _POLICIES[book.digest, name]


def plans(name: str, reading: dict[str, Any]) -> list[FastPlan]:
    """Return the plans to compare under a reading.

    With two cards up best play takes seconds to compute: a separate test does that.
    """
    book = qh.load(name, changes_of(reading))
    made = []
    for terms in TABLES.get(name, WHEEL):
        given: Terms = {"seed": 1, **terms}
        if isinstance(book, PokerRulebook):
            policy = str(given.get("policy", "best"))
            policy = policy.replace("best", "q64") if book.up == 2 else policy
            given["policy"] = _policy(book, policy)
        made.append(make_plan(book, given))
    return made


#: The readings by which a bank meets wagers.
BANK_READINGS = {
    "coverage": ["action", "net"],
    "settle_order": ["seat", "wager", "bonus_first"],
    "fold_uncovered": ["returned", "lost"],
    "bonus_on_fold": ["forfeit", "resolve"],
    "first": ["left", "button", "drawn"],
    "fee_per": ["round", "wager", "kind"],
}


def random_plan(rng: random.Random) -> PokerPlan:
    """Return a table with random readings, unequal bets and a bank that may run out."""
    reading = {key: rng.choice(values) for key, values in BANK_READINGS.items()}
    book = poker("california", changes_of(reading))
    seats = rng.randint(1, book.seats)
    terms: Terms = {
        "ante": [rng.choice([500, 600, 1500]) for _ in range(seats)],
        "bonus": [rng.choice([0, 500, 700]) for _ in range(seats)],
        "bank": rng.choice([1, 400, 500, 1700, 5000, 12_300, 40_000, 10**9]),
        "policy": _policy(book, rng.choice(["q64", "q64+errors:50%"])),
        "seed": rng.randrange(2**64),
    }
    plan = make_plan(book, terms)
    assert isinstance(plan, PokerPlan)
    return plan
