"""The bots of a live table: they sit, have chips, and play while somebody looks on.

What has begun they finish, whoever is there: a round goes on by its clock, and silence folds.
"""

import asyncio
from contextlib import suppress
from random import Random
from typing import TYPE_CHECKING

from queenhigh.room.bots import STYLES, Bot, bot_names, make_bots
from queenhigh.room.play import BANKER, refill, seat_bots
from queenhigh.room.room import now
from queenhigh.server.ids import fresh_id
from queenhigh.store.streams import DamagedStream
from queenhigh.table.commands import AcceptBank, Command, DeclineBank, PlaceWagers, WantBank
from queenhigh.table.view import view

if TYPE_CHECKING:
    from queenhigh.server.live import LiveTable

__all__ = ["Company"]

#: No player is called like that: names have no brackets.
_BOT = "{} (bot)"
_BANKER = _BOT.format(BANKER)


class Company:
    """All bots of one table; ``banks``: those who are willing to may bank."""

    def __init__(self, table: "LiveTable", *, banks: bool) -> None:
        self._table, self._banks = table, banks
        self._bots: dict[str, Bot] = {}
        self._digest = ""
        self._learning: asyncio.Task[None] | None = None
        self._thinking: set[str] = set()
        self._random = Random()
        #: How many bots are to sit here, and whether some are to be tried again.
        self._wanted, self._is_short = 0, False

    def names(self) -> list[str]:
        """Return the bots that sit at the table."""
        return [one.player for one in self._table.desk.state.places.values() if one.bot]

    def seat(self, count: int) -> None:
        """Seat so many bots; those that the disk keeps away are seated later."""
        self._wanted, self._is_short = count, False
        names = [_BOT.format(name) for name in bot_names(count)]
        state = self._table.desk.state
        missing = [name for name in names if state.place_of(name) is None]
        free = state.settings.places - len(state.places)
        if state.closing is None:
            seat_bots(self._table.host.room, self._table.desk, missing[:free], self._not_seated)

    def seat_missing(self) -> None:
        """Seat bots that could not sit down before."""
        if self._is_short:
            self.seat(self._wanted)

    def _not_seated(self, name: str, error: Exception) -> None:
        """Take note of a bot that could not sit down; one whose wallet is damaged stays away."""
        is_damaged = isinstance(error, DamagedStream)
        if is_damaged or not self._is_short:  # a disk that fails is noted once for all bots
            self._table.host.note(self._table.desk.table, error)
        self._is_short = self._is_short or not is_damaged

    def _refill(self, names: list[str]) -> None:
        """Bring chips to bots; one whose wallet is damaged plays with what it has."""
        for name in names:
            with suppress(DamagedStream):
                refill(self._table.host.room, self._table.desk, [name])

    def keep_going(self) -> None:
        """See to it that between rounds bots have chips, that somebody banks, and that all act."""
        names, table = self.names(), self._table
        if not names or table.host.stopped or not (table.watchers or self._has_to_act()):
            return
        if table.desk.state.phase == "between":
            self._refill(names)
        if self._all_know(names) and not table.is_held_back:
            if table.desk.state.phase == "between":
                self._find_banker(names)
            else:
                self._think(names)

    def _has_to_act(self) -> bool:
        """Tell whether bots act although nobody looks on: they finish rounds, and hold up none."""
        state = self._table.desk.state
        if state.phase == "offering":
            return not self._banks
        return state.round is not None and bool(state.round.wagers)

    def _find_banker(self, names: list[str]) -> None:
        """Where nobody wanted the bank, let a bot want it; seat one more if none can."""
        table, state = self._table, self._table.desk.state
        if not self._banks or view(state).waits_for != "banker" or not state.offer.unwanted:
            return
        willing = [name for name in names if self._bots[name].banks]
        if not willing and len(state.places) < state.settings.places:
            try:
                seat_bots(table.host.room, table.desk, [_BANKER])
            except DamagedStream as error:
                table.host.note(table.desk.table, error)
            else:
                table.wake_soon()
        elif willing:
            at, id = now(), fresh_id("bank")
            table.do(WantBank(id=id, by=self._random.choice(willing), at=at))

    # How to play

    def _all_know(self, names: list[str]) -> bool:
        """Tell whether all bots know how to play; those who do not find out in a thread."""
        digest = self._table.desk.state.digest
        if digest != self._digest:
            self._digest, self._bots = digest, {}
        missing = [name for name in names if name not in self._bots]
        if missing and self._learning is None:
            self._learning = asyncio.create_task(self._learn(digest, missing))
        return not missing

    async def _learn(self, digest: str, names: list[str]) -> None:
        book, seed = self._table.desk.state.book, self._random.getrandbits(64)
        try:
            made = await asyncio.to_thread(make_bots, book, len(names), seed, STYLES, names)
        except Exception as error:
            self._table.host.note(self._table.desk.table, error)
            return
        finally:
            self._learning = None
        if digest == self._digest:
            for bot in made:
                bot.banks = bot.name == _BANKER or (bot.banks and self._banks)
                self._bots[bot.name] = bot
        self._table.wake_soon()

    # What to do

    def _think(self, names: list[str]) -> None:
        """Let every bot that has something to do take its time for it, but not to decline."""
        loop = asyncio.get_running_loop()
        for bot in [self._bots[name] for name in names]:
            command = None if bot.name in self._thinking else self._command(bot, 0)
            if command is None:
                continue
            self._thinking.add(bot.name)
            declines = isinstance(command, DeclineBank)
            wait = 0 if declines else self._random.uniform(*self._table.host.bots_think)
            loop.call_later(wait, self._act, bot)

    def _act(self, bot: Bot) -> None:
        self._thinking.discard(bot.name)
        if self._table.host.stopped or self._table.is_held_back:
            return
        command = self._command(bot, now())
        if command is not None:
            self._table.do(command)

    def _command(self, bot: Bot, at: int) -> Command | None:
        """Return what a bot does, or nothing: while nobody looks on it neither bets nor banks."""
        command = bot.act(view(self._table.desk.state, bot.name), at)
        bets = isinstance(command, PlaceWagers) and command.wagers
        begins = bets or isinstance(command, AcceptBank)
        return None if begins and not self._table.watchers else command
