"""The log of a table in words: rounds, and what happens around them."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from msgspec import Struct

from queenhigh.history.narration import describe_event
from queenhigh.money import dollars
from queenhigh.table import events
from queenhigh.table.commands import CLOCK
from queenhigh.table.events import TableEvent

__all__ = ["LogLine", "describe_log"]

_Names = dict[int, str]


class LogLine(Struct, frozen=True):
    """An event of a table in words; ``round`` is the round that it belongs to."""

    version: int
    at: int
    by: str
    type: str
    round: int | None
    text: str


def describe_log(
    stored: Iterable[tuple[int, TableEvent]], players: Mapping[int, str]
) -> list[LogLine]:
    """Return events of a table in words, the newest first.

    ``stored`` are its last events, oldest first, and ``players`` who sits there now. Going back,
    names are those of the time.
    """
    names, lines = dict(players), list[LogLine]()
    for version, event in reversed(list(stored)):
        if isinstance(event, events.SeatLeft):
            names[event.place] = event.player
        lines.append(
            LogLine(
                version,
                event.at,
                event.by,
                event.__struct_config__.tag.rpartition("/")[0],  # type: ignore[union-attr]
                getattr(event, "round", None),
                _describe(event, names),
            )
        )
        if isinstance(event, events.SeatTaken):
            names.pop(event.place, None)
    return lines


def _describe(event: TableEvent, names: _Names) -> str:
    describe = _DESCRIPTIONS.get(type(event))
    return describe(event, names) if describe else describe_event(event, names, None)


def _who(names: _Names, place: int) -> str:
    return f"{names.get(place, 'Place')} ({place})"


def _table_opened(event: events.TableOpened, names: _Names) -> str:
    return f"The table opens with the rules of {event.rulebook.get('name', 'its rulebook')}"


def _table_changed(event: events.TableChanged, names: _Names) -> str:
    how = "The announced change holds from now on" if event.by == CLOCK else "The rules change"
    return f"{how}: {event.reason}" if event.reason else how


def _table_closing(event: events.TableClosing, names: _Names) -> str:
    return f"The table will close after its round: {event.reason}"


def _seat_taken(event: events.SeatTaken, names: _Names) -> str:
    return f"{event.player} sits down at place {event.place} with {dollars(event.cents)}"


def _seat_topped_up(event: events.SeatToppedUp, names: _Names) -> str:
    return f"{event.player} ({event.place}) adds {dollars(event.cents)}"


def _seat_aside(event: events.SeatAside, names: _Names) -> str:
    return f"{_who(names, event.place)} {'sits out' if event.aside else 'is back'}"


def _seat_leaving(event: events.SeatLeaving, names: _Names) -> str:
    return f"{_who(names, event.place)} leaves {'now' if event.now else 'after the round'}"


def _seat_left(event: events.SeatLeft, names: _Names) -> str:
    return f"{event.player} ({event.place}) left with {dollars(event.cents)}"


def _bank_offered(event: events.BankOffered, names: _Names) -> str:
    return f"The bank of round {event.round} is offered to {_who(names, event.place)}"


def _bank_declined(event: events.BankDeclined, names: _Names) -> str:
    late = " (time ran out)" if event.by == CLOCK else ""
    return f"{_who(names, event.place)} declines the bank{late}"


def _seed_added(event: events.SeedAdded, names: _Names) -> str:
    return f"{_who(names, event.place)} adds a seed"  # it is hidden while bets are open


def _seed_shown(event: events.SeedShown, names: _Names) -> str:
    return f"{_who(names, event.place)} reveals the seed"


def _round_opened(event: events.RoundOpened | events.RoundOpened2, names: _Names) -> str:
    return f"Round {event.round}: bets are open"


def _correction_asked(event: events.CorrectionAsked, names: _Names) -> str:
    return f"{event.staff} asks for a correction of round {event.round}: {event.reason}"


def _correction_rejected(event: events.CorrectionRejected, names: _Names) -> str:
    # The one who asked withdraws it, anyone else rejects it: who asked is not in this event.
    return f"{event.staff} decides that correction {event.correction} is not made: {event.reason}"


def _correction_made(event: events.CorrectionMade, names: _Names) -> str:
    moved = "; ".join(
        f"{row.player} {dollars(row.cents, signed=True)}" for row in event.chips if row.cents
    )
    owed = sum(abs(row.owed) for row in event.moved)
    rest = f"; {dollars(owed)} is still owed" if owed else ""
    what = moved or "no chips moved"
    return f"Round {event.round} is corrected, approved by {event.staff}: {what}{rest}"


_DESCRIPTIONS: dict[type, Callable[[Any, _Names], str]] = {
    events.TableOpened: _table_opened,
    events.TableChanged: _table_changed,
    events.TableClosing: _table_closing,
    events.TableClosed: lambda event, names: "The table is closed",
    events.SeatTaken: _seat_taken,
    events.SeatToppedUp: _seat_topped_up,
    events.SeatAside: _seat_aside,
    events.SeatAway: lambda event, names: f"{_who(names, event.place)} is away",
    events.SeatBack: lambda event, names: f"{_who(names, event.place)} is back",
    events.SeatLeaving: _seat_leaving,
    events.SeatLeft: _seat_left,
    events.SeatReady: lambda event, names: f"{_who(names, event.place)} is ready",
    events.BankOffered: _bank_offered,
    events.BankDeclined: _bank_declined,
    events.BankUnwanted: lambda event, names: "Everyone has declined the bank",
    events.ChainStarted: lambda event, names: f"Chain {event.chain} of the room's seeds starts",
    events.RoundOpened: _round_opened,
    events.RoundOpened2: _round_opened,
    events.SeedAdded: _seed_added,
    events.SeedShown: _seed_shown,
    events.CorrectionAsked: _correction_asked,
    events.CorrectionRejected: _correction_rejected,
    events.CorrectionMade: _correction_made,
    events.ClockStopped: lambda event, names: "The clock is stopped: one person plays",
    events.TimeGiven: lambda event, names: f"The time starts again: {event.reason}",
    events.TimeRebased: lambda event, names: f"The clock was set: {event.reason}",
}
