"""Events described in sentences, as a dealer would say them."""

from collections.abc import Callable
from typing import Any

from queenhigh.cards import format_cards
from queenhigh.game import View
from queenhigh.money import dollars
from queenhigh.table import events
from queenhigh.table.commands import CLOCK
from queenhigh.table.events import TableEvent

__all__ = ["describe_event"]

_Names = dict[int, str]
_SPOTS = {"ante": "Ante", "pair_plus": "Pair Plus"}


def describe_event(event: TableEvent, players: _Names, seen: View | None) -> str:
    """Return a sentence about an event, or nothing if it needs none; folded hands stay hidden."""
    describe = _DESCRIPTIONS.get(type(event))
    return describe(event, players, seen) if describe else ""


def _player_at(players: _Names, place: int) -> str:
    return f"{players.get(place, 'place')} ({place})"


def _bank_posted(event: events.BankPosted, players: _Names, seen: View | None) -> str:
    return f"{_player_at(players, event.place)} banks {dollars(event.cents)}"


def _round_opened(event: events.RoundOpened, players: _Names, seen: View | None) -> str:
    return f"Round {event.round} opens; commitment {event.commitment}"


def _wagers_placed(event: events.WagersPlaced, players: _Names, seen: View | None) -> str:
    bets = ", ".join(
        f"{dollars(bet.cents)} on {_SPOTS.get(bet.spot, bet.spot)}" for bet in event.wagers
    )
    fee = f", fee {dollars(event.fee)}" if event.fee else ""
    return f"{_player_at(players, event.place)}: {bets}{fee}"


def _wagers_cleared(event: events.WagersCleared, players: _Names, seen: View | None) -> str:
    return f"{_player_at(players, event.place)} takes back {dollars(event.cents)}"


def _seed_added(event: events.SeedAdded, players: _Names, seen: View | None) -> str:
    return f"{_player_at(players, event.place)} adds the seed {event.seed!r}"


def _seed_committed(event: events.SeedCommitted, players: _Names, seen: View | None) -> str:
    return f"{_player_at(players, event.place)} commits to a seed"


def _seed_shown(event: events.SeedShown, players: _Names, seen: View | None) -> str:
    return f"{_player_at(players, event.place)} reveals the seed {event.seed}"


def _bets_closed(event: events.BetsClosed, players: _Names, seen: View | None) -> str:
    fees = sum(fee.cents for fee in event.fees)
    return "No more bets" + (f"; fees collected: {dollars(fees)}" if fees else "")


def _cards_dealt(event: events.CardsDealt, players: _Names, seen: View | None) -> str:
    return f"Cards dealt to {len(event.places)} and the dealer"


def _move_made(event: events.MoveMade, players: _Names, seen: View | None) -> str:
    silent = " (time ran out)" if event.by == CLOCK else ""
    done = f"plays {dollars(event.cents)}" if event.move == "play" else "folds"
    return f"{_player_at(players, event.place)} {done}{silent}"


def _ball_landed(event: events.BallLanded, players: _Names, seen: View | None) -> str:
    return f"The ball lands on {event.pocket}"


def _round_settled(event: events.RoundSettled, players: _Names, seen: View | None) -> str:
    cards = [card for card in seen.dealer if card is not None] if seen else []
    shown = ""
    if seen and seen.dealer and len(cards) == len(seen.dealer):
        shown = f"The dealer has {format_cards(tuple(cards))}. "
    parts = [_settled(players, row.place, row.net) for row in event.places]
    banker = "house" if event.banker is None else _player_at(players, event.banker)
    parts.append(f"{banker} {dollars(event.net, signed=True)}")
    return shown + "; ".join(parts)


def _spin_settled(event: events.SpinSettled, players: _Names, seen: View | None) -> str:
    return "; ".join(_settled(players, row.place, row.net) for row in event.places)


def _settled(players: _Names, place: int, net: int) -> str:
    return f"{_player_at(players, place)} {dollars(net, signed=True)}"


def _round_voided(event: events.RoundVoided, players: _Names, seen: View | None) -> str:
    back = sum(charge.cents for charge in (*event.returned, *event.fees))
    return f"Round void: {event.reason}; {dollars(back)} returned"


def _change_announced(event: events.ChangeAnnounced, players: _Names, seen: View | None) -> str:
    why = f" ({event.reason})" if event.reason else ""
    old, new = (_player_fees(amounts) for amounts in (event.old, event.new))
    fees = f": players pay {new} instead of {old}" if new != old else ""
    notice = (event.starts - event.at) // 1000
    return f"New fees or limits announced, in {notice} seconds{why}{fees}"


def _player_fees(amounts: events.Amounts) -> str:
    return ", ".join(dollars(rate["player"]) for rate in amounts.fees.get("rates", ()))


def _change_withdrawn(event: events.ChangeWithdrawn, players: _Names, seen: View | None) -> str:
    why = f" ({event.reason})" if event.reason else ""
    return f"The announced change was withdrawn{why}"


_HAPPENED = {
    "misdeal": "Misdeal",
    "exposed_player": "A card of {} was exposed",
    "exposed_dealer": "A down card of the dealer was exposed",
    "player_gone": "{} is gone",
}
_RULED = {
    "play_on": "the hand plays on",
    "void": "the round is void",
    "redeal": "the round is dealt again",
    "void_hand": "the hand is void",
    "default_move": "the table's default move is made",
}


def _incident_ruled(event: events.IncidentRuled, players: _Names, seen: View | None) -> str:
    place = "" if event.place is None else _player_at(players, event.place)
    happened, ruled = _HAPPENED[event.kind].format(place), _RULED[event.ruling]
    return f"{happened}: {ruled} ({event.clause}). {event.staff}: {event.reason}"


def _hand_voided(event: events.HandVoided, players: _Names, seen: View | None) -> str:
    back = dollars(event.cents + event.fee)
    return f"The hand of {_player_at(players, event.place)} is void; {back} returned"


_DESCRIPTIONS: dict[type, Callable[[Any, _Names, View | None], str]] = {
    events.ChangeAnnounced: _change_announced,
    events.ChangeWithdrawn: _change_withdrawn,
    events.BankPosted: _bank_posted,
    events.RoundOpened: _round_opened,
    events.RoundOpened2: _round_opened,
    events.WagersPlaced: _wagers_placed,
    events.WagersCleared: _wagers_cleared,
    events.SeedAdded: _seed_added,
    events.SeedCommitted: _seed_committed,
    events.SeedShown: _seed_shown,
    events.BetsClosed: _bets_closed,
    events.BetsClosed2: _bets_closed,
    events.CardsDealt: _cards_dealt,
    events.CardsDealt2: _cards_dealt,
    events.MoveMade: _move_made,
    events.BallLanded: _ball_landed,
    events.BallLanded2: _ball_landed,
    events.RoundSettled: _round_settled,
    events.SpinSettled: _spin_settled,
    events.RoundVoided: _round_voided,
    events.IncidentRuled: _incident_ruled,
    events.HandVoided: _hand_voided,
}
