"""Imports point inward only. A module may import from its own ring and from rings within."""

import ast
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import queenhigh

SOURCE = Path(queenhigh.__file__).parent

RINGS = {
    0: ["errors", "money"],
    1: ["cards", "wheel", "rulebook"],
    2: ["games"],
    3: ["price", "sampling", "table"],
    4: [
        "settle_format",
        "simulation",
        "server",
        "store",
        "room",
        "sheets",
        "commands",
        "cli",
        "__main__",
        "__init__",
    ],
}
RING_OF = {name: ring for ring, names in RINGS.items() for name in names}

#: The core is pure: none of its rings may reach for these.
IMPURE = {
    "asyncio", "datetime", "os", "random", "secrets", "socket", "subprocess", "sys", "threading",
    "time", "uuid",
}  # fmt: skip


@cache
def parsed(file: Path) -> ast.Module:
    return ast.parse(file.read_text())


@cache
def imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found


def room(file: Path) -> str:
    return file.relative_to(SOURCE).parts[0].removesuffix(".py")


def outward(file: Path, imported: set[str]) -> set[str]:
    """Return the imports of our own that point outward."""
    ring = RING_OF[room(file)]
    names = {name.split(".")[1] for name in imported if name.startswith("queenhigh.")}
    return {name for name in names & set(RING_OF) if RING_OF[name] > ring}


def impure(file: Path, imported: set[str]) -> set[str]:
    """Return the imports that a pure module may not have."""
    return imported & IMPURE if RING_OF[room(file)] < 4 else set()


def sideways(file: Path, imported: set[str]) -> set[str]:
    """Return the imports of siblings: exact and sampled answers must not share their work."""
    if room(file) not in RINGS[3]:
        return set()
    others = {f"queenhigh.{name}" for name in RINGS[3] if name != room(file)}
    return {".".join(name.split(".")[:2]) for name in imported} & others


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("rule", [outward, impure, sideways])
def test_imports_keep_the_rule(rule: Callable[[Path, set[str]], set[str]]) -> None:
    wrong = {str(file.relative_to(SOURCE)): rule(file, imports(file)) for file in FILES}
    assert {file: names for file, names in wrong.items() if names} == {}


def test_every_module_has_a_ring() -> None:
    assert {room(file) for file in FILES} == set(RING_OF)


def test_each_rule_catches_a_wrong_import() -> None:
    assert outward(SOURCE / "games" / "game.py", {"queenhigh.sheets.trace"}) == {"sheets"}
    assert outward(SOURCE / "cards.py", {"queenhigh.games.roulette"}) == {"games"}
    assert impure(SOURCE / "cards.py", {"random", "itertools"}) == {"random"}
    assert sideways(SOURCE / "price" / "odds.py", {"queenhigh.sampling.plan"}) == {
        "queenhigh.sampling"
    }


def test_modules_and_functions_stay_short() -> None:
    long = []
    for file in FILES:
        text = file.read_text()
        long += [file.name] * (text.count("\n") > 400)
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno > 50:
                long.append(f"{file.name}: {node.name}")
    assert long == []
