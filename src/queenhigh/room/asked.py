"""From events back to the command they followed from."""

from collections.abc import Callable
from typing import Any

from queenhigh.table import commands as ask
from queenhigh.table import events as happened
from queenhigh.table.commands import CLOCK, Command
from queenhigh.table.events import TableEvent

__all__ = ["command_of"]


def command_of(event: TableEvent) -> Command | None:
    """Return the command whose first event this could be, or ``None`` if there is none."""
    stamp: dict[str, Any] = {"at": event.at, "by": event.by, "id": event.id}
    if event.by == CLOCK and not isinstance(event, happened.TableOpened):
        return ask.Tick(**stamp)
    make = _COMMANDS.get(type(event))
    return make(event, stamp) if make else None


def _sit(event: happened.SeatTaken, stamp: dict[str, Any]) -> Command:
    return ask.Sit(**stamp, place=event.place, cents=event.cents, bot=event.bot)


def _leave(event: happened.SeatLeaving, stamp: dict[str, Any]) -> Command:
    return ask.Leave(**stamp, when="now" if event.now else "after_round")


def _place_wagers(event: happened.WagersPlaced, stamp: dict[str, Any]) -> Command:
    return ask.PlaceWagers(**stamp, round=event.round, wagers=event.wagers, ready=event.ready)


def _open_table(event: happened.TableOpened, stamp: dict[str, Any]) -> Command:
    return ask.OpenTable(
        **stamp, table=event.table, rulebook=event.rulebook, settings=event.settings
    )


def _change_table(event: happened.TableChanged, stamp: dict[str, Any]) -> Command:
    return ask.ChangeTable(
        **stamp, rulebook=event.rulebook, settings=event.settings, reason=event.reason
    )


def _start_chain(event: happened.ChainStarted, stamp: dict[str, Any]) -> Command:
    return ask.StartChain(
        **stamp,
        chain=event.chain,
        epoch=event.epoch,
        salt=event.salt,
        length=event.length,
        end=event.end,
        reveal=event.reveal,
    )


_COMMANDS: dict[type, Callable[[Any, dict[str, Any]], Command]] = {
    happened.TableOpened: _open_table,
    happened.TableChanged: _change_table,
    happened.TableClosing: lambda event, stamp: ask.CloseTable(**stamp, reason=event.reason),
    happened.SeatTaken: _sit,
    happened.SeatToppedUp: lambda event, stamp: ask.TopUp(**stamp, cents=event.cents),
    happened.SeatAside: lambda event, stamp: ask.StandAside(**stamp, aside=event.aside),
    happened.SeatLeaving: _leave,
    happened.BankOffered: lambda event, stamp: ask.WantBank(**stamp),
    happened.BankDeclined: lambda event, stamp: ask.DeclineBank(**stamp, round=event.round),
    happened.BankPosted: lambda event, stamp: ask.AcceptBank(
        **stamp, round=event.round, cents=event.cents
    ),
    happened.SeedAdded: lambda event, stamp: ask.AddSeed(
        **stamp, round=event.round, seed=event.seed
    ),
    happened.ChainStarted: _start_chain,
    happened.SeedCommitted: lambda event, stamp: ask.CommitSeed(
        **stamp, round=event.round, commitment=event.commitment
    ),
    happened.SeedShown: lambda event, stamp: ask.ShowSeed(
        **stamp, round=event.round, seed=event.seed
    ),
    happened.WagersPlaced: _place_wagers,
    happened.WagersCleared: lambda event, stamp: ask.ClearWagers(**stamp, round=event.round),
    happened.SeatReady: lambda event, stamp: ask.PlaceWagers(
        **stamp, round=event.round, ready=True
    ),
    happened.MoveMade: lambda event, stamp: ask.Choose(**stamp, round=event.round, move=event.move),
    happened.TimeGiven: lambda event, stamp: ask.GiveTime(**stamp, reason=event.reason),
    happened.TimeRebased: lambda event, stamp: ask.RebaseTime(
        **stamp, before=event.before, reason=event.reason
    ),
    happened.RoundVoided: lambda event, stamp: ask.VoidRound(**stamp, reason=event.reason),
}
