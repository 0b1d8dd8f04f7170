"""A table speaks of its own rulebook, not of the shipped one of that name."""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.price import differences
from queenhigh.rulebook.load import from_document, shipped, vary
from queenhigh.server.house_rules import changes_of, differences_of, schedule_of, shipped_of
from queenhigh.sheets.rule_sheet import as_json
from tests.server.running_server import AT_ONCE, RunningServer
from tests.simulation.compile_once import compile_engine

ODD = {"tie": "lose", "short_ante": "push", "coverage": "net", "up": 0}
#: A rulebook by a name of its own.
OWN = (Path(qh.__file__).parent / "rulebooks" / "house.toml").read_text()
OWN = OWN.replace('name = "house"', 'name = "ours"', 1)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("room")
    own = folder / "own.toml"
    own.write_text(OWN)
    tables = {
        "plain": {"rulebook": "california", "pace": AT_ONCE},
        "own": {"rulebook": str(own), "pace": AT_ONCE},
    }
    with RunningServer(folder / "room.db", rooms=tables) as room:
        with room.floor() as floor:
            for name, changes in (("odd", ODD), ("dear", {"fees.fee_per": "wager"})):
                spec = {"name": name, "rulebook": "california", "set": changes}
                assert floor.post("/api/floor/tables", json=spec).status_code == 201
        yield room
        assert room.errors() == ""


def get(served: RunningServer, path: str) -> Any:
    with served.http() as client:
        answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def post(served: RunningServer, path: str, **body: object) -> Any:
    with served.http() as client:
        answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def table_line(served: RunningServer, table: str) -> dict[str, Any]:
    lines: list[dict[str, Any]] = get(served, "/api/room")["tables"]
    return next(line for line in lines if line["table"] == table)


# What a table answers


def test_changed_table_lists_what_differs(served: RunningServer) -> None:
    rules = get(served, "/api/tables/odd/rules")
    assert [(line["label"], line["before"], line["after"]) for line in rules["differences"]] == [
        (
            "Dealer does not qualify, your hand is higher",
            "Ante wins, Play pushes",
            "Ante and Play push",
        ),
        ("Dealer qualifies, hands are equal", "Ante and Play push", "Ante and Play lose"),
        ("Dealer cards up", "one", "none"),
        ("Bank is used up by", "every amount won or lost", "its net losses"),
    ]
    assert [line["clauses"] for line in rules["differences"]] == [
        ["CA-15"], ["CA-18"], ["CA-12"], ["CA-20", "CA-21"],
    ]  # fmt: skip
    assert {key.rpartition(".")[2]: value for key, value in rules["changes"].items()} == ODD
    assert "edges" not in rules, "nothing is priced before the felt is shown"


def test_changed_table_has_its_own_edge(served: RunningServer) -> None:
    rules = get(served, "/api/tables/odd/rules?edges=true")
    exact = qh.odds(qh.load("california", ODD)).bets["ante"]
    assert Fraction(rules["edges"]["ante"]) == exact.edge == -exact.ev
    assert round(float(100 * Fraction(rules["edges"]["ante"])), 2) == 28.32
    assert round(float(100 * Fraction(rules["shipped_edges"]["ante"])), 4) == 4.2964


def test_shipped_table_differs_in_nothing(served: RunningServer) -> None:
    rules = get(served, "/api/tables/plain/rules?edges=true")
    assert rules["differences"] == []
    assert rules["changes"] == {}
    assert rules["edges"] == rules["shipped_edges"]
    line = table_line(served, "plain")
    assert (line["differences"], line["rules_digest"]) == (0, rules["rules_digest"])


def test_own_rulebook_is_compared_with_nothing(served: RunningServer) -> None:
    rules = get(served, "/api/tables/own/rules?edges=true")
    assert rules["name"] == "ours"
    assert rules["differences"] is None
    assert rules["shipped_edges"] is None
    assert rules["edges"]["ante"] == str(qh.odds(qh.load("house")).bets["ante"].edge)
    assert table_line(served, "own")["differences"] is None


def test_both_digests_are_shown(served: RunningServer) -> None:
    rules, line = get(served, "/api/tables/odd/rules"), table_line(served, "odd")
    seen = get(served, "/api/tables/odd")
    assert rules["digest"] == line["digest"] == seen["digest"]
    assert rules["rules_digest"] == line["rules_digest"] == qh.load("california", ODD).rules_digest
    assert rules["rules_digest"] != rules["digest"]
    assert line["differences"] == 4


def test_table_is_priced_by_its_own_rules(served: RunningServer) -> None:
    odds, strategy = (get(served, f"/api/tables/odd/{what}") for what in ("odds", "strategy"))
    own = qh.load("california", ODD)
    assert odds["bets"]["ante"]["ev"] == strategy["ev"] == str(qh.odds(own).bets["ante"].ev)
    assert odds == post(served, "/api/odds", table="odd")
    assert strategy == post(served, "/api/strategy", table="odd")
    assert post(served, "/api/drill", table="odd", hands=1)["up"] == 0
    assert post(served, "/api/rules", table="odd")["rules_digest"] == own.rules_digest
    changed = post(served, "/api/odds", table="odd", set={"tie": "push"})
    expected = qh.odds(qh.load("california", {**ODD, "tie": "push"})).bets["ante"]
    assert changed["bets"]["ante"]["ev"] == str(expected.ev)


@pytest.mark.full
def test_bank_is_counted_by_a_tables_own_rules(served: RunningServer) -> None:
    figures = get(served, "/api/tables/odd/bank")
    assert figures["ante"]["mean"] == str(qh.odds(qh.load("california", ODD)).bets["ante"].edge)
    assert figures == post(served, "/api/bank", table="odd")
    with served.http() as client:
        wheel = client.post("/api/bank", json={"rulebook": "roulette"})
    assert wheel.json()["code"] == "game.poker"


@pytest.mark.full
def test_bank_is_sampled_by_a_tables_own_rules(served: RunningServer) -> None:
    compile_engine()
    table = {"seats": 4, "ante": 500, "bonus": 100, "bank": 3000}
    sample = post(served, "/api/bank/sample", table="odd", **table)
    book = qh.load("california", ODD)
    expected = qh.simulate(book, sample["rounds"], seed=sample["seed"], **table)  # type: ignore[arg-type]
    assert sample["rules_digest"] == book.rules_digest
    assert sample["banker_result"]["mean"] == expected.banker.mean
    assert [seat["returned"] for seat in sample["seats"]] == [
        seat.returned for seat in expected.seats
    ]
    with served.http() as client:
        none = client.post("/api/bank/sample", json={"table": "odd", **table, "bank": 0})
    assert (none.status_code, set(none.json())) == (422, {"code", "message"})


def test_fees_are_posted_as_they_are_charged(served: RunningServer) -> None:
    plain, dear = (table_line(served, name)["schedule"] for name in ("plain", "dear"))
    assert (plain["per"], plain["charged"]) == ("round", "once a round, by the Ante")
    assert (dear["per"], dear["charged"]) == ("wager", "on each wager, by its size")
    assert plain["collect"] == dear["collect"] == "before"
    assert (plain["least"], plain["most"]) == (100, 300)
    assert (dear["least"], dear["most"]) == (100, 300 + 300 + 100), "Ante, Play and Bonus"
    assert get(served, "/api/tables/dear/rules")["schedule"] == dear
    assert table_line(served, "own")["schedule"] is None


def test_rulebook_of_a_table_is_given_as_a_file(served: RunningServer, tmp_path: Path) -> None:
    with served.http() as client:
        answer = client.post("/api/rulebook-file", json={"table": "odd", "set": {"seats": 3}})
    assert answer.headers["content-disposition"] == 'attachment; filename="my-california.toml"'
    file = tmp_path / "mine.toml"
    file.write_text(answer.text)
    own = qh.load(file)
    assert (own.name, own.source[:9]) == ("my-california", "A copy of")
    assert own.rules_digest == qh.load("california", {**ODD, "seats": 3}).rules_digest


# What counts as a difference


@cache
def varied(name: str) -> list[tuple[str, qh.Rulebook]]:
    """Return a shipped rulebook with each of its other readings."""
    book, listed = qh.load(name), []
    for key, values in as_json(book)["choices"].items():
        for value in values:
            try:
                other = from_document(vary(book, {key: value}).document)
            except qh.InvalidRulebook:
                continue
            if other.rules_digest != book.rules_digest:
                listed.append((key, other))
    return listed


def unlisted() -> set[str]:
    """Return the keys whose other readings a table would not list."""
    differences_of.cache_clear()
    books = [book for name in shipped() for book in varied(name)]
    return {key for key, book in books if not differences_of(book)}


def test_every_reading_of_a_rulebook_is_a_difference() -> None:
    assert unlisted() == {"zero.second_zero"}, "nothing is held before en prison is the rule"


def test_reading_that_is_not_listed_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(differences._PLAIN, "up")
    assert unlisted() == {"zero.second_zero", "up"}
    differences_of.cache_clear()


def test_key_that_nothing_lists_is_listed_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    tables = {**differences._TABLES, "fees": {"rates": "rates"}}
    monkeypatch.setattr(differences, "_TABLES", tables)
    (line,) = differences_of(vary(qh.load("california"), {"fees.collect": "after"})) or ()
    assert (line.what, line.clauses) == ("fees.collect", ["CA-5"])
    assert (line.before, line.after) == ("before the deal", "after the deal")


def test_changes_lead_from_the_shipped_rules_to_the_own() -> None:
    for name in shipped():
        assert all(changes_of(book) for _, book in varied(name)), "or the meaning is another"


@pytest.mark.parametrize(
    ("name", "key", "value"),
    [
        ("california", "bank.settle_order", "wager"),
        ("california", "bank.fold_uncovered", "lost"),
        ("california", "fees.fee_per", "kind"),
        ("house", "limits.scope", "total"),
    ],
)
def test_key_left_out_at_its_default_is_a_difference(name: str, key: str, value: str) -> None:
    lines = differences_of(from_document(vary(qh.load(name), {key: value}).document)) or ()
    (line,) = [line for line in lines if line.what == key]
    assert line.clauses
    assert line.before != line.after


def test_amounts_are_differences_and_words_are_not() -> None:
    book = qh.load("california")
    other = vary(book, {"fees.rates.0.player": 300, "bonus.pays.flush": "4 to 1"})
    lines = differences_of(from_document(other.document))
    assert lines is not None
    assert [line.what for line in lines] == ["bonus.pays", "fees.rates"]
    assert (lines[0].before, lines[0].after) == ("flush 3 to 1", "flush 4 to 1")
    reworded = {**book.document, "title": "Another title", "source": "Somebody"}
    reworded["clauses"] = [
        {**clause, "text": "Other words."} for clause in book.document["clauses"]
    ]
    assert differences_of(from_document(reworded)) == ()


def test_other_game_of_a_shipped_name_is_its_own() -> None:
    wheel = from_document({**qh.load("roulette").document, "name": "california"})
    assert shipped_of(wheel) is None
    assert differences_of(wheel) is None
    assert changes_of(wheel) == {}
    assert schedule_of(wheel) is None
