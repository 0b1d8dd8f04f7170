"""Both verifiers check that fees and limits change as announced, and not before (CA-6)."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Store
from queenhigh.table import decide as decide_module
from queenhigh.table import rounds as rounds_module
from queenhigh.table.commands import FLOOR
from queenhigh.table.fairness import document_digest
from queenhigh.verify.log_file import read_log
from tests.table.table_changes import announce, log_of, paced, play
from tests.table.table_driver import FOUR, Table
from tests.verify.forging import Json, chained, forge
from tests.verify.verifiers import BOTH

DEARER = {"fees.rates.0.player": 150, "limits.bonus.max": 400}
Lie = Callable[[Json], None]


def many_notices(store: Store) -> None:
    """Announce in every phase, withdraw, replace, set the clock, and close."""
    table = Table("california", FOUR, store=store)
    play(table)
    table.banked_by("ann")
    announce(table, DEARER)
    table.bet("bob", ready=False, ante=500)
    table.do("WithdrawChange", FLOOR, reason="a mistake")
    table.tick()
    announce(table, {"fees.fee_per": "wager", "limits.bonus.min": 500})
    table.do("Choose", "bob", move="fold")
    table.at += 30_000
    announced = announce(table, DEARER, pace=paced(table, pause=50).pace)
    table.tick()
    table.at = announced.starts
    table.tick()
    play(table)
    announce(table, {"fees.rates.0.player": 125})
    table.at += 10**9
    table.do("RebaseTime", FLOOR, before=table.state.at, reason="the clock was set")
    assert table.state.announced is not None
    table.at = table.state.announced.starts
    table.tick()
    play(table)
    announce(table, {"fees.rates.0.player": 130})
    table.do("CloseTable", FLOOR, reason="the night is over")


def test_both_verifiers_follow_notices(tmp_path: Path) -> None:  # L23
    rows = log_of(tmp_path / "room.db", many_notices)
    text = str(rows)
    assert (text.count("change.announced/1"), text.count("table.changed/1")) == (5, 2)


def applied(store: Store) -> None:
    table = Table("california", FOUR, store=store)
    table.at = table.state.at
    announce(table, DEARER)
    table.at += 60_000
    table.tick()


def withdrawn(store: Store) -> None:
    table = Table("california", FOUR, store=store)
    announce(table, DEARER)
    table.do("WithdrawChange", FLOOR, reason="a mistake")


Log = list[Json]


@pytest.fixture(scope="module", name="applied_log")
def applied_log_fixture(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Return a log whose last event is the change that was announced."""
    return log_of(tmp_path_factory.mktemp("applied") / "room.db", applied)


@pytest.fixture(scope="module", name="withdrawn_log")
def withdrawn_log_fixture(tmp_path_factory: pytest.TempPathFactory) -> Log:
    """Return a log whose last events announce a change and withdraw it."""
    return log_of(tmp_path_factory.mktemp("withdrawn") / "room.db", withdrawn)


# What a log may say instead of its last event


def too_early(event: Json) -> None:
    event["at"] -= 1


def other_amounts(event: Json) -> None:
    event["rulebook"]["fees"]["rates"][0]["player"] = 175
    event["digest"] = document_digest(event["rulebook"])


def other_settings(event: Json) -> None:
    event["settings"]["least_bank"] += 100


def other_reason(event: Json) -> None:
    event["reason"] = "a mistake"


def by_the_floor(event: Json) -> None:
    event |= {"by": FLOOR, "id": "put in"}


@pytest.mark.parametrize(
    "lie", [too_early, other_amounts, other_settings, other_reason, by_the_floor]
)
def test_change_unlike_its_notice_is_detected(
    lie: Lie, applied_log: Log, tmp_path: Path
) -> None:  # L23
    rows = applied_log
    assert verdicts(rows, len(rows) - 2, lie, tmp_path) == dict.fromkeys(BOTH, len(rows) - 1)


def short_notice(event: Json) -> None:
    event["from"] -= 1


def long_notice(event: Json) -> None:
    event["from"] += 1


def other_old_amounts(event: Json) -> None:
    event["old"]["fees"]["rates"][0]["player"] = 140


def other_new_amounts(event: Json) -> None:
    event["new"]["limits"]["bonus"]["max"] = 10_000


def other_least_bank(event: Json) -> None:
    event["new"]["least_bank"] += 1


def same_amounts(event: Json) -> None:
    event["new"] = event["old"]
    event["rulebook"] |= {"fees": event["old"]["fees"], "limits": event["old"]["limits"], "up": 2}
    event["digest"] = document_digest(event["rulebook"])


def fewer_seats(event: Json) -> None:
    event["rulebook"]["seats"] = 9
    event["digest"] = document_digest(event["rulebook"])


def too_little_notice(event: Json) -> None:
    event["rulebook"]["fees"]["notice_seconds"] = 59
    event["new"]["fees"]["notice_seconds"] = 59
    event["digest"] = document_digest(event["rulebook"])


def by_a_player(event: Json) -> None:
    event["by"] = "ann"


NOTICES = (
    short_notice,
    long_notice,
    other_old_amounts,
    other_new_amounts,
    other_least_bank,
    same_amounts,
    fewer_seats,
    too_little_notice,
    by_a_player,
)


@pytest.mark.parametrize("lie", NOTICES)
def test_wrong_notice_is_detected(lie: Lie, withdrawn_log: Log, tmp_path: Path) -> None:  # L23
    rows = withdrawn_log
    index = len(rows) - 3
    assert verdicts(rows, index, lie, tmp_path) == dict.fromkeys(BOTH, index + 1)


def changed_from(announced: Json, **stamp: Any) -> Json:
    """Return the change that a notice announces, as the clock would make it."""
    names = ("rulebook", "digest", "settings", "reason")
    stamp = {"at": announced["from"], "by": "clock"} | stamp
    return {"type": "table.changed/1", **stamp, **{name: announced[name] for name in names}}


def added(rows: list[Json], event: Json, after: int) -> list[bytes]:
    """Return a log that ends with an event after the one at an index."""
    version = sum(row["stream"] == "table/t" for row in rows[: after + 1]) + 1
    text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
    new = {"n": after + 2, "stream": "table/t", "version": version, "event": text, "hash": ""}
    return chained(json.loads(json.dumps([*rows[: after + 1], new, rows[-1]])))


def test_withdrawn_or_unannounced_change_is_detected(
    withdrawn_log: Log, tmp_path: Path
) -> None:  # L23
    rows = withdrawn_log
    last = len(rows) - 2
    announced = json.loads(rows[last - 1]["event"])
    clocks, floors = changed_from(announced), changed_from(announced, by=FLOOR, id="put in")
    lies = [(clocks, last), (floors, last), (clocks, last - 2), (floors, last - 2)]
    for event, after in lies:
        assert judged(added(rows, event, after), tmp_path) == dict.fromkeys(BOTH, after + 2)
    assert judged(added(rows, clocks, last - 1), tmp_path) == dict.fromkeys(BOTH), "as announced"


def test_change_of_pace_beside_a_notice_is_detected(
    withdrawn_log: Log, tmp_path: Path
) -> None:  # L23
    rows = withdrawn_log
    last = len(rows) - 2
    opened = json.loads(_opened(rows))
    event = changed_from({**opened, "reason": "", "from": 0}, by=FLOOR, id="put in")
    event["settings"]["pace"]["pause"] = 7
    event["at"] = json.loads(rows[last]["event"])["at"]
    assert judged(added(rows, event, last - 1), tmp_path) == dict.fromkeys(BOTH, last + 1)
    assert judged(added(rows, event, last), tmp_path) == dict.fromkeys(BOTH), "it is withdrawn"


def _opened(rows: list[Json]) -> str:
    return next(str(row["event"]) for row in rows if "table.opened/1" in row["event"][:40])


def test_round_that_ignores_a_due_change_is_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:  # L23
    """The room itself is wrong: a bank that was offered in time is posted too late."""
    store = SqliteStore(tmp_path / "room.db")
    table = Table("california", FOUR, store=store)
    announced = announce(table, DEARER)
    table.at = announced.starts - 1
    table.tick()
    table.at = announced.starts
    for module in (decide_module, rounds_module):
        monkeypatch.setattr(module, "is_due", lambda state, time_ms: False)
    table.do("AcceptBank", "ann", cents=5000)
    store.close()
    monkeypatch.undo()
    posted = sum(1 for _ in read_log(tmp_path / "room.db")) - 2
    for name, verify in BOTH.items():
        verdict = verify(tmp_path / "room.db")
        assert verdict.n == posted, f"{name}: {verdict.reason}"
        assert "chang" in str(verdict.reason)


def verdicts(rows: list[Json], index: int, lie: Lie, folder: Path) -> dict[str, int | None]:
    """Return the number of the event that each verifier finds bad when one is made a lie."""
    event = json.loads(rows[index]["event"])
    lie(event)
    if event["by"] == FLOOR and "id" in event:
        event = {name: event[name] for name in ("type", "at", "by", "id")} | event
    return judged(forge([json.dumps(row).encode() for row in rows], index, event), folder)


def judged(lines: list[bytes], folder: Path) -> dict[str, int | None]:
    file = folder / "log"
    file.write_bytes(b"".join(lines))
    result = {name: verify(file, check_head=False) for name, verify in BOTH.items()}
    return {name: None if verdict.ok else verdict.n for name, verdict in result.items()}
