"""The commands that a table has followed, so that none has an effect twice."""

from msgspec import Struct
from msgspec.structs import replace

from queenhigh.table.commands import Command
from queenhigh.table.events import Event

__all__ = ["CommandLog", "EventSpan", "command_key"]

#: How many commands a chunk holds.
_CHUNK = 16


class EventSpan(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The result of a command: the versions of its first and its last event."""

    first: int
    last: int


class CommandLog(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The commands of this round and the last one, by key.

    ``latest`` holds the newest commands. Older ones stand in chunks, so that adding a command does
    not copy them all. ``counts`` says how many commands of each sender were followed in this round.
    """

    latest: dict[str, EventSpan] = {}
    this_round: tuple[dict[str, EventSpan], ...] = ()
    last_round: tuple[dict[str, EventSpan], ...] = ()
    counts: dict[str, int] = {}

    def find(self, key: str) -> EventSpan | None:
        """Return the events of a command if it was followed already."""
        if key in self.latest:
            return self.latest[key]
        for chunks in (self.this_round, self.last_round):
            for chunk in chunks:
                if key in chunk:
                    return chunk[key]
        return None

    def count(self, sender: str) -> int:
        """Return how many commands of a sender were followed in this round."""
        return self.counts.get(sender, 0)

    def remember(self, event: Event, version: int) -> "CommandLog":
        """Return the log with an event of a command, kept through this round and the next."""
        key = command_key(event)
        known = self.latest.get(key)
        if known is not None:
            return replace(self, latest={**self.latest, key: EventSpan(known.first, version)})
        span = EventSpan(version, version)
        counts = {**self.counts, event.by: self.count(event.by) + 1}
        if len(self.latest) >= _CHUNK:
            chunks = (*self.this_round, self.latest)
            return CommandLog({key: span}, chunks, self.last_round, counts)
        latest = {**self.latest, key: span}
        return CommandLog(latest, self.this_round, self.last_round, counts)

    def start_round(self, version: int) -> "CommandLog":
        """Return the log of the next round: only the current command still counts as new."""
        return CommandLog(
            latest={key: span for key, span in self.latest.items() if span.last == version},
            last_round=(*self.this_round, self.latest),
        )


def command_key(sent: Command | Event) -> str:
    """Return the key of a command: its sender and id. No name has a line break."""
    return f"{sent.by}\n{sent.id}"
