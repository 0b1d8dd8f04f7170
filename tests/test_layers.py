"""Imports point inward only. A module may import from its own ring and from rings within."""

import ast
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


def imports(file: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(file.read_text())):
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


FILES = sorted(SOURCE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_no_import_points_outward(file: Path) -> None:
    assert outward(file, imports(file)) == set()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_the_core_is_pure(file: Path) -> None:
    if RING_OF[room(file)] < 4:
        assert imports(file) & IMPURE == set()


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(SOURCE)))
def test_siblings_do_not_know_each_other(file: Path) -> None:
    """Exact and sampled answers must not share what they answer with."""
    if room(file) in RINGS[3]:
        others = {f"queenhigh.{name}" for name in RINGS[3] if name != room(file)}
        found = {".".join(name.split(".")[:2]) for name in imports(file)}
        assert found & others == set()


def test_every_module_has_a_ring() -> None:
    assert {room(file) for file in FILES} == set(RING_OF)


def test_an_outward_import_is_caught() -> None:
    assert outward(SOURCE / "games" / "game.py", {"queenhigh.sheets.trace"}) == {"sheets"}
    assert outward(SOURCE / "cards.py", {"queenhigh.games.roulette"}) == {"games"}


def test_modules_and_functions_stay_short() -> None:
    for file in FILES:
        text = file.read_text()
        assert text.count("\n") <= 400, file
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.FunctionDef):
                assert (node.end_lineno or 0) - node.lineno <= 50, f"{file}: {node.name}"
