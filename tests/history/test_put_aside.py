"""Rounds of archived tables are nowhere but in the index, so no index is deleted or overwritten."""

import os
import shutil
import subprocess
import sys
import zipfile
import zlib
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

import queenhigh
from queenhigh.errors import QueenhighError
from queenhigh.history.index import schema
from queenhigh.history.index.floor_queries import FloorIndex
from queenhigh.history.index.queries import HistoryIndex
from tests.history.older_index.make import PLAYER
from tests.history.stores import ready
from tests.history.test_index_file import garbage, scribble, truncate
from tests.history.test_older_files import FILES
from tests.in_process import call

ARCHIVED = "house"
#: The rounds of a player, by table; and those that the log still has.
ROUNDS = {"california": 8, "house": 8, "roulette-european": 8}
LEFT = {"california": 8, "roulette-european": 8}


@pytest.fixture
def room(tmp_path: Path) -> Path:
    """Return a room with an archived table; its index has that table's rounds."""
    with zipfile.ZipFile(FILES / "6fed5b5.zip") as packed:
        for name in ("room.db", "room.db.books"):
            packed.extract(name, tmp_path)
    return tmp_path / "room.db"


def index_of(room: Path, file: Path | None = None) -> HistoryIndex:
    index = HistoryIndex(room, file or Path(f"{room}.books"))
    while not index.catch_up():
        pass
    return index


def rounds(index: HistoryIndex) -> Counter[str]:
    return Counter(line["table"] for line in index.history(PLAYER, limit=100))


def rounds_in(room: Path, file: Path | None = None) -> Counter[str]:
    with closing(index_of(room, file)) as index:
        return rounds(index)


def contents(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every index in a folder, and of what SQLite keeps beside it."""
    files = {file.name: file.read_bytes() for file in folder.glob("*.books*")}
    return {name: content for name, content in files.items() if content}


def copy_as_killed(index: HistoryIndex, to: Path) -> None:
    """Copy an index that is open, with its write-ahead log, as a killed program leaves it."""
    to.parent.mkdir(exist_ok=True)
    for end in ("", "-wal"):
        shutil.copy(f"{index._file.path}{end}", f"{to}{end}")
    assert Path(f"{to}-wal").stat().st_size > 0


def of_another_store(file: Path, other: Path) -> None:
    shutil.copy(other, file)


SPOILT: list[Callable[[Path, Path], None]] = [garbage, truncate, scribble, of_another_store]


def test_index_is_read_whatever_the_version_of_the_package(room: Path) -> None:
    program = (
        "import queenhigh; queenhigh.__version__ = '0.2.0'\n"
        "import sys; from pathlib import Path; from queenhigh.history.index import queries\n"
        "index = queries.HistoryIndex(*map(Path, sys.argv[1:3])); index.catch_up()\n"
        "print(len(index.history(sys.argv[3], table=sys.argv[4])))"
    )
    run = [sys.executable, "-c", program, str(room), f"{room}.books", PLAYER, ARCHIVED]
    done = subprocess.run(run, check=True, capture_output=True, text=True)
    assert done.stdout.strip() == str(ROUNDS[ARCHIVED])
    assert rounds_in(room) == ROUNDS
    assert [*contents(room.parent)] == ["room.db.books"]


def test_version_of_the_package_is_only_shown() -> None:
    source = Path(queenhigh.__file__).parent
    users = [file for file in source.rglob("*.py") if "import __version__" in file.read_text()]
    shown_by = {"cli.py", "server/app.py", "server/lobby.py"}
    assert {str(file.relative_to(source)) for file in users} == shown_by


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_spoilt_index_is_put_aside(spoil: Any, room: Path, few: Path) -> None:
    file = Path(f"{room}.books")
    spoil(file, ready(few))
    before = contents(room.parent)
    with closing(index_of(room)) as index:
        assert rounds(index) == LEFT
        assert index.progress().missing == [ARCHIVED]
    after = contents(room.parent)
    assert after.pop("room.db.books") != before["room.db.books"]
    assert after == {"room.db.books.aside-1": before["room.db.books"]}


def test_exchanged_indexes_can_be_put_back(room: Path, few: Path) -> None:
    file, other = Path(f"{room}.books"), few.with_name("other.db")
    shutil.copy(other, room.with_name("other.db"))
    shutil.copy(ready(other), room.with_name("other.books"))
    other = room.with_name("other.db")
    theirs = room.with_name("other.books")
    for step in ((file, "x"), (theirs, file), ("x", theirs)):
        os.rename(*(room.parent / each for each in step))
    expected = rounds_in(other, ready(few.with_name("other.db")))
    assert rounds_in(room)[ARCHIVED] == 0
    assert rounds_in(other, theirs) == expected
    os.replace(f"{theirs}.aside-1", file)
    assert rounds_in(room) == ROUNDS


@pytest.mark.parametrize(
    ("mark", "was_killed"), [("0.2.0/4", False), ("0.1.0/5", True), ("0.1.0/x", False)]
)
def test_index_of_an_unknown_form_is_left_alone(
    room: Path, mark: str, was_killed: bool, tmp_path: Path
) -> None:
    file = Path(f"{room}.books")
    with closing(index_of(room)) as index:
        index._file.db.execute("update book set program = ?", (mark,))
        copy_as_killed(index, tmp_path / "killed" / file.name)
    if was_killed:
        shutil.copytree(tmp_path / "killed", tmp_path, dirs_exist_ok=True)
    before = contents(tmp_path)
    for _ in range(2):
        with pytest.raises(QueenhighError, match=r"room\.db\.books has a form .*: run") as raised:
            HistoryIndex(room, file)
        assert (raised.value.code, str(raised.value).count("\n")) == ("books.form", 0)
    assert contents(tmp_path) == before


@pytest.mark.parametrize("spoil", [None, truncate, scribble, of_another_store])
def test_log_of_an_index_goes_where_its_index_goes(
    spoil: Any, room: Path, few: Path, tmp_path: Path
) -> None:
    """A killed program leaves changes in it that are nowhere else."""
    file = Path(f"{room}.books")
    file.unlink()
    with closing(index_of(room)) as index:
        index._file.db.execute("update book set read = read + 1000")  # the store is another one
        copy_as_killed(index, tmp_path / "killed" / file.name)
    shutil.copytree(tmp_path / "killed", tmp_path, dirs_exist_ok=True)
    if spoil:
        spoil(file, ready(few))
    before = contents(tmp_path)
    assert rounds_in(room) == LEFT
    after = contents(tmp_path)
    assert {name: after.get(name.replace("books", "books.aside-1")) for name in before} == before


def test_log_without_its_index_is_put_aside(room: Path, tmp_path: Path) -> None:
    with closing(index_of(room)) as index:
        index._file.db.execute("create table more (n)")
        copy_as_killed(index, tmp_path / "killed" / "room.db.books")
    for index_bytes in (None, b""):
        shutil.rmtree(tmp_path / "left", ignore_errors=True)
        left = tmp_path / "left" / "room.db.books"
        shutil.copytree(tmp_path / "killed", left.parent)
        left.unlink()
        if index_bytes is not None:
            left.write_bytes(index_bytes)
        before = Path(f"{left}-wal").read_bytes()
        assert rounds_in(room, left) == LEFT
        assert Path(f"{left}.aside-1-wal").read_bytes() == before


def test_index_that_is_replaced_while_open_loses_nothing(
    room: Path, few: Path, tmp_path: Path
) -> None:
    """The log of the one that was open is not used with the one that came."""
    file, moved = Path(f"{room}.books"), tmp_path / "moved.books"
    with closing(index_of(room)) as index:
        index._file.db.execute("create table more (n)")
        assert Path(f"{file}-wal").stat().st_size > 0
        os.rename(file, moved)
        shutil.copy(ready(few), file)
        assert index.catch_up()
        assert rounds(index) == LEFT
        assert Path(f"{file}.aside-1").read_bytes() == ready(few).read_bytes()
    with closing(apsw.Connection(str(moved))) as db:
        assert db.pragma("integrity_check") == "ok"
        assert db.execute("select count(*) from sqlite_schema where name = 'more'").get == 1
    assert rounds_in(room, moved) == ROUNDS


def test_index_that_another_process_put_aside_meanwhile(room: Path, tmp_path: Path) -> None:
    """It waited for the file, and gets it under the new name: it leaves it, and the new one too."""
    file = Path(f"{room}.books")
    real_form = schema._form_of

    def form_after_rename(db: apsw.Connection, opened: Path) -> int:
        form = real_form(db, opened)
        os.rename(file, tmp_path / "moved.books")
        file.write_bytes(b"new")
        return form

    before = file.read_bytes()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(schema, "_form_of", form_after_rename)
        with pytest.raises(QueenhighError, match="was replaced: try again"):
            HistoryIndex(room, file)
    assert contents(tmp_path) == {"moved.books": before, "room.db.books": b"new"}


def test_index_that_another_process_uses_is_not_put_aside(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "_BUSY_MS", 20)
    file = Path(f"{room}.books")
    with closing(index_of(room)):
        for _ in range(2):
            with pytest.raises(QueenhighError, match="free it"):
                HistoryIndex(room, file)
            garbage(file, file)
    assert [each.name for each in room.parent.glob("*.aside*")] == []


def test_faults_that_repeat_fill_no_disk(room: Path) -> None:
    with closing(index_of(room)) as index:
        for _ in range(9):
            index._file.begin_again("it is bad")
            index._ingest.forget()
            assert index.catch_up()
        index._file.db.execute("update book set read = 10000")
        index._ingest.forget()
        for _ in range(2):
            with pytest.raises(QueenhighError, match="aside before it: move them"):
                index.catch_up()
        for number in range(1, 10):
            os.rename(f"{room}.books.aside-{number}", f"{room}.kept-{number}")
        assert index.catch_up()
    assert rounds_in(room, Path(f"{room}.kept-1")) == ROUNDS


#: Of another program: it can be decoded, but its state cannot.
OTHER_STATE = zlib.compress(b"\x94\xc4\x02{}\x80\x80\x93\x90\x90\x90")


@pytest.mark.parametrize("kept", [b"\0", OTHER_STATE], ids=["damaged", "other"])
def test_table_whose_saved_state_is_unreadable_is_read_again(room: Path, kept: bytes) -> None:
    """Another program may have saved it: no reason to give up the rounds of all tables."""
    with closing(FloorIndex(room, Path(f"{room}.books"))) as index:
        expected = index.table_log("california")
        change = "update tables set kept_at = 50, kept = ? where name = 'california'"
        index._file.db.execute(change, (kept,))
        index._ingest.forget()
        assert index.table_log("california") == expected
        assert rounds(index) == ROUNDS


@pytest.mark.full
@pytest.mark.parametrize("commands", [
    ["db upgrade room.db", "copy room.db new.db"],
    ["backup room.db old.db", "restore old.db new.db"],
])  # fmt: skip
def test_copy_of_a_room_takes_a_copy_of_the_index(room: Path, commands: list[str]) -> None:
    with zipfile.ZipFile(FILES / "6fed5b5.zip") as packed:
        packed.extract("room.db.key", room.parent)
    for command in commands:
        assert call(*command.split(), cwd=room.parent).returncode == 0
    shutil.copy(f"{room}.books", room.with_name("new.db.books"))
    assert rounds_in(room.with_name("new.db")) == ROUNDS
    assert sorted(contents(room.parent)) == ["new.db.books", "room.db.books"]


# A later form


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """Make this program a later one, with a form of the index more."""
    monkeypatch.setattr(schema, "_FORM", 5)
    monkeypatch.setitem(schema._ADDED, 5, "create table later (n integer) strict")
    return monkeypatch


def marks(folder: Path) -> dict[str, object]:
    """Return what indexes say about their forms."""
    result = {}
    for file in sorted(folder.glob("*.books*")):
        with closing(apsw.Connection(str(file))) as db:
            result[file.name] = db.execute("select program from book").get
    return result


def test_later_form_has_a_file_of_its_own(room: Path, later: pytest.MonkeyPatch) -> None:
    """It begins with all that the older file has; an older program never meets it."""
    before = contents(room.parent)["room.db.books"]
    for _ in range(2):
        assert rounds_in(room) == ROUNDS
    assert marks(room.parent) == {"room.db.books": "0.1.0/4", "room.db.books5": "0.1.0/5"}
    assert contents(room.parent)["room.db.books"] == before
    newest = contents(room.parent)["room.db.books5"]
    later.undo()
    assert rounds_in(room) == ROUNDS
    assert contents(room.parent)["room.db.books5"] == newest


def test_later_form_adds_what_all_forms_since_have(room: Path, later: pytest.MonkeyPatch) -> None:
    with zipfile.ZipFile(FILES / "5035e2e.zip") as packed:
        packed.extractall(room.parent)
    assert rounds_in(room) == ROUNDS
    Path(f"{room}.books").unlink()
    assert rounds_in(room) == ROUNDS
    for file in room.parent.glob("*.books*"):
        file.unlink()
    assert rounds_in(room) == LEFT
    assert [*marks(room.parent)] == ["room.db.books5"]


def test_later_form_begins_without_a_damaged_older_file(
    room: Path, later: pytest.MonkeyPatch
) -> None:
    file = Path(f"{room}.books")
    truncate(file, file)
    before = contents(room.parent)
    assert rounds_in(room) == LEFT
    assert contents(room.parent).items() > before.items()
    assert [file.name for file in room.parent.glob("*.new")] == []


def test_later_form_refuses_an_unknown_older_file(room: Path, later: pytest.MonkeyPatch) -> None:
    with closing(apsw.Connection(f"{room}.books")) as db:
        db.execute("update book set program = '0.2.0/4'")
    before = contents(room.parent)
    with pytest.raises(QueenhighError, match=r"room\.db\.books has a form"):
        index_of(room)
    assert contents(room.parent).items() >= before.items()
