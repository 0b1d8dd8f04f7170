"""How routes describe their answers in ``/openapi.json``; nothing is checked while they answer."""

from typing import Any

from fastapi import FastAPI
from msgspec.json import schema_components

__all__ = ["Responses", "add_schemas", "gives", "gives_text"]

Responses = dict[int | str, dict[str, Any]]
#: Of all types that routes answer with, by name.
_schemas: dict[str, Any] = {}


def gives(*kinds: Any, status: int = 200, or_text: str | None = None) -> Responses:
    """Return the ``responses`` of a route that answers with one of some types as JSON.

    ``or_text`` is the media type of a text that it answers with if asked to.
    """
    found, parts = schema_components(kinds, ref_template="#/components/schemas/{name}")
    _schemas.update({name: _closed(part) for name, part in parts.items()})
    schema = found[0] if len(found) == 1 else {"anyOf": list(found)}
    text = gives_text(or_text)[200]["content"] if or_text else {}
    return {status: {"content": {"application/json": {"schema": schema}, **text}}}


def gives_text(media: str) -> Responses:
    """Return the ``responses`` of a route that answers with a text."""
    return {200: {"content": {media: {"schema": {"type": "string"}}}}}


def add_schemas(app: FastAPI) -> None:
    """Add the schemas that routes refer to, to the description of the app."""
    describe = app.openapi

    def openapi() -> dict[str, Any]:
        described = describe()
        described["components"]["schemas"].update(_schemas)
        return described

    app.openapi = openapi  # type: ignore[method-assign]


def _closed(part: dict[str, Any]) -> dict[str, Any]:
    """Return the schema of a type, which has no fields but its own."""
    return {**part, "additionalProperties": False} if "properties" in part else part
