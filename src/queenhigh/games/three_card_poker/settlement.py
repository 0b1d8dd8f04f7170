"""Settlement: first the amount due to each wager, then as much of it as the bank matches."""

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

__all__ = ["dues", "fee", "settle"]


def settle(book: PokerRulebook, round: Round, /) -> SettledRound:
    """Return every amount a finished round moves, with its clause."""
    dealer = _dealer_strength(book, round)
    seats, first = round.seats, round.first
    level = book.level_case(dealer)
    left = round.bank if round.bank is not None else 0
    settled, banker = {}, 0
    for seat in book.in_action_order(seats, first):
        rows, net, left = _match(book, _dues(book, seat, dealer, level), round.bank, left)
        settled[seat.seat] = SettledSeat(seat.seat, rows, net, fee(book, seat))
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


_Due = tuple[str, int, int, str]


def _dues(book: PokerRulebook, seat: Seat, dealer: int, level: int) -> list[_Due]:
    cards = seat.cards
    if (seat.ante and seat.move is None) or (cards is None and needs_cards(book, seat)):
        raise IllegalRound("round.unfinished", f"seat {seat.seat} has not finished its hand")
    strength = book.ranking.strength(cards) if cards is not None else 0
    return dues(book, seat, strength, level + (strength > dealer) - (strength < dealer))


def dues(book: PokerRulebook, seat: Seat, strength: int, case: int) -> list[_Due]:
    """Return the dues of each wager of a seat of a strength in one of the six cases.

    A due has the wager's name, its stake, its gain and the clause.
    """
    ante, move = seat.ante, seat.move
    dues: list[_Due] = []
    if move == "play":
        ante_wins, play_wins, clause = book.cells[case]
        dues.append(("ante", ante, ante * ante_wins, clause))
        dues.append(("play", ante, ante * play_wins, clause))
    elif move == "fold":
        dues.append(("ante", ante, -ante, book.fold_clause))
    bonus = book.ante_bonus
    if bonus and ante and (move == "play" or bonus.paid_on_fold):
        pays = book.ante_bonus_pays[strength]
        if pays:
            dues.append(("ante_bonus", 0, pays.on(ante), bonus.clause))
    for bet, table in zip(book.side_bets, book.side_pays, strict=True):
        stake = seat.stake_on(bet.name)
        if not stake:
            continue
        if bet.lost_on_fold and move == "fold":
            dues.append((bet.name, stake, -stake, bet.fold_clause))
        else:
            pays = table[strength]
            dues.append((bet.name, stake, pays.on(stake) if pays else -stake, bet.clause))
    return dues


def _match(
    book: PokerRulebook, dues: list[_Due], bank: int | None, left: int
) -> tuple[tuple[SettledWager, ...], int, int]:
    """Match the dues against the rest of the bank (CA-20); return the rest after them."""
    by_action = book.bank is not None and book.bank.coverage == "action"
    rows, total = [], 0
    for wager, stake, due, by in dues:
        size = matched = due if due > 0 else -due
        clause = by
        if bank is not None:
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
    return tuple(rows), total, left


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
