"""Corrections and rulings in players' own histories: what moved, what is owed, void hands."""

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.history.index.queries import HistoryIndex
from queenhigh.history.recall import as_recall
from queenhigh.history.records import rounds_of
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR
from queenhigh.table.corrected import owed_to
from queenhigh.table.correction_events import Facts, MovedDifference
from queenhigh.table.events import decode
from queenhigh.table.own_view import own_views
from tests.in_process import call
from tests.table.table_driver import FOUR, Table

PLACE = FOUR["bob"]


def played(file: Path) -> Table:
    """Return a table in a store where bob, cyd and dan played a round that ann banked."""
    store = SqliteStore(file)
    table = Table(qh.load("california"), FOUR, store=store)
    table.banked_by("ann", 20_000)
    for name in ("bob", "cyd", "dan"):
        table.bet(name, ante=500)
    for name in ("bob", "cyd", "dan"):
        table.do("Choose", name, move="fold")
    return table


def correct(table: Table, facts: Facts) -> Any:
    """Ask for a correction of the last round and approve it."""
    state = table.state
    assert state.last is not None
    fields = {"round": state.last.live.number, "past": state.last, "staff": "Maria"}
    table.do("AskCorrection", FLOOR, facts=facts, reason="the dealer misread", **fields)
    number = table.state.corrections.count
    return table.do("ApproveCorrection", FLOOR, correction=number, staff="Noor", past=state.last)[0]


def index_of(file: Path) -> HistoryIndex:
    index = HistoryIndex(file, file.with_name("books.db"))
    assert index.catch_up()
    return index


def test_a_correction_is_in_the_history_and_the_totals(tmp_path: Path) -> None:
    table = played(tmp_path / "room.db")
    before = table.stack("bob")
    correct(table, Facts(wagers={PLACE: ()}))
    moved = table.stack("bob") - before
    assert moved == 500 + 100, "the Ante and the fee come back"
    index = index_of(tmp_path / "room.db")
    (round,) = index.history("bob")
    (part,) = round["corrections"]
    assert part == {
        "table": "t", "round": 1, "correction": 1, "at": part["at"], "reason": "the dealer misread",
        "net": 500, "fee": -100, "cents": 600, "owed": 0, "to_wallet": False,
    }  # fmt: skip
    assert (round["net"], round["fee"]) == (-500, 100), "as the round was settled"
    (row,) = index.bankroll("bob")
    assert (row["net"], row["fee"], row["fees"], row["total"]) == (0, 0, 0, 0)
    (part,) = index.corrections("bob")
    assert part.cents == 600
    (banked,) = index.history("ann")
    assert [each["net"] for each in banked["corrections"]] == [-500]
    assert "corrections" not in index.history("cyd")[0]
    assert index.corrections("cyd") == []
    assert index.bankroll("cyd")[0]["total"] == -600


def test_later_rounds_count_a_correction_in_their_totals(tmp_path: Path) -> None:
    table = played(tmp_path / "room.db")
    correct(table, Facts(wagers={PLACE: ()}))
    table.banked_by("ann", 20_000)
    table.bet("bob", ante=1000)
    for name in ("cyd", "dan"):
        table.do("PlaceWagers", name, wagers=(), ready=True)
    table.do("Choose", "bob", move="fold")
    rows = index_of(tmp_path / "room.db").bankroll("bob")
    assert [row["total"] for row in rows] == [0, -1100]
    assert index_of(tmp_path / "room.db").bankroll("bob", limit=1)[0]["total"] == -1100
    assert index_of(tmp_path / "room.db").bankroll("bob", table="other") == []


def test_what_is_owed_counts_for_both_sides() -> None:
    moved = [
        MovedDifference(3, "bank", 500, owed=700),
        MovedDifference(4, "bank", -100, owed=-50),
        MovedDifference(1, "fees", -20, owed=-30),
    ]
    assert owed_to(moved, 3, banker=1) == 700
    assert owed_to(moved, 4, banker=1) == -50
    assert owed_to(moved, 1, banker=1) == -700 + 50 - 30
    assert owed_to(moved, 9, banker=None) == 0


def test_a_player_who_is_only_owed_hears_of_it_at_the_table(tmp_path: Path) -> None:
    table = played(tmp_path / "room.db")
    made = correct(table, Facts(wagers={PLACE: ()}))
    owed = (MovedDifference(PLACE, "bank", 0, owed=500),)
    latest = replace(made, moved=owed, chips=())
    corrections = replace(table.state.corrections, latest=latest)
    own = own_views(replace(table.state, corrections=corrections))["bob"].correction
    assert own is not None
    assert (own.cents, own.owed, own.to_wallet) == (0, 500, False)


def test_recall_in_the_terminal_shows_a_correction(tmp_path: Path) -> None:
    table = played(tmp_path / "room.db")
    correct(table, Facts(wagers={PLACE: ()}))
    table.room.store.close()
    done = call("table", "recall", str(tmp_path / "room.db"), "--player", "bob")
    assert "Corrected: +$6.00 (correction 1: the dealer misread)" in done.stdout
    done = call("table", "recall", str(tmp_path / "room.db"), "--player", "bob", "--json")
    (recalled,) = json.loads(done.stdout)
    assert recalled["corrections"][0]["cents"] == 600
    done = call("table", "recall", str(tmp_path / "room.db"), "--player", "cyd")
    assert "Corrected" not in done.stdout


@pytest.mark.parametrize("alone", [False, True])
def test_a_void_hand_is_in_the_history_of_its_player(alone: bool) -> None:
    table = Table(qh.load("california", {"exposed_player": "void_hand"}), FOUR)
    table.banked_by("ann")
    table.bet("bob", ante=500, bonus=100)
    for name in ("cyd", "dan"):
        wagers: dict[str, Any] = {} if alone else {"ante": 500}
        if alone:
            table.do("PlaceWagers", name, wagers=(), ready=True)
        else:
            table.bet(name, **wagers)
    fields = {"kind": "exposed_player", "place": PLACE, "staff": "Maria", "reason": "seen"}
    table.do("RuleIncident", FLOOR, **fields)
    for name in [] if alone else ["cyd", "dan"]:
        table.do("Choose", name, move="fold")
    (record,) = rounds_of((decode(row.event) for row in table.room.store.read("table/t")), "t")
    recalled = as_recall(record, "bob")
    assert recalled is not None
    assert recalled["credits"]["before"] == recalled["credits"]["after"]
    assert (recalled["net"], recalled["fee"]) == (0, 0)
    if alone:
        assert recalled["ended"] == "voided"
        return
    assert recalled["void_hand"] == "IR-2"
    assert recalled["wagers"] == [
        {"wager": "ante", "stake": 500, "net": 0, "clause": "IR-2"},
        {"wager": "bonus", "stake": 100, "net": 0, "clause": "IR-2"},
    ]
    assert any("exposed" in step and "(IR-2)" in step for step in recalled["steps"])
    last = table.state.last
    assert last is not None
    assert last.players[PLACE] == "bob"
