"""Tables that other processes hold, as this one lists them."""

from contextlib import closing
from pathlib import Path
from typing import cast

import pytest

import queenhigh as qh
from queenhigh.room.room import Room, settings_for
from queenhigh.server import followed_tables
from queenhigh.server.admin_store import OpenedRow
from queenhigh.server.followed_tables import FollowedTables, SharedStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import DamagedStream


def open_table(store: SqliteStore, name: str) -> None:
    book = qh.load("house")
    Room(store).open_table(name, book, settings_for(book))


def test_new_table_has_its_own_row_at_once(tmp_path: Path) -> None:
    """With a row of defaults it would be listed for everyone, and have no owner."""
    rows: dict[str, OpenedRow] = {}
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        open_table(store, "first")
        followed = FollowedTables(cast("SharedStore", store), lambda: dict(rows))
        assert followed.table("first") is not None
        open_table(store, "mine")
        rows["mine"] = OpenedRow(owner="Ada", practice=True)
        mine = followed.table("mine")
        assert mine is not None
        assert (mine.owner, mine.practice) == ("Ada", True)


def test_table_without_a_row_is_looked_for_once(tmp_path: Path) -> None:
    looks: list[None] = []

    def read_rows() -> dict[str, OpenedRow]:
        looks.append(None)
        return {}

    with closing(SqliteStore(tmp_path / "room.db")) as store:
        open_table(store, "first")
        followed = FollowedTables(cast("SharedStore", store), read_rows)
        for _ in range(3):
            assert followed.table("first") is not None
    assert len(looks) == 1


def test_damaged_table_is_known_and_not_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[str] = []

    def fail(store: object, stream: str) -> None:
        reads.append(stream)
        raise DamagedStream(stream, 1)

    monkeypatch.setattr(followed_tables, "load_saved", fail)
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        open_table(store, "first")
        followed = FollowedTables(cast("SharedStore", store), dict)
        for _ in range(3):
            assert followed.table("first") is None
        assert (list(followed.damaged), reads) == (["first"], ["table/first"])
        monkeypatch.undo()
        followed.forget("first")
        assert followed.table("first") is not None
        assert followed.damaged == {}
