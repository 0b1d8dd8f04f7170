"""The terms of a simulation as a caller gives them, and the plan made from them."""

import secrets
from collections.abc import Sequence
from typing import TypedDict, cast

from queenhigh.errors import QueenhighError
from queenhigh.games.policy import Policy
from queenhigh.games.roulette import Wager, own_name
from queenhigh.games.three_card_poker import Seat
from queenhigh.money import amount_each
from queenhigh.rulebook.book import PokerRulebook, Rulebook
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.simulation.engines.plan import (
    FastPlan,
    PokerPlan,
    RoulettePlan,
    plan_bets,
    plan_table,
)
from queenhigh.simulation.policy_file import find_policy

__all__ = ["Terms", "make_plan", "make_table_plan"]


class Terms(TypedDict, total=False):
    """The table of a simulation, amounts in cents. Missing terms have their simplest value.

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


#: The terms of each game.
_TERMS = {
    "three_card_poker": ("seats", "ante", "bonus", "bank", "policy"),
    "roulette": ("bets", "stake"),
}
_NUMBERS = ("seats", "ante", "bonus", "bank", "stake", "seed")


def _is_whole(value: object) -> bool:
    if isinstance(value, Sequence) and not isinstance(value, str):
        return all(map(_is_whole, value))
    return isinstance(value, int) and not isinstance(value, bool)


def make_plan(book: Rulebook, terms: Terms) -> FastPlan:
    """Return the plan that some terms mean under a rulebook."""
    if isinstance(book, PokerRulebook):
        return make_table_plan(book, terms)
    seed = _checked_seed(book, terms)
    return _bets(cast("RouletteRulebook", book), terms, seed)


def make_table_plan(book: PokerRulebook, terms: Terms) -> PokerPlan:
    """Return the plan that some terms mean for a table of Three Card Poker."""
    return _table(book, terms, _checked_seed(book, terms))


def _checked_seed(book: Rulebook, terms: Terms) -> int:
    """Return the seed, drawn if none is given; refuse terms that the game does not have."""
    if book.game.name not in _TERMS:
        raise QueenhighError("simulate.game", f"{book.title} cannot be simulated this way")
    known = ("seed", *_TERMS[book.game.name])
    for name, value in terms.items():
        if name not in known:
            sentence = f"{book.title} has no {name}: its options are {', '.join(known)}"
            raise QueenhighError("simulate.terms", sentence)
        if name in _NUMBERS and not _is_whole(value):
            raise QueenhighError("simulate.terms", f"{name} is not a whole number: {value!r:.30}")
    return terms["seed"] if "seed" in terms else secrets.randbelow(10**9)


def _table(book: PokerRulebook, terms: Terms, seed: int) -> PokerPlan:
    antes, bonuses = terms.get("ante", book.limits["ante"].min), terms.get("bonus", 0)
    listed = [len(each) for each in (antes, bonuses) if not isinstance(each, int)]
    seats = terms.get("seats", max(listed, default=1))
    if not 1 <= seats <= book.seats:
        sentence = f"a table has 1 to {book.seats} seats, not {seats}"
        raise QueenhighError("simulate.seats", sentence)
    pair_plus = bool(book.side_bets) and book.side_bets[0].name == "pair_plus"
    stakes = zip(
        amount_each("ante", antes, seats), amount_each("bonus", bonuses, seats), strict=True
    )
    wagers = [
        Seat(place, ante, 0 if pair_plus else bonus, bonus if pair_plus else 0)
        for place, (ante, bonus) in enumerate(stakes, 1)
    ]
    policy = terms.get("policy", "best")
    chosen = find_policy(book, policy) if isinstance(policy, str) else policy
    return plan_table(book, wagers, bank=terms.get("bank"), policy=chosen, seed=seed)


def _bets(book: RouletteRulebook, terms: Terms, seed: int) -> RoulettePlan:
    """Return the plan of some bets; of one of each kind if none is named.

    A number alone is a straight bet on it.
    """
    named: dict[str, str] = {}
    for text, spot in book.spots.items():
        named.setdefault(spot.bet, text)
    bets = terms.get("bets") or list(named.values())
    texts = [f"straight {bet}" if bet in book.places else own_name(book, bet) for bet in bets]
    stake = terms.get("stake", _least_stake(book))
    return plan_bets(book, [Wager(text, stake) for text in texts], seed=seed)


def _least_stake(book: RouletteRulebook) -> int:
    """Return the least stake that any bet may have, halved on a zero or not."""
    step = book.increment
    stake = -(-book.limits.min // step) * step
    return stake + step if book.zero and book.zero.halves and stake % 2 else stake
