"""Settlement of entered hands with irregularities: what is void comes back, the rest is settled."""

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from queenhigh.games.three_card_poker import settlement
from queenhigh.games.three_card_poker.irregular import EnteredRound, Irregularity
from queenhigh.games.three_card_poker.values import (
    Seat,
    SettledRound,
    SettledSeat,
    SettledWager,
)
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["Returned", "SettledEntered", "as_played", "settle"]


class Returned(Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """Cents that come back by a clause: of a wager, or a fee; the banker's fee has no seat."""

    seat: int | None = None
    wager: str
    cents: int
    clause: str


class SettledEntered(SettledRound, frozen=True, omit_defaults=True, gc=False):
    """A settled round with its irregularities, and all that came back by them."""

    irregularities: tuple[Irregularity, ...] = ()
    returned: tuple[Returned, ...] = ()


def settle(book: PokerRulebook, round: EnteredRound, /) -> SettledEntered:
    """Return every amount that a round with irregularities moves, with its clause."""
    played = round.played
    inner = settlement.settle(book, played) if played else None
    settled = {row.seat: row for row in inner.seats} if inner else {}
    rows = [settled.get(seat.seat) or _void_seat(book, round, seat) for seat in round.seats]
    banker_fee = _banker_fee(book, round)
    return SettledEntered(
        tuple(rows),
        inner.banker if inner else 0,
        (banker_fee if inner else 0) if book.fees else None,
        inner.bank_left if inner else round.bank,
        round.irregularities,
        tuple(_returned(book, round, 0 if inner else banker_fee)),
    )


def _void_seat(book: PokerRulebook, round: EnteredRound, seat: Seat) -> SettledSeat:
    """Return a hand that is void: every wager comes back, and its fee."""
    clause = round.void[seat.seat]
    wagers = [SettledWager(name, cents, 0, 0, clause) for name, cents in _put_down(seat)]
    return SettledSeat(seat.seat, tuple(wagers), 0, 0 if book.fees else None)


def _put_down(seat: Seat) -> Iterator[tuple[str, int]]:
    """Yield what a seat had put down, Play with it."""
    for name, cents in seat.stakes:
        if cents:
            yield name, cents
            if name == "ante" and seat.move == "play":
                yield "play", cents


def _returned(book: PokerRulebook, round: EnteredRound, banker_fee: int) -> Iterator[Returned]:
    """Yield all that comes back, seat by seat, and at the end the banker's fee."""
    played = {seat.seat: seat for seat in round.played.seats} if round.played else {}
    for seat in round.seats:
        if seat.seat in played:
            yield from _excess(seat, played[seat.seat])
            continue
        clause = round.void[seat.seat]
        for name, cents in _put_down(seat):
            yield Returned(seat=seat.seat, wager=name, cents=cents, clause=clause)
        if book.fees and _collected(book, fee := settlement.fee(book, seat) or 0):
            yield Returned(seat=seat.seat, wager="fee", cents=fee, clause=book.fees.clause)
    if book.fees and _collected(book, banker_fee):
        yield Returned(wager="banker_fee", cents=banker_fee, clause=book.fees.clause)


def _excess(put_down: Seat, seat: Seat) -> Iterator[Returned]:
    """Yield what was put down beyond the wagers as they stand (IR-6)."""
    standing = dict(_put_down(seat))
    for name, cents in _put_down(put_down):
        if rest := cents - standing.get(name, 0):
            yield Returned(seat=seat.seat, wager=name, cents=rest, clause="IR-6")


def _collected(book: PokerRulebook, fee: int) -> bool:
    """Return whether a fee was collected before the round was void, so that it comes back."""
    return fee > 0 and book.fees is not None and book.fees.collect == "before"


def _banker_fee(book: PokerRulebook, round: EnteredRound) -> int:
    """Return the banker's fee by the largest Ante that was put down and is legal."""
    antes = [seat.ante for seat in (*round.seats, *(round.played.seats if round.played else ()))]
    legal = [ante for ante in antes if ante and book.betting.of("ante").find(ante)]
    return book.fees.banker_fee(max(legal)) if book.fees and legal else 0


def as_played(round: EnteredRound, settled: SettledRound) -> SettledRound:
    """Return the part of a settlement that is of the seats that played."""
    seats = {seat.seat for seat in round.played.seats} if round.played else set()
    rows = tuple([row for row in settled.seats if row.seat in seats])
    return replace(settled, seats=rows)
