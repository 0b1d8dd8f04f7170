"""Tables on a store: what a second process, a full disk, a restart and a snapshot do to them."""

import json
import tomllib
import warnings
from collections.abc import Iterator
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any

import msgspec
import pytest

import queenhigh as qh
from queenhigh.room import desk as desk_module
from queenhigh.room.bots import make_bots
from queenhigh.room.desk import Outcome
from queenhigh.room.hand_history import as_hand_history, number_hands
from queenhigh.room.history import Record, as_recall, as_settle_line, rounds_of
from queenhigh.room.play import AT_ONCE, play, seat_bots
from queenhigh.room.room import Room, settings_for
from queenhigh.store.memory import MemoryStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append, Conflict, Store
from queenhigh.table.commands import Bet, Sit
from queenhigh.table.events import RoundSettled, decode
from tests.table.at_the_table import CHIPS, Table
from tests.table.verifiers import BOTH

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pokerkit import Card, HandHistory

THREE = {"ann": 1, "bob": 2, "cyd": 3}


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made: Store = MemoryStore() if request.param == "memory" else SqliteStore(tmp_path / "room.db")
    yield made
    made.close()


def test_two_processes_at_one_table_decide_again(store: Store) -> None:
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
    assert table.desk.execute(command) == other.desk.execute(command)
    assert other.held("ann") == 100


class FailsAtTimes(MemoryStore):
    """A store whose disk is full when it is told to be."""

    full = False

    def append(self, *appends: Append) -> None:
        if self.full:
            raise OSError("the disk is full")
        super().append(*appends)


def test_what_could_not_be_stored_has_not_happened() -> None:
    store = FailsAtTimes()
    table = Table("house", THREE, store=store)
    table.tick()
    before = table.state
    store.full = True
    wagers = (Bet("ante", 100),)
    commands = [table.command("PlaceWagers", name, round=1, wagers=wagers) for name in THREE]
    answers: list[Outcome] = []
    for command in commands:
        table.desk.submit(command, answers.append)
    assert all(isinstance(answer, OSError) for answer in answers)
    with pytest.raises(OSError, match="full"):
        table.do("TopUp", "ann", cents=5)
    store.full = False
    wallet = table.wallet("ann")
    table.tick(wait=0)
    assert msgspec.structs.replace(table.state, book=before.book) == before
    table.do("TopUp", "ann", cents=5)
    assert table.wallet("ann") == wallet - 5
    assert table.desk.execute(commands[0]) is not None


def test_commands_may_follow_before_the_first_is_on_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("house", THREE, store=store)
    table.tick()
    wagers = (Bet("ante", 100),)
    commands = [
        table.command("PlaceWagers", name, round=1, wagers=wagers, ready=True) for name in THREE
    ]
    told: list[Outcome] = []
    for command in (*commands, commands[0]):
        table.desk.submit(command, told.append)
    assert told == []
    store.flush()
    assert len(told) == 4
    assert told[0] == told[1]
    assert table.state.phase == "deciding"
    store.close()


def test_what_was_decided_upon_a_failure_fails_too(tmp_path: Path) -> None:
    """Another process appends as much as the failed command would have."""
    store = SqliteStore(tmp_path / "room.db")
    table = Table("roulette", {"ann": 1, "bob": 2}, store=store, stack=100)
    table.tick()
    other = Table("roulette", store=store)
    told: list[Outcome] = []
    other.desk.submit(other.command("AddSeed", "bob", round=1, seed="x"), told.append)
    table.desk.submit(table.command("TopUp", "ann", cents=5000), told.append)
    wager = table.command("PlaceWagers", "ann", round=1, wagers=(Bet("red", 5000),))
    table.desk.submit(wager, told.append)
    store.flush()
    assert [isinstance(one, Conflict) for one in told] == [False, True, True]
    again = Table("roulette", store=store)
    assert (again.held("ann"), again.stack("ann")) == (0, 100)
    assert again.wallet("ann") == CHIPS - 100
    store.close()


def test_nothing_is_shown_before_it_is_on_disk(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("roulette", THREE, store=store)
    table.tick()
    wagers = (Bet("red", 100),)
    for name in THREE:
        command = table.command("PlaceWagers", name, round=1, wagers=wagers, ready=True)
        table.desk.submit(command, lambda outcome: None)
    assert (table.desk.ahead.last is not None, table.state.last) == (True, None)
    store.flush()
    assert table.state.last is not None
    store.close()


def test_one_who_fails_to_listen_harms_no_other(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("roulette", THREE, store=store)
    table.tick()
    told: list[Outcome] = []

    def deaf(outcome: Outcome) -> None:
        raise RuntimeError("not now")

    table.desk.submit(table.command("AddSeed", "ann", round=1, seed="x"), deaf)
    command = table.command("AddSeed", "bob", round=1, seed="y")
    table.desk.submit(command, told.append)
    with pytest.raises(RuntimeError, match="not now"):
        store.flush()
    assert told == [table.desk.execute(command)]

    def flush(outcome: Outcome) -> None:
        store.flush()

    table.desk.submit(table.command("AddSeed", "cyd", round=1, seed="z"), flush)
    with pytest.raises(qh.QueenhighError, match="do it afterwards"):
        store.flush()
    store.close()


def test_chips_are_issued_once_for_an_id_whoever_issues(tmp_path: Path) -> None:
    """One room has something of this wallet queued when another room writes to it."""
    file = tmp_path / "room.db"
    one, other = SqliteStore(file), SqliteStore(file)
    table = Table("house", {"ann": 1}, store=one)
    table.do("Leave", "ann")
    sit = table.command("Sit", "ann", place=2, cents=100)
    told: list[Outcome] = []
    table.desk.submit(sit, told.append)
    Room(other).wallets.issue("ann", 1000, id="c1", at=0, reason="more")
    table.room.wallets.issue("ann", 1000, id="c1", at=0, reason="more")
    assert isinstance(told[0], Conflict)
    assert table.wallet("ann") == CHIPS + 1000
    one.close()
    other.close()
    assert all(verify(file).ok for verify in BOTH.values())


def test_a_flush_is_not_begun_by_who_is_told_of_one(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("house", {"ann": 1}, store=store)

    def more(outcome: Outcome) -> None:
        table.room.wallets.issue("ann", 77, id="in between", at=0, reason="more")

    table.desk.submit(table.command("StandAside", "ann", aside=True), more)
    with pytest.raises(qh.QueenhighError, match="do it afterwards"):
        store.flush()
    assert table.wallet("ann") == CHIPS - 100_000
    assert b"in between" not in b"".join(row.event for row in store.read("wallet/ann"))
    store.close()


def test_a_step_that_opens_a_round_and_ends_it_is_proved_once(tmp_path: Path) -> None:
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


def test_a_bot_that_is_out_of_chips_gets_more() -> None:
    book = qh.load("house")
    room = Room(MemoryStore())
    desk = room.open_table("t", book, settings_for(book, pace=AT_ONCE))
    bots = make_bots(book, 1, 1, ("q64",))
    room.wallets.issue("Ada", 100_100, id="first chips", at=0, reason="few")
    desk.execute(Sit(id="s", by="Ada", at=0, place=1, cents=100_000, bot=True))
    assert play(room, desk, bots, 3).rounds == 3


def test_a_snapshot_gives_the_same_table(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_module, "_BETWEEN_SNAPSHOTS", 7)
    table = Table("california", THREE, store=store)
    for _ in range(3):
        table.banked_by("ann")
        table.bet("bob", ante=500)
        table.bet("cyd", ante=700, bonus=100)
        table.tick()
    kept = store.snapshot("table/t")
    assert kept is not None
    assert 0 <= table.state.version - kept.version < 30
    again = Table("california", store=store)
    assert msgspec.structs.replace(again.state, book=table.book) == msgspec.structs.replace(
        table.state, book=table.book
    )


def test_a_snapshot_of_another_program_is_passed_over(store: Store) -> None:
    table = Table("california", THREE, store=store)
    events = tuple(row.event for row in store.read("table/t"))
    store.append(Append("table/t", len(events), (), b'{"other":1}'))
    assert Table("california", store=store).state.version == table.state.version


# What was played


def played(name: str, rounds: int, **changes: Any) -> list[Record]:
    book = qh.load(name, changes)
    room = Room(MemoryStore())
    desk = room.open_table("t", book, settings_for(book, pace=AT_ONCE))
    bots = make_bots(book, 5, 3, ("q64", "mimic"))
    seat_bots(room, desk, [bot.name for bot in bots])
    play(room, desk, bots, rounds)
    return list(rounds_of(decode(row.event) for row in room.store.read("table/t")))


@pytest.mark.parametrize("name", ["california", "house", "roulette"])
def test_rounds_can_be_settled_once_more(name: str) -> None:
    for record in played(name, 20):
        line = as_settle_line(record)
        assert line is not None
        settled: Any = qh.settle(record.book, json.loads(json.dumps(line)))
        assert settled.banker == record.end.net  # type: ignore[union-attr]
        assert line["id"] == f"t/{record.live.number}"


def test_recall_has_outcome_steps_wagers_and_credits() -> None:
    records = played("california", 12)
    for record in records:
        told = as_recall(record, "Ben")
        assert told is not None
        before, after = told["credits"]["before"], told["credits"]["after"]
        assert after - before == told["net"] - told["fee"]
        assert told["steps"][1].startswith(f"Round {record.live.number} opens")
        assert {wager["wager"] for wager in told["wagers"]} >= {"ante"} or "banked" in told
        folded = [str(one.seat) for one in record.live.poker.seats if one.move == "fold"]  # type: ignore[union-attr]
        own = str(told["seat"])
        assert not [seat for seat in folded if seat in told["hands"] and seat != own]
    assert as_recall(records[0], "nobody") is None


def test_who_sits_down_while_bets_are_open_has_a_recall() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    table.room.wallets.issue("cyd", CHIPS, id="chips", at=0, reason="late")
    table.tick()
    table.do("Sit", "cyd", place=3, cents=10_000)
    for name in ("cyd", "ann", "bob"):
        table.bet(name, ante=100)
    for name in ("ann", "bob", "cyd"):
        table.do("Choose", name, move="fold")
    (record,) = rounds_of(decode(row.event) for row in table.room.store.read("table/t"))
    told = as_recall(record, "cyd")
    assert told is not None
    assert told["credits"] == {"before": 10_000, "after": 9_900}
    assert as_hand_history(record) is not None


def test_steps_are_told_of_who_made_them() -> None:
    table = Table("house", {"ann": 1, "bob": 2, "cyd": 3})
    table.tick()
    table.bet("ann", ready=False, ante=400)
    table.do("Leave", "ann", when="now")
    table.do("Leave", "bob", when="now")
    table.do("Sit", "bob", place=1, cents=10_000)
    for name in ("bob", "cyd"):
        table.bet(name, ante=100)
    for name in ("bob", "cyd"):
        table.do("Choose", name, move="fold")
    (record,) = rounds_of(decode(row.event) for row in table.room.store.read("table/t"))
    told = as_recall(record, "bob")
    assert told is not None
    assert "ann (1): $4.00 on Ante" in told["steps"]
    assert "bob (1): $1.00 on Ante" in told["steps"]


def phhs(records: list[Record]) -> str:
    """Return rounds as a file of hand histories."""
    return "".join(number_hands(filter(None, map(as_hand_history, records))))


@pytest.mark.parametrize("name", ["california", "house"])
def test_pokerkit_reads_hand_histories(name: str) -> None:
    records = played(name, 8)
    text = phhs(records)
    hands = list(HandHistory.loads_all(text))
    assert list(tomllib.loads(text)) == ["1", "2", "3", "4", "5", "6", "7", "8"]
    assert [hand.hand for hand in hands] == [record.live.number for record in records]
    for hand, record in zip(hands, records, strict=True):
        assert isinstance(record.end, RoundSettled)
        own = hand.user_defined_fields
        assert (hand.variant, own["_digest"], own["_net"][-1]) == (
            "3CP",
            record.digest,
            record.end.net,
        )
        assert isinstance(hand.time, time)
        assert hand.finishing_stacks is not None
        stacks = zip(hand.starting_stacks, hand.finishing_stacks, own["_net"], own["_fees"],
                     strict=True)  # fmt: skip
        for before, after, net, fee in list(stacks)[:-1]:
            assert after == before + net - fee
        assert len(hand.players or ()) == len(hand.antes) == len(hand.finishing_stacks)


@pytest.mark.parametrize("name", ["california", "house"])
def test_hand_histories_keep_the_types_and_ranges_of_phh(name: str) -> None:
    for hand in tomllib.loads(phhs(played(name, 8))).values():
        amounts = [*hand["antes"], *hand["winnings"], *hand["finishing_stacks"]]
        assert min(amounts) >= 0
        assert min(hand["starting_stacks"]) > 0
        staked = [sum(each) for each in zip(hand["antes"], hand["_bonus"], hand["_pair_plus"],
                                            plays(hand), strict=True)]  # fmt: skip
        collected = [stake + net for stake, net in zip(staked, hand["_net"], strict=True)][:-1]
        assert hand["winnings"][:-1] == collected
        begun = datetime(hand["year"], hand["month"], hand["day"], tzinfo=UTC)
        assert datetime.combine(begun, hand["time"], UTC) <= datetime.now(UTC)
        assert type(hand["time"]) is time
        dealt = [action.split()[3] for action in hand["actions"] if action.startswith("d dh")]
        assert all(len(list(Card.parse(cards))) == 3 for cards in dealt)


def plays(hand: dict[str, Any]) -> list[int]:
    """Return the Play wager of each player of a hand history."""
    made = dict.fromkeys(range(1, len(hand["players"]) + 1), 0)
    for action in hand["actions"]:
        player, move, *amount = action.split()
        if move == "cbr":
            made[int(player[1:])] = int(amount[0])
    return list(made.values())


def test_there_is_no_hand_history_of_a_spin() -> None:
    assert as_hand_history(played("roulette", 1)[0]) is None


def test_a_bot_comes_to_bank_where_nobody_wants_to() -> None:
    book = qh.load("california")
    for allowed in (True, False):
        room = Room(MemoryStore())
        settings = settings_for(book, pace=AT_ONCE, bots=True)
        desk = room.open_table("t", book, settings)
        bots = make_bots(book, 4, 3, ("q64",))
        for bot in bots:
            bot.banks = False
        seat_bots(room, desk, [bot.name for bot in bots])
        if not allowed:
            alone = msgspec.structs.replace(settings, bots=False)
            desk._state = desk._ahead = msgspec.structs.replace(desk.state, settings=alone)
            with pytest.raises(qh.QueenhighError, match="waits for somebody to bank"):
                play(room, desk, bots, 3)
            continue
        assert play(room, desk, bots, 3).rounds == 3
        assert desk.state.places[desk.state.offer.banker or 0].player == "Banker"
