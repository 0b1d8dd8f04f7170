"""A snapshot is used only if its room wrote it for these very events."""

import re
from pathlib import Path
from random import Random

import pytest

from queenhigh.store.signing import Signer
from tests.sizes import sized
from tests.store.damaging import copy_store, events, flip, make_store, run_sql, states

EDITS = sized(15, 40, 400)
_NUMBER = re.compile(rb"(?<=[:\[,])\d+(?=[,}\]])")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("played") / "room.db"
    make_store(file)
    assert run_sql(file, "select count(*) from snapshot") == [(2,)]
    return file


def edit(state: bytes, random: Random) -> bytes:
    """Change one number of a snapshot, or one bit."""
    if random.random() < 0.4:
        return flip(state, random.randrange(8 * len(state)))
    number = random.choice(list(_NUMBER.finditer(state)))
    other = str(int(number[0]) + random.choice((1, 900_000_000))).encode()
    return state[: number.start()] + other + state[number.end() :]


def trusted_edits(played: Path, folder: Path) -> tuple[list[int], list[int]]:
    """Edit snapshots in many ways; return which edits changed a table, and which closed one."""
    good, silent, lost = states(played), list[int](), list[int]()
    rows = run_sql(played, "select stream, state from snapshot order by stream")
    for number in range(EDITS):
        random = Random(number)
        file = copy_store(played, folder / "room.db")
        stream, state = rows[number % len(rows)]
        run_sql(file, "update snapshot set state = ? where stream = ?", edit(state, random), stream)
        try:
            if states(file) != good:
                silent.append(number)
        except Exception:
            lost.append(number)
    return silent, lost


def test_edited_snapshot_is_ignored(played: Path, tmp_path: Path) -> None:
    assert trusted_edits(played, tmp_path) == ([], [])


def test_edited_snapshots_are_used_without_the_check(
    played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Signer, "has_signed_snapshot", lambda *_: True)
    silent, _ = trusted_edits(played, tmp_path)
    assert len(silent) > EDITS / 10


def test_snapshot_is_bound_to_stream_version_and_hash(played: Path, tmp_path: Path) -> None:
    good = states(played)
    for change in (
        "update snapshot set version = version - 1",
        "update snapshot set version = version + 1",
        "update snapshot set version = 1000000",
        "update snapshot set hash = zeroblob(32)",
        "update snapshot set signature = zeroblob(64)",
        "update snapshot set signature = x''",
        "update snapshot set hash = (select hash from event where id = 5)",
        "update snapshot set state ="
        " (select s.state from snapshot s where s.stream != snapshot.stream)",
    ):
        file = copy_store(played, tmp_path / "room.db")
        run_sql(file, change)
        assert states(file) == good, change


def test_events_before_a_good_snapshot_are_not_read(played: Path, tmp_path: Path) -> None:
    """Otherwise nothing above would show that snapshots are read at all."""
    file = copy_store(played, tmp_path / "room.db")
    run_sql(file, "update event set event = x'00' where version = 2 and stream = 1")
    assert states(file) == states(played)


def test_snapshots_from_before_they_were_signed_are_dropped(played: Path, tmp_path: Path) -> None:
    file = copy_store(played, tmp_path / "room.db")
    state = run_sql(file, "select state from snapshot where stream = 1")[0][0]
    for before in (
        "drop table snapshot",
        "drop table epoch",
        "drop table tip",
        "drop table used",
        "create table snapshot (stream integer primary key, version integer, state blob)",
        "pragma user_version = 2",
    ):
        run_sql(file, before)
    run_sql(file, "insert into snapshot values (1, 40, ?)", state)
    assert (states(file), events(file)) == (states(played), events(played))
    assert run_sql(file, "select * from snapshot") == []
