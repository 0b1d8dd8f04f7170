"""Stores to index, and everything that an index can be asked for."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, get_args

import apsw
import msgspec

import queenhigh as qh
from queenhigh.history.floor_reports.report import ReportName
from queenhigh.history.index.report_queries import ReportIndex
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.room import settings_for
from queenhigh.store.sqlite import SqliteStore
from tests.sizes import sized
from tests.table.random_play import BOOKS, RandomPlay
from tests.table.seeded_rooms import seeded_room

STEPS = sized(350, 800, 1500)
ROUNDS = sized(25, 100, 400)
GAMES = ("california", "house", "roulette")


def ready(store: Path) -> Path:
    """Return the file of the complete index of a store that tests share."""
    return store.with_name(f"{store.stem}-books.db")


def play_all(file: Path, rounds: int, seed: int = 3) -> None:
    """Play all three games with bots, each at a table of its name."""
    store = SqliteStore(file)
    room = seeded_room(store, Random(seed))
    for name in GAMES:
        book = qh.load(name)
        durable = room.open_table(name, book, settings_for(book, pace=AT_ONCE))
        bots = make_bots(book, 6, seed, ("best", "q64"))
        seat_bots(room, durable, [bot.name for bot in bots])
        play(room, durable, bots, rounds)
    store.close()


def go_wild(file: Path) -> None:
    """Send random commands to a table of every reading."""
    store = SqliteStore(file)
    for seed, (name, book) in enumerate(BOOKS.items()):
        random_play = RandomPlay(store, book, seed, name)
        random_play.at += seed * 3_000_000
        for _ in range(STEPS):
            random_play.step()
    store.close()


def make_ready(store: Path) -> None:
    """Index a store, for :func:`open_index` to start with."""
    index = ReportIndex(store, ready(store))
    assert index.catch_up()
    index.close()


def open_index(store: Path, tmp_path: Path, name: str = "books.db") -> ReportIndex:
    """Return the complete index of a store."""
    if ready(store).exists():
        shutil.copy(ready(store), tmp_path / name)
    index = ReportIndex(store, tmp_path / name)
    assert index.catch_up()
    return index


def log(file: Path, *streams: str) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield every event of every table: its number, its table, and what it says.

    Those of other streams come too if they are named, without a table.
    """
    query = "select event.id, name, event from event join stream on stream = stream.id order by 1"
    store = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    store.set_busy_timeout(60_000)  # the last connection to close locks the file for a moment
    rows: Any = store.execute(query).fetchall()
    store.close()
    for n, stream, event in rows:
        if stream.startswith("table/"):
            yield n, stream[6:], json.loads(event)
        elif stream in streams:
            yield n, "", json.loads(event)


def cents(charges: list[dict[str, int]]) -> int:
    return sum(charge["cents"] for charge in charges)


def players(file: Path) -> list[str]:
    return sorted({said["player"] for _, _, said in log(file) if said["type"] == "seat.taken/1"})


def everything(index: ReportIndex, names: list[str]) -> dict[str, Any]:
    """Return all that can be asked for."""
    of_player: dict[str, dict[str, Any]] = {
        name: {
            "history": index.history(name, limit=10**6),
            "lines": index.settle_lines(name),
            "hands": index.hand_histories(name),
            "bankroll": index.bankroll(name, limit=10**6),
        }
        for name in names
    }
    rounds = {
        (entry["table"], entry["number"])
        for report in of_player.values()
        for entry in report["history"]
    }
    return {
        "players": of_player,
        "proofs": [index.proof(*each) for each in sorted(rounds)],
        "collection": index.collection(),
        "offers": index.offers(limit=10**6),
        "voids": index.voids(limit=10**6),
        "results": index.results(),
        "reports": [msgspec.to_builtins(index.report(name)) for name in get_args(ReportName)],
    }
