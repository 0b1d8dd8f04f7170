"""Turns a library's error into a sentence that tells an author how to fix the file."""

import difflib
import json
import re
from typing import Any, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import ErrorDetails

from queenhigh.rulebook.problem import Finding
from queenhigh.rulebook.schema_paths import example, field_at, item_readings, readings, table_of

__all__ = ["explain"]

_KINDS = {
    "int_": "a whole number",
    "bool_": "true or false",
    "string_type": "text in quotes",
    "tuple_": "a list",
    "model_": "a table",
    "string_pattern": "valid",
}
_A_FEE = re.compile(r"fee|rake|percent|commission|share|vig\b|juice|%", re.IGNORECASE)


def explain(error: ErrorDetails, model: type[BaseModel]) -> Finding:
    """Return one sentence about the problem and one with the remedy."""
    loc = error["loc"]
    table, info = field_at(model, loc)
    name = str(next((part for part in reversed(loc) if isinstance(part, str)), ""))
    if error["type"] == "extra_forbidden":
        return _unknown_key(error, name, table)
    if error["type"] == "missing":
        return Finding(loc, "is missing", f"add {_assignment(name, info)}", _law(info))
    if choices := _choices(info, item=isinstance(loc[-1], int)):
        message = f"{_toml(error['input'])} is not allowed here"
        return Finding(loc, message, f"write one of {', '.join(map(_toml, choices))}", _law(info))
    return Finding(loc, _message(error), f"write {_assignment(name, info)}", _law(info))


def _choices(info: FieldInfo | None, *, item: bool) -> tuple[object, ...]:
    if info is None:
        return ()
    return item_readings(info.annotation) if item else readings(info.annotation)


def _message(error: ErrorDetails) -> str:
    kind, given = error["type"], _toml(error["input"])
    if kind == "value_error":
        return f"{given}: {error['ctx']['error']}"
    for start, wanted in _KINDS.items():
        if kind.startswith(start):
            return f"{given} is not {wanted}"
    return f"{given} is not valid: {error['msg'].lower()}"


def _unknown_key(error: ErrorDetails, name: str, table: type[BaseModel]) -> Finding:
    law, message = _law(table), "is not a key of this table"
    if _A_FEE.search(f"{name} {_toml(error['input'])}"):
        write = "a fee is a flat amount in cents: write it as player and banker in [[fees.rates]]"
        return Finding(error["loc"], message, write, "CA-4")
    close = difflib.get_close_matches(name, table.model_fields, n=1)
    listed = f"remove it; the keys here are {', '.join(table.model_fields)}"
    return Finding(error["loc"], message, f"did you mean {close[0]}?" if close else listed, law)


def _law(thing: FieldInfo | type[BaseModel] | None) -> str | None:
    extra: object = None
    if isinstance(thing, FieldInfo):
        extra = thing.json_schema_extra
    elif thing:
        extra = thing.model_config.get("json_schema_extra")
    law = extra.get("clause") if isinstance(extra, dict) else None
    return law if isinstance(law, str) else None


def _assignment(name: str, info: FieldInfo | None) -> str:
    if info is None:
        return "it as the schema describes"
    if get_origin(info.annotation) is tuple and table_of(info.annotation):
        return f"[[{name}]] rows"
    such = ", or another clause of this file" if name.endswith("clause") else ""
    return f"{name} = {_toml(example(info))}{such}"


def _toml(value: Any) -> str:
    """Write a value as TOML would, shortened where it is long."""
    if isinstance(value, dict):
        text = "{ " + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + " }"
    elif isinstance(value, list | tuple):
        text = "[" + ", ".join(map(_toml, value)) + "]"
    elif isinstance(value, int) and abs(value) >= 10**18:
        text = "a huge number"
    elif isinstance(value, str | bool | int | float):
        text = json.dumps(value, ensure_ascii=False)
    else:
        text = str(value)
    return text if len(text) <= 200 else text[:199] + "…"
