"""The view of a table: nothing leaves a room except the result of ``view``.

A player sees their own cards; everyone sees the up cards, and at the showdown the hands that
decide a wager (CA-11, CA-12, HO-7). Nobody, the floor included, sees a hidden card, the room's seed
of a round under way, or while bets are open the seeds that other places added. The floor also sees
the accounts.
"""

from typing import Any, Literal

from msgspec import Raw, Struct
from msgspec.json import encode

from queenhigh.game import Bet, Move, View
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.fees import FeePer
from queenhigh.table.banking import can_begin
from queenhigh.table.commands import FLOOR, Settings
from queenhigh.table.events import RoundSettled, RoundVoided, SpinSettled
from queenhigh.table.incident_events import IncidentKind, RuledAs
from queenhigh.table.ledger import STACK
from queenhigh.table.posted import (
    PendingChange,
    PostedRate,
    pending_change,
    posted_rates,
    read_document,
)
from queenhigh.table.state import ActiveRound, Dealings, Phase, State, seat_of, seats_of
from queenhigh.table.waiting import awaited

__all__ = [
    "ChainView",
    "HandView",
    "IncidentView",
    "LastView",
    "PlaceView",
    "RoundView",
    "TableView",
    "ViewEncoder",
    "view",
]

Cards = tuple[int | None, ...]


class PlaceView(Struct, frozen=True, omit_defaults=True):
    """A place and who sits there."""

    place: int
    player: str
    stack: int
    bot: bool = False
    aside: bool = False
    leaving: bool = False
    #: Gone: without a connection, or after a missed clock. The place is held for a while.
    away: bool = False


class HandView(Struct, frozen=True, omit_defaults=True):
    """A place's part in a round: its seat, its wagers, its move, and its cards if one may see."""

    place: int
    seat: int
    wagers: tuple[Bet, ...]
    fee: int = 0
    ready: bool = False
    added_seed: bool = False
    cards: tuple[int, ...] | None = None
    move: Move | None = None
    #: Whether the clock made the move.
    by_clock: bool = False


class IncidentView(Struct, frozen=True, omit_defaults=True):
    """A ruling of the floor on an irregularity, by its clause."""

    kind: IncidentKind
    ruling: RuledAs
    clause: str
    reason: str
    place: int | None = None


class RoundView(Struct, frozen=True, omit_defaults=True):
    """A round: what was committed to, who banks and with how much, the hands, the dealer's cards.

    A card that is not shown is ``None``.
    """

    round: int
    commitment: str
    hands: tuple[HandView, ...]
    banker: int | None = None
    bank: int | None = None
    first: int | None = None
    dealer: Cards = ()
    pocket: str | None = None
    #: The banker's fee.
    bank_fee: int = 0
    #: The chain that the room's seed is of, and its link; 0 in a round of scheme 1.
    chain: int = 0
    link: int = 0
    #: Commitments by place, their players, and the seeds shown, in hexadecimal.
    committed: dict[int, str] = {}
    committed_by: dict[int, str] = {}
    shown: dict[int, str] = {}
    #: Seeds in the clear: everyone may see them.
    added: dict[int, str] = {}
    #: What the floor ruled in this round, and the wagers and seats of void hands, by place.
    incidents: tuple[IncidentView, ...] = ()
    voided: dict[int, tuple[Bet, ...]] = {}
    voided_seats: dict[int, int] = {}


class LastView(Struct, frozen=True):
    """The round before this one, how it ended, its seed included, and who took part, by place."""

    round: RoundView
    end: RoundSettled | SpinSettled | RoundVoided
    players: dict[int, str]


class ChainView(Struct, frozen=True):
    """The room's seeds at a table: which chain, where it ends, the last seed shown, links used.

    ``reveal`` is how long places have to show their seeds, in milliseconds.
    """

    number: int
    epoch: int
    length: int
    used: int
    end: str
    tip: str
    reveal: int


class TableView(Struct, frozen=True, omit_defaults=True):
    """A table as someone sees it."""

    table: str
    version: int
    title: str
    game: str
    digest: str
    #: Rates of the collection fees, on view at all times (CA-6).
    fees: tuple[PostedRate, ...]
    settings: Settings
    phase: Phase
    next_round: int
    places: tuple[PlaceView, ...]
    you: int | None = None
    deadline: int | None = None
    offered_to: int | None = None
    waits_for: Literal["banker", "players"] | None = None
    closing: str | None = None
    prison: dict[int, tuple[Bet, ...]] = {}
    round: RoundView | None = None
    last: LastView | None = None
    chain: ChainView | None = None
    #: Counts of the dealing here: rounds, seeds shown and left out, rounds voided after
    #: bets closed or without the room's seed.
    dealings: Dealings | None = None
    accounts: dict[str, int] | None = None
    #: Whether fees are charged on a round or on each wager, and before or after the start of play.
    charged: FeePer | None = None
    collect: Literal["before", "after"] | None = None
    #: No clock runs, since one person plays with bots only.
    untimed: bool = False
    #: The places that the table waits for now: to bank, to bet, to show a seed, to decide.
    awaited: tuple[int, ...] = ()
    #: Fees or limits that are announced: players who arrive see them too.
    pending: PendingChange | None = None
    #: The number of the last correction that was made here: players concerned look it up.
    corrected: int = 0


def view(state: State, viewer: str | None = None) -> TableView:
    """Return a player's view; with ``None`` the public one, with ``floor`` the floor's."""
    fees, last = posted_rates(state.book.fees), _last(state, viewer)
    return _view(state, viewer, fees=fees, settings=state.settings, last=last)


class ViewEncoder:
    """Encodes views of one table; what stays for a round or longer is made once."""

    def __init__(self) -> None:
        self._state: State | None = None
        self._parts: dict[str, Raw | None] = {}

    def public(self, state: State) -> bytes:
        """Return ``view(state)`` as JSON."""
        self._follow(state)
        return encode(_view(state, None, **self._parts))

    def _follow(self, state: State) -> None:
        """Make again what depends on the rules or on the last round, if one of them is new."""
        before, self._state = self._state, state
        if (
            before is None
            or before.last is not state.last
            or before.book is not state.book
            or before.settings is not state.settings
        ):
            self._parts = {
                "fees": Raw(encode(posted_rates(state.book.fees))),
                "settings": Raw(encode(state.settings)),
                "last": Raw(encode(_last(state, None))) if state.last else None,
            }


def _view(state: State, viewer: str | None, *, fees: Any, settings: Any, last: Any) -> TableView:
    """Return a view from its parts that seldom change, as values or as JSON, and all others."""
    you = state.place_of(viewer) if viewer is not None else None
    return TableView(
        table=state.table,
        version=state.version,
        title=state.book.title,
        game=state.document["game"],
        digest=state.digest,
        fees=fees,
        charged=state.book.fees.fee_per if state.book.fees else None,
        collect=state.book.fees.collect if state.book.fees else None,
        pending=pending_change(state),
        settings=settings,
        phase=state.phase,
        places=tuple(_places(state)),
        you=you,
        deadline=_deadline(state),
        untimed=state.untimed,
        corrected=latest.correction if (latest := state.corrections.latest) else 0,
        offered_to=state.offer.place if state.phase == "offering" else None,
        next_round=state.number + 1,
        waits_for=_waits_for(state),
        awaited=tuple(awaited(state)),
        closing=state.closing,
        prison=state.prison,
        round=_round(state, state.book, state.round, viewer) if state.round else None,
        last=last,
        chain=_chain(state),
        dealings=state.dealings if state.chain else None,
        accounts=state.balances if viewer == FLOOR else None,
    )


def _chain(state: State) -> ChainView | None:
    chain = state.chain
    if chain is None:
        return None
    return ChainView(
        chain.number,
        chain.epoch,
        chain.length,
        chain.used,
        chain.end,
        chain.tip,
        chain.reveal,
    )


def _places(state: State) -> list[PlaceView]:
    stack = state.balances.get
    return [
        PlaceView(
            place,
            seat.player,
            stack(STACK[place], 0),
            seat.bot,
            seat.sitting_out,
            seat.leaving,
            seat.away,
        )
        for place, seat in sorted(state.places.items())
    ]


def _deadline(state: State) -> int | None:
    """Return when the phase ends by itself; a player without a clock is not shown that of bots."""
    is_hidden = state.untimed and state.phase in ("offering", "betting", "deciding")
    return None if is_hidden else state.deadline


def _waits_for(state: State) -> Literal["banker", "players"] | None:
    if state.phase != "between" or can_begin(state):
        return None
    can_play = sum(state.can_bet(place) for place in state.places)
    unbanked = state.book.bank is not None and can_play > 1
    return "banker" if state.offer.declined_by_all or unbanked else "players"


def _last(state: State, viewer: str | None) -> LastView | None:
    """Return the last round, by the rulebook it was played by."""
    last = state.last
    if last is None:
        return None
    book = read_document(last.rulebook, state.book.game) if last.rulebook else state.book
    return LastView(_round(state, book, last.live, viewer), last.end, last.players)


def _round(state: State, book: Rulebook, live: ActiveRound, viewer: str | None) -> RoundView:
    places = [place for place, player in live.players.items() if player == viewer]
    own = [seat_of(state, place, live.banker) for place in places]
    seen = book.game.view(book, live.play, own[0] if own else None) if live.play else None
    is_dealt = seen is not None and bool(seen.seats)
    return RoundView(
        live.number,
        live.commitment,
        _dealt_hands(state, live, seen) if seen and is_dealt else _made_bets(state, live),
        live.banker,
        live.bank if live.banker is not None else None,
        seen.first if seen and is_dealt and live.banker is not None else None,
        seen.dealer if seen else (),
        seen.pocket if seen else None,
        bank_fee=_fee(live, live.banker),
        incidents=tuple(
            [
                IncidentView(each.kind, each.ruling, each.clause, each.reason, each.place)
                for each in live.incidents
            ]
        ),
        voided=live.voided,
        voided_seats={place: seat_of(state, place, live.banker) for place in live.voided},
        **_seeds(live),
    )


def _made_bets(state: State, live: ActiveRound) -> tuple[HandView, ...]:
    places = sorted({*live.wagers, *live.ready})
    return tuple([_hand(state, live, place) for place in places])


def _dealt_hands(state: State, live: ActiveRound, seen: View) -> tuple[HandView, ...]:
    place_of = {seat: place for place, seat in seats_of(state, live).items()}
    return tuple(
        [_hand(state, live, place_of[row.seat], row.cards, row.move) for row in seen.seats]
    )


def _seeds(live: ActiveRound) -> dict[str, Any]:
    """Return a round's place on the chain, and the public seeds of places."""
    places = sorted(live.committed.items())
    return {
        "chain": live.chain,
        "link": live.link,
        "committed": {place: seed.commitment for place, seed in places},
        "committed_by": {place: seed.player for place, seed in places},
        "shown": {place: seed.shown for place, seed in places if seed.shown is not None},
        "added": dict(sorted(live.seeds.items())) if live.chain else {},
    }


def _hand(
    state: State,
    live: ActiveRound,
    place: int,
    cards: tuple[int, ...] | None = None,
    move: Move | None = None,
) -> HandView:
    return HandView(
        place,
        seat_of(state, place, live.banker),
        live.wagers.get(place, ()),
        _fee(live, place),
        place in live.ready,
        place in live.seeds,
        cards,
        move,
        place in live.by_clock,
    )


def _fee(live: ActiveRound, place: int | None) -> int:
    """Return the fee of a place, held or collected."""
    return 0 if place is None else live.fees.get(place, 0) + live.paid.get(place, 0)
