"""Books that catch up with a store, and files that are not as they should be."""

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
from queenhigh.room import bookkeeping
from queenhigh.room import books as books_module
from queenhigh.room.books import Books
from queenhigh.store.sqlite import SqliteStore
from tests.seeds import rng
from tests.sizes import sized
from tests.table.chaos import BOOKS, Chaos
from tests.table.stores import STEPS, everything, kept, play_all, players, ready


@pytest.mark.parametrize("number", range(sized(1, 3, 10)))
def test_catching_up_as_the_store_grows(
    number: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pieces of any size, closed and opened at any time, as in one piece at the end."""
    monkeypatch.setattr(books_module, "_BETWEEN", 40)
    monkeypatch.setattr(books_module, "_BATCH", 60)
    draw, file = rng(f"catching up {number}"), tmp_path / "room.db"
    store = SqliteStore(file)
    named = ("california", "house", "en prison")
    tables = [Chaos(store, BOOKS[name], draw.getrandbits(32), name) for name in named]
    books, whole = Books(file, tmp_path / "grown.db"), 0
    for _ in range(STEPS):
        for _ in range(draw.choice((0, 1, 10))):
            draw.choice(tables).step()
        if draw.random() < 0.2:
            whole += books.catch_up(draw.choice((0, 1, 7, 90, 200_000)))
        if draw.random() < 0.02:
            books.close()
            books = Books(file, tmp_path / "grown.db")
    assert whole
    while not books.catch_up(50):
        pass
    store.close()
    names = players(file)
    assert everything(books, names) == everything(kept(file, tmp_path), names)
    assert books.catch_up(0)


def test_a_store_that_is_written_to_by_another_and_killed(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    script = Path(__file__).parent / "bots_to_kill.py"
    with subprocess.Popen(
        [sys.executable, str(script), str(file), "california", "roulette-european"],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        for _ in range(60):
            process.stdout.readline()
        books = Books(file, tmp_path / "books.db")
        for _ in range(12):
            for _ in range(40):
                process.stdout.readline()
            assert books.catch_up()
        process.kill()
    assert books.catch_up()
    again = kept(file, tmp_path, "again.db")
    names = players(file)
    assert everything(books, names) == everything(again, names)
    assert len(books.history(names[0], limit=1000)) > 5


def test_the_store_is_only_read(bots: Path, tmp_path: Path) -> None:
    before = bots.read_bytes()
    kept(bots, tmp_path)
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


def of_another_program(file: Path, other: Path) -> None:
    connection = apsw.Connection(str(file))
    connection.execute("update book set program = '0.0.1/1'")
    connection.close()


SPOILT = (
    spoil_nothing, delete, empty, garbage, truncate, scribble, of_another_store, of_another_program
)  # fmt: skip


@pytest.fixture(scope="module")
def expected(few: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return all that the books of a few rounds say."""
    books = kept(few, tmp_path_factory.mktemp("expected"))
    said = everything(books, players(few))
    books.close()
    return said


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_a_spoilt_file_is_written_again(
    spoil: Any, few: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    store, file = tmp_path / "room.db", tmp_path / "books.db"
    shutil.copy(few, store)
    shutil.copy(ready(few), file)
    spoil(file, ready(few.with_name("other.db")))
    books = kept(store, tmp_path)
    assert everything(books, players(few)) == expected
    books.close()


@pytest.mark.parametrize("spoil", [delete, of_another_store], ids=lambda spoil: spoil.__name__)
def test_a_file_may_go_while_it_is_open(
    spoil: Any, few: Path, expected: dict[str, Any], tmp_path: Path
) -> None:
    books = kept(few, tmp_path)
    spoil(tmp_path / "books.db", ready(few.with_name("other.db")))
    assert books.catch_up()
    assert everything(books, players(few)) == expected
    books.close()
    assert (tmp_path / "books.db").stat().st_size > 10_000


def test_a_question_that_finds_damage_says_so(few: Path, tmp_path: Path) -> None:
    books = kept(few, tmp_path)
    expected = books.history("Ben")
    books._file.books.execute("update rounds set record = x'0102'")
    with pytest.raises(QueenhighError, match="ask once they are up to date") as raised:
        books.history("Ben")
    assert raised.value.code == "books.damaged"
    assert books.history("Ben") == []
    assert books.catch_up()
    assert books.history("Ben") == expected


def test_a_store_that_was_restored_is_read_again(tmp_path: Path) -> None:
    """It goes on from a backup, on other ways, to fewer events and to as many and more."""
    file, backup = tmp_path / "room.db", tmp_path / "backup.db"
    play_all(file, 4)
    shutil.copy(file, backup)
    play_all(file, 9, seed=5)
    books = kept(file, tmp_path)
    for rounds in (0, 9, 12):
        file.unlink()
        shutil.copy(backup, file)
        if rounds:
            play_all(file, rounds, seed=6 + rounds)
        assert books.catch_up()
        again, names = kept(file, tmp_path, f"{rounds}.db"), players(file)
        assert everything(books, names) == everything(again, names)


def test_another_database_is_not_thrown_away(few: Path, tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    shutil.copy(few, store)
    before = store.read_bytes()
    with pytest.raises(QueenhighError, match="name another file") as raised:
        Books(store, store)
    assert raised.value.code == "books.other"
    assert store.read_bytes() == before


def test_one_process_keeps_the_books(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bookkeeping, "_PATIENCE", 20)
    books = kept(few, tmp_path)
    with pytest.raises(QueenhighError, match="free it") as raised:
        Books(few, tmp_path / "books.db")
    assert raised.value.code == "books.file"
    assert books.history("Ben")
    with pytest.raises(QueenhighError, match="free it, or name another"):
        Books(few, tmp_path)


def test_what_cannot_be_read_is_told(few: Path, tmp_path: Path) -> None:
    books = Books(tmp_path / "none.db", tmp_path / "books.db")
    with pytest.raises(QueenhighError, match="there is no such store"):
        books.catch_up()
    books.close()
    broken = tmp_path / "broken.db"
    shutil.copy(few, broken)
    connection = apsw.Connection(str(broken))
    connection.execute("drop table event")
    connection.close()
    books = Books(broken, tmp_path / "books.db")
    with pytest.raises(QueenhighError, match="cannot be read as a store"):
        books.catch_up()
    assert books.history("Ben") == []


def test_a_damaged_table_is_entered_as_far_as_it_is_good(few: Path, tmp_path: Path) -> None:
    broken = tmp_path / "broken.db"
    shutil.copy(few, broken)
    with closing(apsw.Connection(str(broken))) as store:
        ((id, name),) = store.execute(
            "select event.id, name from event join stream on stream.id = stream"
            " where name like 'table/%' order by event.id desc limit 1 offset 300"
        )
        store.execute("update event set event = ? where id = ?", (b'{"type":"x"}', id))
    good, books = kept(few, tmp_path, "good.db"), Books(broken, tmp_path / "books.db")
    for _ in range(2):
        assert books.catch_up()
    whole = {one["table"]: one["rounds"] for one in good.results()}
    found = {one["table"]: one["rounds"] for one in books.results()}
    assert {table for table in whole if whole[table] != found.get(table)} == {name[6:]}
    assert 0 < found[name[6:]] < whole[name[6:]]
    good.close()
    books.close()
