"""The rules, for people and for programs, made from the rulebook alone."""

from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from pydantic import BaseModel
from pydantic_core import PydanticUndefined

from queenhigh.errors import Problem
from queenhigh.rulebook.book import Assumption, Rulebook
from queenhigh.rulebook.schema_paths import field_at, readings, table_of
from queenhigh.sheets.format import clause_suffix, value_text
from queenhigh.sheets.games import game_sheet
from queenhigh.sheets.tables import Block, Line, heading, line, plain_table, sheet, table

__all__ = [
    "as_json",
    "as_text",
    "in_a_line",
    "list_as_text",
    "name_as_json",
    "name_line",
    "problem_as_json",
]


def name_line(book: Rulebook) -> str:
    """Return the name and the version of a rulebook, and whether it is a custom one."""
    custom = ", custom" if book.is_custom else ""
    return f"Rulebook {book.name}, version {book.version}{custom}"


def in_a_line(book: Rulebook) -> str:
    """Return the rules in a line, for players who look for a table."""
    return game_sheet(book).in_a_line(book)


# For programs


def name_as_json(book: Rulebook) -> dict[str, str]:
    """Return what a rulebook is called."""
    names = ("name", "title", "version", "digest", "rules_digest")
    return {**{name: getattr(book, name) for name in names}, "game": book.document["game"]}


def as_json(book: Rulebook) -> dict[str, Any]:
    """Return a rulebook, what it assumes and what could be chosen; of a wheel also its bets."""
    return {
        **name_as_json(book),
        "changes": dict(book.changes),
        "clauses": [asdict(item) for item in book.clauses],
        "assumptions": [asdict(item) for item in book.assumptions],
        "line": in_a_line(book),
        "choices": _choices(book),
        "defaults": _defaults(book),
        "betting": book.betting.as_json(),
        **game_sheet(book).as_json(book),
        "document": dict(book.document),
    }


def _choices(book: Rulebook) -> dict[str, tuple[object, ...]]:
    """Return the keys that take one of a few values, each with all of them."""
    choices = {}
    model = game_sheet(book).document
    for path in (*_paths(book.document), *_absent(book.document, model)):
        _, info = field_at(model, path)
        values = readings(info.annotation) if info else ()
        if len(values) > 1:
            choices[".".join(path)] = values
    return choices


def _defaults(book: Rulebook) -> dict[str, object]:
    """Return the keys that a document leaves out at their default, each with it."""
    model = game_sheet(book).document
    fields = {path: field_at(model, path)[1] for path in _absent(book.document, model)}
    return {
        ".".join(path): info.default
        for path, info in fields.items()
        if info is not None and readings(info.annotation)
    }


def _paths(table: Mapping[str, Any], prefix: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key in a table and in the tables within."""
    for name, value in table.items():
        if isinstance(value, Mapping):
            yield from _paths(value, (*prefix, name))
        else:
            yield (*prefix, name)


def _absent(
    table: Mapping[str, Any], model: type[BaseModel], prefix: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    """Yield the path of every key that has a default and is left out."""
    for name, info in model.model_fields.items():
        inner = table_of(info.annotation)
        given = table.get(name, {} if isinstance(info.default, BaseModel) else None)
        if isinstance(given, Mapping) and inner is not None:
            yield from _absent(given, inner, (*prefix, name))
        elif name not in table and info.default not in (None, PydanticUndefined):
            yield (*prefix, name)


def problem_as_json(problem: Problem) -> dict[str, Any]:
    """Return a problem of a rulebook file."""
    fields = asdict(problem)
    return {"file": fields.pop("file"), "line_number": fields.pop("line"), **fields}


# For people


def as_text(book: Rulebook) -> Block:
    """Return the whole rule sheet, ready to print."""
    parts: list[Block] = [
        line(book.title, style="bold"),
        line(f"{book.source}. Play money only."),
        line(name_line(book), style="dim"),
        line(f"Rules {book.rules_digest}", style="dim"),
        line(f"Document {book.digest}", style="dim"),
    ]
    if book.changes:
        parts += _changes(book)
    parts += [*game_sheet(book).sections(book), *_clauses(book), *_assumptions(book)]
    return sheet(*parts)


def list_as_text(books: list[Rulebook]) -> Block:
    """Return a table of rulebooks, a line each."""
    rows = [(book.name, book.version, book.title) for book in books]
    return table(("Rulebook", "Version", "Title"), rows)


def _changes(book: Rulebook) -> Iterator[Block]:
    yield heading("Changed for this table")
    rows = [
        (f"{key} = {value_text(value)}", clause_suffix(book, key).strip())
        for key, value in book.changes.items()
    ]
    yield plain_table(rows)


def _clauses(book: Rulebook) -> Iterator[Block]:
    yield heading("The rules, clause by clause")
    yield plain_table((clause.id, clause.text) for clause in book.clauses)


def _assumptions(book: Rulebook) -> Iterator[Block]:
    yield heading("Assumptions, where the document is silent")
    yield plain_table((item.clause, _assumption(item)) for item in book.assumptions)


def _assumption(item: Assumption) -> Line:
    """Return what was left open, and how it is read; the reading follows the key."""
    if not item.key or isinstance(item.value, dict | list):
        return line(item.says)
    value = f"\n{item.key} = {value_text(item.value)}"
    others = f"; alternatives: {', '.join(map(value_text, item.others))}" if item.others else ""
    return Line(((item.says, ""), (value, "italic"), (others, "italic")))
