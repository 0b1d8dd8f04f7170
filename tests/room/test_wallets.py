"""Wallets that have a long history: what they cost, what they remember, and what they forget."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

import queenhigh as qh
from queenhigh.room import wallets as wallets_module
from queenhigh.room.durable_table import Outcome
from queenhigh.room.room import Room
from queenhigh.room.wallets import Wallets
from queenhigh.store.memory import MemoryStore
from queenhigh.store.migrations import MIGRATIONS
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append, Stored
from queenhigh.store.used import FILL, MIGRATION
from queenhigh.table.commands import Bet, Choose, Sit
from queenhigh.table.wallet import pack_wallet
from tests.table.table_driver import CHIPS, Table
from tests.verify.verifiers import BOTH, prove


class Counting(MemoryStore):
    """A store that counts the events it is asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = 0

    def read(self, stream: str, after: int = 0, since: bytes | None = None) -> Iterator[Stored]:
        for row in super().read(stream, after, since):
            self.rows += 1
            yield row


def go_in_and_out(table: Table, times: int, player: str = "ann") -> None:
    for _ in range(times):
        table.do("Sit", player, place=1, cents=100)
        table.do("Leave", player)


def outside(store: Any = None) -> Table:
    """Return a table that ann has left."""
    table = Table("house", {"ann": 1}, store=store)
    table.do("Leave", "ann")
    return table


def test_first_read_of_a_long_wallet_reads_few_events() -> None:
    store = Counting()
    table = outside(store)
    go_in_and_out(table, 400)
    wallet, store.rows = table.room.wallets.of("ann"), 0
    assert Wallets(store).of("ann") == wallet
    assert (wallet.version, wallet.cents) == (803, CHIPS)
    assert store.rows <= 250


def test_long_wallet_without_a_snapshot_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As in a store of before, or in one that was restored."""
    monkeypatch.setattr(wallets_module, "_BETWEEN_SNAPSHOTS", 10**6)
    store = SqliteStore(tmp_path / "room.db")
    table = outside(store)
    go_in_and_out(table, 20)
    wallet = table.room.wallets.of("ann")
    assert store.snapshot("wallet/ann") is None
    monkeypatch.setattr(wallets_module, "_BETWEEN_SNAPSHOTS", 10)
    again = Wallets(store)
    assert again.of("ann") == wallet
    store.flush()
    saved = store.snapshot("wallet/ann")
    assert saved is not None
    assert saved.version == wallet.version
    assert Wallets(store).of("ann") == wallet
    store.close()
    prove(tmp_path / "room.db")


def test_wallet_does_not_grow_with_its_history() -> None:
    """A wallet is copied for every event, so it must not grow with them."""
    table = outside()
    before = len(pack_wallet(table.room.wallets.of("ann")))
    go_in_and_out(table, 100)
    assert len(pack_wallet(table.room.wallets.of("ann"))) <= before + 2


@pytest.mark.parametrize(
    "state",
    [
        b"",
        b"\xff",
        b'{"other":1}',
        b'{"player":"ann","version":3,"cents":7,"issued":7,"more":1}',
        b'{"player":"bob","version":3,"cents":7,"issued":7}',
        b'{"player":"ann","version":2,"cents":7,"issued":7}',
        b'{"player":"ann","version":3,"cents":-7,"issued":7}',
    ],
)
def test_a_snapshot_that_fits_no_wallet_is_ignored(state: bytes) -> None:
    table = outside()
    store = table.room.store
    wallet = table.room.wallets.of("ann")
    assert wallet.version == 3
    store.append(Append("wallet/ann", 3, (), state))
    assert store.snapshot("wallet/ann") is not None
    assert Wallets(store).of("ann") == wallet


def test_a_snapshot_is_used_where_it_fits() -> None:
    """The control: a snapshot that fits is used."""
    table = outside()
    state = b'{"player":"ann","version":3,"cents":7,"issued":7}'
    table.room.store.append(Append("wallet/ann", 3, (), state))
    assert Wallets(table.room.store).of("ann").cents == 7


# Ids


def test_an_id_is_refused_however_long_ago_it_was_used(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = outside(store)
    sit = table.command("Sit", "ann", place=1, cents=100)
    table.give(sit)
    leave = table.command("Leave", "ann")
    table.give(leave)
    go_in_and_out(table, 300)
    for room in (table.room, Room(store)):
        other = room.open_table("other", table.book, table.state.settings)
        for command in (sit, Sit(id=leave.id, by="ann", at=0, place=1, cents=100)):
            with pytest.raises(qh.QueenhighError, match="already executed"):
                other.execute(command)
        room.wallets.issue("ann", 5, id="chips", at=0, reason="again")
        assert room.wallets.of("ann").cents == CHIPS
    store.close()
    prove(tmp_path / "room.db")


def test_an_id_that_is_queued_counts_as_used(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = outside(store)
    other = table.room.open_table("other", table.book, table.state.settings)
    sit = Sit(id="both", by="ann", at=table.at, place=1, cents=100)
    outcomes: list[Outcome] = []
    table.durable.submit(sit, outcomes.append)
    with pytest.raises(qh.QueenhighError, match="already executed"):
        other.submit(sit, outcomes.append)
    store.flush()
    assert [isinstance(outcome, Exception) for outcome in outcomes] == [False]
    assert table.wallet("ann") == CHIPS - 100
    store.close()
    prove(tmp_path / "room.db")


def test_an_id_of_an_append_that_failed_is_free_again(tmp_path: Path) -> None:
    """Another process wrote to the wallet: nothing of what was queued counts."""
    one, two = SqliteStore(tmp_path / "room.db"), SqliteStore(tmp_path / "room.db")
    table = outside(one)
    sit = table.command("Sit", "ann", place=1, cents=100)
    outcomes: list[Outcome] = []
    table.durable.submit(sit, outcomes.append)
    Room(two).wallets.issue("ann", 1000, id="more", at=0, reason="more")
    one.flush()
    assert isinstance(outcomes[0], Exception)
    table.give(sit)
    assert table.wallet("ann") == CHIPS + 1000 - 100
    one.close()
    two.close()
    prove(tmp_path / "room.db")


def test_cash_out_may_reuse_an_id_from_another_table(tmp_path: Path) -> None:
    """A program may number its commands by table; leaving is settled by whichever comes last."""
    store = SqliteStore(tmp_path / "room.db")
    table = Table("house", {"ann": 1, "bob": 2}, store=store)
    other = table.room.open_table("other", table.book, table.state.settings)
    other.execute(Sit(id="7", by="ann", at=table.at, place=1, cents=100))
    table.tick()
    wagers = (Bet("ante", 100),)
    for player in ("ann", "bob"):
        table.do("PlaceWagers", player, wagers=wagers, ready=True)
    table.do("Choose", "bob", move="fold")
    table.do("Leave", "ann", when="after_round")
    events = table.give(Choose(id="7", by="ann", at=table.at, round=1, move="fold"))
    assert type(events[-1]).__name__ == "SeatLeft"
    third = table.room.open_table("third", table.book, table.state.settings)
    with pytest.raises(qh.QueenhighError, match="already executed"):
        third.execute(Sit(id="7", by="ann", at=table.at, place=1, cents=100))
    store.close()
    prove(tmp_path / "room.db")


@pytest.mark.parametrize("kind", ["issue", "sit", "sit by the id of a leave"])
def test_both_verifiers_find_an_id_used_twice(  # L22
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A room that forgets what was used, as its index might if it were edited."""
    store = SqliteStore(tmp_path / "room.db")
    table = outside(store)
    sit = table.command("Sit", "ann", place=1, cents=100)
    table.give(sit)
    leave = table.command("Leave", "ann")
    table.give(leave)
    other = table.room.open_table("other", table.book, table.state.settings)
    apsw.Connection(str(tmp_path / "room.db")).execute("delete from used")
    if kind == "issue":
        table.room.wallets.issue("ann", 5, id="chips", at=0, reason="again")
    else:
        id = sit.id if kind == "sit" else leave.id
        other.execute(Sit(id=id, by="ann", at=table.at, place=1, cents=100))
    store.close()
    verdicts = [verify(tmp_path / "room.db") for verify in BOTH.values()]
    assert [verdict.ok for verdict in verdicts] == [False, False]
    assert all("already executed" in str(verdict.reason) for verdict in verdicts)
    assert verdicts[0].n == verdicts[1].n


# Memory


def test_few_wallets_stay_in_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wallets_module, "_MOST_KNOWN", 10)
    table = outside()
    wallets = table.room.wallets
    for number in range(50):
        wallets.issue(f"p{number}", 100 + number, id="chips", at=0, reason="to play")
        wallets.of("ann")
    assert len(wallets._known) == 10
    assert "ann" in wallets._known, "it was asked for all the time"
    assert [wallets.of(f"p{number}").cents for number in range(50)] == list(range(100, 150))


def test_wallet_with_queued_appends_stays_in_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wallets_module, "_MOST_KNOWN", 3)
    store = SqliteStore(tmp_path / "room.db")
    table = outside(store)
    outcomes: list[Outcome] = []
    table.durable.submit(table.command("Sit", "ann", place=1, cents=100), outcomes.append)
    for number in range(9):
        table.room.wallets.of(f"p{number}")
    assert table.wallet("ann") == CHIPS - 100
    table.durable.submit(table.command("TopUp", "ann", cents=50), outcomes.append)
    store.flush()
    assert not [outcome for outcome in outcomes if isinstance(outcome, Exception)]
    for number in range(9):
        table.room.wallets.of(f"p{number}")
    assert len(table.room.wallets._known) == 3
    assert "ann" not in table.room.wallets._known, "nothing is queued for it any more"
    assert table.wallet("ann") == CHIPS - 150
    store.close()
    prove(tmp_path / "room.db")


# Stores of before


def used(file: Path) -> list[Any]:
    connection = apsw.Connection(str(file))
    rows = connection.execute("select name, key from used join stream on id = stream order by 1, 2")
    keys = rows.fetchall()
    connection.close()
    return keys


def test_older_store_gets_its_index_of_used_ids(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    table = Table("house", {"ann": 1, "béa 𝄞": 2}, store=SqliteStore(file))
    table.do("Leave", "ann")
    table.do("CloseTable", "floor", reason="late")
    table.room.store.close()
    filled = used(file)
    assert filled == [
        ("wallet/ann", "ann\nc1"),
        ("wallet/ann", "ann\nc3"),
        ("wallet/ann", "floor\nchips"),
        ("wallet/béa 𝄞", "béa 𝄞\nc2"),
        ("wallet/béa 𝄞", "floor\nchips"),
    ]
    connection = apsw.Connection(str(file))
    before = MIGRATIONS.index(MIGRATION)
    connection.execute(f"drop table used; pragma user_version = {before}")
    connection.close()
    store = SqliteStore(file)
    assert store.is_used("wallet/ann", "ann\nc1")
    store.close()
    assert used(file) == filled


def test_store_with_an_event_that_is_not_json_opens(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    store = SqliteStore(file)
    junk = (b"\xff\x00", b"[1]", b'{"type":"wallet.issued/1","by":3}', b'{"type":7}', b"")
    store.append(Append("wallet/ann", 0, junk))
    store.close()
    connection = apsw.Connection(str(file))
    connection.execute(FILL)
    connection.close()
    assert used(file) == []
