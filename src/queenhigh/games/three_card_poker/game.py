"""Three Card Poker as the rest of the system knows it."""

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from queenhigh.errors import IllegalRound
from queenhigh.game import Bet, Bets, Move, Places, Settled, Whims
from queenhigh.games.three_card_poker import (
    irregular_settlement,
    irregular_text,
    legal,
    lines,
    play,
    settlement,
    text,
)
from queenhigh.games.three_card_poker.irregular import EnteredRound
from queenhigh.games.three_card_poker.values import Round, Seat, SettledRound, seat_of_stakes
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.compile import compile_poker
from queenhigh.rulebook.poker_checks import check_poker
from queenhigh.rulebook.problem import Finding
from queenhigh.rulebook.schema import PokerDocument

__all__ = ["ThreeCardPoker"]


class ThreeCardPoker:
    """Three Card Poker, banked by the house or by a player, as its rulebook says."""

    name = "three_card_poker"
    document_type = PokerDocument
    round_type = Round
    line_type = lines.PokerLine

    spell = staticmethod(legal.spell)
    check_bets = staticmethod(legal.check_bets)
    first_seat = staticmethod(play.first_seat)
    chance = staticmethod(play.chance)
    apply = staticmethod(play.apply)
    deciding = staticmethod(play.deciding)
    moves = staticmethod(play.moves)
    view = staticmethod(play.view)
    from_line = staticmethod(lines.from_line)
    to_line = staticmethod(lines.to_line)

    def check(self, document: PokerDocument, /) -> Iterator[Finding]:
        """Yield everything wrong with a document whose shape is right."""
        return check_poker(document)

    def compile(self, document: PokerDocument, /) -> PokerRulebook:
        """Return the rulebook that a checked document means."""
        return compile_poker(document, self)

    def places(self, book: PokerRulebook, /) -> Places:
        """Return a place for each seat, and one for the banker where a player banks."""
        places = book.seats + 1 if book.bank else book.seats
        return Places(places, places, places)

    def least_bank(self, book: PokerRulebook, /) -> int:
        """Return the least Ante: a bank that covers less covers nobody."""
        return book.limits["ante"].min

    def banker_fee(self, book: PokerRulebook, bets: Bets, /) -> int:
        """Return the fee of the Player/Dealer: once, at the rate of the largest Ante (CA-7)."""
        if book.fees is None:
            return 0
        antes = [bet.cents for made in bets.values() for bet in made if bet.spot == "ante"]
        return book.fees.banker_fee(max(antes)) if antes else 0

    def bot_bets(self, book: PokerRulebook, stack: int, whims: Whims, /) -> tuple[Bet, ...]:
        """Return an Ante of one to three times the least, and now and then a side bet."""
        terms, antes = book.betting, book.betting.of("ante")
        if not antes.ranges:
            return ()
        least = antes.ranges[0].min
        ante = least * whims.choice((1, 1, 2, 3))
        if antes.find(ante) is None or stack < terms.cost([("ante", ante)]):
            ante = least
        stakes = [("ante", ante)]
        if stack < terms.cost(stakes):
            return ()
        for side in book.side_bets:
            for row in terms.of(side.name).ranges[:1]:
                more = [*stakes, (side.name, row.min)]
                if whims.random() < 0.4 and terms.cost(more) <= stack and terms.fits(more):
                    stakes = more
        return tuple([Bet(spot, cents) for spot, cents in stakes])

    def start(
        self, book: PokerRulebook, bets: Bets, /, *, bank: int | None = None, first: int = 1
    ) -> Round:
        """Return a round with its wagers made, seats in order."""
        seats = [
            seat_of_stakes(seat, {bet.spot: bet.cents for bet in bets[seat]})
            for seat in sorted(bets)
        ]
        return Round(tuple(seats), bank, first)

    def hand(self, round: Round, seat: int, /) -> tuple[int, ...] | None:
        """Return the cards of a seat, which only its player may see."""
        for other in round.seats:
            if other.seat == seat:
                return other.cards
        return None

    def settle(self, book: PokerRulebook, round: Round, /) -> SettledRound:
        """Return every amount a finished round moves, with its clause."""
        if isinstance(round, EnteredRound):
            return irregular_settlement.settle(book, round)
        return settlement.settle(book, round)

    def held(self, book: PokerRulebook, settled: Settled, /) -> Round | None:
        """Return ``None``: every wager is settled in its own round."""
        return None

    def amended(
        self, book: PokerRulebook, round: Round, bets: Bets, moves: Mapping[int, Move], /
    ) -> Round | None:
        """Return a finished round with other bets or moves of some seats, every rule checked."""
        changed = [_amended(row, bets.get(row.seat), moves.get(row.seat)) for row in round.seats]
        seats = tuple([seat for seat in changed if seat is not None])
        amended = play.complete(book, replace(round, seats=seats)) if seats else None
        for number, made in bets.items():
            if made:
                legal.check_bets(book, number, made)
        return amended

    def complete(self, book: PokerRulebook, round: Round, /) -> Round:
        """Return a finished round that was written down whole, every rule checked."""
        if isinstance(round, EnteredRound):
            sentence = "irregularities are read from the settle format only: give a mapping"
            raise IllegalRound("round.entered", sentence)
        return play.complete(book, round)

    def without(self, round: Round, seats: set[int], /) -> Round | None:
        """Return a round without some seats; ``None`` if no seat is left."""
        rest = tuple([seat for seat in round.seats if seat.seat not in seats])
        return replace(round, seats=rest) if rest else None

    def describe(
        self, book: PokerRulebook, name: str, round: Round, settled: Settled, /
    ) -> Iterator[str]:
        """Yield the lines of a settled round as a dealer would tell it."""
        if not isinstance(settled, SettledRound):
            raise IllegalRound("round.game", f"this is not a round of {book.title}")
        if isinstance(round, EnteredRound):
            return irregular_text.describe(book, name, round, settled)
        return text.describe(book, name, round, settled)


def _amended(seat: Seat, bets: Sequence[Bet] | None, move: Move | None) -> Seat | None:
    """Return a seat with other bets or another move; ``None`` if it has no bets."""
    if bets is not None:
        stakes = {bet.spot: bet.cents for bet in bets}
        seat = replace(seat_of_stakes(seat.seat, stakes), cards=seat.cards, move=seat.move)
    if move is not None and not seat.ante:
        raise IllegalRound("move.needless", f"seat {seat.seat} has a move but no ante")
    if not any(cents for _, cents in seat.stakes):
        return None
    return replace(seat, move=(move or seat.move) if seat.ante else None)
