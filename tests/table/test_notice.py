"""Changed fees and limits are announced, and hold for the first round after the notice (CA-6)."""

from typing import Any

import pytest

from queenhigh.history.records import rounds_of
from queenhigh.room import durable_table
from queenhigh.store.memory import MemoryStore
from queenhigh.table import events as happened
from queenhigh.table.commands import FLOOR
from queenhigh.table.decide import wakes_at
from queenhigh.table.events import decode
from queenhigh.table.snapshot import restore, snapshot
from queenhigh.table.view import view
from tests.table.table_changes import announce, change, paced, play, refused, rules, without_notice
from tests.table.table_driver import FOUR, Table, kinds

DEARER = {"fees.rates.0.player": 150, "limits.bonus.max": 400}
NOTICE = 60_000


def test_notice_states_old_and_new_amounts_and_the_time() -> None:
    table = Table("california", FOUR)
    event = announce(table, DEARER, least_bank=900)
    assert event.starts == event.at + NOTICE
    assert [rate["player"] for rate in event.old.fees["rates"]] == [100, 200, 300]
    assert [rate["player"] for rate in event.new.fees["rates"]] == [150, 200, 300]
    assert (event.old.limits["bonus"]["max"], event.new.limits["bonus"]["max"]) == (10_000, 400)
    assert (event.old.least_bank, event.new.least_bank) == (500, 900)


def test_play_goes_on_under_the_old_schedule_until_then() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500, bonus=500)
    event = announce(table, DEARER)
    table.tick()
    table.do("Choose", "bob", move="fold")
    play(table)
    assert table.state.balances["fees"] == 2 * (100 + 200)
    table.banked_by("ann")
    table.at = event.starts + 5_000
    table.bet("bob", ready=False, ante=500)
    assert table.held("bob") == 500 + 100, "this round opened before the notice was over"
    table.tick()
    table.do("Choose", "bob", move="fold")
    assert wakes_at(table.state) == event.starts
    (changed,) = table.tick()
    assert isinstance(changed, happened.TableChanged)
    assert (changed.by, changed.reason, changed.digest) == ("clock", event.reason, event.digest)
    assert table.state.announced is None
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500)
    assert table.held("bob") == 500 + 150


def test_history_tells_of_a_notice_in_the_round() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500)
    announce(table, DEARER)
    table.do("WithdrawChange", FLOOR, reason="a mistake")
    table.tick()
    table.do("Choose", "bob", move="fold")
    stored = [decode(row.event) for row in table.room.store.read("table/t")]
    (record,) = rounds_of(stored, "t")
    steps = [step for step in record.steps() if "announced" in step]
    assert steps == [
        "New fees or limits announced, in 60 seconds (a slow night): players pay"
        " $1.50, $2.00, $3.00 instead of $1.00, $2.00, $3.00",
        "The announced change was withdrawn (a mistake)",
    ]
    (shown,) = [event for event in record.shown() if event["type"] == "change.announced/1"]
    assert "rulebook" not in shown
    assert shown["new"]["limits"]["bonus"]["max"] == 400


@pytest.mark.parametrize(("late", "kind"), [(-1, []), (0, ["TableChanged"])])
def test_change_comes_at_the_announced_time(late: int, kind: list[str]) -> None:
    table = Table("california")
    event = announce(table, DEARER)
    table.at = event.starts + late
    assert kinds(table.tick(wait=0)) == kind


def test_offer_of_the_bank_lapses_when_the_change_comes() -> None:
    table = Table("california", FOUR)
    event = announce(table, DEARER)
    table.at = event.starts - 100
    table.tick()
    table.do("DeclineBank", "ann")
    table.at = event.starts
    sentence = table.refused("change.due", "AcceptBank", "bob", cents=5000)
    assert "wait" in sentence
    assert kinds(table.tick()) == ["TableChanged"]
    assert table.state.phase == "between"
    assert kinds(table.tick()) == ["BankOffered"]
    assert table.state.offer.place == 1, "ann declined under other terms"


def test_open_bets_keep_their_round_and_are_not_voided() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    event = announce(table, DEARER)
    table.at = event.starts + NOTICE
    assert table.tick() == []
    table.do("VoidRound", FLOOR, reason="nobody bets")
    assert kinds(table.tick()) == ["TableChanged"]


def test_second_notice_replaces_the_first() -> None:
    table = Table("california", FOUR)
    first = announce(table, DEARER)
    table.at = first.starts - 1
    second = announce(table, {"fees.rates.0.player": 125})
    assert second.starts == first.starts - 1 + NOTICE
    table.at = second.starts - 1
    while table.state.phase != "offering":
        table.tick(wait=0)
    table.at = second.starts
    table.tick()
    assert [rate["player"] for rate in view(table.state).fees] == [125, 200, 300]
    assert table.state.document["limits"]["bonus"]["max"] == 10_000


def test_withdrawn_change_never_comes() -> None:
    table = Table("california")
    event = announce(table, DEARER)
    (withdrawn,) = table.do("WithdrawChange", FLOOR, reason="a mistake")
    assert isinstance(withdrawn, happened.ChangeWithdrawn)
    assert view(table.state).pending is None
    table.at = event.starts + 1
    assert table.tick() == []
    table.refused("change.none", "WithdrawChange", FLOOR, reason="again")


def test_closing_a_table_drops_the_change() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500)
    announce(table, DEARER)
    table.do("CloseTable", FLOOR, reason="the night is over")
    assert table.state.announced is None
    table.refused("table.closing", "AnnounceChange", FLOOR, **rules(table, DEARER))


def test_only_amounts_need_notice() -> None:
    table = Table("california", FOUR)
    for changes in ({"fees.collect": "after"}, {"limits.bonus.min": 200}, {"notice_seconds": 90}):
        assert "announce" in refused(table, "change.notice", changes)
    fewer = rules(table, least_bank=900)
    table.refused("change.notice", "ChangeTable", FLOOR, **fewer)
    change(table, {"up": 2}, pace=paced(table, moves=700).pace, default_move="play")
    table.refused("change.no_notice", "AnnounceChange", FLOOR, **rules(table, {"up": 0}))
    table.refused("sender.wrong", "AnnounceChange", "ann", **rules(table, DEARER))
    announce(table, DEARER)
    assert "withdraw" in refused(table, "change.announced", {"up": 0})


def test_table_without_the_key_needs_no_notice() -> None:
    table = Table(without_notice(), FOUR)
    table.refused("change.no_notice", "AnnounceChange", FLOOR, **rules(table, DEARER))
    change(table, DEARER)
    change(table, {"fees.notice_seconds": 90})
    assert announce(table, {"limits.bonus.max": 500}).starts == table.state.at + 90_000


def test_setting_the_clock_restarts_the_notice() -> None:
    table = Table("california", FOUR)
    event = announce(table, DEARER)
    for shift in (10**9, -(10**8)):
        table.at = table.state.at + shift
        table.do("RebaseTime", FLOOR, before=table.state.at, reason="the clock was set")
        assert table.state.announced is not None
        assert table.state.announced.starts == table.at + NOTICE != event.starts


def test_notice_survives_a_restart(monkeypatch: pytest.MonkeyPatch) -> None:
    for between in (1, 10**6):
        monkeypatch.setattr(durable_table, "_BETWEEN_SNAPSHOTS", between)
        table = Table("california", FOUR, store=MemoryStore())
        event = announce(table, DEARER)
        table.durable.reload()
        assert table.state.announced == event
        table.at = event.starts
        assert kinds(table.tick()) == ["TableChanged"]


def test_snapshot_from_before_notices_is_read() -> None:
    table = Table("california", FOUR)
    saved = snapshot(table.state)
    older = saved.replace(b',"announced":null', b"")
    assert older != saved
    state = restore(older)
    assert state is not None
    assert state.announced is None
    assert state.places == table.state.places


def test_everyone_sees_the_pending_change() -> None:
    table = Table("california", FOUR)
    posted: Any = view(table.state)
    assert (posted.charged, posted.collect, posted.pending) == ("round", "before", None)
    other = {"fees.rates.0.player": 150, "fees.fee_per": "wager", "limits.bonus.min": 500}
    event = announce(table, other, least_bank=900)
    pending = view(table.state, "a newcomer").pending
    assert pending is not None
    assert (pending.starts, pending.reason) == (event.starts, "a slow night")
    assert (pending.old.fees[0]["player"], pending.new.fees[0]["player"]) == (100, 150)
    assert (pending.old.charged, pending.new.charged) == ("round", "wager")
    assert pending.old.limits["bonus"] == {"min": 100, "max": 10_000}
    assert (pending.old.least_bank, pending.new.least_bank) == (500, 900)
    assert pending.old.limits["ante"] == {"min": 500, "max": 100_000}
