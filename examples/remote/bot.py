"""A player in about fifty lines: ``python bot.py http://127.0.0.1:8777 TABLE ROUNDS``."""

import json
import sys
from collections import defaultdict
from hashlib import sha256
from secrets import token_bytes
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect

#: Our own part in the cards, by round: hidden while bets are open, shown when they are closed.
seeds: dict[int, bytes] = defaultdict(lambda: token_bytes(32))


def own_seed(view: dict[str, Any], me: int, player: str) -> dict[str, Any] | None:
    """Return what to do for our seed: commit to it before we bet, show it after bets are closed."""
    round = view.get("round") or {}
    number, chain = round.get("round", 0), round.get("chain")
    if view["phase"] == "betting" and chain and str(me) not in round.get("committed", {}):
        named = ("queenhigh/seed/1", view["table"], chain, number, me, player)
        fields = [*(str(one).encode() for one in named), seeds[number]]
        hidden = sha256(b"".join(len(one).to_bytes(4, "big") + one for one in fields))
        return {"type": "commit_seed", "round": number, "commitment": hidden.hexdigest()}
    if view["phase"] == "revealing" and number in seeds:
        return {"type": "show_seed", "round": number, "seed": seeds[number].hex()}
    return None


def answer_to(view: dict[str, Any], own: dict[str, Any], player: str) -> dict[str, Any] | None:
    """Return what to do when the table looks like this, if anything."""
    me, round = own.get("place"), view.get("round") or {}
    if me is None:
        free = set(range(1, 12)) - {one["place"] for one in view["places"]}
        return {"type": "sit", "place": min(free), "cents": 100_000}
    if view["phase"] == "offering" and view["offered_to"] == me:
        return {"type": "decline_bank", "round": view["next_round"]}
    if seed := own_seed(view, me, player):
        return seed
    if view["phase"] == "betting" and round.get("banker") != me:
        spot = "red" if view["game"] == "roulette" else "ante"
        bet = {"spot": spot, "cents": 500 if view["fees"] else 100}
        return {"type": "place_wagers", "round": round["round"], "wagers": [bet], "ready": True}
    if view["phase"] == "deciding" and "cards" in own:
        move = "play" if max(own["cards"]) >= 40 else "fold"  # a queen or better
        return {"type": "choose", "round": round["round"], "move": move}
    return None


address, table, rounds = sys.argv[1:]
as_json = {"Content-Type": "application/json"}
entered = urlopen(Request(f"{address}/api/guests", b'{"name": "Robin"}', as_json))
cookie = {"Cookie": entered.headers["Set-Cookie"].split(";")[0]}
room = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
player, done = json.load(entered)["player"], set[tuple[str, int]]()
with connect(room, additional_headers=cookie) as socket:
    for said in map(json.loads, socket):
        print(said if said["type"] != "view" else f"{said['version']}: {said['view']['phase']}")
        command = answer_to(said["view"], said.get("own", {}), player) if "view" in said else None
        key = (command["type"], command.get("round", 0)) if command else ("", 0)
        if len({round for _, round in {*done, key}}) > int(rounds) + 1:
            break
        if command and key not in done:
            done.add(key)
            socket.send(json.dumps({"id": f"{key[0]} {key[1]}", **command}))
