"""Irregularities of entered hands, IR-1 to IR-6: what may be entered, and what follows.

The room deals its own rounds, so these concern hands that were dealt with real cards.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple, get_args

from msgspec import Struct
from msgspec.structs import replace

from queenhigh.cards import format_cards
from queenhigh.errors import IllegalRound, InvalidRound
from queenhigh.games.three_card_poker import legal, play
from queenhigh.games.three_card_poker.values import Round, Seat, seat_of_stakes
from queenhigh.money import dollars
from queenhigh.rulebook.book import Irregularities, PokerRulebook

__all__ = ["EnteredKind", "EnteredRound", "Irregularity", "enter", "rule"]

EnteredKind = Literal[
    "misdeal", "exposed_player", "exposed_dealer", "wrong_cards", "foul_deck", "outside_limits"
]
#: What follows: nothing, a void round or hand, a void round that is dealt again, or a wager that
#: stands up to its limit.
Ruling = Literal["play_on", "void", "redeal", "void_hand", "up_to_limit"]


class Irregularity(Struct, frozen=True, omit_defaults=True, gc=False):
    """An irregularity with its clause and what follows; ``seat`` and ``wager`` if it has them."""

    kind: EnteredKind
    clause: str
    ruling: Ruling
    seat: int | None = None
    wager: str | None = None

    @property
    def voids_round(self) -> bool:
        """Return whether the whole round is void by it."""
        return self.ruling in ("void", "redeal")


class _Kind(NamedTuple):
    """The clause of a kind, the key of its ruling or the ruling itself, and what it concerns."""

    clause: str
    ruling: str
    of_seat: bool


_KINDS: Mapping[str, _Kind] = {
    "misdeal": _Kind("IR-1", "misdeal", of_seat=False),
    "exposed_player": _Kind("IR-2", "exposed_player", of_seat=True),
    "exposed_dealer": _Kind("IR-3", "exposed_dealer", of_seat=False),
    "wrong_cards": _Kind("IR-4", "void_hand", of_seat=True),
    "foul_deck": _Kind("IR-5", "void", of_seat=False),
    "outside_limits": _Kind("IR-6", "up_to_limit", of_seat=True),
}


class EnteredRound(Round, frozen=True, gc=False):
    """A round with irregularities: ``seats`` are as they were put down.

    ``played`` are the seats that are settled, their wagers as they stand; ``None`` if the round is
    void. ``void`` names the clause of each hand that is void.
    """

    irregularities: tuple[Irregularity, ...] = ()
    played: Round | None = None
    void: Mapping[int, str] = {}


def rule(rules: Irregularities, kind: str, seat: int | None, wager: str | None) -> Irregularity:
    """Return an irregularity with its clause and what follows by a rulebook's readings."""
    if kind == "player_gone":
        raise InvalidRound(
            "irregularity.gone",
            "a player who is gone has the table's default move: enter it as the seat's move (IR-7)",
        )
    if kind not in _KINDS:
        known = ", ".join(get_args(EnteredKind))
        raise InvalidRound(
            "irregularity.unknown", f"there is no irregularity {kind[:20]!r}: write one of {known}"
        )
    clause, key, of_seat = _KINDS[kind]
    if of_seat != (seat is not None):
        sentence = (
            f"{kind} concerns one hand: add its seat"
            if of_seat
            else f"{kind} concerns the whole round: remove seat"
        )
        raise IllegalRound("irregularity.seat", sentence, clause=clause)
    if (kind == "outside_limits") != (wager is not None):
        sentence = (
            "add the wager" if wager is None else "only outside_limits has a wager: remove it"
        )
        raise IllegalRound("irregularity.wager", f"{kind}: {sentence}", clause=clause)
    ruling: Any = getattr(rules, key, key)
    return Irregularity(kind, clause, ruling, seat, wager)  # type: ignore[arg-type]


def enter(
    book: PokerRulebook,
    round: Round,
    cards: Mapping[int, tuple[int, ...]],
    irregularities: Sequence[Irregularity],
) -> EnteredRound:
    """Return a round with irregularities, every rule checked; ``cards`` are those of each seat.

    The dealer's cards are those of seat 0. Cards of void hands may be of any number.
    """
    seats = list(legal.check_seats(book, round))
    _check_irregularities(book, round, irregularities)
    corrected = [_within_limits(book, seat, irregularities) for seat in seats]
    for put_down, seat in zip(seats, corrected, strict=True):
        _check_seat(book, put_down, seat)
    whole = next((each for each in irregularities if each.voids_round), None)
    void = {
        seat.seat: clause
        for seat in corrected
        if (clause := whole.clause if whole else _void_hand(book, seat, irregularities))
    }
    _check_times(round, irregularities)
    _check_cards(cards, irregularities, void)
    rest = tuple([_with_cards(seat, cards) for seat in corrected if seat.seat not in void])
    played = None
    if rest:
        dealer = legal.three_cards(cards[0], 0) if 0 in cards else None
        played = play.complete(book, Round(rest, round.bank, round.first, dealer))
    return EnteredRound(
        round.seats,
        round.bank,
        round.first,
        irregularities=tuple(irregularities),
        played=played,
        void=void,
    )


# What may be entered


def _check_irregularities(
    book: PokerRulebook, round: Round, irregularities: Sequence[Irregularity]
) -> None:
    """Refuse an irregularity of a seat or a wager that is not there, or one that comes twice."""
    seats = {seat.seat: seat for seat in round.seats}
    for index, each in enumerate(irregularities):
        clause, name = each.clause, str(each.kind)
        if each.seat is not None:
            name += f" of seat {each.seat}"
            if each.seat not in seats:
                sentence = f"{each.kind}: seat {each.seat} is not in this round"
                raise IllegalRound("irregularity.seat", sentence, clause=clause)
        if each.wager is not None:
            if each.wager not in book.limits:
                sentence = f"there is no {each.wager[:20]} bet in this game"
                raise IllegalRound("wager.unknown", sentence, clause=clause)
            if not dict(seats[each.seat or 0].stakes)[each.wager]:
                sentence = f"seat {each.seat} has no {each.wager} that could be outside its limits"
                raise IllegalRound("irregularity.wager", sentence, clause=clause)
        if each in irregularities[:index]:
            sentence = f"{name} appears twice: enter it once"
            raise IllegalRound("irregularity.twice", sentence, clause=clause)


def _check_seat(book: PokerRulebook, put_down: Seat, seat: Seat) -> None:
    """Refuse a move without an Ante, and wagers outside the limits that are not entered as such."""
    if put_down.move is not None and not put_down.ante:
        raise IllegalRound("move.needless", f"seat {seat.seat} has a move but no ante")
    for name, cents in put_down.stakes:
        if cents and name not in book.limits:
            raise IllegalRound("wager.unknown", f"there is no {name} bet in this game")
    if seat == put_down or _has_part(book, seat):
        legal.check_stakes(book, seat)


def _check_times(round: Round, irregularities: Sequence[Irregularity]) -> None:
    """Refuse an irregularity that moves show to be too late for what would follow."""
    moved = [seat.seat for seat in round.seats if seat.move is not None]
    for each in irregularities:
        if each.kind == "misdeal" and moved:
            sentence = f"seat {moved[0]} has already decided: it is too late for a misdeal"
            raise IllegalRound("irregularity.late", sentence, clause=each.clause)
        if each.ruling == "void_hand" and each.kind == "exposed_player" and each.seat in moved:
            sentence = f"seat {each.seat} has already decided: its hand cannot be void"
            raise IllegalRound("irregularity.late", sentence, clause=each.clause)
        if each.kind == "exposed_dealer" and each.voids_round:
            antes = [seat for seat in round.seats if seat.ante]
            if len(moved) == len(antes):
                sentence = "every player has decided: the round cannot be void"
                raise IllegalRound("irregularity.late", sentence, clause=each.clause)


def _check_cards(
    cards: Mapping[int, tuple[int, ...]],
    irregularities: Sequence[Irregularity],
    void: Mapping[int, str],
) -> None:
    """Refuse a right number of cards entered as wrong, and a card twice in a deck that is fine."""
    kinds = {each.kind for each in irregularities}
    for each in irregularities:
        if each.kind == "wrong_cards" and len(cards.get(each.seat or 0, ())) == 3:
            sentence = f"seat {each.seat} has three cards, which is the right number"
            raise IllegalRound("irregularity.cards", sentence, clause=each.clause)
    if not kinds & {"misdeal", "foul_deck", "wrong_cards"}:
        for seat, held in cards.items():
            legal.three_cards(held, seat)
    listed = [card for held in cards.values() for card in held]
    twice = next((card for index, card in enumerate(listed) if card in listed[:index]), None)
    if twice is not None and "foul_deck" not in kinds:
        raise IllegalRound(
            "cards.twice",
            f"{format_cards((twice,))} is dealt twice: enter foul_deck if the deck had it twice",
            clause="IR-5",
        )


def _with_cards(seat: Seat, cards: Mapping[int, tuple[int, ...]]) -> Seat:
    held = cards.get(seat.seat)
    return seat if held is None else replace(seat, cards=legal.three_cards(held, seat.seat))


# What follows


def _void_hand(
    book: PokerRulebook, seat: Seat, irregularities: Sequence[Irregularity]
) -> str | None:
    """Return the clause by which a hand is void: its own, or its Ante did not stand (IR-6)."""
    for each in irregularities:
        if each.seat == seat.seat and each.ruling == "void_hand":
            return each.clause
    return None if _has_part(book, seat) else "IR-6"


def _has_part(book: PokerRulebook, seat: Seat) -> bool:
    """Return whether a seat has a wager that it can take part with."""
    return bool(seat.ante) or (not book.ante_required and any(stake for _, stake in seat.stakes))


def _within_limits(book: PokerRulebook, seat: Seat, irregularities: Sequence[Irregularity]) -> Seat:
    """Return a seat with its wagers as they stand by IR-6."""
    named = [each.wager for each in irregularities if each.wager and each.seat == seat.seat]
    stakes = dict(seat.stakes)
    standing = {name: cents for name, cents in stakes.items() if name not in named}
    for name in [name for name in stakes if name in named]:
        standing[name] = _up_to_limit(book, name, stakes[name], sum(standing.values()))
        if standing[name] == stakes[name]:
            sentence = (
                f"the {name} of seat {seat.seat}, {dollars(stakes[name])}, is within its limits"
            )
            raise IllegalRound("irregularity.wager", sentence, clause="IR-6")
    move = seat.move if standing["ante"] else None
    return replace(seat_of_stakes(seat.seat, standing), move=move)


def _up_to_limit(book: PokerRulebook, wager: str, stake: int, others: int) -> int:
    """Return the largest legal amount up to a stake beside other wagers; 0 if there is none."""
    together = book.betting.together
    most = stake if together is None else min(stake, together - others)
    largest = 0
    for row in book.betting.of(wager).ranges:
        amount = min(row.max, most)
        if amount < stake:
            amount -= amount % book.increment
        if amount >= row.min:
            largest = max(largest, amount)
    return largest
