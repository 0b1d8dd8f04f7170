"""The documents' own limits: nothing that is chosen goes beyond them, and copies are free."""

import json
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.errors import InvalidRulebook
from queenhigh.rulebook.load import from_document, parse, vary
from queenhigh.server.table_spec import read_table_file
from tests.in_process import call
from tests.own_rules import own, own_text
from tests.rulebook.test_rulebook_problems import TEXTS
from tests.server.running_server import RunningServer

FOUR_RATES = [
    {"clause": "CA-7", "min": low, "max": low + 99, "player": 1, "banker": 1}
    for low in (500, 600, 700, 800)
]
#: Each law with a change that breaks it, and the clause that forbids it.
BREACHES: list[tuple[str, dict[str, Any], str]] = [
    ("california", {"seats": 11}, "CA-2"),
    ("california", {"max_rates": 4}, "CA-7"),
    ("california", {"max_rates": 4, "fees.rates": FOUR_RATES}, "CA-7"),
    ("house", {"limits.ante.max": 401}, "HO-1"),
    ("house", {"limits.ante.min": 99}, "HO-1"),
    ("house", {"limits.pair_plus.max": 500}, "HO-1"),
    ("house", {"limits.pair_plus.min": 50}, "HO-1"),
]
LEGAL: list[tuple[str, dict[str, Any]]] = [
    ("california", {"seats": 9}),
    ("california", {"seats": 1, "max_rates": 3}),
    ("house", {"limits.ante.max": 300, "limits.ante.min": 200}),
    ("house", {"seats": 16}),
]
breaches = pytest.mark.parametrize(("name", "changes", "clause"), BREACHES, ids=str)


def refusal(choose: Any) -> str:
    with pytest.raises(InvalidRulebook) as caught:
        choose()
    return str(caught.value)


@breaches
def test_law_holds_for_every_way_to_choose(
    name: str, changes: dict[str, Any], clause: str, tmp_path: Path
) -> None:
    book = qh.load(name)
    table = tmp_path / "table.toml"
    keys = "\n".join(f'"{key}" = {_toml(value)}' for key, value in changes.items())
    table.write_text(f'rulebook = "{name}"\n[set]\n{keys}\n')
    for choose in (
        lambda: qh.load(name, changes),
        lambda: vary(book, changes),
        lambda: vary(from_document(book.document), changes),
        lambda: parse(TEXTS[name], "mine.toml", changes),
        lambda: read_table_file(table),
    ):
        sentence = refusal(choose)
        assert f"({clause})" in sentence
        assert f"queenhigh rules {name} --copy mine.toml" in sentence


def _toml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_toml, value))}]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {_toml(item)}" for key, item in value.items()) + "}"
    return json.dumps(value)


@pytest.mark.parametrize(("name", "changes"), LEGAL, ids=str)
def test_rules_within_the_law_are_free(name: str, changes: dict[str, Any]) -> None:
    assert qh.load(name, changes).changes


@breaches
def test_stored_rules_are_not_asked_for_their_law(
    name: str, changes: dict[str, Any], clause: str
) -> None:
    """A document of before, under the shipped name and without rows of law, is read and played."""
    stored = dict(own(name, **changes).document) | {"name": name}
    assert "law" not in stored
    book = from_document(stored)
    assert refusal(lambda: vary(book, {"ace_low": False})).count(clause)
    assert vary(book, {"ace_low": False}, under_law=False).changes


@breaches
def test_copy_under_another_name_is_free(name: str, changes: dict[str, Any], clause: str) -> None:
    copied = own(name, **changes)
    assert copied.rules_digest != qh.load(name).rules_digest
    assert own(name).rules_digest == qh.load(name).rules_digest
    back = own_text(name).replace(f'name = "own-{name}"', f'name = "{name}"')
    assert clause in refusal(lambda: parse(back, "mine.toml", changes))


def test_rows_of_law_bind_a_file_of_any_name() -> None:
    law = '\n[[law]]\nkey = "seats"\nmin = 2\nmax = 4\nclause = "HO-13"\n'
    assert parse(own_text("house") + law, "mine.toml", {"seats": 3}).changes
    assert "at least 2" in refusal(
        lambda: parse(own_text("house") + law, "mine.toml", {"seats": 1})
    )
    assert "at most 4" in refusal(lambda: parse(own_text("house") + law, "mine.toml"))


def test_narrower_law_of_a_file_holds_beside_the_shipped_one() -> None:
    narrower = '\n[[law]]\nkey = "limits.ante"\nmax = 300\nclause = "HO-1"\n'
    named = TEXTS["house"]
    assert "at most 300" in refusal(lambda: parse(named + narrower, "house.toml"))
    lower = {"limits.ante.max": 300}
    assert parse(named + narrower, "house.toml", lower).changes


@pytest.mark.parametrize(
    ("row", "why"),
    [
        ('key = "seat"\nmax = 4\nclause = "HO-13"', "does not hold a number"),
        ('key = "qualifier"\nmax = 4\nclause = "HO-13"', "does not hold a number"),
        ('key = "seats"\nclause = "HO-13"', "sets no limit"),
        ('key = "seats"\nmax = 9\nclause = "HO-99"', "no clause HO-99"),
    ],
)
def test_wrong_row_of_law_is_explained(row: str, why: str) -> None:
    assert why in refusal(lambda: parse(f"{own_text('house')}\n[[law]]\n{row}\n", "mine.toml"))


def test_law_itself_cannot_be_set() -> None:
    for key in ("law.0.max", "law.0.key", "law"):
        assert "law" in refusal(lambda key=key: qh.load("house", {key: 900}))


def test_command_copies_rules_with_their_changes(tmp_path: Path) -> None:
    file = tmp_path / "Our Game.toml"
    run = call("rules", "house", "--set", "seats=9", "--copy", str(file))
    assert (run.returncode, run.stderr) == (0, "")
    assert "your own copy of house" in run.stdout
    mine = qh.load(file, {"limits.ante.max": 900})
    assert (mine.name, mine.document["seats"]) == ("our-game", 9)
    assert mine.source.startswith("A copy of house")
    again = call("rules", "house", "--copy", str(file))
    assert again.returncode == 2
    assert "already exists: choose another file" in again.stderr
    missing = call("rules", "house", "--copy", str(tmp_path / "no" / "mine.toml"), "--json")
    assert (missing.returncode, missing.stdout) == (2, "")
    assert "cannot be written" in missing.stderr


def test_floor_guest_and_lab_are_refused_and_nothing_is_lost(tmp_path: Path) -> None:
    with (
        RunningServer(tmp_path / "room.db") as served,
        served.floor() as floor,
        served.http(served.guest("Max")[1]) as guest,
    ):
        before = guest.get("/api/room").json()["tables"]
        for name, changes, clause in BREACHES:
            choice = {"rulebook": name, "set": changes}
            answers = [
                floor.post("/api/floor/tables", json={"name": "wide", **choice}),
                floor.post(f"/api/floor/tables/{name}/rules", json={"reason": "x", "set": changes}),
                guest.post("/api/tables", json={"name": "wide", **choice}),
                guest.post("/api/rules", json=choice),
                guest.post("/api/odds", json=choice),
            ]
            for answer in answers:
                assert answer.status_code == 400, answer.text
                assert clause in answer.text
        after = guest.get("/api/room").json()["tables"]
        assert [line["digest"] for line in after] == [line["digest"] for line in before]
