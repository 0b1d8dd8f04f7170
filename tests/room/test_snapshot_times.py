"""When a table saves a snapshot."""

import pytest

import queenhigh as qh
from queenhigh.room.room import Room, settings_for
from queenhigh.store.memory import MemoryStore
from queenhigh.table.commands import Sit


def test_refused_buy_in_does_not_put_a_snapshot_off(monkeypatch: pytest.MonkeyPatch) -> None:
    book, store = qh.load("house"), MemoryStore()
    room = Room(store)
    table = room.open_table("t", book, settings_for(book))
    room.wallets.issue("ann", 10_000, id="chips", at=1, reason="to begin with")
    at, due = table.committed.at + 1, table.committed.version + 1
    monkeypatch.setattr("queenhigh.room.durable_table._BETWEEN_SNAPSHOTS", due)
    with pytest.raises(qh.QueenhighError, match="your balance is"):
        table.execute(Sit(id="sit", by="bob", at=at, place=1, cents=10_000))
    assert store.snapshot(table.stream) is None
    table.execute(Sit(id="sit", by="ann", at=at, place=1, cents=10_000))
    saved = store.snapshot(table.stream)
    assert saved is not None
    assert saved.version == due
