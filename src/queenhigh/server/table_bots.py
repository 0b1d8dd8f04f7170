"""The bots of a live table: they sit, have chips, and play while somebody watches.

They finish a round that has begun even if nobody watches any more.
"""

import asyncio
from contextlib import suppress
from random import Random

from queenhigh.room.bot_loop import BANKER
from queenhigh.room.bots import STYLES, Bot, bot_names, make_bots
from queenhigh.server.ids import fresh_id
from queenhigh.server.ports import TableControl, TablePorts
from queenhigh.server.ruling_clock import RulingClock
from queenhigh.store.streams import DamagedStream
from queenhigh.table.commands import AcceptBank, Command, DeclineBank, PlaceWagers, WantBank
from queenhigh.table.view import view

__all__ = ["TableBots"]

#: Names of players have no brackets, so none is like these.
_BOT = "{} (bot)"
_BANKER = _BOT.format(BANKER)


class TableBots:
    """All bots of one table; ``banks``: those that are willing to may bank."""

    def __init__(
        self, table: TableControl, ports: TablePorts, ruling: RulingClock, *, banks: bool
    ) -> None:
        self._table, self._ports, self._ruling, self._banks = table, ports, ruling, banks
        self._bots: dict[str, Bot] = {}
        self._digest = ""
        self._learning: asyncio.Task[None] | None = None
        self._thinking: set[str] = set()
        self._random = Random()
        #: How many bots are to sit here, and whether some have to be seated again.
        self._wanted, self._is_short = 0, False

    def names(self) -> list[str]:
        """Return the bots that sit at the table."""
        return [seat.player for seat in self._table.durable.committed.places.values() if seat.bot]

    def seat(self, count: int) -> None:
        """Seat so many bots; those that cannot be written now are seated later."""
        self._wanted, self._is_short = count, False
        names = [_BOT.format(name) for name in bot_names(count)]
        state = self._table.durable.committed
        missing = [name for name in names if state.place_of(name) is None]
        free = state.settings.places - len(state.places)
        if state.closing is None:
            self._ports.seat_bots(self._table.durable, missing[:free], self._on_not_seated)

    def seat_missing(self) -> None:
        """Seat bots that could not sit down before."""
        if self._is_short:
            self.seat(self._wanted)
            self._table.schedule_refresh()

    def _on_not_seated(self, name: str, error: Exception) -> None:
        """Log that a bot could not sit down; one whose wallet is damaged stays away."""
        is_damaged = isinstance(error, DamagedStream)
        if is_damaged or not self._is_short:  # a disk that fails is logged once for all bots
            self._note(error)
        self._is_short = self._is_short or not is_damaged

    def _note(self, error: Exception) -> None:
        self._ports.note(self._table.durable.table, error)

    def _refill(self, names: list[str]) -> None:
        """Bring chips to bots; one whose wallet is damaged plays with what it has."""
        for name in names:
            with suppress(DamagedStream):
                self._ports.refill_bot(self._table.durable, name)

    def keep_going(self) -> None:
        """Give bots chips between rounds, find a banker, and let all bots act."""
        names, table = self.names(), self._table
        is_active = bool(table.watchers) or self._has_to_act()
        if not names or self._ports.is_stopped() or not is_active:
            return
        if table.durable.committed.phase == "between":
            self._refill(names)
        if self._all_know(names) and not table.is_paused:
            if table.durable.committed.phase == "between":
                self._find_banker(names)
            else:
                self._think(names)

    def _has_to_act(self) -> bool:
        """Return whether bots act although nobody watches: to end a round, or decline a bank."""
        state = self._table.durable.committed
        if state.phase == "offering":
            return not self._banks
        return state.round is not None and bool(state.round.wagers)

    def _find_banker(self, names: list[str]) -> None:
        """Where nobody wanted the bank, make a bot want it; seat another bot if none can."""
        table, state = self._table, self._table.durable.committed
        if not self._banks or view(state).waits_for != "banker" or not state.offer.declined_by_all:
            return
        willing = [name for name in names if self._bots[name].banks]
        if not willing and len(state.places) < state.settings.places:
            try:
                self._ports.seat_bots(table.durable, [_BANKER], _raise)
            except DamagedStream as error:
                self._note(error)
            else:
                table.schedule_refresh()
        elif willing:
            time_ms, id = self._ports.clock.now(), fresh_id("bank")
            table.submit(WantBank(id=id, by=self._random.choice(willing), at=time_ms))

    # Learning

    def _all_know(self, names: list[str]) -> bool:
        """Return whether all bots know how to play; the others learn it in a thread."""
        digest = self._table.durable.committed.digest
        if digest != self._digest:
            self._digest, self._bots = digest, {}
        missing = [name for name in names if name not in self._bots]
        if missing and self._learning is None:
            self._learning = asyncio.create_task(self._learn(digest, missing))
        return not missing

    async def _learn(self, digest: str, names: list[str]) -> None:
        book, seed = self._table.durable.committed.book, self._random.getrandbits(64)
        try:
            made = await asyncio.to_thread(make_bots, book, len(names), seed, STYLES, names)
        except Exception as error:
            self._note(error)
            return
        finally:
            self._learning = None
        if digest == self._digest:
            for bot in made:
                bot.banks = bot.name == _BANKER or (bot.banks and self._banks)
                self._bots[bot.name] = bot
        self._table.schedule_refresh()

    # Acting

    def _think(self, names: list[str]) -> None:
        """Schedule the action of each bot that has one; declining takes no time."""
        loop = asyncio.get_running_loop()
        for bot in [self._bots[name] for name in names]:
            command = None if bot.name in self._thinking else self._command(bot, 0)
            if command is None:
                continue
            self._thinking.add(bot.name)
            declines = isinstance(command, DeclineBank)
            wait = 0 if declines else self._random.uniform(*self._ports.bots_think)
            loop.call_later(wait, self._act, bot)

    def _act(self, bot: Bot) -> None:
        self._thinking.discard(bot.name)
        if self._ports.is_stopped() or self._table.is_paused or self._ruling.is_on:
            return
        command = self._command(bot, self._ports.clock.now())
        if command is not None:
            self._table.submit(command)

    def _command(self, bot: Bot, time_ms: int) -> Command | None:
        """Return what a bot does, if anything: while nobody watches it neither bets nor banks."""
        command = bot.act(view(self._table.durable.committed, bot.name), time_ms)
        bets = isinstance(command, PlaceWagers) and command.wagers
        begins = bets or isinstance(command, AcceptBank)
        return None if begins and not self._table.watchers else command


def _raise(name: str, error: Exception) -> None:
    raise error
