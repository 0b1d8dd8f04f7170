"""A small table for tests: players and commands by name, and a clock to set."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.room.room import settings_for
from queenhigh.rulebook.book import Rulebook
from queenhigh.store.memory import MemoryStore
from queenhigh.store.streams import Store
from queenhigh.table import commands
from queenhigh.table.commands import Bet, Command, Pace
from queenhigh.table.decide import wakes_at
from queenhigh.table.events import TableEvent, decode
from queenhigh.table.state import State
from tests.table.seeded_rooms import seeded_room

PACE = Pace(pause=100, offer=300, bets=500, moves=500)
CHIPS = 1_000_000


#: The players of a table of four, by place.
FOUR = {"ann": 1, "bob": 3, "cyd": 4, "dan": 9}


def kinds(events: list[TableEvent]) -> list[str]:
    """Return the names of events."""
    return [type(event).__name__ for event in events]


#: Commands that name the round under way.
_OF_A_ROUND = (
    "PlaceWagers", "ClearWagers", "Choose", "AddSeed", "CommitSeed", "ShowSeed", "VoidRound",
    "RuleIncident",
)  # fmt: skip


class Table:
    """A table of a rulebook, with players at the places given."""

    def __init__(
        self,
        book: Rulebook | str,
        seated: dict[str, int] | None = None,
        *,
        store: Store | None = None,
        stack: int = 100_000,
        name: str = "t",
        seed: int = 3,
        **settings: Any,
    ) -> None:
        self.book = qh.load(book) if isinstance(book, str) else book
        self.room = seeded_room(store or MemoryStore(), Random(seed))
        made = replace(settings_for(self.book, pace=PACE), **settings)
        self.durable = self.room.open_table(name, self.book, made)
        self.at, self.ids = 1_000_000, 0
        for player, place in (seated or {}).items():
            self.room.wallets.issue(player, CHIPS, id="chips", at=0, reason="to play")
            self.do("Sit", player, place=place, cents=stack)

    @property
    def state(self) -> State:
        return self.durable.committed

    def command(self, kind: str, by: str, /, **fields: Any) -> Command:
        self.ids += 1
        made: Command = getattr(commands, kind)(id=f"c{self.ids}", by=by, at=self.at, **fields)
        return made

    def do(self, kind: str, by: str, /, **fields: Any) -> list[TableEvent]:
        """Follow a command; return its events."""
        if kind in _OF_A_ROUND:
            fields.setdefault("round", self.state.number)
        if kind in ("AcceptBank", "DeclineBank"):
            fields.setdefault("round", self.state.number + 1)
        return self.give(self.command(kind, by, **fields))

    def give(self, command: Command) -> list[TableEvent]:
        before = self.state.version
        self.durable.execute(command)
        return [decode(row.event) for row in self.room.store.read(self.durable.stream, before)]

    def refused(self, code: str, kind: str, by: str, /, **fields: Any) -> str:
        """Expect a refusal by its code; return its sentence."""
        before = self.state
        with pytest.raises(QueenhighError) as caught:
            self.do(kind, by, **fields)
        assert caught.value.code == code
        assert self.state is before
        return str(caught.value)

    def tick(self, *, wait: int | None = None) -> list[TableEvent]:
        """Turn the clock to the deadline, or by so many milliseconds, and let it tick."""
        due = wakes_at(self.state)
        self.at = self.at + wait if wait is not None else max(self.at, due or 0)
        before = self.state.version
        self.durable.execute(commands.Tick(id="", by=commands.CLOCK, at=self.at))
        return [decode(row.event) for row in self.room.store.read(self.durable.stream, before)]

    def bet(self, by: str, ready: bool = True, **stakes: int) -> list[TableEvent]:
        wagers = tuple(Bet(spot, cents) for spot, cents in stakes.items())
        return self.do("PlaceWagers", by, wagers=wagers, ready=ready)

    def banked_by(self, player: str, cents: int = 50_000) -> None:
        """Turn the clock until a player is offered the bank, and let them take it."""
        for _ in range(20):
            if self.state.phase == "between":
                self.tick()
            assert self.state.offer.place is not None
            asked = self.state.places[self.state.offer.place].player
            if asked == player:
                self.do("AcceptBank", player, cents=cents)
                return
            self.do("DeclineBank", asked)
        raise AssertionError(f"{player} is never asked")

    def stack(self, player: str) -> int:
        place = self.state.place_of(player)
        assert place is not None
        return self.state.stack(place)

    def held(self, player: str) -> int:
        place = self.state.place_of(player)
        assert place is not None
        return self.state.held(place)

    def wallet(self, player: str) -> int:
        return self.room.wallets.of(player).cents
