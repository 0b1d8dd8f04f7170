"""Both verifiers read a room on PostgreSQL, and see there what they see in a file."""

import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import apsw
import psycopg
import pytest
from psycopg import sql

import queenhigh as qh
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.room import settings_for
from queenhigh.store.checks import check_index
from queenhigh.store.location import Location, PostgresUrl
from queenhigh.store.postgres.store import PostgresStore
from queenhigh.store.streams import AT_END, Append
from queenhigh.verify import verifier
from tests.in_process import call
from tests.postgres import Databases
from tests.table.seeded_rooms import seeded_room
from tests.verify import verifiers
from tests.verify.ruled_rooms import banked
from tests.verify.verifiers import BOTH, Verdict, run_other

#: Executes a statement with ``?`` for values and returns its rows, in either database.
Execute = Callable[..., list[Any]]


@pytest.fixture(scope="module")
def played(
    postgres: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[PostgresUrl, Path]]:
    """A room that was played, ruled in and corrected on PostgreSQL, and the same room in a file."""
    folder, name = tmp_path_factory.mktemp("played"), f"test_{uuid.uuid4().hex}"
    url = PostgresUrl(postgres.create_database(name))
    with closing(PostgresStore(url, folder)) as store:
        room = seeded_room(store, Random(3))
        for table in ("california", "roulette"):
            book = qh.load(table)
            durable = room.open_table(table, book, settings_for(book, pace=AT_ONCE))
            bots = make_bots(book, 3, 5, ("q64",))
            seat_bots(room, durable, [bot.name for bot in bots])
            play(room, durable, bots, 3)
        banked(store)
    done = call("copy", url.secret, str(folder / "room.db"), "--keys", str(folder))
    assert done.returncode == 0, done.stderr
    yield url, folder / "room.db"
    postgres.drop_database(name)


@pytest.fixture
def rooms(
    played: tuple[PostgresUrl, Path], postgres: Databases, tmp_path: Path
) -> Iterator[tuple[PostgresUrl, Path]]:
    """Copies of both, to be damaged."""
    url, file = played
    name = f"test_{uuid.uuid4().hex}"
    statement = sql.SQL("create database {} template {}").format(
        sql.Identifier(name), sql.Identifier(url.secret.rpartition("/")[2])
    )
    with psycopg.connect(postgres.url(), autocommit=True) as db:
        db.execute(statement)
    shutil.copy(file, tmp_path / "room.db")
    yield PostgresUrl(postgres.url(name)), tmp_path / "room.db"
    postgres.drop_database(name)


def verdicts(room: Location) -> dict[str, Verdict]:
    return {name: verifier(room) for name, verifier in BOTH.items()}


def test_both_verifiers_accept_what_bots_played(played: tuple[PostgresUrl, Path]) -> None:
    there, here = (verdicts(room) for room in played)
    assert there == here
    assert {(verdict.ok, verdict.rounds) for verdict in there.values()} == {(True, 11)}


def change_a_byte(execute: Execute, last: int) -> None:
    ((event,),) = execute("select event from event where id = ?", last // 2)
    changed = event.replace(b'"at":', b'"at":2')
    assert changed != event
    execute("update event set event = ? where id = ?", changed, last // 2)


def remove_the_last(execute: Execute, last: int) -> None:
    execute("delete from event where id = ?", last)


def swap_two(execute: Execute, last: int) -> None:
    for number, to in ((last // 3, -1), (last // 3 + 1, last // 3), (-1, last // 3 + 1)):
        execute("update event set id = ? where id = ?", to, number)


def cut_the_head(execute: Execute, last: int) -> None:
    execute("update head set events = ?", last - 1)


def remove_the_head(execute: Execute, last: int) -> None:
    execute("delete from head")


def add_an_event(execute: Execute, last: int) -> None:
    execute(
        "insert into event (id, stream, version, event, hash)"
        " select id + 1, stream, version + 1, event, hash from event where id = ?",
        last,
    )


def cut_the_end(execute: Execute, last: int) -> None:
    """Remove the last event, with a head that counts the others."""
    execute("delete from event where id = ?", last)
    execute("update head set events = ?", last - 1)


def in_database(url: PostgresUrl, damage: Callable[[Execute, int], None]) -> None:
    with psycopg.connect(url.secret) as db:
        db.execute("set search_path to queenhigh")

        def execute(statement: str, *values: Any) -> list[Any]:
            cursor = db.execute(statement.replace("?", "%s").encode(), values)
            return cursor.fetchall() if cursor.description else []

        damage(execute, execute("select max(id) from event")[0][0])


def in_file(file: Path, damage: Callable[[Execute, int], None]) -> None:
    with closing(apsw.Connection(str(file))) as db:

        def execute(statement: str, *values: Any) -> list[Any]:
            return db.execute(statement, values).fetchall()

        damage(execute, execute("select max(id) from event")[0][0])


@pytest.mark.parametrize(
    "damage",
    [change_a_byte, remove_the_last, swap_two, cut_the_head, remove_the_head, add_an_event,
     cut_the_end],
)  # fmt: skip
def test_damage_is_found_at_the_same_event(
    damage: Callable[[Execute, int], None], rooms: tuple[PostgresUrl, Path]
) -> None:
    there, here = rooms
    in_database(there, damage)
    in_file(here, damage)
    places = {(verdict.ok, verdict.n) for room in rooms for verdict in verdicts(room).values()}
    assert len(places) == 1
    assert not places.pop()[0]


@pytest.mark.parametrize("is_cut", [False, True])
@pytest.mark.parametrize("stream", ["note/new", "table/california"])
def test_events_written_during_a_proof_are_no_damage(
    played: tuple[PostgresUrl, Path],
    rooms: tuple[PostgresUrl, Path],
    monkeypatch: pytest.MonkeyPatch,
    stream: str,
    is_cut: bool,
) -> None:
    """The index is checked after the events were read; one of them that is lost is noticed."""
    url = rooms[0]

    def write_first(*values: Any) -> None:
        with closing(PostgresStore(url, played[1].parent)) as store:
            store.append(Append(stream, AT_END, (b"{}", b"{}")))
        if is_cut:
            in_database(url, cut_the_end)
        check_index(*values)

    monkeypatch.setattr(verifier, "check_index", write_first)
    assert verifier.verify(url).ok is not is_cut


def test_the_second_verifier_reads_a_url(played: tuple[PostgresUrl, Path]) -> None:
    url = played[0].secret
    other = url.replace("postgresql://", "postgres://")
    for words, status, text in (
        ((url,), 0, "OK: "),
        ((other, "--key", "00" * 32), 1, "BAD: head: "),
        ((f"{url}x",), 2, "cannot be read: "),
    ):
        done = run_other(*words)
        assert (done.returncode, text in done.stdout + done.stderr) == (status, True), done
        assert url.split(":")[2].split("@")[0] not in done.stderr, "the password is shown"


def test_psycopg_is_needed_only_for_a_url(played: tuple[PostgresUrl, Path]) -> None:
    blocked = "import sys; sys.modules['psycopg'] = None; sys.argv[0:1] = []; import runpy; "
    code = blocked + "runpy.run_path(sys.argv[0], run_name='__main__')"
    command = [sys.executable, "-c", code, str(verifiers.FILE)]
    done = subprocess.run([*command, str(played[1])], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    done = subprocess.run([*command, played[0].secret], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (
        2,
        "PostgreSQL needs psycopg: pip install 'psycopg[binary]'\n",
    )
