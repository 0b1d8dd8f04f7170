"""Which line of a TOML file a key stands on."""

import re
from collections import Counter
from collections.abc import Iterator

from queenhigh.rulebook.problem import Key

__all__ = ["key_lines"]

#: A key; possessive, so that a long line takes no longer than it is.
_KEY = r"(?:[\w\-.\"']|[ ]++(?=[\w\-.\"']))++"
_HEADER = re.compile(rf"(\[\[?)\s*+({_KEY})\s*+\]\]?\s*+(?:#.*)?")
_ASSIGNMENT = re.compile(rf"({_KEY})\s*+=")


def key_lines(text: str) -> dict[Key, int]:
    """Find the line of each table header and key in TOML that has been parsed before.

    Keys inside inline tables are left out: their row's line is near enough.
    """
    lines: dict[Key, int] = {}
    rows: Counter[Key] = Counter()
    table: Key = ()
    for number, line in _plain_lines(text):
        if header := _HEADER.fullmatch(line):
            table = _names(header[2])
            lines.setdefault(table[:1], number)
            lines.setdefault(table, number)
            if header[1] == "[[":
                rows[table] += 1
                table = (*table, rows[table] - 1)
                lines[table] = number
        elif assignment := _ASSIGNMENT.match(line):
            lines[(*table, *_names(assignment[1]))] = number
    return lines


def _plain_lines(text: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are neither comments nor inside a text of several lines."""
    inside = ""
    for number, raw in enumerate(text.split("\n"), 1):
        line = raw.strip()
        if not inside and line.startswith("#"):
            continue
        marks = [mark for mark in ('"""', "'''") if line.count(mark) % 2]
        if inside:
            inside = "" if inside in marks else inside
            continue
        yield number, line
        inside = marks[0] if marks else ""


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip().strip("\"'") for name in dotted.split("."))
