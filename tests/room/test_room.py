"""Tables on a store: what a second process, a full disk, a restart and a snapshot do to them."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

import queenhigh as qh
from queenhigh.room import durable_table
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.durable_table import Outcome
from queenhigh.room.room import Room, settings_for
from queenhigh.store.memory import MemoryStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append, Conflict, Store
from queenhigh.table.commands import Bet, Sit
from tests.table.table_driver import CHIPS, Table
from tests.verify.verifiers import BOTH

THREE = {"ann": 1, "bob": 2, "cyd": 3}


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "room.db")
    yield made
    made.close()


def test_two_processes_at_one_table_resolve_conflicts(store: Store) -> None:
    table = Table("house", THREE, store=store)
    table.tick()
    other = Table("house", store=store)
    table.bet("ann", ante=100)
    other.bet("bob", ante=200)
    table.bet("cyd", ante=300)
    assert table.state.phase == "deciding"
    assert [table.held(name) for name in THREE] == [100, 200, 300]


def test_the_same_command_at_two_processes_has_one_effect(store: Store) -> None:
    table = Table("house", THREE, store=store)
    table.tick()
    other = Table("house", store=store)
    command = table.command("PlaceWagers", "ann", round=1, wagers=(Bet("ante", 100),))
    assert table.durable.execute(command) == other.durable.execute(command)
    assert other.held("ann") == 100


class FailsAtTimes(MemoryStore):
    """A store whose disk can be made full."""

    full = False

    def append(self, *appends: Append) -> None:
        if self.full:
            raise OSError("the disk is full")
        super().append(*appends)


def test_failed_append_changes_nothing() -> None:
    store = FailsAtTimes()
    table = Table("house", THREE, store=store)
    table.tick()
    before = table.state
    store.full = True
    wagers = (Bet("ante", 100),)
    commands = [table.command("PlaceWagers", name, round=1, wagers=wagers) for name in THREE]
    answers: list[Outcome] = []
    for command in commands:
        table.durable.submit(command, answers.append)
    assert all(isinstance(answer, OSError) for answer in answers)
    with pytest.raises(OSError, match="full"):
        table.do("TopUp", "ann", cents=5)
    store.full = False
    wallet = table.wallet("ann")
    table.tick(wait=0)
    assert msgspec.structs.replace(table.state, book=before.book) == before
    table.do("TopUp", "ann", cents=5)
    assert table.wallet("ann") == wallet - 5
    assert table.durable.execute(commands[0]) is not None


def test_commands_are_pipelined(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("house", THREE, store=store)
    table.tick()
    wagers = (Bet("ante", 100),)
    commands = [
        table.command("PlaceWagers", name, round=1, wagers=wagers, ready=True) for name in THREE
    ]
    outcomes: list[Outcome] = []
    for command in (*commands, commands[0]):
        table.durable.submit(command, outcomes.append)
    assert outcomes == []
    store.flush()
    assert len(outcomes) == 4
    assert outcomes[0] == outcomes[1]
    assert table.state.phase == "deciding"
    store.close()


def test_commands_that_depend_on_a_failure_fail(tmp_path: Path) -> None:
    """Another process appends as much as the failed command would have."""
    store = SqliteStore(tmp_path / "room.db")
    table = Table("roulette", {"ann": 1, "bob": 2}, store=store, stack=100)
    table.tick()
    other = Table("roulette", store=store)
    outcomes: list[Outcome] = []
    other.durable.submit(other.command("AddSeed", "bob", round=1, seed="x"), outcomes.append)
    table.durable.submit(table.command("TopUp", "ann", cents=5000), outcomes.append)
    wager = table.command("PlaceWagers", "ann", round=1, wagers=(Bet("red", 5000),))
    table.durable.submit(wager, outcomes.append)
    store.flush()
    assert [isinstance(outcome, Conflict) for outcome in outcomes] == [False, True, True]
    again = Table("roulette", store=store)
    assert (again.held("ann"), again.stack("ann")) == (0, 100)
    assert again.wallet("ann") == CHIPS - 100
    store.close()


def test_only_committed_state_is_shown(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("roulette", THREE, store=store)
    table.tick()
    wagers = (Bet("red", 100),)
    for name in THREE:
        command = table.command("PlaceWagers", name, round=1, wagers=wagers, ready=True)
        table.durable.submit(command, lambda outcome: None)
    assert (table.durable.pending.last is not None, table.state.last) == (True, None)
    store.flush()
    assert table.state.last is not None
    store.close()


def test_failing_callback_does_not_affect_others(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("roulette", THREE, store=store)
    table.tick()
    outcomes: list[Outcome] = []

    def deaf(outcome: Outcome) -> None:
        raise RuntimeError("not now")

    table.durable.submit(table.command("AddSeed", "ann", round=1, seed="x"), deaf)
    command = table.command("AddSeed", "bob", round=1, seed="y")
    table.durable.submit(command, outcomes.append)
    with pytest.raises(RuntimeError, match="not now"):
        store.flush()
    assert outcomes == [table.durable.execute(command)]

    def flush(outcome: Outcome) -> None:
        store.flush()

    table.durable.submit(table.command("AddSeed", "cyd", round=1, seed="z"), flush)
    with pytest.raises(qh.QueenhighError, match="commit callback"):
        store.flush()
    store.close()


def test_chips_are_issued_once_for_an_id(tmp_path: Path) -> None:
    """One room has something of this wallet queued when another room writes to it."""
    file = tmp_path / "room.db"
    one, other = SqliteStore(file), SqliteStore(file)
    table = Table("house", {"ann": 1}, store=one)
    table.do("Leave", "ann")
    sit = table.command("Sit", "ann", place=2, cents=100)
    outcomes: list[Outcome] = []
    table.durable.submit(sit, outcomes.append)
    Room(other).wallets.issue("ann", 1000, id="c1", at=0, reason="more")
    table.room.wallets.issue("ann", 1000, id="c1", at=0, reason="more")
    assert isinstance(outcomes[0], Conflict)
    assert table.wallet("ann") == CHIPS + 1000
    one.close()
    other.close()
    assert all(verify(file).ok for verify in BOTH.values())


def test_flush_inside_a_flush_callback_is_refused(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("house", {"ann": 1}, store=store)

    def more(outcome: Outcome) -> None:
        table.room.wallets.issue("ann", 77, id="in between", at=0, reason="more")

    table.durable.submit(table.command("SitOut", "ann", aside=True), more)
    with pytest.raises(qh.QueenhighError, match="commit callback"):
        store.flush()
    assert table.wallet("ann") == CHIPS - 100_000
    assert b"in between" not in b"".join(row.event for row in store.read("wallet/ann"))
    store.close()


def test_step_that_opens_and_ends_a_round_is_proved(tmp_path: Path) -> None:
    """Somebody leaves with a bet in prison; later the room lets them spend chips twice."""
    book = qh.load("roulette-european", {"on_zero": "en_prison"})
    for seed in range(400):
        file = tmp_path / f"{seed}.db"
        store = SqliteStore(file)
        table = Table(book, {"ann": 1}, store=store, stack=CHIPS)
        table.tick()
        table.do("AddSeed", "ann", seed=str(seed))
        table.bet("ann", red=10_000)
        if table.state.prison:
            break
        store.close()
    table.do("Leave", "ann", when="now")
    opened = table.tick()
    while table.state.places:
        opened = table.tick()
    assert type(opened[0]).__name__ == "RoundOpened2"
    assert type(opened[-1]).__name__ == "SeatLeft"
    has = table.wallet("ann")
    forged = msgspec.structs.replace(table.room.wallets.of("ann"), cents=2 * CHIPS)
    table.room.wallets._known["ann"].wallet = forged
    table.do("Sit", "ann", place=1, cents=has + 1)
    store.close()
    for name, verify in BOTH.items():
        verdict = verify(file)
        assert not verdict.ok, f"{name} believes it"


def test_bot_without_chips_is_topped_up() -> None:
    book = qh.load("house")
    room = Room(MemoryStore())
    durable = room.open_table("t", book, settings_for(book, pace=AT_ONCE))
    bots = make_bots(book, 1, 1, ("q64",))
    room.wallets.issue("Ada", 100_100, id="first chips", at=0, reason="few")
    durable.execute(Sit(id="s", by="Ada", at=0, place=1, cents=100_000, bot=True))
    assert play(room, durable, bots, 3).rounds == 3


def test_a_snapshot_gives_the_same_table(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(durable_table, "_BETWEEN_SNAPSHOTS", 7)
    table = Table("california", THREE, store=store)
    for _ in range(3):
        table.banked_by("ann")
        table.bet("bob", ante=500)
        table.bet("cyd", ante=700, bonus=100)
        table.tick()
    saved = store.snapshot("table/t")
    assert saved is not None
    assert 0 <= table.state.version - saved.version < 30
    again = Table("california", store=store)
    assert msgspec.structs.replace(again.state, book=table.book) == msgspec.structs.replace(
        table.state, book=table.book
    )


def test_snapshot_of_another_program_is_ignored(store: Store) -> None:
    table = Table("california", THREE, store=store)
    events = tuple(row.event for row in store.read("table/t"))
    store.append(Append("table/t", len(events), (), b'{"other":1}'))
    assert Table("california", store=store).state.version == table.state.version


def test_bot_is_seated_as_banker_when_nobody_banks() -> None:
    book = qh.load("california")
    for allowed in (True, False):
        room = Room(MemoryStore())
        settings = settings_for(book, pace=AT_ONCE, bots=True)
        durable = room.open_table("t", book, settings)
        bots = make_bots(book, 4, 3, ("q64",))
        for bot in bots:
            bot.banks = False
        seat_bots(room, durable, [bot.name for bot in bots])
        if not allowed:
            alone = msgspec.structs.replace(settings, bots=False)
            durable._committed_state = durable._pending_state = msgspec.structs.replace(
                durable.committed, settings=alone
            )
            with pytest.raises(qh.QueenhighError, match="is waiting for a banker"):
                play(room, durable, bots, 3)
            continue
        assert play(room, durable, bots, 3).rounds == 3
        assert durable.committed.places[durable.committed.offer.banker or 0].player == "Banker"
