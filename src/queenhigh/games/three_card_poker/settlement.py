"""Settlement: first what each wager is due, then as much of it as the bank matches."""

from queenhigh.errors import IllegalRound
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
    if round.dealer is None:
        raise IllegalRound("round.unfinished", "the cards are not dealt")
    dealer = book.ranking.strength(round.dealer)
    seats, first, places = round.seats, round.first, book.seats
    left = round.bank if round.bank is not None else 0
    settled, banker = {}, 0
    for one in sorted(seats, key=lambda one: (one.seat - first) % places):
        rows, net, left = _match(book, _dues(book, one, dealer), round.bank, left)
        settled[one.seat] = SettledSeat(one.seat, rows, net, fee(book, one))
        banker -= net
    results = tuple([settled[one.seat] for one in seats])
    if round.bank is None:
        return SettledRound(results, banker)
    return SettledRound(results, banker, _banker_fee(book, seats), left)


_Due = tuple[str, int, int, str]


def _dues(book: PokerRulebook, one: Seat, dealer: int) -> list[_Due]:
    if one.cards is None or (one.ante and one.move is None):
        raise IllegalRound("round.unfinished", f"seat {one.seat} has not finished its hand")
    strength = book.ranking.strength(one.cards)
    case = 4 if dealer >= book.qualifying_strength else 1
    return dues(book, one, strength, case + (strength > dealer) - (strength < dealer))


def dues(book: PokerRulebook, one: Seat, strength: int, case: int) -> list[_Due]:
    """Return what each wager is due to a seat of a strength in one of the six cases.

    A due has the wager's name, its stake, its gain and the clause.
    """
    ante, move = one.ante, one.move
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
        stake = one.stake_on(bet.name)
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
    """Match what is due against what is left of the bank (CA-20); return what is left then."""
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


def fee(book: PokerRulebook, one: Seat) -> int | None:
    """Return what a seat pays in fees: flat, by size, whatever the cards bring (CA-7)."""
    fees = book.fees
    if fees is None:
        return None
    if fees.fee_per == "round":
        return fees.rate(one.ante).player
    play = one.ante if one.move == "play" else 0
    stakes = (one.ante, play, one.bonus, one.pair_plus)
    return sum(fees.rate(stake).player for stake in stakes if stake)


def _banker_fee(book: PokerRulebook, seats: tuple[Seat, ...]) -> int | None:
    """Return what the Player/Dealer pays: once, at the rate of the largest Ante (CA-7)."""
    return book.fees.rate(max([one.ante for one in seats])).banker if book.fees else None
