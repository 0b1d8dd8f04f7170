"""The events of a table, as they are stored.

An event's name has a version. A field may be added with a default; anything else is a new version
beside the old one, which stays readable. Every event has a time, a sender and the id of a
command; all amounts are cents.
"""

from typing import Any

import msgspec

from queenhigh.errors import QueenhighError
from queenhigh.game import Bet, Move
from queenhigh.table.change_events import Amounts, ChangeAnnounced, ChangeWithdrawn
from queenhigh.table.commands import Settings
from queenhigh.table.correction_events import (
    CorrectionAsked,
    CorrectionMade,
    CorrectionRejected,
)
from queenhigh.table.event_base import Event
from queenhigh.table.incident_events import HandVoided, IncidentRuled
from queenhigh.table.seed_events import (
    ChainStarted,
    RoundOpened,
    RoundOpened2,
    SeedAdded,
    SeedCommitted,
    SeedShown,
)
from queenhigh.table.settled_rows import Charge, SettledPlace, SettledPlayer

__all__ = [
    "Amounts",
    "BallLanded",
    "BallLanded2",
    "BankDeclined",
    "BankOffered",
    "BankPosted",
    "BankUnwanted",
    "BetsClosed",
    "BetsClosed2",
    "CardsDealt",
    "CardsDealt2",
    "ChainStarted",
    "ChangeAnnounced",
    "ChangeWithdrawn",
    "Charge",
    "ClockStopped",
    "CorrectionAsked",
    "CorrectionMade",
    "CorrectionRejected",
    "Event",
    "HandVoided",
    "IncidentRuled",
    "MoveMade",
    "RoundOpened",
    "RoundOpened2",
    "RoundSettled",
    "RoundVoided",
    "SeatAside",
    "SeatAway",
    "SeatBack",
    "SeatLeaving",
    "SeatLeft",
    "SeatReady",
    "SeatTaken",
    "SeatToppedUp",
    "SeedAdded",
    "SeedCommitted",
    "SeedShown",
    "SettledPlace",
    "SettledPlayer",
    "SpinSettled",
    "TableChanged",
    "TableClosed",
    "TableClosing",
    "TableEvent",
    "TableOpened",
    "TimeGiven",
    "TimeRebased",
    "WagersCleared",
    "WagersPlaced",
    "decode",
    "encode",
]


class TableOpened(Event, frozen=True, kw_only=True, gc=False, tag="table.opened/1"):
    """A table with its rulebook, as a document and by digest, and its settings."""

    table: str
    rulebook: dict[str, Any]
    digest: str
    settings: Settings


class TableChanged(Event, frozen=True, kw_only=True, gc=False, tag="table.changed/1"):
    """From the next round on the table has this rulebook and these settings, and why."""

    rulebook: dict[str, Any]
    digest: str
    settings: Settings
    reason: str


class TableClosing(Event, frozen=True, kw_only=True, gc=False, tag="table.closing/1"):
    """The table will close after its round."""

    reason: str


class TableClosed(Event, frozen=True, kw_only=True, gc=False, tag="table.closed/1"):
    """The table is closed and empty, for good."""


class SeatTaken(Event, frozen=True, kw_only=True, gc=False, tag="seat.taken/1"):
    """A player sat down with chips from the wallet."""

    place: int
    player: str
    cents: int
    bot: bool = False


class SeatToppedUp(Event, frozen=True, kw_only=True, gc=False, tag="seat.topped_up/1"):
    """More chips came from the wallet."""

    place: int
    player: str
    cents: int


class SeatAside(Event, frozen=True, kw_only=True, gc=False, tag="seat.aside/1"):
    """A player sits out, or is back."""

    place: int
    aside: bool


class SeatAway(Event, frozen=True, kw_only=True, gc=False, tag="seat.away/1"):
    """A player has lost the connection or missed a clock: the table stops waiting for them."""

    place: int


class SeatBack(Event, frozen=True, kw_only=True, gc=False, tag="seat.back/1"):
    """A player who was away has connected again, or acts."""

    place: int


class SeatLeaving(Event, frozen=True, kw_only=True, gc=False, tag="seat.leaving/1"):
    """A player leaves once nothing of theirs is held; ``now``: and makes no more moves."""

    place: int
    now: bool = False


class SeatLeft(Event, frozen=True, kw_only=True, gc=False, tag="seat.left/1"):
    """A player left; the stack is back in the wallet.

    ``kept`` are chips that stay with the house at a table with ``table_chips``.
    """

    place: int
    player: str
    cents: int
    kept: int = 0


class BankOffered(Event, frozen=True, kw_only=True, gc=False, tag="bank.offered/1"):
    """The bank of a round is offered to a place."""

    round: int
    place: int


class BankDeclined(Event, frozen=True, kw_only=True, gc=False, tag="bank.declined/1"):
    """The offer was declined; by the clock if the player did not answer."""

    round: int
    place: int


class BankUnwanted(Event, frozen=True, kw_only=True, gc=False, tag="bank.unwanted/1"):
    """Nobody wants to bank: the table waits."""

    round: int


class BankPosted(Event, frozen=True, kw_only=True, gc=False, tag="bank.posted/1"):
    """A place banks: the bank is held, and the highest possible fee."""

    round: int
    place: int
    cents: int
    fee: int = 0


class WagersPlaced(Event, frozen=True, kw_only=True, gc=False, tag="wagers.placed/1"):
    """Wagers are held, and the fee for them."""

    round: int
    place: int
    wagers: tuple[Bet, ...]
    fee: int = 0
    ready: bool = False


class WagersCleared(Event, frozen=True, kw_only=True, gc=False, tag="wagers.cleared/1"):
    """A place took back its wagers, fee included."""

    round: int
    place: int
    cents: int


class SeatReady(Event, frozen=True, kw_only=True, gc=False, tag="seat.ready/1"):
    """A place has no more to bet."""

    round: int
    place: int


class BetsClosed(Event, frozen=True, kw_only=True, gc=False, tag="bets.closed/1"):
    """No more bets. Fees that are due before the deal are collected.

    ``released`` is the part held for the banker's fee that is not needed.
    """

    round: int
    fees: tuple[Charge, ...] = ()
    released: tuple[Charge, ...] = ()


class BetsClosed2(BetsClosed, frozen=True, kw_only=True, gc=False, tag="bets.closed/2"):
    """No more bets, in a round of a chain: seeds are shown next."""


class CardsDealt(Event, frozen=True, kw_only=True, gc=False, tag="cards.dealt/1"):
    """Three cards for each place in order of seats, then the dealer's three."""

    round: int
    places: tuple[int, ...]
    cards: tuple[int, ...]
    first: int | None = None


class CardsDealt2(CardsDealt, frozen=True, kw_only=True, gc=False, tag="cards.dealt/2"):
    """Cards of a round of a chain, and the key they follow from.

    The key is secret until the round is over, so no hash of this event gives the cards away.
    """

    key: str


class MoveMade(Event, frozen=True, kw_only=True, gc=False, tag="move.made/1"):
    """A place plays, with a Play wager held, or folds; by the clock after the deadline."""

    round: int
    place: int
    move: Move
    cents: int = 0
    fee: int = 0


class BallLanded(Event, frozen=True, kw_only=True, gc=False, tag="ball.landed/1"):
    """The ball lies in a pocket."""

    round: int
    pocket: str


class BallLanded2(BallLanded, frozen=True, kw_only=True, gc=False, tag="ball.landed/2"):
    """The ball of a round of a chain, and the key it follows from."""

    key: str


class RoundSettled(Event, frozen=True, kw_only=True, gc=False, tag="round.settled/1"):
    """A round of poker is over; its seed is shown. ``fees`` are those that were still held."""

    round: int
    seed: str
    places: tuple[SettledPlace, ...]
    net: int
    banker: int | None = None
    bank: int = 0
    bank_left: int | None = None
    fees: tuple[Charge, ...] = ()


class SpinSettled(Event, frozen=True, kw_only=True, gc=False, tag="spin.settled/1"):
    """A spin is over; its seed is shown. What is in prison stays held."""

    round: int
    seed: str
    places: tuple[SettledPlayer, ...]
    net: int


class ClockStopped(Event, frozen=True, kw_only=True, gc=False, tag="clock.stopped/1"):
    """No clock runs for the only person here, until there is another or none."""


class TimeGiven(Event, frozen=True, kw_only=True, gc=False, tag="time.given/1"):
    """The current deadline restarts with its full time, for a reason."""

    reason: str


class TimeRebased(Event, frozen=True, kw_only=True, gc=False, tag="time.rebased/1"):
    """The clock was set: the last event was at ``before``, and time continues from this event.

    No other event may be earlier than the one before it.
    """

    before: int
    reason: str


class RoundVoided(Event, frozen=True, kw_only=True, gc=False, tag="round.voided/1"):
    """A round ended without a result: all that was held came back, and fees that were collected."""

    round: int
    seed: str
    reason: str
    returned: tuple[Charge, ...] = ()
    fees: tuple[Charge, ...] = ()


TableEvent = (
    TableOpened
    | TableChanged
    | ChangeAnnounced
    | ChangeWithdrawn
    | TableClosing
    | TableClosed
    | ChainStarted
    | SeatTaken
    | SeatToppedUp
    | SeatAside
    | SeatAway
    | SeatBack
    | SeatLeaving
    | SeatLeft
    | BankOffered
    | BankDeclined
    | BankUnwanted
    | BankPosted
    | RoundOpened
    | RoundOpened2
    | SeedAdded
    | SeedCommitted
    | SeedShown
    | WagersPlaced
    | WagersCleared
    | SeatReady
    | BetsClosed
    | BetsClosed2
    | CardsDealt
    | CardsDealt2
    | MoveMade
    | BallLanded
    | BallLanded2
    | RoundSettled
    | SpinSettled
    | RoundVoided
    | IncidentRuled
    | HandVoided
    | CorrectionAsked
    | CorrectionRejected
    | CorrectionMade
    | ClockStopped
    | TimeGiven
    | TimeRebased
)

_decoder = msgspec.json.Decoder(TableEvent)
encode = msgspec.json.Encoder(order=None).encode


def decode(event: bytes) -> TableEvent:
    """Read an event of a table from its bytes."""
    try:
        read: TableEvent = _decoder.decode(event)
        return read
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        sentence = f"this is not an event of a table: {error}"
        raise QueenhighError("event.unreadable", sentence) from None
