"""Wagers while bets are open: within the rules, and within the stack."""

from queenhigh.money import dollars
from queenhigh.rulebook.terms import MOST_WAGERS
from queenhigh.table import events
from queenhigh.table.commands import ClearWagers, PlaceWagers
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.rounds import close_bets, release_leavers, void
from queenhigh.table.state import ActiveRound, State, seat_of

__all__ = ["clear_wagers", "close_bets_if_ready", "own_bets", "place_wagers", "take_back"]


def place_wagers(draft: Draft, command: PlaceWagers) -> None:
    """Hold wagers of a place, and the fee for them."""
    draft.in_time("betting", command.round)
    place = _better(draft)
    if command.wagers:
        _hold(draft, place, command)
    elif not command.ready:
        refuse("wagers.empty", "there is no wager in this: name a spot and an amount")
    elif place not in draft.live.ready:
        draft.emit(events.SeatReady, round=command.round, place=place)
    close_bets_if_ready(draft)


def _hold(draft: Draft, place: int, command: PlaceWagers) -> None:
    state, live = draft.state, draft.live
    cents = 0
    for bet in command.wagers:
        cents += bet.cents
        if bet.in_prison:
            refuse("wager.prison", "a new wager is not in prison: leave in_prison out")
    book = state.book
    wagers = book.game.spell(book, command.wagers)
    down = (*live.wagers.get(place, ()), *wagers)
    if len(down) > MOST_WAGERS:
        refuse("wagers.many", f"a place has at most {MOST_WAGERS} wagers in a round")
    book.game.check_bets(book, seat_of(state, place, live.banker), down)
    terms, stakes = book.betting, [(bet.spot, bet.cents) for bet in down]
    fee = terms.fee(stakes) - live.fees.get(place, 0)
    to_come = terms.reserve(stakes) + terms.reserve_fee(stakes)
    if cents + fee + to_come > state.stack(place):
        refuse("stack.short", _too_much(cents, fee, to_come, state.stack(place)))
    draft.emit(
        events.WagersPlaced,
        round=live.number,
        place=place,
        wagers=wagers,
        fee=fee,
        ready=command.ready,
    )


def _too_much(cents: int, fee: int, to_come: int, stack: int) -> str:
    parts = [f"{dollars(cents)} in wagers"]
    parts += [f"{dollars(fee)} of fees"] if fee else []
    parts += [f"{dollars(to_come)} for Play"] if to_come else []
    return f"{' and '.join(parts)} are more than your stack of {dollars(stack)}: bet less or top up"


def clear_wagers(draft: Draft, command: ClearWagers) -> None:
    """Return the wagers of a place."""
    draft.in_time("betting", command.round)
    place, _ = draft.own_place()
    if not own_bets(draft.state, place):
        refuse("wagers.none", "you have no wagers to take back")
    take_back(draft, place)
    release_leavers(draft)
    close_bets_if_ready(draft)


def take_back(draft: Draft, place: int) -> None:
    """Return the bets of a place in this round, and their fees."""
    live = draft.live
    back = own_bets(draft.state, place) + live.fees.get(place, 0)
    draft.emit(events.WagersCleared, round=live.number, place=place, cents=back)


def own_bets(state: State, place: int) -> int:
    """Return the cents that a place has put down in this round and may take back."""
    bets = state.round.wagers.get(place, ()) if state.round else ()
    return sum(bet.cents for bet in bets if not bet.in_prison)


def close_bets_if_ready(draft: Draft) -> None:
    """Close bets when all players who can bet are ready; void a round without its banker."""
    state, live = draft.state, draft.live
    if not live.wagers:
        if state.closing is not None:
            void(draft, "the table closes")
        elif live.banker is not None and not state.places[live.banker].is_in:
            void(draft, "the banker gave the bank back before any wager")
        return
    for place in state.places:
        if place not in live.ready and _waited_for(state, live, place):
            return
    close_bets(draft)


def _waited_for(state: State, live: ActiveRound, place: int) -> bool:
    if place == live.banker or not state.places[place].is_in:
        return False
    return state.can_bet(place) or own_bets(state, place) > 0


def _better(draft: Draft) -> int:
    place, seat = draft.own_place()
    if draft.live.banker == place:
        refuse("banker.bets", "you bank this round and make no other wager (CA-2)")
    if not seat.is_in:
        refuse("seat.aside", "you sit out: come back to bet")
    return place
