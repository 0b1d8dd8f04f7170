"""Settlement: first what each wager is due, then as much of it as the bank matches."""

from collections.abc import Sequence

from queenhigh.errors import IllegalRound
from queenhigh.games.three_card_poker.values import (
    Round,
    Seat,
    SettledRound,
    SettledSeat,
    SettledWager,
)
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["settle"]


def settle(book: PokerRulebook, round: Round, /) -> SettledRound:
    """Return every amount a finished round moves, with its clause."""
    if round.dealer is None or not round.is_over:
        raise IllegalRound("round.unfinished", "the round is not finished")
    dealer = book.ranking.strength(round.dealer)
    seats, first, places = round.seats, round.first, book.seats
    order = sorted(range(len(seats)), key=lambda at: (seats[at].seat - first) % places)
    left = round.bank if round.bank is not None else 0
    settled: list[SettledSeat] = [None] * len(seats)  # type: ignore[list-item]
    banker = 0
    for at in order:
        one = seats[at]
        rows, net, left = _match(book, _dues(book, one, dealer), round.bank, left)
        settled[at] = SettledSeat(one.seat, tuple(rows), net, _fee(book, one))
        banker -= net
    if round.bank is None:
        return SettledRound(tuple(settled), banker)
    return SettledRound(tuple(settled), banker, _banker_fee(book, seats), left)


_Due = tuple[str, int, int, str]


def _dues(book: PokerRulebook, one: Seat, dealer: int) -> list[_Due]:
    """Return what each wager of a seat is due: its name, stake, gain and clause."""
    hand = one.cards
    assert hand is not None
    strength = book.ranking.strength(hand)
    folded = one.move == "fold"
    dues: list[_Due] = []
    ante = one.ante
    if folded:
        dues.append(("ante", ante, -ante, book.fold_clause))
    elif ante:
        case = 4 if dealer >= book.qualifying_strength else 1
        case += (strength > dealer) - (strength < dealer)
        ante_wins, play_wins, clause = book.cells[case]
        dues.append(("ante", ante, ante * ante_wins, clause))
        dues.append(("play", ante, ante * play_wins, clause))
    bonus = book.ante_bonus
    if bonus and ante and (not folded or bonus.paid_on_fold):
        pays = book.ante_bonus_pays[strength]
        if pays:
            dues.append(("ante_bonus", 0, pays.on(ante), bonus.clause))
    for bet, table in zip(book.side_bets, book.side_pays, strict=True):
        stake = one.stake_on(bet.name)
        if not stake:
            continue
        if folded and bet.lost_on_fold:
            dues.append((bet.name, stake, -stake, book.fold_clause))
        else:
            pays = table[strength]
            dues.append((bet.name, stake, pays.on(stake) if pays else -stake, bet.clause))
    return dues


def _match(
    book: PokerRulebook, dues: Sequence[_Due], bank: int | None, left: int
) -> tuple[list[SettledWager], int, int]:
    """Match what is due against what is left of the bank (CA-20); return what is left then."""
    by_action = book.bank is not None and book.bank.coverage == "action"
    unmatched = book.bank.unmatched if book.bank else ""
    rows, total = [], 0
    for wager, stake, due, clause in dues:
        size = due if due > 0 else -due
        if bank is None:
            matched = size
        elif due > 0:
            matched = min(size, left)
            left -= matched
        elif by_action:
            matched = min(size, left)
            left -= matched
        else:
            matched = min(size, 2 * bank - left)
            left += matched
        net = matched if due > 0 else -matched
        total += net
        by = unmatched if size and not matched else clause
        rows.append(SettledWager(wager, stake, net, matched, by))
    return rows, total, left


def _fee(book: PokerRulebook, one: Seat) -> int | None:
    """Return what a seat pays in fees: flat, by size, whatever the cards bring (CA-7)."""
    fees = book.fees
    if fees is None:
        return None
    if fees.fee_per == "round":
        charged = [one.ante]
    else:
        play = one.ante if one.move == "play" else 0
        charged = [stake for stake in (one.ante, play, one.bonus, one.pair_plus) if stake]
    total = 0
    for stake in charged:
        rate = fees.rate(stake)
        assert rate is not None
        total += rate.player
    return total


def _banker_fee(book: PokerRulebook, seats: tuple[Seat, ...]) -> int | None:
    if book.fees is None:
        return None
    rate = book.fees.rate(max(one.ante for one in seats))
    assert rate is not None
    return rate.banker
