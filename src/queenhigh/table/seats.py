"""Sitting down, topping up, sitting out, leaving."""

from queenhigh.money import dollars
from queenhigh.table import events
from queenhigh.table.banking import offer_next
from queenhigh.table.betting import close_bets_if_ready, own_bets, take_back
from queenhigh.table.commands import CLOCK, FLOOR, Leave, Sit, SitOut, TopUp
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.rounds import apply_default_moves, deal_if_shown, release_leavers, undecided

__all__ = ["leave", "sit", "sit_out", "top_up"]

_MOST_CENTS = 10**12


def sit(draft: Draft, command: Sit) -> None:
    """Seat a player with chips."""
    state, place = draft.state, command.place
    if state.closing is not None:
        refuse("table.closing", f"this table closes: {state.closing}")
    if not 1 <= place <= state.settings.places:
        refuse("place.range", f"there is no place {place}: places are 1 to {state.settings.places}")
    if place in state.places:
        refuse("place.taken", f"place {place} is taken: choose another")
    if command.by in (CLOCK, FLOOR) or state.place_of(command.by) is not None:
        refuse("seat.twice", "you sit at this table already")
    if command.bot and not state.settings.bots:
        refuse("table.bots", "this table does not seat bots")
    _check_cents(command.cents)
    draft.emit(
        events.SeatTaken,
        place=place,
        player=command.by,
        cents=command.cents,
        bot=command.bot,
    )


def top_up(draft: Draft, command: TopUp) -> None:
    """Add chips from the wallet to a stack."""
    place, seat = draft.own_place()
    if seat.leaving:
        refuse("seat.leaving", "you are leaving: sit down again to bring chips")
    _check_cents(command.cents)
    draft.emit(events.SeatToppedUp, place=place, player=seat.player, cents=command.cents)


def _check_cents(cents: int) -> None:
    if not 1 <= cents <= _MOST_CENTS:
        refuse("chips.range", f"bring from {dollars(1)} to {dollars(_MOST_CENTS)}")


def sit_out(draft: Draft, command: SitOut) -> None:
    """Make a player sit out or take part again. Bets on the table stay."""
    place, seat = draft.own_place()
    if seat.sitting_out == command.aside:
        refuse("seat.aside", "you sit out already" if seat.sitting_out else "you take part already")
    draft.emit(events.SeatAside, place=place, aside=command.aside)
    _continue_without(draft, place)


def leave(draft: Draft, command: Leave) -> None:
    """Release a player once nothing of theirs is on the table.

    Leaving now returns bets that can be taken back; an undecided hand makes the default move.
    """
    place, seat = draft.own_place()
    now = command.when == "now"
    if seat.leaving and not now:
        refuse("seat.leaving", "you are leaving already")
    draft.emit(events.SeatLeaving, place=place, now=now)
    if now:
        if draft.state.phase == "betting" and own_bets(draft.state, place):
            if draft.is_in_time:
                take_back(draft, place)
        elif place in undecided(draft.state):
            apply_default_moves(draft, [place])
    if place in draft.state.places and not draft.state.held(place):
        release_leavers(draft)
    _continue_without(draft, place)


def _continue_without(draft: Draft, place: int) -> None:
    """Continue without a place that the table may have waited for."""
    state = draft.state
    if state.phase == "offering" and state.offer.place == place:
        offer_next(draft)
    elif state.phase == "betting":
        close_bets_if_ready(draft)
    elif state.phase == "revealing":
        deal_if_shown(draft)
