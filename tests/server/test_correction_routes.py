"""Corrections over HTTP: answers without the history, and tables that wait for them."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from queenhigh.store.sqlite import SqliteStore
from tests.server.running_server import RunningServer
from tests.server.staff_clients import add, first_owner
from tests.table.table_driver import Table
from tests.verify.verifiers import prove

ROOT = "/api/floor/tables/t"
WHY = {"reason": "a dispute"}


def play(file: Path) -> None:
    """Settle two rounds at a table without a clock that runs."""
    store = SqliteStore(file)
    table = Table("house", {"ann": 1}, store=store)
    for _ in range(2):
        table.tick()
        table.bet("ann", ante=400)
        table.do("Choose", "ann", move="play")
    store.close()


@pytest.fixture
def staff(tmp_path: Path) -> Iterator[tuple[httpx.Client, httpx.Client]]:
    file = tmp_path / "room.db"
    play(file)
    with RunningServer(file, hired_ago=48) as served:
        with first_owner(served) as owner, add(owner, "Fred", "floor") as fred:
            yield owner, fred
        assert served.errors() == ""
    prove(file)


def code(answer: httpx.Response) -> tuple[int, Any]:
    return answer.status_code, answer.json().get("code")


def test_table_with_corrections_that_wait_is_not_closed(
    staff: tuple[httpx.Client, httpx.Client],
) -> None:
    owner, fred = staff
    owner.post(f"{ROOT}/disable", json=WHY)
    asked = owner.post(f"{ROOT}/corrections", json={"round": 1, "facts": {"void": True}, **WHY})
    assert asked.json() == {"table": "t", "correction": 1}
    assert code(fred.post(f"{ROOT}/close", json=WHY)) == (400, "correction.waits")
    rejected = fred.post(f"{ROOT}/corrections/1/reject", json=WHY).json()
    decided = {key: rejected[key] for key in ("status", "decided_by", "why")}
    assert decided == {"status": "rejected", "decided_by": "Fred", "why": "a dispute"}
    assert fred.post(f"{ROOT}/close", json=WHY).status_code == 202


def test_only_what_was_seen_is_approved(staff: tuple[httpx.Client, httpx.Client]) -> None:
    """Another correction of the round is made after somebody has seen what this one moves."""
    owner, fred = staff
    owner.post(f"{ROOT}/disable", json=WHY)
    owner.post(f"{ROOT}/void", json=WHY)  # if a round was open when the table was paused
    for facts in ({"void": True}, {"wagers": {"1": [{"spot": "ante", "cents": 100}]}}):
        body = {"round": 1, "facts": facts, **WHY}
        assert owner.post(f"{ROOT}/corrections", json=body).status_code == 201
    seen = [fred.get(f"{ROOT}/corrections/{number}/preview").json()["moved"] for number in (1, 2)]
    made = fred.post(f"{ROOT}/corrections/1/approve", json={"moved": seen[0]}).json()
    assert (made["status"], made["moved"]) == ("made", seen[0])
    other = fred.post(f"{ROOT}/corrections/2/approve", json={"moved": seen[1]})
    assert code(other) == (409, "correction.changed")
    now = fred.get(f"{ROOT}/corrections/2/preview").json()["moved"]
    assert now != seen[1]
    made = fred.post(f"{ROOT}/corrections/2/approve", json={"moved": now}).json()
    assert (made["status"], made["moved"]) == ("made", now)


def test_decided_corrections_are_answered_as_in_the_history(
    staff: tuple[httpx.Client, httpx.Client],
) -> None:
    owner, fred = staff
    owner.post(f"{ROOT}/disable", json=WHY)
    for number, facts in ((1, {"void": True}), (2, {"moves": {"1": "fold"}})):
        body = {"round": number, "facts": facts, **WHY}
        assert owner.post(f"{ROOT}/corrections", json=body).status_code == 201
    assert code(owner.post(f"{ROOT}/corrections/1/approve")) == (400, "correction.self")
    voided = fred.post(f"{ROOT}/void", json=WHY)  # if a round was open when the table was paused
    assert voided.status_code == 200 or code(voided) == (404, "round.none")
    answers = {
        1: fred.post(f"{ROOT}/corrections/1/approve").json(),
        2: owner.post(f"{ROOT}/corrections/2/withdraw", json=WHY).json(),
    }
    assert [each.get("status", each) for each in answers.values()] == ["made", "rejected"]
    assert answers[1]["moved"]
    for number, answer in answers.items():
        listed = owner.get(f"{ROOT}/corrections/{number}").json()
        assert answer.pop("decided_at") <= listed.pop("decided_at")
        assert answer == listed
