"""Commands that take a room by its path or its URL: upgrades, tables of bots, refusals."""

import json
from contextlib import closing
from pathlib import Path

import apsw
import psycopg
import pytest

from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.leases import Leases
from queenhigh.store.postgres.store import PostgresStore
from tests.in_process import call
from tests.server.test_old_stores import COMMITS, unpack
from tests.verify.verifiers import prove


@pytest.mark.parametrize("commit", COMMITS)
def test_an_old_file_is_upgraded(commit: str, tmp_path: Path) -> None:
    file, _ = unpack(commit, tmp_path)
    before = file.read_bytes()
    checked = call("db", "upgrade", "--check", str(file))
    assert file.read_bytes() == before, "a check changed the file"
    assert checked.returncode == ("Nothing to upgrade." not in checked.stdout)
    done = call("db", "upgrade", str(file), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["upgraded"] is bool(checked.returncode)
    assert "Nothing to upgrade." in call("db", "upgrade", "--check", str(file)).stdout
    prove(file)


def test_a_due_upgrade_is_described(tmp_path: Path) -> None:
    file, _ = unpack(COMMITS[0], tmp_path)
    checked = call("db", "upgrade", "--check", str(file))
    assert checked.returncode == 1
    assert f"{file}: events have version " in checked.stdout
    assert "this program wants version 5: " in checked.stdout
    assert "Make a backup, then run queenhigh db upgrade." in checked.stdout
    assert call("db", "upgrade", str(file)).stdout.endswith("Upgraded.\n")


def test_a_database_without_rows_is_upgraded(postgres_url: str, tmp_path: Path) -> None:
    PostgresStore(PostgresUrl(postgres_url), tmp_path).close()
    checked = call("db", "upgrade", "--check", postgres_url)
    assert (checked.returncode, "Nothing to upgrade." in checked.stdout) == (0, True)
    assert postgres_url not in checked.stdout


def test_a_due_upgrade_of_a_database_is_done(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from queenhigh.store.postgres import schema  # noqa: PLC0415

    PostgresStore(PostgresUrl(postgres_url), tmp_path).close()
    newer = (*schema.MIGRATIONS, "create table extra (id integer);")
    monkeypatch.setattr(schema, "MIGRATIONS", newer)
    assert call("db", "upgrade", "--check", postgres_url).returncode == 1
    assert call("db", "upgrade", postgres_url).returncode == 0
    assert call("db", "upgrade", "--check", postgres_url).returncode == 0
    with psycopg.connect(postgres_url) as db:
        assert db.execute("select * from queenhigh.extra").fetchall() == []


@pytest.mark.parametrize("words", [("db", "upgrade"), ("db", "upgrade", "--check")])
def test_a_newer_database_is_refused(
    words: tuple[str, ...], postgres_url: str, tmp_path: Path
) -> None:
    file = tmp_path / "room.db"
    with closing(apsw.Connection(str(file))) as made:
        made.pragma("user_version", 99)
    PostgresStore(PostgresUrl(postgres_url), tmp_path).close()
    with psycopg.connect(postgres_url) as db:
        db.execute("update queenhigh.version set version = 99")
    for room in (str(file), postgres_url):
        done = call(*words, room)
        assert done.returncode == 2
        assert "was written by a newer version of Queenhigh: update this one" in done.stderr


def test_what_has_no_room_is_not_upgraded(postgres_url: str, tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("no database at all" * 99)
    (tmp_path / "empty.db").touch()
    for room, sentence in (
        (f"{tmp_path}/none.db", "no such database"),
        (f"{tmp_path}/text.db", "cannot be read as a Queenhigh database"),
        (f"{tmp_path}/empty.db", "has no room: choose another database"),
        (postgres_url, "has no room: choose another database"),
    ):
        done = call("db", "upgrade", room)
        assert (done.returncode, done.stdout) == (2, "")
        assert sentence in done.stderr


def test_bots_play_on_postgresql_by_command(postgres_url: str, tmp_path: Path) -> None:
    run = ("house", "--bots", "3", "--rounds", "2", "--seed", "1", "--keys", str(tmp_path))
    for _ in range(2):
        done = call("table", "run", *run, "--db", postgres_url)
        assert done.returncode == 0, done.stderr
    assert call("table", "recall", postgres_url, "--player", "Ben").returncode == 0
    assert call("table", "export", postgres_url).stdout.count("\n") == 4
    assert "OK: " in call("verify", postgres_url, "--round", "house/3").stdout


def test_bots_play_at_a_table_that_was_served(postgres_url: str, tmp_path: Path) -> None:
    run = ("table", "run", "house", "--bots", "3", "--rounds", "2", "--keys", str(tmp_path))
    assert call(*run, "--db", postgres_url).returncode == 0
    with closing(Leases(PostgresUrl(postgres_url))) as leases:
        server = leases.join("here:1", "table/")
        assert [lease.stream for lease in leases.take(server, 10)] == ["table/house"]
        assert "is in use by the server at here:1" in call(*run, "--db", postgres_url).stderr
        leases.leave(server)
        done = call(*run, "--db", postgres_url)
        assert done.returncode == 0, done.stderr
        assert leases.members() == []
    assert "OK: " in call("verify", postgres_url, "--round", "house/4").stdout


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (("backup", "URL", "copy.db"), "back up a database with pg_dump"),
        (("restore", "backup.db", "URL"), "then copy it to the database with queenhigh copy"),
        (("archive", "URL", "--to", "a.qha"), "copy the room to a file with queenhigh copy"),
    ],
)
def test_commands_for_files_refuse_a_url(words: tuple[str, ...], remedy: str) -> None:
    url = "postgresql://user:secret@127.0.0.1/room"
    done = call(*(url if word == "URL" else word for word in words))
    assert (done.returncode, done.stdout) == (2, "")
    assert remedy in done.stderr
    assert "secret" not in done.stderr
