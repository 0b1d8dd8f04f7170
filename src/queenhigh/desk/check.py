"""What the settlement says of a hand that is not whole: what it lacks, and what is impossible.

There is one set of checks, that of the settle format. What is missing is filled up with something
that is possible, so that the checks reach everything that is entered.
"""

from typing import NamedTuple

from msgspec.structs import replace

from queenhigh.cards import DECK
from queenhigh.desk.entry import EnteredSeat, Entry, line_of
from queenhigh.errors import IllegalRound, InvalidRound, Missing
from queenhigh.game import GameRound
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.settle_format import read

__all__ = ["Checked", "check", "least_bet"]


class Checked(NamedTuple):
    """A possible hand: the round, filled up with what is ``missing``."""

    round: GameRound
    missing: tuple[Missing, ...]


def check(book: PokerRulebook, entry: Entry) -> Checked:
    """Return a hand as a round, and all that it lacks; raise what is impossible about it."""
    missing: list[Missing] = []
    filled = entry
    while True:
        try:
            _, round = read(book, line_of(filled))
        except (IllegalRound, InvalidRound) as error:
            lack = error.missing
            if lack is None or lack in missing:
                raise
            missing.append(lack)
            filled = _fill(book, filled, lack)
        else:
            return Checked(round, _entered_next(tuple(missing)))


def _entered_next(missing: tuple[Missing, ...]) -> tuple[Missing, ...]:
    """Return what is missing, without what only follows from what was filled up."""
    if any(lack.field == "seats" for lack in missing):
        return tuple([lack for lack in missing if lack.field in ("bank", "seats")])
    without_bets = {lack.seat for lack in missing if lack.field == "bets"}
    return tuple(
        [lack for lack in missing if lack.field == "bets" or lack.seat not in without_bets]
    )


def _fill(book: PokerRulebook, entry: Entry, lack: Missing) -> Entry:
    """Return a hand with the least that is possible where something is missing."""
    if lack.field == "bank":
        return replace(entry, bank=1)
    if lack.field == "seats":
        return entry.with_seat(EnteredSeat(1))
    if lack.seat is None:
        return replace(entry, dealer=_three(entry, entry.dealer))
    seat = entry.seat(lack.seat)
    if lack.field == "move":
        return entry.with_seat(replace(seat, move="fold"))
    if lack.field == "bets":
        return entry.with_seat(
            replace(seat, stakes={**seat.stakes, "ante": least_bet(book, "ante")})
        )
    return entry.with_seat(replace(seat, cards=_three(entry, seat.cards)))


def _three(entry: Entry, cards: tuple[int, ...]) -> tuple[int, ...]:
    """Return a hand filled up to three with cards that are nowhere else."""
    dealt = {*entry.dealer, *(card for seat in entry.seats for card in seat.cards)}
    left = [card for card in DECK if card not in dealt]
    return (*cards, *left[: 3 - len(cards)])


def least_bet(book: PokerRulebook, wager: str) -> int:
    """Return the smallest stake of a bet that is legal."""
    ranges = book.betting.of(wager).ranges
    least = ranges[0].min if ranges else book.limits[wager].min
    return least + -least % book.increment
