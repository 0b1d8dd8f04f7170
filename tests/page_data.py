"""Write what the tests in web/src compare the page with, as JSON, to the file given.

Rounds of every reading, played here and proved there: the same ones always, so that tests can
count on what is in them, and others with every commit. Messages with their hashes, and rules.
"""

import hashlib
import sys
from pathlib import Path
from typing import Any

from msgspec.json import encode

from queenhigh.room.history import as_proof, rounds_of
from queenhigh.rulebook.load import load, shipped
from queenhigh.sheets.data import rules_data
from queenhigh.store.memory import MemoryStore
from queenhigh.table.events import decode
from tests.seeds import rng
from tests.sizes import sized
from tests.table.chaos import BOOKS, Chaos


def play(steps: int, seed: int) -> list[dict[str, Any]]:
    """Return proofs of rounds of every reading, settled and void."""
    proofs = []
    for name, book in BOOKS.items():
        store = MemoryStore()
        chaos = Chaos(store, book, seed, name)
        for _ in range(steps):
            chaos.step()
        events = (decode(row.event) for row in store.read(f"table/{name}"))
        proofs += [as_proof(one, dict(one.book.document)) for one in rounds_of(events)]
    return proofs


def main(file: Path) -> None:
    """Write the file."""
    draw = rng("proofs")
    messages = [draw.randbytes(size) for size in range(200)]
    made = {
        "known": play(500, seed=8),
        "fresh": play(sized(500, 2500, 10_000), seed=draw.getrandbits(32)),
        "hashes": [[text.hex(), hashlib.sha256(text).hexdigest()] for text in messages],
        "rules": {name: rules_data(load(name)) for name in shipped()},
    }
    file.write_bytes(encode(made))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
