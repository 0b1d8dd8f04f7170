"""A player in thirty lines of code: ``python bot.py http://127.0.0.1:8777 [TABLE [ROUNDS]]``."""

import json
import sys
from typing import Any
from urllib.request import Request, urlopen

from websockets.sync.client import connect


def answer_to(view: dict[str, Any], own: dict[str, Any]) -> dict[str, Any] | None:
    """Return what to do when the table looks like this, if anything."""
    me, round = own.get("place"), view.get("round") or {}
    if me is None:
        taken = {one["place"] for one in view["places"]}
        free = [place for place in range(1, 12) if place not in taken]
        return {"type": "sit", "place": free[0], "cents": 100_000}
    if view["phase"] == "offering" and view["offered_to"] == me:
        return {"type": "decline_bank", "round": view["next_round"]}
    if view["phase"] == "betting" and round.get("banker") != me:
        spot = "red" if view["game"] == "roulette" else "ante"
        wagers = [{"spot": spot, "cents": 500 if view["fees"] else 100}]
        return {"type": "place_wagers", "round": round["round"], "wagers": wagers, "ready": True}
    if view["phase"] == "deciding" and "cards" in own:
        good = max(own["cards"]) // 4 >= 10  # a queen or better
        move = "play" if good else "fold"
        return {"type": "choose", "round": round["round"], "move": move}
    return None


def play(address: str, table: str = "house", rounds: str = "3") -> None:
    """Enter as a guest, and play so many rounds at a table."""
    headers = {"Content-Type": "application/json"}
    entered = urlopen(Request(f"{address}/api/guests", b'{"name": "Robin"}', headers))
    cookie = {"Cookie": entered.headers["Set-Cookie"].split(";")[0]}
    done: set[str] = set()
    ended: set[int] = set()
    room = f"{address.replace('http', 'ws', 1)}/api/tables/{table}/socket"
    with connect(room, additional_headers=cookie) as socket:
        for said in map(json.loads, socket):
            print(said if said["type"] != "view" else f"{said['version']}: {said['view']['phase']}")
            if said["type"] != "view":
                continue
            ended.add((said["view"].get("last") or {"round": {"round": 0}})["round"]["round"])
            if len(ended) > int(rounds):
                return
            message = answer_to(said["view"], said.get("own", {}))
            id = message and f"{message['type']} {message.get('round', '')}"
            if message and id not in done:  # the same id twice would have one effect all the same
                done.add(str(id))
                socket.send(json.dumps({"id": id, **message}))


if __name__ == "__main__":
    play(*sys.argv[1:])
