"""Both verifiers find any lie about rulings and corrections, however well it is covered up."""

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from queenhigh.verify import replay
from tests.history.made_once import made_once
from tests.verify.forging import Forgery, Json
from tests.verify.ruled_rooms import ROOMS, make_room
from tests.verify.ruling_lies import (
    BANKED,
    HOUSE,
    ONE_PERSON,
    SUITS,
    TWO_PEOPLE,
    WHEEL,
    Lie,
    approve_as_cashier,
)  # fmt: skip
from tests.verify.verifiers import BOTH, prove

LIES = [
    (room, lie)
    for room, lies in (("banked", BANKED), ("house", HOUSE), ("wheel", WHEEL))
    for lie in lies
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a store of each room, and beside it its log."""
    return made_once(tmp_path_factory, "ruled rooms", _make)


@pytest.fixture(scope="module")
def logs(folder: Path) -> dict[str, list[Json]]:
    """Return the lines of a log of each room."""
    return {
        room: [json.loads(line) for line in (folder / f"{room}.jsonl").read_text().splitlines()]
        for room in ROOMS
    }


def _make(folder: Path) -> None:
    for room in ROOMS:
        make_room(room, folder / f"{room}.db", SUITS[room])


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_with_rulings_and_corrections_pass(
    room: str, folder: Path, logs: dict[str, list[Json]], tmp_path: Path
) -> None:
    """The control: in the store, in its log, and written again by the forger, who changes nothing.

    So a lie is found for what it says, and for nothing that the forger does.
    """
    log, forged = folder / f"{room}.jsonl", tmp_path / "forged.jsonl"
    prove(folder / f"{room}.db")
    prove(log)
    Forgery(logs[room]).write(forged)
    prove(forged)
    assert log.read_text().splitlines()[:-1] == forged.read_text().splitlines()[:-1]


def test_what_might_have_been_true_passes(logs: dict[str, list[Json]], tmp_path: Path) -> None:
    """The forger's logs are believed where the rules allow what they say."""
    log, file = Forgery(logs["banked"]), tmp_path / "log.jsonl"
    log.one("correction.asked", correction=1).event |= {"staff": "Olga", "reason": "another"}
    log.one("incident.ruled", round=4).event["staff"] = "Maria"
    log.move(log.one("staff.removed", member="Rita"), log.one("round.settled", round=3))
    log.repeat(log.one("staff.added", member="Late"), member="Zoe", id="put in")
    log.write(file)
    prove(file)


@pytest.mark.parametrize(
    ("room", "lie"), LIES, ids=lambda part: part if isinstance(part, str) else part.__name__
)
def test_lie_about_a_ruling_is_found(
    room: str, lie: Lie, logs: dict[str, list[Json]], tmp_path: Path
) -> None:
    log, file = Forgery(logs[room]), tmp_path / "log.jsonl"
    expected = lie(log)
    log.write(file)
    for name, verify in BOTH.items():
        verdict = verify(file)
        assert not verdict.ok, f"{name} believes it"
        n = log.index(expected) + 1
        assert verdict.n == n, f"{name} names {verdict.n}, not {n}: {verdict.reason}"


@pytest.mark.parametrize("lie", ONE_PERSON, ids=lambda lie: lie.__name__)
def test_one_person_is_believed_where_two_are_not_required(
    lie: Lie, logs: dict[str, list[Json]], tmp_path: Path
) -> None:
    """Logs of before the event that requires two people verify as they did."""
    log, file = Forgery(logs["banked"]), tmp_path / "log.jsonl"
    lie(log)
    log.remove(log.one("staff.two_people"))
    log.write(file)
    prove(file)


@pytest.mark.parametrize("story", TWO_PEOPLE, ids=lambda story: story.__name__)
def test_two_people_are_believed(
    story: Callable[[Forgery], None], logs: dict[str, list[Json]], tmp_path: Path
) -> None:
    log, file = Forgery(logs["banked"]), tmp_path / "log.jsonl"
    story(log)
    log.write(file)
    prove(file)


def test_there_are_many_lies() -> None:
    assert len({lie for _, lie in LIES}) > 85


def test_verifier_that_asks_nobody_is_noticed(
    logs: dict[str, list[Json]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A planted bug: without the check of people both verifiers believe the lie."""
    log, file = Forgery(logs["banked"]), tmp_path / "log.jsonl"
    approve_as_cashier(log)
    log.write(file)
    monkeypatch.setattr(replay, "check_person", lambda *_: None)
    monkeypatch.setattr(sys.modules["verify_log"].Room, "may", lambda *_: True)
    prove(file)
