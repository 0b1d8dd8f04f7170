"""Rounds of poker as hand histories in PHH, the poker hand history format: TOML, a table a hand.

PHH has no code for Three Card Poker, so the variant is our own, ``3CP``. Its fields are used as it
defines them, and fields of our own start with an underscore, as it asks. Players stand in order of
seats, the dealer's hand last. Amounts are cents.
"""

import json
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, datetime, time
from math import inf
from typing import Any

from queenhigh.cards import format_cards
from queenhigh.games.three_card_poker import Round
from queenhigh.history.records import Record, part_of
from queenhigh.table.events import MoveMade, RoundSettled

__all__ = ["as_hand_history", "number_hands"]

_UNKNOWN = "??????"


def as_hand_history(record: Record, hidden: Collection[int] = ()) -> str | None:
    """Return a settled round of poker as a hand history; ``None`` for any other round.

    The hands of hidden seats are written as unknown cards.
    """
    end, poker = record.end, record.live.play
    if not isinstance(poker, Round) or not isinstance(end, RoundSettled):
        return None
    fields = {**_hand(record, poker, end, hidden), **_context(record), **_own(record, poker, end)}
    return "".join(f"{name} = {_toml(value)}\n" for name, value in fields.items())


def number_hands(histories: Iterable[str]) -> Iterator[str]:
    """Yield the parts of a ``.phhs`` file: each hand under its number, from 1."""
    for number, history in enumerate(histories, 1):
        yield f"[{number}]\n{history}\n"


def _hand(
    record: Record, poker: Round, end: RoundSettled, hidden: Collection[int]
) -> dict[str, Any]:
    """Return the fields of the hand itself. Stacks are above zero in PHH, a house's is infinite."""
    places = _places(record, poker)
    bank = inf if poker.bank is None else poker.bank
    return {
        "variant": "3CP",
        "antes": [*(seat.ante for seat in poker.seats), 0],
        "starting_stacks": [*(record.before[place] for place in places), bank],
        "actions": _actions(record, poker, hidden),
        "players": _players(record, poker),
        "seats": [*(seat.seat for seat in poker.seats), 0],
        "finishing_stacks": [*(record.after[place] for place in places), bank + end.net],
        "winnings": _winnings(poker, end),
    }


def _context(record: Record) -> dict[str, Any]:
    """Return the fields that say which hand it is and when it began."""
    begun = datetime.fromtimestamp(record.events[0][0].at // 1000, UTC)
    return {
        "table": record.table,
        "hand": record.live.number,
        "year": begun.year,
        "month": begun.month,
        "day": begun.day,
        "time": begun.time(),
        "time_zone": "UTC",
    }


def _own(record: Record, poker: Round, end: RoundSettled) -> dict[str, Any]:
    """Return fields of our own, for everything that PHH has no field for."""
    nets = {row.seat: row.net for row in end.places}
    return {
        "_rulebook": record.book.name,
        "_digest": record.digest,
        "_bonus": [*(seat.bonus for seat in poker.seats), 0],
        "_pair_plus": [*(seat.pair_plus for seat in poker.seats), 0],
        "_net": [*(nets[seat.seat] for seat in poker.seats), end.net],
        "_fees": _fees(record, poker),
        "_first": poker.first,
        "_commitment": record.live.commitment,
        "_seed": end.seed,
    }


def _places(record: Record, poker: Round) -> list[int]:
    place_at = {seat: place for place, seat in record.seats.items()}
    return [place_at[seat.seat] for seat in poker.seats]


def _players(record: Record, poker: Round) -> list[str]:
    banker = record.live.banker
    dealer = "house" if banker is None else record.players[banker]
    return [*(record.players[place] for place in _places(record, poker)), dealer]


def _fees(record: Record, poker: Round) -> list[int]:
    """Return the fees that each player paid; a house pays none."""
    *players, dealer = _players(record, poker)
    fees = {name: fee for name, (_, fee) in part_of(record).items()}
    return [*(fees[name] for name in players), 0 if poker.bank is None else fees[dealer]]


def _winnings(poker: Round, end: RoundSettled) -> list[int]:
    """Return the chips that each player collects: returned stakes, and what others lost."""
    wagers = {row.seat: row.wagers for row in end.places}
    collected = [sum(each.stake + each.net for each in wagers[seat.seat]) for seat in poker.seats]
    lost = sum(-each.net for row in end.places for each in row.wagers if each.net < 0)
    return [*collected, lost]


def _actions(record: Record, poker: Round, hidden: Collection[int]) -> list[str]:
    """Return the deal, the moves in the order they came, and the hands that were shown."""
    number = {seat.seat: index for index, seat in enumerate(poker.seats, 1)}
    cards = {
        each.seat: _UNKNOWN if each.seat in hidden else _compact(each.cards) for each in poker.seats
    }
    last, dealer = len(poker.seats) + 1, _compact(poker.dealer)
    actions = [f"d dh p{number[seat]} {hand}" for seat, hand in cards.items()]
    actions.append(f"d dh p{last} {dealer}")
    for event, _ in record.events:
        if isinstance(event, MoveMade):
            player = f"p{number[record.seats[event.place]]}"
            actions.append(f"{player} f" if event.move == "fold" else f"{player} cbr {event.cents}")
    shown = [each.seat for each in poker.seats if each.move != "fold"]
    actions += [f"p{number[seat]} sm {cards[seat]}" for seat in shown]
    if any(each.move == "play" for each in poker.seats):
        actions.append(f"p{last} sm {dealer}")
    return actions


def _compact(cards: tuple[int, ...] | None) -> str:
    return format_cards(cards or ()).replace(" ", "")


def _toml(value: Any) -> str:
    """Return a value as TOML, in which numbers, texts and lists of them look as in JSON."""
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, time):
        return value.isoformat()
    return "inf" if value == inf else json.dumps(value, ensure_ascii=False)
