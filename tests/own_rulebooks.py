"""Rulebooks that nobody ships: more side bets than one, or none."""

from typing import Any

import queenhigh as qh
from queenhigh.rulebook.load import from_document
from tests.oracle.printed import document

Json = dict[str, Any]

BONUS: Json = {
    "clause": "HO-4",
    "fold_clause": "HO-4",
    "on_fold": "forfeit",
    "pays": {"straight_flush": "9 to 1", "straight": "6 to 1", "flush": "4 to 1"},
}


def three_bets(name: str = "house", **changes: object) -> Json:
    """Return the document of a table with a bonus, Pair Plus and an ante bonus."""
    plain = document(name, changes)
    del plain["law"]
    plain["name"] = "three-bets"
    if name == "house":
        plain["bonus"] = BONUS
        most = plain["limits"]["ante"]["max"]
        plain["limits"]["bonus"] = {"clause": "HO-1", "min": 300, "max": most}
    else:
        plain["pair_plus"] = document("house", {})["pair_plus"] | {"clause": "CA-10"}
        plain["pair_plus"]["fold_clause"] = "CA-13"
        plain["limits"]["pair_plus"] = {"clause": "CA-10", "min": 100, "max": 5000}
        plain["ante_bonus"] = document("house", {})["ante_bonus"] | {"clause": "CA-10"}
        plain["ante_bonus"]["pays"]["royal_flush"] = "9 to 1"
        plain["pair_plus"]["pays"]["royal_flush"] = "50 to 1"
    return plain


def ante_alone(**changes: object) -> Json:
    """Return the document of a table with Ante and Play and nothing else."""
    plain = document("house", changes)
    for table in (plain, plain["limits"]):
        del table["pair_plus"]
    del plain["law"], plain["ante_bonus"]
    plain["name"] = "ante-alone"
    plain["ante"]["required"] = True
    plain["clauses"] = [_without_side_bets(each) for each in plain["clauses"]]
    plain["assumptions"] = [row for row in plain["assumptions"] if not _is_gone(row.get("key"))]
    return plain


def _is_gone(key: str | None) -> bool:
    return key is not None and ("pair_plus" in key or "ante_bonus" in key)


def _without_side_bets(clause: Json) -> Json:
    keys = [key for key in clause.get("keys", []) if not _is_gone(key)]
    if keys == clause.get("keys", []):
        return clause
    return {"id": clause["id"], "text": "Not offered.", "keys": keys}


def book(plain: Json) -> qh.PokerRulebook:
    """Return the rulebook of a document of Three Card Poker."""
    loaded = from_document(plain)
    assert isinstance(loaded, qh.PokerRulebook)
    return loaded
