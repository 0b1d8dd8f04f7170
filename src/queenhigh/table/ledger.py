"""Chips, double entry: each event posts cents from accounts to accounts, and the sum is zero.

A place has a stack, and its chips on the table are held. ``in_transit`` are chips that came from
wallets or went back: over all streams of a room it is zero.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from queenhigh.errors import BrokenLog
from queenhigh.table.events import (
    BankPosted,
    BetsClosed,
    BetsClosed2,
    Charge,
    CorrectionMade,
    HandVoided,
    MoveMade,
    RoundSettled,
    RoundVoided,
    SeatLeft,
    SeatTaken,
    SeatToppedUp,
    SpinSettled,
    TableEvent,
    WagersCleared,
    WagersPlaced,
)

__all__ = ["FEES", "HELD", "HOUSE", "IN_TRANSIT", "MOST_PLACES", "STACK", "post", "postings"]

FEES, HOUSE, IN_TRANSIT = "fees", "house", "in_transit"
MOST_PLACES = 20

#: The only accounts of a table that may be below zero.
MAY_OWE = frozenset({HOUSE, IN_TRANSIT})

#: By place: its stack, and its chips on the table: wagers, bank and fees to come.
STACK = tuple(f"stack/{place}" for place in range(MOST_PLACES + 1))
HELD = tuple(f"held/{place}" for place in range(MOST_PLACES + 1))

Posting = tuple[str, int]


def postings(event: TableEvent) -> list[Posting]:
    """Return the postings of an event: accounts and cents that sum to zero."""
    post_of = _POSTINGS.get(type(event))
    return post_of(event) if post_of else []


def post(balances: Mapping[str, int], moved: Sequence[Posting]) -> dict[str, int]:
    """Return the balances after postings; raise if they overdraw an account or make chips."""
    after, made, is_low = dict(balances), 0, False
    for account, cents in moved:
        after[account] = balance = after.get(account, 0) + cents
        made += cents
        is_low = is_low or balance < 0
    if is_low:  # a later posting may have raised it again
        check_covered(after, moved)
    check_sum(made)
    return after


def check_covered(balances: Mapping[str, int], moved: Sequence[Posting]) -> None:
    """Raise if postings overdraw an account that may not owe chips."""
    for account, _ in moved:
        if balances[account] < 0 and account not in MAY_OWE:
            raise BrokenLog(f"{account} would fall below zero")


def check_sum(made: int) -> None:
    """Raise unless the postings of an event sum to zero."""
    if made:
        raise BrokenLog(f"the postings of an event sum to {made} cents, not to 0")


def _hold(place: int, cents: int) -> list[Posting]:
    return [(STACK[place], -cents), (HELD[place], cents)]


def _give_back(charges: tuple[Charge, ...]) -> list[Posting]:
    return [posting for charge in charges for posting in _hold(charge.place, -charge.cents)]


def _collect(fees: tuple[Charge, ...]) -> list[Posting]:
    collected = [(HELD[fee.place], -fee.cents) for fee in fees]
    return [*collected, (FEES, sum([fee.cents for fee in fees]))]


def _settle_round(event: RoundSettled) -> list[Posting]:
    moved = _collect(event.fees)
    for row in event.places:
        staked = sum([wager.stake for wager in row.wagers])
        moved.append((HELD[row.place], -staked))
        moved.append((STACK[row.place], staked + row.net))
    if event.banker is None:
        moved.append((HOUSE, event.net))
    else:
        moved.append((HELD[event.banker], -event.bank))
        moved.append((STACK[event.banker], event.bank + event.net))
    return moved


def _settle_spin(event: SpinSettled) -> list[Posting]:
    moved = [(HOUSE, event.net)]
    for row in event.places:
        freed = sum([bet.stake - bet.held for bet in row.bets])
        moved.append((HELD[row.place], -freed))
        moved.append((STACK[row.place], freed + row.net))
    return moved


def _void(event: RoundVoided) -> list[Posting]:
    moved = _give_back(event.returned)
    moved += [(STACK[fee.place], fee.cents) for fee in event.fees]
    return [*moved, (FEES, -sum([fee.cents for fee in event.fees]))]


def _void_hand(event: HandVoided) -> list[Posting]:
    moved = _hold(event.place, -event.cents)
    return [*moved, (FEES, -event.fee), (STACK[event.place], event.fee)] if event.fee else moved


def _correct(event: CorrectionMade) -> list[Posting]:
    """Move chips to where the players have them now; the bank's are a player's or the house's."""
    moved = [
        (IN_TRANSIT if row.seat is None else STACK[row.seat], row.cents) for row in event.chips
    ]
    if event.banker is None:
        moved.append((HOUSE, -sum([row.cents for row in event.moved if row.against == "bank"])))
    moved.append((FEES, -sum([row.cents for row in event.moved if row.against == "fees"])))
    return moved


def _close_bets(event: BetsClosed) -> list[Posting]:
    return [*_collect(event.fees), *_give_back(event.released)]


def _bring(event: SeatTaken | SeatToppedUp) -> list[Posting]:
    return [(IN_TRANSIT, -event.cents), (STACK[event.place], event.cents)]


def _take_away(event: SeatLeft) -> list[Posting]:
    moved = [(STACK[event.place], -event.cents - event.kept), (IN_TRANSIT, event.cents)]
    return [*moved, (HOUSE, event.kept)] if event.kept else moved


def _place_wagers(event: WagersPlaced) -> list[Posting]:
    return _hold(event.place, sum([bet.cents for bet in event.wagers]) + event.fee)


_POSTINGS: dict[type, Callable[[Any], list[Posting]]] = {
    SeatTaken: _bring,
    SeatToppedUp: _bring,
    SeatLeft: _take_away,
    BankPosted: lambda event: _hold(event.place, event.cents + event.fee),
    WagersPlaced: _place_wagers,
    WagersCleared: lambda event: _hold(event.place, -event.cents),
    BetsClosed: _close_bets,
    BetsClosed2: _close_bets,
    MoveMade: lambda event: _hold(event.place, event.cents + event.fee),
    RoundSettled: _settle_round,
    SpinSettled: _settle_spin,
    RoundVoided: _void,
    HandVoided: _void_hand,
    CorrectionMade: _correct,
}
