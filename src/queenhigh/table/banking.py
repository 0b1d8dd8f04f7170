"""Choosing the banker: the bank is offered clockwise, accepted or declined (CA-2, CA-20, CA-23)."""

from collections.abc import Iterator

from queenhigh.errors import BrokenLog
from queenhigh.money import dollars
from queenhigh.table import events
from queenhigh.table.commands import AcceptBank, DeclineBank, WantBank
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.rounds import open_round
from queenhigh.table.state import State

__all__ = ["accept", "begin", "can_begin", "decline", "offer_next", "want"]

#: How many rounds in a row a player may bank while others want to.
_TURNS = {"two_rounds": 2, "every_round": 1}


def begin(draft: Draft) -> None:
    """Begin the next round: offer the bank, or where the house banks open bets."""
    state = draft.state
    if _is_waiting(state):
        return
    if state.book.bank is None:
        if _has_players(state):
            open_round(draft, None)
    elif (asked := next(offer_order(state), None)) is not None:
        draft.emit(events.BankOffered, round=state.number + 1, place=asked)


def can_begin(state: State) -> bool:
    """Return whether there are players for a round, and nothing it waits for."""
    if _is_waiting(state):
        return False
    if state.book.bank is None:
        return _has_players(state)
    return any(_can_bank(state, place) for place in state.places)


def _is_waiting(state: State) -> bool:
    return state.phase != "between" or state.closing is not None or state.offer.declined_by_all


def _has_players(state: State) -> bool:
    return bool(state.prison) or any(state.can_bet(place) for place in state.places)


def _offer_to_next(draft: Draft) -> None:
    """Offer the bank to the next place that may bank, or record that everyone declined."""
    state = draft.state
    declined = state.offer.declined
    asked = next((place for place in offer_order(state) if place not in declined), None)
    if asked is not None:
        draft.emit(events.BankOffered, round=state.number + 1, place=asked)
    else:
        draft.emit(events.BankUnwanted, round=state.number + 1)


def offer_order(state: State) -> Iterator[int]:
    """Yield the places that may bank the next round, in the order they are asked.

    The last banker is asked first while the turn lasts, and last after it: the bank may stay if
    nobody else wants it.
    """
    count, last = state.settings.places, state.offer.banker
    start = last if last is not None else count
    clockwise = [(start + step - 1) % count + 1 for step in range(1, count + 1)]
    if last is not None and 0 < state.offer.rounds_in_a_row < _turns(state):
        clockwise = [last, *clockwise[:-1]]
    for place in clockwise:
        if place in state.places and _can_bank(state, place):
            yield place


def _turns(state: State) -> int:
    bank = state.book.bank
    if bank is None:
        raise BrokenLog(f"players do not bank in {state.book.name}")
    return _TURNS.get(bank.rotation, state.offer.rounds_in_a_row + 1)


def _can_bank(state: State, place: int) -> bool:
    """Return whether a place may bank: it takes part, has the chips, and somebody else can bet."""
    least = state.settings.least_bank + state.book.betting.banker_fee[1]
    if not state.places[place].is_in or state.stack(place) < least:
        return False
    return any(other != place and state.can_bet(other) for other in state.places)


def accept(draft: Draft, command: AcceptBank) -> None:
    """Post the bank and open the round."""
    place = _asked(draft, command)
    state, cents = draft.state, command.cents
    if cents < state.settings.least_bank:
        least = dollars(state.settings.least_bank)
        refuse("bank.least", f"the minimum bank is {least}")
    fee = state.book.betting.banker_fee[1]  # the highest possible fee
    if cents + fee > state.stack(place):
        sum_text = f"{dollars(cents)} and a fee of up to {dollars(fee)} are more than your stack"
        refuse("stack.short", f"{sum_text}: put up less or top up")
    draft.emit(events.BankPosted, round=command.round, place=place, cents=cents, fee=fee)
    open_round(draft, place)


def decline(draft: Draft, command: DeclineBank) -> None:
    """Pass the offer on."""
    _asked(draft, command)
    offer_next(draft)


def offer_next(draft: Draft) -> None:
    """Record that the bank was declined, and offer it to the next place."""
    state = draft.state
    draft.emit(events.BankDeclined, round=state.number + 1, place=state.offer.place)
    _offer_to_next(draft)


def want(draft: Draft, command: WantBank) -> None:
    """Offer the bank to a player who asks for it after everyone declined."""
    place, _ = draft.own_place()
    state = draft.state
    if not state.offer.declined_by_all:
        refuse("bank.in_turn", "the bank is offered in turn: wait for your turn")
    if not _can_bank(state, place):
        sentence = "you cannot bank now: you need chips, and another player who can bet"
        refuse("bank.cannot", sentence)
    draft.emit(events.BankOffered, round=state.number + 1, place=place)


def _asked(draft: Draft, command: AcceptBank | DeclineBank) -> int:
    draft.in_time("offering", command.round)
    place, _ = draft.own_place()
    if draft.state.offer.place != place:
        refuse("bank.not_asked", "the bank is offered to another player now")
    return place
