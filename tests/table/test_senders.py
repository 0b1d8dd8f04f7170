"""Senders and ids: permissions, limits, and the memory of a table."""

import re
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.store.memory import MemoryStore
from queenhigh.table import commands
from queenhigh.table import decide as decide_module
from queenhigh.table.commands import FLOOR, Bet
from queenhigh.table.decide import decide
from queenhigh.table.view import view
from tests.table.table_driver import CHIPS, FOUR, Table, kinds


def test_a_repeated_command_has_one_effect_even_after_a_restart() -> None:
    store = MemoryStore()
    table = Table("california", FOUR, store=store)
    table.banked_by("ann")
    command = table.command("PlaceWagers", "bob", round=1, wagers=(Bet("ante", 500),), ready=True)
    first = table.durable.execute(command)
    assert table.durable.execute(command) == first
    again = Table("california", store=store)
    assert again.durable.execute(command) == first
    assert again.held("bob") == 600
    sit = table.command("Sit", "eve", place=7, cents=500)
    table.room.wallets.issue("eve", 5000, id="chips", at=0, reason="to play")
    table.durable.reload()
    table.durable.execute(sit)
    assert table.durable.execute(sit) is not None
    assert table.wallet("eve") == 4500


def test_another_player_may_use_the_same_id() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    table.tick()
    wagers = (Bet("ante", 100),)
    command = table.command("PlaceWagers", "ann", round=1, wagers=wagers)
    table.ids -= 1
    two = table.command("PlaceWagers", "bob", round=1, wagers=wagers)
    assert command.id == two.id
    table.give(command)
    assert kinds(table.give(two)) == ["WagersPlaced"]


def test_an_id_is_remembered_through_a_busy_round() -> None:
    table = Table("roulette", {"ann": 1, "bob": 2})
    table.tick()
    command = table.command("PlaceWagers", "ann", round=1, wagers=(Bet("red", 500),))
    table.give(command)
    for _ in range(600):
        table.do("AddSeed", "bob", seed="x")
    assert table.give(command) == []
    assert table.held("ann") == 500


def test_ids_are_forgotten_after_the_next_round() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    command = table.command("SitOut", "bob", aside=True)
    table.give(command)
    table.do("SitOut", "bob", aside=False)
    for rounds, remembered in ((1, True), (2, False)):
        table.tick()
        table.bet("ann", ready=False, ante=100)
        table.tick()
        table.tick()
        assert table.state.number == rounds
        assert (table.give(command) == []) == remembered


@pytest.mark.parametrize("between", range(8, 32))
def test_no_id_is_lost_when_a_full_chunk_ends_a_round(between: int) -> None:
    table = Table("roulette", {"ann": 1, "bob": 2})
    table.tick()
    command = table.command("PlaceWagers", "ann", round=1, wagers=(Bet("red", 500),))
    table.give(command)
    seeds = [table.command("AddSeed", "bob", round=1, seed="x") for _ in range(between)]
    for seed in seeds:
        table.give(seed)
    table.do("VoidRound", FLOOR, reason="a ball was lost")
    for sent in (command, *seeds):
        assert table.durable.execute(sent) is not None


def test_commands_of_a_sender_are_limited_in_a_round() -> None:
    table = Table("roulette", {"ann": 1, "bob": 2})
    table.tick()
    for _ in range(999):
        table.do("AddSeed", "ann", seed="x")
    table.refused("id.many", "AddSeed", "ann", seed="y")
    table.do("AddSeed", "bob", seed="z")
    assert kinds(table.do("Leave", "ann"))[-1] == "SeatLeft"


def test_players_go_and_come_back_without_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """At a table that rests no round ends for days, and the floor notes who is there."""
    monkeypatch.setattr(decide_module, "_MOST_IDS", 9)
    table = Table("house", {"ann": 1})
    table.tick()
    for _ in range(9):
        table.do("StopClock", FLOOR)
        table.do("MarkAway", FLOOR, place=1)
        table.do("BringBack", FLOOR, place=1)


def test_senders_and_ids_do_not_run_into_each_other() -> None:
    table = Table("house", {"a": 1, "a/b": 2})
    table.tick()
    for player, id in (("a", "b/c"), ("a/b", "c")):
        wagers = (Bet("ante", 100),)
        table.give(commands.PlaceWagers(id=id, by=player, at=table.at, round=1, wagers=wagers))
        assert table.held(player) == 100


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (commands.Tick(id="", by="ann", at=1), "sender.wrong"),
        (commands.Tick(id="x", by="clock", at=1), "sender.wrong"),
        (commands.Sit(id="x", by="", at=1, place=3, cents=5), "name.length"),
        (commands.Sit(id="x", by="a\nb", at=1, place=3, cents=5), "name.length"),
        (commands.Sit(id="\ud800", by="cyd", at=1, place=3, cents=5), "id.length"),
        (commands.AddSeed(id="x", by="ann", at=1, round=1, seed="\ud800"), "seed.long"),
        (commands.VoidRound(id="x", by="floor", at=1, round=1, reason="x" * 201), "text.length"),
    ],
)
def test_odd_senders_are_refused(command: commands.Command, code: str) -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    table.tick()
    with pytest.raises(qh.QueenhighError) as caught:
        table.give(command)
    assert caught.value.code == code


def test_bad_seed_is_refused_with_its_reason() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    table.tick()
    for seed, why in (("x" * 65, "of 1 to 64 bytes"), ("a\u200db", "invisible characters")):
        with pytest.raises(qh.QueenhighError, match=why):
            table.give(commands.AddSeed(id="x", by="ann", at=1, round=1, seed=seed))


def test_a_table_is_opened_once_and_by_the_floor() -> None:
    table = Table("house", {"ann": 1})
    document, settings = dict(table.book.document), table.state.settings
    stamp: Any = {"id": "x", "at": 1, "table": "t", "rulebook": document, "settings": settings}
    with pytest.raises(qh.QueenhighError, match="already open"):
        table.give(commands.OpenTable(by=FLOOR, **stamp))
    with pytest.raises(qh.QueenhighError, match="only the floor"):
        decide(None, commands.OpenTable(by="ann", **stamp), bytes(32))


def test_closing_table_closes_when_last_wager_is_cleared() -> None:
    table = Table("california", {"ann": 1, "bob": 2})
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500)
    table.do("CloseTable", FLOOR, reason="late")
    assert kinds(table.do("ClearWagers", "bob"))[1] == "RoundVoided"
    assert table.state.phase == "closed"


def test_folded_hand_stays_hidden_from_next_player() -> None:
    table = Table("california", {"ann": 1, "bob": 2})
    table.banked_by("ann")
    table.bet("bob", ante=500)
    table.do("Choose", "bob", move="fold")
    table.do("Leave", "bob")
    table.room.wallets.issue("cyd", CHIPS, id="chips", at=0, reason="next")
    table.do("Sit", "cyd", place=2, cents=10_000)
    for viewer in (None, "cyd", FLOOR):
        last = view(table.state, viewer).last
        assert last is not None
        assert last.round.hands[0].cards is None


def test_bet_is_stored_in_the_rulebook_spelling() -> None:
    table = Table("roulette", {"ann": 1, "bob": 2})
    table.tick()
    for odd in (" Red ", "split 20 17", "square 1 2 4 5"):
        table.do("PlaceWagers", "ann", wagers=(Bet(odd, 100),))
    assert table.state.round is not None
    spots = [bet.spot for bet in table.state.round.wagers[1]]
    assert spots == ["red", "split 17 20", "corner 1 2 4 5"]
    table.refused("bet.unknown", "PlaceWagers", "ann", wagers=(Bet("red" + " " * 200, 100),))


def test_every_code_of_a_refusal_is_in_the_docs() -> None:
    root = Path(__file__).parent.parent.parent
    page = (root / "docs" / "table.md").read_text()
    source = "".join(
        file.read_text() for file in (root / "src" / "queenhigh" / "table").glob("*.py")
    )
    codes = set(re.findall(r'refuse\(\s*"([a-z_.]+)"', source))
    assert len(codes) > 30
    assert {code for code in codes if f"`{code}`" not in page} == set()
