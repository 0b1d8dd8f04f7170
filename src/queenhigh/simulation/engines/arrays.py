"""A plan as plain arrays, for engines that know nothing but numbers.

Amounts are in the plan's unit. A hand is a *key*: four bits each for its class and for the three
ranks that decide, so that comparing keys compares hands, and a key needs no table.
"""

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from queenhigh.cards import Ranking, ranking
from queenhigh.games.policy import HANDS, UPS
from queenhigh.simulation.engines.plan import CASES, OUTCOMES, PokerPlan
from queenhigh.simulation.engines.splitmix import output, refused_below
from queenhigh.simulation.engines.tally import Tally

__all__ = ["Array", "Arrays", "Counted", "arrays", "fill", "key", "keys_of"]

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array: TypeAlias = NDArray[np.integer[Any]]
else:  # numpy.typing is slow to load
    Array = Any


class Arrays(NamedTuple):
    """A Three Card Poker plan as arrays, for compiled engines."""

    #: Where the words of a round start: the seed, and the keys it gives, one for two words.
    seed: np.uint64
    word_keys: Array
    #: The draws of a round, a word each: three bounds, and the rest below which a word is refused.
    bounds: Array
    least: Array
    seats: int
    #: Whether the seat action starts at is drawn, or moves on by one seat each round.
    drawn: bool
    button: bool
    places: int
    #: Seats by the order they are settled in, a row for each seat that may be first.
    order: Array
    #: Of so many draws a seat errs on how many; the word it takes, or -1 if it does not decide.
    errors: tuple[int, int]
    error_words: Array
    ace_low: bool
    qualifying: int
    up: int
    #: By up cards: below the first key every hand folds, from the second on every hand plays.
    folds_below: Array
    plays_from: Array
    plays: Array
    #: The dues of each wager that the bank meets, by seat and outcome, in the order in which it
    #: meets those of a seat; their gains and losses; the sums of all dues.
    dues: Array
    wins: Array
    losses: Array
    nets: Array
    #: Whether the bank meets wagers in turns of their own, or takes forfeits that it need not meet.
    in_turns: bool
    #: A row for each seat that may be first: the seats and the wagers, by their turn.
    turns: Array
    #: By seat and outcome: what a fold loses whatever is left of the bank.
    taken: Array
    #: The bank in units; 0 if it has no end. Whether each amount uses it up, or only wins do.
    bank: int
    by_action: bool
    #: Where each account's results start in one row, and its lowest result in units.
    offsets: Array
    lows: Array


def key(kind: int, ranks: tuple[int, ...]) -> int:
    """Return the key of a hand by its class and the ranks that decide."""
    high, middle, low = {1: ranks * 3, 2: (ranks[0], *ranks), 3: ranks}[len(ranks)]
    return kind << 12 | high << 8 | middle << 4 | max(low, 0)


def keys_of(order: Ranking) -> Array:
    """Return the keys of all strengths, and one above them all."""
    keys = [key(*hand) for hand in zip(order.classes, order.ranks, strict=True)]
    return np.array([*keys, 1 << 15], dtype=np.uint16)


def arrays(plan: PokerPlan) -> Arrays:
    """Return a plan as arrays."""
    book, unit = plan.book, plan.accounts[0].unit
    bounds, error_words = _draws(plan)
    folds_below, plays_from = _strength_bounds(plan)
    names = _wagers_in_order(plan)
    dues, taken = _dues(plan, names)
    order = _order(plan)
    by_wager = book.bank is not None and book.bank.settle_order == "wager"
    sizes = [account.bins for account in plan.accounts]
    return Arrays(
        seed=np.uint64(plan.seed),
        word_keys=np.array(
            [output(plan.seed, index) for index in range(len(bounds) // 2)], dtype=np.uint64
        ),
        bounds=np.array(bounds, dtype=np.uint64),
        least=np.array([refused_below(*each) for each in bounds], dtype=np.uint64),
        seats=len(plan.seats),
        drawn=book.bank is not None and book.bank.first == "drawn",
        button=book.bank is not None and book.bank.first == "button",
        places=book.seats,
        order=order,
        errors=(plan.policy.errors.numerator, plan.policy.errors.denominator),
        error_words=np.array(error_words, dtype=np.int64),
        ace_low=book.ace_low,
        qualifying=int(keys_of(book.ranking)[book.qualifying_strength]),
        up=book.up,
        folds_below=folds_below,
        plays_from=plays_from,
        plays=np.array(plan.policy.plays),  # a copy: the original may be read-only
        dues=dues,
        wins=dues.clip(min=0).sum(axis=2),
        losses=-dues.clip(max=0).sum(axis=2),
        nets=(dues.sum(axis=2) - taken).astype(np.int32),
        in_turns=bool(taken.any()) or by_wager,
        turns=_turns(order, [_STAGES.get(name, 3) if by_wager else 0 for name in names]),
        taken=taken,
        bank=(plan.bank or 0) // unit,
        by_action=book.bank is not None and book.bank.coverage == "action",
        offsets=np.cumsum([0, *sizes], dtype=np.int64),
        lows=np.array([account.low // unit for account in plan.accounts], dtype=np.int64),
    )


def _draws(plan: PokerPlan) -> tuple[list[tuple[int, int, int]], list[int]]:
    """Return the bounds of each word of a round, and which word tells whether a seat errs."""
    hands = len(plan.seats) + 1
    bounds = [(52 - 3 * hand, 51 - 3 * hand, 50 - 3 * hand) for hand in range(hands)]
    if plan.book.bank and plan.book.bank.first == "drawn":
        bounds.append((plan.book.seats, 1, 1))
    errors, words = plan.policy.errors, []
    for seat in plan.seats:
        errs = bool(errors and seat.ante)
        words.append(len(bounds) if errs else -1)
        bounds += [(errors.denominator, 1, 1)] * errs
    return bounds + [(1, 1, 1)] * (len(bounds) % 2), words


def _strength_bounds(plan: PokerPlan) -> tuple[Array, Array]:
    """Return the keys below which all hands fold and from which on all play, by up cards."""
    book = plan.book
    keys = keys_of(book.ranking)
    by_strength, strengths, holding = _hands_by_strength(book.ace_low)
    folds_below, plays_from = [], []
    for up, plays in zip(UPS[book.up], plan.policy.plays, strict=True):
        there = ~holding[list(up)].any(axis=0)
        plays_there = (plays[by_strength] == 1) & there
        folds_there = there & ~plays_there
        first, last = plays_there.argmax(), len(strengths) - 1 - folds_there[::-1].argmax()
        folds_below.append(keys[strengths[first] if plays_there[first] else -1])
        plays_from.append(keys[strengths[last] + 1 if folds_there[last] else 0])
    return np.array(folds_below, dtype=np.uint16), np.array(plays_from, dtype=np.uint16)


@cache
def _hands_by_strength(ace_low: bool) -> tuple[Array, Array, Array]:
    """Return the order of all hands by strength, their strengths, and which hold each card."""
    order = ranking(ace_low)
    strengths = np.array([order.strength(hand) for hand in HANDS])
    by_strength = np.argsort(strengths, kind="stable")
    hands = np.array(HANDS)[by_strength]
    holding = (hands[None, :, :] == np.arange(52)[:, None, None]).any(axis=2)
    return by_strength, strengths[by_strength], holding


#: The place of wagers in the order of the game; side bets come after them.
_STAGES = {"ante": 0, "play": 1, "ante_bonus": 2}


def _order(plan: PokerPlan) -> Array:
    """Return the seats in action order, a row for each seat that may be first."""
    places, seats = [seat.seat for seat in plan.seats], plan.book.seats
    rows = [
        sorted(range(len(places)), key=lambda index: (places[index] - first) % seats)
        for first in range(1, seats + 1)
    ]
    return np.array(rows, dtype=np.int64)


def _wagers_in_order(plan: PokerPlan) -> list[str]:
    """Return the names of all wagers at the table, in the order in which a seat's are met."""
    met = {wager.name for seat in plan.due_wagers for wagers in seat for wager in wagers}
    names = [name for name in (*_STAGES, *(bet.name for bet in plan.book.side_bets)) if name in met]
    if plan.book.bank is not None and plan.book.bank.settle_order == "bonus_first":
        names.sort(key=lambda name: name in _STAGES)
    return names


def _turns(order: Array, stages: list[int]) -> Array:
    """Return the seat and the wager of each turn, from the stage that each wager is met in."""
    rows = []
    for seats in order.tolist():
        turns = [
            (stages[wager], turn, wager)
            for turn in range(len(seats))
            for wager in range(len(stages))
        ]
        rows.append([(seats[turn], wager) for _, turn, wager in sorted(turns)])
    return np.array(rows, dtype=np.int64)


def _dues(plan: PokerPlan, names: list[str]) -> tuple[Array, Array]:
    """Return the dues that the bank meets, by seat, outcome and wager, and what it takes.

    A bank without end meets everything.
    """
    unit = plan.accounts[0].unit
    table = np.zeros((len(plan.seats), OUTCOMES, len(names)), dtype=np.int64)
    taken = np.zeros((len(plan.seats), OUTCOMES), dtype=np.int64)
    for place, seat in enumerate(plan.due_wagers):
        for outcome, wagers in enumerate(seat):
            for name, due, is_taken in wagers:
                if is_taken and plan.bank is not None:
                    taken[place, outcome] -= due // unit
                else:
                    table[place, outcome, names.index(name)] = due // unit
    return table, taken


class Counted(NamedTuple):
    """The counts of a fast engine over some rounds."""

    #: Each seat's outcomes, in all and where the bank did not cover them.
    outcomes: Array
    uncovered: Array
    #: The units that came back to each seat for that reason.
    returned: Array
    #: The results of what was not covered, and the banker's, in one row; a banker with one seat and
    #: an endless bank is left to the seat's outcomes.
    results: Array
    #: One number: the rounds that used up the bank.
    exhausted: Array


def fill(plan: PokerPlan, rounds: int, counted: Counted) -> Tally:
    """Return the tally of rounds from an engine's counts."""
    outcomes, uncovered, returned, results, exhausted = counted
    tally = Tally(plan)
    tally.totals[:2] = rounds, exhausted[0]
    tally.returned[:] = returned
    book = plan.book
    for place, (seat, dues) in enumerate(zip(plan.seats, plan.dues, strict=True)):
        moved = outcomes[place, : len(dues)].reshape(-1, CASES)
        if seat.ante:
            tally.played[place] = moved[:, :6].sum()
        tally.uncovered[place] = uncovered[place].sum()
        if book.fees:
            fee, play_fee = book.betting.fee(seat.stakes), book.betting.reserve_fee(seat.stakes)
            tally.fees[place] = fee * rounds + play_fee * tally.played[place]
        account = plan.accounts[place]
        for outcome in np.flatnonzero(outcomes[place] - uncovered[place]).tolist():
            covered = outcomes[place, outcome] - uncovered[place, outcome]
            tally.results[place][account.bin(sum(dues[outcome]))] += covered
    if book.fees and book.bank:
        tally.totals[2] = book.fees.banker_fee(max(seat.ante for seat in plan.seats)) * rounds
    tally.numbers[-len(results) :] += results
    if plan.bank is None and len(plan.seats) == 1:
        tally.results[1][:] = tally.results[0][::-1]
    return tally
