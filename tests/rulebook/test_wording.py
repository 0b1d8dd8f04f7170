"""Wording is no setting: words are shipped, or those of a rulebook of its own, which says so."""

import json
import subprocess
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel, Field

import queenhigh as qh
from queenhigh.errors import InvalidRulebook
from queenhigh.games import GAMES
from queenhigh.rulebook.load import from_document, parse, shipped, vary
from queenhigh.rulebook.overrides import is_setting
from queenhigh.rulebook.schema import PokerDocument, RulebookTable
from queenhigh.rulebook.schema_paths import table_of
from queenhigh.rulebook.wording import has_shipped_words, words_digest
from tests.own_rules import own_text
from tests.rulebook.test_rulebook_problems import TEXTS

ROOT = Path(__file__).parents[2]


def refusal(rulebook: str, changes: dict[str, Any], **by: Any) -> InvalidRulebook:
    """Return the refusal of changes."""
    with pytest.raises(InvalidRulebook) as caught:
        qh.load(rulebook, changes, **by)
    return caught.value


# Keys that may be set


WORDING: list[tuple[str, dict[str, Any]]] = [
    ("california", {"clauses.19.text": "Otherwise the Ante pays 2 to 1."}),
    ("california", {"clauses.18.words": {"qualifier": {"queen-high": "any hand"}}}),
    ("california", {"source": "Approved by the Bureau of Gambling Control, GEGA-001277"}),
    ("california", {"title": "California Three Card Poker, the generous one"}),
    ("california", {"name": "california-2"}),
    ("california", {"version": "9.0"}),
    ("california", {"game": "roulette"}),
    ("california", {"fees.rates.0.clause": "CA-4"}),
    ("california", {"bonus.clause": "CA-10"}),
    ("california", {"bonus.fold_clause": "CA-10"}),
    ("california", {"increment_clause": "CA-4"}),
    ("california", {"bank.unmatched_clause": "CA-20"}),
    ("california", {"assumptions.0.says": "No doubt about it."}),
    ("california", {"assumptions.0.key": "tie"}),
    ("california", {"clauses": []}),
    ("california", {"settlement.0.player": ["ahead"]}),  # a clause would speak of other cases
    ("california", {"settlement.0.dealer": "qualified"}),
    (
        "california",
        {"fees.rates": [{"min": 500, "max": 900, "player": 1, "banker": 1, "clause": "CA-4"}]},
    ),
    ("house", {"pair_plus.clause": "HO-12"}),
    ("roulette", {"bets.0.name": "dozen"}),
    ("roulette", {"bets.10.covers": [1, 2, 3]}),
    ("roulette", {"bets.0.shape": "split"}),
    ("roulette", {"refused.0.bets": []}),
]  # fmt: skip


@pytest.mark.parametrize(("rulebook", "changes"), WORDING, ids=str)
def test_wording_cannot_be_set(rulebook: str, changes: dict[str, Any]) -> None:
    error = refusal(rulebook, changes)
    assert error.code == "rulebook.wording"
    assert "cannot be set, only figures and readings can" in str(error)
    assert f"queenhigh rules {rulebook} --copy mine.toml" in str(error)


def test_wording_of_a_file_is_copied_from_the_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(own_text("house"))
    assert f"queenhigh rules {file} --copy" in str(refusal(str(file), {"title": "Better"}))


def test_rows_that_are_set_keep_their_clauses() -> None:
    rates = [{"min": 500, "max": 900, "player": 1, "banker": 1} for _ in range(1)]
    book = qh.load("california", {"fees.rates": rates})
    assert [rate.clause for rate in book.fees.rates] == ["CA-7"]  # type: ignore[union-attr]
    same = qh.load("california", {"fees.rates": [{**rates[0], "clause": "CA-7"}]})
    assert same.rules_digest == book.rules_digest


def test_rows_keep_their_clauses_however_often_they_are_set() -> None:
    """A key has several names: rows that are taken away first leave no room for other clauses."""
    rate = {"min": 500, "max": 900, "player": 1, "banker": 1, "clause": "CA-4"}
    error = refusal("california", {"fees.rates": [], "rates": [rate]})
    assert "fees.rates.0.clause cannot be set" in str(error)


def leaves_of(model: type[BaseModel], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key that a rulebook file may have."""
    for name, info in model.model_fields.items():
        inner = table_of(info.annotation)
        if inner is not None:
            yield from leaves_of(inner, (*path, name))
        else:
            yield (*path, name)


def holds_text(annotation: Any) -> bool:
    return annotation is str or any(holds_text(part) for part in get_args(annotation))


@pytest.mark.parametrize("game", GAMES)
def test_no_key_that_holds_text_or_a_clause_may_be_set(game: str) -> None:
    model = GAMES[game].document_type
    paths = list(leaves_of(model))
    assert len(paths) > 25
    for path in paths:
        table: Any = model
        for part in path[:-1]:
            table = table_of(table.model_fields[part].annotation)
        annotation = table.model_fields[path[-1]].annotation
        is_words = path[0] in ("clauses", "assumptions", "law") or path[-1].endswith("clause")
        readings = "typing.Literal" in str(annotation)
        if is_words or (holds_text(annotation) and not readings):
            assert not is_setting(model, path), path


def test_new_text_key_is_refused_until_it_is_listed() -> None:
    class Sign(RulebookTable):
        text: str = ""
        size: int = 1

    class Document(PokerDocument):
        motto: str | None = None
        mottos: tuple[str, ...] = ()
        sign: Sign = Sign()
        stakes: int = Field(default=1)

    refused = [("motto",), ("mottos",), ("sign", "text"), ("nothing",)]
    assert [is_setting(Document, path) for path in refused] == [False] * 4
    assert is_setting(Document, ("stakes",))
    assert is_setting(Document, ("sign", "size"))


# Files


def file_of(name: str, old: str, new: str) -> str:
    assert TEXTS[name].count(old) == 1
    return TEXTS[name].replace(old, new)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("california", "Ante wager.\"\nfalse", "Ante wager of any size.\"\nfalse"),
        ("california", 'source = "A California cardroom', 'source = "The Bureau; a cardroom'),
        ("california", 'version = "1.2"', 'version = "1.3"'),
        ("california", 'says = "No increment is given."', 'says = "The increment is a cent."'),
        ("california", '[bonus]\nclause = "CA-19"', '[bonus]\nclause = "CA-10"'),
        ("house", 'title = "', 'title = "The best '),
    ],
)  # fmt: skip
def test_file_with_a_shipped_name_needs_shipped_words(name: str, old: str, new: str) -> None:
    text = file_of(name, old, new)
    with pytest.raises(InvalidRulebook) as caught:
        parse(text, "mine.toml")
    (problem,) = caught.value.problems
    assert caught.value.code == "rulebook.wording"
    assert problem.line is not None
    line = new.splitlines()[-1 if new.startswith("[bonus]") else 0]
    assert line in "\n".join(text.splitlines()[problem.line - 1 : problem.line + 3])
    assert f'write name = "my-{name}"' in problem.write
    own = parse(text.replace(f'name = "{name}"', f'name = "my-{name}"', 1), "mine.toml")
    assert own.is_custom


def test_file_with_a_shipped_name_keeps_the_names_of_bets() -> None:
    with pytest.raises(InvalidRulebook, match="RO-5 is not the clause of this in roulette"):
        parse(TEXTS["roulette"].replace('"low"', '"small"'), "mine.toml")


def test_file_with_a_shipped_name_lacks_no_clause() -> None:
    before, _, after = TEXTS["california"].partition('[[clauses]]\nid = "CA-8"')
    with pytest.raises(InvalidRulebook, match="clause CA-8 of california is missing"):
        parse(before + after[after.index("[[clauses]]") :], "mine.toml")


def test_assumption_beside_the_shipped_one_is_refused() -> None:
    shipped_row = '[[assumptions]]\nclause = "TCP-2"\nkey = "ace_low"\n'
    other = f'{shipped_row}says = "The Bureau approves it."\n\n'
    with pytest.raises(InvalidRulebook, match='write name = "my-california"'):
        parse(TEXTS["california"].replace(shipped_row, other + shipped_row, 1), "mine.toml")


def test_shipped_name_for_another_game_is_refused() -> None:
    text = TEXTS["roulette"].replace('name = "roulette"', 'name = "california"', 1)
    with pytest.raises(InvalidRulebook, match='write name = "my-california"'):
        parse(text, "mine.toml")


def test_file_with_other_figures_has_shipped_words() -> None:
    text = TEXTS["california"].replace('tie = "push"', 'tie = "lose"', 1)
    book = parse(text + "\n# a comment\n", "mine.toml")
    assert not book.is_custom
    assert book.name == "california"


def test_file_of_an_older_edition_says_what_it_does() -> None:
    """Its texts did not follow its keys: the words shipped now do."""
    stored = json.loads((Path(__file__).parent / "california-1.0.json").read_text("utf-8"))
    assert has_shipped_words(stored)
    book = from_document(stored | {"tie": "lose"})
    assert not book.is_custom
    assert "Ante and Play lose" in {each.id: each.text for each in book.clauses}["CA-18"]


def test_shipped_title_under_another_name_has_the_name_beside_it() -> None:
    copy = parse(own_text("california"), "mine.toml")
    assert copy.is_custom
    assert copy.title == "California Three Card Poker, player-banked (own-california)"
    assert copy.document["title"] == "California Three Card Poker, player-banked"


# Every edition that was shipped


def test_words_of_today_are_listed_as_shipped() -> None:
    for name in shipped():
        document = tomllib.loads(TEXTS[name])
        sentence = f"list the new words of {name} in wording.py: {words_digest(document)}"
        assert has_shipped_words(document), sentence


def test_every_edition_in_the_history_is_listed_as_shipped() -> None:
    folder = "src/queenhigh/rulebooks"
    log = ["git", "log", "--format=commit %H", "--name-only", "--diff-filter=AM", "--", folder]
    listed = subprocess.run(log, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    commit, editions = "", 0
    for line in listed.split("\n"):
        if line.startswith("commit "):
            commit = line.removeprefix("commit ")
        elif line.startswith(folder):
            show = ["git", "show", f"{commit}:{line}"]
            text = subprocess.run(show, cwd=ROOT, capture_output=True, text=True, check=True)
            assert has_shipped_words(tomllib.loads(text.stdout)), (commit, line)
            editions += 1
    assert editions >= len(shipped()) or not (ROOT / ".git").exists()


# What is stored


def stored(**parts: Any) -> dict[str, Any]:
    """Return a document of the shipped California game with other words, as 0.1 stored it."""
    document: dict[str, Any] = json.loads(json.dumps(dict(qh.load("california").document)))
    for row in document["clauses"]:
        if row["id"] == "CA-15":
            row["text"] += " Otherwise the Ante pays 2 to 1, whatever the player holds."
    return {**document, **parts}


def test_stored_words_that_were_never_shipped_are_not_said() -> None:
    book = from_document(stored(source="Approved by the Bureau of Gambling Control"))
    assert book.is_custom
    assert book.source == qh.load("california").source
    assert book.clauses == qh.load("california").clauses
    assert "2 to 1, whatever" in json.dumps(dict(book.document))  # stored as it was


def test_stored_table_with_other_words_takes_a_change_of_figures() -> None:
    book = vary(from_document(stored()), {"limits.bonus.max": 5000})
    assert book.limits["bonus"].max == 5000  # type: ignore[attr-defined]
    assert book.is_custom
