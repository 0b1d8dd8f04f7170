"""Both verifiers find lies about a stopped clock, at the same event."""

from collections.abc import Callable
from pathlib import Path

import pytest

import queenhigh as qh
from tests.verify.by_hand import PACE, ByHand
from tests.verify.test_away import mark_away, verdicts
from tests.verify.test_chains import seed_for
from tests.verify.verifiers import BOTH

Script = Callable[[ByHand, bool], None]
YEAR = 365 * 24 * 3600 * 1000


def alone(*, lie: bool = False) -> ByHand:
    """Return a house's table of ann and two bots; with a lie one of the bots is a person."""
    table = ByHand("house")
    for place, player in enumerate(("ann", "robo", "beep"), 1):
        table.players[place] = player
        table.step("floor")
        table.to_wallet(player, "wallet.issued/1", cents=50_000, reason="to play")
        table.step(player)
        seat = {"place": place, "player": player, "cents": 50_000}
        is_bot = place > 1 and not (lie and place == 2)
        table.add("seat.taken/1", **seat, **({"bot": True} if is_bot else {}))
        table.to_wallet(player, "wallet.bought_in/1", cents=50_000, table="t", version=place + 1)
    table.start_chain()
    return table


def stop_clock(table: ByHand, by: str = "floor") -> None:
    table.step(by)
    table.add("clock.stopped/1")


def bet_and_be_ready(table: ByHand, *places: int) -> None:
    for place in places:
        table.bet(place, "ante")
        table.step(table.players[place])
        table.add("seat.ready/1", round=table.round, place=place)


def stopped_by_a_player(table: ByHand, lie: bool) -> None:
    stop_clock(table, by="ann" if lie else "floor")


def stopped_by_the_clock(table: ByHand, lie: bool) -> None:
    stop_clock(table, by="clock" if lie else "floor")


def stopped_twice(table: ByHand, lie: bool) -> None:
    stop_clock(table)
    if lie:
        stop_clock(table)


def stopped_without_a_person(table: ByHand, lie: bool) -> None:
    mark_away(table, 1)
    if not lie:
        table.step("floor")
        table.add("seat.back/1", place=1)
    stop_clock(table)


def bets_closed_by_a_stopped_clock(table: ByHand, lie: bool) -> None:
    """The clock closes no bets while the person may bet; it does without one who is ready."""
    stop_clock(table)
    table.open_round()
    bet_and_be_ready(table, 2)
    if not lie:
        bet_and_be_ready(table, 1)
    table.step("clock", PACE["bets"])
    table.add("bets.closed/2", round=1)
    if not lie:
        table.deal()


def late_bet(table: ByHand, lie: bool) -> None:
    """Only a stopped clock waits a year for a bet."""
    if not lie:
        stop_clock(table)
    table.open_round()
    table.bet(2, "ante")
    table.step("ann", YEAR)
    table.wagers[1] = {"ante": 100}
    wagers = [{"spot": "ante", "cents": 100}]
    table.add("wagers.placed/1", round=1, place=1, wagers=wagers)


def hand_folded_by_a_stopped_clock(table: ByHand, lie: bool) -> None:
    """A clock that starts again, since the person is away, gives the whole time once more."""
    stop_clock(table)
    table.open_round()
    bet_and_be_ready(table, 1, 2)
    table.step("beep")
    table.add("seat.ready/1", round=1, place=3)
    table.add("bets.closed/2", round=1)
    table.deal()
    table.move(2, "fold")
    mark_away(table, 1)
    table.step("clock", PACE["moves"] - lie)
    table.moves[1] = "fold"
    table.add("move.made/1", round=1, place=1, move="fold")
    if not lie:
        table.settle()


def late_move_after_a_second_person_sat(table: ByHand, lie: bool) -> None:
    stop_clock(table)
    table.open_round()
    bet_and_be_ready(table, 1, 2)
    table.step("beep")
    table.add("seat.ready/1", round=1, place=3)
    table.add("bets.closed/2", round=1)
    table.deal()
    table.move(2, "fold")
    if lie:
        table.step("floor", YEAR)
        table.to_wallet("bob", "wallet.issued/1", cents=500, reason="to play")
        table.step("bob")
        table.add("seat.taken/1", place=4, player="bob", cents=500)
        version = sum(row["stream"] == "table/t" for row in table.rows)
        table.to_wallet("bob", "wallet.bought_in/1", cents=500, table="t", version=version)
    table.at += PACE["moves"]
    table.move(1, "fold")
    if not lie:
        table.settle()


LIES: tuple[Script, ...] = (
    stopped_by_a_player,
    stopped_by_the_clock,
    stopped_twice,
    stopped_without_a_person,
    bets_closed_by_a_stopped_clock,
    late_bet,
    hand_folded_by_a_stopped_clock,
    late_move_after_a_second_person_sat,
)


@pytest.mark.parametrize("script", LIES, ids=lambda script: script.__name__)
def test_lie_about_a_stopped_clock_is_detected(script: Script, tmp_path: Path) -> None:  # L25
    truth, lie = alone(), alone()
    script(truth, False)
    assert verdicts(truth, tmp_path) == dict.fromkeys(BOTH), "the truth is accepted"
    script(lie, True)
    assert verdicts(lie, tmp_path) == dict.fromkeys(BOTH, len(lie.rows))


@pytest.mark.parametrize("lie", [False, True])
def test_clock_stopped_for_two_people_is_detected(lie: bool, tmp_path: Path) -> None:  # L25
    table = alone(lie=lie)
    stop_clock(table)
    assert verdicts(table, tmp_path) == dict.fromkeys(BOTH, len(table.rows) if lie else None)


@pytest.mark.parametrize("lie", [False, True])
def test_clock_stopped_in_spite_of_a_hand_is_detected(lie: bool, tmp_path: Path) -> None:  # L25
    """The hand of a second person who is away keeps its clock."""
    table = alone(lie=True)
    table.open_round()
    table.bet(2 if lie else 1, "ante")
    mark_away(table, 2)
    stop_clock(table)
    assert verdicts(table, tmp_path) == dict.fromkeys(BOTH, len(table.rows) if lie else None)


@pytest.mark.parametrize("lie", [False, True])
def test_clock_stopped_in_spite_of_a_prison_is_detected(lie: bool, tmp_path: Path) -> None:  # L25
    """A player who leaves waits for the spin that decides the bet in prison."""
    table = ByHand(qh.load("roulette-european", {"on_zero": "en_prison"}))
    table.sit("ann", "bob")
    table.start_chain()
    table.open_round()
    table.bet(1, "red")
    table.step("ann")
    table.add("seat.leaving/1", place=1)
    seed = seed_for(table, 1, 0 if lie else 1)
    table.commit(1, copied=table.committed[1][1])
    table.close_bets()
    table.show(1, seed)
    table.land()
    if not lie:  # 1 is red
        table.add("seat.left/1", place=1, player="ann", cents=50_100)
        table.cash_out("ann", 50_100)
    stop_clock(table)
    assert verdicts(table, tmp_path) == dict.fromkeys(BOTH, len(table.rows) if lie else None)
