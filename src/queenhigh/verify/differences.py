"""How an event of a log differs from the one that should stand there, in words."""

from typing import Any

import msgspec

__all__ = ["difference"]


def difference(event: bytes, expected: bytes) -> str:
    """Return a sentence about the first field in which an event is not what it should be."""
    try:
        has, should = msgspec.json.decode(event), msgspec.json.decode(expected)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return "this is not JSON"
    if not isinstance(has, dict) or has.get("type") != should["type"]:
        return f"{should['type']} should come here"
    for name in should:
        if has.get(name) != should[name]:
            return f"{name} is {_short(has.get(name))} and should be {_short(should[name])}"
    return "the event is not written as events are"


def _short(value: Any) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 60 else text[:57] + "…"
