"""A finished round of Three Card Poker in the settle format."""

from collections.abc import Mapping

from msgspec import UNSET, Struct, UnsetType

from queenhigh.cards import format_cards, parse_cards
from queenhigh.errors import IllegalRound, InvalidRound
from queenhigh.game import Line, Move
from queenhigh.games.three_card_poker.irregular import EnteredRound, enter, rule
from queenhigh.games.three_card_poker.legal import three_cards
from queenhigh.games.three_card_poker.play import complete
from queenhigh.games.three_card_poker.values import Round, Seat
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["PokerLine", "SeatLine", "from_line", "known_move", "to_line"]

_MOST_BANK = 10**4000
_MOVES: dict[str, Move] = {"play": "play", "fold": "fold"}


class SeatLine(Struct, forbid_unknown_fields=True, gc=False):
    """A seat of a finished round."""

    seat: int
    cards: str | UnsetType = UNSET
    ante: int | UnsetType = UNSET
    bonus: int | UnsetType = UNSET
    pair_plus: int | UnsetType = UNSET
    move: str | UnsetType = UNSET


class IrregularityLine(Struct, forbid_unknown_fields=True, gc=False):
    """Something that went wrong in a round that was dealt with real cards."""

    kind: str
    seat: int | UnsetType = UNSET
    wager: str | UnsetType = UNSET


class PokerLine(Line, forbid_unknown_fields=True, gc=False):
    """A finished round; ``bank`` and ``first`` only where a player banks."""

    seats: list[SeatLine]
    dealer: str | UnsetType = UNSET
    id: str | UnsetType = UNSET
    bank: int | UnsetType = UNSET
    first: int | UnsetType = UNSET
    irregularities: list[IrregularityLine] | UnsetType = UNSET

    def count_keys(self) -> int:
        """Return how many keys the line has, those of its seats included."""
        count = 5 - (self.dealer, self.id, self.bank, self.first).count(UNSET)
        if self.irregularities is not UNSET:
            count += 1
            for row in self.irregularities:
                count += 3 - (row.seat, row.wager).count(UNSET)
        for seat in self.seats:
            given = (seat.cards, seat.ante, seat.bonus, seat.pair_plus, seat.move)
            count += 6 - given.count(UNSET)
        return count

    @property
    def name(self) -> str | None:
        """The id of the round, if it was given one."""
        return None if self.id is UNSET else self.id


def from_line(book: PokerRulebook, line: PokerLine, /) -> Round:
    """Return the finished round of a line, every rule checked."""
    if book.bank is None and (line.bank is not UNSET or line.first is not UNSET):
        raise IllegalRound("bank.needless", "the house banks: remove bank and first")
    if line.bank is not UNSET and line.bank > _MOST_BANK:
        raise InvalidRound("bank.huge", "the bank is too large")
    if line.irregularities is not UNSET:
        return _entered(book, line, line.irregularities)
    round = Round(
        tuple([_seat(seat) for seat in line.seats]),
        None if line.bank is UNSET else line.bank,
        1 if line.first is UNSET else line.first,
        None if line.dealer is UNSET else three_cards(parse_cards(line.dealer), 0),
    )
    return complete(book, round)


def _entered(book: PokerRulebook, line: PokerLine, rows: list[IrregularityLine]) -> EnteredRound:
    """Return a round in which something went wrong; void hands may have any number of cards."""
    if not rows:
        raise InvalidRound("irregularity.none", "irregularities is empty: omit the key")
    round = Round(
        tuple([_seat(seat, with_cards=False) for seat in line.seats]),
        None if line.bank is UNSET else line.bank,
        1 if line.first is UNSET else line.first,
    )
    cards = {seat.seat: parse_cards(seat.cards) for seat in line.seats if seat.cards is not UNSET}
    if line.dealer is not UNSET:
        cards[0] = parse_cards(line.dealer)
    rulings = [
        rule(
            book.irregularities,
            row.kind,
            None if row.seat is UNSET else row.seat,
            None if row.wager is UNSET else row.wager,
        )
        for row in rows
    ]
    return enter(book, round, cards, rulings)


def _seat(raw: SeatLine, *, with_cards: bool = True) -> Seat:
    number, ante, bonus, pair_plus, move = raw.seat, raw.ante, raw.bonus, raw.pair_plus, raw.move
    if ante is UNSET:
        ante = 0
    elif ante < 1:
        _refuse_amount(number, "ante")
    if bonus is UNSET:
        bonus = 0
    elif bonus < 1:
        _refuse_amount(number, "bonus")
    if pair_plus is UNSET:
        pair_plus = 0
    elif pair_plus < 1:
        _refuse_amount(number, "pair_plus")
    hand = (
        None
        if raw.cards is UNSET or not with_cards
        else three_cards(parse_cards(raw.cards), number)
    )
    if move is UNSET:
        return Seat(number, ante, bonus, pair_plus, hand)
    return Seat(number, ante, bonus, pair_plus, hand, known_move(number, move))


def known_move(seat: int, move: str) -> Move:
    """Return a move of a line; refuse one that is neither play nor fold."""
    if move not in _MOVES:
        raise InvalidRound(
            "move.unknown", f"seat {seat} has an unknown move {move[:20]!r}: write play or fold"
        )
    return _MOVES[move]


def _refuse_amount(seat: int, wager: str) -> None:
    raise InvalidRound(
        "amount.range",
        f"the {wager} of seat {seat} must be a whole number of cents above 0;"
        " for no bet, omit the key",
    )


def to_line(book: PokerRulebook, round: Round, players: Mapping[int, str], /) -> dict[str, object]:
    """Return a finished round in the settle format."""
    line: dict[str, object] = {"dealer": format_cards(round.dealer or ())}
    if round.bank is not None:
        line |= {"bank": round.bank, "first": round.first}
    return line | {"seats": [_seat_line(seat) for seat in round.seats]}


def _seat_line(seat: Seat) -> dict[str, object]:
    line: dict[str, object] = {"seat": seat.seat, "cards": format_cards(seat.cards or ())}
    line |= {name: stake for name, stake in seat.stakes if stake}
    return line | ({"move": seat.move} if seat.move else {})
