"""The proofs a rulebook must pass beyond its shape, each as plain findings with their keys."""

from collections.abc import Iterator
from typing import Any

from queenhigh.money import Pays
from queenhigh.rulebook.problem import Finding, Key
from queenhigh.rulebook.schema import GameDocument, LimitsTable, RateRow
from queenhigh.rulebook.schema_paths import value_of

__all__ = ["check_clauses", "check_limits", "check_whole"]

_PROSE = {"name", "title", "version", "source", "game", "clauses", "assumptions"}


def check_clauses(document: GameDocument) -> Iterator[Finding]:
    """Check that every row names a clause that exists, and that every key belongs to one."""
    known = [row.id for row in document.clauses]
    everywhere: tuple[Key, ...] = tuple(("clauses", i, "id") for i in range(len(known)))
    everywhere += (("clauses",),)
    for i, id in enumerate(known):
        if id in known[:i]:
            yield Finding(
                ("clauses", i, "id"), f"clause {id} appears twice", "remove one",
                depends_on=everywhere,
            )  # fmt: skip
    content = document.model_dump(mode="json", exclude_none=True)
    rules = {key: value for key, value in content.items() if key not in _PROSE}
    values = dict(_rows(rules))
    named = {path: value for path, value in values.items() if str(path[-1]).endswith("clause")}
    for i, row in enumerate(document.assumptions):
        named["assumptions", i, "clause"] = row.clause
    for path, id in named.items():
        if id not in known:
            listed = f"write one of {', '.join(known)}" if known else "add [[clauses]] rows"
            yield Finding(path, f"there is no clause {id}", listed, depends_on=everywhere)
    yield from _named_keys(document, {".".join(map(str, path)) for path in values})
    governed = {key for row in document.clauses for key in row.keys}
    places = tuple(("clauses", i, "keys") for i in range(len(known)))
    for key, value in rules.items():
        if key not in governed and key != "increment_clause" and not isinstance(value, dict | list):
            yield Finding(
                (key,),
                "no clause governs this key",
                f'add "{key}" to the keys of a clause',
                depends_on=(*everywhere, *places),
            )


def _rows(value: Any, parent: Key = ()) -> Iterator[tuple[Key, Any]]:
    """Yield every key with its path, those of tables and lists within too."""
    for key, item in value.items() if isinstance(value, dict) else enumerate(value):
        path = (*parent, key)
        yield path, item
        if isinstance(item, dict | list):
            yield from _rows(item, path)


def _named_keys(document: GameDocument, keys: set[str]) -> Iterator[Finding]:
    """Check that clauses and assumptions speak of keys that are there."""
    said: dict[Key, str] = {}
    for i, clause in enumerate(document.clauses):
        said |= {("clauses", i, "keys", j): key for j, key in enumerate(clause.keys)}
    for i, row in enumerate(document.assumptions):
        if row.key is not None:
            said["assumptions", i, "key"] = row.key
    for path, key in said.items():
        if key not in keys and value_of(document, key) is None:
            place = tuple(int(part) if part.isdigit() else part for part in key.split("."))
            yield Finding(
                path, f"there is no key {key}", "use a key of this file", depends_on=(place,)
            )


def check_whole(pays: Pays, key: Key, document: GameDocument) -> Iterator[Finding]:
    """Check that no wager of the increment could win a fraction of a cent."""
    if not pays.whole(document.increment):
        yield Finding(
            key,
            f"{pays} on a wager of {document.increment} cents would not be whole cents",
            f"make increment a multiple of {pays.stake}, and the limits with it",
            document.increment_clause,
            depends_on=(("increment",),),
        )


def check_limits(
    limits: LimitsTable | RateRow, key: Key, document: GameDocument
) -> Iterator[Finding]:
    """Check that the least is not above the most, and that one could wager either."""
    if limits.min is None or limits.max is None:
        return
    if limits.min > limits.max:
        yield Finding(
            (*key, "max"),
            f"{limits.max} is less than min, {limits.min}",
            f"write max = {limits.min} or more",
            limits.clause,
            depends_on=((*key, "min"),),
        )
    step = document.increment
    nearest = {"min": -(-limits.min // step) * step, "max": max(step, limits.max // step * step)}
    for bound, cents in (("min", limits.min), ("max", limits.max)):
        if cents % step:
            yield Finding(
                (*key, bound),
                f"{cents} is not a multiple of the increment, {step} cents",
                f"write {bound} = {nearest[bound]}",
                document.increment_clause,
                depends_on=(("increment",),),
            )
