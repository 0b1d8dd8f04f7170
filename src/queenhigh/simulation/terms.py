"""What is asked of a simulation, in a caller's words, and the plan that it means."""

import secrets
from collections.abc import Sequence
from typing import TypedDict

from queenhigh.errors import QueenhighError
from queenhigh.games.policy import Policy
from queenhigh.games.roulette import Wager
from queenhigh.games.three_card_poker import Seat
from queenhigh.money import amount_each
from queenhigh.rulebook.book import PokerRulebook, RouletteRulebook, Rulebook
from queenhigh.sampling.plan import Plan, PokerPlan, RoulettePlan, plan_bets, plan_table
from queenhigh.simulation.policies import find_policy

__all__ = ["Terms", "make_plan"]


class Terms(TypedDict, total=False):
    """The table of a simulation, amounts in cents. What is left out has its plainest value.

    Three Card Poker has ``seats``, and one ``ante`` and ``bonus`` for all of them or one for each;
    a ``bank``, endless if left out; and a ``policy`` or the name of one. Roulette has ``bets`` and
    a ``stake`` for each. A ``seed`` is drawn if none is given.
    """

    seats: int
    ante: int | Sequence[int]
    bonus: int | Sequence[int]
    bank: int
    policy: str | Policy
    bets: Sequence[str]
    stake: int
    seed: int


_POKER = ("seats", "ante", "bonus", "bank", "policy")
_ROULETTE = ("bets", "stake")
_NUMBERS = ("seats", "ante", "bonus", "bank", "stake", "seed")


def _is_whole(value: object) -> bool:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return all(map(_is_whole, value))
    return isinstance(value, int) and not isinstance(value, bool)


def make_plan(book: Rulebook, terms: Terms) -> Plan:
    """Return the plan that some terms mean under a rulebook."""
    known = ("seed", *(_POKER if isinstance(book, PokerRulebook) else _ROULETTE))
    for name, value in terms.items():
        if name not in known:
            told = f"{book.title} has no {name}: its terms are {', '.join(known)}"
            raise QueenhighError("simulate.terms", told)
        if name in _NUMBERS and not _is_whole(value):
            raise QueenhighError("simulate.terms", f"{name} is no whole number: {value!r:.30}")
    seed = terms["seed"] if "seed" in terms else secrets.randbelow(10**9)
    if isinstance(book, PokerRulebook):
        return _table(book, terms, seed)
    assert isinstance(book, RouletteRulebook)
    return _bets(book, terms, seed)


def _table(book: PokerRulebook, terms: Terms, seed: int) -> PokerPlan:
    antes, bonuses = terms.get("ante", book.limits["ante"].min), terms.get("bonus", 0)
    listed = [len(each) for each in (antes, bonuses) if not isinstance(each, int)]
    seats = terms.get("seats", max(listed, default=1))
    if not 1 <= seats <= book.seats:
        told = f"a table has 1 to {book.seats} seats, not {seats}"
        raise QueenhighError("simulate.seats", told)
    pair_plus = bool(book.side_bets) and book.side_bets[0].name == "pair_plus"
    stakes = zip(
        amount_each("ante", antes, seats), amount_each("bonus", bonuses, seats), strict=True
    )
    wagers = [
        Seat(place, ante, 0 if pair_plus else bonus, bonus if pair_plus else 0)
        for place, (ante, bonus) in enumerate(stakes, 1)
    ]
    policy = terms.get("policy", "best")
    found = find_policy(book, policy) if isinstance(policy, str) else policy
    return plan_table(book, wagers, bank=terms.get("bank"), policy=found, seed=seed)


def _bets(book: RouletteRulebook, terms: Terms, seed: int) -> RoulettePlan:
    """Return the plan of some bets; of one of each kind if none is named.

    A number alone is a straight bet on it.
    """
    named: dict[str, str] = {}
    for text, spot in book.spots.items():
        named.setdefault(spot.bet, text)
    bets = terms.get("bets") or list(named.values())
    texts = [f"straight {bet}" if bet in book.places else bet for bet in bets]
    stake = terms.get("stake", _least_stake(book))
    return plan_bets(book, [Wager(text, stake) for text in texts], seed=seed)


def _least_stake(book: RouletteRulebook) -> int:
    """Return the least stake that any bet may have, halved on a zero or not."""
    step = book.increment
    stake = -(-book.limits.min // step) * step
    return stake + step if book.zero and book.zero.halves and stake % 2 else stake
