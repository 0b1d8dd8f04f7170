"""The round of a table in its game: started from the wagers, then step by step."""

from queenhigh.errors import BrokenLog, IllegalRound
from queenhigh.game import Dealt, GameRound, Step
from queenhigh.table.state import ActiveRound, State, seats_of

__all__ = ["apply_step", "first_seat", "start_play"]


def start_play(state: State, live: ActiveRound) -> GameRound:
    """Return a table's round with its wagers made, before anything is drawn."""
    book = state.book
    bets = {seat: live.wagers[place] for place, seat in seats_of(state, live).items()}
    bank = live.bank if live.banker is not None else None
    return book.game.start(book, bets, bank=bank, first=first_seat(state))


def first_seat(state: State, step: Step | None = None) -> int:
    """Return the seat that action starts at: as it was drawn, or else as the rules say."""
    if isinstance(step, Dealt) and step.first is not None:
        return step.first
    return state.book.game.first_seat(state.book, state.first) or 1


def apply_step(state: State, live: ActiveRound, step: Step) -> GameRound:
    """Return a table's round after a step; ``BrokenLog`` for one that the game does not allow."""
    book, play = state.book, live.play
    try:
        return book.game.apply(book, start_play(state, live) if play is None else play, step)
    except IllegalRound as error:
        raise BrokenLog(f"round {live.number}: {error}") from None
