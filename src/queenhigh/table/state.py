"""The state of a table: a fold of its events."""

from typing import Any, Literal

from msgspec import UNSET, Struct, UnsetType, field

from queenhigh.errors import BrokenLog
from queenhigh.game import Bet, GameRound
from queenhigh.rulebook.book import Rulebook
from queenhigh.table import ledger
from queenhigh.table.command_log import CommandLog
from queenhigh.table.commands import Settings
from queenhigh.table.correction_events import CorrectionMade, Facts
from queenhigh.table.events import (
    ChangeAnnounced,
    IncidentRuled,
    RoundSettled,
    RoundVoided,
    SpinSettled,
)

__all__ = [
    "ActiveRound",
    "AskedCorrection",
    "BankState",
    "Chain",
    "Committed",
    "CorrectedRound",
    "Corrections",
    "Dealings",
    "PastRound",
    "Phase",
    "Place",
    "State",
    "drawn",
    "in_seat_order",
    "round_of",
    "seat_of",
    "seats_of",
]

#: Between rounds; the bank is offered; bets are open; seeds are shown; players decide; all over.
Phase = Literal["between", "offering", "betting", "revealing", "deciding", "closed"]


# States are saved in snapshots: ``name=`` is the name that a field has there.


class Place(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The player at a place."""

    player: str
    bot: bool = False
    sitting_out: bool = field(default=False, name="aside")
    leaving: bool = False
    #: All the chips that the player brought from the wallet.
    brought: int = 0
    #: Whether the player is gone: without a connection, or after a missed clock.
    away: bool = False

    @property
    def is_in(self) -> bool:
        """Return whether the place takes part in the next round."""
        return not (self.sitting_out or self.leaving or self.away)

    @property
    def wants_out(self) -> bool:
        """Return whether the player has chosen to sit out or to leave."""
        return self.sitting_out or self.leaving


class BankState(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The bank: its last banker, for how many rounds in a row, and the place that is asked now.

    ``bank`` is posted by the banker, and ``fee`` is held for the banker's fee.
    """

    banker: int | None = None
    rounds_in_a_row: int = field(default=0, name="running")
    bank: int = 0
    fee: int = 0
    place: int | None = None
    declined: tuple[int, ...] = ()
    declined_by_all: bool = field(default=False, name="unwanted")


class Chain(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The room's seeds: ``end`` was shown first, ``tip`` is the last one shown.

    ``used`` is the link of the last round that opened; a chain that ``is_lost`` has a void round
    whose seed the room could not show, and takes no more rounds.
    """

    number: int
    epoch: int
    salt: str
    length: int
    end: str
    reveal: int
    tip: str
    used: int = 0
    is_lost: bool = False

    @property
    def is_over(self) -> bool:
        """Return whether no more rounds can open on this chain."""
        return self.is_lost or self.used >= self.length


class Committed(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A player's commitment, and the seed once it is shown; ``bot`` if the room plays there."""

    player: str
    commitment: str
    shown: str | None = None
    bot: bool | UnsetType = UNSET


class Dealings(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What a table's dealing came to: counted, so that anyone can see.

    Rounds on chains that ended, seeds of places in deals, seeds that were left out of one, rounds
    that were voided after bets were closed, and rounds whose void did not show the room's seed.
    """

    rounds: int = 0
    seeds_shown: int = 0
    seeds_left_out: int = 0
    voided_after_close: int = 0
    voided_without_seed: int = 0


class ActiveRound(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A round under way. ``fees`` are held and not yet collected, ``paid`` are collected.

    ``play`` is the round in its game, from the draw on. In a round of scheme 1 ``chain`` is
    0, and ``seed`` is known from the start. ``key`` is the key of the cards, once they are
    dealt.
    """

    number: int
    seed: str
    commitment: str
    banker: int | None = None
    bank: int = 0
    wagers: dict[int, tuple[Bet, ...]] = {}
    fees: dict[int, int] = {}
    paid: dict[int, int] = {}
    seeds: dict[int, str] = {}
    ready: tuple[int, ...] = ()
    players: dict[int, str] = {}
    play: GameRound | None = None
    chain: int = 0
    link: int = 0
    committed: dict[int, Committed] = {}
    key: str = ""
    is_closed: bool = False
    #: The places whose move the clock made.
    by_clock: tuple[int, ...] = ()
    #: The wagers of hands that the floor made void, by place.
    voided: dict[int, tuple[Bet, ...]] = {}
    #: What the floor ruled in this round.
    incidents: tuple[IncidentRuled, ...] = ()


class PastRound(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A round that is over, and how it ended.

    ``players`` took part, by place: others may sit there since. ``rulebook`` is the document it
    was played by, as JSON, if the table has another one since.
    """

    live: ActiveRound
    end: RoundSettled | SpinSettled | RoundVoided
    players: dict[int, str] = {}
    rulebook: str = ""


class AskedCorrection(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A correction that waits for a second person."""

    round: int
    facts: Facts
    staff: str
    reason: str
    at: int


class CorrectedRound(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What corrections of a round have moved, by place: gains from the bank, and fees charged."""

    nets: dict[int, int] = {}
    fees: dict[int, int] = {}


class Corrections(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The corrections of a table: how many were asked for, those that wait, rounds corrected.

    ``latest`` is the last one that was made.
    """

    count: int = 0
    asked: dict[int, AskedCorrection] = {}
    rounds: dict[int, CorrectedRound] = {}
    latest: CorrectionMade | None = None


class State(Struct, frozen=True, kw_only=True, gc=False):
    """A table. ``balances`` are by account."""

    table: str
    book: Rulebook
    document: dict[str, Any]
    digest: str
    settings: Settings
    version: int = 0
    at: int = 0
    phase: Phase = "between"
    deadline: int | None = None
    number: int = 0
    places: dict[int, Place] = {}
    balances: dict[str, int] = {}
    offer: BankState = BankState()
    first: int | None = None
    round: ActiveRound | None = None
    prison: dict[int, tuple[Bet, ...]] = {}
    last: PastRound | None = None
    closing: str | None = None
    chain: Chain | None = None
    dealings: Dealings = Dealings()
    commands: CommandLog = CommandLog()
    #: The notice of other fees or limits; after the clock is set it starts again.
    announced: ChangeAnnounced | None = None
    #: Whether the clock is stopped, since one person plays with bots only.
    untimed: bool = False
    corrections: Corrections = Corrections()

    def stack(self, place: int) -> int:
        """Return the chips of a place that are not on the table."""
        return self.balances.get(ledger.STACK[place], 0)

    def held(self, place: int) -> int:
        """Return the chips of a place on the table."""
        return self.balances.get(ledger.HELD[place], 0)

    def can_bet(self, place: int) -> bool:
        """Return whether a place takes part and has chips for the smallest bet."""
        return self.places[place].is_in and self.stack(place) >= self.book.betting.least_stack

    def people(self) -> list[str]:
        """Return the players who sit here and are no bots."""
        return [seat.player for seat in self.places.values() if not seat.bot]

    def place_of(self, player: str) -> int | None:
        """Return the place of a player."""
        for place, seat in self.places.items():
            if seat.player == player:
                return place
        return None


def round_of(state: State) -> ActiveRound:
    """Return the round under way; raise if there is none."""
    if state.round is None:
        raise BrokenLog("no round is in progress")
    return state.round


def drawn(live: ActiveRound) -> GameRound:
    """Return a round in its game; raise if nothing is drawn yet."""
    if live.play is None:
        raise BrokenLog(f"nothing is drawn in round {live.number}")
    return live.play


def seat_of(state: State, place: int, banker: int | None) -> int:
    """Return the seat of a place in a round: clockwise from the banker's left (CA-2)."""
    if banker is None:
        return place
    return (place - banker - 1) % state.settings.places + 1


def seats_of(state: State, live: ActiveRound) -> dict[int, int]:
    """Return the seat of each place that has a part in a round."""
    banker, places = live.banker, state.settings.places
    if banker is None:
        return {place: place for place in live.wagers}
    return {place: (place - banker - 1) % places + 1 for place in live.wagers}


def in_seat_order(state: State, live: ActiveRound) -> tuple[int, ...]:
    """Return the places that have a part in a round, in order of their seats."""
    seats = seats_of(state, live)
    return tuple(sorted(seats, key=seats.__getitem__))
