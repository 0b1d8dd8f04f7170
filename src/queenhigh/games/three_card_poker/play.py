"""A round, step by step: wagers, the deal, the moves; and who may see what of it."""

from collections.abc import Iterable

from msgspec.structs import replace

from queenhigh.cards import Hand
from queenhigh.errors import IllegalRound
from queenhigh.games.game import Move
from queenhigh.games.three_card_poker.legal import check_cards, check_first, check_wagers
from queenhigh.games.three_card_poker.values import Chosen, Deal, Dealt, Round, Seat, View
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["apply", "chance", "complete", "first_seat", "moves", "open", "view"]


def open(
    book: PokerRulebook, wagers: Iterable[Seat], /, *, bank: int | None = None, first: int = 1
) -> Round:
    """Return a round with its wagers made and its fees settled upon, before any card."""
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
    """Return what a seat may choose now: a seat without an Ante has no decision (HO-2)."""
    for one in round.seats:
        if one.seat == seat and one.cards and one.ante and one.move is None:
            return ("play", "fold")
    return ()


def apply(book: PokerRulebook, round: Round, step: Dealt | Chosen, /) -> Round:
    """Return the round after a deal or a seat's move."""
    if isinstance(step, Dealt):
        return _deal(book, round, step)
    seats, possible = list(round.seats), step.move in ("play", "fold")
    for at, one in enumerate(seats):
        if one.seat == step.seat and one.cards and one.ante and one.move is None and possible:
            seats[at] = replace(one, move=step.move)
            return replace(round, seats=tuple(seats))
    raise IllegalRound("move.illegal", f"seat {step.seat} cannot {step.move} now")


def _deal(book: PokerRulebook, round: Round, dealt: Dealt) -> Round:
    wanted = chance(book, round)
    if wanted is None or len(dealt.cards) != wanted.cards:
        raise IllegalRound("deal.cards", "this is not the deal that the round waits for")
    if (dealt.first is not None) != bool(wanted.first_among):
        raise IllegalRound("deal.first", "a seat is drawn exactly where the rulebook says so")
    hands: list[Hand] = [
        (dealt.cards[at], dealt.cards[at + 1], dealt.cards[at + 2])
        for at in range(0, wanted.cards, 3)
    ]
    seats = tuple(replace(one, cards=hand) for one, hand in zip(round.seats, hands, strict=False))
    first = round.first if dealt.first is None else dealt.first
    after = replace(round, seats=seats, dealer=hands[-1], first=first)
    check_cards(after)
    check_first(book, after)
    return after


def complete(book: PokerRulebook, round: Round, /) -> Round:
    """Return a finished round that was written down whole, every rule checked."""
    check_wagers(book, round)
    for one in round.seats:
        if one.move is None:
            if one.ante:
                raise IllegalRound("move.missing", f"seat {one.seat} has an ante and no move")
        elif not one.ante:
            raise IllegalRound("move.needless", f"seat {one.seat} has no ante and so no move")
    check_cards(round)
    return round


def first_seat(book: PokerRulebook, previous: int | None = None) -> int | None:
    """Return the seat action starts at after ``previous``; ``None`` if it is drawn (CA-22)."""
    way = book.bank.first if book.bank else "left"
    if way == "drawn":
        return None
    return 1 if way == "left" or previous is None else previous % book.seats + 1


def view(book: PokerRulebook, round: Round, seat: int | None = None, /) -> View:
    """Return what a seat may see; ``None`` is what the banker and everyone else may.

    Before the showdown: one's own cards and the dealer's up cards. At it: the hands that decide a
    wager, and the dealer's if anyone played (CA-11, CA-12, HO-7).
    """
    over = round.is_over
    seats = tuple(
        one if one.seat == seat or (over and _is_shown(book, one)) else replace(one, cards=None)
        for one in round.seats
    )
    up = 3 if over and any(one.move == "play" for one in round.seats) else book.up
    dealer = (
        tuple(card if at < up else None for at, card in enumerate(round.dealer))
        if round.dealer
        else ()
    )
    return View(seat, seats, dealer, round.bank, round.first)


def _is_shown(book: PokerRulebook, one: Seat) -> bool:
    kept = any(one.stake_on(bet.name) for bet in book.side_bets if not bet.lost_on_fold)
    return one.move != "fold" or kept
