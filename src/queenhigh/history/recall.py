"""Rounds as their players may recall them."""

from collections.abc import Sequence
from typing import Any

import msgspec

from queenhigh.cards import format_cards
from queenhigh.history.correction_lines import Correction
from queenhigh.history.own_corrections import corrected_parts
from queenhigh.history.records import Record, fees_of, first_seat, how_ended, took_part
from queenhigh.table.events import RoundSettled, RoundVoided, SpinSettled
from queenhigh.table.state import ActiveRound

__all__ = ["as_recall"]


def as_recall(
    record: Record, player: str, corrections: Sequence[Correction] = ()
) -> dict[str, Any] | None:
    """Return a round as a player of it may see it; ``None`` for a player who had no part in it.

    It has the outcome, every step as a sentence and as data, each wager and its result, credits
    before and after, and what ``corrections`` of the round changed of that.
    """
    live, end = record.live, record.end
    places = [
        place
        for place, name in record.players.items()
        if name == player and place in took_part(live)
    ]
    if not places:
        return None
    (place,) = places
    recall: dict[str, Any] = {"round": record.id, "at": end.at}
    recall |= {"ended": how_ended(end), "place": place}
    recall |= _table(record)
    if isinstance(end, RoundVoided):
        recall |= {"reason": end.reason, "net": 0, "wagers": []}
    elif place == live.banker:
        recall |= {"banked": live.bank, "net": end.net, "wagers": []}
    elif place in live.voided:
        recall |= _void_hand(live, place)
    else:
        recall |= _result(end, place)
    recall["fee"] = 0 if isinstance(end, RoundVoided) else fees_of(live).get(place, 0)
    recall |= _cards_seen(record, place)
    recall["credits"] = {"before": record.before[place], "after": record.after[place]}
    recall |= {"seed": end.seed, "commitment": live.commitment}
    corrected = msgspec.to_builtins(corrected_parts(record, place, corrections))
    recall |= {"corrections": corrected} if corrected else {}
    return recall | {"steps": record.steps(), "events": record.shown()}


def _table(record: Record) -> dict[str, Any]:
    """Return the places and players of a round, its banker, and the seat that action started at.

    ``up`` is how many of the dealer's cards all saw before they decided; ``ace_low``: an ace also
    counts low, in a straight with a deuce and a three.
    """
    live, book = record.live, record.book
    places = sorted(took_part(live))
    return {
        "game": book.game.name,
        "up": book.document.get("up", 0),
        "ace_low": book.document.get("ace_low", False),
        "players": {str(place): record.players[place] for place in places},
        "seats": {str(place): seat for place, seat in sorted(record.seats.items())},
        "banker": live.banker,
        "first": first_seat(record),
    }


def _void_hand(live: ActiveRound, place: int) -> dict[str, Any]:
    """Return what a hand came to that the floor made void: all came back by its clause."""
    clauses = [each.clause for each in live.incidents if each.place == place]
    clause = clauses[-1] if clauses else ""
    rows = [_wager(bet.spot, bet.cents, 0, clause) for bet in live.voided[place]]
    return {"net": 0, "wagers": rows, "void_hand": clause}


def _result(end: RoundSettled | SpinSettled, place: int) -> dict[str, Any]:
    if isinstance(end, SpinSettled):
        for player in end.places:
            if player.place == place:
                bets = [(bet.bet, bet.stake, bet.net, bet.clause) for bet in player.bets]
                return {"net": player.net, "wagers": [_wager(*bet) for bet in bets]}
        return {"net": 0, "wagers": []}
    for row in end.places:
        if row.place == place:
            rows = [(bet.wager, bet.stake, bet.net, bet.clause) for bet in row.wagers]
            return {"net": row.net, "wagers": [_wager(*wager) for wager in rows]}
    return {"net": 0, "wagers": []}


def _wager(name: str, stake: int, net: int, clause: str) -> dict[str, Any]:
    return {"wager": name, "stake": stake, "net": net, "clause": clause}


def _cards_seen(record: Record, place: int) -> dict[str, Any]:
    """Return the cards that a place saw in a round."""
    seen = record.seen(record.seats.get(place))
    if seen is None:
        return {}
    if seen.pocket is not None:
        return {"pocket": seen.pocket}
    hands = {str(row.seat): format_cards(row.cards) for row in seen.seats if row.cards is not None}
    dealer = tuple(card for card in seen.dealer if card is not None)
    return {"seat": record.seats.get(place), "hands": hands, "dealer": format_cards(dealer)}
