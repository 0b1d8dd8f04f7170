"""A table with its clock, its bots, and those who watch."""

import asyncio
from functools import partial
from random import Random
from time import perf_counter
from typing import TYPE_CHECKING, Any, Protocol

from msgspec import Raw
from msgspec.json import encode as to_json
from msgspec.structs import replace

from queenhigh.errors import QueenhighError, Refused
from queenhigh.room.bots import STYLES, Bot, bot_names, make_bots
from queenhigh.room.desk import Desk, Outcome, Then
from queenhigh.room.play import BANKER, refill, seat_bots
from queenhigh.room.room import now
from queenhigh.server.protocol import Seen, encode
from queenhigh.store.streams import Conflict
from queenhigh.table.commands import (
    CLOCK,
    FLOOR,
    AcceptBank,
    ChangeTable,
    CloseTable,
    Command,
    GiveTime,
    Leave,
    Sit,
    Tick,
    VoidRound,
    WantBank,
)
from queenhigh.table.decide import step, wakes_at
from queenhigh.table.events import RoundVoided
from queenhigh.table.fairness import SEED_BYTES
from queenhigh.table.state import Answer
from queenhigh.table.view import own_views, view

if TYPE_CHECKING:
    from queenhigh.server.host import Host

__all__ = ["BOT", "LiveTable", "Watcher"]

_TRIES = 3
#: After a failure the clock tries again so many seconds later.
_AGAIN = 1.0
#: Who has no socket at a table for so long leaves it after the round, in milliseconds.
AWAY_MS = 10 * 60 * 1000
#: A player's own table without a person for so long is closed.
EMPTY_MS = 30 * 60 * 1000
#: What nobody may do at a table where no round may begin.
_BEGINS = frozenset({Sit, AcceptBank, WantBank})
#: No player is called like that: names have no brackets.
BOT = "{} (bot)"
_BANKER = BOT.format(BANKER)


class Watcher(Protocol):
    """Who is shown a table whenever it has changed."""

    player: str | None
    frozen: bool

    def show(self, message: bytes) -> None:
        """Take a view; do not wait."""

    def write(self) -> None:
        """Say what there is to say."""

    def end(self, code: str, message: str) -> None:
        """End the connection, and say why."""


class LiveTable:
    """One table of the host."""

    def __init__(self, host: "Host", desk: Desk, opened: dict[str, Any]) -> None:
        self.host, self.desk = host, desk
        self.owner: str | None = opened["owner"]
        self.disabled: bool = opened["disabled"]
        self._bots_bank: bool = opened["bots_bank"]
        self.watchers: set[Watcher] = set()
        self.change: ChangeTable | None = None
        self._last_here: dict[str, int] = {}
        self._since = self._deserted = now()
        self._version, self._number = desk.state.version, self._ended()
        self._timer: asyncio.TimerHandle | None = None
        self._thinking: set[str] = set()
        self._random = Random()
        self._bots: dict[str, Bot] = {}
        self._digest = desk.state.digest
        self._learning: asyncio.Task[None] | None = None

    # Commands

    def submit(self, command: Command, then: Then) -> None:
        """Follow a command; ``then`` is told its answer once its events are on disk."""
        if self.disabled and type(command) in _BEGINS:
            raise Refused("table.disabled", "the floor lets no round begin here now: wait a while")
        if self.host.stopped:
            raise Refused("room.stops", "the room closes for a moment: come back soon")
        self.desk.submit(command, partial(self._told, command, then, perf_counter(), _TRIES))
        self.host.flush_soon()

    def _told(
        self, command: Command, then: Then, start: float, tries: int, outcome: Outcome
    ) -> None:
        if isinstance(outcome, Conflict) and tries:
            again = partial(self._told, command, then, start, tries - 1)
            asyncio.get_running_loop().call_soon(self._again, command, again)
            return
        self.host.metrics.command.observe(perf_counter() - start)
        then(outcome)

    def _again(self, command: Command, then: Then) -> None:
        """Let the table decide again, since another process was faster."""
        try:
            self.desk.submit(command, then)
        except QueenhighError as refused:
            then(refused)
        self.host.flush_soon()

    async def ask(self, command: Command) -> Answer | None:
        """Follow a command; its events are on disk when this returns."""
        answered: asyncio.Future[Answer | None] = asyncio.get_running_loop().create_future()

        def then(outcome: Outcome) -> None:
            if isinstance(outcome, Exception):
                answered.set_exception(outcome)
            else:
                answered.set_result(outcome)

        self.submit(command, then)
        return await asyncio.shield(answered)

    def do(self, command: Command) -> None:
        """Follow a command that nobody waits for."""
        try:
            self.desk.submit(command, partial(self._note, command))
        except QueenhighError as refused:
            self._note(command, refused)
        self.host.flush_soon()

    def _note(self, command: Command, outcome: Outcome) -> None:
        """Let a clock that could not be heard try again; what comes too late is nothing unusual."""
        if not isinstance(outcome, Exception) or isinstance(outcome, Refused):
            return
        self.host.note(self.desk.table, outcome)
        if isinstance(command, Tick):
            self._set_timer(_AGAIN)

    # What has changed

    def wake(self, *, anew: bool = False) -> None:
        """If the table has changed, show it, set its clock, and let its bots think."""
        version = self.desk.state.version
        if version == self._version and not anew:
            return
        self._version = version
        self._show()
        self._count()
        if self.host.stopped:
            return
        if self.desk.state.phase == "closed":
            self._close()
            return
        self._change_if_due()
        self._keep_going()
        self._set_clock()
        self.let_bots_think()

    def _show(self) -> None:
        if not self.watchers:
            return
        state, at = self.desk.state, now()
        public, owns = Raw(to_json(view(state))), own_views(state)
        for_all = encode(Seen(state.version, at, public))
        for watcher in tuple(self.watchers):
            own = owns.get(watcher.player) if watcher.player is not None else None
            watcher.show(for_all if own is None else encode(Seen(state.version, at, public, own)))

    def seen_by(self, player: str | None) -> bytes:
        """Return the table as a message to one player, or to who looks on."""
        state = self.desk.state
        own = own_views(state).get(player) if player is not None else None
        return encode(Seen(state.version, now(), Raw(to_json(view(state))), own))

    def _ended(self) -> int:
        """Return the number of the round that ended last."""
        last = self.desk.state.last
        return last.live.number if last else 0

    def _count(self) -> None:
        ended, last = self._ended(), self.desk.state.last
        if ended != self._number and last is not None:
            self._number = ended
            how = "void" if isinstance(last.end, RoundVoided) else "settled"
            self.host.metrics.rounds.labels(self.desk.state.document["game"], how).inc()

    def _close(self) -> None:
        self.stop()
        for watcher in tuple(self.watchers):
            watcher.end("table.closed", "this table is closed: choose another in the lobby")
        self.host.tables.pop(self.desk.table, None)

    # Time

    def _set_clock(self) -> None:
        self.stop()
        state = self.desk.state
        due = wakes_at(state)
        if due is None or (self.disabled and state.phase in ("between", "offering")):
            return
        self._set_timer(max(0.0, (due - now()) / 1000))

    def _set_timer(self, seconds: float) -> None:
        self.stop()
        self._timer = asyncio.get_running_loop().call_later(seconds, self._tick)

    def _tick(self) -> None:
        self.do(Tick(id="", by=CLOCK, at=max(now(), wakes_at(self.desk.state) or 0)))

    def stop(self) -> None:
        """Let time stand still."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def give_time(self) -> None:
        """After the room was closed, let who is asked have the whole time once more."""
        state = self.desk.state
        if state.phase != "between" and state.deadline is not None:
            reason = "the room was closed for a moment"
            at, id = now(), f"time.{state.version}"
            self.desk.execute(GiveTime(id=id, by=FLOOR, at=at, reason=reason))

    # The floor

    def enable(self, *, enabled: bool) -> None:
        """Let rounds begin, or let no new one begin."""
        self.disabled = not enabled
        self.host.office.disable(self.desk.table, disabled=self.disabled)
        self._set_clock()
        self.let_bots_think()

    def change_soon(self, change: ChangeTable) -> None:
        """Change the rules as soon as no round is under way; refuse now what would be then."""
        later = replace(self.desk.state, phase="between", round=None, prison={})
        step(later, change, bytes(SEED_BYTES))
        self.change = change
        self._change_if_due()

    def _change_if_due(self) -> None:
        state, change = self.desk.state, self.change
        if change is None:
            return
        if state.round is not None and not state.round.wagers:
            id = f"{change.id}.void"
            self.do(VoidRound(id=id, by=FLOOR, at=now(), reason="the rules change"))
        elif state.phase == "between" and not state.prison:
            self.change = None
            self.do(change)

    # Who comes and goes

    def arrive(self, watcher: Watcher) -> None:
        """Let somebody watch."""
        self.watchers.add(watcher)
        self.let_bots_think()

    def depart(self, watcher: Watcher) -> None:
        """Let somebody go; their seat stays theirs for a while."""
        self.watchers.discard(watcher)
        if watcher.player is not None:
            self._last_here[watcher.player] = now()

    def people(self) -> list[str]:
        """Return who sits here and is no bot."""
        return [one.player for one in self.desk.state.places.values() if not one.bot]

    def look_round(self) -> None:
        """Let players go who have been away for long; close a player's table that is deserted."""
        at, here = now(), {watcher.player for watcher in self.watchers}
        for player in self.people():
            away = at - self._last_here.get(player, self._since)
            if player not in here and away > AWAY_MS:
                self.leave(player, "away")
        if here or self.people() or self.owner is None:
            self._deserted = at
        elif at - self._deserted > EMPTY_MS and self.desk.state.closing is None:
            id, reason = f"empty.{self._version}", "nobody was here for half an hour"
            self.do(CloseTable(id=id, by=FLOOR, at=at, reason=reason))

    def leave(self, player: str, why: str) -> None:
        """Let a player leave after the round."""
        place = self.desk.state.place_of(player)
        if place is not None and not self.desk.state.places[place].leaving:
            id = f"{why}.{self.desk.state.version}"
            self.do(Leave(id=id, by=player, at=now(), when="after_round"))

    # Bots

    def bots(self) -> list[str]:
        """Return the bots that sit here."""
        return [one.player for one in self.desk.state.places.values() if one.bot]

    def seat_bots(self, count: int) -> None:
        """Seat so many bots."""
        names = [BOT.format(name) for name in bot_names(count)]
        seat_bots(self.host.room, self.desk, names)

    def _keep_going(self) -> None:
        """See to it that bots have chips, and that somebody banks."""
        names = self.bots()
        if self.desk.state.phase != "between" or not names or not self.watchers:
            return
        refill(self.host.room, self.desk, names)
        state = self.desk.state
        if not self._bots_bank or not state.settings.bots or view(state).waits_for != "banker":
            return
        if len(state.places) < state.settings.places and _BANKER not in names:
            seat_bots(self.host.room, self.desk, [_BANKER])

    def _minds(self, names: list[str]) -> bool:
        """Tell whether all bots know how to play; those who do not find out in a thread."""
        digest = self.desk.state.digest
        if digest != self._digest:
            self._digest, self._bots = digest, {}
        missing = [name for name in names if name not in self._bots]
        if missing and self._learning is None:
            self._learning = asyncio.create_task(self._learn(digest, missing))
        return not missing

    async def _learn(self, digest: str, names: list[str]) -> None:
        book, seed = self.desk.state.book, self._random.getrandbits(64)
        made = await asyncio.to_thread(make_bots, book, len(names), seed, STYLES, names)
        self._learning = None
        if digest == self._digest:
            for bot in made:
                bot.banks = bot.name == _BANKER or (bot.banks and self._bots_bank)
                self._bots[bot.name] = bot
        self.let_bots_think()

    def let_bots_think(self) -> None:
        """Let every bot that has something to do take its time, while somebody looks on."""
        if not self.watchers or self.host.stopped:
            return
        loop, state = asyncio.get_running_loop(), self.desk.state
        if state.phase == "between" or (self.disabled and state.phase == "offering"):
            return
        names = self.bots()
        if not self._minds(names):
            return
        for bot in [self._bots[name] for name in names]:
            if bot.name in self._thinking or bot.act(view(state, bot.name), 0) is None:
                continue
            self._thinking.add(bot.name)
            wait = self._random.uniform(*self.host.bots_think)
            loop.call_later(wait, self._bot_acts, bot)

    def _bot_acts(self, bot: Bot) -> None:
        self._thinking.discard(bot.name)
        if self.host.stopped:
            return
        command = bot.act(view(self.desk.state, bot.name), now())
        if command is not None:
            self.do(command)
