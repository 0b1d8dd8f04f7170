"""Tables with ``table_chips``: winnings stay there, and the log proves it."""

import io
import json
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.rulebook.book import Rulebook
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import SeatLeft, TableEvent
from queenhigh.verify.log_file import write_log
from tests.table.table_driver import CHIPS, Table
from tests.verify.forging import forge
from tests.verify.verifiers import BOTH


def generous() -> Rulebook:
    """Return rules by which red pays nine to one, so that somebody wins soon."""
    bets = qh.load("roulette-european").document["bets"]
    (red,) = [n for n, bet in enumerate(bets) if bet["name"] == "red"]
    return qh.load("roulette-european", {f"bets.{red}.pays": "9 to 1"})


def play(table: Table, spins: int) -> None:
    """Bet on red as Ann."""
    for _ in range(spins):
        table.tick()
        if table.state.phase != "betting":
            table.tick()
        table.bet("ann", red=10_000)


def left(events: list[TableEvent]) -> SeatLeft:
    (event,) = [event for event in events if isinstance(event, SeatLeft)]
    return event


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SeatLeft]:
    """Return a store in which Ann has won with ``table_chips`` and left, and the event of that."""
    file = tmp_path_factory.mktemp("log") / "room.db"
    store = SqliteStore(file)
    table = Table(generous(), {"ann": 1}, store=store, table_chips=True)
    play(table, 6)
    table.do("TopUp", "ann", cents=500)
    won = table.stack("ann")
    event = left(table.do("Leave", "ann"))
    assert (event.cents, event.cents + event.kept) == (100_500, won)
    assert table.wallet("ann") == CHIPS, "no more than there was"
    assert table.state.balances["in_transit"] == 0
    store.close()
    return file, event


@pytest.mark.parametrize("name", BOTH)
def test_winnings_stay_and_both_verifiers_agree(log: tuple[Path, SeatLeft], name: str) -> None:
    file, event = log
    assert event.kept > 0
    assert BOTH[name](file).ok


def more_to_the_wallet(body: dict[str, Any]) -> None:
    body["cents"] += body.pop("kept")


def a_cent_more(body: dict[str, Any]) -> None:
    body["cents"] += 1
    body["kept"] -= 1


def nothing_kept(body: dict[str, Any]) -> None:
    del body["kept"]


def said_needlessly(body: dict[str, Any]) -> None:
    body["settings"]["table_chips"] = False


def not_said(body: dict[str, Any]) -> None:
    del body["settings"]["table_chips"]


LIES = {
    "more_to_the_wallet": (more_to_the_wallet, "seat.left/1", "seat.left/1"),
    "a_cent_more": (a_cent_more, "seat.left/1", "seat.left/1"),
    "nothing_kept": (nothing_kept, "seat.left/1", "seat.left/1"),
    "said_needlessly": (said_needlessly, "table.opened/1", "table.opened/1"),
    "not_said": (not_said, "table.opened/1", "seat.left/1"),
}


@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize("lie", LIES)
def test_false_kept_amount_is_detected(  # L16
    log: tuple[Path, SeatLeft], tmp_path: Path, lie: str, name: str
) -> None:
    out = io.StringIO()
    write_log(log[0], out)
    lines = out.getvalue().encode().splitlines(keepends=True)
    events = [json.loads(json.loads(line)["event"]) for line in lines[:-1]]
    kinds = [event["type"] for event in events]
    tell, where, problem = LIES[lie]
    body = events[kinds.index(where)]
    tell(body)
    file = tmp_path / "forged.jsonl"
    file.write_bytes(b"".join(forge(lines, kinds.index(where), body)))
    verdict = BOTH[name](file, check_head=False)
    assert (verdict.ok, verdict.n) == (False, kinds.index(problem) + 1), verdict


def test_losing_player_leaves_with_the_rest() -> None:
    table = Table("roulette-european", {"ann": 1}, table_chips=True)
    before = table.stack("ann")
    while table.stack("ann") >= before:
        play(table, 1)
    rest = table.stack("ann")
    event = left(table.do("Leave", "ann"))
    assert (event.cents, event.kept) == (rest, 0)


def test_other_tables_pay_out_winnings() -> None:
    table = Table(generous(), {"ann": 1})
    play(table, 6)
    won = table.stack("ann")
    event = left(table.do("Leave", "ann"))
    assert (event.cents, event.kept) == (won, 0)
    assert won > 100_000


@pytest.mark.parametrize("has", [True, False])
def test_change_cannot_toggle_table_chips(has: bool) -> None:
    chips: tuple[dict[str, Any], ...] = ({}, {"table_chips": True})
    table = Table("roulette-european", {"ann": 1}, **chips[has])
    other = Table("roulette-european", **chips[not has]).state.settings
    fields = {"rulebook": table.state.document, "settings": other, "reason": "why not"}
    table.refused("change.game", "ChangeTable", "floor", **fields)
