"""Rooms that older versions of the program wrote: each opens, and nothing in it has changed."""

import asyncio
import json
import sqlite3
import time
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest
from websockets.asyncio.client import connect

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.room.room import Room
from queenhigh.server import admin_rows
from queenhigh.server.accounts import Accounts, Player
from queenhigh.server.admin_store import AdminStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import TableChanged, decode
from tests.server.old_stores.make import PASSWORD
from tests.server.running_server import RunningServer
from tests.sizes import sized
from tests.verify.verifiers import prove

STORES = Path(__file__).parent / "old_stores"
COMMITS = ("2b2a24b", "e281e5c", "f802ada", "bb092eb", "0c93a96")


def unpack(commit: str, folder: Path) -> tuple[Path, dict[str, Any]]:
    """Return an old store, and what its own program read in it."""
    with zipfile.ZipFile(STORES / f"{commit}.zip") as packed:
        packed.extractall(folder)
    facts: dict[str, Any] = json.loads((folder / "facts.json").read_text())
    return folder / "room.db", facts


def tables_of(room: Room) -> dict[str, Any]:
    tables = {}
    for name in room.tables():
        state = room.table(name).committed
        places = {
            str(place): [seat.player, state.stack(place)] for place, seat in state.places.items()
        }
        tables[name] = {"version": state.version, "phase": state.phase, "places": places}
    return tables


@pytest.mark.parametrize("commit", COMMITS)
def test_old_store_keeps_its_data(commit: str, tmp_path: Path) -> None:
    file, facts = unpack(commit, tmp_path)
    prove(file)
    store, admin = SqliteStore(file), AdminStore(file)
    room, accounts = Room(store), Accounts(admin.db)
    assert tables_of(room) == facts["tables"]
    assert {name: room.wallets.of(name).cents for name in facts["wallets"]} == facts["wallets"]
    ann, token = asyncio.run(accounts.log_in("Ann", PASSWORD, 0))
    assert accounts.player(token, 1) == ann == Player("Ann", guest=False)
    assert accounts.named("Fay") == Player("Fay", guest=False, frozen=True)
    assert accounts.named("Gus") == Player("Gus", guest=True)
    assert admin.is_floor(facts["floor_token"])
    assert [notice.text for notice in admin.notices()] == ["Welcome"]
    assert admin.opened("annas")._asdict() == {
        "owner": "Ann", "disabled": True, "bots": 0, "bots_bank": True, "change": None,
        "closing": False,
        "practice": False,
    }  # fmt: skip
    done = [entry.action for entry in admin.log_entries(None, 10)]
    assert done == ["post notice", "freeze", "change rules", "disable table", "close table",
                    "open table"]  # fmt: skip
    admin.close()
    store.close()
    prove(file)


@pytest.mark.parametrize("commit", sized(COMMITS[:1], COMMITS))
def test_an_old_store_is_served(commit: str, tmp_path: Path) -> None:
    file, facts = unpack(commit, tmp_path)
    with RunningServer(file) as served, served.http() as client:
        login = {"name": "Ann", "password": PASSWORD}
        me = client.post("/api/sessions", json=login).json()
        assert (me["player"], me["wallet"]) == ("Ann", facts["wallets"]["Ann"])
        assert [seat["table"] for seat in me["seats"]] == ["roulette"]
        tables = {line["table"] for line in client.get("/api/room").json()["tables"]}
        assert tables == facts["tables"].keys() - {"gone"}
        served.floor_token = facts["floor_token"]
        with served.floor() as floor:
            answer = floor.post("/api/floor/tables/annas/enable", json={"reason": "clean"})
            assert answer.json() == {"disabled": False}
            entries = floor.get("/api/floor/log").json()
            assert [entry["n"] for entry in entries] == [7, 6, 5, 4, 3, 2, 1]
            assert [entry["action"] for entry in entries[:2]] == ["enable table", "post notice"]
            assert floor.get("/api/floor/log?before=7&limit=1").json() == entries[1:2]
    prove(file)


async def _rounds_of(served: RunningServer, table: str, more: int) -> int:
    """Look on until so many more rounds are over; return the number of the last."""
    wire = f"{served.sockets}/api/tables/{table}/socket"
    async with connect(wire) as socket, asyncio.timeout(60):
        first = None
        while True:
            view = json.loads(await socket.recv()).get("view")
            if view and view["last"]:
                number: int = view["last"]["round"]["round"]
                first = number if first is None else first
                if number >= first + more:
                    return number


def test_tables_beyond_the_law_play_on_unchanged(tmp_path: Path) -> None:
    """Law holds for what is chosen, not for what was stored."""
    file, facts = unpack("254aaf7-wide", tmp_path)
    prove(file)
    with RunningServer(file) as served:
        served.floor_token = facts["floor_token"]
        with served.floor() as floor:
            for table, clause, legal in (
                ("wide", "CA-2", {"pace": "slow"}),
                ("dear", "HO-1", {"set": {"limits.ante.max": 400, "limits.pair_plus.max": 400}}),
            ):
                before = floor.get(f"/api/floor/tables/{table}").json()["digest"]
                asyncio.run(_rounds_of(served, table, 2))
                path = f"/api/floor/tables/{table}/rules"
                refused = floor.post(path, json={"reason": "more", "set": {"ace_low": False}})
                assert refused.status_code == 400
                assert clause in refused.text
                assert "--copy" in refused.text
                assert floor.get(f"/api/floor/tables/{table}").json()["digest"] == before
                allowed = floor.post(path, json={"reason": "less", **legal})
                assert allowed.status_code == 202, allowed.text
    prove(file)


def test_words_that_were_set_are_not_said_any_more(tmp_path: Path) -> None:
    """Tables that carry them open, play and verify; they are marked, and show shipped words."""
    file, _ = unpack("6fed5b5-trust", tmp_path)
    prove(file)
    with RunningServer(file) as served, served.http() as client:
        marked = {
            line["table"]: line["differences"]
            for line in client.get("/api/room").json()["tables"]
            if line["is_custom"] or line["differences"]
        }
        assert marked == {"worded": 3, "cited": 2}
        worded, cited = (
            client.get(f"/api/tables/{name}/rules").json() for name in ("worded", "cited")
        )
        assert "whatever the player holds" not in json.dumps(worded["clauses"])
        assert "Bureau" not in json.dumps(
            client.get("/api/tables/worded/sheets/rule-card.json").json()
        )
        after = {line["what"]: line["after"] for line in worded["differences"]}
        assert after["source"] == "Approved by the Bureau of Gambling Control"
        assert "2 to 1" in after["clauses.CA-15"]
        differing = {line["what"]: (line["before"], line["after"]) for line in cited["differences"]}
        assert differing == {
            "fees.rates.0.clause": ("CA-7", "CA-4"), "bonus.clause": ("CA-19", "CA-10"),
        }  # fmt: skip
        for name in marked:
            asyncio.run(_rounds_of(served, name, 2))
    prove(file)


def test_player_frozen_in_a_hand_finishes_it(tmp_path: Path) -> None:
    """The older program refused Play, and its clock would have folded the hand."""
    file, _ = unpack("6fed5b5-trust", tmp_path)

    async def play(served: RunningServer, cookie: str) -> dict[str, Any]:
        wire = f"{served.sockets}/api/tables/slow/socket"
        async with connect(wire, additional_headers={"Cookie": cookie}) as socket:
            choice = {"type": "choose", "id": "play", "round": 1, "move": "play"}
            await socket.send(json.dumps(choice))
            async with asyncio.timeout(60):
                while True:
                    said = json.loads(await socket.recv())
                    if said["type"] == "view" and said["view"].get("last"):
                        last: dict[str, Any] = said["view"]["last"]
                        return last

    with RunningServer(file) as served, served.http() as client:
        login = {"name": "Fay", "password": PASSWORD}
        answer = client.post("/api/sessions", json=login)
        cookie = answer.headers["set-cookie"].split(";")[0]
        asyncio.run(play(served, cookie))
        me = client.get("/api/me", headers={"Cookie": cookie}).json()
        assert (me["frozen"], me["seats"]) == (True, [])
        assert me["wallet"] in (500_000 - 800, 500_000, 500_000 + 400, 500_000 + 800)
    prove(file)
    with closing(SqliteStore(file)) as store:
        events = [decode(row.event) for row in store.read("table/slow")]
    made = [event for event in events if type(event).__name__ == "MoveMade"]
    assert [event.move for event in made] == ["play"]  # type: ignore[union-attr]


def test_standing_tables_move_to_the_newer_edition(tmp_path: Path) -> None:
    """The same rules come in newer words; a table that somebody changed keeps its own."""
    file, facts = unpack("254aaf7-wide", tmp_path)
    with RunningServer(file) as served, served.http() as client:
        served.floor_token = facts["floor_token"]
        wanted = qh.load("house").digest
        before = client.get("/api/tables/dear").json()["digest"]
        deadline = time.monotonic() + 20
        while client.get("/api/tables/house").json()["digest"] != wanted:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        assert client.get("/api/tables/dear").json()["digest"] == before
    with closing(SqliteStore(file)) as store:
        changed = [decode(row.event) for row in store.read("table/house")]
    (event,) = [event for event in changed if isinstance(event, TableChanged)]
    version = qh.load("house").version
    assert event.reason == f"house, version {version}: the same rules in newer words"
    prove(file)


def columns_of(file: Path) -> dict[str, set[str]]:
    with closing(sqlite3.connect(file)) as db:
        tables = ("floor", "floor_log", "notice", "opened", "account", "session", "session_time",
                  "papers")  # fmt: skip
        return {
            table: {row[1] for row in db.execute(f"pragma table_info({table})")} for table in tables
        }


@pytest.mark.parametrize("commit", COMMITS)
def test_old_rows_migrate_to_the_newest_schema(commit: str, tmp_path: Path) -> None:
    file, _ = unpack(commit, tmp_path)
    AdminStore(file).close()
    AdminStore(tmp_path / "new.db").close()
    assert columns_of(file) == columns_of(tmp_path / "new.db")


@pytest.mark.parametrize("made", [0, 1, 3])
def test_interrupted_first_start_is_completed(made: int, tmp_path: Path) -> None:
    """The first versions made their tables one by one."""
    file, new = tmp_path / "room.db", tmp_path / "new.db"
    AdminStore(new).close()
    first = vars(admin_rows)["_MIGRATIONS"][0].split(";")
    with closing(sqlite3.connect(file)) as db:
        for statement in first[:made]:
            db.execute(statement)
    AdminStore(file).close()
    assert columns_of(file) == columns_of(new)


def test_a_migration_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, _ = unpack(COMMITS[0], tmp_path)
    before = columns_of(file)
    steps = vars(admin_rows)["_MIGRATIONS"]
    with monkeypatch.context() as patched:
        patched.setattr(admin_rows, "_MIGRATIONS", (*steps, "alter table nobody add column x"))
        with pytest.raises(apsw.SQLError):
            AdminStore(file)
    assert columns_of(file) == before
    AdminStore(file).close()


def test_rows_of_a_newer_program_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    admin = AdminStore(file)
    admin.db.execute("update papers set version = 99")
    admin.close()
    with pytest.raises(QueenhighError) as refused:
        AdminStore(file)
    assert refused.value.code == "store.newer"
