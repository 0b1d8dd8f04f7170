"""The places that a table waits for: to bank, to bet, to show a seed, to decide."""

from collections.abc import Iterator

from queenhigh.table.state import ActiveRound, State, round_of, seat_of

__all__ = ["awaited", "late", "own_bets", "undecided", "unshown", "waits_for_bets"]


def awaited(state: State) -> list[int]:
    """Return the places that the table waits for now, in order."""
    if state.phase == "offering":
        return [state.offer.place] if state.offer.place is not None else []
    if state.phase == "betting":
        return sorted(_to_bet(state))
    if state.phase == "revealing":
        return unshown(state)
    return undecided(state)


def waits_for_bets(state: State) -> bool:
    """Return whether a place has still to bet, or to say that it is ready."""
    return next(_to_bet(state), None) is not None


def late(state: State, time_ms: int) -> list[int]:
    """Return the places of people for whom the clock acts at a time, or who did not bet in it.

    Nobody is late in showing a seed, which programs do; and nobody who has a bet down.
    """
    if state.deadline is None or time_ms < state.deadline:
        return []
    if state.phase not in ("offering", "betting", "deciding"):
        return []
    is_late = [place for place in awaited(state) if not state.places[place].bot]
    if state.phase == "betting":
        return [place for place in is_late if place not in round_of(state).wagers]
    return is_late


def _to_bet(state: State) -> Iterator[int]:
    live = round_of(state)
    for place in state.places:
        if place not in live.ready and _bets(state, live, place):
            yield place


def _bets(state: State, live: ActiveRound, place: int) -> bool:
    """Return whether a place takes part in the bets: it has some, or may still make them."""
    if place == live.banker or not state.places[place].is_in:
        return False
    return state.can_bet(place) or own_bets(state, place) > 0


def own_bets(state: State, place: int) -> int:
    """Return the cents that a place has put down in this round and may take back."""
    bets = state.round.wagers.get(place, ()) if state.round else ()
    return sum(bet.cents for bet in bets if not bet.in_prison)


def unshown(state: State) -> list[int]:
    """Return the places whose player has committed to a seed and has not shown it."""
    places = state.places
    return [
        place
        for place, seed in sorted(round_of(state).committed.items())
        if seed.shown is None and place in places and places[place].player == seed.player
    ]


def undecided(state: State) -> list[int]:
    """Return the places that have a move to make, in order."""
    live = state.round
    if live is None or live.play is None:
        return []
    waiting = state.book.game.deciding(state.book, live.play)
    return [place for place in sorted(live.wagers) if seat_of(state, place, live.banker) in waiting]
