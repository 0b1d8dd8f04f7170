"""High Card against the house: one wager, one card each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from msgspec.structs import replace

from queenhigh.cards import DECK, format_cards, parse_cards
from queenhigh.errors import IllegalRound
from queenhigh.game import (
    Bet,
    Bets,
    Deal,
    Dealt,
    GameRound,
    Move,
    Places,
    Settled,
    SettledRound,
    SettledSeat,
    SettledWager,
    Step,
    View,
    Whims,
)
from queenhigh.money import dollars
from queenhigh.rulebook.book import Limits
from queenhigh.rulebook.checks import check_clauses, check_limits
from queenhigh.rulebook.compile import header, with_digest
from queenhigh.rulebook.problem import Finding
from queenhigh.simulation.engines.plan import Account
from tests.games.high_card.values import (
    HighCardBook,
    HighCardDocument,
    HighCardLine,
    Round,
    Seat,
)

__all__ = ["HighCard", "HighCardBook", "HighCardPlan"]


class HighCard:
    """The game."""

    name = "high_card"
    document_type = HighCardDocument
    round_type = Round
    line_type = HighCardLine

    # Its rulebooks

    def check(self, document: HighCardDocument, /) -> Iterator[Finding]:
        yield from check_clauses(document)
        yield from check_limits(document.limits, ("limits",), document)

    def compile(self, document: HighCardDocument, /) -> HighCardBook:
        limits = document.limits
        book = HighCardBook(
            **header(document, self),
            seats=document.seats,
            limits=Limits(limits.min, limits.max, limits.clause),
            tie=document.tie,
            tie_clause=document.tie_clause,
        )
        return with_digest(book)

    # Its tables

    def places(self, book: HighCardBook, /) -> Places:
        return Places(book.seats, book.seats, book.seats)

    def least_bank(self, book: HighCardBook, /) -> int:
        return 1

    def spell(self, book: HighCardBook, bets: Sequence[Bet], /) -> tuple[Bet, ...]:
        return tuple(bets)

    def check_bets(self, book: HighCardBook, seat: int, bets: Sequence[Bet], /) -> None:
        if [bet.spot for bet in bets] != ["bet"]:
            raise IllegalRound("wager.unknown", "there is one bet in this game, and it is `bet`")
        least, most, clause = book.limits
        if not least <= bets[0].cents <= most or bets[0].cents % book.increment:
            raise IllegalRound("wager.limits", "this bet is outside the limits", clause=clause)

    def banker_fee(self, book: HighCardBook, bets: Bets, /) -> int:
        return 0

    def bot_bets(self, book: HighCardBook, stack: int, whims: Whims, /) -> tuple[Bet, ...]:
        stake = book.limits.min * whims.choice((1, 2, 5))
        return (Bet("bet", stake),) if stack >= stake else ()

    # A round

    def start(
        self, book: HighCardBook, bets: Bets, /, *, bank: int | None = None, first: int = 1
    ) -> Round:
        for seat, made in bets.items():
            self.check_bets(book, seat, made)
        return Round(tuple(Seat(seat, bets[seat][0].cents) for seat in sorted(bets)))

    def first_seat(self, book: HighCardBook, previous: int | None, /) -> int | None:
        return 1

    def chance(self, book: HighCardBook, round: Round, /) -> Deal | None:
        return Deal(len(round.seats) + 1, each=1) if round.dealer is None else None

    def deciding(self, book: HighCardBook, round: Round, /) -> Sequence[int]:
        return ()

    def moves(self, book: HighCardBook, round: Round, seat: int, /) -> tuple[Move, ...]:
        return ()

    def apply(self, book: HighCardBook, round: Round, step: Step, /) -> Round:
        if not isinstance(step, Dealt) or len(step.cards) != len(round.seats) + 1:
            raise IllegalRound("deal.cards", "this is not the deal the round is waiting for")
        if len(set(step.cards)) != len(step.cards) or not set(step.cards) <= set(DECK):
            raise IllegalRound("cards.twice", "a card is dealt twice, or is none")
        *cards, dealer = step.cards
        pairs = zip(round.seats, cards, strict=True)
        return Round(tuple(replace(seat, cards=(card,)) for seat, card in pairs), dealer)

    def settle(self, book: HighCardBook, round: Round, /) -> SettledRound:
        if round.dealer is None:
            raise IllegalRound("round.unfinished", "the cards are not dealt")
        rows = tuple(self._settle(book, seat, round.dealer) for seat in round.seats)
        return SettledRound(rows, -sum(row.net for row in rows))

    def _settle(self, book: HighCardBook, seat: Seat, dealer: int) -> SettledSeat:
        card = (seat.cards or (0,))[0]
        higher = (card >> 2 > dealer >> 2) - (card >> 2 < dealer >> 2)
        tied = -1 if book.tie == "lose" else 0
        net = seat.bet * (higher or tied)
        clause = "HC-2" if higher else book.tie_clause
        return SettledSeat(seat.seat, (SettledWager("bet", seat.bet, net, abs(net), clause),), net)

    def held(self, book: HighCardBook, settled: Settled, /) -> Round | None:
        return None

    def hand(self, round: Round, seat: int, /) -> tuple[int, ...] | None:
        return next((other.cards for other in round.seats if other.seat == seat), None)

    def view(self, book: HighCardBook, round: Round, seat: int | None = None, /) -> View:
        """Return everything: the round is over as soon as the cards lie."""
        return View(seat, round.seats, () if round.dealer is None else (round.dealer,))

    # In words

    def from_line(self, book: HighCardBook, line: HighCardLine, /) -> Round:
        seats = [Seat(row.seat, row.bet, parse_cards(row.card)) for row in line.seats]
        (dealer,) = parse_cards(line.dealer)
        return self.complete(book, Round(tuple(seats), dealer))

    def complete(self, book: HighCardBook, round: Round, /) -> Round:
        for seat in round.seats:
            self.check_bets(book, seat.seat, (Bet("bet", seat.bet),))
        return round

    def to_line(
        self, book: HighCardBook, round: Round, players: Mapping[int, str], /
    ) -> dict[str, object]:
        seats = [
            {"seat": seat.seat, "bet": seat.bet, "card": format_cards(seat.cards or ())}
            for seat in round.seats
        ]
        return {"dealer": format_cards((round.dealer or 0,)), "seats": seats}

    def without(self, round: Round, seats: set[int], /) -> Round | None:
        return round

    def describe(
        self, book: HighCardBook, name: str, round: Round, settled: Settled, /
    ) -> Iterator[str]:
        assert isinstance(settled, SettledRound)
        yield f"Round {name}: the dealer has {format_cards((round.dealer or 0,))}."
        for seat, row in zip(round.seats, settled.seats, strict=True):
            card = format_cards(seat.cards or ())
            net = dollars(row.net, signed=True)
            yield f"  Seat {seat.seat}: {card}: {net}  {row.wagers[0].clause}"
        yield f"  Banker {dollars(settled.banker, signed=True)}."


@dataclass(frozen=True, eq=False)
class HighCardPlan:
    """Seats that each bet the same, round after round."""

    book: HighCardBook
    stakes: tuple[int, ...]
    seed: int
    errors = Fraction(0)

    @property
    def accounts(self) -> tuple[Account, ...]:
        seats = [Account(-stake, stake, stake) for stake in self.stakes]
        total = sum(self.stakes)
        return (*seats, Account(-total, total, min(self.stakes)))

    def start(self, first: int, /) -> Round:
        bets = {seat: (Bet("bet", stake),) for seat, stake in enumerate(self.stakes, 1)}
        return HighCard().start(self.book, bets)

    def decide(self, seen: View, seat: int, /, *, errs: bool) -> Move:
        raise IllegalRound("move.none", "there is nothing to decide")

    def returned(self, round: GameRound, settled: SettledRound, /) -> list[int]:
        return [0] * len(settled.seats)
