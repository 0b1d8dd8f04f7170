"""The power is cut, and the disk fails: what was acknowledged is there, what was not is not."""

import shutil
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.store import sqlite
from queenhigh.store.batch import Request
from queenhigh.store.commit_writer import CommitWriter
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append
from tests.sizes import sized
from tests.store.power import Tape, recording

APPENDS = 25
CUTS = sized(15, 80, 800)
_PAGES_BETWEEN_CHECKPOINTS = 12


def both(number: int) -> tuple[Append, Append]:
    """Return what is appended in one go: one event here, two there, and at times a snapshot."""
    here, there = b"here %d " % number * 40, b"there %d " % number * 10
    saved = b"state %d" % number * 200 if number % 5 == 0 else None
    return Append("a", number, (here,), saved), Append("b", 2 * number, (there, there + b"!"))


def checkpoint_often(store: SqliteStore) -> None:
    store._writes.pragma("wal_autocheckpoint", _PAGES_BETWEEN_CHECKPOINTS)


def play(file: Path, tape: Tape) -> None:
    """Append one after another, some in one commit, and take note of each answer."""
    with closing(SqliteStore(file)) as store:
        checkpoint_often(store)
        for number in range(APPENDS):
            store.submit(lambda wrong: tape.acknowledge(), *both(number))
            if number % 4:
                store.flush()


def count_events(file: Path) -> int:
    """Return how many appends a store has, each whole."""
    with closing(SqliteStore(file)) as store:
        here, there = ([row.event for row in store.read(name)] for name in "ab")
        saved = store.snapshot("a")
    whole = [append.events for number in range(len(here)) for append in both(number)]
    assert (here, there) == (
        [event for events in whole[::2] for event in events],
        [event for events in whole[1::2] for event in events],
    )
    assert saved is None or saved.state == b"state %d" % (saved.version - 1) * 200
    return len(here)


def lost_by_cuts(folder: Path, cuts: int) -> list[int]:
    """Play once, cut the power at many moments; return at which something was missing."""
    file, lost = folder / "room.db", []
    with recording(folder.name) as tape:
        play(file, tape)
    assert len(tape.marks) == APPENDS
    for number in range(cuts):
        random = Random(number)
        cut = random.randrange(len(tape.done) + 1)
        left = folder / str(number)
        left.mkdir()
        tape.left_by(cut, random, left)
        shutil.copy(f"{file}.key", left / "room.db.key")
        try:
            if count_events(left / "room.db") < tape.acknowledged(cut):
                lost.append(cut)
        except (QueenhighError, AssertionError):
            lost.append(cut)
    return lost


def test_power_cut_loses_nothing_acknowledged(tmp_path: Path) -> None:
    assert lost_by_cuts(tmp_path, CUTS) == []


def test_power_cut_without_syncs_loses_events(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: Callable[[Path], apsw.Connection] = sqlite._open

    def careless(file: Path) -> apsw.Connection:
        connection = opened(file)
        connection.pragma("synchronous", "off")
        return connection

    monkeypatch.setattr(sqlite, "_open", careless)
    assert lost_by_cuts(tmp_path, 20)


# Errors of the disk


def survive(folder: Path, kth: int, *, lasting: int) -> bool:
    """Make the k-th operation of the disk fail, and some after it; return whether it was reached.

    Every append is acknowledged and there, or refused and absent, and in the end all goes on.
    """
    file, seen = folder / "room.db", 0
    folder.mkdir()

    def fail(what: str) -> None:
        nonlocal seen
        seen += 1
        if kth <= seen < kth + lasting:
            raise apsw.IOError(f"the disk cannot {what}")

    with recording(folder.name) as tape:
        tape.before = fail
        done, codes = 0, set[str]()
        for _ in range(60):
            with suppress(QueenhighError), closing(SqliteStore(file)) as store:
                checkpoint_often(store)
                while done < 8:
                    try:
                        store.append(*both(done))
                    except QueenhighError as raised:
                        codes.add(raised.code)
                        assert found_now(store) == done, "refused, and absent"
                    else:
                        done += 1
                        assert found_now(store) == done, "acknowledged, and there"
                break
        assert done == 8, "the store goes on once the disk does"
    assert codes <= {"store.failed"}
    assert count_events(file) == done
    return seen >= kth


def found_now(store: SqliteStore) -> int:
    return len(list(store.read("a")))


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("lasting", [1, 5])
def test_disk_errors_are_survived(tmp_path: Path, lasting: int) -> None:
    tried = survive_all(tmp_path, step=sized(19, 3, 1), lasting=lasting)
    assert tried > 60, "appends and checkpoints were among them"


def survive_all(folder: Path, *, step: int, lasting: int) -> int:
    """Make one operation after another fail; return how many there are."""
    kth = 1
    while survive(folder / str(kth), kth, lasting=lasting):
        kth += step
    return kth


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_store_that_hides_failures_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = CommitWriter.write

    def all_is_well(self: CommitWriter, requests: list[Request]) -> list[Exception | None]:
        write(self, requests)
        return [None] * len(requests)

    monkeypatch.setattr(CommitWriter, "write", all_is_well)
    with pytest.raises(AssertionError, match="acknowledged, and there"):
        survive_all(tmp_path, step=3, lasting=1)
