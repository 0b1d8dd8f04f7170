"""Bots at a table of a room, round after round, durably."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from queenhigh.errors import QueenhighError, Refused
from queenhigh.room.bots import Bot
from queenhigh.room.desk import Desk, Outcome, Then
from queenhigh.room.room import Room, now
from queenhigh.store.streams import Conflict
from queenhigh.table.commands import CLOCK, Command, Pace, Sit, Tick, TopUp
from queenhigh.table.decide import wakes_at
from queenhigh.table.state import Answer
from queenhigh.table.view import view

__all__ = ["AT_ONCE", "BANKER", "Hooks", "Played", "play", "refill", "seat_bots"]

#: For a table that only bots sit at: they need no time to think, and none waits for them.
AT_ONCE = Pace(pause=0, offer=60_000, bets=60_000, moves=60_000)

#: Who banks when nobody else will.
BANKER = "Banker"
#: How often nothing may happen before it is clear that nothing will.
_PATIENCE = 10
#: How often bots are seated again after somebody else wrote first.
_TRIES = 5
_CHIPS = 2_000_000
_WALLET = 100 * _CHIPS


@dataclass
class Played:
    """What came of it: rounds that ended, commands that were followed."""

    rounds: int = 0
    commands: int = 0


@dataclass(frozen=True)
class Hooks:
    """Who wants to know how it goes, and when to stop."""

    watch: Callable[[Played], None] = lambda played: None
    stop: Callable[[], bool] = lambda: False
    acknowledged: Callable[[Command, Answer], None] = lambda command, answer: None


def _raise(name: str, error: Exception) -> None:
    raise error


def seat_bots(
    room: Room,
    desk: Desk,
    names: list[str],
    failed: Callable[[str, Exception], None] = _raise,
) -> None:
    """Seat bots that do not sit yet, with chips of their own, all in one commit.

    ``failed`` is called for each bot that could not be seated.
    """
    free = [at for at in range(1, desk.state.settings.places + 1) if at not in desk.state.places]
    missing = [name for name in names if desk.state.place_of(name) is None]
    if len(missing) > len(free):
        told = f"table {desk.table} has {len(free)} free places: seat fewer bots"
        raise QueenhighError("table.full", told)
    wrong: dict[str, Exception] = {}
    for _ in range(_TRIES):
        wrong = _seat_at_once(room, desk, missing)
        for name, error in wrong.items():
            if not isinstance(error, Conflict):
                failed(name, error)
        missing = [name for name, error in wrong.items() if isinstance(error, Conflict)]
        if not missing:
            return
    for name in missing:
        failed(name, wrong[name])


def _seat_at_once(room: Room, desk: Desk, names: list[str]) -> dict[str, Exception]:
    """Seat bots in one commit; return what went wrong by name."""
    outcomes: dict[str, Outcome] = {}
    if desk.belief.failed:
        desk.reload()
    for name in names:
        try:
            _queue_seat(room, desk, name, partial(outcomes.__setitem__, name))
        except QueenhighError as error:
            outcomes[name] = error
    room.store.flush()
    return {name: one for name, one in outcomes.items() if isinstance(one, Exception)}


def _queue_seat(room: Room, desk: Desk, name: str, then: Then) -> None:
    """Let a bot sit at the first free place with the store's next flush."""
    state = desk.ahead
    free = (at for at in range(1, state.settings.places + 1) if at not in state.places)
    place = next(free, None)
    if place is None:
        raise Refused("table.full", f"table {desk.table} has no free place: seat fewer bots")
    id = f"{desk.table}.{state.version}"
    if room.wallets.of(name).cents < _CHIPS:
        room.wallets.issue_soon(name, _WALLET, id=f"{id}.chips", at=now(), reason="a bot's chips")
    desk.submit(Sit(id=id, by=name, at=now(), place=place, cents=_CHIPS, bot=True), then)


def play(
    room: Room,
    desk: Desk,
    bots: list[Bot],
    rounds: int,
    hooks: Hooks | None = None,
) -> Played:
    """Let bots play so many rounds, or until they are told to stop."""
    hooks, played = hooks or Hooks(), Played()
    rounds_before, idle = desk.state.number - (desk.state.round is not None), 0
    while not hooks.stop():
        state = desk.state
        played.rounds = state.number - (state.round is not None) - rounds_before
        hooks.watch(played)
        if played.rounds >= rounds and state.round is None:
            break
        if state.phase == "between":
            refill(room, desk, [bot.name for bot in bots])
            if wakes_at(desk.state) is None:
                _help_on(room, desk, bots)
        before = desk.state.version
        played.commands += _follow(room, desk, _commands(desk, bots), hooks)
        idle = idle + 1 if desk.state.version == before else 0
        if idle > _PATIENCE:
            told = f"table {desk.table} waits for something that no bot does"
            raise QueenhighError("table.waits", told)
    return played


def _commands(desk: Desk, bots: list[Bot]) -> list[Command]:
    """Return what everyone does now; the clock if nobody has anything to do."""
    state, at = desk.state, now()
    if state.phase == "between":
        return [Tick(id="", by=CLOCK, at=max(at, wakes_at(state) or at))]
    asked = [bot.act(view(state, bot.name), at) for bot in bots]
    commands = [command for command in asked if command is not None]
    return commands or [Tick(id="", by=CLOCK, at=max(at, state.deadline or at))]


def _follow(room: Room, desk: Desk, commands: list[Command], hooks: Hooks) -> int:
    """Follow commands one after another, and write them all at once."""
    outcomes: list[tuple[Command, Outcome]] = []

    def told(command: Command, outcome: Outcome) -> None:
        outcomes.append((command, outcome))

    for command in commands:
        with suppress(Refused):  # it came too late: the table has gone on
            desk.submit(command, partial(told, command))
    room.store.flush()
    for command, outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
        if outcome is not None:
            hooks.acknowledged(command, outcome)
    return len(outcomes)


def _help_on(room: Room, desk: Desk, bots: list[Bot]) -> None:
    """Where nobody wants to bank, seat a bot that does, if the table takes bots."""
    state = desk.state
    if view(state).waits_for != "banker":
        told = f"table {desk.table} waits for more players: seat more bots"
        raise QueenhighError("table.waits", told)
    if not state.settings.bots or any(bot.name == BANKER for bot in bots):
        raise QueenhighError("table.waits", f"table {desk.table} waits for somebody to bank")
    bots.append(replace(bots[0], name=BANKER, banks=True))
    seat_bots(room, desk, [BANKER])


def refill(room: Room, desk: Desk, names: list[str]) -> None:
    """Bring chips to bots that have few left; the room gives them more if their wallets are out."""
    state = desk.state
    for name in names:
        place = state.place_of(name)
        if place is None or state.stack(place) >= _CHIPS // 10:
            continue
        at, id = now(), f"{desk.table}.{state.version}"
        if room.wallets.of(name).cents < _CHIPS:
            room.wallets.issue(name, _WALLET, id=f"{id}.chips", at=at, reason="a refill")
        desk.execute(TopUp(id=id, by=name, at=at, cents=_CHIPS))
