"""Wallets that change while a correction is decided, and rounds dealt again after a restart."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.room.room import Room
from queenhigh.room.wallets import Wallets
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR, ApproveCorrection, Sit
from queenhigh.table.correction_events import Facts
from queenhigh.table.state import PastRound
from tests.table.staff_log import hire
from tests.table.table_driver import FOUR, Table, kinds
from tests.verify.verifiers import prove


def dealt(table: Table) -> Table:
    table.banked_by("ann")
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500, bonus=100)
    return table


def asked(table: Table) -> PastRound:
    """Ask to void a settled round whose players have left; bob's wallet is empty."""
    dealt(table)
    for player in ("bob", "cyd", "dan"):
        table.do("Choose", player, move="fold")
    past = table.state.last
    assert past is not None
    for player in ("ann", "bob"):
        table.do("Leave", player, when="now")
    other = table.room.open_table("other", table.book, table.state.settings)
    other.execute(Sit(id="sit", by="ann", at=table.at, place=3, cents=table.wallet("ann")))
    facts: dict[str, Any] = {"facts": Facts(void=True), "staff": "Maria", "past": past}
    table.do("AskCorrection", FLOOR, round=1, reason="a dispute", **facts)
    return past


def after_looking(monkeypatch: pytest.MonkeyPatch, happens: Callable[[Wallets], None]) -> None:
    """Do something once, after a correction has looked into the wallets."""
    look, pending = Wallets.with_chips, [happens]

    def with_chips(wallets: Wallets, command: ApproveCorrection) -> ApproveCorrection:
        command = look(wallets, command)
        if pending:
            pending.pop()(wallets)
        return command

    monkeypatch.setattr(Wallets, "with_chips", with_chips)


def test_wallet_that_changes_meanwhile_stops_a_correction(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    table = Table("california", FOUR)
    past = asked(table)
    approve: dict[str, Any] = {"correction": 1, "staff": "Noor", "past": past}

    def earn(wallets: Wallets) -> None:
        wallets.issue("ann", 100_000, id="more", at=table.at, reason="a refill")

    after_looking(monkeypatch, earn)
    before = {name: table.room.wallets.of(name).version for name in FOUR}
    table.refused("wallet.changed", "ApproveCorrection", FLOOR, **approve)
    after = {name: table.room.wallets.of(name).version for name in FOUR}
    assert after == before | {"ann": before["ann"] + 1}, "nothing else is queued"
    made, *_ = table.do("ApproveCorrection", FLOOR, **approve)
    assert kinds([made]) == ["CorrectionMade"]
    assert not any(row.owed for row in made.moved), "with the refill it is covered"  # type: ignore[union-attr]


def test_wallets_are_corrected_in_order_of_places(tmp_path: Path) -> None:
    """Places are in the order of names in most tests, and were appended in that of names."""
    file = tmp_path / "room.db"
    store = SqliteStore(file)
    hire(store)
    table = Table("california", {"dan": 1, "cyd": 3, "bob": 4, "ann": 9}, store=store)
    table.banked_by("dan")
    for player in ("cyd", "bob", "ann"):
        table.bet(player, ante=500, bonus=100)
    for player in ("cyd", "bob", "ann"):
        table.do("Choose", player, move="fold")
    past = table.state.last
    for player in FOUR:
        table.do("Leave", player, when="now")
    facts: dict[str, Any] = {"facts": Facts(void=True), "staff": "Maria", "past": past}
    table.do("AskCorrection", FLOOR, round=1, reason="a dispute", **facts)
    (made,) = table.do("ApproveCorrection", FLOOR, correction=1, staff="Noor", past=past)
    assert [row.player for row in made.chips] == ["dan", "cyd", "bob", "ann"]  # type: ignore[union-attr]
    store.close()
    prove(file)


def test_chips_go_to_no_name_that_was_given_up_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At another process a player gets another name right after the correction has asked for it."""
    file = tmp_path / "room.db"
    store = SqliteStore(file)
    hire(store)
    table = dealt(Table("california", FOUR, store=store))
    for player in ("bob", "cyd", "dan"):
        table.do("Choose", player, move="fold")
    past = table.state.last
    table.do("Leave", "bob", when="now")
    facts: dict[str, Any] = {"facts": Facts(void=True), "staff": "Maria", "past": past}
    table.do("AskCorrection", FLOOR, round=1, reason="a dispute", **facts)
    find, pending = Wallets.name_of_today, ["bob"]

    def find_early(wallets: Wallets, player: str) -> str:
        name = find(wallets, player)
        if player in pending:
            pending.remove(player)
            version = wallets.of("bob").version
            handed = wallets.hand_over("bob", "rob", id="name", at=table.at, version=version)
            store.append(*handed)
            wallets.finish(*handed)
        return name

    monkeypatch.setattr(Wallets, "name_of_today", find_early)
    approve: dict[str, Any] = {"correction": 1, "staff": "Noor", "past": past}
    table.refused("wallet.changed", "ApproveCorrection", FLOOR, **approve)
    (made,) = table.do("ApproveCorrection", FLOOR, **approve)
    assert "rob" in [row.player for row in made.chips]  # type: ignore[union-attr]
    store.close()
    prove(file)


def test_wallet_that_has_queued_events_is_not_damaged(tmp_path: Path) -> None:
    """A player leaves and sits down while a correction is approved; one commit writes it all."""
    store = SqliteStore(tmp_path / "room.db")
    table = dealt(Table("california", FOUR, store=store))
    for player in ("bob", "cyd", "dan"):
        table.do("Choose", player, move="fold")
    past = table.state.last
    facts: dict[str, Any] = {"facts": Facts(void=True), "staff": "Maria", "past": past}
    table.do("AskCorrection", FLOOR, round=1, reason="a dispute", **facts)
    outcomes: list[Any] = []
    for command in (
        table.command("Leave", "dan", when="now"),
        table.command("Sit", "dan", place=9, cents=5000),
        table.command("ApproveCorrection", FLOOR, correction=1, staff="Noor", past=past),
    ):
        table.durable.submit(command, outcomes.append)
    store.flush()
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    assert len(outcomes) == 3
    store.close()


@pytest.mark.parametrize("restarts", [False, True])
def test_no_round_is_dealt_again_on_a_chain_of_before(restarts: bool) -> None:
    table = dealt(Table(qh.load("california", {"misdeal": "redeal"}), FOUR))
    if restarts:
        key = table.room.dealing.key
        table.room = Room(table.room.store, Random(9).randbytes, dealing_key=key)
        table.durable = table.room.table("t")
    ruling: dict[str, Any] = {"kind": "misdeal", "staff": "Maria", "reason": "two cards fell"}
    command = table.command("RuleIncident", FLOOR, round=1, **ruling)
    if not restarts:
        assert "RoundOpened2" in kinds(table.give(command))
        return
    with pytest.raises(QueenhighError, match="void the round instead"):
        table.give(command)
    table.do("VoidRound", FLOOR, round=1, reason="two cards fell")
