"""Logs with other events in them, chained as if they were real."""

import json
from typing import Any

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
