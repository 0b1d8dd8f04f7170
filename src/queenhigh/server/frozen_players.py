"""Frozen players: they finish what they have on a table, then they leave with their chips.

Nothing is folded or taken for them. Bets that can be withdrawn are returned; once bets are closed
they stand, and the hand is theirs to play; a banker's round is settled, and the next spin decides a
bet in prison. Then the room makes them leave. The log has their usual commands.
"""

from collections.abc import Callable, Collection, Iterable
from typing import Protocol

from queenhigh.errors import QueenhighError
from queenhigh.server.ids import fresh_id
from queenhigh.server.ports import TableControl, TablePorts, Watcher
from queenhigh.server.responses import Holds
from queenhigh.table.commands import Choose, ClearWagers, Command, Leave, ShowSeed, SitOut
from queenhigh.table.state import State
from queenhigh.table.waiting import own_bets, undecided

__all__ = ["ASK", "FrozenPlayers", "check_command", "note_frozen", "what_holds"]

#: What a frozen player may send: commands that leave, withdraw bets or finish a hand.
_MAY_SEND = frozenset({Choose, ClearWagers, Leave, ShowSeed})
ASK = "your account is frozen. Ask the floor why"
_FROZEN = "the floor has frozen your account. "
_IN_A_HAND = f"{_FROZEN}Finish this hand; then you leave with your chips"
_IN_A_ROUND = f"{_FROZEN}When this round is over, you leave with your chips"


def what_holds(state: State, player: str) -> Holds | None:
    """Return what keeps a player at a table until it is decided, if anything does."""
    place, live = state.place_of(player), state.round
    if place is None:
        return None
    if live is not None and live.banker == place:
        return "bank" if live.wagers else None
    if place in undecided(state):
        return "hand"
    if own_bets(state, place):
        return "bets"
    return "prison" if state.held(place) else None


def check_command(state: State, command: Command) -> None:
    """Refuse a frozen player's command unless it leaves, withdraws bets or finishes a hand."""
    if type(command) in _MAY_SEND:
        return
    holds = what_holds(state, command.by)
    sentence = {None: ASK, "hand": _IN_A_HAND}.get(holds, _IN_A_ROUND)
    raise QueenhighError("account.frozen", sentence)


class FrozenPlayers:
    """The frozen players at one table."""

    def __init__(self, table: TableControl, ports: TablePorts) -> None:
        self._table, self._ports = table, ports
        self._names: Collection[str] = ports.frozen_among(table.durable.committed.people())

    def note(self, frozen: Collection[str]) -> None:
        """Note who is frozen of the people here, and show it to those for whom it is new."""
        self._names = frozen
        self.release()
        for watcher in tuple(self._table.watchers):
            is_frozen = watcher.player in frozen
            if is_frozen != watcher.frozen:
                watcher.frozen = is_frozen
                watcher.show(self._table.seen_by(watcher))

    def release(self) -> None:
        """Return what frozen players may withdraw, and make those leave whom nothing holds."""
        for player in self._names:
            place = self._table.durable.pending.place_of(player)
            if place is not None:
                self._release(player, place)

    def _release(self, player: str, place: int) -> None:
        durable = self._table.durable
        if durable.pending.phase == "betting" and own_bets(durable.pending, place):
            self._submit(ClearWagers, player, round=durable.pending.number)
        state = durable.pending
        seat, holds = state.places.get(place), what_holds(state, player)
        if seat is None or seat.leaving:
            return
        if holds is None:
            self._submit(Leave, player, when="after_round")
        elif holds == "prison" and seat.is_in:  # nobody waits for their bets
            self._submit(SitOut, player, aside=True)

    def _submit(self, kind: type[Command], player: str, **fields: object) -> None:
        time_ms = self._ports.clock.now()
        self._table.submit(kind(id=fresh_id("frozen"), by=player, at=time_ms, **fields))


class _Table(Protocol):
    """A live table."""

    @property
    def watchers(self) -> set[Watcher]:
        """Everyone who watches it."""

    @property
    def frozen(self) -> FrozenPlayers:
        """The frozen players at it."""

    def people(self) -> list[str]:
        """Return the players who sit there and are no bots."""


def note_frozen(
    tables: Iterable[_Table], frozen_among: Callable[[Iterable[str]], Collection[str]]
) -> None:
    """Note at all tables whose accounts are frozen now, of those who sit or watch there."""
    tables = tuple(tables)
    names = {name for table in tables for name in table.people()}
    names |= {watcher.player for table in tables for watcher in table.watchers if watcher.player}
    frozen = frozenset(frozen_among(names))
    for table in tables:
        table.frozen.note(frozen)
