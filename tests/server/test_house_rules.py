"""A table speaks of its own rulebook, not of the shipped one of that name."""

import json
from collections.abc import Iterator
from contextlib import closing
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.price import differences
from queenhigh.room.room import Room, settings_for
from queenhigh.rulebook.load import from_document, shipped, vary
from queenhigh.server.house_rules import changes_of, differences_of, schedule_of, standard_of
from queenhigh.sheets.rule_sheet import as_json
from queenhigh.store.sqlite import SqliteStore
from tests.server.running_server import AT_ONCE, RunningServer
from tests.simulation.compile_once import compile_engine

ODD = {"tie": "lose", "short_ante": "push", "coverage": "net", "up": 0}
#: A rulebook by a name of its own.
OWN = (Path(qh.__file__).parent / "rulebooks" / "house.toml").read_text()
OWN = OWN.replace('name = "house"', 'name = "ours"', 1)
#: Another name for California, with two other rules and other words.
CLASSIC = (Path(qh.__file__).parent / "rulebooks" / "california.toml").read_text()
CLASSIC = CLASSIC.replace('name = "california"', 'name = "california-classic"', 1)
CLASSIC = CLASSIC.replace('tie = "push"', 'tie = "lose"', 1).replace("seats = 10", "seats = 9", 1)
CLASSIC = CLASSIC.replace(
    "The house dealer deals, at a standard blackjack or poker table.",
    "The house dealer deals, with both hands.",
)


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("room")
    own = folder / "own.toml"
    own.write_text(OWN)
    (folder / "classic.toml").write_text(CLASSIC)
    tables = {
        "plain": {"rulebook": "california", "pace": AT_ONCE},
        "own": {"rulebook": str(own), "pace": AT_ONCE},
        "classic": {"rulebook": str(folder / "classic.toml"), "pace": AT_ONCE},
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


def test_own_rulebook_is_marked_and_compared_with_the_nearest(served: RunningServer) -> None:
    rules = get(served, "/api/tables/own/rules?edges=true")
    assert (rules["name"], rules["is_custom"], rules["standard"]["name"]) == ("ours", True, "house")
    assert rules["differences"] == []
    assert rules["shipped_edges"] == rules["edges"]
    assert rules["edges"]["ante"] == str(qh.odds(qh.load("house")).bets["ante"].edge)
    line = table_line(served, "own")
    assert (line["differences"], line["is_custom"]) == (0, True)
    assert line["title"].endswith("(ours)"), "a shipped title has the name beside it"
    assert not table_line(served, "odd")["is_custom"]


def test_another_name_hides_no_differences(served: RunningServer) -> None:
    rules = get(served, "/api/tables/classic/rules?edges=true")
    assert (rules["is_custom"], rules["standard"]["name"]) == (True, "california")
    shown = {line["label"]: (line["before"], line["after"]) for line in rules["differences"]}
    assert shown["Dealer qualifies, hands are equal"] == (
        "Ante and Play push", "Ante and Play lose",
    )  # fmt: skip
    assert shown["Clause CA-3"][1] == "The house dealer deals, with both hands."
    assert (
        rules["edges"]["ante"]
        != rules["shipped_edges"]["ante"]
        == str(qh.odds(qh.load("california")).bets["ante"].edge)
    )
    line = table_line(served, "classic")
    assert (line["is_custom"], line["differences"]) == (True, len(rules["differences"]))
    assert line["differences"] == 3


# Wording is no setting

WORDS = {"clauses.19.text": "Otherwise the Ante pays 2 to 1.", "source": "Approved by the Bureau"}
SENTENCE = "Wording can't be changed at a table. Ask the operator for a custom rulebook."


def test_nobody_sets_words_over_http(served: RunningServer) -> None:
    refused = []
    with served.http(served.guest("Ann")[1]) as client:
        for changes in (WORDS, {"title": "Mine"}, {"fees.rates.0.clause": "CA-4"}):
            spec = {"name": "words", "rulebook": "california", "set": changes}
            refused += [client.post("/api/tables", json=spec)]
            refused += [client.post("/api/rules", json={"rulebook": "california", "set": changes})]
            refused += [client.post("/api/odds", json={"table": "odd", "set": changes})]
    with served.floor() as floor:
        refused += [floor.post("/api/floor/tables", json=spec)]
        change = {"set": WORDS, "reason": "other words"}
        refused += [floor.post("/api/floor/tables/odd/rules", json=change)]
    for answer in refused:
        assert answer.status_code == 400, answer.text
        assert answer.json() == {"code": "rulebook.wording", "message": SENTENCE}


def test_floors_file_with_a_shipped_name_needs_its_words(served: RunningServer) -> None:
    text = OWN.replace('name = "ours"', 'name = "house"').replace("whatever", "no matter what")
    with served.floor() as floor:
        answer = floor.post("/api/floor/tables", json={"name": "filed", "rulebook_text": text})
    body = answer.json()
    assert (answer.status_code, body["code"]) == (400, "rulebook.invalid")
    assert 'write name = "my-house" for your custom rulebook' in body["message"]
    assert "the file:" in body["message"]


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


def test_amounts_are_differences_and_words_too() -> None:
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
    reworded["fees"] = {**book.document["fees"], "clause": "CA-4"}
    stored = from_document(reworded)
    words = differences_of(stored) or ()
    assert len(words) == len(book.clauses) + 3
    assert words[0].what == f"clauses.{book.clauses[0].id}"
    assert (words[0].before, words[0].after) == (book.clauses[0].text, "Other words.")
    assert [line.what for line in words[-3:]] == ["title", "source", "fees.clause"]
    assert [line.after for line in words[-3:]] == ["Another title", "Somebody", "CA-4"]
    assert stored.title == book.title, "and none of them are said"


def test_other_game_of_a_shipped_name_is_its_own() -> None:
    wheel = from_document({**qh.load("roulette").document, "name": "california"})
    assert wheel.is_custom
    standard = standard_of(wheel)
    assert standard is not None
    assert standard.name == "roulette"
    assert differences_of(wheel) == ()
    assert changes_of(wheel) == {}
    assert schedule_of(wheel) is None


def serve_table_file(folder: Path, lines: str) -> RunningServer:
    file = folder / "words.toml"
    file.write_text(lines)
    return RunningServer(folder / "room.db", tables=[str(file)], standing=[])


def test_table_file_cannot_set_words(tmp_path: Path) -> None:
    """A new table is refused with the line; a stored one goes on, marked, and the log names it."""
    plain = 'rulebook = "california"\n'
    lines = f'{plain}\n[set]\ntie = "lose"\n"clauses.19.text" = "Otherwise the Ante pays 2 to 1."\n'
    served = serve_table_file(tmp_path, lines)
    with pytest.raises(AssertionError, match=r"words\.toml:5: clauses\.19\.text cannot be set"):
        served.start()
    with serve_table_file(tmp_path, plain):
        pass
    with serve_table_file(tmp_path, lines) as served, served.http() as client:
        assert client.get("/api/tables/words").status_code == 200
        assert served.errors() == ""
        log = Path(f"{served.db}.stderr").read_text()
    (warned,) = [line for line in log.splitlines() if "remove this line" in line]
    assert "words.toml:5: clauses.19.text cannot be set" in warned


def test_rulebook_file_with_changed_words_stops_no_stored_table(tmp_path: Path) -> None:
    """The file that a stored table was opened by has a shipped name and words of its own."""
    book = tmp_path / "mine.toml"
    book.write_text(CLASSIC.replace('name = "california-classic"', 'name = "california"', 1))
    lines = f'rulebook = "{book}"\n'
    with pytest.raises(AssertionError, match='write name = "my-california"'):
        serve_table_file(tmp_path, lines).start()
    stored = json.loads(json.dumps(dict(qh.load("california").document)))
    stored["clauses"][0]["text"] = "Other words."
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        loaded = from_document(stored)
        Room(store).open_table("words", loaded, settings_for(loaded))
    with serve_table_file(tmp_path, lines) as served:
        line = table_line(served, "words")
        assert (line["is_custom"], line["differences"]) == (True, 1)
        rules = get(served, "/api/tables/words/rules")
        assert rules["clauses"][0]["text"] != "Other words."
        sheet = get(served, "/api/tables/words/sheets/rule-card.json")
        assert "version 1.2, custom" in json.dumps(sheet["foot"])
        log = Path(f"{served.db}.stderr").read_text()
    assert "mine.toml:" in log
    assert "remove this line" in log
