"""A rulebook's document as a TOML file that people can read and edit."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel

from queenhigh.rulebook.schema_paths import field_at, readings

__all__ = ["to_toml"]

#: What comes last in a file, behind the rules.
_PROSE = ("clauses", "assumptions")


def to_toml(document: Mapping[str, Any], model: type[BaseModel], *, name: str, source: str) -> str:
    """Return a document as TOML under another name and source, without the law of its own."""
    last = {key: document[key] for key in _PROSE if key in document}
    own = {key: value for key, value in document.items() if key not in ("law", *_PROSE)}
    own |= {"name": name, "source": source, **last}
    lines = ["# Amounts are whole cents.", "", *_table(own, model, ())]
    return "\n".join(lines).rstrip() + "\n"


def _table(
    table: Mapping[str, Any], model: type[BaseModel], path: tuple[str, ...]
) -> Iterator[str]:
    """Yield the lines of a table: its own keys first, then the tables within."""
    plain = {key: value for key, value in table.items() if not _is_inner(value) and value != []}
    for key, value in plain.items():
        yield f"{_key(key)} = {_value(value)}{_others(model, (*path, key), value)}"
    if plain:
        yield ""
    for key, value in table.items():
        inner = (*path, key)
        if isinstance(value, Mapping):
            if any(not _is_inner(item) for item in value.values()) or not value:
                yield f"[{'.'.join(map(_key, inner))}]"
            yield from _table(value, model, inner)
        elif _is_inner(value):
            for row in value:
                yield f"[[{'.'.join(map(_key, inner))}]]"
                yield from _table(row, model, inner)


def _is_inner(value: Any) -> bool:
    """Return whether a value is written as a table, or as rows of tables."""
    if isinstance(value, Mapping):
        return True
    return isinstance(value, list) and bool(value) and isinstance(value[0], Mapping)


def _others(model: type[BaseModel], path: tuple[str, ...], value: object) -> str:
    """Return a comment with the other readings of a key, if they are few."""
    if path[0] in _PROSE:
        return ""
    _, info = field_at(model, path)
    choices = readings(info.annotation) if info else ()
    others = [_value(choice) for choice in choices if choice != value]
    return f"  # or {', '.join(others)}" if 0 < len(others) < 12 else ""


def _key(key: str) -> str:
    return key if key.replace("_", "").replace("-", "").isalnum() and key.isascii() else _value(key)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
