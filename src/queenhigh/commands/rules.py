"""``queenhigh rules``: the list, the sheet, the check and the schema."""

import sys
from collections.abc import Mapping
from dataclasses import asdict

import click

from queenhigh.commands.output import dump, show
from queenhigh.errors import InvalidRulebook, Problem
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.load import load, shipped
from queenhigh.sheets.data import rules_data, rules_summary
from queenhigh.sheets.rule_sheet import rule_list, rule_sheet

__all__ = ["print_check", "print_list", "print_schema", "print_sheet"]


def print_list(*, as_json: bool) -> None:
    """List the shipped rulebooks."""
    books = [load(name) for name in shipped()]
    if as_json:
        dump([rules_summary(book) for book in books])
    else:
        show(rule_list(books))


def print_sheet(book: Rulebook, *, as_json: bool) -> None:
    """Print a rulebook for a patron, or as data."""
    if as_json:
        dump(rules_data(book))
    else:
        show(rule_sheet(book))


def print_check(rulebook: str, changes: Mapping[str, object], *, as_json: bool) -> None:
    """Say OK, or list every problem and exit with 2."""
    try:
        book = load(rulebook, changes)
    except InvalidRulebook as error:
        if as_json:
            dump({"ok": False, "problems": list(map(_problem, error.problems))})
        else:
            click.echo(str(error), err=True)
            count = len(error.problems)
            click.echo(f"{count} problem{'s' if count > 1 else ''}", err=True)
        sys.exit(2)
    if as_json:
        dump({"ok": True, **rules_summary(book)})
    else:
        click.echo(f"{rulebook}: OK: {book.title}, version {book.version}, {book.digest}")


def _problem(problem: Problem) -> dict[str, object]:
    fields = asdict(problem)
    return {"file": fields.pop("file"), "line_number": fields.pop("line"), **fields}


def print_schema() -> None:
    """Print the JSON Schema of a rulebook file."""
    from pydantic import TypeAdapter  # noqa: PLC0415 (only here)

    from queenhigh.rulebook.schema import Document  # noqa: PLC0415

    schema = TypeAdapter[object](Document).json_schema()
    dump({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
