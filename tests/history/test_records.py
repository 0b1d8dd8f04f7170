"""Rounds from a table's events: settled again, and recalled by their players."""

import json
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.history.hand_history import as_hand_history
from queenhigh.history.recall import as_recall
from queenhigh.history.records import as_past_round, as_settle_line, rounds_of
from queenhigh.table.commands import FLOOR
from queenhigh.table.events import decode
from tests.history.played import play_with_bots
from tests.table.game_rounds import poker_of
from tests.table.table_driver import CHIPS, FOUR, Table


@pytest.mark.parametrize("name", ["california", "house", "roulette"])
def test_rounds_can_be_settled_again(name: str) -> None:
    for record in play_with_bots(name, 20):
        line = as_settle_line(record)
        assert line is not None
        settled: Any = qh.settle(record.book, json.loads(json.dumps(line)))
        assert settled.banker == record.end.net  # type: ignore[union-attr]
        assert line["id"] == f"t/{record.live.number}"


def test_recall_has_outcome_steps_wagers_and_credits() -> None:
    records = play_with_bots("california", 12)
    for record in records:
        recall = as_recall(record, "Ben")
        assert recall is not None
        before, after = recall["credits"]["before"], recall["credits"]["after"]
        assert after - before == recall["net"] - recall["fee"]
        assert recall["steps"][1].startswith(f"Round {record.live.number} opens")
        assert {wager["wager"] for wager in recall["wagers"]} >= {"ante"} or "banked" in recall
        folded = [str(each.seat) for each in poker_of(record.live).seats if each.move == "fold"]
        own = str(recall["seat"])
        assert not [seat for seat in folded if seat in recall["hands"] and seat != own]
    assert as_recall(records[0], "nobody") is None


def test_late_player_has_a_recall() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    table.room.wallets.issue("cyd", CHIPS, id="chips", at=0, reason="late")
    table.tick()
    table.do("Sit", "cyd", place=3, cents=10_000)
    for name in ("cyd", "ann", "bob"):
        table.bet(name, ante=100)
    for name in ("ann", "bob", "cyd"):
        table.do("Choose", name, move="fold")
    (record,) = rounds_of((decode(row.event) for row in table.room.store.read("table/t")), "t")
    recall = as_recall(record, "cyd")
    assert recall is not None
    assert recall["credits"] == {"before": 10_000, "after": 9_900}
    assert as_hand_history(record) is not None


def test_steps_name_the_player_at_that_time() -> None:
    table = Table("house", {"ann": 1, "bob": 2, "cyd": 3})
    table.tick()
    table.bet("ann", ready=False, ante=400)
    table.do("Leave", "ann", when="now")
    table.do("Leave", "bob", when="now")
    table.do("Sit", "bob", place=1, cents=10_000)
    for name in ("bob", "cyd"):
        table.bet(name, ante=100)
    for name in ("bob", "cyd"):
        table.do("Choose", name, move="fold")
    (record,) = rounds_of((decode(row.event) for row in table.room.store.read("table/t")), "t")
    recall = as_recall(record, "bob")
    assert recall is not None
    assert "ann (1): $4.00 on Ante" in recall["steps"]
    assert "bob (1): $1.00 on Ante" in recall["steps"]


@pytest.mark.parametrize("name", ["california", "house", "roulette"])
def test_past_round_has_the_rules_it_was_played_by(name: str) -> None:
    for record in play_with_bots(name, 3):
        past = as_past_round(record)
        assert json.loads(past.rulebook) == dict(record.book.document)
        assert past.end == record.end


def test_player_of_a_void_hand_who_left_recalls_the_round() -> None:
    table = Table(qh.load("california", {"exposed_player": "void_hand"}), FOUR)
    table.banked_by("ann")
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500)
    ruling = {"kind": "exposed_player", "place": FOUR["bob"], "staff": "Maria", "reason": "why"}
    table.do("RuleIncident", FLOOR, round=1, **ruling)
    table.do("Leave", "bob", when="now")
    for player in ("cyd", "dan"):
        table.do("Choose", player, move="play")
    events = (decode(row.event) for row in table.room.store.read(table.durable.stream))
    (record,) = rounds_of(events, "t")
    recall = as_recall(record, "bob")
    assert recall is not None
    assert (recall["void_hand"], recall["net"], recall["fee"]) == ("IR-2", 0, 0)
    assert recall["credits"] == {"before": 100_000, "after": 100_000}
