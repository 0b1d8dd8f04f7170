"""Wagers while bets are open: within the rules, and within the stack."""

from queenhigh.errors import IllegalRound
from queenhigh.games import roulette, three_card_poker
from queenhigh.games.roulette import find_text
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook
from queenhigh.table import events as happened
from queenhigh.table.banking import can_bet
from queenhigh.table.commands import Bet, ClearWagers, PlaceWagers
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.rounds import close_bets, see_off, void
from queenhigh.table.state import Live, State, seat_of, seat_with, wheel_rules

__all__ = ["clear", "go_on", "own_bets", "place", "take_back"]

_MOST_BETS = 200


def place(draft: Draft, command: PlaceWagers) -> None:
    """Hold wagers of a place, and the fee for them."""
    draft.in_time("betting", command.round)
    at = _better(draft)
    if command.wagers:
        _hold(draft, at, command)
    elif not command.ready:
        refuse("wagers.empty", "there is no wager in this: name a spot and an amount")
    elif at not in draft.live.ready:
        draft.emit(happened.SeatReady, round=command.round, place=at)
    go_on(draft)


def _hold(draft: Draft, at: int, command: PlaceWagers) -> None:
    state, live = draft.state, draft.live
    cents = 0
    for bet in command.wagers:
        cents += bet.cents
        if bet.in_prison:
            refuse("wager.prison", "a new wager is not in prison: leave in_prison out")
    wagers = command.wagers
    if isinstance(state.book, RouletteRulebook):
        wagers = tuple([Bet(find_text(state.book, bet.spot), bet.cents) for bet in wagers])
    down = (*live.wagers.get(at, ()), *wagers)
    if len(down) > _MOST_BETS:
        refuse("wagers.many", f"a place has at most {_MOST_BETS} wagers in a round")
    if isinstance(state.book, PokerRulebook):
        whole_fee, to_come = _check_poker(state.book, seat_of(state, at, live.banker), down)
    else:
        whole_fee, to_come = _check_wheel(wheel_rules(state.book), down)
    fee = whole_fee - live.fees.get(at, 0)
    if cents + fee + to_come > state.stack(at):
        refuse("stack.short", _too_much(cents, fee, to_come, state.stack(at)))
    draft.emit(
        happened.WagersPlaced,
        round=live.number,
        place=at,
        wagers=wagers,
        fee=fee,
        ready=command.ready,
    )


def _too_much(cents: int, fee: int, to_come: int, stack: int) -> str:
    parts = [f"{dollars(cents)} in wagers"]
    parts += [f"{dollars(fee)} of fees"] if fee else []
    parts += [f"{dollars(to_come)} for Play"] if to_come else []
    return f"{' and '.join(parts)} are more than your stack of {dollars(stack)}: bet less or top up"


def _check_poker(book: PokerRulebook, seat: int, bets: tuple[Bet, ...]) -> tuple[int, int]:
    """Check a seat's wagers; return its fee so far, and what it must keep for Play."""
    spots = set()
    for bet in bets:
        if bet.spot in spots:
            refuse("wager.twice", "this spot has a wager already: clear your wagers to change it")
        if bet.spot not in book.limits:
            refuse("wager.unknown", f"there is no {bet.spot[:20]} bet in this game")
        if bet.cents < 1:
            refuse("wager.limits", "a wager is at least one cent")
        spots.add(bet.spot)
    made = seat_with(seat, bets)
    three_card_poker.check_stakes(book, made)
    ante, fees = made.ante, book.fees
    if fees is None:
        return 0, ante
    if fees.fee_per == "round":
        return fees.rate(ante).player, ante
    return sum(fees.rate(bet.cents).player for bet in bets), ante + fees.rate(ante).player


def _check_wheel(book: RouletteRulebook, bets: tuple[Bet, ...]) -> tuple[int, int]:
    """Check a player's bets; what lies on one spot counts together, what is in prison apart."""
    spots: dict[str, int] = {}
    for bet in bets:
        if bet.cents < 1:
            refuse("wager.limits", "a wager is at least one cent")
        if not bet.in_prison:
            roulette.open(book, (roulette.Wager(bet.spot, bet.cents),))
            both = spots[bet.spot] = spots.get(bet.spot, 0) + bet.cents
            if both > book.limits.max:
                raise IllegalRound(
                    "wager.limits",
                    f"{dollars(both)} on {bet.spot} is above the limit {dollars(book.limits.max)}",
                    clause=book.limits.clause,
                )
    return 0, 0


def clear(draft: Draft, command: ClearWagers) -> None:
    """Give the wagers of a place back."""
    draft.in_time("betting", command.round)
    at, _ = draft.own_place()
    if not own_bets(draft.state, at):
        refuse("wagers.none", "you have no wagers to take back")
    take_back(draft, at)
    see_off(draft)
    go_on(draft)


def take_back(draft: Draft, at: int) -> None:
    """Give back what a place has put down in this round."""
    live = draft.live
    back = own_bets(draft.state, at) + live.fees.get(at, 0)
    draft.emit(happened.WagersCleared, round=live.number, place=at, cents=back)


def own_bets(state: State, at: int) -> int:
    """Return the cents that a place has put down in this round and may take back."""
    bets = state.round.wagers.get(at, ()) if state.round else ()
    return sum(bet.cents for bet in bets if not bet.in_prison)


def go_on(draft: Draft) -> None:
    """Close bets when everyone who could bet is ready; end a round that lost its banker."""
    state, live = draft.state, draft.live
    if not live.wagers:
        if state.closing is not None:
            void(draft, "the table closes")
        elif live.banker is not None and not state.places[live.banker].is_in:
            void(draft, "the banker gave the bank back before any wager")
        return
    for at in state.places:
        if at not in live.ready and _waited_for(state, live, at):
            return
    close_bets(draft)


def _waited_for(state: State, live: Live, at: int) -> bool:
    if at == live.banker or not state.places[at].is_in:
        return False
    return can_bet(state, at) or own_bets(state, at) > 0


def _better(draft: Draft) -> int:
    at, one = draft.own_place()
    if draft.live.banker == at:
        refuse("banker.bets", "you bank this round and make no other wager (CA-2)")
    if not one.is_in:
        refuse("seat.aside", "you sit out: come back to bet")
    return at
