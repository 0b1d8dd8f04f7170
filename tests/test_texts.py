"""Texts that people read are plain English: errors, help, sheets, and the documentation.

The page's own texts are tested beside them, in ``web/src/texts/texts.test.ts``.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_words import is_shown

ROOT = Path(__file__).parent.parent
SOURCES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "verifier").rglob("*.py")])
#: The changelog is history, ``make bench`` writes the page of figures, and the words of clauses
#: belong to the rulebooks: cards follow from the digest of a document.
OTHERS = ("CHANGELOG.md", "performance.md", "rules.md")
PAGES = sorted(
    page for page in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")) if page.name not in OTHERS
)
LONGEST_LINE = 100

#: What is banned, by what to write instead.
BANNED = {
    "the usual word": r"\b(?:whoever|anew|upon|thereof|whence|hereby|thee|thousand million)\b",
    "a noun before who": r"\b(?:to|for|from|as|by|than|where) who\b|(?:^|[.;:] )Who\b[^?]*$",
    "a noun before what": r"(?:^|[.;:] )What (?!it is\b)[^?]*[.]$",
    "who tells, or says": r"\b(?:is|are|was|were|be) told\b|\bsays nothing\b",
    "your own, or another": r"\bof (?:one's|its|your|their|his|her) own\b",
    "is not a": r"(?<!here )\bis no (?!longer\b|more\b)",
    "unchanged, or nothing": r"\b(?:stays?|keeps?|leaves?) (?:\w+ )?as (?:it is|they are)\b",
    "automatically": r"\bby (?:itself|himself|herself|themselves)\b(?! alone)",
    "check the disk": r"\bsee to (?:the|it)\b",
    "run queenhigh verify": r"\bsee queenhigh verify\b",
    "choose or use": r"\bname (?:a|another) (?:file|store|table|rulebook)\b",
    "already executed": r"\bfollowed before\b",
    "appears twice": r"\bstands? (?:twice|there)\b",
    "restarting": r"\bcloses for a moment\b",
}


def texts(code: str) -> Iterator[str]:
    """Yield the texts of a module: its strings, and docstrings that users see."""
    tree = ast.parse(code)
    hidden = {id(text) for node in ast.walk(tree) for text in _own_docstring(node)}
    within = {
        id(part)
        for node in ast.walk(tree)
        if isinstance(node, ast.JoinedStr)
        for part in ast.walk(node)
        if part is not node
    }
    for node in ast.walk(tree):
        if id(node) in hidden or id(node) in within:
            continue
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.JoinedStr):
            parts = [part.value if isinstance(part, ast.Constant) else "…" for part in node.values]
            yield "".join(map(str, parts))


def _own_docstring(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the docstring of a module, class or function, if only programmers see it."""
    if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        return
    for first in node.body[:1]:
        if isinstance(first, ast.Expr) and not is_shown(node):
            yield first.value


def paragraphs(page: str) -> Iterator[str]:
    """Yield the prose of a page, its code and pictures left out."""
    prose = re.sub(r"^```.*?^```$", "", page, flags=re.MULTILINE | re.DOTALL)
    prose = re.sub(r"`[^`\n]+`|!?\[([^\]]*)\]\([^)]*\)", r"\1", prose)
    for paragraph in re.split(r"\n\s*\n|\n(?=\s*[-|#])", prose):
        yield " ".join(paragraph.split())


def banned_in(text: str) -> list[str]:
    """Return what to write instead, with the words it is about."""
    matches = [(advice, re.search(pattern, text)) for advice, pattern in BANNED.items()]
    return [f"{advice}: {match[0]!r} in {text[:70]!r}" for advice, match in matches if match]


def long_lines(page: str) -> list[str]:
    """Return lines of prose that are too long; tables and code may be."""
    prose = re.sub(
        r"^```.*?^```$",
        lambda code: "\n" * code[0].count("\n"),
        page,
        flags=re.MULTILINE | re.DOTALL,
    )
    return [
        f"line {number}: {line[:60]}"
        for number, line in enumerate(prose.splitlines(), 1)
        if len(line) > LONGEST_LINE and not line.startswith(("|", "[![", "!["))
    ]


@pytest.mark.parametrize(
    "package",
    sorted({file.parent for file in SOURCES}),
    ids=lambda folder: folder.relative_to(ROOT).as_posix(),
)
def test_texts_are_plain(package: Path) -> None:
    wrong = [
        f"{file.name}: {advice}"
        for file in package.glob("*.py")
        for text in texts(file.read_text("utf-8"))
        for advice in banned_in(text)
    ]
    assert wrong == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_documentation_is_plain(page: Path) -> None:
    text = page.read_text("utf-8")
    assert [advice for each in paragraphs(text) for advice in banned_in(each)] == []
    assert long_lines(text) == []


def test_there_are_texts_and_pages() -> None:
    assert sum(1 for file in SOURCES for _ in texts(file.read_text("utf-8"))) > 3_000
    assert len(PAGES) > 15


@pytest.mark.parametrize(
    "text",
    [
        "room.db cannot be opened by you: run this as who runs the room",
        "Who leaves takes back what can be taken back.",
        "who asks is told that it is archived",
        "the index is written anew from the events",
        "a table of one's own",
        "A-2-3 is no straight",
        "b.db exists and stays as it is: move it away",
        "the disk is full: see to it",
        "the table is damaged: see queenhigh verify",
        "cannot be used as a store: name another file",
        "this command was followed before: make a new id",
        "clause CA-1 stands twice",
        "the room closes for a moment: come back soon",
        "It closes by itself after half an hour.",
    ],
)
def test_dialect_is_found(text: str) -> None:
    assert banned_in(text)
    assert list(texts(f"raise ValueError({text!r})")) == [text]


@pytest.mark.parametrize(
    "text",
    [
        "permission denied: room.db; run this as the user who runs the server",
        "Players who leave get their bets back.",
        "there is no rulebook 'x': use a built-in one",
        "What is a proof? Who can check it?",
        "the session is no longer valid: log in again",
    ],
)
def test_plain_texts_pass(text: str) -> None:
    assert banned_in(text) == []


def test_texts_of_code_are_what_users_see() -> None:
    code = '''
"""A module: whoever reads it."""
def plain():
    """Return what is told."""
    raise ValueError(f"{name} is told: wait")
@click.command("x")
def shown():
    """Begin anew."""
'''
    assert sorted(texts(code)) == ["Begin anew.", "x", "… is told: wait"]


def test_long_lines_of_prose_are_found() -> None:
    long = "word " * 21
    assert long_lines(f"short\n{long}\n") == [f"line 2: {long[:60]}"]
    assert long_lines(f"| {long} |\n```\n{long}\n```\n") == []
