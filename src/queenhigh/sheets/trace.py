"""A settled round as a dealer would tell it, each amount with its clause."""

from collections.abc import Iterator

from queenhigh.cards import describe, format_cards
from queenhigh.games.roulette import SettledBet, SettledSpin, Spin
from queenhigh.games.three_card_poker import Round, Seat, SettledRound, SettledSeat, SettledWager
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.settle_format import Finished, Settled
from queenhigh.sheets.words import one_line, words
from queenhigh.wheel import RED

__all__ = ["trace"]


def trace(book: Rulebook, name: str, finished: Finished, settled: Settled) -> str:
    """Return the story of a round in a few lines; ``name`` is what the round is called."""
    name = one_line(name, 80)
    if isinstance(book, PokerRulebook):
        assert isinstance(finished, Round)
        assert isinstance(settled, SettledRound)
        return "\n".join(_poker(book, name, finished, settled)) + "\n"
    assert isinstance(book, RouletteRulebook)
    assert isinstance(finished, Spin)
    assert isinstance(settled, SettledSpin)
    return "\n".join(_spin(name, finished, settled)) + "\n"


def _poker(book: PokerRulebook, name: str, round: Round, settled: SettledRound) -> Iterator[str]:
    assert round.dealer is not None
    strength = book.ranking.strength(round.dealer)
    verdict = "qualifies" if strength >= book.qualifying_strength else "does not qualify"
    yield (
        f"Round {name}: the dealer has {format_cards(round.dealer)},"
        f" {describe(book.ranking, strength)}, and {verdict}."
    )
    if round.bank is not None:
        yield f"  The bank is {dollars(round.bank)}; action starts at seat {round.first}."
    for seat, result in zip(round.seats, settled.seats, strict=True):
        yield from _seat(book, seat, result)
    yield f"  Banker {dollars(settled.banker, signed=True)}{_banker_notes(settled)}."


def _banker_notes(settled: SettledRound) -> str:
    if settled.bank_left is None:
        return ""
    fee = f", fee {dollars(settled.banker_fee)}" if settled.banker_fee is not None else ""
    return f"{fee}, {dollars(settled.bank_left)} of the bank left"


def _seat(book: PokerRulebook, seat: Seat, result: SettledSeat) -> Iterator[str]:
    assert seat.cards is not None
    strength = book.ranking.strength(seat.cards)
    hand = describe(book.ranking, strength)
    move = {"play": ", plays", "fold": ", folds", None: ""}[seat.move]
    fee = f", fee {dollars(result.fee)}" if result.fee is not None else ""
    yield (
        f"  Seat {seat.seat}: {format_cards(seat.cards)}, {hand}{move}:"
        f" {dollars(result.net, signed=True)}{fee}"
    )
    for wager in result.wagers:
        name = words(wager.wager)
        stake = dollars(wager.stake) if wager.stake else ""
        yield (
            f"    {name:<10} {stake:>10}  {_outcome(book, seat, strength, wager):<22}"
            f" {dollars(wager.net, signed=True):>12}  {wager.clause}"
        )


def _outcome(book: PokerRulebook, seat: Seat, strength: int, wager: SettledWager) -> str:
    if wager.net == 0:
        return "comes back"
    if wager.net < 0:
        back = wager.stake - wager.action
        return f"loses, {dollars(back)} back" if back else "loses"
    short = _full_win(book, seat, strength, wager) - wager.net
    return f"wins, {dollars(short)} uncovered" if short else "wins"


def _full_win(book: PokerRulebook, seat: Seat, strength: int, wager: SettledWager) -> int:
    """Return what a winning wager would have won from a bank without end."""
    if wager.wager in ("ante", "play"):
        return wager.stake
    if wager.wager == "ante_bonus":
        pays, stake = book.ante_bonus_pays[strength], seat.ante
    else:
        names = [bet.name for bet in book.side_bets]
        pays, stake = book.side_pays[names.index(wager.wager)][strength], wager.stake
    return pays.on(stake) if pays else 0


def _spin(name: str, spin: Spin, settled: SettledSpin) -> Iterator[str]:
    pocket = spin.pocket or ""
    colour = "green" if pocket.startswith("0") else "red" if pocket in RED else "black"
    yield f"Spin {name}: {pocket}, {colour}."
    for bet in settled.wagers:
        who = f"{one_line(bet.player, 40)}: " if bet.player is not None else ""
        yield (
            f"  {who + bet.bet:<30} {dollars(bet.stake):>10}  {_bet_outcome(bet):<12}"
            f" {dollars(bet.net, signed=True):>12}  {bet.clause}"
        )
    yield f"  Banker {dollars(settled.banker, signed=True)}."


def _bet_outcome(bet: SettledBet) -> str:
    if bet.held:
        return "held"
    if bet.net == 0:
        return "comes back"
    if bet.net > 0:
        return "wins"
    return "loses" if bet.net == -bet.stake else "loses half"
