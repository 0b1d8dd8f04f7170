"""Helpers to set up a round and read its results, for the tests of the clauses."""

import json
from functools import cache
from typing import Any

import msgspec
import pytest

import queenhigh as qh


@cache
def _load(name: str, changes: str) -> qh.Rulebook:
    return qh.load(name, json.loads(changes))


def load(name: str, changes: dict[str, object]) -> qh.Rulebook:
    """Load a rulebook once for all tests."""
    return _load(name, json.dumps(changes, sort_keys=True))


def settle(name: str, round: dict[str, Any], **changes: object) -> dict[str, Any]:
    """Settle a round and return the result as the settle format has it."""
    settled: dict[str, Any] = msgspec.to_builtins(qh.settle(load(name, changes), round))
    return settled


def refused(name: str, round: dict[str, Any], **changes: object) -> str:
    """Return the sentence with which a round is refused."""
    with pytest.raises(qh.QueenhighError) as caught:
        qh.settle(load(name, changes), round)
    return str(caught.value)


def rows(seat: dict[str, Any]) -> list[tuple[str, int, str]]:
    """Return each wager of a seat as (wager, net, clause)."""
    return [(row["wager"], row["net"], row["clause"]) for row in seat["wagers"]]


def california(
    hand: str, move: str, dealer: str, *, bank: int = 10**7, bonus: int = 0, **changes: object
) -> list[tuple[str, int, str]]:
    """Settle one seat with a $10 Ante."""
    seat: dict[str, Any] = {"seat": 1, "cards": hand, "ante": 1000, "move": move}
    if bonus:
        seat["bonus"] = bonus
    round = {"dealer": dealer, "bank": bank, "seats": [seat]}
    return rows(settle("california", round, **changes)["seats"][0])


def house(
    hand: str, move: str | None, dealer: str, *, pair_plus: int = 0, **changes: object
) -> list[tuple[str, int, str]]:
    """Settle one seat with a $2 Ante, or with none if there is no move."""
    seat: dict[str, Any] = {"seat": 1, "cards": hand}
    if move:
        seat |= {"ante": 200, "move": move}
    if pair_plus:
        seat["pair_plus"] = pair_plus
    return rows(settle("house", {"dealer": dealer, "seats": [seat]}, **changes)["seats"][0])


def spin(name: str, pocket: str, bet: str, **changes: object) -> dict[str, Any]:
    """Settle one bet of $1."""
    wagers = [{"bet": bet, "stake": 100}]
    result: dict[str, Any] = settle(name, {"pocket": pocket, "wagers": wagers}, **changes)
    row: dict[str, Any] = result["wagers"][0]
    return row
