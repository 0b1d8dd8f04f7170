"""The walk: every key of every rulebook through its readings, and the words against the engine.

For each reading the game itself is played, and what it did must be what the clauses and the table
of the sheet say. No expected phrase is taken from a key: each comes from what the engine did.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.errors import InvalidRulebook
from queenhigh.rulebook.book import Clause, PokerRulebook
from queenhigh.rulebook.load import from_document, parse
from queenhigh.rulebook.overrides import put
from queenhigh.rulebook.to_toml import to_toml
from queenhigh.sheets import rule_sheet
from queenhigh.sheets.games import game_sheet
from queenhigh.sheets.tables import Table
from tests.own_rules import own
from tests.rulebook.irregular_probes import probe_entered, probe_gone
from tests.rulebook.word_probes import PROBES, VALUES, outcomes

# What the words say

_SENTENCE = re.compile(
    r"If the (?:Player/Dealer|dealer) (does not qualify|qualifies)"
    r"(?: and ([^,:]*?))?, ((?:the Ante|Ante and Play|Play).*?)\.(?= |$)"
)
_CONDITIONS = {
    "the player's hand is lower": {"lower"},
    "the hands are equal": {"equal"},
    "the player's hand is higher": {"higher"},
    "the player's hand is not higher": {"lower", "equal"},
    "the player's hand is not lower": {"equal", "higher"},
    "the hands are not equal": {"lower", "higher"},
}
_VERBS = {"pay": 1, "pays": 1, "are": 0, "is": 0, "lose": -1, "loses": -1}


def sayings(clause: Clause) -> Iterator[tuple[str, str, int, int]]:
    """Read the sentences of a clause: dealer, hand, and what Ante and Play do."""
    for dealer, condition, does in _SENTENCE.findall(clause.text):
        for hand in _CONDITIONS.get(condition, {"lower", "equal", "higher"}):
            yield dealer, hand, _said(does, "Ante", hand), _said(does, "Play", hand)


def _said(does: str, wager: str, hand: str) -> int:
    """Return what a sentence says that a wager does with a hand."""
    part = next(part for part in does.split("; ") if wager in part)
    part = part.replace("Ante and Play each ", "").replace("Ante and Play ", "")
    part = part.removeprefix("the Ante ").removeprefix("Play ")
    for piece in re.split(r", and |, | and (?=pays|is|loses)", part):
        verb, _, condition = piece.partition(" if ")
        applies = hand in _CONDITIONS[condition] if condition else True
        if applies:
            return _VERBS[verb.split()[0]]
    raise AssertionError(part)


_DOES = {"loses": -1, "is returned": 0, "pays 1 to 1": 1}


def table_rows(book: PokerRulebook) -> dict[tuple[str, str], tuple[str, int, int]]:
    """Read the settlement table of the sheet."""
    blocks = [block for block in game_sheet(book).sections(book) if isinstance(block, Table)]
    (table,) = [block for block in blocks if block.columns[0] == "Dealer"]
    rows = [tuple(map(str, row)) for row in table.rows]
    return {
        ("does not qualify" if row[0].startswith("below") else "qualifies", row[1]): (
            row[4], _DOES[row[2]], _DOES[row[3]],
        )
        for row in rows
    }  # fmt: skip


def settlement_disagrees(book: PokerRulebook) -> str | None:
    """Return where clauses, table and game differ in a case; ``None`` if they agree."""
    played, table = outcomes(book), table_rows(book)
    said = {}
    for clause in book.clauses:
        for dealer, hand, ante, play in sayings(clause):
            said[dealer, hand] = (clause.id, ante, play)
    for case, does in played.items():
        if not does == said.get(case) == table.get(case):
            return f"{case}: the game {does}, the clauses {said.get(case)}, {table.get(case)}"
    return None


KIND_RATES = [
    {"clause": "CA-7", "on": "ante", "min": 500, "max": 100000, "player": 100, "banker": 200},
    {"clause": "CA-7", "on": "play", "player": 50, "banker": 0},
    {"clause": "CA-7", "on": "bonus", "player": 25, "banker": 0},
]
#: What else must change for a reading to stand, by key and reading.
UNDER: dict[tuple[str, object], dict[str, Any]] = {
    ("fees.fee_per", "kind"): {"fees.rates": KIND_RATES},
    ("zero.second_zero", "half"): {"zero.on_zero": "en_prison"},
    ("zero.second_zero", "stay"): {"zero.on_zero": "en_prison"},
    ("zero.second_zero", "lose"): {"zero.on_zero": "en_prison"},
}
#: Readings that no change of keys alone can give: a document is written for them.
WRITTEN = {("banker", "player"), ("banker", "house"), ("royal_flush", True), ("royal_flush", False),
           ("ante.required", False), ("limits.scope", "total")}  # fmt: skip

#: The American layout has bets on the double zero.
IMPOSSIBLE = {("roulette-american", "zeros", 1)}

#: Keys whose words are those of the settlement table, which every walk reads.
SETTLED = {"short_ante", "tie"}


def choices(name: str) -> list[tuple[str, object]]:
    """Return every key of a rulebook that has readings, with each of them."""
    listed = rule_sheet.as_json(qh.load(name))["choices"]
    return [
        (key, reading) for key, readings in listed.items() for reading in readings if key != "game"
    ]


def chosen(name: str, key: str, reading: object) -> Any:
    """Return a rulebook with a reading, or ``None`` where it cannot be."""
    if (name, key, reading) in IMPOSSIBLE:
        return None
    if (key, reading) in WRITTEN and dict(qh.load(name).document).get(key) != reading:
        return written(name, key, reading)
    return own(name, **{key: reading, **UNDER.get((key, reading), {})})


def written(name: str, key: str, reading: object) -> Any:
    """Write a document for a reading that needs other tables than the shipped one has."""
    book = qh.load(name)
    document = {k: v for k, v in book.document.items() if k not in ("clauses", "assumptions")}
    document = _copy(document)
    if key == "royal_flush":
        document["royal_flush"] = reading
        for table in ("bonus", "pair_plus", "ante_bonus"):
            if table in document and reading:
                document[table]["pays"]["royal_flush"] = "60 to 1"
            elif table in document:
                document[table]["pays"].pop("royal_flush", None)
    elif key == "limits.scope":
        document["limits"]["scope"] = reading
        document["limits"].setdefault("ante", {"clause": "CA-7", "min": 500, "max": 10_000})
    elif key == "banker" and reading == "house":
        del document["bank"], document["fees"]
        document |= {"banker": "house"}
        limits = {"clause": "CA-9", "min": 500, "max": 10_000}
        document["limits"] = {"ante": limits, "bonus": limits}
    elif key == "banker":
        shipped = _copy(dict(qh.load("california").document))
        document |= {"banker": "player", "bank": shipped["bank"], "fees": shipped["fees"]}
        document["bank"] |= {"clause": "HO-1", "unmatched_clause": "HO-1"}
        document["fees"] |= {"clause": "HO-1"}
        rate = {"clause": "HO-1", "min": 100, "max": 400, "player": 100, "banker": 200}
        document["fees"]["rates"] = [rate]
        document["ante"]["required"] = True
    else:
        return None
    said = _copy([row for row in book.document["clauses"] if _fits(row, document)])
    document["clauses"] = said
    text = to_toml(document, book.game.document_type, name=f"own-{name}", source="A test")
    return parse(text, "written.toml")


def _fits(row: dict[str, Any], document: dict[str, Any]) -> bool:
    return True if document["banker"] == "player" else not {"fees", "bank"} & {
        key.split(".")[0] for key in row["keys"]
    }  # fmt: skip


def _copy(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _copy(item) for key, item in value.items()}
    return [_copy(item) for item in value] if isinstance(value, list) else value


def unsaid(book: Any, phrases: list[str]) -> list[str]:
    """Return the phrases that the clauses do not say, or say although they must not (!)."""
    texts = {clause.id: clause.text for clause in book.clauses}
    whole = " ".join(texts.values())
    wrong = []
    for phrase in phrases:
        clause, _, rest = phrase.removeprefix("!").partition(": ")
        text, wanted = (texts[clause], rest) if clause in texts else (whole, phrase.lstrip("!"))
        if (wanted in text) == phrase.startswith("!"):
            wrong.append(phrase)
    return wrong


@pytest.mark.parametrize("name", qh.shipped())
def test_words_table_and_game_agree_under_every_reading(name: str) -> None:
    keys = set()
    for key, reading in choices(name):
        if key.startswith("settlement.") or key.endswith("clause"):
            continue
        book = chosen(name, key, reading)
        if book is None:
            continue
        keys.add(key)
        if isinstance(book, PokerRulebook):
            assert settlement_disagrees(book) is None, (key, reading)
        if key not in SETTLED:
            assert unsaid(book, PROBES[key](book)) == [], (key, reading)
        assert all("{" not in clause.text for clause in book.clauses)
        assert all(" Here " not in clause.text for clause in book.clauses)
    assert keys, "every key is walked"


@pytest.mark.parametrize("name", qh.shipped())
def test_words_follow_values_too(name: str) -> None:
    for key, (values, probe) in VALUES[name].items():
        for value in values:
            document = json.loads(json.dumps(dict(qh.load(name).document)))
            path = tuple(int(part) if part.isdigit() else part for part in key.split("."))
            put(document, path, value)
            book = from_document(document)
            assert unsaid(book, probe(book)) == [], (key, value)


@pytest.mark.parametrize("name", ["california", "house"])
def test_words_follow_other_rows_of_the_settlement_table(name: str) -> None:
    rows = len(qh.load(name).document["settlement"])
    for row in range(rows):
        for wager in ("ante", "play"):
            for outcome in ("win", "push", "lose"):
                try:
                    book = qh.load(name, {f"settlement.{row}.{wager}": outcome})
                except InvalidRulebook:  # the row is all that reads short_ante or tie
                    continue
                assert isinstance(book, PokerRulebook)
                assert settlement_disagrees(book) is None, (row, wager, outcome)


# Planted wrong words, which the walk must catch


def reworded(book: Any, clause: str, old: str, new: str) -> Any:
    """Return a rulebook with other words in one clause."""
    rows = [
        replace(row, text=row.text.replace(old, new)) if row.id == clause else row
        for row in book.clauses
    ]
    assert tuple(rows) != book.clauses
    return replace(book, clauses=tuple(rows))


def test_walk_catches_a_wrong_outcome_in_words() -> None:
    book = own("california", tie="lose")
    assert settlement_disagrees(book) is None
    assert settlement_disagrees(reworded(book, "CA-18", "lose", "are returned")) is not None


def test_walk_catches_a_table_that_differs_from_the_game() -> None:
    book = own("house")
    cells = (book.cells[0]._replace(play=-1), *book.cells[1:])
    wrong = replace(book, cells=cells)  # its words are those of before
    assert settlement_disagrees(wrong) is not None


@pytest.mark.parametrize(
    ("name", "key", "reading", "clause", "old", "new"),
    [
        ("california", "bank.coverage", "net", "CA-20", "covers later wins", "is kept apart"),
        ("california", "up", 2, "CA-12", "two face up", "one face up"),
        ("california", "bank.settle_order", "wager", "CA-20", "Every Ante", "Every seat"),
        ("california", "fees.collect", "after", "CA-5", "after the start", "before the start"),
        ("house", "pair_plus.on_fold", "forfeit", "HO-6", "lost", "still settled on the hand"),
        ("house", "limits.scope", "total", "HO-1", "together", "apart"),
        ("california", "irregularities.misdeal", "redeal", "IR-1", "same wagers", "least wagers"),
        ("house", "irregularities.misdeal", "void", "IR-1", "returned", "returned. Press Ready"),
        ("house", "irregularities.exposed_player", "void_hand", "IR-2", "play on", "are void too"),
        ("california", "irregularities.exposed_player", "play_on", "IR-2", "plays on", "is void"),
        ("california", "irregularities.exposed_dealer", "void", "IR-3", "is void", "plays on"),
        ("house", "irregularities.exposed_dealer", "play_on", "IR-3", "plays on", "is void"),
        ("roulette", "zeros", 3, "RO-14", "a triple zero", "no more"),
        ("roulette-european", "zero.on_zero", "en_prison", "RO-22", "on zero", "on red"),
    ],
)  # fmt: skip
def test_walk_catches_a_planted_wrong_wording(
    name: str, key: str, reading: object, clause: str, old: str, new: str
) -> None:
    book = chosen(name, key, reading)
    assert unsaid(book, PROBES[key](book)) == []
    assert unsaid(reworded(book, clause, old, new), PROBES[key](book)) != []


@pytest.mark.parametrize("name", ["california", "house"])
def test_words_of_clauses_without_a_key_follow_what_is_done(name: str) -> None:
    for changes in ({}, {"exposed_player": "void_hand", "misdeal": "redeal"}):
        book = qh.load(name, changes)
        assert unsaid(book, [*probe_entered(book), *probe_gone(book)]) == []


@pytest.mark.parametrize(
    ("clause", "old", "new"),
    [
        ("IR-4", "The others play on", "The round is void"),
        ("IR-4", "Entered hands only", "Always"),
        ("IR-5", "the round is void", "the hand is void"),
        ("IR-6", "stands up to the limit", "is returned"),
        ("IR-6", "below its limits is returned", "below its limits is raised"),
        ("IR-7", "the table's default move", "a fold"),
        ("IR-3", "A face-down card", "Entered hands only: a face-down card"),
    ],
)
def test_walk_catches_wrong_words_of_a_clause_without_a_key(
    clause: str, old: str, new: str
) -> None:
    book = qh.load("house")
    wrong = reworded(book, clause, old, new)
    assert unsaid(wrong, [*probe_entered(book), *probe_gone(book)]) != []


def test_every_key_with_readings_has_a_probe() -> None:
    for name in qh.shipped():
        for key, _ in choices(name):
            if not key.startswith("settlement."):
                assert key in PROBES.keys() | SETTLED, key


def test_stored_table_of_before_speaks_by_its_keys() -> None:
    """A document of version 1.0 has fixed texts; what it plays is said in today's words."""
    stored = json.loads((Path(__file__).parent / "california-1.0.json").read_text("utf-8"))
    assert stored["tie"] == "push"
    stored |= {"tie": "lose", "up": 0}
    book = from_document(stored)
    texts = {clause.id: clause.text for clause in book.clauses}
    assert texts["CA-18"].endswith("the hands are equal, Ante and Play lose.")
    assert "three cards face down" in texts["CA-12"]
    assert texts["CA-6"] == "The schedule of fees is on view to everyone, before they sit and" + (
        " while they play."
    )
    assert "push" not in " ".join(item.says for item in book.assumptions if item.key == "tie")
    assert dict(book.document) == stored
    assert not book.is_custom
    other = from_document({**stored, "source": "Another source"})
    assert other.is_custom
    assert (other.source, other.clauses) == (book.source, book.clauses)  # a shipped name's words
