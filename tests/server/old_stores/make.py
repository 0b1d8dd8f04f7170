"""Make the room of an old version: with its own code, by its own HTTP. README.md says how."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import connect

from queenhigh.room.room import Room
from queenhigh.store.sqlite import SqliteStore

PASSWORD = "correct horse"
#: The bots play for so long, in seconds.
_PLAY = 15.0


async def visit(address: str, cookie: str) -> None:
    """Sit down at the wheel, bet once, and stay."""
    wire = address.replace("http", "ws", 1) + "/api/tables/roulette/socket"
    async with connect(wire, additional_headers={"Cookie": cookie}) as socket:
        await socket.send(json.dumps({"type": "sit", "id": "1", "place": 8, "cents": 50_000}))
        async with asyncio.timeout(30):
            while True:
                said = json.loads(await socket.recv())
                view = said.get("view") or {}
                if said["type"] == "view" and "own" in said and view["phase"] == "betting":
                    break
        bet = {"spot": "red", "cents": 1000}
        wagers = {"round": view["round"]["round"], "wagers": [bet], "ready": True}
        await socket.send(json.dumps({"type": "place_wagers", "id": "2", **wagers}))
        async with connect(wire.replace("roulette", "house")):  # bots play where somebody looks on
            await asyncio.sleep(_PLAY)


def use(address: str, token: str) -> None:
    """Do a little of everything that a room writes down."""
    floor = httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"})
    players = {}
    for name in ("Ann", "Fay"):
        players[name] = httpx.Client(base_url=address)
        login = {"name": name, "password": PASSWORD}
        answer = players[name].post("/api/accounts", json=login).raise_for_status()
        players[name].headers["Cookie"] = answer.headers["set-cookie"].split(";")[0]
    httpx.post(f"{address}/api/guests", json={"name": "Gus"}).raise_for_status()
    own = {"name": "annas", "rulebook": "house"}
    players["Ann"].post("/api/tables", json=own).raise_for_status()
    floor.post("/api/floor/tables", json={"name": "gone", "rulebook": "house"}).raise_for_status()
    for path, body in (
        ("tables/gone/close", {"reason": "late"}),
        ("tables/annas/disable", {"reason": "cleaning"}),
        ("tables/house/rules", {"reason": "evening", "set": {"limits.ante.max": 800}}),
        ("accounts/Fay/freeze", {"reason": "a bad night"}),
        ("notices", {"text": "Welcome", "table": ""}),
    ):
        floor.post(f"/api/floor/{path}", json=body).raise_for_status()
    asyncio.run(visit(address, players["Ann"].headers["Cookie"]))


#: Tables beyond the limits of the documents, which later programs refuse to open.
WIDE: list[dict[str, Any]] = [
    {"name": "wide", "rulebook": "california", "bots": 6, "pace": "quick", "set": {
        "seats": 16, "max_rates": 4,
        "fees.rates": [
            {"clause": "CA-7", "min": low, "max": high, "player": 100, "banker": 200}
            for low, high in ((500, 999), (1000, 1999), (2000, 2999), (3000, 100_000))
        ],
    }},
    {"name": "dear", "rulebook": "house", "bots": 3, "pace": "quick", "set": {
        "limits.ante.max": 800, "limits.pair_plus.max": 800,
    }},
]  # fmt: skip


async def look_on(address: str, tables: list[str]) -> None:
    """Look on while the bots of some tables play."""
    wires = [f"{address.replace('http', 'ws', 1)}/api/tables/{name}/socket" for name in tables]
    async with connect(wires[0]), connect(wires[1]):
        await asyncio.sleep(_PLAY)


def use_wide(address: str, token: str) -> None:
    """Open tables beyond the documents' limits, and let bots play."""
    floor = httpx.Client(base_url=address, headers={"Authorization": f"Bearer {token}"})
    for table in WIDE:
        floor.post("/api/floor/tables", json=table).raise_for_status()
    asyncio.run(look_on(address, [table["name"] for table in WIDE]))


#: Words that nobody ever shipped, and clauses that receipts would cite wrongly.
WORDED: list[dict[str, Any]] = [
    {"name": "worded", "rulebook": "california", "bots": 6, "pace": "quick", "set": {
        "clauses.19.text": "Otherwise the Ante pays 2 to 1, whatever the player holds.",
        "source": "Approved by the Bureau of Gambling Control", "tie": "lose",
    }},
    {"name": "cited", "rulebook": "california", "bots": 6, "pace": "quick", "set": {
        "fees.rates.0.clause": "CA-4", "bonus.clause": "CA-10",
    }},
]  # fmt: skip


async def stay_in_a_hand(address: str, cookie: str, floor: httpx.Client) -> None:
    """Sit down at the house's game, bet, and be frozen with a hand that is not decided."""
    wire = address.replace("http", "ws", 1) + "/api/tables/slow/socket"
    async with connect(wire, additional_headers={"Cookie": cookie}) as socket:
        await socket.send(json.dumps({"type": "sit", "id": "1", "place": 7, "cents": 50_000}))
        is_bet = False
        async with asyncio.timeout(60):
            while True:
                said = json.loads(await socket.recv())
                view = said.get("view") or {}
                if said["type"] != "view" or "own" not in said:
                    continue
                if view["phase"] == "betting" and not is_bet:
                    is_bet = True
                    bets = [{"spot": "ante", "cents": 400}]
                    wagers = {"round": view["round"]["round"], "wagers": bets, "ready": True}
                    await socket.send(json.dumps({"type": "place_wagers", "id": "2", **wagers}))
                if is_bet and view["phase"] not in ("betting", "revealing"):
                    break
        why = {"reason": "a dispute"}
        floor.post("/api/floor/accounts/Fay/freeze", json=why).raise_for_status()


def use_trust(address: str, token: str) -> None:
    """Do what later programs refuse: words that are set, an approval by a member just added."""
    owner = httpx.Client(base_url=address, headers={"Origin": address}, timeout=60)
    made = {"token": token, "name": "Olga", "password": PASSWORD}
    answer = owner.post("/api/floor/owner", json=made).raise_for_status()
    owner.headers["Cookie"] = answer.headers["set-cookie"].split(";")[0]
    for table in (*WORDED, {"name": "slow", "rulebook": "house", "pace": "slow"}):
        owner.post("/api/floor/tables", json=table).raise_for_status()
    asyncio.run(look_on(address, [table["name"] for table in WORDED]))
    asked = {"round": 1, "facts": {"void": True}, "reason": "a dispute"}
    owner.post("/api/floor/tables/cited/corrections", json=asked).raise_for_status()
    member = {"name": "Fred", "role": "floor", "password": PASSWORD}
    owner.post("/api/floor/staff", json=member).raise_for_status()
    fred = httpx.Client(base_url=address, headers={"Origin": address}, timeout=60)
    login = {"name": "Fred", "password": PASSWORD}
    answer = fred.post("/api/floor/sessions", json=login).raise_for_status()
    fred.headers["Cookie"] = answer.headers["set-cookie"].split(";")[0]
    fred.post("/api/floor/tables/cited/corrections/1/approve", json={}).raise_for_status()
    fay = httpx.post(f"{address}/api/accounts", json={"name": "Fay", "password": PASSWORD})
    cookie = fay.raise_for_status().headers["set-cookie"].split(";")[0]
    asyncio.run(stay_in_a_hand(address, cookie, owner))


def facts(db: Path) -> dict[str, Any]:
    """Return what the room came to, as its own code reads it."""
    store = SqliteStore(db)
    room = Room(store)
    tables = {}
    for name in room.tables():
        table: Any = room.table(name)  # the attribute had another name in older programs
        state = table.committed if hasattr(table, "committed") else table.state
        places = {place: (seat.player, state.stack(place)) for place, seat in state.places.items()}
        tables[name] = {"version": state.version, "phase": state.phase, "places": places}
    names = [name.removeprefix("wallet/") for name in store.streams() if name.startswith("wallet/")]
    wallets = {name: room.wallets.of(name).cents for name in names}
    store.close()
    return {"tables": tables, "wallets": wallets}


def main() -> None:
    """Make ``COMMIT.zip`` in a folder, or ``COMMIT-wide.zip`` or ``COMMIT-trust.zip``."""
    folder, commit = Path(sys.argv[1]), "-".join(sys.argv[2:])
    db = folder / "room.db"
    command = [sys.executable, "-m", "queenhigh", "serve", "--db", str(db), "--port", "0", "--json"]
    server = subprocess.Popen([*command, "--insecure"], stdout=subprocess.PIPE, env=os.environ)
    try:
        assert server.stdout is not None
        opened = json.loads(server.stdout.readline())
        doing = {"wide": use_wide, "trust": use_trust}.get(commit.partition("-")[2], use)
        doing(opened["address"], opened["floor_token"])
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(30)
    known = {"floor_token": opened["floor_token"], **facts(db)}
    with zipfile.ZipFile(folder / f"{commit}.zip", "w", zipfile.ZIP_LZMA) as packed:
        for file in (db, Path(f"{db}.key"), Path(f"{db}.dealing")):
            if file.exists():
                packed.write(file, file.name)
        packed.writestr("facts.json", json.dumps(known, indent=1))


if __name__ == "__main__":
    main()
