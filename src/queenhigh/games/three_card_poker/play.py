"""A round, step by step: wagers, the deal, the moves; and the views of it."""

from collections.abc import Iterable

from msgspec.structs import replace

from queenhigh.cards import Hand
from queenhigh.errors import IllegalRound, Missing
from queenhigh.game import Chosen, Deal, Dealt, Move, Step, View
from queenhigh.games.three_card_poker.legal import check_cards, check_first, check_wagers
from queenhigh.games.three_card_poker.values import Round, Seat
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["apply", "chance", "complete", "deciding", "first_seat", "moves", "open", "view"]

#: A hand face down.
_DOWN = (None, None, None)


def open(
    book: PokerRulebook, wagers: Iterable[Seat], /, *, bank: int | None = None, first: int = 1
) -> Round:
    """Return a round with its wagers made and its fees fixed, before any card."""
    seats = tuple(replace(seat, cards=None, move=None) for seat in wagers)
    opened = Round(seats, bank, first)
    check_wagers(book, opened)
    return opened


def chance(book: PokerRulebook, round: Round, /) -> Deal | None:
    """Return the deal a round waits for."""
    if round.dealer is not None:
        return None
    drawn = book.bank is not None and book.bank.first == "drawn"
    return Deal(3 * (len(round.seats) + 1), tuple(range(1, book.seats + 1)) if drawn else ())


def moves(book: PokerRulebook, round: Round, seat: int, /) -> tuple[Move, ...]:
    """Return the moves a seat may choose now: a seat without an Ante has no decision (HO-2)."""
    for row in round.seats:
        if row.seat == seat and row.cards and row.ante and row.move is None:
            return ("play", "fold")
    return ()


def deciding(book: PokerRulebook, round: Round, /) -> list[int]:
    """Return the seats that have a move to make."""
    if round.dealer is None:
        return []
    return [seat.seat for seat in round.seats if seat.move is None and seat.ante]


def apply(book: PokerRulebook, round: Round, step: Step, /) -> Round:
    """Return the round after a deal or a seat's move."""
    if isinstance(step, Dealt):
        return _deal(book, round, step)
    if not isinstance(step, Chosen):
        raise IllegalRound("step.wheel", "there is no wheel in this game")
    seats, possible = list(round.seats), step.move in ("play", "fold")
    for index, seat in enumerate(seats):
        if seat.seat == step.seat and seat.cards and seat.ante and seat.move is None and possible:
            seats[index] = replace(seat, move=step.move)
            return replace(round, seats=tuple(seats))
    raise IllegalRound("move.illegal", f"seat {step.seat} cannot {step.move} now")


def _deal(book: PokerRulebook, round: Round, dealt: Dealt) -> Round:
    wanted = chance(book, round)
    if wanted is None or len(dealt.cards) != wanted.cards:
        raise IllegalRound("deal.cards", "this is not the deal the round is waiting for")
    if (dealt.first is not None) != bool(wanted.first_among):
        raise IllegalRound("deal.first", "the first seat is drawn only if the rulebook says so")
    hands: list[Hand] = [
        (dealt.cards[start], dealt.cards[start + 1], dealt.cards[start + 2])
        for start in range(0, wanted.cards, 3)
    ]
    seats = tuple(replace(seat, cards=hand) for seat, hand in zip(round.seats, hands, strict=False))
    first = round.first if dealt.first is None else dealt.first
    after = replace(round, seats=seats, dealer=hands[-1], first=first)
    check_cards(book, after)
    check_first(book, after)
    return after


def complete(book: PokerRulebook, round: Round, /) -> Round:
    """Return a finished round that was written down whole, every rule checked."""
    check_wagers(book, round)
    for seat in round.seats:
        if seat.move is None:
            if seat.ante:
                raise IllegalRound(
                    "move.missing",
                    f"seat {seat.seat} has an ante but no move",
                    missing=Missing("move", seat.seat),
                )
        elif not seat.ante:
            raise IllegalRound("move.needless", f"seat {seat.seat} has a move but no ante")
    check_cards(book, round)
    return round


def first_seat(book: PokerRulebook, previous: int | None = None, /) -> int | None:
    """Return the seat action starts at after ``previous``; ``None`` if it is drawn (CA-22)."""
    rule = book.bank.first if book.bank else "left"
    if rule == "drawn":
        return None
    return 1 if rule == "left" or previous is None else previous % book.seats + 1


def view(book: PokerRulebook, round: Round, seat: int | None = None, /) -> View:
    """Return the view of a seat; ``None`` is the view of the banker and everyone else.

    Before the showdown: the seat's own cards and the dealer's up cards. At it: the hands that
    decide a wager, and the dealer's if anyone played (CA-11, CA-12, HO-7).
    """
    over = round.is_over
    seats = [
        row if row.seat == seat or (over and _is_shown(book, row)) else replace(row, cards=None)
        for row in round.seats
    ]
    up = 3 if over and any(row.move == "play" for row in round.seats) else book.up
    dealer = (*round.dealer[:up], *_DOWN[up:]) if round.dealer else ()
    return View(seat, tuple(seats), dealer, round.bank, round.first)


def _is_shown(book: PokerRulebook, seat: Seat) -> bool:
    is_live = any(seat.stake_on(bet.name) for bet in book.side_bets if not bet.lost_on_fold)
    return seat.move != "fold" or is_live
