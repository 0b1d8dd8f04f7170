"""Rounds that bots have played, as records."""

from typing import Any

import queenhigh as qh
from queenhigh.history.records import Record, rounds_of
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.room import Room, settings_for
from queenhigh.store.memory import MemoryStore
from queenhigh.table.events import decode


def play_with_bots(name: str, rounds: int, **changes: Any) -> list[Record]:
    """Return rounds that bots played by a rulebook."""
    book = qh.load(name, changes)
    room = Room(MemoryStore())
    durable = room.open_table("t", book, settings_for(book, pace=AT_ONCE))
    bots = make_bots(book, 5, 3, ("q64", "mimic"))
    seat_bots(room, durable, [bot.name for bot in bots])
    play(room, durable, bots, rounds)
    return list(rounds_of((decode(row.event) for row in room.store.read("table/t")), "t"))
