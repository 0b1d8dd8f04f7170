"""The words of a rulebook, as distinct from its keys, and whether they were ever shipped.

A rulebook with a shipped name has shipped words: those of its own edition or of an older one. Any
other is a custom rulebook, and says so wherever it is shown.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from queenhigh.hashing import document_digest
from queenhigh.rulebook.problem import Finding, Key

__all__ = ["Document", "check_words", "has_shipped_words", "other_clauses", "words_digest"]

#: A rulebook in plain values, as it is stored.
Document = Mapping[str, Any]

#: The digests of the words of every edition ever shipped. A new edition adds one; none is removed.
_EDITIONS: Mapping[str, tuple[str, ...]] = {
    "california": (
        "4b3406ca578d6e32a323d68a5c618250",
        "f5b54dbd573c58fc18b7988d13985873",
        "ed81e142a5554e9fcb7a81b1a6882591",
        "7fa11e741934aa557341b9f261b19dd4",
        "1bcb0069490c0da7159a67775fb000b6",
        "d6417f93cf2c329055683d723b8bd3cb",
        "92d70eb10f5dc93ca1d5023d5bbdee8f",
        "9311f6d8d8591bb4edbf272f6d95eb5e",
        "6c320c469e50f7325deddb79bdd1dbf3",
        "ce05c47f6d112ba46f35eede0d05a8a8",
    ),
    "house": (
        "79186d1a06532d2a4528380e4cb81985",
        "cca3dbb6a04e24cf4fcc18dafb1ed8e7",
        "21dd12018615db4c89411b6993e9ee6b",
        "a9bd3489d3910e2aa55f18a62afa8644",
    ),
    "roulette": (
        "01c4eb0f37e9033be26d75719480b269",
        "16de3bf8a453dcc6ecb9937a923d8834",
    ),
    "roulette-american": (
        "f259189096c10dd3ae1f7316dbaeb6d7",
        "1b0f177a1d69ebc5e76e6531ec775a16",
        "a9c44153bd4251af8e063f38f830ef09",
    ),
    "roulette-european": (
        "137f4a3389e6c6f55e90aea78535e522",
        "877f1dbb31ce2c778cba032c48543f3a",
        "3a1f4c820c8f961b1276b5c734a8ead2",
    ),
}
#: What a rulebook is called; with its clauses and assumptions, these are its words.
_NAMES = ("title", "version", "source")


class _Word(NamedTuple):
    """Something that a rulebook says, and where."""

    place: Key
    value: object


def words_digest(document: Document) -> str:
    """Return the digest of all words, in whatever order they stand."""
    digest = document_digest({label: word.value for label, word in _words(document).items()})
    return digest.removeprefix("sha256:")[:32]


def has_shipped_words(document: Document) -> bool:
    """Return whether a rulebook has a shipped name, and words that were shipped under it."""
    return words_digest(document) in _EDITIONS.get(document["name"], ())


def check_words(document: Document, edition: Document) -> Iterator[Finding]:
    """Check that a rulebook with a shipped name has its words, and its clauses where they stand.

    ``edition`` is the rulebook of that name as this version ships it.
    """
    name = document["name"]
    write = f'write name = "my-{name}" for your custom rulebook'
    if not has_shipped_words(document):
        own, shipped = _words(document), _words(edition)
        if document["game"] != edition["game"]:
            shipped, own = {}, {"name": _Word(("name",), name)}
        for label, word in own.items():
            if label not in shipped or shipped[label].value != word.value:
                message = f"this is not what {name} says"
                yield Finding(word.place, message, write, is_wording=True)
        missing = [label for label in shipped if label not in own]
        if missing:
            message = f"{', '.join(missing)} of {name} is missing"
            yield Finding(("name",), message, write, is_wording=True)
    for place, clause, _ in other_clauses(document, edition):
        message = f"{clause} is not the clause of this in {name}"
        yield Finding(place, message, write, is_wording=True)


def other_clauses(document: Document, edition: Document) -> Iterator[tuple[Key, str, str | None]]:
    """Yield the places that name a clause which an edition does not have there, and the one it has.

    A table that the edition lacks, but no row, may name any clause of the table it stands in.
    """
    known: dict[str, dict[str, None]] = {}
    for place, label, clause in _clauses(edition):
        for name in (label, str(place[0])):
            known.setdefault(name, {})[clause] = None
    for place, label, clause in _clauses(document):
        is_row = any(isinstance(step, int) for step in place)
        if clause not in known.get(label, () if is_row else known.get(str(place[0]), ())):
            yield place, clause, next(iter(known.get(label, ())), None)


def _words(document: Document) -> dict[str, _Word]:
    """Return everything that a rulebook says beside its keys, by what it is about."""
    words = {name: _Word((name,), document[name]) for name in _NAMES if name in document}
    for i, row in enumerate(document["clauses"]):
        said = [row["text"], sorted(row.get("keys") or ()), row.get("words") or {}]
        words[f"clause {row['id']}"] = _Word(("clauses", i, "text"), said)
    for i, row in enumerate(document.get("assumptions") or ()):
        key = row.get("key") or row["says"]
        label = f"assumption {row['clause']} {key}"
        while label in words:  # a row beside the one that was shipped
            label += " again"
        words[label] = _Word(("assumptions", i, "says"), row["says"])
    return words


def _clauses(table: Document, parent: Key = (), label: str = "") -> Iterator[tuple[Key, str, str]]:
    """Yield every place that names a clause, what it is about, and the clause."""
    for key, item in table.items():
        place, what = (*parent, key), f"{label} {key}".strip()
        if key == "clause" or key.endswith("_clause"):
            yield place, what, item
        elif isinstance(item, Mapping):
            yield from _clauses(item, place, what)
        elif isinstance(item, list | tuple) and not (parent == () and key in _PROSE):
            for i, row in enumerate(item):
                for name in _row_names(row) if isinstance(row, Mapping) else ():
                    yield from _clauses(row, (*place, i), f"{what} {name}".strip())


_PROSE = ("clauses", "assumptions", "law")


def _row_names(row: Document) -> list[str]:
    """Return what tells a row from others of its list: a bet, or the cases of a settlement."""
    if "dealer" in row:
        return [f"{row['dealer']} {player}" for player in row["player"]]
    return [row["name"]] if "name" in row else [""]
