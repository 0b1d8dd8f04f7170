"""The payouts of a hand that was entered at the desk, as text."""

import textwrap
from collections.abc import Iterator
from itertools import groupby
from operator import attrgetter

from queenhigh.cards import describe, format_cards
from queenhigh.desk.payouts import Payout, clauses_of, payouts
from queenhigh.game import SettledRound
from queenhigh.games.three_card_poker import Round
from queenhigh.games.three_card_poker.irregular import EnteredRound
from queenhigh.games.three_card_poker.irregular_settlement import Returned, SettledEntered
from queenhigh.games.three_card_poker.irregular_text import ruling
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.text import listed, words

__all__ = ["hand_text", "payouts_as_text", "rules_as_text", "wrapped"]


def hand_text(book: PokerRulebook, cards: tuple[int, ...]) -> str:
    """Return cards, and what they are if they are three."""
    text = format_cards(cards)
    if len(set(cards)) == 3 == len(cards):
        strength = book.ranking.strength((cards[0], cards[1], cards[2]))
        text += f", {describe(book.ranking, strength)}"
    return text


def payouts_as_text(
    book: PokerRulebook, round: Round, settled: SettledRound, width: int
) -> Iterator[str]:
    """Yield the lines of a settled hand: what happened, what to pay, to take and to return."""
    yield "Payouts"
    if isinstance(round, EnteredRound):
        for each in round.irregularities:
            yield from wrapped(ruling(each, round), width, "  ")
    played = round.played if isinstance(round, EnteredRound) else round
    if played is None:
        yield "  The round is void. Everything goes back."
    else:
        yield from _head(book, played)
        yield from _seats(book, played, settled, list(payouts(book, round, settled)))
    if isinstance(settled, SettledEntered):
        yield from _returned(settled, width)
    yield from _banker(book, settled)


def rules_as_text(book: PokerRulebook, settled: SettledRound, width: int) -> Iterator[str]:
    """Yield the clauses by which a hand is settled, in words."""
    yield "The rules behind it"
    texts = {clause.id: clause.text for clause in book.clauses}
    for id in clauses_of(book, settled):
        yield from wrapped(texts[id], width, f"  {id:<6} ")


def wrapped(text: str, width: int, label: str = "") -> list[str]:
    """Return a text in lines that are not too long, the first one after its label."""
    indent = " " * len(label)
    return textwrap.wrap(text, width, initial_indent=label, subsequent_indent=indent)


def _head(book: PokerRulebook, played: Round) -> Iterator[str]:
    if played.dealer is not None:
        strength = book.ranking.strength(played.dealer)
        verdict = "qualifies" if strength >= book.qualifying_strength else "doesn't qualify"
        yield f"  Dealer {hand_text(book, played.dealer)}: {verdict}."
    if played.bank is None:
        yield "  In order of seats."
    else:
        yield f"  Bank {dollars(played.bank)}. In order of action, from seat {played.first}."


def _seats(
    book: PokerRulebook, played: Round, settled: SettledRound, rows: list[Payout]
) -> Iterator[str]:
    """Yield each seat in its turn; where bets have another order, a seat has several turns."""
    seats = {seat.seat: seat for seat in played.seats}
    results = {seat.seat: seat for seat in settled.seats}
    groups = [(number, list(group)) for number, group in groupby(rows, attrgetter("seat"))]
    for turn, (number, group) in enumerate(groups):
        seat, result = seats[number], results[number]
        parts = [hand_text(book, seat.cards)] if seat.cards else []
        parts += [f"{seat.move}s"] if seat.move else []
        fee = f", fee {dollars(result.fee)}" if result.fee else ""
        total = f": {dollars(result.net, signed=True)}{fee}"
        is_last = all(number != later for later, _ in groups[turn + 1 :])
        yield f"  Seat {number}: {', '.join(parts)}{total if is_last else ''}"
        yield from map(_row, group)


def _row(row: Payout) -> str:
    stake = dollars(row.stake) if row.stake else ""
    left = "" if row.left is None else f"bank {dollars(row.left)}"
    line = f"    {words(row.wager):<10} {stake:>10}  {_does(row):<30} {row.clause:<6}"
    return f"{line} {left:>14}".rstrip()


def _does(row: Payout) -> str:
    if row.do == "pay":
        return f"Pay {dollars(row.cents)}"
    back = f"eturn {dollars(row.back)}" if row.back else ""
    if row.do == "take":
        return f"Take {dollars(row.cents)}" + (f", r{back}" if back else "")
    if row.do == "push":
        return "Push"
    return f"R{back}" if back else "Not paid"


_FEES = {"fee": "the fee", "banker_fee": "the banker's fee"}


def _returned(settled: SettledEntered, width: int) -> Iterator[str]:
    """Yield what goes back by the clauses of what went wrong, seat by seat."""
    for seat, group in groupby(settled.returned, attrgetter("seat")):
        parts = listed([_back(row) for row in group], "and")
        owner = "Banker" if seat is None else f"Seat {seat}"
        yield from wrapped(f"{owner}: return {parts}.", width, "  ")


def _back(row: Returned) -> str:
    if row.wager in _FEES:
        return f"{_FEES[row.wager]} of {dollars(row.cents)} ({row.clause})"
    return f"{words(row.wager)} {dollars(row.cents)} ({row.clause})"


def _banker(book: PokerRulebook, settled: SettledRound) -> Iterator[str]:
    if settled.bank_left is None:
        yield f"  House {dollars(settled.banker, signed=True)}."
        return
    fee = f", fee {dollars(settled.banker_fee)}" if settled.banker_fee else ""
    left = f", {dollars(settled.bank_left)} of the bank left"
    yield f"  Banker {dollars(settled.banker, signed=True)}{fee}{left}."
    fees = (settled.banker_fee or 0) + sum(seat.fee or 0 for seat in settled.seats)
    if fees and book.fees:
        yield f"  Fees: {dollars(fees)} ({book.fees.clause})."
