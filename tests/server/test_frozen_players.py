"""Frozen players keep what is on the table: they finish their hand, then leave with their chips."""

import asyncio
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

import httpx
import pytest

from queenhigh.table.fairness import OnChain, place_commitment
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.staff_clients import add, first_owner
from tests.verify.verifiers import prove

ASK = "your account is frozen. Ask the floor why"
IN_A_HAND = "the floor has frozen your account. Finish this hand; then you leave with your chips"
IN_A_ROUND = "the floor has frozen your account. When this round is over, you leave with your chips"
CHIPS = 500_000
HOUSE = {"rulebook": "house", "pace": AT_ONCE}
ROOMS: dict[str, dict[str, Any]] = {
    **dict.fromkeys(("play", "fold", "betting", "seeds", "waiting", "restart"), HOUSE),
    "bank": {"rulebook": "california", "pace": AT_ONCE},
    "wheel": {
        "rulebook": "roulette-european",
        "set": {"zeros": 3, "zero.on_zero": "en_prison"},
        "pace": AT_ONCE,
    },
}


class Room:
    """A room, with a cashier who freezes accounts."""

    def __init__(self, served: RunningServer, cashier: httpx.Client) -> None:
        self.served, self._cashier = served, cashier

    def freeze(self, player: PlayerClient, *, thaw: bool = False) -> list[dict[str, Any]]:
        """Freeze an account, or unfreeze it; return its seats as the floor sees them then."""
        act, why = "thaw" if thaw else "freeze", {"reason": "a dispute"}
        answer = self._cashier.post(f"/api/floor/accounts/{player.name}/{act}", json=why)
        assert answer.json() == {"player": player.name, "frozen": not thaw}
        (line,) = self._cashier.get(f"/api/floor/players?search={player.name}").json()
        seats: list[dict[str, Any]] = line["seats"]
        return seats

    def wallet(self, player: PlayerClient) -> int:
        with self.served.http(player.cookie) as client:
            return int(client.get("/api/me").json()["wallet"])

    @asynccontextmanager
    async def sitting(self, table: str, *names: str) -> AsyncIterator[list[PlayerClient]]:
        """Seat players at a table; wait until the first round can begin."""
        async with AsyncExitStack() as stack:
            players = [PlayerClient(self.served, table, name) for name in names]
            for place, player in enumerate(players, 1):
                await stack.enter_async_context(player)
                await player.sit(place)
            yield players


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Room]:
    db = tmp_path_factory.mktemp("room") / "room.db"
    with RunningServer(db, rooms=ROOMS) as served:
        with first_owner(served) as owner, add(owner, "Cas", "cashier") as cashier:
            yield Room(served, cashier)
        assert served.errors() == ""
    prove(db)


async def gone(player: PlayerClient) -> None:
    await player.until(lambda: "place" not in player.own)


def own_net(player: PlayerClient, place: int) -> int:
    rows = player.view["last"]["end"]["places"]
    return int(next(row["net"] for row in rows if row["place"] == place))


@pytest.mark.parametrize("move", ["play", "fold"])
def test_frozen_player_finishes_the_hand(room: Room, move: str) -> None:
    async def play() -> None:
        async with room.sitting(move, "Ann", "Bob") as (ann, bob):
            for player in (ann, bob):
                await player.until_phase("betting")
                await player.bet({"ante": 400})
            await ann.until_phase("deciding")
            (seat,) = room.freeze(ann)
            assert (seat["table"], seat["holds"]) == (move, "hand")
            await ann.until(lambda: ann.frozen)
            sentence = await ann.refused("account.frozen", "top_up", cents=100)
            assert sentence == IN_A_HAND
            await ann.depart()
            async with PlayerClient(room.served, move, ann.name, ann.cookie) as again:
                await again.until(lambda: again.frozen)
                await again.do("choose", round=again.round, move=move)
                await bob.do("choose", round=bob.round, move="fold")
                await gone(again)
                (hand,) = [row for row in again.view["last"]["round"]["hands"] if row["place"] == 1]
                assert (hand["move"], hand.get("by_clock")) == (move, None)
                assert room.wallet(ann) == CHIPS + own_net(again, 1)
                assert await again.refused("account.frozen", "sit", place=1, cents=100) == ASK

    asyncio.run(play())


def test_frozen_player_is_given_bets_back(room: Room) -> None:
    async def play() -> None:
        async with room.sitting("betting", "Ann", "Bob") as (ann, _):
            await ann.until_phase("betting")
            await ann.bet({"ante": 400}, ready=False)
            room.freeze(ann)
            await gone(ann)
            assert room.wallet(ann) == CHIPS
            bets = [{"spot": "ante", "cents": 100}]
            refused: dict[str, dict[str, Any]] = {
                "sit": {"place": 1, "cents": 100},
                "top_up": {"cents": 100},
                "stand_aside": {"aside": False},
                "place_wagers": {"round": ann.round, "wagers": bets},
                "accept_bank": {"round": 1, "cents": 100},
                "decline_bank": {"round": 1},
                "want_bank": {},
                "add_seed": {"round": ann.round, "seed": "x"},
                "commit_seed": {"round": ann.round, "commitment": "ab" * 32},
            }
            for kind, fields in refused.items():
                assert await ann.refused("account.frozen", kind, **fields) == ASK
            async with PlayerClient(room.served, "bank", ann.name, ann.cookie) as there:
                await there.until(lambda: there.frozen)
                assert await there.refused("account.frozen", "sit", place=1, cents=100) == ASK
            with room.served.http(ann.cookie) as client:
                for path, body in {
                    "/api/me/chips": {},
                    "/api/me/name": {"name": "Una"},
                    "/api/tables": {"name": "hers"},
                    "/api/practice": {},
                }.items():
                    answer = client.post(path, json=body)
                    assert (answer.status_code, answer.json()["message"]) == (403, ASK), path
            room.freeze(ann, thaw=True)
            await ann.until(lambda: not ann.frozen)
            await ann.sit(1)

    asyncio.run(play())


def test_bets_of_a_frozen_player_stand_once_bets_are_closed(room: Room) -> None:
    async def play() -> None:
        seed = b"s" * 32
        async with room.sitting("seeds", "Ann", "Bob") as (ann, bob):
            for player in (ann, bob):
                await player.until_phase("betting")
                of = OnChain("seeds", player.view["chain"]["number"], player.round)
                made = place_commitment(of, player.own["place"], player.name or "", seed)
                await player.do("commit_seed", round=player.round, commitment=made.hex())
                await player.bet({"ante": 400})
            await ann.until_phase("revealing")
            room.freeze(ann)
            await bob.do("show_seed", round=bob.round, seed=seed.hex())
            await ann.do("show_seed", round=ann.round, seed=seed.hex())
            await ann.until_phase("deciding")
            for player in (ann, bob):
                await player.do("choose", round=ann.round, move="play")
            await gone(ann)
            assert room.wallet(ann) == CHIPS + own_net(ann, 1)

    asyncio.run(play())


def test_frozen_banker_leaves_after_the_round(room: Room) -> None:
    async def play() -> None:
        async with room.sitting("bank", "Ann", "Bob", "Cyd") as (ann, bob, cyd):
            await ann.until(lambda: ann.is_offered)
            await ann.do("accept_bank", round=ann.view["next_round"], cents=50_000)
            await bob.until_phase("betting")
            await bob.bet({"ante": 500})
            (seat,) = room.freeze(ann)
            assert seat["holds"] == "bank"
            await ann.until(lambda: ann.frozen)
            assert await ann.refused("account.frozen", "top_up", cents=1) == IN_A_ROUND
            await cyd.bet({"ante": 500})
            for player in (bob, cyd):
                await player.until_phase("deciding")
                await player.do("choose", round=player.round, move="play")
            await gone(ann)
            end = ann.view["last"]["end"]
            assert end["type"] == "round.settled/1"
            assert room.wallet(ann) == CHIPS + end["net"] - 200
            await bob.until(lambda: bob.is_offered)
            await bob.do("accept_bank", round=bob.view["next_round"], cents=50_000)
            await cyd.until_phase("betting")
            room.freeze(bob)
            await gone(bob)
            assert bob.view["last"]["end"]["type"] == "round.voided/1", "nobody had bet"

    asyncio.run(play())


def test_frozen_player_waiting_for_the_next_round_leaves(room: Room) -> None:
    async def play() -> None:
        async with room.sitting("waiting", "Ann", "Bob", "Cyd") as (ann, bob, cyd):
            await ann.until_phase("betting")
            for player in (ann, bob):
                await player.bet({"ante": 400})
            await cyd.do("stand_aside", aside=True)
            await bob.until_phase("deciding")
            assert room.freeze(cyd) == []
            await gone(cyd)
            assert room.freeze(ann)[0]["holds"] == "hand"
            room.freeze(ann, thaw=True)
            round = ann.round
            for player in (ann, bob):
                await player.do("choose", round=round, move="fold")
            await ann.until_phase("betting", round + 1)
            assert ann.own["place"] == 1, "unfrozen in the middle of the hand: Ann stays"
            await ann.bet({"ante": 400})

    asyncio.run(play())


@pytest.mark.full
def test_frozen_player_finishes_the_hand_after_a_restart(room: Room) -> None:
    async def play() -> None:
        async with room.sitting("restart", "Ann", "Bob") as (ann, bob):
            for player in (ann, bob):
                await player.until_phase("betting")
                await player.bet({"ante": 400})
            await ann.until_phase("deciding")
            room.freeze(ann)
        room.served.end(signal.SIGTERM)
        room.served.start()
        async with (
            PlayerClient(room.served, "restart", ann.name, ann.cookie) as ann,
            PlayerClient(room.served, "restart", bob.name, bob.cookie) as bob,
        ):
            await ann.until(lambda: ann.frozen)
            for player in (ann, bob):
                await player.until_phase("deciding")
                await player.do("choose", round=player.round, move="play")
            await gone(ann)
            assert room.wallet(ann) == CHIPS + own_net(ann, 1)

    asyncio.run(play())


def test_spin_decides_the_prison_bet_of_a_frozen_player(room: Room) -> None:
    async def play() -> None:
        async with room.sitting("wheel", "Ann", "Bob") as (ann, bob):
            while not ann.view.get("prison") and not in_prison(ann):
                await ann.until_phase("betting")
                round = ann.round
                await bob.until_phase("betting", round)
                await ann.bet({"red": 1000})
                await bob.bet({"straight 17": 100})
                await ann.until_over(round)
            await ann.until_phase("betting")
            await ann.bet({"black": 500}, ready=False)
            (seat,) = room.freeze(ann)
            assert seat["holds"] == "prison"
            while "place" in ann.own:
                await bob.until_phase("betting")
                assert not in_prison(ann, "black"), "what can be withdrawn is given back"
                round = bob.round
                await bob.bet({"straight 17": 100})
                await bob.until_over(round)
                await ann.until_over(round)
                await ann.until(lambda: "place" not in ann.own or bool(in_prison(ann)))
            end = ann.view["last"]["end"]
            assert [row["bets"][0]["bet"] for row in end["places"] if row["place"] == 1] == ["red"]
            room.freeze(ann, thaw=True)
            await ann.sit(1)

    asyncio.run(play())


def in_prison(player: PlayerClient, spot: str = "red") -> bool:
    hands = (player.view.get("round") or {"hands": []})["hands"]
    return any(
        bet["spot"] == spot and (spot != "red" or bet.get("in_prison"))
        for hand in hands
        if hand["place"] == 1
        for bet in hand["wagers"]
    )
