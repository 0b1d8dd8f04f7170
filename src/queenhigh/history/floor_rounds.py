"""Rounds that are over as the floor sees them: a line for a search, and all of one round."""

from typing import Any

from queenhigh.cards import format_cards
from queenhigh.game import Bet, View
from queenhigh.history.records import Record, as_past_round, fees_of
from queenhigh.table.corrections import why_fixed
from queenhigh.table.events import HandVoided, IncidentRuled, RoundSettled, RoundVoided, SpinSettled

__all__ = ["as_floor_round", "as_round_line", "incident_rows"]


def as_round_line(record: Record) -> dict[str, Any]:
    """Return what a search of rounds lists of one."""
    live, end = record.live, record.end
    places = sorted({*live.wagers, *live.voided})
    return {
        "at": end.at,
        "table": record.table,
        "round": live.number,
        "ended": "voided" if isinstance(end, RoundVoided) else "settled",
        "banker": None if live.banker is None else record.players[live.banker],
        "players": [record.players[place] for place in places],
        "wagered": _wagered(end),
        "net": 0 if isinstance(end, RoundVoided) else end.net,
        "fees": 0 if isinstance(end, RoundVoided) else sum(fees_of(live).values()),
        "incidents": len(live.incidents),
    }


def _wagered(end: RoundSettled | SpinSettled | RoundVoided) -> int:
    if isinstance(end, RoundVoided):
        return 0
    if isinstance(end, SpinSettled):
        return sum(bet.stake for row in end.places for bet in row.bets)
    return sum(wager.stake for row in end.places for wager in row.wagers)


def as_floor_round(record: Record) -> dict[str, Any]:
    """Return a round with its facts and its steps; folded hands are not shown (CA-11)."""
    live, end, seen = record.live, record.end, record.seen()
    fixed = why_fixed(as_past_round(record))
    dealer = tuple(card for card in seen.dealer if card is not None) if seen else ()
    return {
        "table": record.table,
        "round": live.number,
        "at": end.at,
        "title": record.book.title,
        "ended": "voided" if isinstance(end, RoundVoided) else "settled",
        "reason": end.reason if isinstance(end, RoundVoided) else None,
        "banker": None if live.banker is None else record.players[live.banker],
        "net": 0 if isinstance(end, RoundVoided) else end.net,
        "dealer": format_cards(dealer),
        "pocket": seen.pocket if seen else None,
        "places": [_place(record, place, seen) for place in sorted({*live.wagers, *live.voided})],
        "steps": record.steps(),
        "incidents": incident_rows(record),
        "fixed": fixed[1] if fixed else None,
    }


def _place(record: Record, place: int, seen: View | None) -> dict[str, Any]:
    """Return what a place did in a round, and what came of it."""
    live, end = record.live, record.end
    wagers: tuple[Bet, ...] = live.wagers.get(place, live.voided.get(place, ()))
    seat = record.seats.get(place)
    shown = next((row for row in seen.seats if row.seat == seat), None) if seen else None
    rows = () if isinstance(end, RoundVoided) else end.places
    fees = {} if isinstance(end, RoundVoided) else fees_of(live)
    return {
        "place": place,
        "player": record.players[place],
        "wagers": [{"spot": bet.spot, "cents": bet.cents} for bet in wagers],
        "move": shown.move if shown else None,
        "cards": format_cards(shown.cards) if shown and shown.cards else "",
        "net": next((row.net for row in rows if row.place == place), 0),
        "fee": fees.get(place, 0),
        "voided": place in live.voided,
    }


def incident_rows(record: Record) -> list[dict[str, Any]]:
    """Return the rulings of a round, each with the chips that came back by it."""
    rows = []
    for event, players in record.events:
        if not isinstance(event, IncidentRuled):
            continue
        place = event.place
        rows.append(
            {
                "table": record.table,
                "round": event.round,
                "at": event.at,
                "kind": event.kind,
                "place": place,
                "player": None if place is None else players.get(place),
                "clause": event.clause,
                "ruling": event.ruling,
                "staff": event.staff,
                "reason": event.reason,
                "returned": _returned(record, event),
            }
        )
    return rows


def _returned(record: Record, ruling: IncidentRuled) -> int:
    """Return the chips that came back in the step of a ruling, fees included."""
    back = 0
    for event, _ in record.events:
        if event.id != ruling.id or event.by != ruling.by:
            continue
        if isinstance(event, HandVoided):
            back += event.cents + event.fee
        elif isinstance(event, RoundVoided):
            back += sum(charge.cents for charge in (*event.returned, *event.fees))
    return back
