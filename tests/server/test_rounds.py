"""Whole rounds of all games, by several people over real sockets."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.verify.verifiers import prove

TABLES = {
    "ca": {"rulebook": "california", "pace": AT_ONCE},
    "ho": {"rulebook": "house", "pace": AT_ONCE},
    "ro": {"rulebook": "roulette-european", "set": {"on_zero": "en_prison"}, "pace": AT_ONCE},
    "away": {"rulebook": "california", "pace": AT_ONCE | {"moves": 700}},
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db", rooms=TABLES) as room:
        yield room
        assert room.errors() == ""
    prove(room.db)


@asynccontextmanager
async def sitting(
    served: RunningServer, table: str, places: dict[str, int], cents: int = 100_000
) -> AsyncIterator[list[PlayerClient]]:
    """Seat people; let them leave afterwards, so that the table is free for others."""
    async with AsyncExitStack() as stack:
        people = []
        for name, place in places.items():
            person = await stack.enter_async_context(PlayerClient(served, table, name))
            await person.sit(place, cents)
            people.append(person)
        yield people
        for person in people:
            await person.do("leave", when="now")


def places_of(person: PlayerClient) -> dict[str, int]:
    return {place["player"]: place["stack"] for place in person.view["places"]}


def test_a_whole_california_round(served: RunningServer) -> None:
    async def play() -> None:
        async with sitting(served, "ca", {"ann": 1, "bob": 4, "cyd": 7}) as people:
            ann, bob, cyd = people
            await ann.until_phase("offering")
            by_place = {person.own["place"]: person for person in people}
            banker = by_place.pop(ann.view["offered_to"])
            round = ann.view["next_round"]
            other = next(iter(by_place.values()))
            await other.refused("bank.not_asked", "accept_bank", round=round, cents=50_000)
            await banker.do("accept_bank", round=round, cents=50_000)
            await asyncio.gather(*[person.until_phase("betting", round) for person in people])
            commitment = ann.view["round"]["commitment"]
            for person in by_place.values():
                await person.bet({"ante": 500, "bonus": 100})
            await asyncio.gather(*[person.until_phase("deciding", round) for person in people])
            for person in by_place.values():
                assert len(person.own["cards"]) == 3
                hands = person.view["round"]["hands"]
                assert all("cards" not in hand for hand in hands), "cards are one's own"
            assert "cards" not in banker.own
            assert [card is None for card in ann.view["round"]["dealer"]] == [False, True, True]
            for person in by_place.values():
                await person.do("choose", round=round, move="play")
            await asyncio.gather(*[person.until_over(round) for person in people])
            end = cyd.view["last"]["end"]
            assert end["net"] == -sum(place["net"] for place in end["places"])
            assert cyd.view["last"]["round"]["commitment"] == commitment
            assert len(end["seed"]) == 64
            stacks = places_of(bob)
            fees = 2 * 100 + 200
            assert sum(stacks[person.name or ""] for person in people) == 300_000 - fees

    asyncio.run(play())


def test_a_whole_house_round(served: RunningServer) -> None:
    async def play() -> None:
        async with sitting(served, "ho", {"dan": 2, "eve": 3}) as (dan, eve):
            await dan.until_phase("betting")
            round = dan.round
            await eve.until_phase("betting", round)
            await dan.do("add_seed", round=round, seed="dan's own")
            await dan.refused("wager.limits", "place_wagers", round=round,
                              wagers=[{"spot": "ante", "cents": 500}], ready=True)  # fmt: skip
            await dan.bet({"ante": 400, "pair_plus": 100})
            await eve.bet({"pair_plus": 300})
            await dan.until_phase("deciding", round)
            await dan.do("choose", round=round, move="fold")
            await eve.until_over(round)
            shown = {
                hand["place"]: hand.get("cards") for hand in eve.view["last"]["round"]["hands"]
            }
            assert len(shown[3]) == 3
            net = {row["place"]: row["net"] for row in eve.view["last"]["end"]["places"]}
            assert net[2] == -400 + next(
                wager["net"]
                for row in eve.view["last"]["end"]["places"]
                for wager in row["wagers"]
                if row["place"] == 2 and wager["wager"] == "pair_plus"
            )

    asyncio.run(play())


def test_whole_spins_until_something_is_in_prison(served: RunningServer) -> None:
    async def play() -> None:
        async with sitting(served, "ro", {"fay": 1, "gus": 2}, cents=400_000) as (fay, gus):
            imprisoned = False
            for _ in range(600):
                await fay.until_phase("betting")
                round = fay.round
                await gus.until_phase("betting", round)
                await fay.bet({"red": 1000, "straight 17": 100, "split 17 20": 100})
                await gus.bet({"black": 1000})
                await fay.until_over(round)
                end = fay.view["last"]["end"]
                assert end["net"] == -sum(row["net"] for row in end["places"])
                assert fay.view["last"]["round"]["pocket"]
                if fay.view["last"]["round"]["pocket"] == "0":
                    held = [bet for row in end["places"] for bet in row["bets"] if bet.get("held")]
                    assert {bet["bet"] for bet in held} == {"red", "black"}
                    imprisoned = True
                    break
            assert imprisoned, "six hundred spins without a zero: one in ten million"

    asyncio.run(play())


def test_same_command_from_two_sockets_has_one_effect(served: RunningServer) -> None:
    async def play() -> None:
        async with sitting(served, "ho", {"hal": 5}) as (hal,):
            twin = PlayerClient(served, "ho", hal.name, hal.cookie)
            async with twin:
                await hal.until_phase("betting")
                await twin.until_phase("betting", hal.round)
                bet: dict[str, Any] = {
                    "id": "the same", "round": hal.round, "wagers": [{"spot": "ante", "cents": 100}]
                }  # fmt: skip
                one, two = await asyncio.gather(
                    hal.ask("place_wagers", **bet), twin.ask("place_wagers", **bet)
                )
                assert one == two
                assert one["type"] == "answer"
                await hal.until(lambda: bool(hal.view["round"]["hands"]))
                (hand,) = [hand for hand in hal.view["round"]["hands"] if hand["place"] == 5]
                assert hand["wagers"] == [{"spot": "ante", "cents": 100}]
                assert await hal.ask("place_wagers", **bet) == one, "and it stays so"

    asyncio.run(play())


def test_reconnecting_in_any_phase_restores_place_and_cards(
    served: RunningServer,
) -> None:
    async def play() -> None:
        async with sitting(served, "ca", {"ida": 1, "jon": 2}) as people:
            for phase in ("offering", "betting", "deciding", "between"):
                ida = people[0]
                by_place = {person.own["place"]: person for person in people}
                if phase == "offering":
                    await ida.until_phase("offering")
                    banker = by_place[ida.view["offered_to"]]
                    better = next(person for person in people if person is not banker)
                    gone = banker
                elif phase == "betting":
                    await banker.do("accept_bank", round=banker.view["next_round"], cents=50_000)
                    await better.until_phase("betting")
                    await better.bet({"ante": 1000}, ready=False)
                    gone = better
                elif phase == "deciding":
                    await better.do("place_wagers", round=better.round, wagers=[], ready=True)
                    await better.until_phase("deciding")
                    gone = better
                else:
                    round = better.round
                    await better.do("choose", round=round, move="play")
                    await better.until_over(round)
                    gone = better
                own, version = dict(gone.own), gone.view["version"]
                await gone.depart()
                gone.view, gone.own, gone.closed = {}, {}, None
                await gone.arrive(f"?since={version - 1}")
                await gone.until(lambda: gone.own.get("place") == own["place"])  # noqa: B023
                assert gone.own.get("cards") == own.get("cards") or phase == "between"

    asyncio.run(play())


def test_newest_version_is_not_sent_again_on_reconnect(served: RunningServer) -> None:
    async def look() -> None:
        async with PlayerClient(served, "ro") as spectator:
            await spectator.until(lambda: bool(spectator.view))
            version = spectator.view["version"]
        again = PlayerClient(served, "ro")
        await again.arrive(f"?since={version}")
        await again.until(lambda: bool(again.received))
        await asyncio.sleep(0.2)
        assert [text[:15] for text in again.received] == ['{"type":"hello"']
        await again.send('{"type":"look"}')
        await again.until(lambda: again.view.get("version") == version)
        await again.depart()

    asyncio.run(look())


def test_timeout_plays_the_tables_default_move(served: RunningServer) -> None:
    """The clock folds the hand of a player who stalls."""

    async def play() -> None:
        async with sitting(served, "away", {"kim": 1, "lou": 2}) as people:
            kim, lou = people
            await kim.until_phase("offering")
            by_place = {person.own["place"]: person for person in people}
            banker = by_place[kim.view["offered_to"]]
            better = lou if banker is kim else kim
            await banker.do("accept_bank", round=kim.view["next_round"], cents=50_000)
            await better.until_phase("betting")
            round = better.round
            await better.bet({"ante": 1000})
            await better.until_over(round)
            (hand,) = better.view["last"]["round"]["hands"]
            assert hand["move"] == "fold"

    asyncio.run(play())


def test_a_practice_table_of_bots_plays_with_one_person(
    served: RunningServer, tmp_path: Path
) -> None:
    async def play() -> None:
        name, cookie = served.guest("Mia")
        with served.http(cookie) as client:
            spec = {"name": "mia's", "bots": 10, "bots_bank": False, "pace": "quick"}
            opened = client.post("/api/tables", json=spec)
            assert opened.status_code == 201, opened.text
        async with PlayerClient(served, "mia's", name, cookie) as mia:
            await mia.sit(11, 400_000)
            for _ in range(2):
                await mia.until(
                    lambda: mia.view["phase"] == "offering" and mia.view["offered_to"] == 11
                )
                round = mia.view["next_round"]
                await mia.do("accept_bank", round=round, cents=100_000)
                await mia.until_over(round)
                end = mia.view["last"]["end"]
                assert end["banker"] == 11
                assert len(end["places"]) == 10
        with served.http(cookie) as client:
            assert client.get("/api/me/history").json()[0]["table"] == "mia's"
            assert client.delete("/api/tables/mia's").status_code == 204

    asyncio.run(play())
