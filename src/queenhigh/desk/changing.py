"""What an entry makes of a hand; something that is there already is changed only on request."""

from msgspec.structs import replace

from queenhigh.cards import format_cards
from queenhigh.desk import requests
from queenhigh.desk.entry import SPOTS, EnteredSeat, Entry
from queenhigh.errors import InvalidRound, Missing
from queenhigh.game import Move
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.text import words

__all__ = ["AlreadyEntered", "changed"]


class AlreadyEntered(InvalidRound):
    """An entry of something that is there; ``instead`` is the hand with the new entry."""

    def __init__(self, message: str, instead: Entry | None = None) -> None:
        super().__init__("entry.there", message)
        self.instead = instead


def changed(
    book: PokerRulebook, entry: Entry, request: requests.Request, lack: Missing | None
) -> Entry:
    """Return a hand with an entry, not yet checked; ``lack`` is what comes next."""
    match request:
        case requests.Bank(cents):
            entry = _with_bank(entry, cents)
        case requests.First(number):
            entry = replace(entry, first=number)
        case requests.Amount(cents):
            entry = _with_amount(book, entry, cents, lack)
        case requests.Cards(cards, owner):
            entry = _with_cards(entry, cards, _owner(lack) if owner is None else owner)
        case requests.Seat():
            entry = _with_pieces(book, entry, request, lack)
        case requests.Moves(move, seats):
            entry = _with_moves(book, entry, move, seats)
        case requests.WentWrong(wrong):
            entry = replace(entry, wrong=(*entry.wrong, wrong))
        case requests.Remove():
            entry = _without(entry, request)
    return entry


def _with_bank(entry: Entry, cents: int) -> Entry:
    after = replace(entry, bank=cents)
    if entry.bank in (None, cents):
        return after
    sentence = f"the bank is {dollars(entry.bank or 0)} already"
    raise AlreadyEntered(sentence, after)


def _with_amount(book: PokerRulebook, entry: Entry, cents: int, lack: Missing | None) -> Entry:
    """Return a hand with an amount for what comes next, or with a seat of that number."""
    if lack and lack.field == "bank":
        return _with_bank(entry, cents)
    if lack and lack.field == "bets":
        return _with_pieces(book, entry, requests.Seat(lack.seat, amounts=(cents,)), lack)
    if cents % 100:
        bank = "" if book.bank is None else "bank, or "
        sentence = f"say what {dollars(cents)} is: {bank}the seat before its bets"
        raise InvalidRound("entry.unclear", sentence)
    return entry.with_seat(entry.seat(cents // 100))


def _owner(lack: Missing | None) -> int:
    """Return whose cards come next; 0 is the dealer."""
    if lack is None or lack.field not in ("cards", "move"):
        sentence = "say whose cards these are: write dealer, or the seat, before them"
        raise InvalidRound("entry.unclear", sentence)
    return lack.seat or 0


def _with_cards(entry: Entry, cards: tuple[int, ...], seat: int) -> Entry:
    """Return a hand with cards added to those of the dealer (0) or of a seat."""
    before = entry.seat(seat).cards if seat else entry.dealer
    if not before or len(cards) < 3:
        return _with_hand(entry, (*before, *cards), seat)
    if before == cards:
        return entry
    owner = f"seat {seat}" if seat else "the dealer"
    sentence = f"{owner} has {format_cards(before)} already"
    raise AlreadyEntered(sentence, _with_hand(entry, cards, seat))


def _with_hand(entry: Entry, cards: tuple[int, ...], seat: int) -> Entry:
    if not seat:
        return replace(entry, dealer=cards)
    return entry.with_seat(replace(entry.seat(seat), cards=cards))


# Seats


def _with_pieces(
    book: PokerRulebook, entry: Entry, given: requests.Seat, lack: Missing | None
) -> Entry:
    """Return a hand with the bets, the move and the cards of a seat.

    If some of it is there already, all of it is offered instead.
    """
    number = given.seat
    if number is None and lack:
        number = lack.seat
    if number is None:
        sentence = "say which seat this is: write its number first"
        raise InvalidRound("entry.unclear", sentence)
    seat, there = entry.seat(number), ""
    stakes = _stakes(book, seat, given)
    for spot in stakes:
        if spot in seat.stakes:
            amount = dollars(seat.stakes[spot])
            there = there or f"seat {number} is entered already: its {words(spot)} is {amount}"
    if given.move and seat.move and given.move != seat.move:
        there = there or f"seat {number} {seat.move}s already"
    after = replace(seat, stakes={**seat.stakes, **stakes}, move=given.move or seat.move)
    after_entry = entry.with_seat(after)
    try:
        if given.cards:
            after_entry = _with_cards(after_entry, given.cards, number)
    except AlreadyEntered as error:
        there, after_entry = there or str(error), error.instead or after_entry
    if there:
        is_same = after_entry == entry
        raise AlreadyEntered(there, None if is_same else after_entry)
    return after_entry


def _with_moves(book: PokerRulebook, entry: Entry, move: Move, seats: tuple[int, ...]) -> Entry:
    """Return a hand with the same move of some seats; if one moved already, all are offered."""
    there = ""
    for seat in seats:
        try:
            entry = _with_pieces(book, entry, requests.Seat(seat, move=move), None)
        except AlreadyEntered as error:
            there, entry = there or str(error), error.instead or entry
    if there:
        raise AlreadyEntered(there, entry)
    return entry


def _stakes(book: PokerRulebook, seat: EnteredSeat, given: requests.Seat) -> dict[str, int]:
    """Return the bets of an entry by their names; amounts alone go to the spots in order.

    An amount of 0 stands for no bet.
    """
    stakes = dict(given.stakes)
    spots = [spot for spot in SPOTS if spot in book.limits and spot not in stakes]
    if len(given.amounts) > len(spots):
        raise InvalidRound("entry.amounts", "there are more amounts than bets: name each bet")
    stakes |= dict(zip(spots, given.amounts, strict=False))
    if given.play is not None:
        ante = stakes.get("ante", seat.stakes.get("ante"))
        if ante is None:
            stakes["ante"] = given.play
        elif ante != given.play:
            sentence = f"Play is exactly as much as the Ante, {dollars(ante)}"
            raise InvalidRound("entry.play", sentence)
    return {spot: cents for spot, cents in stakes.items() if cents}


# Taking away


def _without(entry: Entry, given: requests.Remove) -> Entry:
    if given.seat is not None:
        return _without_part(entry, given.seat, given.what)
    match given.what:
        case "dealer":
            return replace(entry, dealer=())
        case "bank":
            return replace(entry, bank=None)
        case "start":
            return replace(entry, first=None)
        case "wrong":
            return replace(entry, wrong=())
    return Entry()


def _without_part(entry: Entry, number: int, what: str | None) -> Entry:
    """Return a hand without a part of a seat, or without the seat and what went wrong there."""
    if all(seat.seat != number for seat in entry.seats):
        raise InvalidRound("entry.seat", f"seat {number} is not in this hand")
    seat = entry.seat(number)
    if what is None:
        rest = tuple([each for each in entry.seats if each.seat != number])
        wrong = tuple([each for each in entry.wrong if each.seat != number])
        return replace(entry, seats=rest, wrong=wrong)
    if what == "cards":
        return entry.with_seat(replace(seat, cards=()))
    if what == "move":
        return entry.with_seat(replace(seat, move=None))
    stakes = {spot: cents for spot, cents in seat.stakes.items() if spot != what}
    wrong = tuple([each for each in entry.wrong if (each.seat, each.wager) != (number, what)])
    after = replace(seat, stakes=stakes, move=seat.move if "ante" in stakes else None)
    return replace(entry, wrong=wrong).with_seat(after)
