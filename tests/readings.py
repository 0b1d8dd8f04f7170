"""The readings that random comparisons with the oracle draw from, each with all its values."""

from typing import Any

#: By rulebook, then by key.
READINGS: dict[str, dict[str, list[Any]]] = {
    "california": {
        "ace_low": [True, False],
        "short_ante": ["ahead", "win", "push"],
        "tie": ["push", "win", "lose"],
        "bonus_on_fold": ["forfeit", "resolve"],
        "coverage": ["action", "net"],
        "settle_order": ["seat", "wager", "bonus_first"],
        "fold_uncovered": ["returned", "lost"],
        "fee_per": ["round", "wager", "kind"],
        "collect": ["before", "after"],
        "first": ["left", "button", "drawn"],
        "rotation": ["two_rounds", "every_round", "free"],
    },
    "house": {
        "ace_low": [True, False],
        "up": [0, 1, 2],
        "scope": ["each", "total"],
        "pair_plus_on_fold": ["resolve", "forfeit"],
        "ante_bonus_on_fold": ["forfeit", "pay"],
    },
    "roulette": {"zeros": [2, 1, 3]},
    "roulette-european": {
        "on_zero": ["lose", "la_partage", "en_prison"],
        "second_zero": ["lose", "half", "stay"],
    },
    "roulette-american": {
        "on_zero": ["lose", "la_partage", "en_prison"],
        "second_zero": ["lose", "half", "stay"],
    },
}
