"""A store that was deleted or replaced keeps nothing, and says so."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    store = SqliteStore(tmp_path / "room.db")
    yield store
    store.close()


@pytest.mark.parametrize("name", ["room.db", "room.db-wal"])
def test_nothing_is_acknowledged_after_a_file_is_gone(
    store: SqliteStore, tmp_path: Path, name: str
) -> None:
    store.append(Append("a", 0, (b"1",)))
    away = tmp_path / "away"
    os.rename(tmp_path / name, away)
    for _ in range(2):
        with pytest.raises(QueenhighError, match="deleted or replaced") as refused:
            store.append(Append("a", 1, (b"2",)))
        assert refused.value.code == "store.gone"
    os.rename(away, tmp_path / name)
    with pytest.raises(QueenhighError, match="deleted or replaced"):
        store.append(Append("a", 1, (b"2",)))


def test_present_store_does_not_count_as_gone(store: SqliteStore) -> None:
    for version in range(50):
        store.append(Append("a", version, (b"1",)))
    store._writes.execute("pragma wal_checkpoint(truncate)")
    store.append(Append("a", 50, (b"1",)))
    assert store.missing() is None


def test_disk_error_does_not_count_as_gone(
    store: SqliteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(file: str) -> os.stat_result:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr("queenhigh.store.presence.os.stat", fail)
        wrong = store.missing()
        assert wrong is not None
        assert wrong.code == "store.failed"
    assert store.missing() is None
