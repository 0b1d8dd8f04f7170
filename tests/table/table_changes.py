"""Helpers that change a table as the floor."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from msgspec.structs import replace

import queenhigh as qh
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import from_document, vary
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Store
from queenhigh.table import events as happened
from queenhigh.table.commands import FLOOR, Settings
from queenhigh.table.events import ChangeAnnounced, TableEvent
from queenhigh.verify.log_file import write_log
from tests.table.table_driver import Table
from tests.verify.forging import Json
from tests.verify.verifiers import BOTH

NOTICE = "fees.notice_seconds"


def without_notice(changes: Json | None = None) -> Rulebook:
    """Return the rules of California as tables have them that give no notice of a change."""
    document = json.loads(json.dumps(dict(qh.load("california", changes).document)))
    del document["fees"]["notice_seconds"]
    for clause in document["clauses"]:
        if NOTICE in clause["keys"]:
            clause |= {"keys": [], "text": "The schedule is on view to everyone."}
    own = [row for row in document["assumptions"] if row.get("key") != NOTICE]
    document["assumptions"] = own
    return from_document(document)


def announce(table: Table, changes: Json | None = None, **settings: Any) -> ChangeAnnounced:
    """Announce other keys of the rulebook, and settings, as the floor."""
    (event,) = table.do("AnnounceChange", FLOOR, **rules(table, changes, **settings))
    assert isinstance(event, ChangeAnnounced)
    return event


def rules(table: Table, changes: Json | None = None, **settings: Any) -> Json:
    """Return the changed rulebook and settings of a table."""
    document = dict(vary(table.state.book, changes or {}).document)
    made = replace(table.state.settings, **settings)
    return {"rulebook": document, "settings": made, "reason": "a slow night"}


def change(table: Table, changes: Json | None = None, **settings: Any) -> list[TableEvent]:
    """Change keys of the rulebook, and settings, as the floor."""
    return table.do("ChangeTable", FLOOR, **rules(table, changes, **settings))


def refused(table: Table, code: str, changes: Json | None = None, **fields: Any) -> str:
    return table.refused(code, "ChangeTable", FLOOR, **rules(table, changes) | fields)


def paced(table: Table, **times: int) -> Settings:
    settings = table.state.settings
    return replace(settings, pace=replace(settings.pace, **times))


def play(table: Table, ante: int = 500) -> happened.RoundSettled:
    """Play a round in which bob folds against ann."""
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=ante)
    table.tick()
    end = table.do("Choose", "bob", move="fold")[-1]
    assert isinstance(end, happened.RoundSettled)
    return end


def with_a_bet_in_prison(store: Store | None = None) -> Table:
    book = qh.load("roulette-european", {"on_zero": "en_prison"})
    table = Table(book, {"ann": 1}, store=store)
    for seed in range(400):
        table.tick()
        table.do("AddSeed", "ann", seed=str(seed))
        table.bet("ann", red=100)
        if table.state.prison:
            return table
    raise AssertionError("no zero came")


def log_of(file: Path, fill: Callable[[Store], object]) -> list[Json]:
    store = SqliteStore(file)
    fill(store)
    store.close()
    for name, verify in BOTH.items():
        verdict = verify(file)
        assert verdict.ok, f"{name}: event {verdict.n}: {verdict.reason}"
    log = file.with_suffix(".jsonl")
    with log.open("w", encoding="utf-8") as out:
        write_log(file, out)
    return [json.loads(line) for line in log.read_text().splitlines()]
