"""A room that is recorded: it is made, served and stopped."""

import json
import re
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tests.recorder.programs import Program, Room, Socket
from tests.recorder.recording import Recording, as_text
from tests.recorder.story import FEES, TABLES, Story
from tests.recorder.visitors import Visitors

__all__ = ["record_room"]

#: When the room opens, in nanoseconds since 1970.
NOW = 1_790_000_000_000_000_000
def record_room(program: Program, recording: Recording, folder: Path) -> list[str]:
    """Record a room in an empty folder; return which routes and messages were not recorded."""
    for name, text in TABLES.items():
        (folder / f"{name}.toml").write_text(text)
    (folder / "fees.toml").write_text(FEES)
    words = "table run house --table bad --bots 2 --rounds 2 --seed 1 --db room.db"
    program.run(folder, [(words.split(), "")], NOW)
    with sqlite3.connect(folder / "room.db") as db:
        db.execute("update event set event = x'7b' where version = 9 and stream ="
                   " (select id from stream where name = 'table/bad')")  # fmt: skip
    db.close()
    tables = [word for name in TABLES for word in ("--table", f"{name}.toml")]
    options = ["--json", "--db", "room.db", "--fees", "fees.toml", *tables]
    with Room(program, folder, options, NOW) as room:
        people = Visitors(room, recording, _operations(room, recording))
        story = Story(room, people)
        story.tell()
        status = room.stop()
        recording.add("commands/serve", "a room until it is stopped", f"{room.printed}{status}")
        for name, socket in story.sockets.items():
            _record_socket(recording, name, socket)
    recording.add("server/log", "standard error", folder.with_name("errors").read_text())
    return missing_routes(people.answered) + missing_messages(program.tree, story.sockets.values())


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
    for name, text in {"openapi": described, "openapi-meaning": _meaning(described)}.items():
        recording.add(name, "GET /openapi.json", as_text(json.dumps(text).encode()))
    paths = described["paths"].items()
    return [f"{method.upper()} {path}" for path, methods in paths for method in methods]


def _record_socket(recording: Recording, name: str, socket: Socket) -> None:
    for side, text in socket.messages:
        recording.add(f"sockets/{name}", f"{side} {_kind(text)}", as_text(text.encode()))


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
        words = {key for key in ("title", "description", "summary") if isinstance(part.get(key), str)}
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
