"""Tables that close or are paused: nothing begins there that nobody could end."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx

from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.staff_clients import first_owner
from tests.verify.verifiers import prove

HO, WHY = "/api/floor/tables/ho", {"reason": "a dispute"}
MISDEAL = {"kind": "misdeal", "place": None}


@asynccontextmanager
async def in_a_round(file: Path, **keys: str) -> AsyncIterator[tuple[PlayerClient, httpx.Client]]:
    """Serve a table where Ann has settled a round and decides in the next; and its owner."""
    rooms = {"ho": {"rulebook": "house", "set": keys, "pace": AT_ONCE}}
    with RunningServer(file, rooms=rooms, standing=[]) as served:
        async with PlayerClient(served, "ho", "Ann") as ann:
            await ann.sit(1)
            for round in (1, 2):
                await ann.until_phase("betting", round)
                await ann.bet({"ante": 400})
                await ann.until_phase("deciding", round)
                if round == 1:
                    await ann.do("choose", round=1, move="play")
            with first_owner(served) as owner:
                yield ann, owner
        assert served.errors() == ""
    prove(file)


def code(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, answer.json().get("code")


def test_no_correction_is_asked_for_at_a_closing_table(tmp_path: Path) -> None:
    """After its round it is closed: nobody could decide on the correction any more."""

    async def go() -> None:
        async with in_a_round(tmp_path / "room.db") as (ann, owner):
            assert owner.post(f"{HO}/close", json=WHY).status_code == 202
            body = {"round": 1, "facts": {"void": True}, **WHY}
            assert code(owner.post(f"{HO}/corrections", json=body)) == (400, "table.closing")
            await ann.do("choose", round=2, move="fold")
            await ann.until_closed()
            assert owner.get("/api/floor/corrections").json() == []

    asyncio.run(go())


def test_paused_table_is_not_dealt_again(tmp_path: Path) -> None:
    """A pause lets no other round begin, also none by a ruling."""

    async def go() -> None:
        async with in_a_round(tmp_path / "room.db", misdeal="redeal") as (ann, owner):
            assert owner.post(f"{HO}/disable", json=WHY).status_code == 200
            for path, body in (("incidents/preview", {}), ("incidents", {"round": 2, **WHY})):
                refused = owner.post(f"{HO}/{path}", json={**MISDEAL, **body})
                assert code(refused) == (400, "table.disabled"), path
            assert (ann.view["phase"], ann.round) == ("deciding", 2)
            assert owner.post(f"{HO}/enable", json=WHY).status_code == 200
            assert owner.post(f"{HO}/incidents/preview", json=MISDEAL).status_code == 200
            ruled = owner.post(f"{HO}/incidents", json={"round": 2, **MISDEAL, **WHY})
            assert ruled.json()["ruling"] == "redeal"
            await ann.until_phase("betting", 3)

    asyncio.run(go())
