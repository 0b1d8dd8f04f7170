"""The gain of each bet once the ball has landed."""

from queenhigh.errors import IllegalRound
from queenhigh.games.roulette.bets import find_spot
from queenhigh.games.roulette.values import SettledBet, SettledSpin, Spin, Wager
from queenhigh.rulebook.roulette_book import RouletteRulebook, Spot

__all__ = ["settle"]


def settle(book: RouletteRulebook, spin: Spin, /) -> SettledSpin:
    """Return the gain of each wager, with its clause."""
    if spin.pocket is None:
        raise IllegalRound("round.unfinished", "the ball has not landed")
    settled = tuple([_settle_bet(book, wager, spin.pocket) for wager in spin.wagers])
    return SettledSpin(settled, -sum([bet.net for bet in settled]))


def _settle_bet(book: RouletteRulebook, wager: Wager, pocket: str) -> SettledBet:
    spot = find_spot(book, wager.bet)
    hit, on_zero = pocket in spot.pockets, pocket[0] == "0"
    if wager.in_prison:
        net, held, clause = _held_again(book, wager.stake, hit=hit, on_zero=on_zero)
    elif hit:
        net, held, clause = spot.pays.on(wager.stake), 0, spot.clause
    elif on_zero and spot.even_money:
        net, held, clause = _on_zero(book, wager.stake, spot)
    else:
        net, held, clause = -wager.stake, 0, spot.clause
    return SettledBet(
        player=wager.player,
        bet=wager.bet,
        stake=wager.stake,
        in_prison=wager.in_prison,
        net=net,
        clause=clause,
        held=held,
    )


def _on_zero(book: RouletteRulebook, stake: int, spot: Spot) -> tuple[int, int, str]:
    """Return gain, stake held and clause of an even-money bet when a zero comes."""
    zero = book.zero
    if zero and zero.on_zero == "la_partage":
        return -(stake // 2), 0, zero.la_partage
    if zero and zero.on_zero == "en_prison":
        return 0, stake, zero.en_prison
    return -stake, 0, spot.clause


def _held_again(
    book: RouletteRulebook, stake: int, *, hit: bool, on_zero: bool
) -> tuple[int, int, str]:
    """Return gain, stake still held and clause of a bet that a zero had put in prison."""
    if book.zero is None:
        raise IllegalRound("wager.prison", "no bet can be in prison at this table")
    clause = book.zero.en_prison
    if hit:
        return 0, 0, clause
    if on_zero and book.zero.second_zero == "half":
        return -(stake // 2), 0, clause
    if on_zero and book.zero.second_zero == "stay":
        return 0, stake, clause
    return -stake, 0, clause
