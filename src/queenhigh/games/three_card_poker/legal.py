"""Checks of a round of Three Card Poker, each by its clause."""

from collections.abc import Iterator, Sequence

from queenhigh.cards import DECK, Hand, format_cards
from queenhigh.errors import IllegalRound, InvalidRound, Missing
from queenhigh.game import Bet
from queenhigh.games.three_card_poker.needed_hands import compared_seat, needs_cards
from queenhigh.games.three_card_poker.values import Round, Seat, seat_of_stakes
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.text import words

__all__ = [
    "check_bets",
    "check_cards",
    "check_first",
    "check_seats",
    "check_stakes",
    "check_wagers",
    "spell",
    "three_cards",
]


def check_wagers(book: PokerRulebook, round: Round) -> None:
    """Refuse a bank, a seat or a stake that the rulebook does not allow."""
    for seat in check_seats(book, round):
        check_stakes(book, seat)


def check_seats(book: PokerRulebook, round: Round) -> Iterator[Seat]:
    """Refuse a bank or a seat that the rulebook does not allow; yield each seat that it does."""
    if not round.seats:
        raise IllegalRound(
            "seats.empty", "a round needs a seat with a bet", missing=Missing("seats")
        )
    _check_bank(book, round)
    taken = set()
    for seat in round.seats:
        if not 1 <= seat.seat <= book.seats:
            raise IllegalRound(
                "seat.range", f"there is no seat {seat.seat}: seats are 1 to {book.seats}"
            )
        if seat.seat in taken:
            raise IllegalRound("seat.twice", f"seat {seat.seat} appears twice")
        taken.add(seat.seat)
        yield seat


def _check_bank(book: PokerRulebook, round: Round) -> None:
    if book.bank is None:
        if round.bank is not None or round.first != 1:
            raise IllegalRound("bank.needless", "the house banks: remove bank and first")
        return
    if round.bank is None:
        raise IllegalRound(
            "bank.missing",
            "the bank is missing",
            clause=book.bank.clause,
            missing=Missing("bank"),
        )
    if round.bank < 1:
        raise IllegalRound("bank.range", "the bank is less than one cent", clause=book.bank.clause)
    check_first(book, round)


def check_first(book: PokerRulebook, round: Round) -> None:
    """Refuse a start of action at a seat that the table does not have."""
    if not 1 <= round.first <= book.seats:
        raise IllegalRound(
            "first.range", f"action cannot start at seat {round.first}: seats are 1 to {book.seats}"
        )


def spell(book: PokerRulebook, bets: Sequence[Bet], /) -> tuple[Bet, ...]:
    """Return bets as they are: a wager has one name."""
    return tuple(bets)


def check_bets(book: PokerRulebook, seat: int, bets: Sequence[Bet], /) -> None:
    """Refuse a player's bets: on no spot, twice on one spot, or not allowed by the rulebook."""
    stakes: dict[str, int] = {}
    for bet in bets:
        if bet.spot in stakes:
            raise IllegalRound(
                "wager.twice", "you already have a bet here: clear your bets to change it"
            )
        if bet.spot not in book.limits:
            raise IllegalRound("wager.unknown", f"there is no {bet.spot[:20]} bet in this game")
        if bet.cents < 1:
            raise IllegalRound("wager.limits", "a bet is at least one cent")
        stakes[bet.spot] = bet.cents
    check_stakes(book, seat_of_stakes(seat, stakes), to_player=True)


def check_stakes(book: PokerRulebook, seat: Seat, *, to_player: bool = False) -> None:
    """Refuse wagers of a seat that the rulebook does not allow.

    A player at a table does not know the number of their seat in the round: ``to_player`` words a
    refusal as spoken to them.
    """
    number = None if to_player else seat.seat
    if seat.ante:
        _check_stake(book, number, "ante", seat.ante)
    elif book.ante_required:
        lacks = "you have no Ante: place one" if number is None else f"seat {number} has no ante"
        missing = Missing("bets", seat.seat)
        raise IllegalRound("ante.missing", lacks, clause=book.ante_clause, missing=missing)
    elif not (seat.bonus or seat.pair_plus):
        lacks = "you have no bet: place one" if number is None else f"seat {number} has no bet"
        raise IllegalRound("wager.missing", lacks, missing=Missing("bets", seat.seat))
    if seat.bonus:
        _check_stake(book, number, "bonus", seat.bonus)
    if seat.pair_plus:
        _check_stake(book, number, "pair_plus", seat.pair_plus)
    if not book.betting.fits(seat.stakes):
        _refuse_total(book, number, sum(stake for _, stake in seat.stakes))


def _refuse_total(book: PokerRulebook, seat: int | None, total: int) -> None:
    """Refuse wagers that are too much together (HO-1)."""
    _, most, clause = book.limits["ante"]
    whose = "your bets" if seat is None else f"the bets of seat {seat}"
    raise IllegalRound(
        "wager.limits",
        f"{whose} total {dollars(total)}, above the limit of {dollars(most)}",
        clause=clause,
    )


def _check_stake(book: PokerRulebook, seat: int | None, wager: str, stake: int) -> None:
    if wager not in book.limits:
        raise IllegalRound("wager.unknown", f"there is no {wager} bet in this game")
    least, most, clause = book.limits[wager]
    if not least <= stake <= most:
        raise IllegalRound(
            "wager.limits",
            f"{_wager_of(seat, wager, stake)} is outside the limits"
            f" {dollars(least)} to {dollars(most)}",
            clause=clause,
        )
    if stake % book.increment:
        raise IllegalRound(
            "wager.increment",
            f"{_wager_of(seat, wager, stake)} is not a multiple of {dollars(book.increment)}",
            clause=book.increment_clause,
        )
    terms = book.betting
    if wager in terms.gaps and book.fees and terms.of(wager).find(stake) is None:
        raise IllegalRound(
            "wager.rate",
            f"{_wager_of(seat, wager, stake)} is outside every collection range",
            clause=book.fees.clause,
        )


def _wager_of(seat: int | None, wager: str, stake: int) -> str:
    """Return how a refusal names a wager: a seat's, or that of the player it speaks to."""
    if seat is None:
        return f"your {words(wager)} of {dollars(stake)}"
    return f"the {wager} of seat {seat}, {dollars(stake)},"


def check_cards(book: PokerRulebook, round: Round) -> None:
    """Refuse a round that lacks a hand it is settled on, or has a card twice."""
    cards = list(round.dealer or ())
    for seat in round.seats:
        if seat.cards:
            cards += seat.cards
    if len(cards) != 3 * (len(round.seats) + 1):
        _check_missing_hands(book, round)
    if not cards:
        return
    if len(set(cards)) != len(cards):
        twice = next(card for index, card in enumerate(cards) if card in cards[:index])
        raise IllegalRound("cards.twice", f"{format_cards((twice,))} is dealt twice")
    if min(cards) < DECK[0] or max(cards) > DECK[-1]:
        raise IllegalRound("cards.unknown", "a card is not in the 52-card deck")


def _check_missing_hands(book: PokerRulebook, round: Round) -> None:
    """Refuse a round without a hand that a wager depends on."""
    compared = compared_seat(round)
    if round.dealer is None and compared is not None:
        raise IllegalRound(
            "cards.count",
            f"the dealer's hand is missing, but seat {compared} plays against it:"
            " add its three cards as dealer",
            missing=Missing("cards"),
        )
    for seat in round.seats:
        if seat.cards is None and needs_cards(book, seat):
            raise IllegalRound(
                "cards.count",
                f"the hand of seat {seat.seat} is missing, but a bet depends on it:"
                " add its three cards as cards",
                missing=Missing("cards", seat.seat),
            )


def three_cards(cards: tuple[int, ...], seat: int) -> Hand:
    """Return the three cards of a hand; refuse any other number. Seat 0 is the dealer."""
    if len(cards) != 3:
        owner = f"seat {seat}" if seat else "the dealer"
        number = f"{len(cards)} card" + ("" if len(cards) == 1 else "s")
        raise InvalidRound(
            "cards.count",
            f"{owner} has {number} instead of three",
            missing=Missing("cards", seat or None) if len(cards) < 3 else None,
        )
    return cards[0], cards[1], cards[2]
