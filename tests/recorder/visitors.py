"""People in a recorded room: those who send requests, and players at its tables."""

import json
import re
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from tests.recorder.programs import Answer, Room, Socket
from tests.recorder.recording import Recording, as_text

__all__ = ["Player", "Visitors", "play"]

#: How many quarters of a second players wait for something to happen.
_STEPS = 1_000


class Visitors:
    """Everybody who sends requests to a room, each with their cookies; all answers are recorded."""

    def __init__(self, room: Room, recording: Recording, operations: list[str]) -> None:
        self.room, self._recording = room, recording
        self._cookies: dict[str, dict[str, str]] = {}
        self.tokens: dict[str, str] = {}
        self._operations = [_Operation(name) for name in operations]
        #: The statuses of the answers of each operation.
        self.answered: dict[str, set[int]] = {name: set() for name in operations}

    def ask(self, person: str, request: str, body: Any = None) -> Answer:
        """Send a request and record its answer."""
        method, path = request.split(" ")
        headers = {"Origin": self.room.address} if person in self._cookies else {}
        if cookie := self.cookie(person):
            headers["Cookie"] = cookie
        if person in self.tokens:
            headers = {"Authorization": f"Bearer {self.tokens[person]}"}
        if path in ("/healthz", "/readyz"):
            self.room.let_threads_run()
        answer = self.room.request(method, path, body, headers)
        self._keep_cookies(person, answer)
        name = self._operation(method, path)
        if name in self.answered:
            self.answered[name].add(answer.status)
        lines = [] if body is None else [f"> {json.dumps(body, ensure_ascii=False)}"]
        lines += [str(answer.status), *[f"{key}: {value}" for key, value in answer.headers]]
        text = as_text(answer.body, answer.header("content-type")) if answer.body else ""
        self._recording.add(f"routes/{name}", f"{person}: {request}", "\n".join([*lines, text]))
        return answer

    def cookie(self, person: str) -> str:
        """Return the cookies of somebody, as a header."""
        return "; ".join(f"{key}={value}" for key, value in self._cookies.get(person, {}).items())

    def _keep_cookies(self, person: str, answer: Answer) -> None:
        for key, value in answer.headers:
            if key.lower() == "set-cookie":
                name, _, text = value.split(";")[0].partition("=")
                self._cookies.setdefault(person, {})[name] = text.strip('"')

    def _operation(self, method: str, path: str) -> str:
        """Return the name of the operation that a request is for."""
        place = path.partition("?")[0]
        fitting = [each for each in self._operations if each.fits(method, place)]
        return min(fitting, key=lambda each: each.variables, default=_Operation("other")).name


class _Operation:
    def __init__(self, name: str) -> None:
        self.name, self.variables = name, name.count("{")
        self._method, _, path = name.partition(" ")
        self._pattern = re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(path))

    def fits(self, method: str, path: str) -> bool:
        return method == self._method and re.fullmatch(self._pattern, path) is not None


def digest(*parts: Any) -> str:
    """Return the hash of some fields, as docs/fairness.md has it."""
    fields = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return sha256(b"".join(len(field).to_bytes(4, "big") + field for field in fields)).hexdigest()


class Player:
    """A player, who acts whenever the table waits for them."""

    def __init__(
        self, socket: Socket, name: str, wagers: dict[str, int], bank: int = 0, seeds: bool = True
    ) -> None:
        self.socket, self.name, self.bank, self.seeds = socket, name, bank, seeds
        self.wagers = [{"spot": spot, "cents": cents} for spot, cents in wagers.items()]
        self._done = set[tuple[str, int]]()

    @property
    def view(self) -> Any:
        """The table as it was seen last."""
        return self.socket.newest["view"]["view"]

    @property
    def round(self) -> int:
        """The number of the round under way."""
        return int((self.view.get("round") or {}).get("round", 0))

    @property
    def last(self) -> int:
        """The number of the last round."""
        return int((self.view.get("last") or {"round": {"round": 0}})["round"]["round"])

    def is_in(self, phase: str) -> bool:
        """Return whether the table is in a phase."""
        return bool(self.view["phase"] == phase)

    def act(self) -> None:
        """Do what the table waits for, with one message at most."""
        own, view = self.socket.newest["view"].get("own", {}), self.view
        place, phase, round = own.get("place"), view["phase"], view.get("round") or {}
        number = self.round
        hands = [hand for hand in round.get("hands", ()) if hand["place"] == place]
        if phase == "offering" and view.get("offered_to") == place:
            if self.bank:
                self._once("accept_bank", round=view["next_round"], cents=self.bank)
            else:
                self._once("decline_bank", round=view["next_round"])
        elif phase == "betting" and place and round.get("banker") != place:
            which = (view["table"], round["chain"], number, place, self.name)
            hidden = digest("queenhigh/seed/1", *which, self._seed(number))
            if not (self.seeds and self._once("commit_seed", round=number, commitment=hidden)):
                self._once("place_wagers", round=number, wagers=self.wagers, ready=True)
        elif phase == "revealing" and str(place) in round.get("committed", {}):
            self._once("show_seed", round=number, seed=self._seed(number).hex())
        elif phase == "deciding" and own.get("cards") and hands and "move" not in hands[0]:
            move = "fold" if number % 3 == 2 else "play"
            self._once("choose", round=number, move=move)

    def _seed(self, number: int) -> bytes:
        return sha256(f"{self.name} {number}".encode()).digest()

    def _once(self, kind: str, **fields: Any) -> bool:
        """Send a message, unless it was sent in this round; return whether it was sent now."""
        key = (kind, fields["round"])
        if key in self._done:
            return False
        self._done.add(key)
        self.socket.send(type=kind, id=f"{kind}.{fields['round']}", **fields)
        return True


def play(room: Room, players: list[Player], done: Callable[[], bool]) -> None:
    """Run a room with these players acting until ``done``."""
    for _ in range(_STEPS):
        room.settle()
        if done():
            return
        for player in players:
            player.act()
            room.settle()
        room.advance(0.25)
    seen = [f"{player.name}: {player.socket.messages[-3:]}" for player in players]
    raise AssertionError("nothing comes of it: " + "\n".join(seen))
