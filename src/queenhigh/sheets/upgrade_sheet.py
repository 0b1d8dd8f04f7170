"""The versions of a room's database, before or after an upgrade, for people and for programs."""

from dataclasses import dataclass
from typing import Any

from queenhigh.sheets.format import count_of
from queenhigh.store.location import Location
from queenhigh.store.versions import Version

__all__ = ["Upgrade", "as_json", "as_text"]


@dataclass(frozen=True, kw_only=True)
class Upgrade:
    """The versions of the parts of a database, and whether they were upgraded."""

    room: Location
    parts: dict[str, Version]
    done: bool

    @property
    def is_due(self) -> bool:
        """Whether a part of the database is older than this program."""
        return any(part.is_due for part in self.parts.values())


def as_json(upgrade: Upgrade) -> dict[str, Any]:
    """Return an upgrade as docs/json.md describes it."""
    return {
        "db": str(upgrade.room),
        "upgrade_due": upgrade.is_due and not upgrade.done,
        "upgraded": upgrade.is_due and upgrade.done,
        "schema": [
            {"part": name, "has": part.has, "wants": part.wants}
            for name, part in upgrade.parts.items()
        ],
    }


def as_text(upgrade: Upgrade) -> str:
    """Return an upgrade as sentences, one to a line."""
    lines = [f"{upgrade.room}: {_part(name, part)}" for name, part in upgrade.parts.items()]
    if not upgrade.is_due:
        return "\n".join([*lines, "Nothing to upgrade."])
    done = "Upgraded." if upgrade.done else "Make a backup, then run queenhigh db upgrade."
    return "\n".join([*lines, done])


def _part(name: str, part: Version) -> str:
    text = f"{name} have version {part.has}, this program wants version {part.wants}"
    return f"{text}: {count_of(part.wants - part.has, 'migration')}" if part.is_due else text
