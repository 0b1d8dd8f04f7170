"""Limits of the documents themselves: rules that are chosen keep within them.

A rulebook that bears the name of a shipped one is under its law, whatever its own rows say. Rules
that were stored before are not checked: law holds for what is chosen, not for what was played.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from queenhigh.rulebook.problem import Finding, Key
from queenhigh.rulebook.schema import GameDocument, LawRow
from queenhigh.rulebook.schema_paths import value_of

__all__ = ["check_law", "check_law_rows", "refuse_change", "refuse_wording"]


def check_law_rows(document: GameDocument) -> Iterator[Finding]:
    """Check that rows of law name numbers that are there."""
    for i, row in enumerate(document.law):
        if not list(_numbers(value_of(document, row.key))):
            message, write = f"{row.key} does not hold a number", "use a key that holds a number"
            depends_on: tuple[Key, ...] = (tuple(row.key.split(".")),)
            yield Finding(("law", i, "key"), message, write, row.clause, depends_on=depends_on)
        if row.min is None and row.max is None:
            yield Finding(("law", i), "this row sets no limit", "add min, max or both", row.clause)


def check_law(document: GameDocument, law: Sequence[LawRow], name: str) -> Iterator[Finding]:
    """Check chosen rules against the law of the rulebook ``name``."""
    for row in law:
        path: Key = tuple(row.key.split("."))
        for end, number in _numbers(value_of(document, row.key)):
            above = row.max is not None and number > row.max
            below = row.min is not None and number < row.min
            if above or below:
                bound = f"at most {row.max}" if above else f"at least {row.min}"
                yield Finding(
                    (*path, *end),
                    f"{number} is outside the source of {name}, which allows {bound}",
                    f"stay within it, or copy the rulebook: {_copy(name)}",
                    row.clause,
                )


def refuse_change(key: str, name: str) -> Finding:
    """Return the refusal of another law."""
    message = f"{key} is fixed by the source and cannot be changed"
    return Finding((), message, f"copy the rulebook: {_copy(name)}")


def refuse_wording(key: str, name: str) -> Finding:
    """Return the refusal of other words, and of anything else that is no figure or reading."""
    message = f"{key} cannot be set, only figures and readings can"
    return Finding((), message, f"copy the rulebook: {_copy(name)}", is_wording=True)


def _copy(name: str) -> str:
    return f"queenhigh rules {name} --copy mine.toml"


def _numbers(value: Any) -> Iterator[tuple[Key, int]]:
    """Yield a number, or the two ends of a table of limits, each with the rest of its key."""
    if isinstance(value, int) and not isinstance(value, bool):
        yield (), value
    for end in ("min", "max"):
        number = getattr(value, end, None)
        if isinstance(number, int):
            yield (end,), number
