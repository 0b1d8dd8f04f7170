"""The types of responses in ``/openapi.json``; responses are not checked against them."""

from typing import Any

from fastapi import FastAPI
from msgspec.json import schema_components

__all__ = ["Responses", "add_schemas", "gives", "gives_file", "gives_text"]

Responses = dict[int | str, dict[str, Any]]
#: The schemas of all response types, by name.
_schemas: dict[str, Any] = {}


def gives(*kinds: object, status: int = 200, or_text: str | None = None) -> Responses:
    """Return the ``responses`` of a route that returns one of some types as JSON.

    ``or_text`` is the media type of a text that it returns on request.
    """
    schemas, parts = schema_components(kinds, ref_template="#/components/schemas/{name}")
    _schemas.update({name: _closed(part) for name, part in parts.items()})
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": list(schemas)}
    text = gives_text(or_text)[200]["content"] if or_text else {}
    return {status: {"content": {"application/json": {"schema": schema}, **text}}}


def gives_text(media: str) -> Responses:
    """Return the ``responses`` of a route that returns a text."""
    return {200: {"content": {media: {"schema": {"type": "string"}}}}}


def gives_file(media: str) -> Responses:
    """Return the ``responses`` of a route that returns a file of bytes."""
    return {200: {"content": {media: {"schema": {"type": "string", "format": "binary"}}}}}


def add_schemas(app: FastAPI) -> None:
    """Add the schemas that routes refer to, to the description of the app."""
    describe = app.openapi

    def openapi() -> dict[str, Any]:
        described = describe()
        described["components"]["schemas"].update(_schemas)
        return described

    app.openapi = openapi  # type: ignore[method-assign]


def _closed(part: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type that allows no other fields."""
    return {**part, "additionalProperties": False} if "properties" in part else part
