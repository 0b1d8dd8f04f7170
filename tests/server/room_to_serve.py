"""Serve a room whose tables lose no time, in the process that calls this."""

import json
import os
import socket
from functools import partial
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from argon2 import PasswordHasher

import queenhigh as qh
from queenhigh.room.room import Room, settings_for
from queenhigh.server import accounts, workers
from queenhigh.server import serve as serving
from queenhigh.server.limits import Limits
from queenhigh.server.opening import PACES, TableSpec
from queenhigh.server.serve import Asked, serve
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import Pace

#: The real one takes a fifth of a second for each password.
QUICK_HASHER = partial(PasswordHasher, time_cost=1, memory_cost=8, parallelism=1)


def open_tables(file: Path, tables: dict[str, Any]) -> None:
    """Open tables that are not there yet, with a pace of their own."""
    store = SqliteStore(file)
    room = Room(store)
    vars(room.dealing)["is_due"] = lambda state: False  # the server starts their chains
    for name, table in tables.items():
        if name not in room.tables():
            book = qh.load(table["rulebook"], table.get("set", {}))
            settings = settings_for(book, pace=Pace(**table["pace"]))
            room.open_table(name, book, settings)
    store.close()


def set_constants(module: str, constants: dict[str, Any]) -> None:
    """Give constants of a module of the server other values."""
    known = vars(import_module(f"queenhigh.server.{module}"))
    assert constants.keys() <= known.keys(), f"{module} has no {constants.keys() - known.keys()}"
    known.update(constants)


def shorten_send_buffers(size: int) -> None:
    """Let the kernel keep only so many bytes for a client that does not read them."""
    listen = vars(serving)["_listen"]

    def listen_with_short_buffers(asked: Asked) -> socket.socket:
        listening: socket.socket = listen(asked)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, size)
        return listening

    vars(serving)["_listen"] = listen_with_short_buffers


def main(said: str, errors: str, opened: Connection) -> None:
    """Serve the room that JSON describes; errors go to a file, and the address to a pipe."""
    os.dup2(os.open(errors, os.O_WRONLY | os.O_CREAT | os.O_APPEND), 2)
    wanted = json.loads(said)
    file = Path(wanted.pop("db"))
    open_tables(file, wanted.pop("rooms", {}))
    PACES.update({name: Pace(**pace) for name, pace in wanted.pop("paces", {}).items()})
    if "standing" in wanted:
        specs = tuple(TableSpec(**spec) for spec in wanted.pop("standing"))
        vars(serving)["STANDING"] = specs
    # On a busy machine the processes beside hardly get a turn, and rounds of tests follow at once.
    vars(workers).update(_SECONDS=300.0, _OF_ONE=16, _OF_NETWORK=16)
    vars(accounts)["PasswordHasher"] = QUICK_HASHER
    for module, constants in wanted.pop("constants", {}).items():
        set_constants(module, constants)
    if "send_buffer" in wanted:
        shorten_send_buffers(wanted.pop("send_buffer"))
    limits = Limits(**wanted.pop("limits", {}))
    files = tuple(map(Path, wanted.pop("tables", ())))
    asked = Asked(db=file, limits=limits, tables=files, **wanted)
    serve(asked, lambda room: opened.send(room.__dict__))
