"""The staff of a room, for people and for programs."""

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from queenhigh.sheets.format import one_line
from queenhigh.store.location import Location
from queenhigh.table.staff import FIRST_TOKEN, Member, Token

__all__ = ["StaffList", "as_json", "as_text", "helped_as_json", "helped_as_text"]


@dataclass(frozen=True)
class StaffList:
    """Members and tokens, present and former, each with the time since when."""

    members: list[tuple[Member, int]]
    tokens: list[tuple[Token, int]]


def as_json(room: Location, listed: StaffList) -> dict[str, Any]:
    """Return the staff as docs/json.md describes it."""
    return {
        "db": str(room),
        "staff": [_member(member) | {"since": since} for member, since in listed.members],
        "tokens": [
            {"token": token.name, "role": token.role, "revoked": token.revoked, "since": since}
            for token, since in listed.tokens
        ],
    }


def _member(member: Member) -> dict[str, Any]:
    return {
        "member": member.name,
        "role": member.role,
        "two_factor": member.two_factor,
        "removed": member.removed,
    }


def as_text(room: Location, listed: StaffList) -> str:
    """Return the staff as lines."""
    lines = [_member_line(member, since) for member, since in listed.members]
    if not lines:
        lines = [f"{room} has no staff yet: its first owner is made with the floor token."]
    return "\n".join([*lines, *(_token_line(token, since) for token, since in listed.tokens)])


def _member_line(member: Member, since: int) -> str:
    notes = [f"since {_day(since)}"]
    if member.two_factor:
        notes.append("logs in with a code")
    if member.removed:
        notes.append("removed")
    return f"{one_line(member.name)}: {member.role}, {', '.join(notes)}"


def _token_line(token: Token, since: int) -> str:
    name = "the first token" if token.name == FIRST_TOKEN else f"token {one_line(token.name)}"
    parts = [token.role, *([f"since {_day(since)}"] if since else [])]
    return f"{name}: {', '.join([*parts, *(['revoked'] if token.revoked else [])])}"


def _day(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%d")


def helped_as_json(room: Location, member: Member) -> dict[str, Any]:
    """Return the owner who has a new password, as docs/json.md describes it."""
    return {"db": str(room), **_member(member)}


def helped_as_text(member: Member) -> str:
    """Return the owner who has a new password as a sentence."""
    code = " with a code" if member.two_factor else ""
    return f"{one_line(member.name)} has a new password and can log in{code}."
