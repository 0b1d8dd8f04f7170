"""A room that is recorded: what staff and players do in it, one after another."""

import hmac
import json
import sqlite3
from base64 import b32decode
from pathlib import Path
from typing import Any

from tests.recorder.programs import Program, Room, Socket
from tests.recorder.recording import Recording, as_text
from tests.recorder.visitors import Player, Visitors, play

__all__ = ["record_room"]

#: When the room opens, in nanoseconds since 1970.
NOW = 1_790_000_000_000_000_000
_TABLES = {
    "duel": 'rulebook = "california"\npace = "slow"',
    "ir": 'rulebook = "house"\npace = "slow"',
    "wheel": 'rulebook = "roulette-european"\npace = "slow"\nset = {"zero.on_zero" = "en_prison"}',
    "still": 'rulebook = "house"',
    "shut": 'rulebook = "house"',
}
_FEES = """
[posted]
title = "As in the rulebook"
[evening]
title = "50 cents, and a dollar for the bank"
rates = [{ min = 500, max = 100000, player = 50, banker = 100 }]
"""
_PASSWORD = "correct horse battery"


def record_room(program: Program, recording: Recording, folder: Path) -> list[str]:
    """Record a room in an empty folder; return which routes and messages were not recorded."""
    for name, text in _TABLES.items():
        (folder / f"{name}.toml").write_text(text)
    (folder / "fees.toml").write_text(_FEES)
    words = "table run house --table bad --bots 2 --rounds 2 --seed 1 --db room.db"
    program.run(folder, [(words.split(), "")], NOW)
    with sqlite3.connect(folder / "room.db") as db:
        db.execute("update event set event = x'7b' where version = 9 and stream ="
                   " (select id from stream where name = 'table/bad')")  # fmt: skip
    db.close()
    tables = [word for name in _TABLES for word in ("--table", f"{name}.toml")]
    options = ["--json", "--db", "room.db", "--fees", "fees.toml", *tables]
    with Room(program, folder, options, NOW) as room:
        story = _Story(room, recording)
        story.tell()
        status = room.stop()
        recording.add("commands/serve", "a room until it is stopped", f"{room.printed}{status}")
        for name, socket in story.sockets.items():
            _record_socket(recording, name, socket)
    recording.add("server/log", "standard error", folder.with_name("errors").read_text())
    return story.missing() + _missing_messages(program.tree, list(story.sockets.values()))


def _record_socket(recording: Recording, name: str, socket: Socket) -> None:
    for side, text in socket.messages:
        kind = json.loads(text).get("type", "") if text.startswith("{") else text
        recording.add(f"sockets/{name}", f"{side} {kind}", as_text(text.encode()))


class _Story:
    def __init__(self, room: Room, recording: Recording) -> None:
        self.room = room
        self.described = room.request("GET", "/openapi.json").json
        recording.add("openapi", "GET /openapi.json", as_text(json.dumps(self.described).encode()))
        recording.add("openapi-meaning", "paths", as_text(json.dumps(_meaning(self.described)).encode()))
        operations = {
            f"{method.upper()} {path}": operation
            for path, methods in self.described["paths"].items()
            for method, operation in methods.items()
        }
        self.people = Visitors(room, recording, operations)
        self.sockets: dict[str, Socket] = {}

    def tell(self) -> None:
        """Do everything, in order."""
        self.hire()
        self.enter()

    def connect(self, name: str, who: str, table: str, query: str = "") -> Socket:
        """Open a socket at a table, to be recorded under a name."""
        path = f"/api/tables/{table}/socket{query}"
        socket = self.sockets[name] = self.room.open_socket(path, self.people.cookie(who))
        return socket

    def hire(self) -> None:
        """Make the staff."""
        token = self.room.opened["floor_token"]
        owner = {"token": token, "name": "Olga", "password": _PASSWORD}
        self.people.tokens["robot"] = token
        self.people.ask("nobody", "POST /api/floor/owner", {**owner, "token": "wrong"})
        self.people.ask("Olga", "POST /api/floor/owner", owner)
        self.people.ask("nobody", "POST /api/floor/owner", owner)

    def enter(self) -> None:
        self.people.ask_all("""
nobody: GET /api/room
Ann: POST /api/guests {"name": "Ann"}
""")

    def missing(self) -> list[str]:
        """Return the routes without a good answer."""
        return [
            f"{name}: no recorded answer"
            for name, statuses in self.people.answered.items()
            if not any(200 <= status < 300 for status in statuses)
        ]


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


def _missing_messages(tree: Path, sockets: list[Socket]) -> list[str]:
    return []
