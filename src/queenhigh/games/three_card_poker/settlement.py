"""Settlement: first the amount due to each wager, then as much of it as the bank matches."""

from collections.abc import Sequence

from queenhigh.errors import IllegalRound
from queenhigh.games.three_card_poker.needed_hands import compared_seat, needs_cards
from queenhigh.games.three_card_poker.values import (
    Round,
    Seat,
    SettledRound,
    SettledSeat,
    SettledWager,
)
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["dues", "fee", "settle", "turns"]


def settle(book: PokerRulebook, round: Round, /) -> SettledRound:
    """Return every amount a finished round moves, with its clause."""
    dealer = _dealer_strength(book, round)
    seats = round.seats
    level = book.level_case(dealer)
    order = book.in_action_order(seats, round.first)
    dues = [_dues(book, seat, dealer, level) for seat in order]
    if book.bank is None or book.bank.settle_order == "seat":
        rows, left = _match_by_seat(book, dues, round.bank)
    else:
        rows, left = _match_by_turn(book, dues, round.bank)
    settled, banker = {}, 0
    for seat, (wagers, net) in zip(order, rows, strict=True):
        settled[seat.seat] = SettledSeat(seat.seat, tuple(wagers), net, fee(book, seat))
        banker -= net
    results = tuple([settled[seat.seat] for seat in seats])
    if round.bank is None:
        return SettledRound(results, banker)
    return SettledRound(results, banker, _banker_fee(book, seats), left)


def _dealer_strength(book: PokerRulebook, round: Round) -> int:
    """Return the strength of the dealer's hand; 0 stands for one that nothing depends on."""
    if round.dealer is not None:
        return book.ranking.strength(round.dealer)
    if compared_seat(round) is not None:
        raise IllegalRound("round.unfinished", "the cards are not dealt")
    return 0


#: A wager's name, its stake, its gain, the clause, and whether a fold forfeits it.
_Due = tuple[str, int, int, str, bool]


def _dues(book: PokerRulebook, seat: Seat, dealer: int, level: int) -> list[_Due]:
    cards = seat.cards
    if (seat.ante and seat.move is None) or (cards is None and needs_cards(book, seat)):
        raise IllegalRound("round.unfinished", f"seat {seat.seat} has not finished its hand")
    strength = book.ranking.strength(cards) if cards is not None else 0
    return dues(book, seat, strength, level + (strength > dealer) - (strength < dealer))


def dues(book: PokerRulebook, seat: Seat, strength: int, case: int) -> list[_Due]:
    """Return the dues of each wager of a seat of a strength in one of the six cases.

    A due has the wager's name, its stake, its gain, the clause, and whether a fold forfeits it.
    """
    ante, move = seat.ante, seat.move
    dues: list[_Due] = []
    if move == "play":
        ante_wins, play_wins, clause = book.cells[case]
        dues.append(("ante", ante, ante * ante_wins, clause, False))
        dues.append(("play", ante, ante * play_wins, clause, False))
    elif move == "fold":
        dues.append(("ante", ante, -ante, book.fold_clause, True))
    bonus = book.ante_bonus
    if bonus and ante and (move == "play" or bonus.paid_on_fold):
        pays = book.ante_bonus_pays[strength]
        if pays:
            dues.append(("ante_bonus", 0, pays.on(ante), bonus.clause, False))
    for bet, table in zip(book.side_bets, book.side_pays, strict=True):
        stake = seat.stake_on(bet.name)
        if not stake:
            continue
        if bet.lost_on_fold and move == "fold":
            dues.append((bet.name, stake, -stake, bet.fold_clause, True))
        else:
            pays = table[strength]
            gain = pays.on(stake) if pays else -stake
            dues.append((bet.name, stake, gain, bet.clause, False))
    return dues


def turns(book: PokerRulebook, wagers: Sequence[Sequence[str]]) -> list[tuple[int, int]]:
    """Return the order in which the bank meets wagers, from their names in action order (CA-20).

    A turn is the place of a seat in the order of action and the place of its wager in the seat.
    """
    listed = [(turn, place) for turn, names in enumerate(wagers) for place in range(len(names))]
    order = book.bank.settle_order if book.bank else "seat"
    if order == "wager":
        listed.sort(key=lambda turn: _PLACES.get(wagers[turn[0]][turn[1]], len(_PLACES)))
    elif order == "bonus_first":
        listed.sort(key=lambda turn: (turn[0], wagers[turn[0]][turn[1]] in _PLACES))
    return listed


#: The order of wagers that are no side bets; a side bet comes after them.
_PLACES = {"ante": 0, "play": 1, "ante_bonus": 2}


#: The settled wagers of a seat, and what they come to.
_Rows = tuple[list[SettledWager], int]


def _match_by_seat(
    book: PokerRulebook, dues: list[list[_Due]], bank: int | None
) -> tuple[list[_Rows], int]:
    """Match dues seat by seat, in action order."""
    rows, left = [], bank or 0
    for seat in dues:
        wagers, net, left = _match(book, seat, bank, left)
        rows.append((wagers, net))
    return rows, left


def _match_by_turn(
    book: PokerRulebook, dues: list[list[_Due]], bank: int | None
) -> tuple[list[_Rows], int]:
    """Match dues in another order; the rows keep the order of the dues."""
    order = turns(book, [[due[0] for due in seat] for seat in dues])
    in_turn = [dues[turn][place] for turn, place in order]
    matched, _, left = _match(book, in_turn, bank, bank or 0)
    by_turn = dict(zip(order, matched, strict=True))
    rows = []
    for turn, seat in enumerate(dues):
        wagers = [by_turn[turn, place] for place in range(len(seat))]
        rows.append((wagers, sum(wager.net for wager in wagers)))
    return rows, left


def _match(
    book: PokerRulebook, dues: list[_Due], bank: int | None, left: int
) -> tuple[list[SettledWager], int, int]:
    """Match dues in turn against the rest of the bank (CA-20).

    Return the wagers, what they come to, and the rest of the bank after them.
    """
    by_action = book.bank is not None and book.bank.coverage == "action"
    takes_folds = book.bank is not None and book.bank.fold_uncovered == "lost"
    rows, total = [], 0
    for wager, stake, due, by, forfeited in dues:
        size = matched = due if due > 0 else -due
        clause = by
        if bank is not None and not (forfeited and takes_folds):
            if due > 0 or by_action:
                matched = size if size < left else left
                left -= matched
            else:
                room = 2 * bank - left
                matched = size if size < room else room
                left += matched
            if size and not matched and book.bank:
                clause = book.bank.unmatched
        net = matched if due > 0 else -matched
        total += net
        rows.append(SettledWager(wager, stake, net, matched, clause))
    return rows, total, left


def fee(book: PokerRulebook, seat: Seat) -> int | None:
    """Return the fees of a seat: flat, by size, independent of the cards (CA-7)."""
    if book.fees is None:
        return None
    terms, stakes = book.betting, seat.stakes
    if seat.move == "play":
        return terms.fee(stakes) + terms.reserve_fee(stakes)
    return terms.fee(stakes)


def _banker_fee(book: PokerRulebook, seats: tuple[Seat, ...]) -> int | None:
    """Return the fee of the Player/Dealer: once, at the rate of the largest Ante (CA-7)."""
    return book.fees.banker_fee(max([seat.ante for seat in seats])) if book.fees else None
