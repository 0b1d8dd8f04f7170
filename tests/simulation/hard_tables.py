"""Tables to simulate, made to hurt: tiny banks, unequal bets, empty places, mistakes."""

from typing import Any

import queenhigh as qh
from queenhigh.games.policy import Policy
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.simulation.engines.plan import FastPlan
from queenhigh.simulation.policy_file import find_policy
from queenhigh.simulation.terms import Terms, make_plan

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
    book = qh.load(name, reading)
    made = []
    for terms in TABLES.get(name, WHEEL):
        given: Terms = {"seed": 1, **terms}
        if isinstance(book, PokerRulebook):
            policy = str(given.get("policy", "best"))
            policy = policy.replace("best", "q64") if book.up == 2 else policy
            given["policy"] = _policy(book, policy)
        made.append(make_plan(book, given))
    return made
