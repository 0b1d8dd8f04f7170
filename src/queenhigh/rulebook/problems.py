"""From what a library says is wrong to a sentence that tells an author what to write."""

import difflib
import json
from collections.abc import Iterator
from typing import Any

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from queenhigh.rulebook.checks import Finding
from queenhigh.rulebook.fields import example, field_at, readings

__all__ = ["explain", "key_lines", "toml"]

_KINDS = {
    "int": "a whole number",
    "bool": "true or false",
    "string": "text in quotes",
    "tuple": "a list",
    "model": "a table",
}


def explain(error: ErrorDetails, model: type[BaseModel]) -> Finding:
    """Say what is wrong in one sentence and what to write in another."""
    loc = error["loc"]
    table, info = field_at(model, loc)
    name, kind = str(loc[-1]) if loc else "", error["type"]
    if kind == "extra_forbidden":
        return Finding(loc, "is not a key of this table", _legal_keys(name, table), _law(table))
    if kind == "missing":
        return Finding(loc, "is missing", f"add {_assignment(name, info)}", _law(info))
    if info and (choices := readings(info.annotation)):
        message = f"{toml(error['input'])} is not possible here"
        return Finding(loc, message, f"write one of {', '.join(map(toml, choices))}", _law(info))
    return Finding(loc, _message(error), f"write {_assignment(name, info)}", _law(info))


def _message(error: ErrorDetails) -> str:
    kind = error["type"]
    if kind == "value_error":
        return str(error["ctx"]["error"])
    for start, wanted in _KINDS.items():
        if kind.startswith(start) and not kind.endswith(("_short", "_long", "mismatch")):
            return f"{toml(error['input'])} is not {wanted}"
    return f"{toml(error['input'])} will not do: {error['msg'].lower()}"


def _legal_keys(name: str, table: type[BaseModel]) -> str:
    close = difflib.get_close_matches(name, table.model_fields, n=1)
    if close:
        return f"did you mean {close[0]}?"
    return f"leave it out; the keys here are {', '.join(table.model_fields)}"


def _law(thing: FieldInfo | type[BaseModel] | None) -> str | None:
    extra: object = None
    if isinstance(thing, FieldInfo):
        extra = thing.json_schema_extra
    elif thing:
        extra = thing.model_config.get("json_schema_extra")
    law = extra.get("clause") if isinstance(extra, dict) else None
    return law if isinstance(law, str) else None


def _assignment(name: str, info: FieldInfo | None) -> str:
    return f"{name} = {toml(example(info))}" if info else "it as the schema says"


def toml(value: Any) -> str:
    """Write a value as TOML would, shortened where it is long."""
    if isinstance(value, dict):
        text = "{ " + ", ".join(f"{key} = {toml(item)}" for key, item in value.items()) + " }"
    elif isinstance(value, (list, tuple)):
        text = "[" + ", ".join(map(toml, value)) + "]"
    elif isinstance(value, (str, bool, int, float)):
        text = json.dumps(value, ensure_ascii=False)
    else:
        text = str(value)
    return text if len(text) <= 200 else text[:199] + "…"


def key_lines(text: str) -> dict[tuple[str | int, ...], int]:
    """Find the line of each table header and key in TOML that has been parsed before.

    Keys inside inline tables are left out: their row's line is near enough.
    """
    lines: dict[tuple[str | int, ...], int] = {}
    table: tuple[str | int, ...] = ()
    for number, line in _plain_lines(text):
        if line.startswith("[["):
            names = _names(line[2:].partition("]]")[0])
            count = sum(path[:-1] == names for path in lines)
            table = (*names, count)
            lines.setdefault(names, number)
            lines[table] = number
        elif line.startswith("["):
            table = _names(line[1:].partition("]")[0])
            lines.setdefault(table[:1], number)
            lines[table] = number
        elif "=" in line:
            lines[(*table, *_names(line.partition("=")[0]))] = number
    return lines


def _plain_lines(text: str) -> Iterator[tuple[int, str]]:
    inside = ""
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip()
        marks = [mark for mark in ('"""', "'''") if line.count(mark) % 2]
        if inside:
            inside = "" if inside in marks else inside
            continue
        if not line.startswith("#"):
            yield number, line
        inside = marks[0] if marks else ""


def _names(dotted: str) -> tuple[str, ...]:
    return tuple(name.strip().strip("\"'") for name in dotted.split("."))
