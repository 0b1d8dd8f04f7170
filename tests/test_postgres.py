"""The PostgreSQL server of the tests: its settings, its crashes, and that it ends."""

import socket
import subprocess
import sys
import time
from pathlib import Path

import psycopg
import pytest

from tests import postgres as programs
from tests.postgres import Databases, PostgresServer
from tests.shared_postgres import prepared_files

ROOT = Path(__file__).parent.parent
#: A process that starts a server, says where, and waits to be killed.
KILLED = """
import sys, time
from pathlib import Path
from tests.postgres import PostgresServer

with PostgresServer(prepared=Path(sys.argv[1])) as server:
    print(server.port, server.folder, flush=True)
    time.sleep(600)
"""


def setting(url: str, name: str) -> object:
    with psycopg.connect(url) as connection:
        row = connection.execute("SELECT current_setting(%s)", [name]).fetchone()
    return row and row[0]


def is_listening(port: int) -> bool:
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_fresh_database_is_empty(postgres_url: str) -> None:
    tables = "SELECT * FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')"
    with psycopg.connect(postgres_url) as connection:
        assert connection.execute(tables).fetchall() == []
        collation = "SELECT datcollate FROM pg_database WHERE datname = current_database()"
        assert connection.execute(collation).fetchone() == ("C",)


def test_database_is_dropped_under_a_connection(postgres: Databases) -> None:
    with psycopg.connect(postgres.create_database("dropped")) as connection:
        postgres.drop_database("dropped")
        with pytest.raises(psycopg.OperationalError):
            connection.execute("SELECT 1")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("fsync", "on"),
        ("synchronous_commit", "on"),
        ("full_page_writes", "on"),
        ("listen_addresses", "127.0.0.1"),
        ("max_connections", "100"),
        ("server_encoding", "UTF8"),
        ("TimeZone", "UTC"),
    ],
)
def test_settings_are_as_promised(postgres: Databases, name: str, value: str) -> None:
    assert setting(postgres.url(), name) == value


def test_wrong_password_is_refused(postgres: Databases) -> None:
    wrong = Databases(postgres.programs, postgres.port, "wrong")
    with pytest.raises(psycopg.OperationalError, match="password authentication failed"):
        psycopg.connect(wrong.url())


def test_killed_server_keeps_only_committed_rows(own_postgres: PostgresServer) -> None:
    url = own_postgres.create_database("crashed")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE rows (name text)")
        connection.execute("INSERT INTO rows VALUES ('committed')")
        connection.execute("BEGIN")
        connection.execute("INSERT INTO rows VALUES ('uncommitted')")
        own_postgres.kill()
        assert not is_listening(own_postgres.port)
        with pytest.raises(psycopg.OperationalError):
            connection.execute("COMMIT")
    own_postgres.start()
    with psycopg.connect(url) as connection:
        assert connection.execute("SELECT name FROM rows").fetchall() == [("committed",)]
    assert "database system was not properly shut down" in own_postgres.log()


def test_stopped_server_is_gone_with_its_files(tmp_path_factory: pytest.TempPathFactory) -> None:
    with PostgresServer({"fsync": "off"}, prepared=prepared_files(tmp_path_factory)) as server:
        assert setting(server.url(), "fsync") == "off"
        owner = server.data.stat()
        assert owner.st_uid != 0
        assert owner.st_mode & 0o077 == 0
        server.restart()
        assert is_listening(server.port)
        server.stop()
        assert not is_listening(server.port)
        assert_taken_port_is_explained(server)
    assert not server.folder.exists()


def assert_taken_port_is_explained(server: PostgresServer) -> None:
    refused = pytest.raises(programs.ServerFailed, match="Address already in use")
    with socket.create_server(("127.0.0.1", server.port)), refused:
        server.start()
    assert not server.is_running


def test_server_ends_with_a_killed_process(tmp_path_factory: pytest.TempPathFactory) -> None:
    command = [sys.executable, "-c", KILLED, str(prepared_files(tmp_path_factory))]
    starter = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    with starter:
        assert starter.stdout is not None
        port, folder = starter.stdout.readline().split()
        assert is_listening(int(port))
        starter.kill()
    deadline = time.monotonic() + 60
    while Path(folder).exists() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert not Path(folder).exists()
    assert not is_listening(int(port))


def test_folder_without_the_programs_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("POSTGRES_BIN", str(tmp_path))
    assert programs.find() is None
    with pytest.raises(programs.ServerFailed, match="set POSTGRES_BIN"):
        PostgresServer()
    done = subprocess.run(
        [sys.executable, programs.__file__], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == programs.MISSING + "\n"
