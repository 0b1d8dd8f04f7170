"""A person who plays alone with bots has no clock: nobody else waits for them.

The floor stops the clock of a table where one person plays. Then no deadline runs while that person
is waited for; while only bots are, it does. The clock starts again, whole, with the event by which
there is another person, or none.
"""

from msgspec.structs import replace

from queenhigh.table.state import State, round_of
from queenhigh.table.waiting import awaited

__all__ = ["can_stop_clock", "follow_people", "whole_time"]

#: The phases in which a stopped clock gives a person all the time they want.
_TIMED = ("offering", "betting", "deciding")


def can_stop_clock(state: State) -> bool:
    """Return whether one person plays here, and no other has a bet or a bank on the table.

    A player who leaves waits for the spin that decides a bet in prison, also between rounds.
    """
    place = _lone_person(state)
    if place is None or state.untimed:
        return False
    others = set(state.prison if state.round is None else state.round.wagers)
    if state.round is not None and state.round.banker is not None:
        others.add(state.round.banker)
    return all(other == place or state.places[other].bot for other in others)


def _lone_person(state: State) -> int | None:
    """Return the place of the only person who stays; ``None`` if there is not just one.

    People who are away or leaving do not count. At a table that closes nobody stays.
    """
    people = [
        place
        for place, seat in state.places.items()
        if not (seat.bot or seat.away or seat.leaving or state.closing is not None)
    ]
    return people[0] if len(people) == 1 else None


def follow_people(state: State) -> State:
    """Return a table with a stopped clock as it is after an event, deadline and all."""
    person, deadline = _lone_person(state), state.deadline
    starts = person is None
    if state.phase in _TIMED:
        if person in awaited(state):
            deadline = None
        elif starts or deadline is None:
            deadline = _whole_deadline(state)
    return replace(state, untimed=not starts, deadline=deadline)


def _whole_deadline(state: State) -> int | None:
    """Return the deadline of a phase that begins now; without a bet there is none."""
    if state.phase == "betting" and not round_of(state).wagers:
        return None
    return state.at + whole_time(state)


def whole_time(state: State) -> int:
    """Return how long the phase of a table takes, in milliseconds."""
    pace = state.settings.pace
    times = {
        "between": pace.pause,
        "offering": pace.offer,
        "betting": pace.bets,
        "revealing": state.chain.reveal if state.chain else 0,
        "deciding": pace.moves,
    }
    return times[state.phase]
