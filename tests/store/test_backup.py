"""Backups of a store that is written to all the while; and stores made of them again."""

import hashlib
import json
import os
import shutil
import signal
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.store import backup as backup_module
from queenhigh.store.backup import copying
from queenhigh.store.files import put_in_place
from queenhigh.store.migrations import MIGRATIONS
from queenhigh.store.signing import Signer
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append
from queenhigh.store.used import MIGRATION
from tests.commands.test_command_line import COMMAND
from tests.commands.test_command_line import run as run_alone
from tests.in_process import call
from tests.sizes import sized
from tests.verify.verifiers import BOTH

WRITER = Path(__file__).parent.parent / "room" / "bots_to_kill.py"
TABLES = ("california", "house", "roulette-european")
BACKUPS = sized(4, 8)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("room") / "room.db"
    words = ("california", "--bots", "4", "--rounds", "6", "--seed", "1", "--db", str(file))
    assert call("table", "run", *words).returncode == 0
    return file


@pytest.fixture
def room(played: Path, tmp_path: Path) -> Path:
    for end in ("", ".key"):
        shutil.copy(f"{played}{end}", f"{tmp_path}/room.db{end}")
    return tmp_path / "room.db"


@pytest.fixture(scope="module")
def copied(played: Path) -> Path:
    file = played.with_name("backup.db")
    assert call("backup", str(played), str(file)).returncode == 0
    return file


@pytest.fixture
def backup(copied: Path, room: Path) -> Path:
    for end in ("", ".key"):
        shutil.copy(f"{copied}{end}", f"{room.parent}/backup.db{end}")
    return room.with_name("backup.db")


def contents(folder: Path) -> dict[str, str]:
    """Return every file of a folder by what is in it."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


def dealing(file: Path) -> tuple[int, bytes]:
    """Return the epoch of a store, and the secret it deals with."""
    with closing(SqliteStore(file)) as store:
        return store.epoch, store.dealing_key


def names(folder: Path) -> set[str]:
    return {file.name for file in folder.iterdir()}


def run_sql(file: Path, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
    with closing(apsw.Connection(str(file))) as connection:
        return connection.execute(sql, values).fetchall()


def check_good(file: Path) -> None:
    for name, verify in BOTH.items():
        verdict = verify(file)
        assert verdict.ok, f"{name}: event {verdict.n}: {verdict.reason}"


# While others write


class Writer:
    """Another process that writes as fast as it can, and what it has acknowledged."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.acknowledged: list[dict[str, Any]] = []

    @contextmanager
    def writing(self) -> Iterator[None]:
        command = [sys.executable, str(WRITER), str(self.file), *TABLES]
        with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as process:
            self._process, self._rest = process, b""
            try:
                yield
            finally:
                process.kill()
                while self._listen():
                    pass

    def _listen(self) -> bool:
        """Read all that the writer has printed so far; wait if that is nothing."""
        assert self._process.stdout is not None
        more = os.read(self._process.stdout.fileno(), 1 << 20)  # a pipe holds less
        *lines, self._rest = (self._rest + more).split(b"\n")
        self.acknowledged += [said for line in lines if "first" in (said := json.loads(line))]
        return bool(more)

    def wait_for_more(self, more: int) -> None:
        """Wait until so many more commands were acknowledged: it writes, and is not refused."""
        goal = len(self.acknowledged) + more
        while len(self.acknowledged) < goal:
            assert self._listen(), "the writer has ended"


def check_has(file: Path, acknowledged: list[dict[str, Any]]) -> None:
    """Check that everything that was acknowledged is there."""
    query = "select name, version, event from event join stream on stream.id = stream"
    events = {(name, version): json.loads(event) for name, version, event in run_sql(file, query)}
    for said in acknowledged:
        for version in range(said["first"], said["last"] + 1):
            event = events.get((f"table/{said['table']}", version), {})
            there = (event.get("by"), event.get("id"))
            assert there == (said["by"], said["id"]), f"{said} is missing"


def events_in(file: Path) -> list[Any]:
    return run_sql(file, "select id from event")


def test_backups_while_another_process_writes(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "room.db")
    known: dict[Path, list[dict[str, Any]]] = {}
    last = 0
    with writer.writing():
        for number in range(BACKUPS):
            writer.wait_for_more(50)
            while len(events_in(writer.file)) <= last:  # it had written more than was read of it
                writer.wait_for_more(1)
            file = tmp_path / f"{number}.db"
            known[file] = list(writer.acknowledged)
            words = ("--json",) if number == 0 else ("--json", "--no-verify")  # proved below
            done = call("backup", str(writer.file), str(file), *words)
            assert (done.returncode, done.stderr) == (0, "")
            report = json.loads(done.stdout)
            assert (report["ok"], report["file"]) == (True, str(file))
            assert report["bytes"] == file.stat().st_size
            last = len(events_in(file))
        writer.wait_for_more(50)
    for file, acknowledged in known.items():
        assert file.read_bytes()[18:20] == b"\x01\x01", "one file, without a log of its own"
        check_good(file)
        check_has(file, acknowledged)
    sizes = [len(events_in(file)) for file in known]
    assert sizes == sorted(set(sizes)), "each has more than the one before"
    endings = {end for name in names(tmp_path) for end in [name.partition(".")[2]]}
    assert endings <= {"db", "db.key", "db.dealing", "db-wal", "db-shm"}
    check_good(writer.file)
    check_has(writer.file, writer.acknowledged)


def test_copy_that_lacks_an_event_is_noticed(tmp_path: Path) -> None:
    """The control: a copy from before something was acknowledged."""
    writer = Writer(tmp_path / "room.db")
    with writer.writing():
        writer.wait_for_more(20)
        acknowledged = list(writer.acknowledged)
        call("backup", str(writer.file), str(tmp_path / "old.db"), "--no-verify")
        writer.wait_for_more(20)
    check_has(tmp_path / "old.db", acknowledged)
    with pytest.raises(AssertionError, match="is missing"):
        check_has(tmp_path / "old.db", writer.acknowledged)


def test_copy_is_consistent_while_others_write(tmp_path: Path) -> None:
    """Events written between the steps of a copy are not in it, and do not restart it."""
    store = SqliteStore(tmp_path / "room.db")
    store.append(Append("a", 0, (bytes(40_000_000),)))
    seen: list[int] = []

    def watch(done: int) -> None:
        store.append(Append("a", 1 + len(seen), (b"later",)))
        seen.append(done)
        assert len(seen) < 100, "it begins anew whenever something is written"

    with copying(tmp_path / "room.db", tmp_path / "copy.db") as copy:
        copy.copy_pages(watch, live=True)
        copy.publish()
    assert len(seen) > 5
    assert seen == sorted(set(seen))
    assert copy.head.events == 1
    assert run_sql(tmp_path / "copy.db", "select count(*) from event") == [(1,)]
    assert len(list(store.read("a"))) == 1 + len(seen)
    store.close()


def test_backup_of_a_store_whose_writer_was_killed(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "room.db")
    with writer.writing():
        writer.wait_for_more(30)
    assert Path(f"{writer.file}-wal").stat().st_size > 0
    assert call("backup", str(writer.file), str(tmp_path / "backup.db")).returncode == 0
    room = {"room.db", "room.db.key", "room.db.dealing"}
    assert names(tmp_path) == room | {"backup.db", "backup.db.key"}
    check_has(tmp_path / "backup.db", writer.acknowledged)


# There and back


def test_restored_store_can_be_played_on(room: Path, tmp_path: Path) -> None:
    other = apsw.Connection(str(room))
    other.execute("create table account (name text); insert into account values ('Ada')")
    other.close()
    for way in (("backup", "room.db", "b.db"), ("restore", "b.db", "new/room.db")):
        (tmp_path / "new").mkdir(exist_ok=True)
        done = run_alone(*way, cwd=tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert f"{way[2]}: " in done.stdout
        assert " 6 rounds, " in done.stdout
        assert stat.S_IMODE((tmp_path / f"{way[2]}.key").stat().st_mode) == 0o600
    new = tmp_path / "new" / "room.db"
    assert names(new.parent) == {"room.db", "room.db.key"}
    assert run_sql(new, "select name from account") == [("Ada",)]
    key = json.loads(call("verify", str(room), "--json").stdout)["signed_by"]
    words = ("california", "--bots", "4", "--rounds", "3", "--db", str(new))
    assert call("table", "run", *words).returncode == 0
    check_good(new)
    again = json.loads(call("verify", str(new), "--key", key, "--json").stdout)
    assert (again["ok"], again["rounds"]) == (True, 9)


def test_reports_as_json(room: Path) -> None:
    file = room.with_name("b.db")
    quick = json.loads(call("backup", str(room), str(file), "--no-verify", "--json").stdout)
    assert (quick["rounds"], quick["proof_seconds"], quick["ok"]) == (None, None, True)
    new = room.with_name("new.db")
    report = json.loads(call("restore", str(file), str(new), "--json").stdout)
    known = json.loads(call("verify", str(room), "--json").stdout)
    assert {report[name] == known[name] for name in ("events", "rounds", "signed_by", "ok")} == {
        True
    }
    assert (report["file"], report["key_file"]) == (str(new), f"{new}.key")
    assert report["bytes"] == new.stat().st_size
    assert quick["events"] == report["events"]


def test_copy_has_the_permissions_of_its_store(room: Path) -> None:
    for mode in (0o600, 0o640):
        room.chmod(mode)
        file = room.with_name(f"{mode}.db")
        call("backup", str(room), str(file))
        assert stat.S_IMODE(file.stat().st_mode) == mode


def test_snapshots_are_not_restored(backup: Path) -> None:
    """A proof does not cover them, and a table would trust them."""
    run_sql(backup, "insert into snapshot values (1, 3, x'00', x'00', x'00')")
    new = backup.with_name("new.db")
    assert call("restore", str(backup), str(new)).returncode == 0
    assert run_sql(new, "select * from snapshot") == []
    assert len(run_sql(backup, "select * from snapshot")) == 1


def test_restored_store_has_another_epoch(room: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    epoch, dealt_with = dealing(room)
    assert epoch == 0
    for file, seconds, then in (("room", 1000, 1000), ("new1000", 5, 1001), ("new5", 2000, 2000)):
        monkeypatch.setattr("queenhigh.store.backup.time", lambda seconds=seconds: seconds + 0.5)
        copy, new = room.with_name(f"copy{seconds}.db"), room.with_name(f"new{seconds}.db")
        call("backup", str(room.with_name(f"{file}.db")), str(copy))
        assert call("restore", str(copy), str(new)).returncode == 0
        assert not {f"{copy.name}.dealing", f"{new.name}.dealing"} & names(room.parent)
        assert dealing(copy)[0] == epoch
        epoch, deals_with = dealing(new)
        assert epoch == then
        assert deals_with != dealt_with


def test_two_restores_of_one_backup_differ_in_epoch(
    backup: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    epochs = set()
    for seconds in (1000, 2000):
        monkeypatch.setattr("queenhigh.store.backup.time", lambda seconds=seconds: seconds)
        new = backup.with_name(f"new{seconds}.db")
        assert call("restore", str(backup), str(new)).returncode == 0
        epochs.add(dealing(new)[0])
    assert epochs == {1000, 2000}


def test_restore_repairs_a_store_without_its_epoch(backup: Path) -> None:
    run_sql(backup, "delete from epoch")
    with closing(SqliteStore(backup)) as store, pytest.raises(QueenhighError) as raised:
        store.epoch  # noqa: B018
    assert raised.value.code == "store.damaged"
    new = backup.with_name("new.db")
    assert call("restore", str(backup), str(new)).returncode == 0
    assert dealing(new)[0] > 0


def test_backup_older_than_epochs_is_restored(backup: Path) -> None:
    tables = ("epoch", "tip", "used")
    for done_since in (*(f"drop table {table}" for table in tables), "pragma user_version = 2"):
        run_sql(backup, done_since)
    new = backup.with_name("new.db")
    assert call("restore", str(backup), str(new)).returncode == 0
    assert dealing(new)[0] > 0


def test_the_index_of_used_ids_is_restored_from_the_events(backup: Path) -> None:
    before = run_sql(backup, "select * from used order by 1, 2")
    assert before
    run_sql(
        backup, "delete from used where key like '%chips%'; insert into used values (1, 'more')"
    )
    new = backup.with_name("new.db")
    assert call("restore", str(backup), str(new)).returncode == 0
    assert run_sql(new, "select * from used order by 1, 2") == before


def test_older_backup_is_restored(backup: Path) -> None:
    before = run_sql(backup, "select * from used order by 1, 2")
    version = MIGRATIONS.index(MIGRATION)
    run_sql(backup, f"drop table used; pragma user_version = {version}")
    new = backup.with_name("new.db")
    assert call("restore", str(backup), str(new)).returncode == 0
    SqliteStore(new).close()
    assert run_sql(new, "select * from used order by 1, 2") == before


# Keys


def test_missing_key_is_reported(room: Path) -> None:
    Path(f"{room}.key").unlink()
    file, new = room.with_name("b.db"), room.with_name("new.db")
    for source, target, command in ((room, file, "backup"), (file, new, "restore")):
        done = call(command, str(source), str(target), "--json")
        assert done.returncode == 0
        assert f"{source}.key is missing: the copy will get a new key" in done.stderr
    assert (Path(f"{file}.key").exists(), Path(f"{new}.key").exists()) == (False, True)
    check_good(new)
    signed = json.loads(call("verify", str(new), "--json").stdout)["signed_by"]
    assert signed == Signer(Path(f"{new}.key")).key.hex()
    with closing(SqliteStore(new)) as store:
        assert [len(list(store.read(stream))) > 0 for stream in store.streams()] == [True] * 5


def test_existing_key_is_not_replaced(backup: Path) -> None:
    new = backup.with_name("new.db")
    key = Path(f"{new}.key")
    key.write_bytes(b"k" * 32)
    done = call("restore", str(backup), str(new))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is not the key of" in done.stderr
    assert (key.read_bytes(), new.exists()) == (b"k" * 32, False)
    Path(f"{backup}.key").rename(key)  # the right one, kept elsewhere
    done = call("restore", str(backup), str(new))
    assert (done.returncode, done.stderr) == (0, "")


def test_wrong_key_is_reported(backup: Path) -> None:
    Path(f"{backup}.key").write_bytes(b"k" * 32)
    done = call("restore", str(backup), str(backup.with_name("new.db")))
    assert (done.returncode, done.stdout) == (2, "")
    assert "is not the key that signed" in done.stderr
    done = call("backup", str(backup), str(backup.with_name("b.db")))
    assert done.returncode == 0
    assert "is not the key that signed" in done.stderr


# What is refused


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("backup", "room.db", "backup.db"), "backup.db already exists: move it away"),
        (("backup", "room.db", "room.db"), "already exists"),
        (("backup", "room.db", "."), "already exists"),
        (("backup", "room.db", "link.db"), "already exists"),
        (("backup", "room.db", "old.db"), "old.db-journal already exists"),
        (("backup", "room.db", "./room.db-journal"), "room.db-journal belongs to room.db"),
        (("backup", "room.db", "nowhere/b.db"), "nowhere cannot be written (No such file"),
        (("backup", "room.db", "text.db/b.db"), "text.db cannot be written (Not a directory"),
        (("backup", "room.db", "b" * 300), "name too long"),
        (("backup", "nowhere.db", "b.db"), "nowhere.db: no such database"),
        (
            ("backup", "text.db", "b.db"),
            "text.db is not a Queenhigh database (file is not a database)",
        ),
        (
            ("backup", "empty.db", "b.db"),
            "empty.db is not a Queenhigh database (no such table: head)",
        ),
        (("backup", "folder", "b.db"), "folder is not a file: choose a database"),
        (("backup", "short.db", "b.db"), "short.db.key is not a key of 32 bytes"),
        (("restore", "backup.db", "room.db"), "room.db already exists"),
        (("restore", "backup.db", "killed.db"), "killed.db-wal already exists"),
        (("restore", "nowhere.db", "new.db"), "no such database"),
        (
            ("restore", "log.jsonl", "new.db"),
            "is not a Queenhigh database (file is not a database)",
        ),
        (("restore", "folder", "new.db"), "is not a file"),
    ],
)
def test_refused_copies_change_nothing(words: tuple[str, ...], message: str, backup: Path) -> None:
    folder = backup.parent
    (folder / "text.db").write_text("not a database, but long enough to look like one" * 40)
    (folder / "empty.db").touch()
    (folder / "folder").mkdir()
    (folder / "link.db").symlink_to("nowhere")
    (folder / "old.db-journal").write_bytes(b"old")
    (folder / "killed.db-wal").write_bytes(b"old")
    shutil.copy(backup, folder / "short.db")
    (folder / "short.db.key").write_bytes(b"short")
    golden = Path(__file__).parent.parent / "golden" / "room.jsonl"
    shutil.copy(golden, folder / "log.jsonl")
    before = contents(folder), names(folder)
    done = call(*words, cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert (contents(folder), names(folder)) == before


def run_without_privileges(*words: str) -> subprocess.CompletedProcess[str]:
    """Run a command as a user for whom the modes of files count, which they do not for root."""
    if os.geteuid() != 0:
        return run_alone(*words)
    plain = ["setpriv", "--bounding-set=-all", "--inh-caps=-all", *COMMAND, *words]
    return subprocess.run(plain, capture_output=True, text=True, timeout=300, check=False)


def test_files_that_may_not_be_read_or_written(room: Path, tmp_path: Path) -> None:
    call = run_without_privileges
    (tmp_path / "closed").mkdir(mode=0o500)
    done = call("backup", str(room), str(tmp_path / "closed" / "b.db"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "closed cannot be written (Permission denied)" in done.stderr
    room.chmod(0)
    done = call("backup", str(room), str(tmp_path / "b.db"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "is not readable" in done.stderr


@pytest.mark.parametrize("way", ["backup", "restore"])
def test_full_disk_leaves_no_files(way: str, backup: Path) -> None:
    before = contents(backup.parent), names(backup.parent)
    limited = ["bash", "-c", 'ulimit -f 20; exec "$@"', "bash", *COMMAND]
    command = [*limited, way, str(backup), str(backup.with_name("new.db"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "backup.db could not be copied to" in done.stderr
    assert done.stderr.count("\n") == 1
    assert (contents(backup.parent), names(backup.parent)) == before


def test_file_created_meanwhile_is_not_replaced(room: Path) -> None:
    file = room.with_name("b.db")
    with copying(room, file) as copy:
        copy.copy_pages(lambda done: None, live=True)
        file.write_text("somebody else's")
        with pytest.raises(QueenhighError, match="already exists"):
            copy.publish()
    assert file.read_text() == "somebody else's"
    assert names(room.parent) == {"room.db", "room.db.key", "b.db"}


def test_key_is_removed_if_its_store_is_not_published(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(made: Path, to: Path) -> None:
        if to.suffix != ".key":
            raise OSError(5, "Input/output error")
        put_in_place(made, to)

    monkeypatch.setattr(backup_module, "put_in_place", fail)
    with copying(room, room.with_name("b.db")) as copy:
        copy.copy_pages(lambda done: None, live=True)
        with pytest.raises(QueenhighError, match="Input/output error"):
            copy.publish()
    assert names(room.parent) == {"room.db", "room.db.key"}


# Stopped


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_interrupted_copy_leaves_no_files(number: int, room: Path) -> None:
    """A signal comes when a part is copied; the next part must not be."""
    code = (
        "import os; from queenhigh.store.backup import Copy; "
        "pages = Copy.copy_pages; "
        "Copy.copy_pages = lambda copy, watch, live: pages(copy, lambda done: ("
        f"os.kill(os.getpid(), {int(number)}), print(copy.file.stat().st_size), watch(done), "
        "exit('it goes on')), live=live);"
        "from queenhigh.cli import main; main()"
    )
    before = names(room.parent)
    command = [sys.executable, "-c", code, "backup", str(room), str(room.with_name("b.db"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 130
    assert int(done.stdout) > 0, "something had been copied"
    assert done.stderr.startswith(f"stopped: {room.with_name('b.db')} was not written\n")
    assert "Traceback" not in done.stderr
    assert names(room.parent) == before


@pytest.mark.parametrize("way", ["backup", "restore"])
def test_interrupted_proof_leaves_no_files(way: str, backup: Path) -> None:
    code = (
        "import os, signal; from queenhigh.verify import verifier;"
        "verifier.verify = lambda file, watch, **more: os.kill(os.getpid(), signal.SIGINT)"
        " or watch(1) or exit('it goes on');"
        "from queenhigh.cli import main; main()"
    )
    before = contents(backup.parent), names(backup.parent)
    command = [sys.executable, "-c", code, way, str(backup), str(backup.with_name("new.db"))]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout) == (130, "")
    assert (contents(backup.parent), names(backup.parent)) == before


# Damage


def _change_an_event(file: Path) -> None:
    changed = "cast(replace(cast(event as text), '1', '2') as blob)"
    run_sql(file, f"update event set event = {changed} where id = 40")


def _take_off_the_end(file: Path) -> None:
    run_sql(file, "delete from event where id = (select max(id) from event)")


def _forge_the_head(file: Path) -> None:
    run_sql(file, "update head set signature = zeroblob(64)")


def _cut_short(file: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def _spoil_the_index(file: Path) -> None:
    ((page,),) = run_sql(
        file, "select rootpage from sqlite_schema where type = 'index' limit 1 offset 1"
    )
    with file.open("r+b") as opened:
        opened.seek((page - 1) * 4096)
        opened.write(bytes(4096))


@pytest.mark.parametrize(
    "damage",
    [_change_an_event, _take_off_the_end, _forge_the_head, _cut_short, _spoil_the_index],
)
def test_damaged_backup_is_not_restored(damage: Callable[[Path], None], backup: Path) -> None:
    whole = backup.with_name("whole.db")
    shutil.copy(backup, whole)
    damage(backup)
    before = contents(backup.parent), names(backup.parent)
    new = backup.with_name("new.db")
    done = call("restore", str(backup), str(new))
    assert done.returncode in (1, 2)
    assert (done.stdout + done.stderr).count("\n") == 1
    assert ".queenhigh-copy" not in done.stdout + done.stderr
    assert (contents(backup.parent), names(backup.parent)) == before
    assert call("restore", str(whole), str(new)).returncode == 0


def test_bad_copy_is_kept_and_reported(room: Path) -> None:
    _forge_the_head(room)
    file = room.with_name("b.db")
    done = call("backup", str(room), str(file))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.startswith(
        f"BAD: {room}: the signature of the head is wrong; {file} is kept"
    )
    done = call("backup", str(room), str(room.with_name("c.db")), "--json")
    assert (done.returncode, json.loads(done.stdout)["ok"]) == (1, False)
    assert json.loads(done.stdout)["bad"]["reason"] == "the signature of the head is wrong"
    assert file.exists()


def test_restore_rebuilds_everything_but_events(room: Path) -> None:
    """A room that cannot read a stream by its mark or its ids is mended by a backup of it."""
    run_sql(room, "delete from tip")
    run_sql(room, "delete from used")
    copy, new = room.with_name("copy.db"), room.with_name("mended.db")
    done = call("backup", str(room), str(copy))
    assert (done.returncode, " after version " in done.stdout) == (1, True)
    assert call("verify", str(room)).returncode == 1
    assert call("restore", str(copy), str(new)).returncode == 0
    assert call("verify", str(new)).returncode == 0
    with closing(SqliteStore(new)) as store:
        assert all(list(store.read(name)) for name in store.streams())
