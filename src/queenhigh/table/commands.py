"""Commands to a table. Each has an id that its sender made, a sender and a time.

The sender is a player's name, ``floor`` for the people who run the room, or ``clock``. Times
are whole milliseconds by the room's clock. A command for a round names it, so that a late one
cannot act on the next round.
"""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from queenhigh.game import Bet, Move
from queenhigh.table.correction_events import Facts
from queenhigh.table.incident_events import IncidentKind

__all__ = [
    "CLOCK",
    "FLOOR",
    "AcceptBank",
    "AddSeed",
    "AnnounceChange",
    "ApproveCorrection",
    "AskCorrection",
    "Bet",
    "BringBack",
    "ChangeTable",
    "Choose",
    "ClearWagers",
    "CloseTable",
    "Command",
    "CommitSeed",
    "DeclineBank",
    "GiveTime",
    "Leave",
    "MarkAway",
    "OpenTable",
    "Pace",
    "PlaceWagers",
    "RebaseTime",
    "RejectCorrection",
    "RuleIncident",
    "Settings",
    "ShowSeed",
    "Sit",
    "SitOut",
    "StartChain",
    "StopClock",
    "Tick",
    "TopUp",
    "VoidRound",
    "WantBank",
    "WithdrawChange",
]

CLOCK, FLOOR = "clock", "floor"


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """How long things take at a table, in milliseconds."""

    pause: int = 4_000
    offer: int = 15_000
    bets: int = 20_000
    moves: int = 20_000


class Settings(Struct, frozen=True, forbid_unknown_fields=True):
    """What a table announces beside its rulebook.

    ``silence`` is the move of players who say nothing until the deadline; ``least_bank`` is the
    least that a banker posts; ``places`` is how many may sit, the banker included. With
    ``table_chips`` nobody takes more away than they brought; where that is not so, it is left out.
    """

    places: int
    pace: Pace = Pace()
    #: Stored and sent as ``silence``.
    default_move: Move = field(default="fold", name="silence")
    least_bank: int = 1
    bots: bool = True
    table_chips: bool | UnsetType = UNSET


class Command(Struct, frozen=True, kw_only=True, gc=False):
    """The fields of every command."""

    id: str
    by: str
    at: int


class OpenTable(Command, frozen=True, kw_only=True, gc=False):
    """Open a table with a rulebook, given as its document."""

    table: str
    rulebook: dict[str, Any]
    settings: Settings


class StartChain(Command, frozen=True, kw_only=True, gc=False):
    """Take the room's seeds from a chain from the next round on."""

    chain: int
    epoch: int
    salt: str
    length: int
    end: str
    reveal: int


class ChangeTable(Command, frozen=True, kw_only=True, gc=False):
    """Give a table another rulebook of the same game, or other settings, between rounds."""

    rulebook: dict[str, Any]
    settings: Settings
    reason: str


class AnnounceChange(Command, frozen=True, kw_only=True, gc=False):
    """Announce other fees or limits, which hold after the notice of the table's rulebook."""

    rulebook: dict[str, Any]
    settings: Settings
    reason: str


class WithdrawChange(Command, frozen=True, kw_only=True, gc=False):
    """Withdraw the announced change."""

    reason: str


class Sit(Command, frozen=True, kw_only=True, gc=False):
    """Take a place with chips from the wallet."""

    place: int
    cents: int
    bot: bool = False


class TopUp(Command, frozen=True, kw_only=True, gc=False):
    """Bring more chips from the wallet."""

    cents: int


class SitOut(Command, frozen=True, kw_only=True, gc=False):
    """Keep the place and sit out, or come back."""

    aside: bool


class MarkAway(Command, frozen=True, kw_only=True, gc=False):
    """Stop waiting for a player who is gone; the place stays theirs."""

    place: int


class BringBack(Command, frozen=True, kw_only=True, gc=False):
    """Bring back a player who was away: they take part again."""

    place: int


class Leave(Command, frozen=True, kw_only=True, gc=False):
    """Leave, now or after the round. Now: an undecided hand makes the table's default move."""

    when: Literal["now", "after_round"] = "now"


class AcceptBank(Command, frozen=True, kw_only=True, gc=False):
    """Take the bank that is offered, and post an amount."""

    round: int
    cents: int


class DeclineBank(Command, frozen=True, kw_only=True, gc=False):
    """Pass the offer on."""

    round: int


class WantBank(Command, frozen=True, kw_only=True, gc=False):
    """Ask for the bank after everyone declined it."""


class AddSeed(Command, frozen=True, kw_only=True, gc=False):
    """Add a seed in the clear to the deal of a round."""

    round: int
    seed: str


class CommitSeed(Command, frozen=True, kw_only=True, gc=False):
    """Commit to 32 bytes, by their hash, that will be shown when bets are closed."""

    round: int
    commitment: str


class ShowSeed(Command, frozen=True, kw_only=True, gc=False):
    """Show the bytes that a place has committed to."""

    round: int
    seed: str


class PlaceWagers(Command, frozen=True, kw_only=True, gc=False):
    """Put wagers down; ``ready`` means that there are no more to come."""

    round: int
    wagers: tuple[Bet, ...] = ()
    ready: bool = False


class ClearWagers(Command, frozen=True, kw_only=True, gc=False):
    """Take the wagers of a round back while bets are open."""

    round: int


class Choose(Command, frozen=True, kw_only=True, gc=False):
    """Play or fold."""

    round: int
    move: Move


class Tick(Command, frozen=True, kw_only=True, gc=False):
    """Apply a deadline that has passed."""


class StopClock(Command, frozen=True, kw_only=True, gc=False):
    """Give the only person at a table all the time they want."""


class GiveTime(Command, frozen=True, kw_only=True, gc=False):
    """Restart the current deadline with its full time."""

    reason: str


class RebaseTime(Command, frozen=True, kw_only=True, gc=False):
    """Continue at another time than the table's own, ``before``; deadlines restart in full."""

    before: int
    reason: str


class VoidRound(Command, frozen=True, kw_only=True, gc=False):
    """Return everything that a round holds."""

    round: int
    reason: str


class CloseTable(Command, frozen=True, kw_only=True, gc=False):
    """Close the table once its round is over."""

    reason: str


class RuleIncident(Command, frozen=True, kw_only=True, gc=False):
    """Rule on an irregularity in the round under way; some concern one place."""

    round: int
    kind: IncidentKind
    place: int | None = None
    staff: str
    reason: str


class AskCorrection(Command, frozen=True, kw_only=True):
    """Ask to correct a settled round. ``past`` is that round, as the log has it."""

    round: int
    facts: Facts
    staff: str
    reason: str
    past: Any = None


class RejectCorrection(Command, frozen=True, kw_only=True, gc=False):
    """Reject a correction that was asked for, or withdraw it."""

    correction: int
    staff: str
    reason: str


class ApproveCorrection(Command, frozen=True, kw_only=True):
    """Approve a correction, which is made at once.

    ``past`` is the round as the log has it, ``names`` are the names of today of players who had
    another one then, and ``wallets`` what is in their wallets.
    """

    correction: int
    staff: str
    past: Any = None
    names: dict[str, str] = {}
    wallets: dict[str, int] = {}
