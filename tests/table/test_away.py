"""Players who are away: nobody waits for them, and they come back when they act."""

import pytest
from msgspec.structs import replace

from queenhigh.store.memory import MemoryStore
from queenhigh.table.commands import FLOOR, Bet
from queenhigh.table.snapshot import restore, snapshot
from queenhigh.table.state import State, round_of
from queenhigh.table.view import view
from queenhigh.table.waiting import late
from tests.table.table_driver import FOUR, Table, kinds

THREE = {"ann": 1, "bob": 2, "cyd": 3}


def mark_away(table: Table, player: str) -> list[str]:
    return kinds(table.do("MarkAway", FLOOR, place=table.state.place_of(player)))


def bring_back(table: Table, player: str) -> list[str]:
    return kinds(table.do("BringBack", FLOOR, place=table.state.place_of(player)))


def away(state: State) -> list[str]:
    return [place.player for place in view(state).places if place.away]


def test_bets_close_without_a_player_who_is_away() -> None:
    table = Table("house", THREE)
    table.tick()
    table.bet("ann", ante=100)
    table.bet("bob", ante=100)
    assert view(table.state).awaited == (3,)
    assert mark_away(table, "cyd")[:2] == ["SeatAway", "BetsClosed2"]
    assert away(table.state) == ["cyd"]
    assert view(table.state).awaited == (1, 2)


def test_hand_of_a_player_who_is_away_keeps_its_time() -> None:
    table = Table("house", THREE)
    table.tick()
    for player in ("ann", "bob", "cyd"):
        table.bet(player, ready=player != "cyd", ante=100)
    mark_away(table, "cyd")
    assert table.state.phase == "deciding"
    deadline = table.state.deadline
    for player in ("ann", "bob"):
        table.do("Choose", player, move="play")
    assert (table.state.phase, table.state.deadline) == ("deciding", deadline)
    assert view(table.state).awaited == (3,)
    assert kinds(table.tick())[:2] == ["MoveMade", "RoundSettled"]


def test_a_player_who_is_away_may_still_decide() -> None:
    table = Table("house", {"ann": 1})
    table.tick()
    table.bet("ann", ante=100)
    mark_away(table, "ann")
    assert kinds(table.do("Choose", "ann", move="play"))[0] == "MoveMade"


def test_no_bet_is_taken_from_a_player_who_is_away() -> None:
    table = Table("house", THREE)
    table.tick()
    mark_away(table, "cyd")
    table.refused("seat.away", "PlaceWagers", "cyd", round=1, wagers=(Bet("ante", 100),))
    bring_back(table, "cyd")
    table.bet("cyd", ante=100)
    assert table.held("cyd") == 100


def test_rounds_begin_without_players_who_are_away() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    mark_away(table, "bob")
    table.tick()
    assert kinds(table.bet("ann", ante=100))[1] == "BetsClosed2"
    mark_away(table, "ann")
    table.tick()
    assert table.tick() == []
    assert view(table.state).waits_for == "players"
    bring_back(table, "bob")
    assert kinds(table.tick()) == ["RoundOpened2"]


def test_the_bank_passes_players_who_are_away() -> None:
    table = Table("california", FOUR)
    mark_away(table, "ann")
    table.tick()
    assert table.state.offer.place == FOUR["bob"]
    assert mark_away(table, "bob") == ["SeatAway", "BankDeclined", "BankOffered"]
    assert table.state.offer.place == FOUR["cyd"]
    table.do("DeclineBank", "cyd")
    table.do("DeclineBank", "dan")
    assert table.state.offer.declined_by_all
    bring_back(table, "ann")
    table.tick()
    assert table.state.offer.place == FOUR["ann"]


def test_a_bank_stays_posted_when_the_banker_is_away() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    assert mark_away(table, "ann") == ["SeatAway"]
    table.bet("bob", ready=False, ante=500)
    assert table.state.phase == "betting"


@pytest.mark.parametrize("aside", [True, False])
def test_sitting_out_or_in_ends_being_away(aside: bool) -> None:
    table = Table("house", THREE)
    mark_away(table, "cyd")
    assert kinds(table.do("SitOut", "cyd", aside=aside)) == ["SeatAside"]
    assert away(table.state) == []
    assert table.state.places[3].sitting_out is aside


def test_who_may_be_marked_away_and_brought_back() -> None:
    table = Table("house", THREE)
    table.room.wallets.issue("robo", 5000, id="chips", at=0, reason="to play")
    table.do("Sit", "robo", place=4, cents=5000, bot=True)
    table.refused("sender.wrong", "MarkAway", "ann", place=2)
    table.refused("sender.wrong", "BringBack", "ann", place=1)
    table.refused("seat.none", "MarkAway", FLOOR, place=7)
    table.refused("seat.bot", "MarkAway", FLOOR, place=4)
    table.refused("seat.away", "BringBack", FLOOR, place=1)
    mark_away(table, "ann")
    table.refused("seat.away", "MarkAway", FLOOR, place=1)
    table.tick()
    table.bet("bob", ready=False, ante=100)
    table.do("Leave", "bob", when="after_round")
    table.refused("seat.away", "MarkAway", FLOOR, place=2)


def test_late_are_people_who_do_not_bet_or_decide() -> None:
    table = Table("house", {**THREE, "dan": 4})
    table.room.wallets.issue("robo", 5000, id="chips", at=0, reason="to play")
    table.do("Sit", "robo", place=5, cents=5000, bot=True)
    mark_away(table, "dan")
    table.tick()
    table.bet("ann", ready=False, ante=100)
    deadline = table.state.deadline
    assert deadline is not None
    table.bet("bob", ready=True, ante=100)
    assert late(table.state, deadline - 1) == []
    assert late(table.state, deadline) == [3]
    table.tick()
    table.do("Choose", "ann", move="play")
    assert table.state.deadline is not None
    assert late(table.state, table.state.deadline) == [2]


def test_player_with_a_bet_in_prison_is_not_late() -> None:
    table = Table("roulette-european", {"ann": 1, "bob": 2})
    table.tick()
    table.bet("bob", ready=False, red=100)
    state = table.state
    assert state.deadline is not None
    assert late(state, state.deadline) == [1]
    live = round_of(state)
    held = replace(live, wagers={**live.wagers, 1: (Bet("red", 100, True),)})
    assert late(replace(state, round=held), state.deadline) == []


def test_late_is_who_does_not_answer_the_offer() -> None:
    table = Table("california", FOUR)
    table.tick()
    assert table.state.deadline is not None
    assert late(table.state, table.state.deadline) == [FOUR["ann"]]


def test_being_away_outlasts_a_restart() -> None:
    store = MemoryStore()
    table = Table("house", THREE, store=store)
    mark_away(table, "cyd")
    assert away(Table("house", store=store).state) == ["cyd"]
    saved = restore(snapshot(table.state))
    assert saved is not None
    assert away(saved) == ["cyd"]
