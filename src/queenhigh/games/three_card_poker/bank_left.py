"""The rest of the bank after each wager of a settled round."""

from collections.abc import Iterator

from queenhigh.game import SettledRound, SettledWager
from queenhigh.games.three_card_poker.settlement import turns
from queenhigh.games.three_card_poker.values import Round
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["as_matched", "bank_left_after"]


def bank_left_after(
    book: PokerRulebook, round: Round, settled: SettledRound
) -> dict[tuple[int, str], int]:
    """Return the rest of the bank after each wager, by seat and wager, as it is used (CA-20).

    By action each wager uses up what was matched; by net a win lowers the rest and a loss raises
    it. A forfeit that needs no bank leaves it as it was. It is empty where the house banks.
    """
    if book.bank is None or round.bank is None:
        return {}
    by_action, left = book.bank.coverage == "action", round.bank
    folded = {seat.seat for seat in round.seats if seat.move == "fold"}
    forfeited = {"ante", *(bet.name for bet in book.side_bets if bet.lost_on_fold)}
    takes_folds = book.bank.fold_uncovered == "lost"
    after = {}
    for seat, wager in as_matched(book, round, settled):
        if not (takes_folds and seat in folded and wager.wager in forfeited):
            left -= wager.action if by_action else wager.net
        after[seat, wager.wager] = left
    return after


def as_matched(
    book: PokerRulebook, round: Round, settled: SettledRound
) -> Iterator[tuple[int, SettledWager]]:
    """Yield the wagers in the order in which the bank matches them (CA-20, CA-22)."""
    seats = book.in_action_order(settled.seats, round.first)
    for turn, place in turns(book, [[wager.wager for wager in seat.wagers] for seat in seats]):
        yield seats[turn].seat, seats[turn].wagers[place]
