"""A settled round of Three Card Poker as a dealer would tell it, each amount with its clause."""

from collections.abc import Iterator

from queenhigh.cards import describe as describe_hand
from queenhigh.cards import format_cards
from queenhigh.errors import IllegalRound
from queenhigh.game import SettledRound, SettledSeat, SettledWager
from queenhigh.games.three_card_poker.values import Round, Seat
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.text import words

__all__ = ["describe"]


def describe(
    book: PokerRulebook, name: str, round: Round, settled: SettledRound, /
) -> Iterator[str]:
    """Yield the lines of a settled round."""
    if round.dealer is None:
        raise IllegalRound("round.unfinished", "the cards are not dealt")
    strength = book.ranking.strength(round.dealer)
    verdict = "qualifies" if strength >= book.qualifying_strength else "does not qualify"
    yield (
        f"Round {name}: the dealer has {format_cards(round.dealer)},"
        f" {describe_hand(book.ranking, strength)}, and {verdict}."
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
    if seat.cards is None:
        raise IllegalRound("round.unfinished", f"seat {seat.seat} has no cards")
    strength = book.ranking.strength(seat.cards)
    hand = describe_hand(book.ranking, strength)
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
    """Return the gain of a winning wager from an unlimited bank."""
    if wager.wager in ("ante", "play"):
        return wager.stake
    if wager.wager == "ante_bonus":
        pays, stake = book.ante_bonus_pays[strength], seat.ante
    else:
        names = [bet.name for bet in book.side_bets]
        pays, stake = book.side_pays[names.index(wager.wager)][strength], wager.stake
    return pays.on(stake) if pays else 0
