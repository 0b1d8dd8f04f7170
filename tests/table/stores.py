"""Stores to keep books of, and all that the books can be asked for."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import apsw

import queenhigh as qh
from queenhigh.room.books import Books
from queenhigh.room.bots import make_bots
from queenhigh.room.play import AT_ONCE, play, seat_bots
from queenhigh.room.room import settings_for
from queenhigh.store.sqlite import SqliteStore
from tests.sizes import sized
from tests.table.chaos import BOOKS, Chaos
from tests.table.rooms import seeded_room

STEPS = sized(350, 800, 1500)
ROUNDS = sized(25, 100, 400)
GAMES = ("california", "house", "roulette")


def ready(store: Path) -> Path:
    """Return where the books of a store that tests share lie, up to date."""
    return store.with_name(f"{store.stem}-books.db")


def play_all(file: Path, rounds: int, seed: int = 3) -> None:
    """Play all three games with bots, each at a table of its name."""
    store = SqliteStore(file)
    room = seeded_room(store, Random(seed))
    for name in GAMES:
        book = qh.load(name)
        desk = room.open_table(name, book, settings_for(book, pace=AT_ONCE))
        bots = make_bots(book, 6, seed, ("best", "q64"))
        seat_bots(room, desk, [bot.name for bot in bots])
        play(room, desk, bots, rounds)
    store.close()


def go_wild(file: Path) -> None:
    """Do whatever comes to people's minds, at a table of every reading."""
    store = SqliteStore(file)
    for seed, (name, book) in enumerate(BOOKS.items()):
        chaos = Chaos(store, book, seed, name)
        chaos.at += seed * 3_000_000
        for _ in range(STEPS):
            chaos.step()
    store.close()


def make_ready(store: Path) -> None:
    """Keep books beside a store, for :func:`kept` to begin with."""
    books = Books(store, ready(store))
    assert books.catch_up()
    books.close()


def kept(store: Path, tmp_path: Path, name: str = "books.db") -> Books:
    """Return the books of a store, up to date."""
    if ready(store).exists():
        shutil.copy(ready(store), tmp_path / name)
    books = Books(store, tmp_path / name)
    assert books.catch_up()
    return books


def log(file: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield every event of every table: its number, its table, and what it says."""
    ask = "select event.id, name, event from event join stream on stream = stream.id order by 1"
    store = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    store.set_busy_timeout(60_000)  # who closes it last has it alone for a moment
    rows: Any = store.execute(ask).fetchall()
    store.close()
    for n, stream, event in rows:
        if stream.startswith("table/"):
            yield n, stream[6:], json.loads(event)


def cents(charges: list[dict[str, int]]) -> int:
    return sum(charge["cents"] for charge in charges)


def players(file: Path) -> list[str]:
    return sorted({said["player"] for _, _, said in log(file) if said["type"] == "seat.taken/1"})


def everything(books: Books, names: list[str]) -> dict[str, Any]:
    """Return all that can be asked for."""
    of_player: dict[str, dict[str, Any]] = {
        name: {
            "history": books.history(name, limit=10**6),
            "lines": books.settle_lines(name),
            "hands": books.hand_histories(name),
            "bankroll": books.bankroll(name, limit=10**6),
        }
        for name in names
    }
    rounds = {
        (one["table"], one["number"]) for told in of_player.values() for one in told["history"]
    }
    return {
        "players": of_player,
        "proofs": [books.proof(*one) for one in sorted(rounds)],
        "collection": books.collection(),
        "offers": books.offers(limit=10**6),
        "voids": books.voids(limit=10**6),
        "results": books.results(),
    }
