"""Sitting down, bringing chips, sitting out, going."""

from queenhigh.money import dollars
from queenhigh.table import events as happened
from queenhigh.table.banking import pass_on
from queenhigh.table.betting import go_on, own_bets, take_back
from queenhigh.table.commands import CLOCK, FLOOR, Leave, Sit, StandAside, TopUp
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.rounds import deal_if_shown, see_off, take_silence, undecided

__all__ = ["leave", "sit", "stand_aside", "top_up"]

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
        happened.SeatTaken,
        place=place,
        player=command.by,
        cents=command.cents,
        bot=command.bot,
    )


def top_up(draft: Draft, command: TopUp) -> None:
    """Add chips from the wallet to a stack."""
    place, one = draft.own_place()
    if one.leaving:
        refuse("seat.leaving", "you are leaving: sit down again to bring chips")
    _check_cents(command.cents)
    draft.emit(happened.SeatToppedUp, place=place, player=one.player, cents=command.cents)


def _check_cents(cents: int) -> None:
    if not 1 <= cents <= _MOST_CENTS:
        refuse("chips.range", f"bring from {dollars(1)} to {dollars(_MOST_CENTS)}")


def stand_aside(draft: Draft, command: StandAside) -> None:
    """Let a player sit out from now on, or take part again. What is on the table stays."""
    place, one = draft.own_place()
    if one.aside == command.aside:
        refuse("seat.aside", "you sit out already" if one.aside else "you take part already")
    draft.emit(happened.SeatAside, place=place, aside=command.aside)
    _carry_on(draft, place)


def leave(draft: Draft, command: Leave) -> None:
    """Let a player go, once nothing of theirs is on the table.

    Who goes now takes back what can be taken back; a hand that has not moved counts as silent.
    """
    place, one = draft.own_place()
    now = command.when == "now"
    if one.leaving and not now:
        refuse("seat.leaving", "you are leaving already")
    draft.emit(happened.SeatLeaving, place=place, now=now)
    if now:
        if draft.state.phase == "betting" and own_bets(draft.state, place):
            if draft.is_in_time:
                take_back(draft, place)
        elif place in undecided(draft.state):
            take_silence(draft, [place])
    if place in draft.state.places and not draft.state.held(place):
        see_off(draft)
    _carry_on(draft, place)


def _carry_on(draft: Draft, place: int) -> None:
    """Go on without a place that the table may have waited for."""
    state = draft.state
    if state.phase == "offering" and state.offer.place == place:
        pass_on(draft)
    elif state.phase == "betting":
        go_on(draft)
    elif state.phase == "revealing":
        deal_if_shown(draft)
