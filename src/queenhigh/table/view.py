"""What may be seen of a table: one function, and nothing leaves a room but what it returns.

A player sees their own cards; everyone sees the up cards, and at the showdown the hands that
decide a wager (CA-11, CA-12, HO-7). Nobody, the floor included, sees a hidden card, the room's seed
of a round under way, or while bets are open what another place added to it. Who runs the room also
sees the accounts.
"""

import json
from functools import lru_cache
from typing import Any, Literal, TypedDict, cast

from msgspec import Struct

from queenhigh.games import three_card_poker
from queenhigh.games.game import Move
from queenhigh.games.three_card_poker import Round
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.load import from_document
from queenhigh.table.banking import can_begin, can_bet
from queenhigh.table.commands import FLOOR, Bet, Settings
from queenhigh.table.events import RoundSettled, RoundVoided, SpinSettled
from queenhigh.table.state import Dealings, Live, Phase, State, is_banked, poker_rules, seat_of

__all__ = [
    "ChainView",
    "HandView",
    "LastView",
    "OwnView",
    "PlaceView",
    "PostedRate",
    "RoundView",
    "TableView",
    "own_views",
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
    #: What is collected from the banker.
    bank_fee: int = 0
    #: The chain that the room's seed is of, and its link; 0 in a round of scheme 1.
    chain: int = 0
    link: int = 0
    #: What places have committed to, by whom, and the seeds they have shown, in hexadecimal.
    committed: dict[int, str] = {}
    committed_by: dict[int, str] = {}
    shown: dict[int, str] = {}
    #: Seeds in the clear: nothing hides them, so everyone may see what the deal will follow from.
    added: dict[int, str] = {}


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


class PostedRate(TypedDict):
    """A collection rate: flat fees for wagers from ``min`` to ``max`` cents."""

    min: int
    max: int
    player: int
    banker: int
    clause: str


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
    #: What dealing came to here: rounds, seeds shown and left out, rounds voided after
    #: bets closed or without the room's seed.
    dealings: Dealings | None = None
    accounts: dict[str, int] | None = None


class OwnView(Struct, frozen=True, omit_defaults=True):
    """What one player sees beside what everyone does: where they sit, and their own cards.

    ``hand`` and ``last_hand`` are the places those cards lie at, in this round and the last.
    """

    place: int | None = None
    hand: int | None = None
    cards: tuple[int, ...] | None = None
    last_hand: int | None = None
    last_cards: tuple[int, ...] | None = None


def own_views(state: State) -> dict[str, OwnView]:
    """Return what each player adds to ``view(state)`` to see what ``view(state, player)`` shows."""
    now = _own_hands(state, state.round)
    last = _own_hands(state, state.last.live if state.last else None)
    places = {one.player: place for place, one in state.places.items()}
    nothing = (None, None)
    return {
        player: OwnView(places.get(player), *now.get(player, nothing), *last.get(player, nothing))
        for player in {*places, *now, *last}
    }


def _own_hands(state: State, live: Live | None) -> dict[str, tuple[int, tuple[int, ...] | None]]:
    """Return where each player's hand lies in a round, and its cards."""
    if live is None or live.poker is None:
        return {}
    cards = {one.seat: one.cards for one in live.poker.seats}
    return {
        player: (place, cards[seat_of(state, place, live.banker)])
        for place, player in live.players.items()
    }


def view(state: State, who: str | None = None) -> TableView:
    """Return what a player sees, or with ``None`` what everyone may, or with ``floor`` the room."""
    you = state.place_of(who) if who is not None else None
    return TableView(
        table=state.table,
        version=state.version,
        title=state.book.title,
        game=state.document["game"],
        digest=state.digest,
        fees=_rates(state),
        settings=state.settings,
        phase=state.phase,
        places=tuple(_places(state)),
        you=you,
        deadline=state.deadline,
        offered_to=state.offer.place if state.phase == "offering" else None,
        next_round=state.number + 1,
        waits_for=_waits_for(state),
        closing=state.closing,
        prison=state.prison,
        round=_round(state, state.book, state.round, who) if state.round else None,
        last=_last(state, who),
        chain=_chain(state),
        dealings=state.dealings if state.chain else None,
        accounts=state.balances if who == FLOOR else None,
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


def _rates(state: State) -> tuple[PostedRate, ...]:
    book = state.book
    if not isinstance(book, PokerRulebook) or book.fees is None:
        return ()
    return tuple([cast(PostedRate, rate._asdict()) for rate in book.fees.rates])


def _places(state: State) -> list[PlaceView]:
    return [
        PlaceView(place, one.player, state.stack(place), one.bot, one.aside, one.leaving)
        for place, one in sorted(state.places.items())
    ]


def _waits_for(state: State) -> Literal["banker", "players"] | None:
    if state.phase != "between" or can_begin(state):
        return None
    unbanked = is_banked(state.book) and sum(can_bet(state, at) for at in state.places) > 1
    return "banker" if state.offer.unwanted or unbanked else "players"


def _last(state: State, who: str | None) -> LastView | None:
    """Return the last round as its own rulebook shows it."""
    last = state.last
    if last is None:
        return None
    book = _read(last.rulebook) if last.rulebook else state.book
    return LastView(_round(state, book, last.live, who), last.end, last.players)


@lru_cache(maxsize=64)
def _read(document: str) -> Rulebook:
    return from_document(json.loads(document))


def _round(state: State, book: Rulebook, live: Live, who: str | None) -> RoundView:
    if live.poker is not None:
        return _dealt(state, book, live, live.poker, who)
    places = sorted({*live.wagers, *live.ready})
    return RoundView(
        live.number,
        live.commitment,
        tuple([_hand(state, live, place) for place in places]),
        live.banker,
        live.bank if live.banker is not None else None,
        pocket=live.spin.pocket if live.spin else None,
        bank_fee=_fee(live, live.banker),
        **_seeds(live),
    )


def _seeds(live: Live) -> dict[str, Any]:
    """Return a round's place on the chain, and what is known of the seeds of places."""
    places = sorted(live.committed.items())
    return {
        "chain": live.chain,
        "link": live.link,
        "committed": {at: one.commitment for at, one in places},
        "committed_by": {at: one.player for at, one in places},
        "shown": {at: one.shown for at, one in places if one.shown is not None},
        "added": dict(sorted(live.seeds.items())) if live.chain else {},
    }


def _hand(
    state: State,
    live: Live,
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
    )


def _dealt(state: State, book: Rulebook, live: Live, poker: Round, who: str | None) -> RoundView:
    own = [seat_of(state, at, live.banker) for at, name in live.players.items() if name == who]
    mine = own[0] if own else None
    seen = three_card_poker.view(poker_rules(book), poker, mine)
    place_at = {seat_of(state, place, live.banker): place for place in live.wagers}
    hands = [_hand(state, live, place_at[one.seat], one.cards, one.move) for one in seen.seats]
    return RoundView(
        live.number,
        live.commitment,
        tuple(hands),
        live.banker,
        poker.bank,
        poker.first if live.banker is not None else None,
        seen.dealer,
        bank_fee=_fee(live, live.banker),
        **_seeds(live),
    )


def _fee(live: Live, place: int | None) -> int:
    """Return what is collected from a place, or was."""
    return 0 if place is None else live.fees.get(place, 0) + live.paid.get(place, 0)
