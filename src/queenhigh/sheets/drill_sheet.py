"""Hands to practise on, for programs."""

from collections.abc import Iterable
from typing import Any

from queenhigh.price.drill import Exercise
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.sheets.coach_sheet import cases_as_json

__all__ = ["as_json"]


def as_json(book: PokerRulebook, exercises: Iterable[Exercise]) -> dict[str, Any]:
    """Return hands to practise on, with what both moves are worth in units of the Ante."""
    head = {
        "rulebook": book.name,
        "digest": book.digest,
        "rules_digest": book.rules_digest,
        "up": book.up,
    }
    return {**head, "deals": [_exercise_as_json(exercise) for exercise in exercises]}


def _exercise_as_json(exercise: Exercise) -> dict[str, Any]:
    return {
        "hand": exercise.hand,
        "up": exercise.up,
        "play": str(exercise.play),
        "fold": str(exercise.fold),
        "best": exercise.best,
        "cost": str(abs(exercise.play - exercise.fold)),
        "hands": cases_as_json(exercise.cases),
    }
