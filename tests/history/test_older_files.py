"""Snapshots and an index that an older program wrote: they are read, and lose nothing."""

import json
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest

from queenhigh.history.index import report_rows
from queenhigh.history.index.queries import HistoryIndex
from queenhigh.history.index.report_queries import ReportIndex
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import decode
from queenhigh.table.evolve import evolve
from queenhigh.table.snapshot import restore, snapshot
from queenhigh.table.state import State
from tests.history.older_index.make import PLAYER

FILES = Path(__file__).parent / "older_index"
#: The form of the index that each of these programs wrote. No commit wrote the third.
FORMS = {"5035e2e": "0.1.0/1", "a902976": "0.1.0/2", "6fed5b5": "0.1.0/4"}


@pytest.fixture(params=FORMS)
def older(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """A folder with the files of an older program."""
    with zipfile.ZipFile(FILES / f"{request.param}.zip") as packed:
        packed.extractall(tmp_path)
    return tmp_path


def states(store: SqliteStore, table: str) -> list[State]:
    state, all_states = None, []
    for row in store.read(f"table/{table}"):
        state = evolve(state, decode(row.event))
        all_states.append(state)
    return all_states


def test_older_snapshots_are_restored(older: Path) -> None:
    saved = json.loads((older / "snapshots.json").read_text())
    phases = set()
    with closing(SqliteStore(older / "room.db")) as store:
        for table in ("california", "roulette-european"):
            folded = states(store, table)
            for row in saved:
                if row["table"] == table:
                    state = restore(row["state"].encode())
                    assert state is not None
                    as_folded = snapshot(folded[row["version"] - 1])
                    assert json.loads(snapshot(state)) == json.loads(as_folded)
                    phases.add((table, state.phase))
    assert {("california", "deciding"), ("roulette-european", "betting")} <= phases
    assert all(restore(row["state"].encode()) is not None for row in saved)


def _numbered(history: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return rounds with the number of their steps: the words of a step are today's."""
    return [{**line, "steps": len(line["steps"])} for line in history]


def _mark(file: Path) -> object:
    with closing(apsw.Connection(str(file))) as db:
        return db.execute("select program from book").get


def test_older_index_keeps_rounds_of_archived_tables(
    older: Path, request: pytest.FixtureRequest
) -> None:
    facts: dict[str, Any] = json.loads((older / "facts.json").read_text())
    assert _mark(older / "room.db.books") == FORMS[request.node.callspec.params["older"]]
    for _ in range(2):  # the second time it has the form of today
        with closing(HistoryIndex(older / "room.db", older / "room.db.books")) as index:
            while not index.catch_up():
                pass
            history = msgspec.to_builtins(index.history(PLAYER, limit=100))
            assert _numbered(json.loads(json.dumps(history))) == _numbered(facts["history"])
            for name, expected in facts["proofs"].items():
                table, number = name.split("/")
                proof = index.proof(table, int(number))
                assert json.loads(json.dumps(proof)) == expected
    assert {line["table"] for line in facts["history"]} >= {"california", "house"}
    assert _mark(older / "room.db.books") == "0.1.0/4"


@pytest.mark.parametrize("older", ["5035e2e", "a902976"], indirect=True)
def test_reports_have_the_rounds_of_an_older_index(
    older: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They are filled in a part at a time, from what the file has; archived tables too."""
    monkeypatch.setattr(report_rows, "_ROUNDS_AT_ONCE", 7)
    with closing(ReportIndex(older / "room.db", older / "room.db.books")) as index:
        turns = 1
        while not index.catch_up(1):
            turns += 1
        assert turns > 1
        collected: dict[str, int] = {}
        for row in index.collection():
            collected[row["table"]] = collected.get(row["table"], 0) + row["cents"]
        report = index.report("collection", by="table")
        fees = {row[0]: row[-1] for row in report.rows}
        assert fees == {table: cents for table, cents in collected.items() if cents} != {}
        rounds = {row["table"]: (row["rounds"], row["net"]) for row in index.results()}
        results = index.report("results")
        assert {row[0]: (row[4], row[6]) for row in results.rows} == rounds
        assert len(index.report("voids").rows) == len(index.voids(limit=10**6))


@pytest.mark.parametrize("saved", [b"", b"[]", b'{"document":"ab"}', b'{"document":[1]}', b"{}"])
def test_unreadable_snapshot_is_ignored(saved: bytes) -> None:
    assert restore(saved) is None
