"""Rooms that older versions of the program wrote: each opens, and nothing in it has changed."""

import asyncio
import json
import sqlite3
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.room.room import Room
from queenhigh.server import papers
from queenhigh.server.accounts import Accounts, Player
from queenhigh.server.office import Office
from queenhigh.store.sqlite import SqliteStore
from tests.server.old_stores.make import PASSWORD
from tests.server.served import Served
from tests.sizes import sized
from tests.table.verifiers import prove

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
        state = room.table(name).state
        places = {
            str(place): [one.player, state.stack(place)] for place, one in state.places.items()
        }
        tables[name] = {"version": state.version, "phase": state.phase, "places": places}
    return tables


@pytest.mark.parametrize("commit", COMMITS)
def test_an_old_store_has_what_it_had(commit: str, tmp_path: Path) -> None:
    file, facts = unpack(commit, tmp_path)
    prove(file)
    store, office = SqliteStore(file), Office(file)
    room, accounts = Room(store), Accounts(office.db)
    assert tables_of(room) == facts["tables"]
    assert {name: room.wallets.of(name).cents for name in facts["wallets"]} == facts["wallets"]
    ann, token = asyncio.run(accounts.log_in("Ann", PASSWORD, 0))
    assert accounts.player(token, 1) == ann == Player("Ann", guest=False)
    assert accounts.named("Fay") == Player("Fay", guest=False, frozen=True)
    assert accounts.named("Gus") == Player("Gus", guest=True)
    assert office.is_floor(facts["floor_token"])
    assert [notice["text"] for notice in office.notices()] == ["Welcome"]
    assert office.opened("annas") == {
        "owner": "Ann", "disabled": True, "bots": 0, "bots_bank": True, "change": None,
        "closing": False,
    }  # fmt: skip
    done = [entry["action"] for entry in office.log_entries(None, 10)]
    assert done == ["post notice", "freeze", "change rules", "disable table", "close table",
                    "open table"]  # fmt: skip
    office.close()
    store.close()
    prove(file)


@pytest.mark.parametrize("commit", sized(COMMITS[:1], COMMITS))
def test_an_old_store_is_served(commit: str, tmp_path: Path) -> None:
    file, facts = unpack(commit, tmp_path)
    with Served(file) as served, served.http() as client:
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


def columns_of(file: Path) -> dict[str, set[str]]:
    with closing(sqlite3.connect(file)) as db:
        tables = ("floor", "floor_log", "notice", "opened", "account", "session", "session_time",
                  "papers")  # fmt: skip
        return {
            table: {row[1] for row in db.execute(f"pragma table_info({table})")} for table in tables
        }


@pytest.mark.parametrize("commit", COMMITS)
def test_old_papers_become_as_new_ones_are(commit: str, tmp_path: Path) -> None:
    file, _ = unpack(commit, tmp_path)
    Office(file).close()
    Office(tmp_path / "new.db").close()
    assert columns_of(file) == columns_of(tmp_path / "new.db")


@pytest.mark.parametrize("made", [0, 1, 3])
def test_a_first_start_that_was_ended_is_completed(made: int, tmp_path: Path) -> None:
    """The first versions made their tables one by one."""
    file, new = tmp_path / "room.db", tmp_path / "new.db"
    Office(new).close()
    first = vars(papers)["_MIGRATIONS"][0].split(";")
    with closing(sqlite3.connect(file)) as db:
        for statement in first[:made]:
            db.execute(statement)
    Office(file).close()
    assert columns_of(file) == columns_of(new)


def test_a_migration_that_fails_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, _ = unpack(COMMITS[0], tmp_path)
    before = columns_of(file)
    steps = vars(papers)["_MIGRATIONS"]
    with monkeypatch.context() as patched:
        patched.setattr(papers, "_MIGRATIONS", (*steps, "alter table nobody add column x"))
        with pytest.raises(apsw.SQLError):
            Office(file)
    assert columns_of(file) == before
    Office(file).close()


def test_papers_of_a_newer_program_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    office = Office(file)
    office.db.execute("update papers set version = 99")
    office.close()
    with pytest.raises(QueenhighError) as refused:
        Office(file)
    assert refused.value.code == "store.newer"
