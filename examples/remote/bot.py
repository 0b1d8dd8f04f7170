"""A player in about seventy lines: ``python bot.py http://127.0.0.1:8777 TABLE ROUNDS``."""

import json
import sys
from hashlib import sha256
from secrets import token_bytes
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect

Json = dict[str, Any]
#: Our own part in the cards, by the round it is for; and what else the cards of a round follow
#: from, as it was when we showed our part: none of that may change afterwards.
seeds: dict[tuple[Any, ...], bytes] = {}
fixed: dict[tuple[Any, ...], Json] = {}


def name(table: str, round: Json, me: int | None, player: str) -> tuple[Any, ...]:
    """Return what a seed is for: a place in one round, and the seed that the room committed to."""
    return (table, round.get("chain"), round.get("round"), me, player, round.get("commitment"))


def inputs(round: Json) -> Json:
    """Return what the cards follow from beside the seeds."""
    known = {key: round.get(key) for key in ("banker", "committed", "committed_by", "added")}
    return known | {"places": [one["place"] for one in round["hands"] if one["wagers"]]}


def own_seed(view: Json, me: int, player: str) -> Json | None:
    """Return what to do for our seed: commit to it before we bet, show it once bets are closed."""
    round, phase = view.get("round") or {}, view["phase"]
    which = name(view["table"], round, me, player)
    if not round.get("chain") or which in fixed:
        return None
    seed = seeds.setdefault(which, token_bytes(32)) if phase == "betting" else seeds.get(which, b"")
    fields = [b"queenhigh/seed/1", *(str(one).encode() for one in which[:5]), seed]
    hidden = sha256(b"".join(len(one).to_bytes(4, "big") + one for one in fields)).hexdigest()
    mine = round.get("committed", {}).get(str(me))
    if phase == "betting" and mine is None:
        return {"type": "commit_seed", "round": round["round"], "commitment": hidden}
    if phase == "revealing" and mine == hidden:
        fixed[which] = inputs(round)
        return {"type": "show_seed", "round": round["round"], "seed": seed.hex()}
    return None


def check(view: Json, me: int | None, player: str) -> None:
    """Stop if the cards of the last round follow from other things than we were shown."""
    last = (view.get("last") or {}).get("round") or {}
    before = fixed.get(name(view["table"], last, me, player))
    if before is not None and inputs(last) != before:
        sys.exit(f"round {last['round']} was changed after we showed our seed")


def answer_to(view: Json, own: Json, player: str) -> Json | None:
    """Return what to do when the table looks like this, if anything."""
    me, round = own.get("place"), view.get("round") or {}
    check(view, me, player)
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
