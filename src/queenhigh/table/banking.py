"""Who banks: the bank is offered clockwise, accepted or passed on (CA-2, CA-20, CA-23)."""

from functools import lru_cache

from queenhigh.errors import BrokenLog
from queenhigh.money import dollars
from queenhigh.rulebook.book import RouletteRulebook, Rulebook
from queenhigh.table import events as happened
from queenhigh.table.commands import AcceptBank, DeclineBank, WantBank
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.rounds import open_round
from queenhigh.table.state import State, is_banked, poker_rules

__all__ = ["accept", "begin", "can_begin", "can_bet", "decline", "pass_on", "want"]

#: How many rounds running someone may bank while others want to.
_TURNS = {"two_rounds": 2, "every_round": 1}


def begin(draft: Draft) -> None:
    """Begin the next round: offer the bank, or where the house banks open bets."""
    state = draft.state
    if _is_waiting(state):
        return
    if not is_banked(state.book):
        if _has_players(state):
            open_round(draft, None)
    elif asked := offer_order(state):
        draft.emit(happened.BankOffered, round=state.number + 1, place=asked[0])


def can_begin(state: State) -> bool:
    """Tell whether there are players for a round, and nothing it waits for."""
    if _is_waiting(state):
        return False
    return bool(offer_order(state)) if is_banked(state.book) else _has_players(state)


def _is_waiting(state: State) -> bool:
    return state.phase != "between" or state.closing is not None or state.offer.unwanted


def _has_players(state: State) -> bool:
    return bool(state.prison) or any(can_bet(state, place) for place in state.places)


def _ask_next(draft: Draft) -> None:
    """Offer the bank to the next who may have it; if there is nobody left, say so."""
    state = draft.state
    asked = [place for place in offer_order(state) if place not in state.offer.declined]
    if asked:
        draft.emit(happened.BankOffered, round=state.number + 1, place=asked[0])
    else:
        draft.emit(happened.BankUnwanted, round=state.number + 1)


def can_bet(state: State, place: int) -> bool:
    """Tell whether a place takes part and has chips for the least of bets."""
    return state.places[place].is_in and state.stack(place) >= _least(state.book)


@lru_cache(maxsize=64)
def _least(book: Rulebook) -> int:
    """Return the least that a round costs a place which plays it to the end."""
    if isinstance(book, RouletteRulebook):
        return book.limits.min
    book = poker_rules(book)
    least = book.limits["ante"].min
    if book.fees:  # whose ranges may leave a gap where the limits begin
        least = min([max(least, rate.min) for rate in book.fees.rates if rate.max >= least])
        fee = book.fees.rate(least).player
        return 2 * (least + fee) if book.fees.fee_per == "wager" else 2 * least + fee
    sides = [limits.min for wager, limits in book.limits.items() if wager != "ante"]
    return 2 * least if book.ante_required else min([2 * least, *sides])


def offer_order(state: State) -> list[int]:
    """Return who may bank the next round, in the order they are asked.

    Who banked last is asked first as long as the turn lasts, and last after it: if nobody else
    wants the bank, it may stay.
    """
    count, last = state.settings.places, state.offer.banker
    start = last if last is not None else count
    clockwise = [(start + step - 1) % count + 1 for step in range(1, count + 1)]
    if last is not None and 0 < state.offer.running < _turns(state):
        clockwise = [last, *clockwise[:-1]]
    return [place for place in clockwise if place in state.places and _can_bank(state, place)]


def _turns(state: State) -> int:
    bank = poker_rules(state.book).bank
    if bank is None:
        raise BrokenLog(f"no player banks in {state.book.name}")
    return _TURNS.get(bank.rotation, state.offer.running + 1)


def _can_bank(state: State, place: int) -> bool:
    """Tell whether a place may bank: it takes part, has the chips, and somebody else can bet."""
    least = state.settings.least_bank + most_banker_fee(state.book)
    if not state.places[place].is_in or state.stack(place) < least:
        return False
    return any(other != place and can_bet(state, other) for other in state.places)


@lru_cache(maxsize=64)
def most_banker_fee(book: Rulebook) -> int:
    """Return the most that the banker's fee of a round can come to."""
    fees = poker_rules(book).fees
    return max([rate.banker for rate in fees.rates]) if fees else 0


def accept(draft: Draft, command: AcceptBank) -> None:
    """Post the bank and open the round."""
    place = _asked(draft, command)
    state, cents = draft.state, command.cents
    if cents < state.settings.least_bank:
        least = dollars(state.settings.least_bank)
        refuse("bank.least", f"the bank is at least {least} here")
    fee = most_banker_fee(state.book)
    if cents + fee > state.stack(place):
        told = f"{dollars(cents)} and a fee of up to {dollars(fee)} are more than your stack"
        refuse("stack.short", f"{told}: post less or top up")
    draft.emit(happened.BankPosted, round=command.round, place=place, cents=cents, fee=fee)
    open_round(draft, place)


def decline(draft: Draft, command: DeclineBank) -> None:
    """Pass the offer on."""
    _asked(draft, command)
    pass_on(draft)


def pass_on(draft: Draft) -> None:
    """Offer the bank to the next who may want it."""
    state = draft.state
    draft.emit(happened.BankDeclined, round=state.number + 1, place=state.offer.place)
    _ask_next(draft)


def want(draft: Draft, command: WantBank) -> None:
    """Offer the bank to who asks for it where nobody wanted it."""
    place, _ = draft.own_place()
    state = draft.state
    if not state.offer.unwanted:
        refuse("bank.in_turn", "the bank is offered in turn: wait for the offer")
    if not _can_bank(state, place):
        told = "you cannot bank now: it takes chips, and somebody else who can bet"
        refuse("bank.cannot", told)
    draft.emit(happened.BankOffered, round=state.number + 1, place=place)


def _asked(draft: Draft, command: AcceptBank | DeclineBank) -> int:
    draft.in_time("offering", command.round)
    place, _ = draft.own_place()
    if draft.state.offer.place != place:
        refuse("bank.not_asked", "the bank is offered to somebody else now")
    return place
