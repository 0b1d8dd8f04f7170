"""Ids of commands that the server itself sends."""

from secrets import token_hex

__all__ = ["fresh_id"]


def fresh_id(why: str) -> str:
    """Return an id that was never used, with its purpose as a prefix."""
    return f"{why}.{token_hex(8)}"
