"""A settled round, settled again with other facts by the same game, and the difference."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from queenhigh.errors import IllegalRound
from queenhigh.game import Bet, GameRound, SettledRound, SettledSpin
from queenhigh.rulebook.book import Rulebook
from queenhigh.table import events
from queenhigh.table.correction_events import Facts
from queenhigh.table.posted import read_document
from queenhigh.table.settled_rows import SettledPlace, SettledPlayer, by_player, by_seat
from queenhigh.table.state import CorrectedRound, PastRound, State, drawn, seats_of

__all__ = ["Difference", "Resettled", "as_moved", "book_of", "settle_again"]


class Difference(NamedTuple):
    """What a place should still get from the bank or the fees; below zero: what it should pay."""

    place: int
    against: Literal["bank", "fees"]
    cents: int


@dataclass(frozen=True)
class Resettled:
    """A round settled again: gains and fees by place, the banker's included.

    ``order`` are the places of the round in action order, without the banker.
    """

    facts: Facts
    order: tuple[int, ...]
    nets: dict[int, int]
    fees: dict[int, int]
    net: int = 0
    is_void: bool = False
    places: tuple[SettledPlace, ...] = ()
    spins: tuple[SettledPlayer, ...] = ()

    def differences(self, moved: CorrectedRound) -> list[Difference]:
        """Return what has still to move, in the order in which it does.

        First fees that come back, by place, since they may pay for the rest; then what places pay
        the bank and what the bank pays, in action order; then fees that are charged.
        """
        gains = {place: self.nets.get(place, 0) - moved.nets.get(place, 0) for place in self.order}
        bank = [Difference(place, "bank", gains[place]) for place in self.order]
        charged = {*self.fees, *moved.fees}
        fees = [
            Difference(place, "fees", moved.fees.get(place, 0) - self.fees.get(place, 0))
            for place in sorted(charged)
        ]
        return [
            *[row for row in fees if row.cents > 0],
            *[row for row in bank if row.cents < 0],
            *[row for row in bank if row.cents > 0],
            *[row for row in fees if row.cents < 0],
        ]


def as_moved(state: State, past: PastRound) -> CorrectedRound:
    """Return what a round has come to by place: as it was settled, and corrected since."""
    live, end = past.live, past.end
    nets: dict[int, int] = {}
    if not isinstance(end, events.RoundVoided):
        nets = {row.place: row.net for row in end.places}
    if live.banker is not None:
        nets[live.banker] = end.net if not isinstance(end, events.RoundVoided) else 0
    fees = {
        place: live.fees.get(place, 0) + live.paid.get(place, 0)
        for place in sorted({*live.fees, *live.paid})
    }
    since = state.corrections.rounds.get(live.number, CorrectedRound())
    return CorrectedRound(_sum(nets, since.nets), _sum(fees, since.fees))


def _sum(cents: dict[int, int], more: dict[int, int]) -> dict[int, int]:
    return {place: cents.get(place, 0) + more.get(place, 0) for place in sorted({*cents, *more})}


def book_of(state: State, past: PastRound) -> Rulebook:
    """Return the rulebook that a round was played by."""
    return read_document(past.rulebook, state.book.game) if past.rulebook else state.book


def settle_again(state: State, past: PastRound, facts: Facts) -> Resettled:
    """Return a round settled again with other facts; ``IllegalRound`` if it cannot have been so."""
    book, live = book_of(state, past), past.live
    seats = seats_of(state, live)
    for place in {*facts.moves, *facts.wagers}:
        if place not in seats:
            sentence = f"place {place} had no hand in round {live.number}"
            raise IllegalRound("facts.place", sentence)
    _check_facts(facts)
    wagers = {place: book.game.spell(book, bets) for place, bets in facts.wagers.items()}
    facts = Facts(facts.moves, wagers, facts.void)
    play = None if facts.void else _amended(book, drawn(live), facts, seats)
    if play is None:
        return Resettled(facts, _in_action_order(book, past, seats), {}, {}, is_void=True)
    settled = book.game.settle(book, play)
    order = _in_action_order(book, past, seats)
    if isinstance(settled, SettledSpin):
        if any(bet.held for bet in settled.wagers):
            raise IllegalRound("facts.prison", "a bet would be in prison: that cannot be corrected")
        spins = by_player([place for place in seats if wagers.get(place, True)], settled)
        nets = {row.place: row.net for row in spins}
        return Resettled(facts, order, nets, {}, settled.banker, spins=spins)
    places = by_seat(seats, settled)
    nets, fees = _by_place(book, past, wagers, settled, places)
    return Resettled(facts, order, nets, fees, settled.banker, places=places)


def _check_facts(facts: Facts) -> None:
    """Refuse facts that say more than is wrong: each correction has one form."""
    if facts.void and (facts.moves or facts.wagers):
        raise IllegalRound("facts.void", "a round that is void has no other facts: leave them out")
    if any(bet.in_prison for bets in facts.wagers.values() for bet in bets):
        raise IllegalRound("facts.prison", "a bet of a correction cannot be in prison")


def _amended(
    book: Rulebook, play: GameRound, facts: Facts, seats: dict[int, int]
) -> GameRound | None:
    bets = {seats[place]: made for place, made in facts.wagers.items()}
    moves = {seats[place]: move for place, move in facts.moves.items()}
    return book.game.amended(book, play, bets, moves)


def _in_action_order(book: Rulebook, past: PastRound, seats: dict[int, int]) -> tuple[int, ...]:
    """Return the places of a round in action order; where seats do not act in turn, by place."""
    first = book.game.view(book, drawn(past.live)).first
    return tuple(sorted(seats, key=lambda place: (seats[place] < first, seats[place])))


def _by_place(
    book: Rulebook,
    past: PastRound,
    wagers: dict[int, tuple[Bet, ...]],
    settled: SettledRound,
    places: tuple[SettledPlace, ...],
) -> tuple[dict[int, int], dict[int, int]]:
    """Return gains and fees by place, the banker's included."""
    nets = {row.place: row.net for row in places}
    fees = {
        row.place: seat.fee for row, seat in zip(places, settled.seats, strict=True) if seat.fee
    }
    live = past.live
    if live.banker is not None:
        nets[live.banker] = settled.banker
        put_down = {**live.wagers, **live.voided, **{p: bets for p, bets in wagers.items() if bets}}
        if fee := book.game.banker_fee(book, put_down):
            fees[live.banker] = fee
    return nets, fees
