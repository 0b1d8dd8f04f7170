"""Sitting down, topping up, sitting out, leaving."""

from queenhigh.money import dollars
from queenhigh.table import events
from queenhigh.table.banking import offer_next
from queenhigh.table.betting import close_bets_if_ready, take_back
from queenhigh.table.commands import (
    CLOCK,
    FLOOR,
    BringBack,
    Leave,
    MarkAway,
    Sit,
    SitOut,
    TopUp,
)
from queenhigh.table.draft import Draft, refuse
from queenhigh.table.rounds import apply_default_moves, deal_if_shown, release_leavers
from queenhigh.table.state import Place
from queenhigh.table.waiting import own_bets, undecided

__all__ = ["bring_back", "leave", "mark_away", "sit", "sit_out", "top_up"]

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
    if state.round is not None and place in state.round.voided:
        refuse("place.taken", f"place {place} had a hand in this round: choose another")
    if command.by in (CLOCK, FLOOR) or state.place_of(command.by) is not None:
        refuse("seat.twice", "you are already seated at this table")
    if command.bot and not state.settings.bots:
        refuse("table.bots", "this table does not accept bots")
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
        refuse("seat.leaving", "you are leaving: sit down again to add chips")
    _check_cents(command.cents)
    draft.emit(events.SeatToppedUp, place=place, player=seat.player, cents=command.cents)


def _check_cents(cents: int) -> None:
    if not 1 <= cents <= _MOST_CENTS:
        refuse("chips.range", f"buy in for {dollars(1)} to {dollars(_MOST_CENTS)}")


def sit_out(draft: Draft, command: SitOut) -> None:
    """Make a player sit out or take part again. Bets on the table stay.

    A player who was away is back with either, since they act.
    """
    place, seat = draft.own_place()
    if seat.sitting_out == command.aside and not seat.away:
        state = "already" if seat.sitting_out else "not"
        refuse("seat.aside", f"you are {state} sitting out")
    draft.emit(events.SeatAside, place=place, aside=command.aside)
    _continue_without(draft, place)


def mark_away(draft: Draft, command: MarkAway) -> None:
    """Continue without a player who is gone: from the next round on, they sit out.

    Bets on the table stay, and an undecided hand keeps its time.
    """
    seat = _seated(draft, command)
    if seat.bot:
        refuse("seat.bot", "a bot is never away")
    if seat.away or seat.leaving:
        refuse("seat.away", f"{seat.player} is {'away' if seat.away else 'leaving'} already")
    draft.emit(events.SeatAway, place=command.place)
    _continue_without(draft, command.place)


def bring_back(draft: Draft, command: BringBack) -> None:
    """Bring back a player who was away: they take part again, at once if bets are open."""
    if not _seated(draft, command).away:
        refuse("seat.away", f"the player at place {command.place} is not away")
    draft.emit(events.SeatBack, place=command.place)


def _seated(draft: Draft, command: MarkAway | BringBack) -> Place:
    seat = draft.state.places.get(command.place)
    if seat is None:
        refuse("seat.none", f"nobody sits at place {command.place}")
    return seat


def leave(draft: Draft, command: Leave) -> None:
    """Release a player once nothing of theirs is on the table.

    Leaving now returns bets that can be taken back; an undecided hand makes the default move.
    """
    place, seat = draft.own_place()
    now = command.when == "now"
    if seat.leaving and not now:
        refuse("seat.leaving", "you are already leaving")
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
