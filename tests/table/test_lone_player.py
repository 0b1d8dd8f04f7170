"""A person who plays with bots only has no clock, until there is another person or none."""

import msgspec
import pytest
from msgspec.structs import replace

from queenhigh.store.memory import MemoryStore
from queenhigh.table.commands import FLOOR, Bet
from queenhigh.table.decide import wakes_at
from queenhigh.table.lone_player import can_stop_clock
from queenhigh.table.snapshot import restore, snapshot
from queenhigh.table.view import view
from tests.table.table_driver import CHIPS, PACE, Table, kinds


def with_bots(book: str, *bots: str, people: tuple[str, ...] = ("ann",)) -> Table:
    """Return a table of people, then bots, one place after the other."""
    table = Table(book, {player: place for place, player in enumerate(people, 1)})
    for place, bot in enumerate(bots, len(people) + 1):
        sit(table, bot, place, bot=True)
    return table


def sit(table: Table, player: str, place: int, *, bot: bool = False) -> None:
    table.room.wallets.issue(player, CHIPS, id="chips", at=0, reason="to play")
    table.do("Sit", player, place=place, cents=100_000, bot=bot)


def stop_clock(table: Table) -> None:
    assert kinds(table.do("StopClock", FLOOR)) == ["ClockStopped"]


def test_bets_and_decisions_wait_for_the_lone_player() -> None:
    table = with_bots("house", "robo")
    stop_clock(table)
    table.tick()
    table.bet("robo", ante=100)
    seen = view(table.state)
    assert (seen.untimed, seen.deadline, seen.awaited) == (True, None, (1,))
    assert wakes_at(table.state) is None
    assert table.tick(wait=10**9) == []
    table.bet("ann", ante=100)
    assert table.state.phase == "deciding"
    table.do("Choose", "robo", move="play")
    assert table.tick(wait=10**9) == []
    assert kinds(table.do("Choose", "ann", move="play")) == ["MoveMade", "RoundSettled"]
    assert table.state.deadline == table.at + PACE.pause, "the pause between rounds runs"
    assert view(table.state).deadline is not None


def test_the_clock_runs_while_only_bots_are_waited_for() -> None:
    table = with_bots("house", "robo")
    stop_clock(table)
    table.tick()
    table.bet("ann", ante=100)
    assert table.state.deadline == table.at + PACE.bets
    assert view(table.state).deadline is None, "a player without a clock is shown none"
    assert kinds(table.tick())[0] == "BetsClosed2"
    assert wakes_at(table.state) is None
    table.do("Choose", "ann", move="play")


def test_an_offer_of_the_bank_waits_for_the_lone_player() -> None:
    table = with_bots("california", "robo", "beep")
    stop_clock(table)
    table.tick()
    assert table.state.offer.place == 1
    assert wakes_at(table.state) is None
    assert table.tick(wait=10**9) == []
    table.do("DeclineBank", "ann")
    assert table.state.deadline == table.at + PACE.offer, "a bot has a clock"
    assert kinds(table.tick()) == ["BankDeclined", "BankOffered"]


def test_the_clock_starts_whole_when_a_second_person_sits() -> None:
    table = with_bots("house", "robo")
    stop_clock(table)
    table.tick()
    table.bet("robo", ante=100)
    table.at += 10**6
    sit(table, "bob", 3)
    assert table.state.deadline == table.at + PACE.bets
    assert not view(table.state).untimed
    table.refused("clock.people", "StopClock", FLOOR)


def test_the_round_ends_by_default_when_the_person_is_gone() -> None:
    table = with_bots("house", "robo")
    stop_clock(table)
    table.tick()
    for player in ("ann", "robo"):
        table.bet(player, ante=100)
    table.do("Choose", "robo", move="play")
    table.at += 10**6
    table.do("MarkAway", FLOOR, place=1)
    assert table.state.deadline == table.at + PACE.moves
    assert kinds(table.tick()) == ["MoveMade", "RoundSettled"]
    table.refused("clock.people", "StopClock", FLOOR)
    table.do("BringBack", FLOOR, place=1)
    stop_clock(table)


def test_the_clock_starts_when_someone_comes_back_or_all_leave() -> None:
    table = with_bots("house", "robo", people=("ann", "bob"))
    table.refused("clock.people", "StopClock", FLOOR)
    table.do("MarkAway", FLOOR, place=2)
    stop_clock(table)
    table.refused("clock.people", "StopClock", FLOOR)
    table.do("BringBack", FLOOR, place=2)
    assert not table.state.untimed
    table.do("Leave", "bob")
    stop_clock(table)
    table.do("Leave", "ann")
    assert not table.state.untimed


def test_the_clock_runs_while_another_person_has_a_hand() -> None:
    table = with_bots("house", "robo", people=("ann", "bob"))
    table.tick()
    for player in ("ann", "bob"):
        table.bet(player, ready=False, ante=100)
    table.do("MarkAway", FLOOR, place=2)
    table.refused("clock.people", "StopClock", FLOOR)
    table.tick()
    table.refused("clock.people", "StopClock", FLOOR)
    table.tick()
    assert table.state.phase == "between"
    stop_clock(table)


def test_the_clock_runs_while_another_person_banks() -> None:
    table = with_bots("california", "robo", people=("ann", "bob"))
    table.tick()
    table.do("DeclineBank", "ann", round=1)
    table.do("AcceptBank", "bob", round=1, cents=50_000)
    table.bet("ann", ready=False, ante=500)
    table.do("MarkAway", FLOOR, place=2)
    table.refused("clock.people", "StopClock", FLOOR)


def test_clock_runs_while_another_person_has_a_bet_in_prison() -> None:
    table = with_bots("roulette-european", people=("ann", "bob"))
    table.do("MarkAway", FLOOR, place=2)
    assert can_stop_clock(table.state)
    held = replace(table.state, prison={2: (Bet("red", 100, True),)})
    assert not can_stop_clock(held)
    assert can_stop_clock(replace(held, prison={1: (Bet("red", 100, True),)}))


@pytest.mark.parametrize("why", ["CloseTable", "Leave"])
def test_the_clock_starts_when_the_table_or_its_player_ends(why: str) -> None:
    """Otherwise a player who does nothing could keep a table open for good."""
    table = with_bots("house", "robo")
    stop_clock(table)
    table.tick()
    table.bet("robo", ante=100)
    table.bet("ann", ready=False, ante=100)
    if why == "Leave":
        table.do("Leave", "ann", when="after_round")
        assert table.state.phase == "deciding", "nobody waits for more bets of a player who leaves"
    else:
        table.do("CloseTable", FLOOR, reason="the night is over")
        table.tick()
    assert not table.state.untimed
    table.do("Choose", "robo", move="play")
    table.tick()
    assert table.state.place_of("ann") is None
    table.refused("table.closed" if why == "CloseTable" else "clock.people", "StopClock", FLOOR)


def test_only_the_floor_stops_the_clock() -> None:
    table = with_bots("house", "robo")
    table.refused("sender.wrong", "StopClock", "ann")


@pytest.mark.parametrize("book", ["house", "california", "roulette-european"])
def test_rounds_on_a_stopped_clock_survive_a_restart(book: str) -> None:
    store = MemoryStore()
    table = Table(book, {"ann": 1}, store=store)
    sit(table, "robo", 2, bot=True)
    stop_clock(table)
    table.tick()
    for again in (Table(book, store=store).state, restore(snapshot(table.state))):
        assert again is not None
        assert again.book.digest == table.state.book.digest
        assert replace(again, book=table.state.book) == table.state


def test_snapshot_from_before_stopped_clocks_is_read() -> None:
    state = with_bots("house", "robo").state
    saved = msgspec.json.decode(snapshot(state))
    del saved["untimed"]
    assert restore(msgspec.json.encode(saved)) == state
