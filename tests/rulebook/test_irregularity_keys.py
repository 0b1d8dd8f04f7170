"""The keys of [irregularities]: optional, left out at their defaults, in Three Card Poker only."""

import json

import pytest

import queenhigh as qh
from queenhigh.rulebook.book import Irregularities, PokerRulebook, Rulebook
from queenhigh.rulebook.load import from_document, vary

NAMES = ("california", "house")
READINGS = {"misdeal": "redeal", "exposed_player": "void_hand", "exposed_dealer": "play_on"}


def values(book: Rulebook) -> dict[str, str]:
    assert isinstance(book, PokerRulebook)
    return book.irregularities._asdict()


@pytest.mark.parametrize("name", NAMES)
def test_a_document_without_the_table_has_the_defaults(name: str) -> None:
    document = {k: v for k, v in qh.load(name).document.items() if k != "irregularities"}
    book = from_document(document)
    assert values(book) == {
        "misdeal": "void",
        "exposed_player": "play_on",
        "exposed_dealer": "void",
    }
    assert "irregularities" not in book.document


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("key", "reading"), READINGS.items())
def test_a_reading_changes_the_meaning_and_is_stored(name: str, key: str, reading: str) -> None:
    usual = qh.load(name)
    book = vary(usual, {key: reading})
    assert values(book) == Irregularities()._asdict() | {key: reading}
    assert book.document["irregularities"] == {key: reading}
    assert book.rules_digest != usual.rules_digest
    again = from_document(json.loads(json.dumps(dict(book.document))))
    assert (again.digest, again.rules_digest) == (book.digest, book.rules_digest)


@pytest.mark.parametrize("name", NAMES)
def test_a_default_that_is_written_leaves_both_digests(name: str) -> None:
    usual = qh.load(name)
    book = vary(vary(usual, READINGS), Irregularities()._asdict())
    assert (book.digest, book.rules_digest) == (usual.digest, usual.rules_digest)


def test_a_wheel_has_no_such_key() -> None:
    with pytest.raises(qh.InvalidRulebook, match="there is no key misdeal"):
        qh.load("roulette", {"misdeal": "redeal"})


def test_an_unknown_reading_names_the_others() -> None:
    with pytest.raises(qh.InvalidRulebook, match='write one of "play_on", "void_hand"'):
        qh.load("house", {"exposed_player": "void"})
