"""Both verifiers find lies about players who are away, at the same event."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.verify.by_hand import PACE, ByHand
from tests.verify.test_notices import judged
from tests.verify.verifiers import BOTH

Script = Callable[[ByHand, bool], None]


def house() -> ByHand:
    """Return a house's table with a chain and three players."""
    table = ByHand("house")
    table.sit("ann", "bob", "cyd")
    table.start_chain()
    return table


def mark_away(table: ByHand, place: int, by: str = "floor") -> None:
    table.step(by)
    table.add("seat.away/1", place=place)


def bring_back(table: ByHand, place: int, by: str = "floor") -> None:
    table.step(by)
    table.add("seat.back/1", place=place)


def sit_out(table: ByHand, place: int, *, aside: bool) -> None:
    table.step(table.players[place])
    table.add("seat.aside/1", place=place, aside=aside)


def marked_by_a_player(table: ByHand, lie: bool) -> None:
    mark_away(table, 1, by="ann" if lie else "floor")


def marked_by_the_clock(table: ByHand, lie: bool) -> None:
    mark_away(table, 1, by="clock" if lie else "floor")


def marked_twice(table: ByHand, lie: bool) -> None:
    mark_away(table, 1)
    mark_away(table, 1 if lie else 2)


def marked_where_nobody_sits(table: ByHand, lie: bool) -> None:
    mark_away(table, 5 if lie else 1)


def brought_back_by_a_player(table: ByHand, lie: bool) -> None:
    mark_away(table, 1)
    bring_back(table, 1, by="ann" if lie else "floor")


def brought_back_without_being_away(table: ByHand, lie: bool) -> None:
    mark_away(table, 1)
    bring_back(table, 2 if lie else 1)


def back_after_the_own_return(table: ByHand, lie: bool) -> None:
    mark_away(table, 1)
    sit_out(table, 1, aside=False)
    if lie:
        bring_back(table, 1)


def returned_twice(table: ByHand, lie: bool) -> None:
    mark_away(table, 1)
    sit_out(table, 1, aside=False)
    sit_out(table, 1, aside=not lie)


def bet_while_away(table: ByHand, lie: bool) -> None:
    mark_away(table, 1)
    table.open_round()
    if not lie:
        bring_back(table, 1)
    table.bet(1, "ante")


def ready_while_away(table: ByHand, lie: bool) -> None:
    table.open_round()
    mark_away(table, 1)
    if not lie:
        bring_back(table, 1)
    table.step("ann")
    table.add("seat.ready/1", round=1, place=1)


def rounds_for_nobody(table: ByHand, lie: bool) -> None:
    for place in (1, 2, 3):
        mark_away(table, place)
    if not lie:
        bring_back(table, 2)
    table.open_round()


def bets_stay_open_for_nobody(table: ByHand, lie: bool) -> None:
    """When all others are ready, marking the last one closes the bets, in the same step."""
    table.open_round()
    for place in (1, 2):
        table.bet(place, "ante")
        table.step(table.players[place])
        table.add("seat.ready/1", round=1, place=place)
    mark_away(table, 3)
    if lie:
        bring_back(table, 3)
        return
    table.add("bets.closed/2", round=1)
    table.deal()


def hand_folded_at_once(table: ByHand, lie: bool) -> None:
    """A hand keeps its time although its player is away."""
    table.open_round()
    table.bet(1, "ante")
    table.close_bets()
    table.deal()
    dealt = table.at
    mark_away(table, 1)
    table.step("clock", 1 if lie else dealt + PACE["moves"] - table.at)
    table.moves[1] = "fold"
    table.add("move.made/1", round=1, place=1, move="fold")
    if not lie:
        table.settle()


LIES: tuple[Script, ...] = (
    marked_by_a_player,
    marked_by_the_clock,
    marked_twice,
    marked_where_nobody_sits,
    brought_back_by_a_player,
    brought_back_without_being_away,
    back_after_the_own_return,
    returned_twice,
    bet_while_away,
    ready_while_away,
    rounds_for_nobody,
    bets_stay_open_for_nobody,
    hand_folded_at_once,
)


def verdicts(table: ByHand, folder: Path) -> dict[str, int | None]:
    file = folder / "log.jsonl"
    table.write(file)
    return judged(file.read_bytes().splitlines(keepends=True), folder)


@pytest.mark.parametrize("script", LIES, ids=lambda script: script.__name__)
def test_lie_about_being_away_is_detected(script: Script, tmp_path: Path) -> None:  # L24
    truth, lie = house(), house()
    script(truth, False)
    assert verdicts(truth, tmp_path) == dict.fromkeys(BOTH), "the truth is accepted"
    script(lie, True)
    assert verdicts(lie, tmp_path) == dict.fromkeys(BOTH, len(lie.rows))


def test_bot_that_is_away_is_detected(tmp_path: Path) -> None:  # L24
    for bot in (False, True):
        table = ByHand("house")
        table.step("floor")
        table.to_wallet("ann", "wallet.issued/1", cents=500, reason="to play")
        table.step("ann")
        seat = {"place": 1, "player": "ann", "cents": 500}
        table.add("seat.taken/1", **seat, **({"bot": True} if bot else {}))
        table.to_wallet("ann", "wallet.bought_in/1", cents=500, table="t", version=2)
        mark_away(table, 1)
        bad = len(table.rows) if bot else None
        assert verdicts(table, tmp_path) == dict.fromkeys(BOTH, bad)


@pytest.mark.parametrize("lie", [False, True])
def test_bank_offered_to_a_place_that_is_away(lie: bool, tmp_path: Path) -> None:  # L24
    table = ByHand("california", places=11)
    table.sit("ann", "bob", "cyd")
    mark_away(table, 1)
    table.step("clock", PACE["pause"])
    table.add("bank.offered/1", round=1, place=1 if lie else 2)
    bad = len(table.rows) if lie else None
    assert verdicts(table, tmp_path) == dict.fromkeys(BOTH, bad)


@pytest.mark.parametrize("lie", [False, True])
def test_offer_passes_on_when_its_place_goes_away(lie: bool, tmp_path: Path) -> None:  # L24
    table = ByHand("california", places=11)
    table.sit("ann", "bob", "cyd")
    table.step("clock", PACE["pause"])
    table.add("bank.offered/1", round=1, place=1)
    mark_away(table, 1)
    if lie:
        bring_back(table, 1)
    else:
        table.add("bank.declined/1", round=1, place=1)
        table.add("bank.offered/1", round=1, place=2)
    bad = len(table.rows) if lie else None
    assert verdicts(table, tmp_path) == dict.fromkeys(BOTH, bad)
