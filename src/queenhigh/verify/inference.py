"""The command that an event followed from, inferred from the event."""

from collections.abc import Callable
from typing import Any

from queenhigh.table import commands, events
from queenhigh.table.commands import CLOCK, Command
from queenhigh.table.events import TableEvent

__all__ = ["infer_command"]


def infer_command(event: TableEvent) -> Command | None:
    """Return the command that has this as its first event, or ``None`` if no command has."""
    stamp: dict[str, Any] = {"at": event.at, "by": event.by, "id": event.id}
    if event.by == CLOCK and not isinstance(event, events.TableOpened):
        return commands.Tick(**stamp)
    make = _COMMANDS.get(type(event))
    return make(event, stamp) if make else None


def _sit(event: events.SeatTaken, stamp: dict[str, Any]) -> Command:
    return commands.Sit(**stamp, place=event.place, cents=event.cents, bot=event.bot)


def _leave(event: events.SeatLeaving, stamp: dict[str, Any]) -> Command:
    return commands.Leave(**stamp, when="now" if event.now else "after_round")


def _place_wagers(event: events.WagersPlaced, stamp: dict[str, Any]) -> Command:
    return commands.PlaceWagers(**stamp, round=event.round, wagers=event.wagers, ready=event.ready)


def _open_table(event: events.TableOpened, stamp: dict[str, Any]) -> Command:
    return commands.OpenTable(
        **stamp, table=event.table, rulebook=event.rulebook, settings=event.settings
    )


def _change_table(event: events.TableChanged, stamp: dict[str, Any]) -> Command:
    return commands.ChangeTable(
        **stamp, rulebook=event.rulebook, settings=event.settings, reason=event.reason
    )


def _announce_change(event: events.ChangeAnnounced, stamp: dict[str, Any]) -> Command:
    return commands.AnnounceChange(
        **stamp, rulebook=event.rulebook, settings=event.settings, reason=event.reason
    )


def _start_chain(event: events.ChainStarted, stamp: dict[str, Any]) -> Command:
    return commands.StartChain(
        **stamp,
        chain=event.chain,
        epoch=event.epoch,
        salt=event.salt,
        length=event.length,
        end=event.end,
        reveal=event.reveal,
    )


_COMMANDS: dict[type, Callable[[Any, dict[str, Any]], Command]] = {
    events.TableOpened: _open_table,
    events.TableChanged: _change_table,
    events.ChangeAnnounced: _announce_change,
    events.ChangeWithdrawn: lambda event, stamp: commands.WithdrawChange(
        **stamp, reason=event.reason
    ),
    events.TableClosing: lambda event, stamp: commands.CloseTable(**stamp, reason=event.reason),
    events.SeatTaken: _sit,
    events.SeatToppedUp: lambda event, stamp: commands.TopUp(**stamp, cents=event.cents),
    events.SeatAside: lambda event, stamp: commands.SitOut(**stamp, aside=event.aside),
    events.SeatAway: lambda event, stamp: commands.MarkAway(**stamp, place=event.place),
    events.SeatBack: lambda event, stamp: commands.BringBack(**stamp, place=event.place),
    events.SeatLeaving: _leave,
    events.BankOffered: lambda event, stamp: commands.WantBank(**stamp),
    events.BankDeclined: lambda event, stamp: commands.DeclineBank(**stamp, round=event.round),
    events.BankPosted: lambda event, stamp: commands.AcceptBank(
        **stamp, round=event.round, cents=event.cents
    ),
    events.SeedAdded: lambda event, stamp: commands.AddSeed(
        **stamp, round=event.round, seed=event.seed
    ),
    events.ChainStarted: _start_chain,
    events.SeedCommitted: lambda event, stamp: commands.CommitSeed(
        **stamp, round=event.round, commitment=event.commitment
    ),
    events.SeedShown: lambda event, stamp: commands.ShowSeed(
        **stamp, round=event.round, seed=event.seed
    ),
    events.WagersPlaced: _place_wagers,
    events.WagersCleared: lambda event, stamp: commands.ClearWagers(**stamp, round=event.round),
    events.SeatReady: lambda event, stamp: commands.PlaceWagers(
        **stamp, round=event.round, ready=True
    ),
    events.MoveMade: lambda event, stamp: commands.Choose(
        **stamp, round=event.round, move=event.move
    ),
    events.ClockStopped: lambda event, stamp: commands.StopClock(**stamp),
    events.TimeGiven: lambda event, stamp: commands.GiveTime(**stamp, reason=event.reason),
    events.TimeRebased: lambda event, stamp: commands.RebaseTime(
        **stamp, before=event.before, reason=event.reason
    ),
    events.IncidentRuled: lambda event, stamp: commands.RuleIncident(
        **stamp,
        round=event.round,
        kind=event.kind,
        place=event.place,
        staff=event.staff,
        reason=event.reason,
    ),
    events.CorrectionAsked: lambda event, stamp: commands.AskCorrection(
        **stamp, round=event.round, facts=event.facts, staff=event.staff, reason=event.reason
    ),
    events.CorrectionRejected: lambda event, stamp: commands.RejectCorrection(
        **stamp, correction=event.correction, staff=event.staff, reason=event.reason
    ),
    events.CorrectionMade: lambda event, stamp: commands.ApproveCorrection(
        **stamp, correction=event.correction, staff=event.staff
    ),
    events.RoundVoided: lambda event, stamp: commands.VoidRound(
        **stamp, round=event.round, reason=event.reason
    ),
}
