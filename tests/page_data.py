"""Write what the tests in web/src compare the page with, as JSON, to the file given.

Rounds of every reading, played here and proved there: the same ones always, so that tests can
count on what is in them, others with every commit, and some of scheme 1. The ends of the chains
they are on, messages with their hashes, rules, and the books of banks.
"""

import hashlib
import sys
from collections.abc import Iterable
from contextlib import nullcontext
from pathlib import Path
from typing import Any
from unittest.mock import patch

from msgspec.json import encode

from queenhigh.history.proofs import as_proof, made_corrections
from queenhigh.history.records import rounds_of
from queenhigh.price.bank import bank
from queenhigh.price.bank_figures import bank_figures
from queenhigh.room.dealing import Dealing
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.load import load, shipped
from queenhigh.sheets import bank_figures_sheet, bank_sheet, rule_sheet
from queenhigh.store.memory import MemoryStore
from queenhigh.table.chains import binding_seeds
from queenhigh.table.events import ChainStarted, TableEvent, decode
from tests.covariances import counted_once
from tests.entered_hands import entered_hands
from tests.remembered import remembered
from tests.seeds import rng
from tests.sizes import sized
from tests.table.deciding_rounds import deciding_seed
from tests.table.random_play import BOOKS, RandomPlay
from tests.verify.ruled_rooms import ruled_tables

#: The usual readings, which other tables differ from.
SEAT, RETURNED = {"settle_order": "seat"}, {"fold_uncovered": "returned"}


def play(
    steps: int, seed: int, names: Iterable[str] = tuple(BOOKS), *, chained: bool = True
) -> dict[str, list[TableEvent]]:
    """Return the events of tables, one for each reading; people commit to seeds and show some.

    Without a chain, the rounds are of scheme 1, as in logs from before there were chains.
    """
    tables = {}
    for name in names:
        store = MemoryStore()
        with nullcontext() if chained else patch.object(Dealing, "is_due", return_value=False):
            random_play = RandomPlay(store, BOOKS[name], seed, name)
            for _ in range(steps):
                random_play.step()
        tables[name] = [decode(row.event) for row in store.read(f"table/{name}")]
    return tables


def proofs(tables: dict[str, list[TableEvent]]) -> list[dict[str, Any]]:
    """Return proofs of the rounds that are over, settled and void."""
    proved = []
    for table, events in tables.items():
        corrections = [*made_corrections(events)]
        for record in rounds_of(events, table):
            own = [pair for pair in corrections if pair[1].round == record.live.number]
            proved.append(as_proof(record, dict(record.book.document), own))
    return proved


def bound(tables: dict[str, list[TableEvent]]) -> dict[str, bool]:
    """Return whether a player's seed binds a round that was dealt, by its table and number."""
    return {
        f"{table} {record.live.number}": binding_seeds(record.live, record.end.seed) > 0
        for table, events in tables.items()
        for record in rounds_of(events, table)
        if record.live.play is not None
    }


def chains(tables: dict[str, list[TableEvent]]) -> dict[str, str]:
    """Return the ends of chains, each by its table and number."""
    return {
        f"{name} {event.chain}": event.end
        for name, events in tables.items()
        for event in events
        if isinstance(event, ChainStarted)
    }


#: Tables whose books the page adds up: the Antes and the side bets of their seats, in cents.
BANKED = (
    ([500], [0]),
    ([500] * 10, [0] * 10),
    ([500, 1000, 2500], [0, 500, 100]),
    ([500, 10_100, 30_100], [100, 0, 10_000]),
)


def bank_books() -> dict[str, Any]:
    """Return the bank's figures, and whole books to compare sums of them with."""
    book = load("california")
    assert isinstance(book, PokerRulebook)
    with counted_once():
        return {
            "figures": bank_figures_sheet.as_json(book, bank_figures(book)),
            "books": [
                bank_sheet.as_json(book, bank(book, ante=antes, bonus=bonuses))
                for antes, bonuses in BANKED
            ],
        }


def main(file: Path) -> None:
    """Write the file."""
    draw = rng("proofs")
    known = play(700, seed=8)
    messages = [draw.randbytes(size) for size in range(200)]
    made = {
        "known": proofs(known),
        "chains": chains(known),
        "bound": bound(known),
        "full": sized(False, True),
        "readings": proofs(
            play(160, deciding_seed("in turn", SEAT, RETURNED), ("in turn",))
            | play(160, deciding_seed("bonus first", SEAT), ("bonus first",))
        ),
        "ruled": proofs(ruled_tables()),
        "old": proofs(play(250, 8, ("california", "house", "roulette"), chained=False)),
        "fresh": proofs(play(sized(500, 500, 10_000), seed=draw.getrandbits(32))),
        "entered": entered_hands(draw, sized(600, 2_400, 24_000), sized(10, 24, 100)),
        "hashes": [[text.hex(), hashlib.sha256(text).hexdigest()] for text in messages],
        "bank": bank_books(),
        "rules": {name: rule_sheet.as_json(load(name)) for name in shipped()},
        "feePerWager": rule_sheet.as_json(load("california", {"fee_per": "wager"})),
        "feePerKind": rule_sheet.as_json(BOOKS["in turn"]),
    }
    file.write_bytes(encode(made))


if __name__ == "__main__":
    with remembered():
        main(Path(sys.argv[1]))
