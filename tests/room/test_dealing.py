"""Dealing by chains: what a rigged room can do, what is counted, and what a lost key costs."""

import json
import shutil
from functools import partial
from pathlib import Path
from random import Random

import pytest

import queenhigh as qh
from queenhigh.errors import BrokenLog
from queenhigh.room import dealing
from queenhigh.room.dealing import Dealing
from queenhigh.room.room import Room
from queenhigh.store.memory import MemoryStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR, Bet, StartChain
from queenhigh.table.decide import decide
from queenhigh.table.events import RoundOpened2, RoundVoided
from queenhigh.table.fairness import OnChain, chained_key, draw, round_key, words
from queenhigh.table.state import State
from tests.in_process import call
from tests.table.game_rounds import spin_of
from tests.table.own_seeds import own_commitment, own_seed
from tests.table.staff_log import hire
from tests.table.table_driver import FOUR, Table, kinds
from tests.verify.verifiers import BOTH, run_other

WHEEL = qh.load("roulette-european")
SPINS = 40


class DrawsUntilItSuits(Dealing):
    """The seeds of a rigged room of scheme 1: the ball lies on zero where nobody adds a seed."""

    def is_due(self, state: State) -> bool:
        return False

    def seed(self, state: State | None) -> bytes:
        random = Random(state.version if state else 0)
        while _pocket(round_key(seed := random.randbytes(32), {})):
            pass
        return seed


class StartsUntilItSuits(Dealing):
    """The chains of a rigged room: each is for one round, and drawn until that one suits."""

    def start(self, state: State, at: int) -> StartChain:
        while True:
            command = super().start(state, at)
            seed = self._chains[state.table].seed_of(1)
            of = OnChain(state.table, command.chain, state.number + 1)
            if _pocket(chained_key(seed, of, state.digest, (), {})) == 0:
                return command


def _pocket(key: bytes) -> int:
    return draw(words(key), len(WHEEL.pockets))


def spin(table: Table, *, seed: bool) -> str:
    """Play a spin with one player, whose page adds a seed or not; return the pocket."""
    table.tick()
    if seed:
        table.do("CommitSeed", "ann", commitment=own_commitment(table.state, "ann"))
    table.bet("ann", red=100)
    if seed:
        table.do("ShowSeed", "ann", seed=own_seed(table.state, "ann").hex())
    last = table.state.last
    assert last is not None
    return str(spin_of(last.live).pocket)


@pytest.fixture
def rigged(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    monkeypatch.setattr(dealing, "LENGTH", 1)
    monkeypatch.setattr("queenhigh.room.room.Dealing", StartsUntilItSuits)
    return monkeypatch


def test_room_without_chains_is_reported_as_scheme_1(
    tmp_path: Path, rigged: pytest.MonkeyPatch
) -> None:
    rigged.setattr("queenhigh.room.room.Dealing", DrawsUntilItSuits)
    table = Table(WHEEL, {"ann": 1}, store=SqliteStore(tmp_path / "room.db"))
    assert {spin(table, seed=False) for _ in range(SPINS)} == {"0"}
    counts = counted(table, tmp_path / "room.db")
    assert (counts["scheme_1"], counts["scheme_2"], counts["chains"]) == (SPINS, 0, 0)
    assert (counts["bound_by_players"], counts["room_could_choose"]) == (0, SPINS)
    assert summary(tmp_path / "room.db") == (
        "Dealing: 0 of 40 rounds bound by a chain and by 0 players' seeds. 40 rounds: no player's"
        " seed is known to bind the deal, so the room could have chosen these. 40 rounds by"
        " scheme 1, without a chain. Players' seeds: 0 shown, 0 left out. 0 rounds voided after"
        " bets closed."
    )


def sheet(file: Path) -> str:
    """Return what a proof of the first round says of its seeds, on one line."""
    return " ".join(call("verify", str(file), "--round", "t/1", columns=200).stdout.split())


def summary(file: Path) -> str:
    """Return what both verifiers say of the dealing in a store, in the same words."""
    lines = [call("verify", str(file)).stdout, run_other(str(file)).stdout]
    package, other = (text.splitlines()[1] for text in lines)
    assert package == other
    return package


def counted(table: Table, file: Path) -> dict[str, int]:
    """Close a store; return what both verifiers count in it."""
    table.room.store.close()
    verdicts = [verify(file) for verify in BOTH.values()]
    assert [verdict.ok for verdict in verdicts] == [True, True], [
        verdict.reason for verdict in verdicts
    ]
    assert verdicts[0].dealing == verdicts[1].dealing
    return verdicts[0].dealing


def test_chains_that_are_drawn_again_are_counted(
    tmp_path: Path, rigged: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "room.db"
    table = Table(WHEEL, {"ann": 1}, store=SqliteStore(file))
    assert {spin(table, seed=False) for _ in range(SPINS)} == {"0"}
    counts = counted(table, file)
    assert (counts["scheme_2"], counts["chains"]) == (SPINS, SPINS)
    assert (counts["bound_by_players"], counts["room_could_choose"]) == (0, SPINS)
    for run in (partial(call, "verify"), run_other):
        assert json.loads(run(str(file), "--json").stdout)["dealing"] == counts
    assert "Bound by No player's seed: the room could have chosen the cards" in sheet(file)
    assert summary(file) == (
        "Dealing: 0 of 40 rounds bound by a chain and by 0 players' seeds. 40 rounds: no player's"
        " seed is known to bind the deal, so the room could have chosen these. 40 chains for 40"
        " rounds. Players' seeds: 0 shown, 0 left out. 0 rounds voided after bets closed."
    )


def test_one_honest_seed_makes_the_deal_fair(tmp_path: Path, rigged: pytest.MonkeyPatch) -> None:
    table = Table(WHEEL, {"ann": 1}, store=SqliteStore(tmp_path / "room.db"))
    pockets = [spin(table, seed=True) for _ in range(SPINS)]
    assert pockets.count("0") < SPINS // 4
    assert len(set(pockets)) > SPINS // 3
    counts = counted(table, tmp_path / "room.db")
    assert (counts["seeds_shown"], counts["seeds_left_out"]) == (SPINS, 0)
    assert (counts["bound_by_players"], counts["room_could_choose"]) == (SPINS, 0)
    assert summary(tmp_path / "room.db").startswith(
        "Dealing: 40 of 40 rounds bound by a chain and by 40 players' seeds. 40 chains for 40"
    )
    assert "Bound by 1 player's seed" in sheet(tmp_path / "room.db")


def bets_closed(table: Table, *players: str) -> None:
    """Make players commit and bet at a table of the house, until seeds are to be shown."""
    table.tick()
    for player in players:
        table.do("CommitSeed", player, commitment=own_commitment(table.state, player))
    for player in players:
        table.bet(player, ante=100)
    assert table.state.phase == "revealing"


def show(table: Table, player: str) -> list[str]:
    return kinds(table.do("ShowSeed", player, seed=own_seed(table.state, player).hex()))


def test_seeds_left_out_and_voids_after_the_deal_are_counted(tmp_path: Path) -> None:
    table = Table("house", {"ann": 1, "bob": 2}, store=SqliteStore(tmp_path / "room.db"))
    bets_closed(table, "ann", "bob")
    assert show(table, "ann") == ["SeedShown"]
    assert kinds(table.tick()) == ["CardsDealt2"]
    table.do("VoidRound", FLOOR, reason="the room did not like it")
    bets_closed(table, "ann", "bob")
    table.do("VoidRound", FLOOR, reason="nor this")
    dealings = table.state.dealings
    assert (dealings.rounds, dealings.voided_after_close) == (2, 2)
    counts = counted(table, tmp_path / "room.db")
    assert (counts["seeds_shown"], counts["seeds_left_out"]) == (1, 1)
    assert counts["voided_after_close"] == 2


@pytest.mark.parametrize("player", ["ann", "bob"])
def test_seed_of_a_banker_or_a_void_hand_binds_the_deal(player: str, tmp_path: Path) -> None:
    """The banker has the bank at stake, and a hand was dealt with its seed before it was void."""
    file, book = tmp_path / "room.db", qh.load("california", {"exposed_player": "void_hand"})
    table = Table(book, FOUR, store=SqliteStore(file))
    hire(table.room.store)
    table.banked_by("ann")
    table.do("CommitSeed", player, commitment=own_commitment(table.state, player))
    for other in ("bob", "cyd", "dan"):
        table.bet(other, ante=500)
    show(table, player)
    ruled = {"kind": "exposed_player", "place": FOUR["bob"], "staff": "Maria", "reason": "seen"}
    table.do("RuleIncident", FLOOR, **ruled)
    table.tick()
    counts = counted(table, file)
    assert (counts["bound_by_players"], counts["binding_seeds"]) == (1, 1)
    assert counts["room_could_choose"] == 0


def test_deal_waits_for_committed_players_at_the_table(tmp_path: Path) -> None:
    table = Table("house", {"ann": 1, "bob": 2, "cyd": 3})
    table.tick()
    for player in ("ann", "bob"):
        table.do("CommitSeed", player, commitment=own_commitment(table.state, player))
    table.refused("seed.committed", "CommitSeed", "ann", commitment="00" * 32)
    table.refused("seed.bytes", "CommitSeed", "cyd", commitment="xyz")
    table.refused("revealing.closed", "ShowSeed", "ann", seed="00" * 32)
    table.do("SitOut", "ann", aside=True)
    table.bet("bob", ante=100)
    table.bet("cyd", ante=100)
    table.refused("betting.closed", "CommitSeed", "cyd", commitment="00" * 32)
    table.refused("seed.none", "ShowSeed", "cyd", seed="00" * 32)
    table.refused("seed.other", "ShowSeed", "bob", seed="00" * 32)
    assert show(table, "bob") == ["SeedShown"]
    table.refused("seed.shown", "ShowSeed", "bob", seed=own_seed(table.state, "bob").hex())
    due = table.state.deadline
    table.at += 100
    table.do("GiveTime", FLOOR, reason="a slow line")
    assert (due, table.state.deadline) == (table.at - 100 + 2000, table.at + 2000)
    went = kinds(table.do("Leave", "ann", when="now"))
    assert went == ["SeatLeaving", "SeatLeft", "CardsDealt2"]


def test_commitment_is_dropped_if_its_player_leaves() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    table.tick()
    table.do("CommitSeed", "ann", commitment=own_commitment(table.state, "ann"))
    table.do("Leave", "ann", when="now")
    assert kinds(table.bet("bob", ante=100)) == ["WagersPlaced", "BetsClosed2", "CardsDealt2"]


def test_nobody_can_use_the_commitment_of_another() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    table.tick()
    copied = own_commitment(table.state, "ann")
    table.do("CommitSeed", "ann", commitment=copied)
    table.do("CommitSeed", "bob", commitment=copied)
    table.bet("ann", ante=100)
    table.bet("bob", ante=100)
    show(table, "ann")
    table.refused("seed.other", "ShowSeed", "bob", seed=own_seed(table.state, "ann").hex())


def test_new_chain_starts_when_one_is_used_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dealing, "LENGTH", 3)
    table = Table(WHEEL, {"ann": 1}, store=SqliteStore(tmp_path / "room.db"))
    for _ in range(7):
        spin(table, seed=True)
    assert table.state.chain is not None
    assert (table.state.chain.number, table.state.chain.used) == (3, 1)
    assert counted(table, tmp_path / "room.db")["chains"] == 3


def after_restart(table: Table, *, dealing_key: bytes) -> Table:
    """Open the table again, as a room does that was killed."""
    table.room = Room(table.room.store, dealing_key=dealing_key)
    table.durable = table.room.table("t")
    return table


def test_kill_while_seeds_are_shown_changes_nothing() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    bets_closed(table, "ann", "bob")
    show(table, "ann")
    after_restart(table, dealing_key=table.room.dealing.key)
    assert show(table, "bob") == ["SeedShown", "CardsDealt2"]


def test_old_copy_of_a_store_deals_other_seeds(tmp_path: Path) -> None:
    """Players may know what was dealt after the copy was made, so nothing of it comes again."""
    file, copy = tmp_path / "room.db", tmp_path / "copy.db"
    table = Table(WHEEL, {"ann": 1}, store=SqliteStore(file))
    spin(table, seed=False)
    table.room.store.close()
    shutil.copy(file, copy)
    seeds = []
    for _ in range(2):
        shutil.copy(copy, file)
        table.room = Room(SqliteStore(file))
        table.durable = table.room.table("t")
        spin(table, seed=False)
        assert table.state.last is not None
        seeds.append(table.state.last.end.seed)
        table.room.store.close()
    assert seeds[0] != seeds[1]
    assert BOTH["package"](file).ok


def test_lost_key_voids_the_round_and_starts_a_chain(tmp_path: Path) -> None:
    table = Table("house", {"ann": 1}, store=SqliteStore(tmp_path / "room.db"))
    table.tick()
    table.bet("ann", ready=False, ante=100)
    events = after_restart(table, dealing_key=bytes(32)).tick()
    assert kinds(events) == ["RoundVoided", "ChainStarted"]
    assert isinstance(events[0], RoundVoided)
    assert events[0].seed == ""
    assert kinds(table.tick()) == ["RoundOpened2"]
    assert counted(table, tmp_path / "room.db")["chains"] == 2


def test_new_epoch_voids_the_round_and_starts_a_chain() -> None:
    class Restored(MemoryStore):
        epoch = 0

    table = Table("house", {"ann": 1}, store=(store := Restored()))
    table.tick()
    table.bet("ann", ready=False, ante=100)
    store.epoch = 1
    events = after_restart(table, dealing_key=table.room.dealing.key).tick()
    assert kinds(events) == ["RoundVoided", "ChainStarted"]
    assert isinstance(events[0], RoundVoided)
    assert len(events[0].seed) == 64
    assert table.state.chain is not None
    assert table.state.chain.epoch == 1


def test_a_table_never_goes_back_to_scheme_1() -> None:
    table = Table("house", {"ann": 1})
    opened = table.tick()[0]
    assert isinstance(opened, RoundOpened2)
    assert (opened.chain, opened.link) == (1, 1)
    assert table.state.chain is not None
    assert opened.commitment == table.state.chain.end


def test_seed_out_of_order_deals_nothing() -> None:
    table = Table("house", {"ann": 1})
    table.tick()
    command = table.command("PlaceWagers", "ann", round=1, wagers=(Bet("ante", 100),), ready=True)
    with pytest.raises(BrokenLog, match="not the next one of its chain"):
        decide(table.state, command, bytes(32))
