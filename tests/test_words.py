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
FOLDERS = ("src", "tests", "bench", "docs", "examples", "verifier", "web")
FILES = sorted(
    file
    for folder in FOLDERS
    for file in (ROOT / folder).rglob("*.py")
    if "node_modules" not in file.parts
)
PAGE = sorted(
    file
    for folder in ("src", "testing")
    for file in (ROOT / "web" / folder).rglob("*")
    if file.suffix in (".ts", ".svelte") and "generated" not in file.parts
)

#: In names: part of one, between underscores.
BANNED_IN_NAMES = {"told", "whoever", "anew", "upon", "premises", "leash", "whence"}
#: Names that say nothing of what they hold.
BANNED_NAMES = {"found", "meddle", "reckon"}
#: Names that say nothing in a loop: the noun goes there, or ``index``. One and other is a pair.
BANNED_IN_LOOPS = {"one", "at", "who"}
PAIRED = {"other", "two"}
#: In docstrings and comments.
BANNED_IN_PROSE = {"whoever", "anew", "thereof", "whence", "upon", "thee"}
#: "Who" without a noun: write "players who leave".
NOUNLESS = re.compile(r"\b(?:to|for|from|tells?|treats?) who\b", re.IGNORECASE)
#: A docstring says what happens.
BANNED_BEGINNINGS = ("Let ", "Say ")
#: The longest name of a test.
LONGEST = 60
#: The same in the page's TypeScript, line by line.
BANNED_IN_PAGE = re.compile(
    r"\b(?:const|let|function) (?:told|found|one)\b|\((?:told|found|one)\) =>|/\*\* (?:Let|Say) "
)


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


def vague_names(tree: ast.Module) -> Iterator[str]:
    """Yield what is bound to a name that says nothing of it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield from {node.id} & BANNED_NAMES
        elif isinstance(node, ast.arg):
            yield from {node.arg} & BANNED_NAMES
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from {node.name} & BANNED_NAMES
        elif isinstance(node, ast.comprehension | ast.For | ast.AsyncFor):
            bound = {each.id for each in ast.walk(node.target) if isinstance(each, ast.Name)}
            yield from set() if bound & PAIRED else bound & BANNED_IN_LOOPS
        elif isinstance(node, ast.Lambda):
            bound = {each.arg for each in node.args.args}
            yield from set() if bound & PAIRED else bound & BANNED_IN_LOOPS


def long_tests(tree: ast.Module) -> list[str]:
    functions = (ast.FunctionDef, ast.AsyncFunctionDef)
    tests = [node.name for node in ast.walk(tree) if isinstance(node, functions)]
    return [name for name in tests if name.startswith("test_") and len(name) > LONGEST]


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
    wrong += [f"the name {name}" for name in sorted(set(vague_names(tree)))]
    wrong += [f"more than {LONGEST} characters: {name}" for name in long_tests(tree)]
    for prose in (*docstrings(tree), *comments(text)):
        words = set(re.findall(r"[a-z]+", prose.lower()))
        wrong += [f"{word}: {prose[:60]}" for word in sorted(words & BANNED_IN_PROSE)]
        wrong += [f"who without a noun: {prose[:60]}" for _ in NOUNLESS.findall(prose)]
    wrong += [line[:60] for line in docstrings(tree) if line.startswith(BANNED_BEGINNINGS)]
    return wrong


@pytest.mark.parametrize(
    "package",
    sorted({file.parent for file in FILES}),
    ids=lambda folder: folder.relative_to(ROOT).as_posix(),
)
def test_words_are_plain(package: Path) -> None:
    wrong_by_file = {
        file.name: wrong
        for file in package.glob("*.py")
        if (wrong := wrong_words(file.read_text("utf-8")))
    }
    assert wrong_by_file == {}


def test_words_of_the_page_are_plain() -> None:
    assert len(PAGE) > 100
    assert [
        f"{file.name}:{number}: {line.strip()}"
        for file in PAGE
        for number, line in enumerate(file.read_text("utf-8").splitlines(), 1)
        if BANNED_IN_PAGE.search(line)
    ] == []


def test_wrong_words_are_found() -> None:
    assert wrong_words("told = 1") == ["the name told"]
    assert wrong_words("def f(was_told): ...") == ["the name told"]
    assert wrong_words('"""Whoever comes."""') == ["whoever: Whoever comes."]
    assert wrong_words("x = 1  # begin anew") == ["anew: # begin anew"]
    assert wrong_words('def f():\n    """Let a player go."""') == ["Let a player go."]
    assert wrong_words('told_you = "whoever"') == ["the name told"]
    assert wrong_words('sentence = "whoever is told"') == []
    assert wrong_words("for one in people: ...") == ["the name one"]
    assert wrong_words("[at for at, line in enumerate(lines)]") == ["the name at"]
    assert wrong_words("for one, other in pairs: ...") == []
    assert wrong_words("def forge(at: int): ...") == []
    assert wrong_words("found = 1") == ["the name found"]
    assert wrong_words("max(people, key=lambda one: one.age)") == ["the name one"]
    assert wrong_words("x = 1  # for who leaves") == ["who without a noun: # for who leaves"]
    assert wrong_words("x = 1  # for players who leave") == []
    long = f"test_{'x' * 60}"
    assert wrong_words(f"def {long}(): ...") == [f"more than 60 characters: {long}"]


def test_wrong_words_of_the_page_are_found() -> None:
    for line in ("const told = 1;", "all.map((one) => one.n)", "/** Let a player go. */"):
        assert BANNED_IN_PAGE.search(line), line
    for line in ("(one, other) => one - other", 'const text = "one is told";', "/** Return it. */"):
        assert not BANNED_IN_PAGE.search(line), line
