"""Wagers while bets are open: within the rules, and within the stack."""

from queenhigh.money import dollars
from queenhigh.rulebook.terms import MOST_WAGERS
from queenhigh.table import events
from queenhigh.table.commands import ClearWagers, PlaceWagers
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.rounds import close_bets, release_leavers, void
from queenhigh.table.state import seat_of
from queenhigh.table.waiting import own_bets, waits_for_bets

__all__ = ["clear_wagers", "close_bets_if_ready", "place_wagers", "take_back"]


def place_wagers(draft: Draft, command: PlaceWagers) -> None:
    """Hold wagers of a place, and the fee for them."""
    draft.in_time("betting", command.round)
    place = _better(draft)
    if command.wagers:
        _hold(draft, place, command)
    elif not command.ready:
        refuse("wagers.empty", "there is no bet in this command: give a spot and an amount")
    elif place not in draft.live.ready:
        draft.emit(events.SeatReady, round=command.round, place=place)
    close_bets_if_ready(draft)


def _hold(draft: Draft, place: int, command: PlaceWagers) -> None:
    state, live = draft.state, draft.live
    cents = 0
    for bet in command.wagers:
        cents += bet.cents
        if bet.in_prison:
            refuse("wager.prison", "a new bet cannot be in prison: remove in_prison")
    book = state.book
    wagers = book.game.spell(book, command.wagers)
    down = (*live.wagers.get(place, ()), *wagers)
    if len(down) > MOST_WAGERS:
        refuse("wagers.many", f"you can place at most {MOST_WAGERS} bets in a round")
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
    parts = [f"{dollars(cents)} in bets"]
    parts += [f"{dollars(fee)} in fees"] if fee else []
    parts += [f"{dollars(to_come)} for Play"] if to_come else []
    return f"{' and '.join(parts)} are more than your stack of {dollars(stack)}: bet less or top up"


def clear_wagers(draft: Draft, command: ClearWagers) -> None:
    """Return the wagers of a place."""
    draft.in_time("betting", command.round)
    place, _ = draft.own_place()
    if not own_bets(draft.state, place):
        refuse("wagers.none", "you have no bets to take back")
    take_back(draft, place)
    release_leavers(draft)
    close_bets_if_ready(draft)


def take_back(draft: Draft, place: int) -> None:
    """Return the bets of a place in this round, and their fees."""
    live = draft.live
    back = own_bets(draft.state, place) + live.fees.get(place, 0)
    draft.emit(events.WagersCleared, round=live.number, place=place, cents=back)


def close_bets_if_ready(draft: Draft) -> None:
    """Close bets when all players who can bet are ready; void a round without its banker."""
    state, live = draft.state, draft.live
    if not live.wagers:
        if state.closing is not None:
            void(draft, "the table closes")
        elif live.banker is not None and state.places[live.banker].wants_out:
            void(draft, "the banker gave the bank back before any wager")
        return
    if not waits_for_bets(state):
        close_bets(draft)


def _better(draft: Draft) -> int:
    place, seat = draft.own_place()
    if draft.live.banker == place:
        refuse("banker.bets", "you bank this round, so you cannot bet (CA-2)")
    if seat.wants_out:
        refuse("seat.aside", "you are sitting out: come back to bet")
    if seat.away:
        refuse("seat.away", "you are away: come back to bet")
    return place
