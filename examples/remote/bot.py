"""A player in about eighty lines: ``python bot.py http://127.0.0.1:8777 TABLE ROUNDS``."""

import json
import sys
from hashlib import sha256
from secrets import token_bytes
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect

Json = dict[str, Any]
#: Our own part in the cards, by what it is for; and by table and round what else the cards follow
#: from, as it was when we showed our part: none of that may change afterwards.
seeds: dict[tuple[Any, ...], bytes] = {}
fixed: dict[tuple[str, int], Json] = {}


def digest(*parts: Any) -> str:
    """Return the hash of some fields, as docs/fairness.md has it."""
    fields = [field if isinstance(field, bytes) else str(field).encode() for field in parts]
    return sha256(b"".join(len(field).to_bytes(4, "big") + field for field in fields)).hexdigest()


def inputs(round: Json, rules: str) -> Json:
    """Return what the cards follow from beside the seeds."""
    keys = ("chain", "link", "commitment", "banker", "committed", "committed_by", "added")
    hands = sorted((hand["place"], hand["seat"]) for hand in round["hands"] if hand["wagers"])
    return {key: round.get(key) for key in keys} | {"hands": hands, "rules": rules}


def own_seed(view: Json, me: int, player: str) -> Json | None:
    """Return what to do for our seed: commit to it before we bet, show it once bets are closed."""
    round, phase = view.get("round") or {}, view["phase"]
    chain, number = round.get("chain"), round.get("round", 0)
    which = (view["table"], chain, number, me, player)
    if not chain or (view["table"], number) in fixed:
        return None
    seed = seeds.get((*which, round["commitment"]), b"")
    if phase == "betting" and not seed:
        seed = seeds[*which, round["commitment"]] = token_bytes(32)
    hidden, mine = digest("queenhigh/seed/1", *which, seed), round.get("committed", {}).get(str(me))
    if phase == "betting" and mine is None:
        return {"type": "commit_seed", "round": number, "commitment": hidden}
    if phase == "revealing" and mine == hidden:
        fixed[view["table"], number] = inputs(round, view["digest"]) | {"seed": seed.hex()}
        return {"type": "show_seed", "round": number, "seed": seed.hex()}
    return None


def check(view: Json, me: int | None) -> None:
    """Stop if the last round follows from other things than we saw; it is not dealt again here."""
    last = view.get("last") or {"round": {}}
    round, end = last["round"], last.get("end", {})
    before = fixed.get((view["table"], round.get("round", 0)))
    if before is None or not (round.get("dealer") or round.get("pocket")):
        return
    if {**before, **inputs(round, before["rules"])} != before:
        sys.exit(f"round {round['round']} was changed after we showed our seed")
    link = (view["table"], round["chain"], round["link"], bytes.fromhex(end["seed"]))
    if digest("queenhigh/link/1", *link) != round["commitment"]:
        sys.exit(f"the room's seed of round {round['round']} is not the next one of its chain")
    if round.get("shown", {}).get(str(me)) != before["seed"]:
        print(f"round {round['round']}: our seed was sent, not counted")


def answer_to(view: Json, own: Json, player: str) -> Json | None:
    """Return what to do when the table looks like this, if anything."""
    me, round = own.get("place"), view.get("round") or {}
    check(view, me)
    if me is None:
        free = set(range(1, 12)) - {place["place"] for place in view["places"]}
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
