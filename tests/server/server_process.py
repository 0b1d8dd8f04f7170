"""The process of a test's server: a room whose tables lose no time."""

import json
import os
import socket
import time
from collections.abc import Callable
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.room import clock
from queenhigh.room.room import Room, settings_for
from queenhigh.server import serve as serving
from queenhigh.server.limits import Limits
from queenhigh.server.serve import ServeOptions, serve
from queenhigh.server.staff_changes import StaffChanges
from queenhigh.server.table_spec import PACES, TableSpec
from queenhigh.store.location import Location, parse_location
from queenhigh.store.open import open_store
from queenhigh.table.commands import Pace
from queenhigh.table.staff_events import StaffEvent

#: The real one takes a fifth of a second for each password.
QUICK_HASHER = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)


def open_tables(location: Location, keys: Path, tables: dict[str, Any]) -> None:
    """Open tables that do not exist yet, each with its pace."""
    store = open_store(location, keys)
    room = Room(store)
    vars(room.dealing)["is_due"] = lambda state: False  # the server starts their chains
    for name, table in tables.items():
        if name not in room.tables():
            book = qh.load(table["rulebook"], table.get("set", {}))
            settings = settings_for(book, pace=Pace(**table["pace"]))
            room.open_table(name, book, settings)
    store.close()


def set_constants(module: str, constants: dict[str, Any]) -> None:
    """Set constants of a module of the server."""
    known = vars(import_module(f"queenhigh.server.{module}"))
    assert constants.keys() <= known.keys(), f"{module} has no {constants.keys() - known.keys()}"
    known.update(constants)


def follow_clock(file: Path) -> None:
    """Set the room's clock ahead by the milliseconds that a file has."""

    def ahead(source: Callable[[], int]) -> Callable[[], int]:
        return lambda: source() + int(file.read_text()) * 1_000_000

    clock.ROOM.__init__(ahead(time.time_ns), ahead(time.monotonic_ns))  # type: ignore[misc]


def hire_earlier(hours: float) -> None:
    """Date everything about the staff some hours earlier in the log."""
    write = StaffChanges.write

    def write_earlier(changes: StaffChanges, event: StaffEvent, *rows: Any, **more: Any) -> None:
        write(changes, replace(event, at=event.at - round(hours * 3_600_000)), *rows, **more)

    setattr(StaffChanges, "write", write_earlier)  # noqa: B010 (a method, which mypy guards)


def shorten_send_buffers(size: int) -> None:
    """Make the kernel buffer only so many bytes for a client that does not read them."""
    listen = vars(serving)["_listen"]

    def listen_with_short_buffers(host: str, port: int, option: str) -> socket.socket:
        listening: socket.socket = listen(host, port, option)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)
        return listening

    vars(serving)["_listen"] = listen_with_short_buffers


def main(options: str, errors: str, opened: Connection) -> None:
    """Serve the room that JSON describes; errors go to a file, and the address to a pipe."""
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    wanted = json.loads(options)
    location = parse_location(wanted.pop("room", None) or wanted["db"])
    del wanted["db"]
    wanted["keys"] = Path(wanted.get("keys", "room.keys"))
    if "rooms" in wanted:
        open_tables(location, wanted["keys"], wanted.pop("rooms"))
    PACES.update({name: Pace(**pace) for name, pace in wanted.pop("paces", {}).items()})
    if "standing" in wanted:
        specs = tuple(TableSpec(**spec) for spec in wanted.pop("standing"))
        set_constants("serve", {"DEFAULT_TABLES": specs})
    # On a busy machine the worker processes are slow, and tests send many requests at once.
    set_constants("worker_pool", {"_SECONDS": 300.0, "_OF_ONE": 16, "_OF_NETWORK": 16})
    set_constants("passwords", {"PasswordHasher": QUICK_HASHER})
    for module, constants in wanted.pop("constants", {}).items():
        set_constants(module, constants)
    if "clock" in wanted:
        follow_clock(Path(wanted.pop("clock")))
    if "hired_ago" in wanted:
        hire_earlier(wanted.pop("hired_ago"))
    if "fault" in wanted:
        from tests.processes.faults import FAULTS  # noqa: PLC0415 (they need an extra)

        FAULTS[wanted.pop("fault")]()
    if "send_buffer" in wanted:
        shorten_send_buffers(wanted.pop("send_buffer"))
    limits = Limits(**wanted.pop("limits", {}))
    files = tuple(map(Path, wanted.pop("tables", ())))
    if "fees" in wanted:
        wanted["fees"] = Path(wanted["fees"])
    asked = ServeOptions(db=location, limits=limits, tables=files, **wanted)
    serve(asked, lambda room: opened.send(room.__dict__))
