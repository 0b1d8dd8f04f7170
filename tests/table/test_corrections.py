"""Corrections of settled rounds: two people, the same game, exactly the difference."""

from typing import Any

import pytest

import queenhigh as qh
from queenhigh.table import events
from queenhigh.table.commands import FLOOR, Bet, Sit
from queenhigh.table.correction_events import Facts
from queenhigh.table.events import CorrectionMade, TableEvent
from queenhigh.table.state import PastRound
from tests.table.table_driver import FOUR, Table, kinds

BOB = FOUR["bob"]


def played(**keys: object) -> tuple[Table, PastRound]:
    """Return a table with a settled round: ann banks, bob folds, the others play."""
    table = Table(qh.load("california", keys), FOUR)
    table.banked_by("ann")
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500, bonus=100)
    table.do("Choose", "bob", move="fold")
    for player in ("cyd", "dan"):
        table.do("Choose", player, move="play")
    assert table.state.last is not None
    return table, table.state.last


def ask(table: Table, past: PastRound, facts: Facts, by: str = "Maria") -> list[TableEvent]:
    number = past.live.number
    fields: dict[str, Any] = {"round": number, "facts": facts, "staff": by, "past": past}
    return table.do("AskCorrection", FLOOR, reason="a dispute", **fields)


def approve(table: Table, past: PastRound, by: str = "Noor") -> CorrectionMade:
    number = table.state.corrections.count
    made = table.do("ApproveCorrection", FLOOR, correction=number, staff=by, past=past)[0]
    assert isinstance(made, CorrectionMade)
    return made


def correct(table: Table, past: PastRound, facts: Facts) -> CorrectionMade:
    ask(table, past, facts)
    return approve(table, past)


def chips(table: Table) -> dict[str, int]:
    """Return what each player has, at the table and in the wallet, and the fees."""
    have = {name: table.wallet(name) for name in FOUR}
    for place, seat in table.state.places.items():
        have[seat.player] += table.state.stack(place) + table.state.held(place)
    return have | {"fees": table.state.balances.get("fees", 0)}


def gain_of_playing(past: PastRound) -> int:
    """Return what bob, who folded, would have gained on top if he had played."""
    play: Any = past.live.play
    book = qh.load("california")
    amended = book.game.amended(
        book, play, {}, {next(s.seat for s in play.seats if s.move == "fold"): "play"}
    )
    assert amended is not None
    seat = next(row.seat for row in past.end.places if row.place == BOB)  # type: ignore[union-attr]
    rows = {row.seat: row.net for row in book.game.settle(book, amended).seats}  # type: ignore[union-attr]
    before = next(row.net for row in past.end.places if row.place == BOB)  # type: ignore[union-attr]
    return int(rows[seat] - before)


def test_correction_moves_exactly_the_difference() -> None:
    table, past = played()
    before, gain = chips(table), gain_of_playing(past)
    assert kinds(ask(table, past, Facts(moves={BOB: "play"}))) == ["CorrectionAsked"]
    assert chips(table) == before
    made = approve(table, past)
    after = chips(table)
    assert after["bob"] - before["bob"] == gain != 0
    assert after["ann"] - before["ann"] == -gain
    assert {name: after[name] for name in ("cyd", "dan", "fees")} == {
        name: before[name] for name in ("cyd", "dan", "fees")
    }
    assert [(row.place, row.against, row.cents, row.owed) for row in made.moved] == [
        (BOB, "bank", gain, 0)
    ]
    assert [row.seat for row in made.chips] == [1, BOB]
    assert table.state.corrections.asked == {}


def test_person_who_asks_does_not_approve() -> None:
    table, past = played()
    ask(table, past, Facts(moves={BOB: "play"}))
    refused = {"correction": 1, "staff": "Maria", "past": past}
    assert "another person" in table.refused(
        "correction.self", "ApproveCorrection", FLOOR, **refused
    )


def test_correction_is_undone_only_by_another() -> None:
    table, past = played()
    before = chips(table)
    correct(table, past, Facts(moves={BOB: "play"}))
    assert chips(table) != before
    correct(table, past, Facts())
    assert chips(table) == before
    nothing = {"round": 1, "facts": Facts(), "staff": "Maria", "reason": "again", "past": past}
    table.refused("correction.same", "AskCorrection", FLOOR, **nothing)


def test_void_round_returns_everything_with_fees() -> None:
    table, past = played()
    made = correct(table, past, Facts(void=True))
    assert (made.void, made.places, made.net, made.fees) == (True, (), 0, ())
    assert chips(table) == dict.fromkeys(FOUR, 1_000_000) | {"fees": 0}


def test_void_hand_returns_its_wagers_and_its_fee() -> None:
    table, past = played()
    before = chips(table)
    made = correct(table, past, Facts(wagers={BOB: ()}))
    after = chips(table)
    assert after["bob"] == 1_000_000
    assert after["ann"] == before["ann"] - 600
    assert after["fees"] == before["fees"] - 100
    assert [row.place for row in made.places] == [FOUR["cyd"], FOUR["dan"]]


def test_corrected_wagers_have_the_fee_of_their_size() -> None:
    table, past = played()
    before = chips(table)
    correct(table, past, Facts(wagers={BOB: (Bet("ante", 20_000),)}))
    after = chips(table)
    assert before["bob"] - after["bob"] == 20_000 - 600 + 100
    assert after["fees"] - before["fees"] == 100 + 200  # bob's rate, and the banker's largest Ante


def test_chips_of_players_who_left_are_in_their_wallets() -> None:
    table, past = played()
    before, gain = chips(table), gain_of_playing(past)
    table.do("Leave", "bob", when="now")
    made = correct(table, past, Facts(moves={BOB: "play"}))
    assert [row.seat for row in made.chips] == [1, None]
    assert chips(table)["bob"] - before["bob"] == gain
    table.do("Sit", "bob", place=7, cents=5000)
    made = correct(table, past, Facts())
    assert [row.seat for row in made.chips] == [1, 7]
    assert chips(table) == before


def test_what_nobody_can_cover_is_owed_until_it_can_be_paid() -> None:
    table, past = played()
    table.do("Leave", "bob", when="now")
    table.do("Sit", "bob", place=BOB, cents=1000)
    facts = Facts(wagers={BOB: (Bet("ante", 5000),)})
    short = 5000 - 600 - 1000
    made = correct(table, past, facts)
    assert [(row.cents, row.owed) for row in made.moved] == [(-1000, -short)]
    assert table.stack("bob") == 0
    table.do("TopUp", "bob", cents=10_000)
    made = correct(table, past, facts)
    assert [(row.cents, row.owed) for row in made.moved] == [(-short, 0)]
    nothing = {"round": 1, "facts": facts, "staff": "Maria", "reason": "again", "past": past}
    table.refused("correction.same", "AskCorrection", FLOOR, **nothing)


def test_house_pays_and_collects_without_limit() -> None:
    table = Table("house", {"ann": 1})
    table.tick()
    table.bet("ann", ante=400)
    table.do("Choose", "ann", move="fold")
    past = table.state.last
    assert past is not None
    before = table.state.balances["house"]
    made = correct(table, past, Facts(void=True))
    assert table.state.balances["house"] == before - 400
    assert [(row.place, row.cents) for row in made.chips] == [(1, 400)]


def test_spin_is_settled_again_with_other_bets() -> None:
    table = Table("roulette", {"ann": 1, "bob": 2})
    table.tick()
    table.bet("ann", red=500)
    table.bet("bob", red=700, black=700)
    past = table.state.last
    assert past is not None
    before = table.stack("ann")
    made = correct(table, past, Facts(wagers={1: (Bet("black", 500),)}))
    assert [row.place for row in made.spins] == [1, 2]
    assert table.stack("ann") - before in (1000, -1000, 0)
    made = correct(table, past, Facts(wagers={1: ()}))
    assert [row.place for row in made.spins] == [2]
    assert table.stack("ann") == 100_000


def test_corrections_are_made_between_rounds() -> None:
    table, past = played()
    table.banked_by("ann")
    ask(table, past, Facts(moves={BOB: "play"}))
    waiting = {"correction": 1, "staff": "Noor", "past": past}
    assert "round 2" in table.refused("correction.round", "ApproveCorrection", FLOOR, **waiting)
    table.do("VoidRound", FLOOR, reason="a pause")
    approve(table, past)


def test_rejected_correction_cannot_be_approved() -> None:
    table, past = played()
    ask(table, past, Facts(moves={BOB: "play"}))
    table.do("RejectCorrection", FLOOR, correction=1, staff="Noor", reason="it was right")
    table.refused("correction.none", "ApproveCorrection", FLOOR, correction=1, staff="Noor")


@pytest.mark.parametrize(
    ("facts", "code"),
    [
        (Facts(), "correction.same"),
        (Facts(moves={BOB: "fold"}), "correction.same"),
        (Facts(moves={2: "play"}), "correction.facts"),
        (Facts(moves={FOUR["ann"]: "play"}), "correction.facts"),
        (Facts(wagers={BOB: (Bet("ante", 1),)}), "correction.facts"),
        (Facts(wagers={BOB: (Bet("bonus", 500),)}), "correction.facts"),
        (Facts(wagers={BOB: (Bet("pair_plus", 500),)}), "correction.facts"),
        (Facts(wagers={BOB: (Bet("ante", 500), Bet("ante", 500))}), "correction.facts"),
    ],
)
def test_facts_that_are_refused(facts: Facts, code: str) -> None:
    table, past = played()
    fields = {"round": 1, "facts": facts, "staff": "Maria", "reason": "why", "past": past}
    table.refused(code, "AskCorrection", FLOOR, **fields)


def test_only_settled_rounds_of_the_table_are_corrected() -> None:
    table, past = played()
    fields = {"facts": Facts(void=True), "staff": "Maria", "reason": "why"}
    table.refused("correction.none", "AskCorrection", FLOOR, round=2, past=past, **fields)
    table.refused("correction.none", "AskCorrection", FLOOR, round=1, past=None, **fields)
    table.banked_by("ann")
    table.do("VoidRound", FLOOR, reason="a pause")
    void = table.state.last
    table.refused("correction.void", "AskCorrection", FLOOR, round=2, past=void, **fields)


def test_bets_in_prison_are_not_corrected() -> None:
    table = Table(qh.load("roulette-european", {"zero.on_zero": "en_prison"}), {"ann": 1})
    for _ in range(200):
        table.tick()
        if table.state.round is not None:
            table.bet("ann", red=200)
        last = table.state.last
        if last and isinstance(last.end, events.SpinSettled) and last.end.places[0].bets[0].held:
            break
    past = table.state.last
    assert past is not None
    number, fields = past.live.number, {"staff": "Maria", "reason": "why", "past": past}
    facts = Facts(void=True)
    table.refused("correction.prison", "AskCorrection", FLOOR, round=number, facts=facts, **fields)


def test_corrections_survive_a_snapshot() -> None:
    table, past = played()
    ask(table, past, Facts(moves={BOB: "play"}))
    table.durable.reload()
    approve(table, past)
    table.durable.reload()
    assert table.state.corrections.rounds[1].nets[BOB] == gain_of_playing(past)


def test_fees_that_come_back_pay_for_what_is_owed() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500)
    for player in ("bob", "cyd", "dan"):
        table.do("Choose", player, move="fold")
    past = table.state.last
    assert past is not None
    table.do("Leave", "ann", when="now")
    other = table.room.open_table("other", table.book, table.state.settings)
    other.execute(Sit(id="sit", by="ann", at=table.at, place=3, cents=table.wallet("ann")))
    made = correct(table, past, Facts(void=True))
    assert (made.moved[0].against, made.moved[0].place, made.moved[0].cents) == ("fees", 1, 200)
    back = [row for row in made.moved if row.against == "bank"]
    assert [(row.cents, row.owed) for row in back] == [(200, 300), (0, 500), (0, 500)]
    assert table.wallet("ann") == 0, "all that the banker has pays players first"


def test_no_corrections_where_chips_stay_at_the_table() -> None:
    table = Table("house", {"ann": 1}, table_chips=True)
    table.tick()
    table.bet("ann", ante=400)
    table.do("Choose", "ann", move="play")
    fields = {"round": 1, "staff": "Maria", "reason": "why", "past": table.state.last}
    table.refused("correction.chips", "AskCorrection", FLOOR, facts=Facts(void=True), **fields)
