"""The plan of a simulation: a rulebook, the wagers, the bank, the policy and the seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd
from typing import NamedTuple, Protocol, TypeAlias

from msgspec.structs import replace

from queenhigh.cards import HAND_CLASSES
from queenhigh.errors import IllegalRound, QueenhighError
from queenhigh.game import GameRound, Move, SettledRound, View
from queenhigh.games import roulette, three_card_poker
from queenhigh.games.policy import HANDS, UPS, Policy
from queenhigh.games.roulette import Spin, Wager
from queenhigh.games.three_card_poker import Round, Seat
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.simulation.engines.splitmix import SEEDS

__all__ = [
    "CASES",
    "FOLDED",
    "OUTCOMES",
    "Account",
    "DueWager",
    "FastPlan",
    "Plan",
    "PokerPlan",
    "RoulettePlan",
    "most_rounds",
    "plan_bets",
    "plan_table",
]

#: An outcome of a seat is ``CASES * kind + case``: its class of hand, and one of the six cases of
#: the settlement table, or a fold.
CASES = 8
FOLDED = 6
OUTCOMES = 8 * CASES

#: Beyond so many different results a tally would not fit into memory.
_MOST_RESULTS = 2**23


@dataclass(frozen=True, slots=True)
class Account:
    """The results one seat or the banker can have: whole steps of ``unit`` cents from ``low``."""

    low: int
    high: int
    unit: int

    @property
    def bins(self) -> int:
        """How many results there may be."""
        return (self.high - self.low) // self.unit + 1

    def bin(self, cents: int) -> int:
        """Return the place of a result."""
        return (cents - self.low) // self.unit


def _accounts(
    possible: Sequence[Sequence[int]], bank: int | None, forfeits: int = 0
) -> tuple[Account, ...]:
    """Return the accounts of the seats, then the banker's, from amounts that make up results.

    Their unit is the largest amount that every result is a multiple of. A banker wins no more than
    the bank, and the forfeits that it takes whatever is left of it.
    """
    unit = gcd(bank or 0, *(amount for seat in possible for amount in seat)) or 1
    ranges = [(min(0, *seat), max(0, *seat)) for seat in possible]
    low, high = (sum(ends) for ends in zip(*ranges, strict=True))
    if bank is not None:
        low, high = max(low, -bank - forfeits), min(high, bank)
    accounts = tuple(Account(a, b, unit) for a, b in [*ranges, (-high, -low)])
    different = sum(account.bins for account in accounts)
    if different > _MOST_RESULTS:
        sentence = (
            f"this table has {different:,} different results, too many to count:"
            f" choose lower or rounder stakes and bank (their common unit is {dollars(unit)})"
        )
        raise QueenhighError("simulate.results", sentence)
    return accounts


class Plan(Protocol):
    """The plan of a simulation: everything but the number of rounds."""

    @property
    def book(self) -> Rulebook:
        """The rules."""

    @property
    def seed(self) -> int:
        """The seed of all random draws."""

    @property
    def accounts(self) -> tuple[Account, ...]:
        """The results that the seats or bets can have, then the banker's."""

    @property
    def errors(self) -> Fraction:
        """The share of moves that seats get wrong."""

    def start(self, first: int, /) -> GameRound:
        """Return the round before anything is drawn; action starts at a seat."""

    def decide(self, seen: View, seat: int, /, *, errs: bool) -> Move:
        """Return the move of a seat that sees so much."""

    def returned(self, round: GameRound, settled: SettledRound, /) -> list[int]:
        """Return the amount that each seat got back because the bank ran out."""


@dataclass(frozen=True, eq=False)
class PokerPlan:
    """A table of Three Card Poker. ``bank`` is ``None`` where it covers every outcome.

    ``posted`` is the bank that was asked for, if one was, whether it covers everything or not.
    """

    book: PokerRulebook
    seats: tuple[Seat, ...]
    bank: int | None
    policy: Policy
    seed: int
    posted: int | None = None
    #: Whether results are of seats, which may play, run out of bank and pay fees.
    seated = True

    @property
    def errors(self) -> Fraction:
        """The share of moves that seats get wrong."""
        return self.policy.errors

    @property
    def unit(self) -> int:
        """One unit in cents: the first seat's Ante, or the first stake there is."""
        seat = self.seats[0]
        return seat.ante or seat.bonus or seat.pair_plus

    def name(self, place: int) -> str:
        """Return the name of a row of results."""
        return f"seat {self.seats[place].seat}"

    def decides(self, place: int) -> bool:
        """Return whether a seat has anything to decide."""
        return self.seats[place].ante > 0

    def terms(self) -> dict[str, object]:
        """Return the terms of the whole table, for JSON."""
        return {"bank": self.posted, "policy": self.policy.name}

    def stakes(self, place: int) -> dict[str, object]:
        """Return the wagers of a seat, for JSON."""
        seat = self.seats[place]
        return {"seat": seat.seat, "ante": seat.ante, "bonus": seat.bonus or seat.pair_plus}

    @cached_property
    def opened(self) -> Round:
        """The round before the cards, its wagers made; the bank large enough if it has no end."""
        bank = None if self.book.bank is None else self.bank or self.most_action + 1
        return three_card_poker.open(self.book, self.seats, bank=bank)

    def start(self, first: int, /) -> Round:
        """Return the round before the cards."""
        return replace(self.opened, first=first)

    def decide(self, seen: View, seat: int, /, *, errs: bool) -> Move:
        """Return the move of a seat by the policy."""
        hand = next(shown.cards for shown in seen.seats if shown.seat == seat)
        if hand is None or len(hand) != 3:
            raise IllegalRound("cards.count", f"seat {seat} has no hand to decide on")
        up = tuple(card for card in seen.dealer if card is not None)
        return self.policy.move((hand[0], hand[1], hand[2]), up, errs=errs)

    def returned(self, round: GameRound, settled: SettledRound, /) -> list[int]:
        """Return the amount that each seat got back because the bank ran out."""
        if not isinstance(round, Round) or round.bank is None:
            return [0] * len(settled.seats)
        endless = replace(round, bank=self.most_action + 1)
        covered = three_card_poker.settle(self.book, endless)
        return [
            sum(full.action - got.action for full, got in zip(a.wagers, b.wagers, strict=True))
            for a, b in zip(covered.seats, settled.seats, strict=True)
        ]

    @cached_property
    def due_wagers(self) -> tuple[tuple[tuple["DueWager", ...], ...], ...]:
        """The wagers and their dues, in the order of the game: by seat and by outcome."""
        return tuple(_dues_by_outcome(self.book, seat) for seat in self.seats)

    @cached_property
    def dues(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """The dues of each wager: by seat and by outcome."""
        return tuple(
            tuple(tuple(wager.due for wager in wagers) for wagers in seat)
            for seat in self.due_wagers
        )

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """The accounts of the seats, then the banker's.

        A bank that runs out may cover all of a seat's wins and none of its losses, or the reverse.
        Forfeits that need no cover come on top of it.
        """
        possible = [
            {sum(due for due in dues if due > 0) for dues in seat}
            | {sum(due for due in dues if due < 0) for dues in seat}
            | {due for dues in seat for due in dues}
            for seat in self.dues
        ]
        taken = sum(
            max(sum(-wager.due for wager in wagers if wager.is_taken) for wagers in seat)
            for seat in self.due_wagers
        )
        return _accounts([list(seat) for seat in possible], self.bank, taken)

    @cached_property
    def most_action(self) -> int:
        """The most cents that can change hands in a round."""
        return sum(max(sum(map(abs, dues)) for dues in seat) for seat in self.dues)


class DueWager(NamedTuple):
    """A wager and its due; ``is_taken`` if a fold loses it whatever is left of the bank (CA-20)."""

    name: str
    due: int
    is_taken: bool


def _dues_by_outcome(book: PokerRulebook, seat: Seat) -> tuple[tuple[DueWager, ...], ...]:
    takes_folds = book.bank is not None and book.bank.fold_uncovered == "lost"
    outcomes = []
    for kind in range(len(HAND_CLASSES)):
        royal = len(book.ranking.classes) - 1
        strength = book.ranking.classes.index(kind) if kind < len(HAND_CLASSES) - 1 else royal
        for case in range(CASES):
            move: Move | None = None if not seat.ante else "play" if case < FOLDED else "fold"
            decided = Seat(seat.seat, seat.ante, seat.bonus, seat.pair_plus, None, move)
            rows = three_card_poker.dues(book, decided, strength, min(case, FOLDED - 1))
            outcomes.append(
                tuple(
                    DueWager(name, due, takes_folds and forfeited)
                    for name, _, due, _, forfeited in rows
                )
            )
    return tuple(outcomes)


@dataclass(frozen=True, eq=False)
class RoulettePlan:
    """Bets on a wheel, which are made again each round and spun for until none is held."""

    book: RouletteRulebook
    wagers: tuple[Wager, ...]
    seed: int

    errors = Fraction(0)
    seated = False

    @property
    def unit(self) -> int:
        """One unit in cents: the first stake."""
        return self.wagers[0].stake

    def name(self, place: int) -> str:
        """Return the name of a row of results."""
        return self.wagers[place].bet

    def decides(self, place: int) -> bool:
        """Return false: there is nothing to decide."""
        return False

    def terms(self) -> dict[str, object]:
        """Return nothing: a wheel has no bank and no policy."""
        return {}

    def stakes(self, place: int) -> dict[str, object]:
        """Return a bet, for JSON."""
        wager = self.wagers[place]
        return {"seat": place + 1, "bet": wager.bet, "stake": wager.stake}

    @cached_property
    def opened(self) -> Spin:
        """The spin before the ball, its wagers made."""
        return roulette.open(self.book, self.wagers)

    def start(self, first: int, /) -> Spin:
        """Return the spin before the ball."""
        return self.opened

    def decide(self, seen: View, seat: int, /, *, errs: bool) -> Move:
        """Refuse: there is nothing to decide."""
        raise IllegalRound("move.none", "roulette has nothing to decide")

    def returned(self, round: GameRound, settled: SettledRound, /) -> list[int]:
        """Return nothing for each seat: the house has no end."""
        return [0] * len(settled.seats)

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """The accounts of the bets, then the banker's."""
        halves = self.book.zero is not None and self.book.zero.halves
        possible = []
        for wager in self.wagers:
            spot = roulette.find_spot(self.book, wager.bet)
            half = -(wager.stake // 2) if halves and spot.even_money else 0
            possible.append((spot.pays.on(wager.stake), -wager.stake, half))
        return _accounts(possible, None)


#: The plans that the compiled engines know.
FastPlan: TypeAlias = PokerPlan | RoulettePlan


def plan_table(
    book: PokerRulebook, seats: Sequence[Seat], *, bank: int | None, policy: Policy, seed: int
) -> PokerPlan:
    """Return the plan of a table, its wagers, bank and seed checked."""
    _check_seed(seed)
    if bank is not None and book.bank is None:
        raise IllegalRound("bank.needless", "the house banks here: remove the bank")
    if bank is not None and book.bank is not None and bank < 1:
        raise IllegalRound("bank.range", "the bank is less than one cent", clause=book.bank.clause)
    if policy.plays.shape != (len(UPS[book.up]), len(HANDS)):
        sentence = f"the policy {policy.name} is for a game with a different number of up cards"
        raise QueenhighError("policy.up", sentence)
    plan = PokerPlan(book, tuple(seats), None, policy, seed, bank)
    if bank is not None and bank <= plan.most_action:
        plan = PokerPlan(book, tuple(seats), bank, policy, seed, bank)
    _check(plan)
    return plan


def plan_bets(book: RouletteRulebook, wagers: Sequence[Wager], *, seed: int) -> RoulettePlan:
    """Return the plan of some bets, each checked."""
    _check_seed(seed)
    plan = RoulettePlan(book, tuple(wagers), seed)
    _check(plan)
    return plan


def _check(plan: Plan) -> None:
    """Open the round once and work out its accounts: they report whatever is wrong."""
    _ = plan.start(1), plan.accounts


def most_rounds(plan: Plan) -> int:
    """Return how many rounds can be added up before a sum might not fit into 64 bits."""
    amounts = [sum(account.bins for account in plan.accounts)]
    if plan.book.fees:
        amounts += [4 * rate.player + rate.banker for rate in plan.book.fees.rates]
    return 2**62 // max(amounts)


def _check_seed(seed: int) -> None:
    if not 0 <= seed < SEEDS:
        raise QueenhighError("simulate.seed", f"a seed is a whole number from 0 to {SEEDS - 1}")
