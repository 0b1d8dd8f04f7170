"""Players on WebSockets who load a room, in a closed or an open loop.

In a closed loop all players act as soon as they may, which shows how much a room can take. It does
not show how long answers take: a room that stalls also stops its players, so few commands meet the
stall (coordinated omission). In an open loop each table has a timetable that is fixed beforehand,
an instant for each command. The time of an answer counts from when its command was due, even if
the table could not take the command then because the room was behind.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import NamedTuple, Protocol

import msgspec

from bench.measure import NotComputed

__all__ = ["PATIENCE", "Answer", "Play", "Player", "make_timetables", "until"]

#: How many seconds anything may take before something is wrong.
PATIENCE = 60.0


class _Round(msgspec.Struct):
    round: int
    banker: int | None = None


class _View(msgspec.Struct):
    phase: str
    next_round: int = 1
    offered_to: int | None = None
    round: _Round | None = None


class _Own(msgspec.Struct):
    cards: tuple[int, ...] | None = None


class _Message(msgspec.Struct):
    type: str
    id: str = ""
    last: int | None = None
    code: str = ""
    view: _View | None = None
    own: _Own | None = None


_decode = msgspec.json.Decoder(_Message).decode


class Sender(Protocol):
    """What a player sends its messages through."""

    closed: bool

    def send(self, text: bytes) -> None:
        """Send a message."""

    def close(self) -> None:
        """Close the connection."""


class Answer(NamedTuple):
    """An answered command: its table, when it was due and answered, its last event's version."""

    table: int
    due: float
    answered: float
    version: int

    @property
    def milliseconds(self) -> float:
        """How long it took from when the command was due."""
        return 1000 * (self.answered - self.due)


async def until(done: Callable[[], bool]) -> bool:
    """Wait until something is so; return False if that takes too long."""
    loop = asyncio.get_running_loop()
    end = loop.time() + PATIENCE
    while not done():
        if loop.time() > end:
            return False
        await asyncio.sleep(0.01)
    return True


def make_timetables(tables: int, rate: float, seconds: float, *, start: float) -> list[list[float]]:
    """Return when commands are due at each table; at all together ``rate`` a second on average.

    Gaps vary by half. They are not exponential, since a command may need the answer to the one
    before it, and what is due at once would measure that wait.
    """
    random, gap = Random(1), tables / rate
    timetables: list[list[float]] = []
    for _ in range(tables):
        due, timetable = start + random.uniform(0, gap), []
        while due < start + seconds:
            timetable.append(due)
            due += random.uniform(0.5, 1.5) * gap
        timetables.append(timetable)
    return timetables


@dataclass
class Play:
    """State that all players share: when commands are due, and what was answered."""

    players: list["Player"] = field(default_factory=list)
    answers: list[Answer] = field(default_factory=list)
    refused: dict[str, int] = field(default_factory=dict)
    #: How many milliseconds after they were due commands left that could be sent in time.
    late: list[float] = field(default_factory=list)
    answered: int = 0
    pending: int = 0
    paused: bool = True
    _timetables: list[Iterator[float]] | None = None

    def next_due(self, table: int) -> float | None:
        """Return when the next command of a table is due: in a closed loop, now."""
        if self.paused:
            return None
        if self._timetables is None:
            return asyncio.get_running_loop().time()
        return next(self._timetables[table], None)

    def resume(self) -> None:
        """Make all players act as soon as they may: ask for a view at every seat."""
        self.paused = False
        for player in self.players:
            player.look()

    async def pause(self) -> None:
        """Send no more commands, and wait until all that were sent are answered."""
        self.paused = True
        if not await until(lambda: not self.pending):
            raise NotComputed(f"{self.pending} commands were never answered: {self.refused}")

    async def measure_rate(self, seconds: float) -> float:
        """Return answers a second."""
        loop = asyncio.get_running_loop()
        self.answers, start = [], loop.time()
        await asyncio.sleep(seconds)
        if not self.answers:
            raise NotComputed("no command was answered")
        return len(self.answers) / (loop.time() - start)

    async def follow(self, timetables: Sequence[Sequence[float]]) -> list[Answer]:
        """Send a command whenever one is due; return all answers, none of them missing."""
        self.answers, self.late = [], []
        self._timetables = [iter(timetable) for timetable in timetables]
        self.resume()
        commands = sum(map(len, timetables))
        end = max(due for timetable in timetables for due in timetable)
        await asyncio.sleep(end - asyncio.get_running_loop().time())
        complete = await until(lambda: len(self.answers) == commands)
        self.paused, self._timetables = True, None
        if not complete or self.refused:
            missing = commands - len(self.answers)
            raise NotComputed(f"{missing} of {commands} commands have no answer: {self.refused}")
        return self.answers


class Player:
    """Bets and decides, at the table's next due instant."""

    def __init__(self, play: Play, table: int, place: int) -> None:
        self.play, self.table, self.place = play, table, place
        self.socket: Sender | None = None
        self.due: dict[str, float] = {}
        self.done = ""
        play.players.append(self)

    def look(self) -> None:
        """Ask for a view."""
        assert self.socket is not None
        self.socket.send(b'{"type":"look"}')

    def hear(self, message: bytes) -> None:
        """Take a message; act if it is this player's turn."""
        heard = _decode(message)
        if heard.type == "answer" and heard.last is not None:
            # A view may come, and be acted on, before the answer: each answer has its own id.
            now = asyncio.get_running_loop().time()
            self.play.answers.append(Answer(self.table, self.due.pop(heard.id), now, heard.last))
            self.play.pending -= 1
            self.play.answered += 1
        elif heard.type == "view" and heard.view is not None:
            self._act(heard.view, heard.own or _Own())
        elif heard.type in ("answer", "refused", "bye"):  # an answer that led to no event
            self.play.pending -= heard.type != "bye"
            self.play.refused[heard.code] = self.play.refused.get(heard.code, 0) + 1

    def _act(self, view: _View, own: _Own) -> None:
        round = view.round.round if view.round else 0
        if view.phase == "offering" and view.offered_to == self.place:
            bank = f'{{"type":"accept_bank","round":{view.next_round},"cents":100000'
            self._send(f"{view.next_round}.bank", bank)
        elif view.phase == "betting" and view.round and view.round.banker != self.place:
            bets = '"wagers":[{"spot":"ante","cents":500}],"ready":true'
            self._send(f"{round}.bet", f'{{"type":"place_wagers","round":{round},{bets}')
        elif view.phase == "deciding" and own.cards:
            move = "fold" if self.place % 4 == 0 else "play"
            self._send(f"{round}.move", f'{{"type":"choose","round":{round},"move":"{move}"')

    def _send(self, id: str, message: str) -> None:
        if id == self.done or (due := self.play.next_due(self.table)) is None:
            return
        self.done = id
        self.play.pending += 1
        text = f'{message},"id":"{id}"}}'.encode()
        loop = asyncio.get_running_loop()
        if due > loop.time():
            loop.call_at(due, self._send_in_time, id, text, due)
        else:
            self.send(id, text, due)

    def _send_in_time(self, id: str, text: bytes, due: float) -> None:
        self.play.late.append(1000 * (asyncio.get_running_loop().time() - due))
        self.send(id, text, due)

    def send(self, id: str, text: bytes, due: float) -> None:
        """Send a command; its answer counts from when it was due."""
        assert self.socket is not None
        self.due[id] = due
        self.socket.send(text)
