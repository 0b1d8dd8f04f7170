"""An index that catches up with a store, and files that are damaged or of another kind."""

import os
import shutil
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.history.index import ingest, schema
from queenhigh.history.index.report_queries import ReportIndex
from queenhigh.store.sqlite import SqliteStore
from tests.history.stores import STEPS, everything, open_index, play_all, players, ready
from tests.seeds import rng
from tests.sizes import sized
from tests.table.random_play import BOOKS, RandomPlay


@pytest.mark.parametrize("number", range(sized(1, 3, 10)))
def test_index_catches_up_as_the_store_grows(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pieces of any size, closed and opened at any time, as in one piece at the end."""
    monkeypatch.setattr(ingest, "_BETWEEN_SNAPSHOTS", 40)
    monkeypatch.setattr(ingest, "_EVENTS_AT_ONCE", 60)
    draw, file = rng(f"catching up {number}"), tmp_path / "room.db"
    store = SqliteStore(file)
    named = ("california", "house", "en prison")
    tables = [RandomPlay(store, BOOKS[name], draw.getrandbits(32), name) for name in named]
    index, whole = ReportIndex(file, tmp_path / "grown.db"), 0
    for _ in range(STEPS):
        for _ in range(draw.choice((0, 1, 10))):
            draw.choice(tables).step()
        if draw.random() < 0.2:
            whole += index.catch_up(draw.choice((0, 1, 7, 90, 200_000)))
        if draw.random() < 0.02:
            index.close()
            index = ReportIndex(file, tmp_path / "grown.db")
    assert whole
    while not index.catch_up(50):
        pass
    store.close()
    names = players(file)
    assert everything(index, names) == everything(open_index(file, tmp_path), names)
    assert index.catch_up(0)


def test_index_of_a_store_whose_writer_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    script = Path(__file__).parents[1] / "room" / "bots_to_kill.py"
    with subprocess.Popen(
        [sys.executable, str(script), str(file), "california", "roulette-european"],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        for _ in range(60):
            process.stdout.readline()
        index = ReportIndex(file, tmp_path / "books.db")
        for _ in range(12):
            for _ in range(40):
                process.stdout.readline()
            assert index.catch_up()
        process.kill()
    assert index.catch_up()
    again = open_index(file, tmp_path, "again.db")
    names = players(file)
    assert everything(index, names) == everything(again, names)
    assert len(index.history(names[0], limit=1000)) > 5


def test_index_only_reads_the_store(bots: Path, tmp_path: Path) -> None:
    before = bots.read_bytes()
    open_index(bots, tmp_path)
    assert bots.read_bytes() == before


# A file that is not as it should be


def spoil_nothing(file: Path, other: Path) -> None:
    """Leave it as it is."""


def delete(file: Path, other: Path) -> None:
    file.unlink()


def empty(file: Path, other: Path) -> None:
    file.write_bytes(b"")


def garbage(file: Path, other: Path) -> None:
    file.write_bytes(Random(1).randbytes(10_000))


def truncate(file: Path, other: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def scribble(file: Path, other: Path) -> None:
    """Spoil every page but the first."""
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + Random(1).randbytes(len(whole) - 4096))


def of_another_store(file: Path, other: Path) -> None:
    file.unlink()
    shutil.copy(other, file)


SPOILT = (spoil_nothing, delete, empty, garbage, truncate, scribble, of_another_store)


@pytest.fixture(scope="module")
def expected(few: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return everything in the index of a few rounds."""
    index = open_index(few, tmp_path_factory.mktemp("expected"))
    said = everything(index, players(few))
    index.close()
    return said


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_damaged_index_file_is_written_again(
    spoil: Any, few: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    store, file = tmp_path / "room.db", tmp_path / "books.db"
    shutil.copy(few, store)
    shutil.copy(ready(few), file)
    spoil(file, ready(few.with_name("other.db")))
    index = open_index(store, tmp_path)
    assert everything(index, players(few)) == expected
    index.close()


@pytest.mark.parametrize("spoil", [delete, of_another_store], ids=lambda spoil: spoil.__name__)
def test_deleted_index_is_written_again_while_open(
    spoil: Any, few: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    index = open_index(few, tmp_path)
    spoil(tmp_path / "books.db", ready(few.with_name("other.db")))
    assert index.catch_up()
    assert everything(index, players(few)) == expected
    index.close()
    assert (tmp_path / "books.db").stat().st_size > 10_000


def test_query_that_finds_damage_reports_it(few: Path, tmp_path: Path) -> None:
    index = open_index(few, tmp_path)
    expected = index.history("Ben")
    index._file.db.execute("update rounds set record = x'0102'")
    with pytest.raises(QueenhighError, match="try again soon") as raised:
        index.history("Ben")
    assert raised.value.code == "books.damaged"
    assert index.history("Ben") == []
    assert index.catch_up()
    assert index.history("Ben") == expected


def test_restored_store_is_indexed_again(tmp_path: Path) -> None:
    """It goes on from a backup, on other ways, to fewer events and to as many and more."""
    file, backup = tmp_path / "room.db", tmp_path / "backup.db"
    play_all(file, 4)
    shutil.copy(file, backup)
    play_all(file, 9, seed=5)
    index = open_index(file, tmp_path)
    for rounds in (0, 9, 12):
        file.unlink()
        shutil.copy(backup, file)
        if rounds:
            play_all(file, rounds, seed=6 + rounds)
        assert index.catch_up()
        again, names = open_index(file, tmp_path, f"{rounds}.db"), players(file)
        assert everything(index, names) == everything(again, names)


def test_other_database_is_not_deleted(few: Path, tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    shutil.copy(few, store)
    before = store.read_bytes()
    with pytest.raises(QueenhighError, match="choose another file") as raised:
        ReportIndex(store, store)
    assert raised.value.code == "books.other"
    assert store.read_bytes() == before


def test_one_process_has_the_index_open(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "_BUSY_MS", 20)
    index = open_index(few, tmp_path)
    with pytest.raises(QueenhighError, match="free it") as raised:
        ReportIndex(few, tmp_path / "books.db")
    assert raised.value.code == "books.file"
    assert index.history("Ben")
    with pytest.raises(QueenhighError, match="free it or choose another"):
        ReportIndex(few, tmp_path)


def test_unreadable_store_or_index_is_reported(few: Path, tmp_path: Path) -> None:
    index = ReportIndex(tmp_path / "none.db", tmp_path / "books.db")
    with pytest.raises(QueenhighError, match="no such database"):
        index.catch_up()
    index.close()
    broken = tmp_path / "broken.db"
    shutil.copy(few, broken)
    connection = apsw.Connection(str(broken))
    connection.execute("drop table event")
    connection.close()
    index = ReportIndex(broken, tmp_path / "books.db")
    with pytest.raises(QueenhighError, match="cannot be read as a Queenhigh database"):
        index.catch_up()
    assert index.history("Ben") == []


def test_damaged_table_is_indexed_up_to_the_damage(few: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    shutil.copy(few, broken)
    with closing(apsw.Connection(str(broken))) as store:
        ((id, name),) = store.execute(
            "select event.id, name from event join stream on stream.id = stream"
            " where name like 'table/%' order by event.id desc limit 1 offset 300"
        )
        store.execute("update event set event = ? where id = ?", (b'{"type":"x"}', id))
    good, index = open_index(few, tmp_path, "good.db"), ReportIndex(broken, tmp_path / "books.db")
    for _ in range(2):
        assert index.catch_up()
    whole = {result["table"]: result["rounds"] for result in good.results()}
    rounds = {result["table"]: result["rounds"] for result in index.results()}
    assert {table for table in whole if whole[table] != rounds.get(table)} == {name[6:]}
    assert 0 < rounds[name[6:]] < whole[name[6:]]
    good.close()
    index.close()
