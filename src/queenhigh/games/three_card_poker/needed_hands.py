"""The hands that a settlement depends on; the cards of all others may stay unknown."""

from queenhigh.games.three_card_poker.values import Round, Seat
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["compared_seat", "needs_cards"]


def compared_seat(round: Round) -> int | None:
    """Return the first seat that plays against the dealer; ``None`` if no seat does.

    Without one nothing depends on the dealer's hand: a fold loses the Ante whatever it is, and side
    bets and the Ante bonus are settled on the player's hand alone.
    """
    for seat in round.seats:
        if seat.move == "play":
            return seat.seat
    return None


def needs_cards(book: PokerRulebook, seat: Seat) -> bool:
    """Return whether a wager of a seat depends on its cards; a fold may forfeit all of them."""
    if seat.move != "fold":
        return True
    if book.ante_bonus and book.ante_bonus.paid_on_fold:
        return True
    return any(seat.stake_on(bet.name) for bet in book.side_bets if not bet.lost_on_fold)
