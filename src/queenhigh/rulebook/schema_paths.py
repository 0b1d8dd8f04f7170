"""Look-ups in the schema: the keys and types at a path."""

from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from queenhigh.rulebook.problem import Key

__all__ = ["example", "field_at", "item_readings", "readings", "table_of", "value_of"]


def field_at(model: type[BaseModel], loc: Key) -> tuple[type[BaseModel], FieldInfo | None]:
    """Return the table a path ends in and the field there, as far as the path is known."""
    table: type[BaseModel] = model
    info: FieldInfo | None = None
    for name in loc:
        if isinstance(name, int):
            continue
        if info:
            table = table_of(info.annotation) or table
        info = table.model_fields.get(name)
    return table, info


def table_of(annotation: Any) -> type[BaseModel] | None:
    """Return the table a field holds, or holds a list of, if it does."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next(filter(None, map(table_of, get_args(annotation))), None)


def readings(annotation: Any) -> tuple[object, ...]:
    """Return the values a key can take where they are few and listed, else nothing."""
    origin = get_origin(annotation)
    if origin is Literal:
        return get_args(annotation)
    if origin in (Union, UnionType):
        return tuple(value for part in get_args(annotation) for value in readings(part))
    return (True, False) if annotation is bool else ()


def item_readings(annotation: Any) -> tuple[object, ...]:
    """Return the values an item of a list can take where they are few and listed."""
    return tuple(value for part in get_args(annotation) for value in readings(part))


def example(info: FieldInfo | None) -> Any:
    """Return a value that is right for a field."""
    if info is None:
        return None
    if info.examples:
        return info.examples[0]
    if choices := readings(info.annotation):
        return choices[0]
    if table := table_of(info.annotation):
        return {name: example(f) for name, f in table.model_fields.items() if f.is_required()}
    return None


def value_of(document: BaseModel, key: str) -> Any:
    """Return the value at a dotted key, a default included; ``None`` where there is none."""
    value: Any = document
    for part in key.split("."):
        if isinstance(value, tuple):
            value = value[int(part)] if part.isdigit() and int(part) < len(value) else None
        elif isinstance(value, BaseModel):
            value = getattr(value, part, None) if part in type(value).model_fields else None
        else:
            return None
    return value
