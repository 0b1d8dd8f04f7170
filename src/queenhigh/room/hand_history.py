"""A round as a hand history in the manner of PHH, the poker hand history format: a TOML document.

PHH has no Three Card Poker. The fields it has are used as it uses them; what it has none for
begins with an underscore, as it asks. Players stand in order of seats, the dealer's hand last.
"""

import json
from datetime import UTC, datetime
from typing import Any

from queenhigh.cards import format_cards
from queenhigh.games.three_card_poker import Seat
from queenhigh.room.history import Record
from queenhigh.table.events import MoveMade, RoundSettled

__all__ = ["as_hand_history"]


def as_hand_history(record: Record) -> str | None:
    """Return a settled round of poker as a hand history; there is none of anything else."""
    end, poker = record.end, record.live.poker
    if poker is None or not isinstance(end, RoundSettled):
        return None
    place_at = {seat: place for place, seat in record.seats.items()}
    places = [place_at[one.seat] for one in poker.seats]
    at = datetime.fromtimestamp(end.at / 1000, UTC)
    net = {one.place: one.net for one in end.places}
    fields: dict[str, Any] = {
        "variant": "3CP",
        "antes": [*(one.ante for one in poker.seats), 0],
        "starting_stacks": [*(record.before[place] for place in places), poker.bank or 0],
        "actions": _actions(record),
        "players": [*(record.players[place] for place in places), _dealer(record)],
        "seats": [*(one.seat for one in poker.seats), 0],
        "finishing_stacks": [*(record.after[place] for place in places), _left(record, end)],
        "winnings": [*(net[place] for place in places), end.net],
        "table": record.table,
        "hand": record.live.number,
        "year": at.year,
        "month": at.month,
        "day": at.day,
        "time": at.strftime("%H:%M:%S"),
        "time_zone": "UTC",
        "_rulebook": record.book.name,
        "_digest": record.digest,
        "_bonus": [*(one.bonus for one in poker.seats), 0],
        "_pair_plus": [*(one.pair_plus for one in poker.seats), 0],
        "_first": poker.first,
        "_commitment": record.live.commitment,
        "_seed": end.seed,
    }
    return "".join(f"{name} = {_toml(value)}\n" for name, value in fields.items())


def _dealer(record: Record) -> str:
    banker = record.live.banker
    return record.players[banker] if banker is not None else "house"


def _left(record: Record, end: RoundSettled) -> int:
    return (record.live.poker.bank or 0) + end.net if record.live.poker else 0


def _actions(record: Record) -> list[str]:
    """Return the deal, the moves in the order they came, and the hands that were shown."""
    poker = record.live.poker
    assert poker is not None
    number = {one.seat: at for at, one in enumerate(poker.seats, 1)}
    last = len(poker.seats) + 1
    actions = [f"d dh p{number[one.seat]} {_tight(one.cards)}" for one in poker.seats]
    actions.append(f"d dh p{last} {_tight(poker.dealer)}")
    for event, _ in record.events:
        if isinstance(event, MoveMade):
            who = f"p{number[record.seats[event.place]]}"
            actions.append(f"{who} f" if event.move == "fold" else f"{who} cbr {event.cents}")
    actions += [f"p{number[one.seat]} sm {_tight(one.cards)}" for one in poker.seats if _stays(one)]
    if any(one.move == "play" for one in poker.seats):
        actions.append(f"p{last} sm {_tight(poker.dealer)}")
    return actions


def _stays(one: Seat) -> bool:
    return one.move != "fold"


def _tight(cards: tuple[int, ...] | None) -> str:
    return format_cards(cards or ()).replace(" ", "")


def _toml(value: Any) -> str:
    """Write a value as TOML: numbers, texts and lists of them look the same in JSON."""
    return json.dumps(value, ensure_ascii=False)
