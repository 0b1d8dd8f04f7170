"""Announced fees and limits at live tables: they come in time, and after a restart too (CA-6)."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any

import queenhigh as qh
from queenhigh.room.room import now, settings_for
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import vary
from queenhigh.server.admin_store import Opening
from queenhigh.server.host import Host
from queenhigh.server.live_table import LiveTable
from queenhigh.server.lobby import Lobby
from queenhigh.table.commands import (
    FLOOR,
    AcceptBank,
    AnnounceChange,
    Bet,
    ChangeTable,
    Command,
    PlaceWagers,
    WithdrawChange,
)
from tests.server.test_clock import Machine, sit
from tests.table.table_changes import without_notice
from tests.verify.verifiers import prove

DEARER = {"fees.rates.0.player": 150}


def change_of(table: LiveTable, kind: type[Command], changes: dict[str, object]) -> Command:
    state = table.durable.committed
    rules: Any = {"rulebook": dict(vary(state.book, changes).document), "settings": state.settings}
    rules["reason"] = "a slow night"
    return kind(id="change", by=FLOOR, at=now(), **rules)


def open_empty(host: Host, book: Rulebook | None = None) -> LiveTable:
    """Open a table at which nobody sits."""
    book = book or qh.load("california")
    host.open("ca", book, settings_for(book), Opening())
    return host.tables["ca"]


async def open_table(host: Host, book: Rulebook | None = None) -> LiveTable:
    """Open a table at which ann banks and bets are open."""
    table = open_empty(host, book)
    await sit(host, table, "ann", 1)
    await sit(host, table, "bob", 2)
    await asyncio.sleep(1)
    bank = AcceptBank(id="bank", by="ann", at=now(), round=1, cents=10_000)
    await table.submit_and_wait(bank)
    assert table.durable.committed.phase == "betting"
    return table


def player_fee(table: LiveTable) -> object:
    return table.durable.committed.document["fees"]["rates"][0]["player"]


def test_change_comes_with_the_first_round_after_notice(tmp_path: Path) -> None:
    async def announce(host: Host) -> None:
        table = await open_table(host)
        await table.submit_and_wait(change_of(table, AnnounceChange, {**DEARER}))
        await asyncio.sleep(100)
        assert table.durable.committed.number == 1, "nobody bets, and no change voids the round"
        assert player_fee(table) == 100

    async def play_on(host: Host) -> None:
        table = host.tables["ca"]
        announced = table.durable.committed.announced
        assert announced is not None, "it is an event, and survives a restart"
        assert b'"pending":{"from":' in Lobby(host, host.store).seen_by(None)
        assert announced.starts < now()
        wagers = (Bet("ante", 500),)
        placed = PlaceWagers(id="bet", by="bob", at=now(), round=1, wagers=wagers, ready=True)
        await table.submit_and_wait(placed)
        await asyncio.sleep(25)
        state = table.durable.committed
        assert (state.balances["fees"], player_fee(table)) == (100 + 200, 150)
        assert (state.number, state.announced) == (1, None)
        assert b'"pending":null' in Lobby(host, host.store).seen_by(None)

    machine = Machine(tmp_path / "room.db")
    machine.live(announce)
    machine.live(play_on)
    prove(machine.file)


def test_empty_table_changes_when_the_notice_is_over(tmp_path: Path) -> None:
    async def main(host: Host) -> None:
        table = open_empty(host)
        await table.submit_and_wait(change_of(table, AnnounceChange, {**DEARER}))
        await asyncio.sleep(59.5)
        assert player_fee(table) == 100
        await asyncio.sleep(1)
        assert player_fee(table) == 150

    machine = Machine(tmp_path / "room.db")
    machine.live(main)
    prove(machine.file)


def test_withdrawn_change_does_not_come(tmp_path: Path) -> None:
    async def main(host: Host) -> None:
        table = open_empty(host)
        await table.submit_and_wait(change_of(table, AnnounceChange, {**DEARER}))
        await table.submit_and_wait(
            WithdrawChange(id="withdraw", by=FLOOR, at=now(), reason="a mistake")
        )
        await asyncio.sleep(120)
        assert player_fee(table) == 100

    Machine(tmp_path / "room.db").live(main)


def test_change_without_notice_voids_only_at_older_tables(tmp_path: Path) -> None:
    ended: list[bool] = []

    async def play(book: Rulebook, host: Host) -> None:
        table = await open_table(host, book)
        command = change_of(table, ChangeTable, {"up": 2})
        assert isinstance(command, ChangeTable)
        table.change_soon(command)
        await asyncio.sleep(10)
        ended.append(table.durable.committed.last is not None)

    for name, book in (("new", qh.load("california")), ("old", without_notice())):
        Machine(tmp_path / f"{name}.db").live(partial(play, book))
    assert ended == [False, True]
