"""The lobby is encoded once for all requests, and shows every change."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from queenhigh.server import lobby as lobby_module
from queenhigh.server.host import Host
from queenhigh.server.lobby import Lobby
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import Sit
from tests.server.test_host import ENDLESS, Spectator, hosting, open_table


class Counted:
    """Counts the lines that are made."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lines = 0
        make = vars(lobby_module)["_line"]

        def line(table: Any) -> Any:
            self.lines += 1
            return make(table)

        monkeypatch.setattr(lobby_module, "_line", line)


def store_of(host: Host) -> SqliteStore:
    store = host.room.store
    assert isinstance(store, SqliteStore)
    return store


def tables(lobby: Lobby, player: str | None = None) -> dict[str, Any]:
    seen = json.loads(lobby.seen_by(player))
    assert seen["player"] == player
    assert seen["now"] > 0
    return {line["table"]: line for line in seen["tables"]}


def test_lobby_line_is_made_once_per_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            one = open_table(host, "one", "house", pace=ENDLESS)
            open_table(host, "two", "california", pace=ENDLESS)
            lobby = Lobby(host, store_of(host))
            for player in ("Ann", None, "Bob") * 50:
                assert [*tables(lobby, player)] == ["one", "two"]
            assert counted.lines == 2
            host.room.wallets.issue("Ann", 1000, id="chips", at=0, reason="to begin with")
            await one.submit_and_wait(Sit(id="1", by="Ann", at=1, place=1, cents=1000))
            assert tables(lobby)["one"]["players"] == 1
            one.enable(enabled=False)
            assert tables(lobby)["one"]["disabled"]
            one.arrive(Spectator())
            assert tables(lobby)["one"]["watching"] == 1
            assert counted.lines == 5
            host.admin.post_notice(1, "", "Welcome")
            host.notices.reload()
            assert json.loads(lobby.seen_by(None))["notices"][0]["text"] == "Welcome"
            host.forget("two")
            assert [*tables(lobby)] == ["one"]

    asyncio.run(go())


def test_lobby_list_is_made_a_few_times_a_second_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = Counted(monkeypatch)
    time = 0.0
    monkeypatch.setattr(lobby_module, "monotonic", lambda: time)

    async def go() -> None:
        nonlocal time
        async with hosting(tmp_path / "room.db") as host:
            one = open_table(host, "one", "house", pace=ENDLESS)
            lobby = Lobby(host, store_of(host))
            for _ in range(200):
                one.arrive(Spectator())
                lobby.seen_by(None)
                time += 0.001
            assert counted.lines <= 1 + 5 + 4
            time += 0.05
            assert tables(lobby)["one"]["watching"] == 200
            open_table(host, "two", "house", pace=ENDLESS)
            assert [*tables(lobby)] == ["one", "two"], "a new table is there at once"

    asyncio.run(go())
