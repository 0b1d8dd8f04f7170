"""Irregularities that the floor rules on: what follows, by the readings of the rulebook."""

import pytest

import queenhigh as qh
from queenhigh.table import events
from queenhigh.table.commands import FLOOR
from queenhigh.table.events import TableEvent
from queenhigh.table.incidents import possible_incidents
from tests.table.table_driver import CHIPS, FOUR, Table, kinds

PAIR = {"ann": 1, "bob": 2}


def dealt(*, keys: dict[str, object] | None = None, seated: dict[str, int] = FOUR) -> Table:
    """Return a table with a round that is being decided, banked by ann."""
    table = Table(qh.load("california", keys or {}), seated)
    table.banked_by("ann")
    for player in [name for name in seated if name != "ann"]:
        table.bet(player, ante=500, bonus=100)
    assert table.state.phase == "deciding"
    return table


def rule(table: Table, kind: str, place: int | None = None) -> list[TableEvent]:
    fields = {"kind": kind, "place": place, "staff": "Maria", "reason": "a dispute"}
    return table.do("RuleIncident", FLOOR, **fields)


def refused(table: Table, code: str, kind: str, place: int | None = None, **more: object) -> str:
    fields = {"kind": kind, "place": place, "staff": "Maria", "reason": "a dispute", **more}
    return table.refused(code, "RuleIncident", FLOOR, **fields)


def chips(table: Table) -> dict[str, int]:
    return {
        name: table.stack(name) + table.held(name) for name in FOUR if table.state.place_of(name)
    }


def test_misdeal_voids_the_round() -> None:
    table = dealt()
    ruled = rule(table, "misdeal")
    assert kinds(ruled) == ["IncidentRuled", "RoundVoided"]
    assert isinstance(ruled[0], events.IncidentRuled)
    assert (ruled[0].clause, ruled[0].ruling, ruled[0].staff) == ("IR-1", "void", "Maria")
    assert set(chips(table).values()) == {100_000}
    assert table.state.balances.get("fees", 0) == 0


def test_misdeal_may_be_dealt_again_with_the_same_wagers() -> None:
    table = dealt(keys={"misdeal": "redeal"})
    first = table.state.round
    assert first is not None
    ruled = rule(table, "misdeal")
    assert kinds(ruled)[:4] == ["IncidentRuled", "RoundVoided", "BankPosted", "RoundOpened2"]
    assert kinds(ruled)[4:] == ["WagersPlaced"] * 3
    again = table.state.round
    assert again is not None
    assert (again.number, again.wagers, again.bank) == (2, first.wagers, first.bank)
    table.tick()
    assert table.state.phase == "deciding"


def test_no_redeal_without_its_banker_or_bettors() -> None:
    table = dealt(keys={"misdeal": "redeal"})
    table.do("SitOut", "ann", aside=True)
    assert kinds(rule(table, "misdeal")) == ["IncidentRuled", "RoundVoided"]
    table = dealt(keys={"misdeal": "redeal"})
    for name in ("bob", "cyd", "dan"):
        table.do("SitOut", name, aside=True)
    assert kinds(rule(table, "misdeal")) == ["IncidentRuled", "RoundVoided"]


def test_redeal_leaves_out_players_who_are_gone() -> None:
    table = dealt(keys={"misdeal": "redeal"})
    table.do("MarkAway", FLOOR, place=FOUR["cyd"])
    rule(table, "misdeal")
    assert table.state.round is not None
    assert sorted(table.state.round.wagers) == [FOUR["bob"], FOUR["dan"]]


def test_no_redeal_at_a_closing_table() -> None:
    table = dealt(keys={"misdeal": "redeal"})
    table.do("CloseTable", FLOOR, reason="the day is over")
    assert kinds(rule(table, "misdeal"))[-1] == "TableClosed"


def test_misdeal_is_too_late_after_a_move() -> None:
    table = dealt()
    table.do("Choose", "bob", move="play")
    assert "IR-1" in refused(table, "incident.late", "misdeal")
    assert [each.kind for each in possible_incidents(table.state)] == [
        "exposed_player",
        "exposed_dealer",
        "player_gone",
    ]


def test_exposed_hand_plays_on() -> None:
    table = dealt()
    assert kinds(rule(table, "exposed_player", FOUR["bob"])) == ["IncidentRuled"]
    assert table.state.phase == "deciding"


@pytest.mark.parametrize("collect", ["before", "after"])
def test_exposed_hand_may_be_void(collect: str) -> None:
    table = dealt(keys={"exposed_player": "void_hand", "collect": collect})
    ruled = rule(table, "exposed_player", FOUR["bob"])
    assert kinds(ruled) == ["IncidentRuled", "HandVoided"]
    assert (table.stack("bob"), table.held("bob")) == (100_000, 0)
    for name in ("cyd", "dan"):
        table.do("Choose", name, move="play")
    end = table.state.last.end if table.state.last else None
    assert isinstance(end, events.RoundSettled)
    assert [row.place for row in end.places] == [FOUR["cyd"], FOUR["dan"]]
    assert table.state.balances["fees"] == 100 + 100 + 200


def test_void_hand_settles_when_all_others_have_decided() -> None:
    table = dealt(keys={"exposed_player": "void_hand"})
    for name in ("cyd", "dan"):
        table.do("Choose", name, move="fold")
    ruled = rule(table, "exposed_player", FOUR["bob"])
    assert kinds(ruled) == ["IncidentRuled", "HandVoided", "RoundSettled"]


def test_last_hand_that_is_void_voids_the_round() -> None:
    table = dealt(keys={"exposed_player": "void_hand"}, seated=PAIR)
    ruled = rule(table, "exposed_player", 2)
    assert kinds(ruled) == ["IncidentRuled", "RoundVoided"]
    assert (table.stack("ann"), table.stack("bob")) == (100_000, 100_000)


def test_player_of_a_void_hand_may_leave_at_once() -> None:
    table = dealt(keys={"exposed_player": "void_hand"})
    table.do("Leave", "bob", when="after_round")
    ruled = rule(table, "exposed_player", FOUR["bob"])
    assert kinds(ruled) == ["IncidentRuled", "HandVoided", "SeatLeft"]
    assert table.wallet("bob") == CHIPS


def test_exposed_dealer_voids_the_round_or_plays_on() -> None:
    assert kinds(rule(dealt(), "exposed_dealer")) == ["IncidentRuled", "RoundVoided"]
    table = dealt(keys={"exposed_dealer": "play_on"})
    assert kinds(rule(table, "exposed_dealer")) == ["IncidentRuled"]


def test_hand_of_a_player_who_is_gone_makes_the_default_move() -> None:
    table = dealt()
    ruled = rule(table, "player_gone", FOUR["bob"])
    assert kinds(ruled) == ["IncidentRuled", "MoveMade"]
    assert isinstance(ruled[1], events.MoveMade)
    assert (ruled[1].move, ruled[1].by) == ("fold", FLOOR)


def test_late_ruling_says_what_became_of_the_round() -> None:
    table = dealt()
    for player in ("bob", "cyd", "dan"):
        table.do("Choose", player, move="play")
    settled = "round 1 is already settled. Ask for a correction instead"
    assert refused(table, "round.over", "misdeal", round=1) == settled
    assert refused(table, "round.ahead", "misdeal", round=2) == "round 2 has not started"
    table.banked_by("bob")
    assert refused(table, "round.over", "misdeal", round=1) == settled
    void = {"round": 1, "reason": "too late"}
    assert table.refused("round.over", "VoidRound", FLOOR, **void) == settled
    table.do("VoidRound", FLOOR, reason="a dispute")
    assert refused(table, "round.over", "misdeal", round=2) == "round 2 was void"
    assert refused(table, "round.over", "misdeal", round=1) == "round 1 is over"


def test_rulings_that_are_refused() -> None:
    table = dealt()
    refused(table, "incident.late", "exposed_player", FOUR["ann"])
    refused(table, "incident.late", "player_gone")
    refused(table, "incident.place", "misdeal", FOUR["bob"])
    refused(table, "round.ahead", "misdeal", round=7)
    refused(table, "incident.reason", "misdeal", reason=" ")
    refused(table, "staff.name", "misdeal", staff="")
    table.refused("sender.wrong", "RuleIncident", "bob", kind="misdeal", staff="x", reason="y")
    table = Table("california", FOUR)
    table.banked_by("ann")
    refused(table, "incident.phase", "misdeal")
    wheel = Table("roulette", {"ann": 1})
    wheel.tick()
    refused(wheel, "incident.game", "misdeal")


def test_state_keeps_what_was_ruled() -> None:
    table = dealt(keys={"exposed_player": "void_hand"})
    rule(table, "exposed_player", FOUR["bob"])
    table.durable.reload()
    live = table.state.round
    assert live is not None
    assert [each.kind for each in live.incidents] == ["exposed_player"]
    assert list(live.voided) == [FOUR["bob"]]


def test_place_of_a_void_hand_stays_free_until_the_round_is_over() -> None:
    table = dealt(keys={"exposed_player": "void_hand"})
    rule(table, "exposed_player", FOUR["bob"])
    table.do("Leave", "bob", when="now")
    table.room.wallets.issue("eve", CHIPS, id="chips", at=0, reason="to play")
    table.refused("place.taken", "Sit", "eve", place=FOUR["bob"], cents=1000)
    for player in ("cyd", "dan"):
        table.do("Choose", player, move="play")
    last = table.state.last
    assert last is not None
    assert last.players[FOUR["bob"]] == "bob", "who has left, and still had a part in it"
    table.do("Sit", "eve", place=FOUR["bob"], cents=1000)
