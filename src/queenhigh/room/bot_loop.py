"""Bots that play at a durable table, round after round."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from queenhigh.errors import QueenhighError, Refused
from queenhigh.room.bots import Bot
from queenhigh.room.durable_table import DurableTable, OnOutcome, Outcome
from queenhigh.room.room import Room, now
from queenhigh.store.streams import Conflict
from queenhigh.table.command_log import EventSpan
from queenhigh.table.commands import CLOCK, Command, Pace, Sit, Tick, TopUp
from queenhigh.table.decide import wakes_at
from queenhigh.table.state import State
from queenhigh.table.view import view

__all__ = ["AT_ONCE", "BANKER", "Hooks", "Played", "play", "refill", "seat_bots"]

#: The pace of a table for bots only: they need no time, and nobody waits for them.
AT_ONCE = Pace(pause=0, offer=60_000, bets=60_000, moves=60_000)

#: The bot that banks when nobody else will.
BANKER = "Banker"
#: After so many turns without an event the table is stuck.
_MOST_IDLE_TURNS = 10
#: How often seating bots is tried again after another process wrote first.
_TRIES = 5
_CHIPS = 2_000_000
_WALLET = 100 * _CHIPS


@dataclass
class Played:
    """Counts of rounds that ended and of commands that were followed."""

    rounds: int = 0
    commands: int = 0


@dataclass(frozen=True)
class Hooks:
    """Callbacks of a loop of bots.

    ``watch`` is called with the counts so far, ``stop`` decides whether to stop, and ``on_commit``
    is called with each command that is on disk, and its events.
    """

    watch: Callable[[Played], None] = lambda played: None
    stop: Callable[[], bool] = lambda: False
    on_commit: Callable[[Command, EventSpan], None] = lambda command, answer: None


def _raise(name: str, error: Exception) -> None:
    raise error


def seat_bots(
    room: Room,
    durable: DurableTable,
    names: list[str],
    failed: Callable[[str, Exception], None] = _raise,
) -> None:
    """Seat bots that do not sit yet, with chips of their own, all in one commit.

    ``failed`` is called for each bot that could not be seated.
    """
    state = durable.committed
    free = [place for place in _all_places(state) if place not in state.places]
    missing = [name for name in names if state.place_of(name) is None]
    if len(missing) > len(free):
        message = f"table {durable.table} has {len(free)} free places: seat fewer bots"
        raise QueenhighError("table.full", message)
    errors: dict[str, Exception] = {}
    for _ in range(_TRIES):
        errors = _seat_at_once(room, durable, missing)
        for name, error in errors.items():
            if not isinstance(error, Conflict):
                failed(name, error)
        missing = [name for name, error in errors.items() if isinstance(error, Conflict)]
        if not missing:
            return
    for name in missing:
        failed(name, errors[name])


def _all_places(state: State) -> range:
    return range(1, state.settings.places + 1)


def _seat_at_once(room: Room, durable: DurableTable, names: list[str]) -> dict[str, Exception]:
    """Seat bots in one commit; return the errors by name."""
    outcomes: dict[str, Outcome] = {}
    if durable.lineage.failed:
        durable.reload()
    for name in names:
        try:
            _queue_seat(room, durable, name, partial(outcomes.__setitem__, name))
        except QueenhighError as error:
            outcomes[name] = error
    room.store.flush()
    return {name: error for name, error in outcomes.items() if isinstance(error, Exception)}


def _queue_seat(room: Room, durable: DurableTable, name: str, then: OnOutcome) -> None:
    """Queue the command that seats a bot at the first free place."""
    state = durable.pending
    place = next((place for place in _all_places(state) if place not in state.places), None)
    if place is None:
        raise Refused("table.full", f"table {durable.table} has no free place: seat fewer bots")
    id = f"{durable.table}.{state.version}"
    if room.wallets.of(name).cents < _CHIPS:
        room.wallets.issue_soon(name, _WALLET, id=f"{id}.chips", at=now(), reason="a bot's chips")
    durable.submit(Sit(id=id, by=name, at=now(), place=place, cents=_CHIPS, bot=True), then)


def play(
    room: Room,
    durable: DurableTable,
    bots: list[Bot],
    rounds: int,
    hooks: Hooks | None = None,
) -> Played:
    """Play so many rounds with bots, or until the hooks say stop."""
    hooks, played, idle = hooks or Hooks(), Played(), 0
    rounds_before = durable.committed.number - (durable.committed.round is not None)
    while not hooks.stop():
        state = durable.committed
        played.rounds = state.number - (state.round is not None) - rounds_before
        hooks.watch(played)
        if played.rounds >= rounds and state.round is None:
            break
        if state.phase == "between":
            refill(room, durable, [bot.name for bot in bots])
            if wakes_at(durable.committed) is None:
                _seat_a_banker(room, durable, bots)
        before = durable.committed.version
        played.commands += _follow(room, durable, _commands(durable, bots), hooks)
        idle = idle + 1 if durable.committed.version == before else 0
        if idle > _MOST_IDLE_TURNS:
            message = f"table {durable.table} is waiting for something that no bot can do"
            raise QueenhighError("table.waits", message)
    return played


def _commands(durable: DurableTable, bots: list[Bot]) -> list[Command]:
    """Return the bots' commands; the clock's if no bot has anything to do."""
    state, time_ms = durable.committed, now()
    if state.phase == "between":
        return [Tick(id="", by=CLOCK, at=max(time_ms, wakes_at(state) or time_ms))]
    chosen = [bot.act(view(state, bot.name), time_ms) for bot in bots]
    commands = [command for command in chosen if command is not None]
    return commands or [Tick(id="", by=CLOCK, at=max(time_ms, state.deadline or time_ms))]


def _follow(room: Room, durable: DurableTable, commands: list[Command], hooks: Hooks) -> int:
    """Submit commands one after another, and write them all in one commit."""
    outcomes: list[tuple[Command, Outcome]] = []

    def note(command: Command, outcome: Outcome) -> None:
        outcomes.append((command, outcome))

    for command in commands:
        with suppress(Refused):  # too late: the table has gone on
            durable.submit(command, partial(note, command))
    room.store.flush()
    for command, outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
        if outcome is not None:
            hooks.on_commit(command, outcome)
    return len(outcomes)


def _seat_a_banker(room: Room, durable: DurableTable, bots: list[Bot]) -> None:
    """Seat a bot that banks where nobody else wants to, if the table takes bots."""
    state = durable.committed
    if view(state).waits_for != "banker":
        message = f"table {durable.table} is waiting for more players: seat more bots"
        raise QueenhighError("table.waits", message)
    if not state.settings.bots or any(bot.name == BANKER for bot in bots):
        raise QueenhighError("table.waits", f"table {durable.table} is waiting for a banker")
    bots.append(replace(bots[0], name=BANKER, banks=True))
    seat_bots(room, durable, [BANKER])


def refill(room: Room, durable: DurableTable, names: list[str]) -> None:
    """Top up bots that have few chips left; issue more to wallets that are out of chips."""
    state = durable.committed
    for name in names:
        place = state.place_of(name)
        if place is None or state.stack(place) >= _CHIPS // 10:
            continue
        time_ms, id = now(), f"{durable.table}.{state.version}"
        if room.wallets.of(name).cents < _CHIPS:
            room.wallets.issue(name, _WALLET, id=f"{id}.chips", at=time_ms, reason="a refill")
        durable.execute(TopUp(id=id, by=name, at=time_ms, cents=_CHIPS))
