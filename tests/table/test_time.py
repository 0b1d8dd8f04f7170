"""Time at a table: the floor gives it whole once more, and rebases it when the clock was set."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from queenhigh.store.sqlite import SqliteStore
from queenhigh.table import evolve
from queenhigh.table.commands import FLOOR
from queenhigh.table.decide import wakes_at
from queenhigh.table.events import TableEvent, TimeRebased
from queenhigh.table.view import view
from queenhigh.verify.log_file import write_log
from tests.table.table_driver import FOUR, PACE, Table, kinds
from tests.verify.forging import chained
from tests.verify.verifiers import BOTH, prove

DAY = 24 * 3600 * 1000


def test_every_deadline_restarts_in_full() -> None:
    table = Table("california", FOUR)
    table.tick()
    for phase, whole in (
        ("offering", PACE.offer),
        ("betting", PACE.bets),
        ("deciding", PACE.moves),
    ):
        if phase == "betting":
            asked = table.state.places[table.state.offer.place or 0].player
            table.do("AcceptBank", asked, cents=10_000)
            better = next(player for player in FOUR if player != asked)
            table.bet(better, ready=False, ante=500)
        elif phase == "deciding":
            table.at = table.state.deadline or 0
            table.tick()
        assert table.state.phase == phase
        table.at = (table.state.deadline or 0) + 1000
        assert kinds(table.do("GiveTime", FLOOR, reason="the lights went out")) == ["TimeGiven"]
        assert table.state.deadline == table.at + whole
        assert table.state.phase == phase


def test_there_must_be_time_to_give() -> None:
    table = Table("house", {"ann": 1})
    table.tick()
    assert table.state.phase == "betting"
    table.refused("time.none", "GiveTime", FLOOR, reason="nobody has bet yet")
    table.bet("ann", ready=False, ante=100)
    table.refused("sender.wrong", "GiveTime", "ann", reason="I want to think")
    table.refused("text.length", "GiveTime", FLOOR, reason="x" * 201)


def test_given_time_restarts_the_pause() -> None:
    table = Table("house", {"ann": 1})
    table.at = table.state.at + 10
    table.do("GiveTime", FLOOR, reason="a break")
    assert (table.state.phase, table.state.deadline) == ("between", table.at + PACE.pause)


def test_both_verifiers_check_when_time_is_given(tmp_path: Path) -> None:  # L18
    file = tmp_path / "room.db"
    table = Table("house", {"ann": 1}, store=SqliteStore(file))
    table.tick()
    table.bet("ann", ready=False, ante=100)
    table.at += 10**6
    table.do("GiveTime", FLOOR, reason="a break")
    table.do("PlaceWagers", "ann", ready=True)
    table.room.store.close()
    for name, verify in BOTH.items():
        assert verify(file).ok, name
    log = tmp_path / "log.jsonl"
    with log.open("w") as out:
        write_log(file, out)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    index = next(n for n, line in enumerate(lines) if "time.given" in json.dumps(line))
    changed = json.dumps(lines[index]).replace("floor", "ann")
    lines[index] = json.loads(changed)
    log.write_bytes(b"".join(chained(lines)))
    for name, verify in BOTH.items():
        verdict = verify(log)
        assert not verdict.ok, name
        assert verdict.n == index + 1, name


# The clock was set


def rebase(table: Table, shift: int) -> list[TableEvent]:
    """Set the clock so many milliseconds on or back, and rebase the table."""
    before = table.state.at
    table.at = before + shift
    return table.do("RebaseTime", FLOOR, before=before, reason="the clock was set")


def phases(table: Table) -> Iterator[tuple[str, int | None]]:
    """Yield each phase of a round at a banked table, and the time there is in it."""
    yield "between", PACE.pause
    table.tick()
    yield "offering", PACE.offer
    table.banked_by("ann", 10_000)
    yield "betting", None
    table.bet("bob", ready=False, ante=500)
    yield "betting", PACE.bets
    table.tick()
    yield "deciding", PACE.moves


@pytest.mark.parametrize("shift", [-40 * DAY, -2_000, 2_000, 40 * DAY])
def test_rebase_restarts_every_phase_in_full(shift: int, tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    table = Table("california", FOUR, store=SqliteStore(file))
    for phase, whole in phases(table):
        table.at = table.state.at + 7
        table.do("TopUp", "dan", cents=100)
        assert kinds(rebase(table, shift)) == ["TimeRebased"]
        assert (table.state.phase, table.state.at) == (phase, table.at)
        assert table.state.deadline == (None if whole is None else table.at + whole)
        assert whole is None or wakes_at(table.state) == table.state.deadline
    table.tick()
    assert table.state.phase == "between"
    assert table.state.number == 1
    table.room.store.close()
    assert {verify(file).rebased for verify in BOTH.values()} == {5}
    prove(file)


def test_rebase_must_change_something() -> None:
    table = Table("house", {"ann": 1})
    time_ms = table.state.at
    table.at = time_ms - DAY
    table.refused("time.before", "RebaseTime", FLOOR, before=time_ms + 1, reason="")
    table.refused("sender.wrong", "RebaseTime", "ann", before=time_ms, reason="")
    table.refused("text.length", "RebaseTime", FLOOR, before=time_ms, reason="x" * 201)
    table.at = time_ms
    table.refused("time.same", "RebaseTime", FLOOR, before=time_ms, reason="")
    table.at = -1
    table.refused("time.same", "RebaseTime", FLOOR, before=time_ms, reason="")


def rebased_log(folder: Path) -> tuple[Path, list[Any], int]:
    """Return a log with a table rebased in the middle of the bets, its lines, and which it is."""
    store = SqliteStore(folder / "room.db")
    table = Table("house", {"ann": 1}, store=store)
    table.tick()
    table.bet("ann", ready=False, ante=100)
    rebase(table, -40 * DAY)
    table.at += 10
    table.do("PlaceWagers", "ann", ready=True)
    table.do("Choose", "ann", move="play")
    store.close()
    log = folder / "log.jsonl"
    with log.open("w") as out:
        write_log(folder / "room.db", out)
    lines = [json.loads(line) for line in log.read_text().splitlines()]
    index = next(n for n, line in enumerate(lines) if "time.rebased" in json.dumps(line))
    return log, lines, index


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"by":"floor"', '"by":"ann"'),
        ('"type":"time.rebased/1"', '"type":"time.given/1"'),
        ('"before":', '"before":1'),
        ('"reason":"the clock', '"reason":"\\n'),
    ],
)
def test_both_verifiers_check_a_rebase(tmp_path: Path, old: str, new: str) -> None:  # L18
    log, lines, index = rebased_log(tmp_path)
    prove(log)
    assert old in lines[index]["event"]
    event = lines[index]["event"].replace(old, new)
    if "given" in new:  # the only event that may be earlier is the rebase
        event = event.replace(f',"before":{json.loads(event)["before"]}', "")
    lines[index]["event"] = event
    log.write_bytes(b"".join(chained(lines)))
    for name, verify in BOTH.items():
        verdict = verify(log)
        assert (verdict.ok, verdict.n) == (False, index + 1), name


def test_rebase_that_shortens_a_deadline_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control: a room whose rebase leaves players a moment only, and then acts for them."""
    file = tmp_path / "room.db"
    table = Table("house", {"ann": 1}, store=SqliteStore(file))
    with monkeypatch.context() as patch:
        wrong: Any = lambda state, event: {"deadline": event.at + 1}  # noqa: E731
        patch.setitem(evolve._CHANGES, TimeRebased, wrong)
        table.tick()
        table.bet("ann", ready=False, ante=100)
        rebase(table, 40 * DAY)
        before = table.state.version
        assert kinds(table.tick())[0] == "BetsClosed2"
    rows = table.room.store.read("table/t", before)
    assert next(rows).version == before + 1
    table.room.store.close()
    for name, verify in BOTH.items():
        assert not verify(file).ok, name


def test_view_tells_a_move_of_the_clock() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    table.tick()
    for player in ("ann", "bob"):
        table.bet(player, ante=100)
    table.do("Choose", "bob", move="play")
    table.tick()
    last = view(table.state).last
    assert last is not None
    assert [(hand.place, hand.move, hand.by_clock) for hand in last.round.hands] == [
        (1, "fold", True),
        (2, "play", False),
    ]
