"""A settled round of entered hands with irregularities, as a dealer would tell it."""

from collections.abc import Iterable, Iterator, Mapping

from queenhigh.games.three_card_poker import text
from queenhigh.games.three_card_poker.irregular import EnteredRound, Irregularity
from queenhigh.games.three_card_poker.irregular_settlement import (
    Returned,
    SettledEntered,
    as_played,
)
from queenhigh.games.three_card_poker.values import Seat, SettledRound
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.text import listed, words

__all__ = ["describe", "ruling", "standing"]

_HAPPENED: Mapping[str, str] = {
    "misdeal": "A misdeal was found before any player had decided",
    "exposed_player": "A card of seat {seat} was exposed",
    "exposed_dealer": "A down card of the dealer was exposed",
    "wrong_cards": "Seat {seat} has a wrong number of cards",
    "foul_deck": "The deck was foul",
    "outside_limits": "The {wager} of seat {seat}, {cents}, is outside its limits",
}
_FOLLOWS: Mapping[str, str] = {
    "play_on": "play goes on",
    "void": "the round is void",
    "redeal": "the round is void, to be dealt again with the same wagers",
    "void_hand": "that hand is void",
    "up_to_limit": "{standing}",
}


def describe(
    book: PokerRulebook, name: str, round: EnteredRound, settled: SettledRound, /
) -> Iterator[str]:
    """Yield the lines of a settled round, the rulings first and what came back by them."""
    assert isinstance(settled, SettledEntered)
    rulings = [f"  {ruling(each, round)}" for each in round.irregularities]
    if round.played is None:
        clauses = list(dict.fromkeys(round.void.values()))
        yield f"Round {name}: void ({listed(clauses, 'and')})."
        yield from rulings
    else:
        first, *lines = text.describe(book, name, round.played, as_played(round, settled))
        yield from (first, *rulings, *lines[:-1])
    for seat in round.seats:
        yield from _returned(seat, round, settled)
    yield _banker(settled) if round.played is None else lines[-1]


def ruling(each: Irregularity, round: EnteredRound) -> str:
    """Return what happened and what follows, as a sentence."""
    wager = each.wager or ""
    said = {
        "seat": each.seat,
        "wager": words(wager),
        "cents": dollars(_stake(round.seats, each.seat, wager)),
        "standing": standing(each, round),
    }
    happened, follows = _HAPPENED[each.kind], _FOLLOWS[each.ruling]
    return f"{happened}: {follows} ({each.clause}).".format(**said)


def standing(each: Irregularity, round: EnteredRound, wager: str = "it") -> str:
    """Return how much stands of a wager outside its limits: ``$4.00 of it stands``."""
    stands = _stake(round.played.seats if round.played else (), each.seat, each.wager or "")
    return f"{dollars(stands)} of {wager} stands" if stands else f"{wager} is returned"


def _stake(seats: Iterable[Seat], number: int | None, wager: str) -> int:
    return next((dict(seat.stakes).get(wager, 0) for seat in seats if seat.seat == number), 0)


def _returned(seat: Seat, round: EnteredRound, settled: SettledEntered) -> Iterator[str]:
    """Yield what a seat got back by the irregularities."""
    rows = [row for row in settled.returned if row.seat == seat.seat]
    if seat.seat in round.void:
        yield f"  Seat {seat.seat}: void"
    elif rows:
        yield f"  Seat {seat.seat}, beyond the limits:"
    for row in rows:
        yield _row(row)


def _row(row: Returned) -> str:
    return f"    {words(row.wager):<10} {dollars(row.cents):>10}  {'returned':<35}  {row.clause}"


def _banker(settled: SettledEntered) -> str:
    """Return what came back to the banker of a void round."""
    fees = [row for row in settled.returned if row.seat is None]
    back = "".join(f", fee of {dollars(row.cents)} returned ({row.clause})" for row in fees)
    return f"  Banker {dollars(0)}{back}."
