"""A room that is recorded: it is made, served and stopped."""

import json
import re
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.recorder.programs import Program, Room, Socket
from tests.recorder.recording import Recording, as_text
from tests.recorder.story import FEES, TABLES, Story
from tests.recorder.visitors import Visitors

__all__ = ["record_room"]

#: When the room opens, in nanoseconds since 1970.
NOW = 1_790_000_000_000_000_000
#: When it opens again.
_AGAIN = NOW + 3_600_000_000_000


def record_room(program: Program, recording: Recording, folder: Path) -> list[str]:
    """Record a room in an empty folder; return which routes and messages were not recorded."""
    for name, text in TABLES.items():
        (folder / f"{name}.toml").write_text(text)
    (folder / "fees.toml").write_text(FEES)
    words = "table run house --table bad --bots 2 --rounds 2 --seed 1 --db room.db"
    program.run(folder, [(words.split(), "")], NOW)
    good = _replace_event(folder / "room.db", b"{")
    tables = [word for name in TABLES for word in ("--table", f"{name}.toml")]
    options = ["--json", "--db", "room.db", "--fees", "fees.toml", *tables]
    with Room(program, folder, options, NOW) as room:
        people = Visitors(room, recording, _operations(room, recording))
        story = Story(room, people)
        story.tell()
        receipt = room.request("GET", "/api/tables/duel/receipt?version=9")
        (folder / "receipt.json").write_bytes(receipt.body)
        _record_end(recording, room, folder, story.sockets)
    for suffix in ("", ".key"):
        shutil.copy(folder / f"room.db{suffix}", folder / f"damaged.db{suffix}")
    _replace_event(folder / "room.db", good)
    again = ["--db", "room.db", "--new-floor-token", "--room-name", "The Green Room", *tables]
    with Room(program, folder, again, _AGAIN) as room:
        watching = room.open_socket("/api/tables/house/socket")
        room.advance(30)
        _record_end(recording, room, folder, {"a spectator after the restart": watching})
    return missing_routes(people.answered) + missing_messages(program.tree, story.sockets.values())


def _replace_event(file: Path, event: bytes) -> bytes:
    """Put another event in the place of one of the table ``bad``; return the one before."""
    where = "version = 9 and stream = (select id from stream where name = 'table/bad')"
    with closing(sqlite3.connect(file)) as db, db:
        (before,) = db.execute(f"select event from event where {where}").fetchone()
        db.execute(f"update event set event = ? where {where}", (event,))
    return bytes(before)


def missing_routes(answered: dict[str, set[int]]) -> list[str]:
    """Return the routes without an answer that is no refusal."""
    return [
        f"{name}: no recorded answer"
        for name, statuses in answered.items()
        if not any(200 <= status < 300 for status in statuses)
    ]


def _operations(room: Room, recording: Recording) -> list[str]:
    """Record what the room says of its routes; return them."""
    described = room.request("GET", "/openapi.json").json
    for name, text in {"as served": described, "meaning": _meaning(described)}.items():
        recording.add(f"openapi/{name}", "GET /openapi.json", as_text(json.dumps(text).encode()))
    paths = described["paths"].items()
    return [f"{method.upper()} {path}" for path, methods in paths for method in methods]


def _record_end(recording: Recording, room: Room, folder: Path, sockets: dict[str, Socket]) -> None:
    """Stop a room; record its sockets, and what it printed."""
    status = room.stop()
    text = f"{room.printed}--- err\n{folder.with_name('errors').read_text()}exit status {status}"
    recording.add("commands/serve", "a room until it is stopped", text)
    for name, socket in sockets.items():
        for side, message in socket.messages:
            recording.add(f"sockets/{name}", f"{side} {_kind(message)}", as_text(message.encode()))


def _meaning(described: Any) -> Any:
    """Return what a description says of requests and answers, without names and words of types."""
    schemas = described["components"]["schemas"]

    def plain(part: Any, above: tuple[str, ...] = ()) -> Any:
        if isinstance(part, list):
            return [plain(each, above) for each in part]
        if not isinstance(part, dict):
            return part
        if isinstance(part.get("$ref"), str):
            name = part["$ref"].rpartition("/")[2]
            return "itself" if name in above else plain(schemas[name], (*above, name))
        words = {
            key for key in ("title", "description", "summary") if isinstance(part.get(key), str)
        }
        return {key: plain(value, above) for key, value in part.items() if key not in words}

    return plain(described["paths"])


def missing_messages(tree: Path, sockets: Iterable[Socket]) -> list[str]:
    """Return the messages that a tree's page knows, and no socket has sent or received."""
    types = (tree / "web/src/generated/server.ts").read_text()
    seen = {side: set[str]() for side in "<>"}
    for socket in sockets:
        for side, text in socket.messages:
            seen[side].add(_kind(text))
    missing = []
    for side, union in {"<": "FromServer", ">": "Command"}.items():
        names = re.findall(r"\w+", re.findall(rf"type {union} = (.*);", types)[0])
        for name in names:
            kind = re.findall(rf'interface {name} {{\n  type: "(\w+)"', types)[0]
            if kind not in seen[side]:
                missing.append(f"{side} {kind}: no recorded message")
    return missing


def _kind(text: str) -> str:
    """Return the type of a message, or its text if it has none."""
    try:
        return str(json.loads(text)["type"])
    except (ValueError, TypeError):
        return text
