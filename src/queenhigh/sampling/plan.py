"""What is to be sampled: a rulebook, the wagers, the bank, the policy and the seed."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from typing import TypeAlias

from queenhigh.cards import HAND_CLASSES
from queenhigh.errors import IllegalRound, QueenhighError
from queenhigh.games import roulette, three_card_poker
from queenhigh.games.game import Move
from queenhigh.games.policy import HANDS, UPS, Policy
from queenhigh.games.roulette import Spin, Wager
from queenhigh.games.three_card_poker import Round, Seat
from queenhigh.money import dollars
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook
from queenhigh.sampling.words import SEEDS

__all__ = ["CASES", "FOLDED", "OUTCOMES", "Account", "Plan", "PokerPlan", "RoulettePlan",
           "most_rounds", "plan_bets", "plan_table"]  # fmt: skip

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


def _accounts(possible: Sequence[Sequence[int]], bank: int | None) -> tuple[Account, ...]:
    """Return the accounts of the seats, then the banker's, from amounts that make up results.

    Their unit is the largest amount that every result is a multiple of.
    """
    unit = gcd(bank or 0, *(amount for seat in possible for amount in seat)) or 1
    ranges = [(min(0, *seat), max(0, *seat)) for seat in possible]
    low, high = (sum(ends) for ends in zip(*ranges, strict=True))
    if bank is not None:
        low, high = max(low, -bank), min(high, bank)
    accounts = tuple(Account(a, b, unit) for a, b in [*ranges, (-high, -low)])
    different = sum(account.bins for account in accounts)
    if different > _MOST_RESULTS:
        told = (
            f"this table has {different:,} different results, too many to count, since its amounts"
            f" share no unit larger than {dollars(unit)}: choose lower or rounder stakes and bank"
        )
        raise QueenhighError("simulate.results", told)
    return accounts


@dataclass(frozen=True, eq=False)
class PokerPlan:
    """A table of Three Card Poker. ``bank`` is ``None`` where it covers whatever may come.

    ``posted`` is the bank that was asked for, if one was, whether it covers everything or not.
    """

    book: PokerRulebook
    seats: tuple[Seat, ...]
    bank: int | None
    policy: Policy
    seed: int
    posted: int | None = None

    @cached_property
    def opened(self) -> Round:
        """The round before the cards, its wagers made; the bank large enough if it has no end."""
        bank = None if self.book.bank is None else self.bank or self.most_action + 1
        return three_card_poker.open(self.book, self.seats, bank=bank)

    @cached_property
    def dues(self) -> tuple[tuple[tuple[int, ...], ...], ...]:
        """What each wager is due, in settlement's order: by seat and by outcome."""
        return tuple(_dues_by_outcome(self.book, seat) for seat in self.seats)

    @cached_property
    def accounts(self) -> tuple[Account, ...]:
        """The accounts of the seats, then the banker's.

        A bank that runs out may cover all a seat wins and nothing of what it loses, or the reverse.
        """
        possible = [
            {sum(due for due in dues if due > 0) for dues in seat}
            | {sum(due for due in dues if due < 0) for dues in seat}
            | {due for dues in seat for due in dues}
            for seat in self.dues
        ]
        return _accounts([list(seat) for seat in possible], self.bank)

    @cached_property
    def most_action(self) -> int:
        """The most cents that can change hands in a round."""
        return sum(max(sum(map(abs, dues)) for dues in seat) for seat in self.dues)


def _dues_by_outcome(book: PokerRulebook, seat: Seat) -> tuple[tuple[int, ...], ...]:
    outcomes = []
    for kind in range(len(HAND_CLASSES)):
        royal = len(book.ranking.classes) - 1
        strength = book.ranking.classes.index(kind) if kind < len(HAND_CLASSES) - 1 else royal
        for case in range(CASES):
            move: Move | None = None if not seat.ante else "play" if case < FOLDED else "fold"
            one = Seat(seat.seat, seat.ante, seat.bonus, seat.pair_plus, None, move)
            rows = three_card_poker.dues(book, one, strength, min(case, FOLDED - 1))
            outcomes.append(tuple(due for _, _, due, _ in rows))
    return tuple(outcomes)


@dataclass(frozen=True, eq=False)
class RoulettePlan:
    """Bets on a wheel, which are made anew each round and spun for until none is held."""

    book: RouletteRulebook
    wagers: tuple[Wager, ...]
    seed: int

    @cached_property
    def opened(self) -> Spin:
        """The spin before the ball, its wagers made."""
        return roulette.open(self.book, self.wagers)

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


Plan: TypeAlias = PokerPlan | RoulettePlan


def plan_table(
    book: PokerRulebook, seats: Sequence[Seat], *, bank: int | None, policy: Policy, seed: int
) -> PokerPlan:
    """Return the plan of a table, its wagers, bank and seed checked."""
    _check_seed(seed)
    if bank is not None and book.bank is None:
        raise IllegalRound("bank.needless", "the house banks here: leave the bank out")
    if bank is not None and book.bank is not None and bank < 1:
        raise IllegalRound("bank.range", "the bank is less than one cent", clause=book.bank.clause)
    if policy.plays.shape != (len(UPS[book.up]), len(HANDS)):
        told = f"the policy {policy.name} is for a game with other up cards"
        raise QueenhighError("policy.up", told)
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
    """Open the round once and work out its accounts: whatever is wrong is told by them."""
    _ = plan.opened, plan.accounts


def most_rounds(plan: Plan) -> int:
    """Return how many rounds can be added up before a sum might not fit into 64 bits."""
    amounts = [sum(account.bins for account in plan.accounts)]
    if isinstance(plan, PokerPlan) and plan.book.fees:
        amounts += [4 * rate.player + rate.banker for rate in plan.book.fees.rates]
    return 2**62 // max(amounts)


def _check_seed(seed: int) -> None:
    if not 0 <= seed < SEEDS:
        raise QueenhighError("simulate.seed", f"a seed is a whole number from 0 to {SEEDS - 1}")
