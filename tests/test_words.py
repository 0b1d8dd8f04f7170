"""Names, docstrings and comments are in plain English: words that only insiders understand go.

Texts that users see are not looked at here.
"""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted([*(ROOT / "src").rglob("*.py"), *(ROOT / "bench").glob("*.py")])

#: In names: part of one, between underscores.
BANNED_IN_NAMES = {"told", "whoever", "anew", "upon", "premises", "desk", "leash", "whence"}
#: In docstrings and comments.
BANNED_IN_PROSE = {"whoever", "anew", "thereof", "whence", "upon", "thee"}
#: A docstring says what happens.
BANNED_BEGINNINGS = ("Let ", "Say ")


def names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name


def docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text = ast.get_docstring(node)
            if text and not is_shown(node):
                yield text


def is_shown(node: ast.AST) -> bool:
    """Tell whether users see a docstring: of an HTTP route, a command, a table of a rulebook."""
    if any(ast.unparse(base) == "_Table" for base in getattr(node, "bases", [])):
        return True
    decorators = [ast.unparse(decorator) for decorator in getattr(node, "decorator_list", [])]
    return any(re.match(r"\w+\.(get|post|put|delete|command)\(", text) for text in decorators)


def comments(text: str) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.string


def wrong_words(text: str) -> list[str]:
    tree = ast.parse(text)
    parts = {part for name in names(tree) for part in name.lower().split("_")}
    wrong = [f"the name {part}" for part in sorted(parts & BANNED_IN_NAMES)]
    for prose in (*docstrings(tree), *comments(text)):
        words = set(re.findall(r"[a-z]+", prose.lower()))
        wrong += [f"{word}: {prose[:60]}" for word in sorted(words & BANNED_IN_PROSE)]
    wrong += [line[:60] for line in docstrings(tree) if line.startswith(BANNED_BEGINNINGS)]
    return wrong


@pytest.mark.parametrize("package", sorted({file.parent for file in FILES}), ids=lambda f: f.name)
def test_words_are_plain(package: Path) -> None:
    found = {
        file.name: wrong
        for file in package.glob("*.py")
        if (wrong := wrong_words(file.read_text("utf-8")))
    }
    assert found == {}


def test_wrong_words_are_found() -> None:
    assert wrong_words("told = 1") == ["the name told"]
    assert wrong_words("def f(was_told): ...") == ["the name told"]
    assert wrong_words('"""Whoever comes."""') == ["whoever: Whoever comes."]
    assert wrong_words("x = 1  # begin anew") == ["anew: # begin anew"]
    assert wrong_words('def f():\n    """Let a player go."""') == ["Let a player go."]
    assert wrong_words('told_you = "whoever"') == ["the name told"]
    assert wrong_words('sentence = "whoever is told"') == []
