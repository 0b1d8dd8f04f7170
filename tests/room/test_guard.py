"""A guard of commands: what it names has to hold when they are written, and it may refuse them."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.errors import Refused
from queenhigh.room.room import Room, settings_for
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append
from queenhigh.table.commands import FLOOR, CloseTable, Command
from queenhigh.table.registry import STAFF


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        made = Room(store)
        book = qh.load("house")
        made.open_table("t1", book, settings_for(book))
        yield made


CLOSE = CloseTable(id="close", by=FLOOR, at=2**42, reason="late")


def test_a_command_is_decided_again_when_the_staff_has_changed(room: Room) -> None:
    """Twice the staff's stream is not as it was when the command was decided."""
    versions, seen = iter((3, 1, 0)), list[str]()

    def guard(command: Command) -> tuple[Append, ...]:
        if not isinstance(command, CloseTable):
            return ()
        seen.append(command.id)
        return (Append(STAFF, next(versions), ()),)

    room.guard = guard
    room.forget("t1")
    table = room.table("t1")
    before = table.committed.version
    assert table.execute(CLOSE) is not None
    assert seen == ["close"] * 3
    assert table.committed.closing == "late"
    assert room.store.version("table/t1") == table.committed.version > before
    assert room.store.version(STAFF) == 0, "the guard itself writes nothing"


def test_a_guard_may_refuse_a_command(room: Room) -> None:
    def guard(command: Command) -> tuple[Append, ...]:
        raise Refused("role.needed", "staff Fred may not close table any more")

    room.guard = guard
    room.forget("t1")
    table = room.table("t1")
    before = table.committed.version
    with pytest.raises(Refused):
        table.execute(CLOSE)
    assert room.store.version("table/t1") == table.pending.version == before
