"""The rules in words: what a key is about, and what its values mean."""

import re
from collections.abc import Mapping

from queenhigh.cards import HAND_CLASSES
from queenhigh.money import Pays, dollars
from queenhigh.rulebook.book import AnteBonus, Bank, Fees, Limits, Rate
from queenhigh.rulebook.fact_words import qualifier_words
from queenhigh.rulebook.fees import READINGS
from queenhigh.sheets.format import words

__all__ = ["label", "value_in_words"]

_LABELS = {
    "banker": "Banked by",
    "up": "Dealer cards up",
    "royal_flush": "A-K-Q of one suit",
    "ace_low": "A-2-3",
    "qualifier": "Dealer qualifies with",
    "ante.required": "An Ante",
    "increment": "Bets are multiples of",
    "bank": "The player's bank",
    "bank.coverage": "Bank is used up by",
    "bank.settle_order": "Bank covers bets",
    "bank.fold_uncovered": "Folded bets the bank cannot cover",
    "bank.first": "Action starts",
    "bank.rotation": "A player may bank",
    "fees": "Collection fees",
    "fees.max_rates": "Maximum number of collection rates",
    "fees.fee_per": "A fee is paid",
    "fees.collect": "Fees are collected",
    "fees.notice_seconds": "Notice before fees or limits change (seconds)",
    "fees.rates": "Collection rates",
    "limits.scope": "Maximum applies to",
    "irregularities.misdeal": "After a misdeal",
    "irregularities.exposed_player": "After a player's card is exposed",
    "irregularities.exposed_dealer": "After a face-down dealer card is exposed",
    "zeros": "Zeros on the wheel",
    "on_zero": "On a zero, an even-money bet",
    "limits.min": "Minimum bet",
    "limits.max": "Maximum bet",
}

_VALUES: Mapping[str, Mapping[object, str]] = {
    "banker": {"player": "a player", "house": "the house"},
    "up": {0: "none", 1: "one", 2: "two"},
    "royal_flush": {True: "is a separate hand class", False: "is a straight flush"},
    "ace_low": {True: "is the lowest straight", False: "is not a straight"},
    "ante.required": {True: "is required", False: "is optional"},
    "bonus.on_fold": {"forfeit": "is lost", "resolve": "is settled on the hand"},
    "pair_plus.on_fold": {"forfeit": "is lost", "resolve": "is settled on the hand"},
    "ante_bonus.on_fold": {True: "is paid", False: "is not paid"},
    "bank.coverage": {"action": "every amount won or lost", "net": "its net losses"},
    "bank.settle_order": {
        "seat": "seat by seat, side bets last",
        "wager": "every Ante first, then every Play, then side bets",
        "bonus_first": "seat by seat, side bets first",
    },
    "bank.fold_uncovered": {"returned": "are returned", "lost": "are lost in full"},
    "bank.first": {
        "left": "with seat 1",
        "button": "one seat later each round",
        "drawn": "at a random seat",
    },
    "bank.rotation": {
        "two_rounds": "two rounds in a row while others want to",
        "every_round": "one round while others want to",
        "free": "without limit",
    },
    "fees.fee_per": {value: charged.words for value, charged in READINGS.items()},
    "fees.collect": {"before": "before the deal", "after": "after the deal"},
    "irregularities.misdeal": {
        "void": "the round is void",
        "redeal": "the round is dealt again with the same bets",
    },
    "irregularities.exposed_player": {
        "play_on": "the hand plays on",
        "void_hand": "that hand is void",
    },
    "irregularities.exposed_dealer": {
        "void": "the round is void",
        "play_on": "the round plays on",
    },
    "limits.scope": {"each": "each bet", "total": "all bets of a seat combined"},
    "on_zero": {
        ("lose",): "loses",
        ("la_partage",): "loses half (la partage)",
        ("en_prison", "lose"): "is held (en prison); a second zero takes it",
        ("en_prison", "half"): "is held (en prison); a second zero takes half of it",
        ("en_prison", "stay"): "is held (en prison); a second zero holds it again",
    },
}
_MONEY = ("increment", "limits.min", "limits.max")


def label(key: str) -> str:
    """Return what a key is about: ``Bonus pays``, ``Ante limits``."""
    if key in _LABELS:
        return _LABELS[key]
    if key.startswith("dealer "):
        return "; ".join(_case(case) for case in key.split("; "))
    first, _, last = key.partition(".")
    if first in ("clauses", "assumptions"):
        return f"{'Clause' if first == 'clauses' else 'Assumption'} {last}"
    if last.endswith("clause"):
        return f"Clause of {label(re.sub(r'[.][0-9]+$', '', key.rpartition('.')[0])).lower()}"
    if first == "limits":
        return f"{words(last)} limits"
    return words(first) + {"pays": " pays", "on_fold": " after a fold", "": ""}.get(last, "")


def _case(case: str) -> str:
    """Return a case of the settlement table: ``dealer short, player ahead``."""
    dealer, player = (part.rpartition(" ")[2] for part in case.split(", "))
    return f"{_DEALERS[dealer]}, {_HANDS[player]}"


_DEALERS = {"short": "Dealer does not qualify", "qualified": "Dealer qualifies"}
_HANDS = {
    "behind": "your hand is lower",
    "level": "hands are equal",
    "ahead": "your hand is higher",
}


def value_in_words(key: str, value: object) -> str:
    """Return a value of a key in words, its money in dollars."""
    if key in _VALUES and value in _VALUES[key]:
        return _VALUES[key][value]
    if key in _MONEY and isinstance(value, int):
        return dollars(value)
    if key == "qualifier":
        return qualifier_words(str(value))
    if isinstance(value, Mapping):
        return _pays(value)
    return _table(value)


def _pays(pays: Mapping[str, Pays | None]) -> str:
    """Return a pay table, the best hand first."""
    hands = [f"{words(hand).lower()} {ratio or 'loses'}" for hand, ratio in pays.items()]
    return ", ".join(reversed(hands))


def _table(value: object) -> str:
    """Return a table of a rulebook, all that it says."""
    if isinstance(value, Limits):
        return f"{dollars(value.min)} to {dollars(value.max)}"
    if isinstance(value, AnteBonus):
        return _ante_bonus(value)
    if isinstance(value, Bank):
        return "; ".join(_parts("bank", value, ("coverage", *_added(value), "first", "rotation")))
    if isinstance(value, Fees):
        return "; ".join([*_parts("fees", value, ("fee_per", "collect")), _rates(value.rates)])
    if isinstance(value, tuple):
        return _rates(value)
    return "none" if value is None else str(value)


def _added(bank: Bank) -> list[str]:
    """Return the keys that older rulebooks lack, where a bank has another reading."""
    return [name for name, usual in Bank._field_defaults.items() if getattr(bank, name) != usual]


def _parts(table: str, value: object, names: tuple[str, ...]) -> list[str]:
    keys = {f"{table}.{name}": getattr(value, name) for name in names}
    return [f"{label(key)} {value_in_words(key, part)}".lower() for key, part in keys.items()]


def _ante_bonus(bonus: AnteBonus) -> str:
    pays = {hand: ratio for hand, ratio in zip(HAND_CLASSES, bonus.pays, strict=True) if ratio}
    return f"{_pays(pays)}; {'paid' if bonus.paid_on_fold else 'not paid'} on a fold"


def _rates(rates: tuple[Rate, ...]) -> str:
    by_kind = any(rate.on != "ante" for rate in rates)
    kinds = [f"{words(rate.on)} " if by_kind else "" for rate in rates]
    return "; ".join(
        f"{kind}{dollars(rate.min)} to {dollars(rate.max)}: player {dollars(rate.player)}, banker"
        f" {dollars(rate.banker)}"
        for kind, rate in zip(kinds, rates, strict=True)
    )
