"""A table of four players, checked after every command, that remembers all it was sent."""

from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.game import Move
from queenhigh.room.room import settings_for
from queenhigh.store.memory import MemoryStore
from queenhigh.table import commands
from queenhigh.table.command_log import EventSpan
from queenhigh.table.commands import Command
from queenhigh.table.decide import wakes_at
from queenhigh.table.state import State
from tests.table.properties import Watch
from tests.table.random_play import BOOKS, PACE, READINGS
from tests.table.random_rulings import PastRounds
from tests.table.seeded_rooms import seeded_room

PLAYERS = ("ann", "bob", "cyd", "dan")
CHIPS = 200_000


class Sent(NamedTuple):
    """A command, the table and its clock before it, and how far back the first copy of it is."""

    command: Command
    before: State
    clock: int
    back: int = 0


class WatchedTable:
    """A table by one of the rulebooks, cards by a seed, and four players with chips to bring."""

    def __init__(self, rulebook: str, silence: Move, seed: int) -> None:
        self.rulebook, self.silence, self.seed = rulebook, silence, seed
        self.room = seeded_room(MemoryStore(), Random(seed))
        book = BOOKS[rulebook]
        settings = replace(settings_for(book, pace=PACE), default_move=silence)
        self.durable = self.room.open_table("t1", book, settings)
        self.watch = Watch(self.room, self.durable, PLAYERS, READINGS[rulebook])
        self.clock = self.state.at
        self.sent: list[Sent] = []
        self.past = PastRounds()
        self._answers: dict[str, EventSpan | None] = {}
        for player in PLAYERS:
            self.room.wallets.issue(player, CHIPS, id="chips", at=0, reason="to play")
            self.watch.issued += CHIPS

    @property
    def state(self) -> State:
        return self.durable.committed

    def send(self, command: type[Command], /, by: str, **fields: Any) -> None:
        """Send a new command."""
        id = f"c{len(self.sent) + 1}"
        self._give(Sent(command(id=id, by=by, at=self.clock, **fields), self.state, self.clock))

    def send_again(self, back: int) -> None:
        """Send the command so many places back once more, if there were so many."""
        if back <= len(self.sent):
            self._give(Sent(self.sent[-back].command, self.state, self.clock, back))

    def wait(self, time_ms: int) -> None:
        """Turn the clock by so many milliseconds, and let it tick."""
        before = self.clock
        self.clock += time_ms
        self._give(Sent(commands.Tick(id="", by=commands.CLOCK, at=self.clock), self.state, before))

    def wait_for_deadline(self, late: int = 0) -> None:
        """Turn the clock to the deadline or so much later, and let it tick."""
        self.wait(max(0, (wakes_at(self.state) or 0) + late - self.clock))

    def set_clock(self, shift: int) -> None:
        """Set the clock so many milliseconds on, or back, and let the floor rebase the table."""
        clock, state = self.clock, self.state
        self.clock = max(0, state.at + shift)
        id = f"c{len(self.sent) + 1}"
        fields: Any = {"before": state.at, "reason": "the clock was set"}
        command = commands.RebaseTime(id=id, by=commands.FLOOR, at=self.clock, **fields)
        self._give(Sent(command, state, clock))

    def finish(self) -> None:
        """Run the slow checks."""
        self.watch.at_the_end()

    def _give(self, sent: Sent) -> None:
        command, before = sent.command, sent.before
        self.sent.append(sent)
        try:
            answer = self.durable.execute(command)
            if command.id:
                first = self._answers.setdefault(f"{command.by}/{command.id}", answer)
                assert answer == first, "an id has one effect"
        except QueenhighError as refused:
            _is_polite(refused)
            assert self.state is before
        self.past.note(self.state)
        self.watch.after(command)


def _is_polite(refused: QueenhighError) -> None:
    """Check that a refusal has a code for programs and one sentence for people."""
    assert not isinstance(refused, BrokenLog), refused
    assert refused.code
    assert str(refused)
    assert "\n" not in str(refused)
