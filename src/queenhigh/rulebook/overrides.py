"""Other values for keys: a key may be named by any end of its path that is its own."""

import difflib
from collections.abc import Iterator, Mapping
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from queenhigh.rulebook.problem import Key
from queenhigh.rulebook.schema_paths import field_at, table_of

__all__ = ["find_key", "is_setting", "keep_fixed", "put", "value_at"]


def find_key(raw: dict[str, Any], model: type[BaseModel], key: str) -> Key:
    """Return the path of a key, one that is there before one that only could be.

    Raise ``LookupError`` with the problem of the key and the remedy.
    """
    matches = _matches(_paths(raw), key) or _matches(_paths(raw, model), key)
    if len(matches) == 1:
        return matches[0]
    if matches:
        listed = ", ".join(map(_dotted, matches))
        raise LookupError(f"{key} matches {len(matches)} keys", f"write one of {listed}")
    known = [path for path in _paths(raw, model) if path[0] not in ("clauses", "assumptions")]
    close = _similar(key, known)
    schema = "use a key listed by queenhigh rules --schema"
    legal = f"did you mean {' or '.join(close)}?" if close else schema
    raise LookupError(f"there is no key {key}", legal)


def is_setting(model: type[BaseModel], path: Key) -> bool:
    """Return whether a key may be given another value: a figure or a reading, and not a text."""
    infos = [field_at(model, path[:end])[1] for end in range(1, len(path) + 1)]
    if any(info is None or info.frozen for info in infos):
        return False
    return infos[-1] is not None and not _is_text(infos[-1].annotation)


def keep_fixed(model: type[BaseModel], path: Key, rows: Any, value: Any) -> Any:
    """Return rows to be set, with what no change may set taken from the rows that are there.

    Raise ``LookupError`` with the key of a row that has its own.
    """
    info = field_at(model, path)[1]
    table = table_of(info.annotation) if info else None
    if table is None or not (isinstance(rows, list) and isinstance(value, list) and rows):
        return value
    fixed = [name for name in table.model_fields if not is_setting(table, (name,))]
    kept = []
    for i, row in enumerate(value):
        if not isinstance(row, dict):
            return value
        mine = rows[min(i, len(rows) - 1)]
        own = {name: mine[name] for name in fixed if name in mine}
        for name in fixed:
            if row.get(name, own.get(name)) != own.get(name):
                raise LookupError(_dotted((*path, i, name)))
        kept.append({**own, **row})
    return kept


def _is_text(annotation: Any) -> bool:
    """Return whether a value may hold free text; rows keep theirs when they are set."""
    if get_origin(annotation) is Literal or table_of(annotation):
        return False
    return annotation is str or any(map(_is_text, get_args(annotation)))


def _similar(key: str, paths: list[Key]) -> list[str]:
    """Return a few keys whose path, or an end of it, is written much like this one."""
    by_end: dict[str, list[str]] = {}
    for path in paths:
        for start in range(len(path)):
            by_end.setdefault(_dotted(path[start:]), []).append(_dotted(path))
    close = difflib.get_close_matches(key, by_end, n=3, cutoff=0.7)
    return list(dict.fromkeys(dotted for end in close for dotted in by_end[end]))[:3]


def put(raw: Any, path: Key, value: object) -> object:
    """Put a value at a path, in a new table if need be, and return what stood there, if any."""
    *parents, last = path
    for step in parents:
        raw = raw.setdefault(step, {}) if isinstance(raw, dict) else raw[step]
    before = raw.get(last) if isinstance(raw, dict) else raw[last]
    raw[last] = value
    return before


def value_at(document: Mapping[str, Any], key: str) -> Any:
    """Return the value of a dotted key, or ``None`` where there is none."""
    value: Any = document
    for part in key.split("."):
        if isinstance(value, list):
            value = value[int(part)] if part.isdigit() and int(part) < len(value) else None
        else:
            value = value.get(part) if value is not None else None
    return value


def _matches(paths: Iterator[Key], key: str) -> list[Key]:
    """Return the path that is the key, or else those that end in it, dots and underscores alike."""
    ends, wanted = [], key.replace(".", "_")
    for path in paths:
        dotted = _dotted(path)
        if dotted == key:
            return [path]
        if dotted.replace(".", "_").endswith(wanted) and _ends_in(path, wanted):
            ends.append(path)
    return ends


def _ends_in(path: Key, wanted: str) -> bool:
    """Return whether some last parts of a path, joined by underscores, are what is wanted."""
    return wanted in {"_".join(map(str, path[start:])) for start in range(len(path))}


def _dotted(path: Key) -> str:
    return ".".join(map(str, path))


def _paths(value: Any, model: type[BaseModel] | None = None, parent: Key = ()) -> Iterator[Key]:
    """Yield the path of every key that holds a value, and with a model of those that could."""
    fields = model.model_fields if model else {}
    for name, item in value.items() if isinstance(value, dict) else enumerate(value):
        path = (*parent, name)
        inner = table_of(fields[name].annotation) if name in fields else model
        if not isinstance(item, dict):
            yield path
        if isinstance(item, dict) or (isinstance(item, list) and any(map(_is_table, item))):
            yield from _paths(item, inner, path)
    if isinstance(value, dict):
        for name, info in fields.items():
            if name not in value and table_of(info.annotation) is None:
                yield (*parent, name)
            elif name not in value and isinstance(info.default, BaseModel):
                yield from _paths({}, type(info.default), (*parent, name))


def _is_table(value: Any) -> bool:
    return isinstance(value, dict)
