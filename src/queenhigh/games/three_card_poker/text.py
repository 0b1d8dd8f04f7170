"""A settled round of Three Card Poker as a dealer would tell it, each amount with its clause."""

from collections.abc import Iterator, Mapping, Sequence

from queenhigh.cards import describe as describe_hand
from queenhigh.cards import format_cards
from queenhigh.game import SettledRound, SettledSeat, SettledWager
from queenhigh.games.three_card_poker.bank_left import bank_left_after
from queenhigh.games.three_card_poker.values import Round, Seat
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.text import words

__all__ = ["describe"]


def describe(
    book: PokerRulebook, name: str, round: Round, settled: SettledRound, /
) -> Iterator[str]:
    """Yield the lines of a settled round, seats in order of action where a player banks (CA-22)."""
    yield f"Round {name}: {_dealer(book, round)}."
    seats: Sequence[Seat] = round.seats
    if round.bank is not None:
        yield f"  The bank is {dollars(round.bank)}; action starts at seat {round.first}."
        seats = book.in_action_order(seats, round.first)
    results = {result.seat: result for result in settled.seats}
    left = bank_left_after(book, round, settled)
    for seat in seats:
        yield from _seat(book, seat, results[seat.seat], left)
    yield f"  Banker {dollars(settled.banker, signed=True)}{_banker_notes(settled)}."


def _dealer(book: PokerRulebook, round: Round) -> str:
    if round.dealer is None:
        return "no seat plays, so the dealer's hand does not matter"
    strength = book.ranking.strength(round.dealer)
    verdict = "qualifies" if strength >= book.qualifying_strength else "does not qualify"
    hand = describe_hand(book.ranking, strength)
    return f"the dealer has {format_cards(round.dealer)}, {hand}, and {verdict}"


def _banker_notes(settled: SettledRound) -> str:
    if settled.bank_left is None:
        return ""
    fee = f", fee {dollars(settled.banker_fee)}" if settled.banker_fee is not None else ""
    return f"{fee}, {dollars(settled.bank_left)} of the bank left"


def _seat(
    book: PokerRulebook, seat: Seat, result: SettledSeat, left: Mapping[tuple[int, str], int]
) -> Iterator[str]:
    strength, parts = 0, []
    if seat.cards is not None:
        strength = book.ranking.strength(seat.cards)
        parts = [format_cards(seat.cards), describe_hand(book.ranking, strength)]
    if seat.move is not None:
        parts.append({"play": "plays", "fold": "folds"}[seat.move])
    fee = f", fee {dollars(result.fee)}" if result.fee is not None else ""
    yield f"  Seat {seat.seat}: {', '.join(parts)}: {dollars(result.net, signed=True)}{fee}"
    for wager in result.wagers:
        name = words(wager.wager)
        stake = dollars(wager.stake) if wager.stake else ""
        rest = left.get((seat.seat, wager.wager))
        yield (
            f"    {name:<10} {stake:>10}  {_outcome(book, seat, strength, wager):<22}"
            f" {dollars(wager.net, signed=True):>12}  {wager.clause}"
            + (f"  {dollars(rest):>12} left" if rest is not None else "")
        )


def _outcome(book: PokerRulebook, seat: Seat, strength: int, wager: SettledWager) -> str:
    if wager.net == 0:
        return "returned"
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
