"""Chips move between wallets and seats at three processes at once, and are compared with a model.

A player sits at three tables that three processes hold, and all of them change the same wallet.
The wallet's events are one order of the transfers. It must contain each answered transfer once,
keep the order of those that did not overlap, and never spend a cent twice.
"""

import asyncio
import time
from contextlib import closing
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest

from queenhigh.store.streams import Store
from queenhigh.table.streams import wallet_stream
from queenhigh.table.wallet import BoughtIn, CashedOut, Issued, decode_wallet
from tests.processes.running_room import RunningRoom
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE
from tests.sizes import sized

TABLES = {f"t{number}": {"rulebook": "house", "pace": AT_ONCE} for number in range(3)}
#: How often each of a player's three sockets sits down and leaves.
VISITS = sized(4, 10, 100)
PLAYERS = 2
#: Two buy-ins fit into a wallet, three do not.
CENTS = 220_000


class Transfer(NamedTuple):
    """An answered transfer: its id, when it was sent and answered, and the cents to the table."""

    id: str
    sent: float
    answered: float
    cents: int


async def visit(client: PlayerClient, place: int, visits: int, seed: int) -> list[Transfer]:
    """Connect, sit down and leave again and again; return what was answered."""
    async with client:
        return await transfer_often(client, place, visits, seed)


async def transfer_often(
    client: PlayerClient, place: int, visits: int, seed: int
) -> list[Transfer]:
    """Sit down and leave again and again; return what was answered."""
    draw, answered = Random(seed), list[Transfer]()
    for number in range(visits):
        id, sent = f"{client.table}.sit.{number}", time.monotonic()
        sit = await client.ask("sit", id=id, place=place, cents=CENTS)
        if sit["type"] == "refused":
            assert sit["code"] == "wallet.short", sit
            await asyncio.sleep(draw.uniform(0, 0.02))
            continue
        answered.append(Transfer(id, sent, time.monotonic(), CENTS))
        await asyncio.sleep(draw.uniform(0, 0.02))
        id, sent = f"{client.table}.leave.{number}", time.monotonic()
        leave = await client.ask("leave", id=id, when="now")
        assert leave["type"] == "answer", leave
        answered.append(Transfer(id, sent, time.monotonic(), -CENTS))
    return answered


def check_wallet(store: Store, player: str, answered: list[Transfer]) -> None:
    """Compare the answered transfers of a player with the model: a number that is never short."""
    balance, order = 0, dict[str, int]()
    for row in store.read(wallet_stream(player)):
        event = decode_wallet(row.event)
        if isinstance(event, Issued):
            balance += event.cents
        elif isinstance(event, BoughtIn | CashedOut):
            assert event.id not in order, f"{event.id} was applied twice"
            order[event.id] = row.version
            balance += -event.cents if isinstance(event, BoughtIn) else event.cents
        assert balance >= 0, f"{player} has spent {-balance} cents that they did not have"
    assert balance == 500_000, f"{player} has {balance} cents in the end"
    for earlier in answered:
        assert earlier.id in order, f"{earlier.id} was answered and is not in the wallet"
        for later in answered:
            if earlier.answered < later.sent:
                assert order[earlier.id] < order[later.id], f"{later.id} is before {earlier.id}"


async def transfer(room: RunningRoom, seed: int) -> dict[str, list[Transfer]]:
    """Send players to visit all tables at once, each table through another process."""
    transfers: dict[str, list[Transfer]] = {}
    visits = []
    for place in range(1, PLAYERS + 1):
        name, cookie = room.guest(f"player {place}")
        for number, (table, server) in enumerate(zip(TABLES, room.servers, strict=True)):
            client = PlayerClient(server, table, name, cookie)
            visits.append((name, visit(client, place, VISITS, 10 * seed + number)))
    results = await asyncio.gather(*(work for _, work in visits))
    for (name, _), result in zip(visits, results, strict=True):
        transfers.setdefault(name, []).extend(result)
    return transfers


@pytest.mark.full
def test_transfers_of_three_processes_fit_the_model(postgres_url: str, tmp_path: Path) -> None:
    with RunningRoom(postgres_url, tmp_path, rooms=TABLES) as room:
        transfer_and_check(room)


@pytest.mark.full
def test_lost_update_is_detected(postgres_url: str, tmp_path: Path) -> None:
    """The control: wallets are written without comparing versions, and chips are spent twice."""
    fault = {"rooms": TABLES, "fault": "lose_updates"}
    with (
        RunningRoom(postgres_url, tmp_path, 3, **fault) as room,
        pytest.raises(AssertionError, match=r"cents|twice|is before|below zero"),
    ):
        transfer_and_check(room)


def transfer_and_check(room: RunningRoom) -> None:
    """Transfer chips at all processes, and compare every player's wallet with the model."""
    room.settle()
    transfers = asyncio.run(transfer(room, seed=1))
    with closing(room.store()) as store:
        for player, answered in transfers.items():
            assert answered, "nothing was transferred"
            check_wallet(store, player, answered)
