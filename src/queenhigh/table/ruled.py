"""How events of rulings change a round."""

from typing import Any

from msgspec.structs import replace

from queenhigh.errors import BrokenLog
from queenhigh.table import events
from queenhigh.table.state import State, drawn, round_of, seat_of

__all__ = ["hand_voided", "incident_ruled"]

_Changes = dict[str, Any]


def incident_ruled(state: State, event: events.IncidentRuled) -> _Changes:
    """Note a ruling in the round that it was made in."""
    live = round_of(state)
    return {"round": replace(live, incidents=(*live.incidents, event))}


def hand_voided(state: State, event: events.HandVoided) -> _Changes:
    """Take a hand out of its round: its seat keeps the cards of the deal, but no part in it."""
    live, gone = round_of(state), event.place
    play = state.book.game.without(drawn(live), {seat_of(state, gone, live.banker)})
    if play is None or gone not in live.wagers:
        raise BrokenLog(f"place {gone} has no hand that can be void in round {live.number}")
    changes = {
        "wagers": {place: bets for place, bets in live.wagers.items() if place != gone},
        "fees": {place: fee for place, fee in live.fees.items() if place != gone},
        "paid": {place: fee for place, fee in live.paid.items() if place != gone},
        "voided": {**live.voided, gone: live.wagers[gone]},
        "play": play,
    }
    return {"round": replace(live, **changes)}
