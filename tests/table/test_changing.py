"""The floor gives a table other limits, fees or times between rounds; in a round nobody does."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.history.records import rounds_of
from queenhigh.room import durable_table
from queenhigh.store.memory import MemoryStore
from queenhigh.table import events as happened
from queenhigh.table.commands import FLOOR, Bet
from queenhigh.table.events import decode
from queenhigh.table.fairness import OnChain, chained_key, document_digest
from queenhigh.table.view import view
from tests.sizes import sized
from tests.table.game_rounds import poker_of
from tests.table.table_changes import (
    change,
    paced,
    play,
    refused,
    rules,
    with_a_bet_in_prison,
    without_notice,
)
from tests.table.table_driver import FOUR, Table, kinds
from tests.verify.forging import Json

# From the next round on


def test_limits_and_fees_are_those_of_the_next_round() -> None:
    table = Table(without_notice(), FOUR)
    play(table)
    assert table.state.balances["fees"] == 100 + 200
    dearer = {"fees.rates.0.player": 150, "fees.rates.0.banker": 250, "limits.bonus.max": 400}
    (event,) = change(table, dearer)
    assert isinstance(event, happened.TableChanged)
    assert (event.by, event.reason) == (FLOOR, "a slow night")
    assert [rate["player"] for rate in view(table.state).fees] == [150, 200, 300]
    table.banked_by("ann")
    wagers = (Bet("ante", 500), Bet("bonus", 500))
    table.refused("wager.limits", "PlaceWagers", "bob", wagers=wagers)
    table.bet("bob", ready=False, ante=500, bonus=400)
    assert table.held("bob") == 500 + 400 + 150
    table.tick()
    assert table.state.balances["fees"] == 300 + 150 + 250


def test_commitment_covers_the_rulebook_of_the_round() -> None:
    table = Table(without_notice(), FOUR)
    digests = [table.state.digest]
    play(table)
    change(table, {"limits.bonus.max": 400})
    digests.append(table.state.digest)
    play(table)
    assert view(table.state).digest == digests[1] == document_digest(table.state.document)
    records = list(rounds_of((decode(row.event) for row in table.room.store.read("table/t")), "t"))
    assert [record.digest for record in records] == digests
    for record in records:
        of = OnChain("t", record.live.chain, record.live.number)
        seed = bytes.fromhex(record.end.seed)
        assert record.live.key == chained_key(seed, of, record.digest, (), {}).hex()


def test_times_default_move_and_least_bank_can_change() -> None:
    table = Table(without_notice(), FOUR)
    pace = paced(table, offer=9_000, moves=7_000).pace
    change(table, pace=pace, default_move="play", least_bank=20_000, bots=False)
    table.tick()
    assert table.state.deadline == table.at + 9_000
    table.refused("bank.least", "AcceptBank", "ann", cents=19_999)
    table.do("AcceptBank", "ann", cents=20_000)
    table.bet("bob", ready=False, ante=500)
    table.tick()
    assert table.state.deadline == table.at + 7_000
    moved = table.tick()[0]
    assert isinstance(moved, happened.MoveMade)
    assert moved.move == "play"
    table.refused("table.bots", "Sit", "eve", place=7, cents=500, bot=True)


def test_change_restarts_the_pause() -> None:
    table = Table("house", {"ann": 1})
    table.at = table.state.at + 1000
    change(table, {"limits.ante.max": 300})
    assert table.tick(wait=99) == []
    assert kinds(table.tick(wait=1)) == ["RoundOpened2"]


def test_change_reopens_a_declined_bank() -> None:
    table = Table(without_notice(), FOUR)
    for _ in range(5):
        table.tick()
    assert table.tick() == []
    change(table, least_bank=1000)
    assert view(table.state).waits_for is None
    table.refused("bank.in_turn", "WantBank", "cyd")
    assert kinds(table.tick()) == ["BankOffered"]


def test_button_stays_unless_the_first_seat_rule_changes() -> None:
    table = Table(without_notice({"first": "button"}), FOUR)
    firsts = []
    ways: list[Json] = [{}, {"limits.bonus.max": 400}, {"first": "left"}, {}, {"first": "button"}]
    for changes in ways:
        if changes:
            change(table, changes)
        play(table)
        assert table.state.last is not None
        firsts.append(poker_of(table.state.last.live).first)
    assert firsts == [1, 2, 1, 1, 1]


def test_the_last_round_is_shown_as_it_was_played() -> None:
    """Two cards up are two cards up from the next round on, not in the last one."""
    table = Table(without_notice(), FOUR)
    play(table)
    before = {viewer: view(table.state, viewer).last for viewer in (None, FLOOR, *FOUR)}
    shown = before[None]
    assert shown is not None
    assert shown.round.dealer[1:] == (None, None)
    change(table, {"up": 2, "bonus.on_fold": "resolve"})
    change(table, {"up": 0})
    assert {viewer: view(table.state, viewer).last for viewer in before} == before
    table.durable.reload()
    assert {viewer: view(table.state, viewer).last for viewer in before} == before
    play(table)
    last = view(table.state).last
    assert last is not None
    assert last.round.dealer == (None, None, None)


# Refusals


def test_nothing_changes_while_a_round_is_under_way() -> None:
    table = Table(without_notice(), FOUR)
    more = {"limits.bonus.max": 400}
    steps: list[Callable[[], object]] = [
        table.tick,
        lambda: table.do("AcceptBank", "ann", cents=5000),
        lambda: table.bet("bob", ready=False, ante=500),
        table.tick,
    ]
    phases = []
    for go_on in steps:
        go_on()
        phases.append(table.state.phase)
        sentence = refused(table, "change.round", more)
        assert "wait until the round is over" in sentence
    assert phases == ["offering", "betting", "betting", "deciding"]
    table.tick()
    change(table, more)


def test_nothing_changes_while_a_bet_is_in_prison() -> None:
    table = with_a_bet_in_prison()
    sentence = refused(table, "change.round", {"limits.max": 500})
    assert "wait until a round frees them" in sentence
    while table.state.prison:
        table.tick()
        table.tick()
    change(table, {"limits.max": 500})


@pytest.mark.parametrize(
    ("name", "other", "places"),
    [
        ("california", "house", 11),
        ("california", "house", 7),
        ("house", "california", 7),
        ("house", "roulette", 7),
        ("roulette", "house", 8),
    ],
)
def test_change_cannot_replace_game_or_banking(name: str, other: str, places: int) -> None:
    table = Table(name, {"ann": 1})
    document = dict(qh.load(other).document)
    settings = replace(table.state.settings, places=places)
    refused(table, "change.game", rulebook=document, settings=settings)


def test_change_cannot_alter_the_number_of_places() -> None:
    table = Table(without_notice(), {"ann": 1})
    refused(table, "change.game", {"seats": 9})
    fewer = replace(table.state.settings, places=10)
    refused(table, "change.game", {"seats": 9}, settings=fewer)
    refused(table, "change.game", settings=fewer)
    wheel = Table("roulette", {"ann": 1})
    refused(wheel, "change.game", settings=replace(wheel.state.settings, places=9))


def test_settings_are_checked_as_when_a_table_is_opened() -> None:
    table = Table("house", {"ann": 1})
    refused(table, "settings.range", settings=paced(table, bets=-1))
    refused(table, "settings.range", settings=replace(table.state.settings, least_bank=0))


def test_table_change_needs_floor_reason_and_difference() -> None:
    table = Table("house", {"ann": 1})
    refused(table, "change.nothing")
    turned = dict(reversed(table.state.document.items()))
    refused(table, "change.nothing", rulebook=turned)
    refused(table, "text.length", {"limits.ante.max": 300}, reason="x" * 201)
    refused(table, "text.length", {"limits.ante.max": 300}, reason="two\nlines")
    fields = rules(table, {"limits.ante.max": 300})
    table.refused("sender.wrong", "ChangeTable", "ann", **fields)
    table.refused("sender.wrong", "ChangeTable", "clock", **fields)


def test_closing_table_cannot_be_changed() -> None:
    table = Table(without_notice(), FOUR)
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500)
    table.do("CloseTable", FLOOR, reason="the night is over")
    refused(table, "table.closing", {"limits.bonus.max": 400})
    table.tick()
    table.tick()
    refused(table, "table.closed", {"limits.bonus.max": 400})


def spoil(document: Json, index: int) -> Json:
    """Return a document with something wrong in it."""
    deep: Any = "x"
    for _ in range(5000):
        deep = [deep]
    odd: list[Any] = [deep, "\ud800", 1.5, float("nan"), -1, None, {}, [], 10**30, "x", True]
    keys = [key for key in document if key not in ("clauses", "assumptions", "refused")]
    key = keys[index % len(keys)]
    return {**document, key: odd[index // len(keys) % len(odd)]}


def test_loader_refuses_an_unreadable_rulebook() -> None:
    table = Table(without_notice(), {"ann": 1})
    for document in ({}, {"game": "chess"}, {"game": ["roulette"]}):
        refused(table, "rulebook.invalid", rulebook=document)
    sentence = refused(
        table, "rulebook.invalid", rulebook={**table.state.document, "limits": {"bonus": 5}}
    )
    assert "limits.bonus" in sentence
    document, codes = table.state.document, set()
    for index in range(0, 11 * len(document), sized(5, 1)):
        try:
            table.do("ChangeTable", FLOOR, **{**rules(table), "rulebook": spoil(document, index)})
        except qh.QueenhighError as error:
            codes.add(error.code)
    assert codes <= {"rulebook.invalid", "change.game", "change.nothing"}
    assert table.state.digest == document_digest(table.state.document)


# Read again


def test_change_survives_replay_and_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durable_table, "_BETWEEN_SNAPSHOTS", 1)
    with_snapshots, plain = MemoryStore(), MemoryStore()
    for store in (with_snapshots, plain):
        if store is plain:
            monkeypatch.setattr(durable_table, "_BETWEEN_SNAPSHOTS", 10**6)
        table = Table(without_notice(), FOUR, store=store)
        play(table)
        change(table, {"fees.rates.0.player": 150})
        changed = table.state.book
        again = Table(changed, store=store)
        assert (store.snapshot("table/t") is None) == (store is plain)
        assert replace(again.state, book=changed) == table.state
        again.at = table.at
        again.ids = table.ids
        play(again)
        assert again.state.balances["fees"] == 300 + 150 + 200


def test_the_same_command_changes_a_table_once() -> None:
    table = Table("house", {"ann": 1})
    command = table.command("ChangeTable", FLOOR, **rules(table, {"limits.ante.max": 300}))
    first = table.durable.execute(command)
    change(table, {"limits.ante.max": 400})
    assert table.durable.execute(command) == first
    assert table.state.document["limits"]["ante"]["max"] == 400
