"""Imports point inward only: a module may import from its own ring and from rings within."""

import ast
import re
from functools import cache
from pathlib import Path

import pytest

import queenhigh

SOURCE = Path(queenhigh.__file__).parent

#: From the inside out. A name may be a package within one.
RINGS = {
    "0": ["errors", "hashing", "money", "text"],
    "1": ["cards", "wheel", "game", "rulebook"],
    "2": ["games", "rulebook/load"],
    "3": ["price", "simulation/engines", "table"],
    "4a": ["settle_format", "desk", "store", "history", "verify"],
    "4b": ["room", "simulation", "sheets"],
    "4c": ["server", "commands", "cli", "__main__", "__init__"],
}
#: The ring of each package by its dotted name, the innermost is 0.
RING_OF = {
    name.replace("/", "."): place for place, names in enumerate(RINGS.values()) for name in names
}
#: From here outward a module may touch files, clocks, entropy and the terminal.
OUTER = list(RINGS).index("4a")

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
    imported = set()
    for node in ast.walk(parsed(file)):
        if isinstance(node, ast.Import):
            imported |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            imported |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return imported


def package(dotted: str) -> str | None:
    """Return the package with a ring that a module is in: the most specific one."""
    parts = dotted.split(".")
    for end in range(len(parts), 0, -1):
        if ".".join(parts[:end]) in RING_OF:
            return ".".join(parts[:end])
    return None


def package_of(file: Path) -> str:
    own = package(".".join(file.relative_to(SOURCE).with_suffix("").parts))
    assert own is not None, file
    return own


def ours(imported: set[str]) -> set[str]:
    """Return the packages of our own among imports."""
    names = {
        package(name.removeprefix("queenhigh."))
        for name in imported
        if name.startswith("queenhigh.")
    }
    return {name for name in names if name is not None}


def outward(file: Path, imported: set[str]) -> set[str]:
    """Return the imports of our own that point outward."""
    ring = RING_OF[package_of(file)]
    return {name for name in ours(imported) if RING_OF[name] > ring}


def impure(file: Path, imported: set[str]) -> set[str]:
    """Return the imports that a pure module may not have."""
    return imported & IMPURE if RING_OF[package_of(file)] < OUTER else set()


def sideways(file: Path, imported: set[str]) -> set[str]:
    """Return the imports of siblings that must not share their work."""
    own = package_of(file)
    others = {name.replace("/", ".") for name in RINGS["3"]} - {own}
    return ours(imported) & others if own.replace(".", "/") in RINGS["3"] else set()


def known_by_store(file: Path, imported: set[str]) -> set[str]:
    """Return what a store imports though it knows only bytes and versions."""
    if package_of(file) != "store":
        return set()
    return ours(imported) - {"store", *RINGS["0"]}


#: What modules may do to the table of events in SQL. Only the reader selects from it.
EVENT_SQL = {
    "store/reader.py": {"from", "join"},
    "store/commit_writer.py": {"into"},
    "store/emptying.py": {"update"},
    "store/migrations.py": {"table"},
    "store/postgres/reader.py": {"from", "join"},
    "store/postgres/writer.py": {"into"},
    "store/postgres/copying.py": {"copy"},
    "store/postgres/schema.py": {"table"},
}
_EVENT_SQL = re.compile(r"\b(from|join|into|update|table|copy)\s+[\"\[`]?event\b", re.IGNORECASE)


def event_sql(tree: ast.Module) -> set[str]:
    """Return the words before the table of events in the strings of a module."""
    texts = [
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    ]
    return {word.lower() for text in texts for word in _EVENT_SQL.findall(text)}


FILES = sorted(SOURCE.rglob("*.py"))


def test_imports_keep_the_rules() -> None:
    """All rules in one test: reading every module takes longer than all of them."""
    wrong = [
        (rule.__name__, str(file.relative_to(SOURCE)), names)
        for rule in (outward, impure, sideways, known_by_store)
        for file in FILES
        if (names := rule(file, imports(file)))
    ]
    assert wrong == []


def test_every_module_has_a_ring() -> None:
    assert {package_of(file) for file in FILES} == set(RING_OF)


def test_each_rule_catches_a_wrong_import() -> None:
    assert outward(SOURCE / "games" / "moves.py", {"queenhigh.sheets.trace"}) == {"sheets"}
    assert outward(SOURCE / "cards.py", {"queenhigh.games.roulette"}) == {"games"}
    assert impure(SOURCE / "cards.py", {"random", "itertools"}) == {"random"}
    assert sideways(SOURCE / "price" / "odds.py", {"queenhigh.simulation.engines.plan"}) == {
        "simulation.engines"
    }
    assert outward(SOURCE / "verify" / "replay.py", {"queenhigh.room.wallets"}) == {"room"}
    assert known_by_store(SOURCE / "store" / "streams.py", {"queenhigh.table.events"}) == {"table"}


def test_only_the_reader_selects_events() -> None:
    used = {file.relative_to(SOURCE).as_posix(): event_sql(parsed(file)) for file in FILES}
    assert {file: words for file, words in used.items() if words} == EVENT_SQL


@pytest.mark.parametrize(
    "source",
    [
        'db.execute("select hash from event where id = ?")',
        'QUERY = ("select name from stream" " join event on event.stream = stream.id")',
        'f"""select max(version)\nFROM\n  "event" where stream = {id}"""',
        'db.execute("delete from event")',
        "db.execute(\"update event set event = x''\")",
        'cursor.copy("copy event (id) from stdin")',
    ],
)
def test_sql_on_events_is_noticed(source: str) -> None:
    assert event_sql(ast.parse(source))


def test_sql_on_other_tables_is_not_noticed() -> None:
    assert event_sql(ast.parse('"""The event."""\nq = "select event from events"')) == set()


def calls(tree: ast.Module, name: str) -> bool:
    """Tell whether a module calls a function by its name, alone or of a module."""
    functions = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return any(name == getattr(each, "id", getattr(each, "attr", None)) for each in functions)


def test_stored_events_are_folded_in_one_module() -> None:
    """Within table/ the state goes on with events as they are decided."""
    folding = {
        file.relative_to(SOURCE).as_posix()
        for file in FILES
        if package_of(file) != "table" and calls(parsed(file), "evolve")
    }
    assert folding == {"verify/fold.py"}
    assert calls(ast.parse("for event in events:\n    state = evolve(state, event)"), "evolve")
    assert calls(ast.parse("state = table.evolve.evolve(state, event)"), "evolve")


#: Modules in which an assertion still tells the games apart.
ASSERTING = {"history/records.py", "history/reports.py", "room/bots.py"}


def test_data_is_not_guarded_by_assertions() -> None:
    """They are gone under ``python -O``, and then damaged data would be believed."""
    asserting = {
        file.relative_to(SOURCE).as_posix()
        for file in FILES
        if package_of(file) in ("store", "history", "verify", "room")
        and any(isinstance(node, ast.Assert) for node in ast.walk(parsed(file)))
    }
    assert asserting <= ASSERTING


def test_modules_and_functions_stay_short() -> None:
    long = []
    for file in FILES:
        text = file.read_text()
        long += [file.name] * (text.count("\n") > 400)
        for node in ast.walk(parsed(file)):
            if isinstance(node, ast.FunctionDef) and (node.end_lineno or 0) - node.lineno > 50:
                long.append(f"{file.name}: {node.name}")
    assert long == []


#: Where the kind of a rulebook or of a plan may be asked for: everyone else asks the game.
KINDS_ASKED = {
    "price/games.py",
    "room/bots.py",
    "sheets/simulation_sheet.py",
    "simulation/engines/compiled.py",
    "simulation/engines/cuda.py",
    "simulation/terms.py",
}
KINDS = {"PokerRulebook", "RouletteRulebook", "PokerPlan", "RoulettePlan", "PokerDocument"}


def asks_for_a_kind(tree: ast.Module) -> bool:
    """Tell whether a module looks which game a rulebook or a plan is of."""
    return any(
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id == "isinstance"
        and KINDS & {name.id for name in ast.walk(node) if isinstance(name, ast.Name)}
        for node in ast.walk(tree)
    )


def test_the_game_is_the_seam() -> None:
    asking = {
        file.relative_to(SOURCE).as_posix() for file in FILES if asks_for_a_kind(parsed(file))
    }
    assert asking <= KINDS_ASKED
    assert asks_for_a_kind(ast.parse("isinstance(book, PokerRulebook)"))
    assert not asks_for_a_kind(ast.parse("isinstance(book, Rulebook)"))
