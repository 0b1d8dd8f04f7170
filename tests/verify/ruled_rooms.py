"""Rooms with rulings and corrections at every game, for both verifiers."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import queenhigh as qh
from queenhigh.errors import Refused
from queenhigh.store.memory import MemoryStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Store
from queenhigh.table.commands import FLOOR, Bet
from queenhigh.table.correction_events import Facts
from queenhigh.table.events import TableEvent, decode
from queenhigh.table.staff import AUDITOR, FLOOR_ROLE
from queenhigh.table.state import PastRound
from queenhigh.verify.log_file import write_log
from tests.table.staff_log import hire
from tests.table.table_driver import FOUR, Table
from tests.verify.forging import Forgery

BOB, CYD, DAN = (FOUR[name] for name in ("bob", "cyd", "dan"))


def last_round(table: Table) -> PastRound:
    assert table.state.last is not None
    return table.state.last


def rule(table: Table, kind: str, place: int | None = None, by: str = "Maria") -> None:
    table.do("RuleIncident", FLOOR, kind=kind, place=place, staff=by, reason="a dispute")


def ask(table: Table, past: PastRound, facts: Facts, by: str = "Carl") -> int:
    fields: dict[str, Any] = {"round": past.live.number, "facts": facts, "staff": by, "past": past}
    table.do("AskCorrection", FLOOR, reason="seen on video", **fields)
    return table.state.corrections.count


def approve(table: Table, past: PastRound, number: int, by: str = "Noor") -> None:
    table.do("ApproveCorrection", FLOOR, correction=number, staff=by, past=past)


def correct(table: Table, past: PastRound, facts: Facts) -> None:
    approve(table, past, ask(table, past, facts))


def reject(table: Table, number: int, by: str) -> None:
    table.do("RejectCorrection", FLOOR, correction=number, staff=by, reason="it was right")


def bet(table: Table, *players: str, **stakes: int) -> None:
    for player in players:
        table.bet(player, True, **(stakes or {"ante": 500, "bonus": 100}))


def move(table: Table, **moves: str) -> None:
    for player, made in moves.items():
        table.do("Choose", player, move=made)


def banked(store: Store, seed: int = 3) -> None:
    """Rule and correct at a table where players bank: chips at seats, in wallets, and owed."""
    staff = hire(store)
    staff.add("Aude", AUDITOR)
    staff.add("Rita", FLOOR_ROLE)
    staff.grant("till", FLOOR_ROLE)
    staff.require_two()  # the other rooms are as before there was such an event
    readings = {"misdeal": "redeal", "exposed_player": "void_hand", "exposed_dealer": "void"}
    table = Table(qh.load("california", readings), FOUR, store=store, seed=seed)
    table.banked_by("ann")  # round 1: all correct
    bet(table, "bob", "cyd", "dan")
    rule(table, "player_gone", CYD)
    move(table, bob="fold", dan="play")
    first = last_round(table)
    table.banked_by("ann")  # round 2 is dealt again as round 3, where a hand is void
    bet(table, "bob", "cyd", "dan")
    rule(table, "misdeal", by="Olga")
    table.tick()
    table.do("Choose", "cyd", move="play")
    rule(table, "exposed_player", DAN)
    table.do("Choose", "bob", move="play")
    third = last_round(table)
    table.banked_by("bob")  # round 4 is void, by a ruling
    bet(table, "ann", "cyd", "dan")
    rule(table, "exposed_dealer", by="Rita")
    staff.remove("Rita")
    number = ask(table, first, Facts(moves={BOB: "play"}))
    approve(table, first, number)
    reject(table, ask(table, third, Facts(void=True)), "Noor")
    reject(table, ask(table, third, Facts(void=True), "Maria"), "Maria")
    table.do("Leave", "dan", when="now")  # chips in a wallet
    correct(table, first, Facts(wagers={DAN: (), CYD: (Bet("ante", 1000),)}))
    correct(table, third, Facts(moves={BOB: "fold"}))
    table.do("Leave", "cyd", when="now")  # too few chips at the seat
    table.do("Sit", "cyd", place=CYD, cents=600)
    correct(table, first, Facts(wagers={CYD: (Bet("ante", 20_000),)}))
    table.do("TopUp", "cyd", cents=50_000)
    correct(table, first, Facts(wagers={CYD: (Bet("ante", 20_000),)}))
    number = ask(table, third, Facts(void=True), by="Maria")
    staff.add("Late", FLOOR_ROLE)
    table.banked_by("ann")  # round 5, while a correction waits
    bet(table, "bob", "cyd")
    ask(table, first, Facts())
    move(table, bob="play", cyd="fold")
    approve(table, third, number, "Late")
    approve(table, first, number + 1)


def house(store: Store, seed: int = 3) -> None:
    """Rule and correct at a table where the house banks."""
    hire(store)
    readings = {"misdeal": "redeal", "exposed_dealer": "play_on"}
    table = Table(qh.load("house", readings), {"ann": 1, "bob": 2}, store=store, seed=seed)
    table.tick()
    bet(table, "ann", ante=400, pair_plus=100)
    bet(table, "bob", ante=100)
    rule(table, "misdeal")
    table.tick()
    rule(table, "exposed_dealer")
    rule(table, "exposed_player", 1)
    move(table, ann="play", bob="fold")
    past = last_round(table)
    correct(table, past, Facts(moves={1: "fold", 2: "play"}))
    correct(table, past, Facts(wagers={1: ()}))
    correct(table, past, Facts(void=True))
    correct(table, past, Facts())


def wheel(store: Store, seed: int = 3) -> None:
    """Correct spins, of a player who left too, and by rules that are no longer the table's."""
    hire(store)
    table = Table("roulette", {"ann": 1, "bob": 2, "cyd": 3}, store=store, seed=seed)
    table.tick()
    table.bet("ann", red=500, low=300)
    table.bet("cyd", ready=True, odd=900)
    table.bet("bob", red=700, black=700)
    past = last_round(table)
    correct(table, past, Facts(wagers={1: (Bet("black", 500), Bet("split 17 20", 100))}))
    table.do("Leave", "bob", when="now")
    correct(table, past, Facts(wagers={1: (), 2: (Bet("red", 10_000),)}))
    correct(table, past, Facts(void=True))


ROOMS: dict[str, Callable[[Store, int], None]] = {
    "banked": banked,
    "house": house,
    "wheel": wheel,
}


def make_room(room: str, file: Path, suits: Callable[[Forgery], bool]) -> None:
    """Make the store of a room and beside it its log, with cards that suit what tests do with it.

    Other cards come with every change of a rulebook, and by some there is nothing to correct.
    """
    for seed in range(30):
        file.unlink(missing_ok=True)
        store = SqliteStore(file)
        try:
            ROOMS[room](store, seed)
        except Refused:
            continue
        finally:
            store.close()
        log = file.with_suffix(".jsonl")
        with log.open("w", encoding="utf-8") as out:
            write_log(file, out)
        if suits(Forgery([json.loads(line) for line in log.read_text().splitlines()])):
            return
    raise AssertionError(f"no cards suit {room}")


def ruled_tables() -> dict[str, list[TableEvent]]:
    """Return the events of the table of each room, by the room's name."""
    tables = {}
    for room, fill in ROOMS.items():
        for seed in range(30):
            store = MemoryStore()
            with suppress(Refused):
                fill(store, seed)
                tables[room] = [decode(row.event) for row in store.read("table/t")]
                break
    return tables
