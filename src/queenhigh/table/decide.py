"""Decides commands: returns events, or raises a refusal that changes nothing."""

from collections.abc import Callable
from typing import Any

from queenhigh.games import GAMES
from queenhigh.rulebook.book import Games
from queenhigh.table import (
    banking,
    betting,
    changing,
    commands,
    corrections,
    events,
    incidents,
    rounds,
    seats,
    seeds,
)
from queenhigh.table.command_log import command_key
from queenhigh.table.commands import (
    CLOCK,
    FLOOR,
    CloseTable,
    Command,
    OpenTable,
    Tick,
)
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.events import TableEvent
from queenhigh.table.evolve import evolve
from queenhigh.table.fairness import document_digest
from queenhigh.table.lone_player import can_stop_clock
from queenhigh.table.notice import due_at, is_due
from queenhigh.table.state import State
from queenhigh.table.waiting import undecided

__all__ = ["decide", "open_table", "step", "wakes_at"]

#: The longest name and id, in letters.
_LONGEST = 64
#: How many commands of one player are followed in a round, so that all their ids can be remembered.
_MOST_IDS = 1000


def decide(state: State | None, command: Command, chance: bytes) -> tuple[TableEvent, ...]:
    """Return the events that follow from a command; none if it was followed before.

    ``chance`` is the room's seed: of the round under way, or of the one that opens. At a table
    without a chain it is 32 fresh bytes.
    """
    return step(state, command, chance)[0]


def step(
    state: State | None,
    command: Command,
    chance: bytes | None,
    key: bytes = b"",
    games: Games = GAMES,
) -> tuple[tuple[TableEvent, ...], State]:
    """Return the events that follow from a command, and the table after them.

    When a log is proved, ``key`` is the key that the cards were dealt with, and ``chance`` is
    ``None`` until the log shows the seed.
    """
    if state is None:
        if not isinstance(command, OpenTable):
            refuse("table.none", "there is no such table")
        opened = open_table(command, games)
        return (opened,), evolve(None, opened, games)
    if state.commands.find(command_key(command)) is not None:
        return (), state
    _check_sender(state, command)
    draft = Draft(state, command, chance, key, games)
    _HANDLERS[type(command)](draft, command)
    return tuple(draft.events), draft.state


def _check_sender(state: State, command: Command) -> None:
    if state.phase == "closed":
        refuse("table.closed", "this table is closed")
    kind = type(command)
    if kind is Tick:
        if command.by != CLOCK or command.id:
            refuse("sender.wrong", "only the clock sends ticks, without an id")
        return
    if kind is OpenTable:
        refuse("table.open", "this table is already open")
    if not 1 <= len(command.id) <= _LONGEST or not command.id.isprintable():
        refuse("id.length", f"a command needs an id of 1 to {_LONGEST} characters")
    if not 1 <= len(command.by) <= _LONGEST or not command.by.isprintable():
        refuse("name.length", f"a player needs a name of 1 to {_LONGEST} characters")
    is_limited = command.by != FLOOR and kind is not commands.Leave
    if is_limited and state.commands.count(command.by) >= _MOST_IDS:
        refuse("id.many", f"this was your {_MOST_IDS}th command in this round: wait for the next")
    if (command.by == FLOOR) != (kind in _OF_THE_FLOOR) or command.by == CLOCK:
        refuse("sender.wrong", "you are not allowed to do this")


def open_table(command: OpenTable, games: Games = GAMES) -> events.TableOpened:
    """Return a table's first event; refuse settings that its game cannot be played with."""
    book, settings = changing.read_rulebook(command.rulebook, games), command.settings
    if command.by != FLOOR or not command.id or command.at < 0:
        refuse("sender.wrong", "only the floor can open tables, with an id")
    if not 1 <= len(command.table) <= _LONGEST or not command.table.isprintable():
        refuse("name.length", f"a table needs a name of 1 to {_LONGEST} characters")
    changing.check_settings(book, settings)
    return events.TableOpened(
        at=command.at,
        by=command.by,
        id=command.id,
        table=command.table,
        rulebook=dict(command.rulebook),
        digest=document_digest(command.rulebook),
        settings=settings,
    )


def _void(draft: Draft, command: commands.VoidRound) -> None:
    changing.check_text(command.reason)
    rounds.void_round(draft, command)


def _give_time(draft: Draft, command: commands.GiveTime) -> None:
    if draft.state.deadline is None:
        refuse("time.none", "the table is not waiting for anyone: there is no time to give")
    changing.check_text(command.reason)
    draft.emit(events.TimeGiven, reason=command.reason)


def _stop_clock(draft: Draft, command: commands.StopClock) -> None:
    if not can_stop_clock(draft.state):
        refuse("clock.people", "the clock stops where one person plays, and it was not stopped yet")
    draft.emit(events.ClockStopped)


def _rebase_time(draft: Draft, command: commands.RebaseTime) -> None:
    """Continue at the command's time, which may be earlier than the last event here only."""
    if command.before != draft.state.at:
        refuse("time.before", "the table's last event has another time: reload the table")
    if command.at == command.before or command.at < 0:
        refuse("time.same", "the table already has this time: there is nothing to rebase")
    changing.check_text(command.reason)
    draft.at = command.at
    draft.emit(events.TimeRebased, before=command.before, reason=command.reason)


def _tick(draft: Draft, command: Tick) -> None:
    state = draft.state
    if is_due(state, draft.at):
        changing.apply_announced(draft)
        return
    if state.deadline is None or draft.at < state.deadline:
        return
    if state.phase == "between":
        banking.begin(draft)
        if draft.state.round is not None and draft.live.wagers:
            betting.close_bets_if_ready(draft)
    elif state.phase == "offering":
        banking.offer_next(draft)
    elif state.phase == "betting":
        rounds.close_bets(draft)
    elif state.phase == "revealing":
        rounds.deal(draft)
    else:
        rounds.apply_default_moves(draft, undecided(state))


def wakes_at(state: State) -> int | None:
    """Return the time at which a tick has an effect; ``None`` while the table waits for players."""
    due, deadline = due_at(state), state.deadline
    if deadline is None or (state.phase == "between" and not banking.can_begin(state)):
        return due
    return deadline if due is None else min(due, deadline)


def _close(draft: Draft, command: CloseTable) -> None:
    if draft.state.closing is not None:
        refuse("table.closing", "this table is already closing")
    changing.check_text(command.reason)
    draft.emit(events.TableClosing, reason=command.reason)
    live = draft.state.round
    if live is None:
        rounds.release_leavers(draft)
    elif not live.wagers:
        rounds.void(draft, "the table closes")


_OF_THE_FLOOR = frozenset(
    {
        commands.VoidRound,
        commands.RuleIncident,
        commands.AskCorrection,
        commands.RejectCorrection,
        commands.ApproveCorrection,
        commands.GiveTime,
        commands.StopClock,
        commands.RebaseTime,
        commands.MarkAway,
        commands.BringBack,
        commands.StartChain,
        commands.ChangeTable,
        commands.AnnounceChange,
        commands.WithdrawChange,
        CloseTable,
    }
)

_HANDLERS: dict[type, Callable[[Draft, Any], None]] = {
    commands.Sit: seats.sit,
    commands.TopUp: seats.top_up,
    commands.SitOut: seats.sit_out,
    commands.MarkAway: seats.mark_away,
    commands.BringBack: seats.bring_back,
    commands.Leave: seats.leave,
    commands.AcceptBank: banking.accept,
    commands.DeclineBank: banking.decline,
    commands.WantBank: banking.want,
    commands.AddSeed: seeds.add,
    commands.CommitSeed: seeds.commit,
    commands.ShowSeed: seeds.show,
    commands.StartChain: seeds.start_chain,
    commands.PlaceWagers: betting.place_wagers,
    commands.ClearWagers: betting.clear_wagers,
    commands.Choose: rounds.choose,
    commands.VoidRound: _void,
    commands.RuleIncident: incidents.rule_incident,
    commands.AskCorrection: corrections.ask,
    commands.RejectCorrection: corrections.reject,
    commands.ApproveCorrection: corrections.approve,
    commands.GiveTime: _give_time,
    commands.StopClock: _stop_clock,
    commands.RebaseTime: _rebase_time,
    commands.ChangeTable: changing.change,
    commands.AnnounceChange: changing.announce,
    commands.WithdrawChange: changing.withdraw,
    CloseTable: _close,
    Tick: _tick,
}
