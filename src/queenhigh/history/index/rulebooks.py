"""The rulebooks that indexed rounds were played by, with what each wager is worth."""

import json
from collections.abc import Callable
from fractions import Fraction
from typing import Any, NamedTuple

from queenhigh.history.index.schema import DamagedIndex
from queenhigh.history.reports import WagerValues, expectations, wager_values
from queenhigh.rulebook.load import from_document
from queenhigh.table.fairness import document_digest

__all__ = ["IndexedRulebook", "RulebookTable"]


class IndexedRulebook(NamedTuple):
    """A rulebook: its document, and what its wagers are worth."""

    document: dict[str, Any]
    values: WagerValues


class RulebookTable:
    """The rulebooks in the index file by their digests; each is read once."""

    def __init__(self, query: Callable[..., list[Any]]) -> None:
        self._query = query
        self._known: dict[str, IndexedRulebook] = {}

    def get(self, digest: str) -> IndexedRulebook:
        """Return a rulebook of the file."""
        if digest not in self._known:
            rows = self._query("select document, worth from rulebooks where digest = ?", digest)
            if not rows:
                raise DamagedIndex("a rulebook is missing")
            self._known[digest] = self._read(digest, *rows[0])
        return self._known[digest]

    def add(self, digest: str, document: dict[str, Any]) -> IndexedRulebook:
        """Return a rulebook; write it to the file, with its expectations, if it is new there."""
        query = "select count(*) from rulebooks where digest = ?"
        if digest not in self._known and self._query(query, digest) == [(0,)]:
            book = from_document(document)
            expected = expectations(book)
            texts = json.dumps(document), json.dumps({k: str(v) for k, v in expected.items()})
            self._query("insert into rulebooks values (?, ?, ?)", digest, *texts)
            self._known[digest] = IndexedRulebook(document, wager_values(book, expected))
        return self.get(digest)

    def _read(self, digest: str, document_text: str, worth_text: str) -> IndexedRulebook:
        document = json.loads(document_text)
        if document_digest(document) != digest:
            raise DamagedIndex("a rulebook is another one")
        book = from_document(document)
        expected = {name: Fraction(each) for name, each in json.loads(worth_text).items()}
        return IndexedRulebook(document, wager_values(book, expected))
