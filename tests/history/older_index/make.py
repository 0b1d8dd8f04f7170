"""Make the files of an older program: a room with an archived table, its index, and snapshots.

    git archive COMMIT src | tar x -C FOLDER
    PYTHONPATH=FOLDER/src python tests/history/older_index/make.py COMMIT INDEX_MODULE INDEX_CLASS

writes COMMIT.zip beside this file. The module and the class are those of the index in that program:
for 5035e2e, ``queenhigh.room.books`` and ``Books``.
"""

import importlib
import json
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from queenhigh.room.room import Room
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR, CloseTable
from queenhigh.table.events import decode
from queenhigh.table.evolve import evolve
from queenhigh.table.snapshot import snapshot

TABLES = {
    "california": ("--bots", "5"),
    "house": ("--bots", "3"),
    "roulette-european": ("--bots", "3", "--set", "zero.on_zero=en_prison"),
}
PLAYER = "Ada"
#: A snapshot is taken after every so many events, at a table's every phase.
_EVERY = 7


def queenhigh(*words: str) -> None:
    """Run a command."""
    subprocess.run([sys.executable, "-m", "queenhigh", *words], check=True, capture_output=True)


def snapshots(db: Path) -> list[dict[str, Any]]:
    """Return snapshots of all tables, each with its version."""
    store, saved = SqliteStore(db), []
    for table in TABLES:
        state = None
        for row in store.read(f"table/{table}"):
            state = evolve(state, decode(row.event))
            if row.version % _EVERY == 0:
                text = snapshot(state).decode()
                saved.append({"table": table, "version": row.version, "state": text})
    store.close()
    return saved


def read_index(db: Path, module: str, name: str) -> dict[str, Any]:
    """Return a player's history, and proofs of rounds, as the program itself reads them."""
    index = getattr(importlib.import_module(module), name)(db, Path(f"{db}.books"))
    while not index.catch_up():
        pass
    facts = {
        "history": index.history(PLAYER, limit=100),
        "proofs": {f"{table}/2": index.proof(table, 2) for table in TABLES},
    }
    index.close()
    return json.loads(json.dumps(facts))  # type: ignore[no-any-return]


def close(db: Path, table: str) -> None:
    """Close a table."""
    store = SqliteStore(db)
    Room(store).table(table).execute(CloseTable(id="end", by=FLOOR, at=2**42, reason="late"))
    store.close()


def main() -> None:
    """Make ``COMMIT.zip``."""
    commit, module, name = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "room.db"
        for table, options in TABLES.items():
            run = ("--rounds", "8", "--seed", "1", "--db", str(db))
            queenhigh("table", "run", table, *options, *run)
        saved = snapshots(db)
        close(db, "house")
        read_index(db, module, name)  # the archived rounds are in the index from now on
        queenhigh("archive", str(db), "--to", f"{folder}/house.qha", "--remove")
        facts = read_index(db, module, name)
        target = Path(__file__).parent / f"{commit}.zip"
        with zipfile.ZipFile(target, "w", zipfile.ZIP_LZMA) as packed:
            for file in (db, Path(f"{db}.key"), Path(f"{db}.books")):
                packed.write(file, file.name)
            packed.writestr("snapshots.json", json.dumps(saved))
            packed.writestr("facts.json", json.dumps(facts))


if __name__ == "__main__":
    main()
