"""Stored events that do not fit together: one error with the place, wherever they are read."""

from contextlib import closing
from pathlib import Path

import pytest

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.history.index.report_queries import ReportIndex
from queenhigh.history.records import rounds_of
from queenhigh.room.room import Room
from queenhigh.room.salvage import last_good
from queenhigh.store.memory import MemoryStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append, Store
from queenhigh.table.events import SeatLeft, SpinSettled, TableEvent, decode, encode
from queenhigh.table.wallet import BoughtIn
from queenhigh.verify.fold import BrokenStream, apply_event
from queenhigh.verify.verifier import verify
from tests.table.table_driver import Table

#: Nobody sits at place 9, and no ball has landed.
LEFT = SeatLeft(at=10**12, by="ann", id="x", place=9, player="ann", cents=5)
SETTLED = SpinSettled(at=10**12, by="clock", id="", round=1, seed="", places=(), net=0)
SENTENCE = "the events of table t do not fit together: run queenhigh verify"


def broken_store(store: Store, event: bytes) -> int:
    """Append an event that does not fit to the stream of a table; return its version."""
    table = Table("roulette", store=store)
    version = table.state.version
    store.append(Append("table/t", version, (event,)))
    return version + 1


@pytest.mark.parametrize("event", [LEFT, SETTLED])
def test_loading_a_table_names_the_event(event: TableEvent) -> None:
    store = MemoryStore()
    version = broken_store(store, encode(event))
    with pytest.raises(BrokenStream) as raised:
        Room(store).table("t")
    error = raised.value
    assert (error.code, str(error)) == ("table.broken", SENTENCE)
    assert (error.stream, error.version) == ("table/t", version)
    assert error.reason != SENTENCE


def test_unreadable_event_keeps_its_own_code() -> None:
    store = MemoryStore()
    version = broken_store(store, b"{}")
    with pytest.raises(BrokenStream, match="this is not an event of a table") as raised:
        Room(store).table("t")
    assert (raised.value.code, raised.value.version) == ("event.unreadable", version)


def test_salvage_goes_up_to_the_event() -> None:
    store = MemoryStore()
    version = broken_store(store, encode(LEFT))
    state = last_good(store, "t")
    assert state is not None
    assert state.version == version - 1


def test_rounds_and_index_name_the_same_event(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        version = broken_store(store, encode(LEFT))
        events = [decode(row.event) for row in store.read("table/t")]
    with pytest.raises(BrokenStream) as of_rounds:
        list(rounds_of(events, "t"))
    index = ReportIndex(tmp_path / "room.db", tmp_path / "index.db")
    with closing(index), pytest.raises(BrokenStream) as of_index:
        index.catch_up()
    for error in (of_rounds.value, of_index.value):
        assert (error.code, str(error)) == ("table.broken", SENTENCE)
        assert (error.stream, error.version) == ("table/t", version)


def test_verifier_names_the_same_event(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        version = broken_store(store, encode(LEFT))
    report = verify(tmp_path / "room.db")
    assert (report.stream, report.version) == ("table/t", version)


def test_overdrawn_wallet_names_the_event() -> None:
    store = MemoryStore()
    bought = BoughtIn(at=1, by="ann", id="x", cents=5, table="t", version=2)
    store.append(Append("wallet/ann", 0, (encode(bought),)))
    with pytest.raises(BrokenStream, match="the wallet of ann would fall below zero") as raised:
        Room(store).wallets.of("ann")
    error = raised.value
    assert (error.code, error.stream, error.version) == ("log.broken", "wallet/ann", 1)
    assert isinstance(error, BrokenLog)  # players are told that something is wrong, no more


def test_first_event_must_open_the_table() -> None:
    with pytest.raises(BrokenStream) as raised:
        apply_event(None, LEFT, "table/t")
    assert raised.value.version == 1
    assert raised.value.reason == "a table's first event opens it"
    assert isinstance(raised.value, QueenhighError)
    assert not isinstance(raised.value, BrokenLog)
