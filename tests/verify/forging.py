"""Logs with other events in them, chained as if they were real."""

import json
from pathlib import Path
from typing import Any

from queenhigh.store.signing import Signer, extend_head
from queenhigh.store.streams import chain

Json = dict[str, Any]


def forge(lines: list[bytes], index: int, event: Json) -> list[bytes]:
    """Put another event at an index and chain what follows to it."""
    rows = [json.loads(line) for line in lines]
    rows[index]["event"] = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    return chained(rows)


def chained(rows: list[Json]) -> list[bytes]:
    """Return the lines of a log with the hashes that follow from its events."""
    before: dict[str, bytes] = {}
    for row in rows[:-1]:
        stream = row["stream"]
        event_bytes = row["event"].encode()
        made = chain(before.get(stream, bytes(32)), stream, row["version"], event_bytes)
        before[stream], row["hash"] = made, made.hex()
    text = [json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n" for row in rows]
    return [line.encode() for line in text]


class Entry:
    """An event of a log that is rewritten: its stream, and what it says.

    ``side`` is the event of a table that the event of a wallet names by its version.
    """

    def __init__(self, stream: str, event: Json, side: "Entry | None" = None) -> None:
        self.stream, self.event, self.side = stream, event, side


class Forgery:
    """A log as events that may be changed, moved and put in; it is then numbered and signed again.

    Everything that does not say what happened is right again: numbers, versions, the versions that
    wallets name, hashes, head and signature.
    """

    def __init__(self, rows: list[Json]) -> None:
        self.entries: list[Entry] = []
        places: dict[tuple[str, int], Entry] = {}
        for row in rows[:-1]:
            event = json.loads(row["event"])
            side = places.get((f"table/{event.get('table')}", event.get("version", 0)))
            entry = Entry(row["stream"], event, side)
            places[row["stream"], row["version"]] = entry
            self.entries.append(entry)

    def all(self, kind: str, **fields: Any) -> list[Entry]:
        """Return the events of a kind that have these fields."""
        return [
            entry
            for entry in self.entries
            if entry.event["type"] == f"{kind}/1" and fields.items() <= entry.event.items()
        ]

    def one(self, kind: str, **fields: Any) -> Entry:
        """Return the first of these events."""
        return self.all(kind, **fields)[0]

    def index(self, entry: Entry) -> int:
        return next(index for index, other in enumerate(self.entries) if other is entry)

    def next(self, entry: Entry) -> Entry:
        return self.entries[self.index(entry) + 1]

    def remove(self, *gone: Entry) -> Entry:
        """Remove some events; return the one that comes where the first of them was."""
        index = self.index(gone[0])
        self.entries = [entry for entry in self.entries if entry not in gone]
        return self.entries[index]

    def move(self, entry: Entry, after: Entry) -> Entry:
        """Move an event to another place, at the time of the event there."""
        self.entries.remove(entry)
        entry.event["at"] = after.event["at"]
        self.entries.insert(self.index(after) + 1, entry)
        return entry

    def repeat(self, entry: Entry, after: Entry | None = None, **changes: Any) -> Entry:
        """Put a copy of an event behind one."""
        event = json.loads(json.dumps(entry.event)) | changes
        other = Entry(entry.stream, event, entry.side)
        self.entries.insert(self.index(after or entry) + 1, other)
        return other

    def step(self, entry: Entry) -> list[Entry]:
        """Return the events of a step from one of them on."""
        stamp = [entry.event.get(key) for key in ("at", "by", "id")]
        return [
            other
            for other in self.entries[self.index(entry) :]
            if [other.event.get(key) for key in ("at", "by", "id")] == stamp
        ]

    def write(self, file: Path) -> None:
        """Write the log with the numbers, hashes and signature that its events need."""
        versions: dict[str, int] = {}
        numbers: dict[int, int] = {}
        rows: list[Json] = []
        for n, entry in enumerate(self.entries, 1):
            numbers[id(entry)] = versions[entry.stream] = versions.get(entry.stream, 0) + 1
            if entry.side is not None:
                entry.event["version"] = numbers.get(id(entry.side), entry.event["version"])
            text = json.dumps(entry.event, ensure_ascii=False, separators=(",", ":"))
            row = {"n": n, "stream": entry.stream, "version": versions[entry.stream]}
            rows.append(row | {"event": text, "hash": ""})
        write_signed(rows, file)


def write_signed(rows: list[Json], file: Path) -> None:
    """Write a log with its hashes and a signed head."""
    lines = chained([*rows, {}])[:-1]
    over_all = bytes(32)
    for line in lines:
        over_all = extend_head(over_all, bytes.fromhex(json.loads(line)["hash"]))
    head = Signer(file.with_suffix(".key")).sign(len(lines), over_all)
    body: Json = {"events": head.events, "hash": head.hash.hex()}
    body |= {"key": head.key.hex(), "signature": head.signature.hex()}
    last = json.dumps({"head": body}, separators=(",", ":")) + "\n"
    file.write_bytes(b"".join([*lines, last.encode()]))
