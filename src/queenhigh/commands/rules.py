"""``rules``: the list, the sheet, the check and the schema."""

import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING

import click

from queenhigh.commands.options import json_option, load_rulebook, read_changes, set_option
from queenhigh.commands.output import print_json, print_text

if TYPE_CHECKING:
    from queenhigh.rulebook.book import Rulebook

__all__ = ["rules"]


@click.command()
@click.argument("rulebook", required=False)
@click.option("--check", is_flag=True, help="Print OK, or every problem and exit with 2.")
@click.option("--copy", metavar="FILE", help="Copy the rulebook to a file you can edit.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a rulebook file.")
@set_option
@json_option
def rules(
    rulebook: str | None,
    check: bool,
    copy: str | None,
    schema: bool,
    changes: tuple[str, ...],
    as_json: bool,
) -> None:
    """List the rulebooks, or print the rule sheet of one."""
    if schema:
        _print_schema()
    elif rulebook is None:
        if check or changes or copy:
            raise click.ClickException("Give the name of a built-in rulebook or a file.")
        _print_list(as_json=as_json)
    elif copy:
        _write_copy(load_rulebook(rulebook, changes), copy, as_json=as_json)
    elif check:
        _print_check(rulebook, read_changes(changes), as_json=as_json)
    else:
        _print_sheet(load_rulebook(rulebook, changes), as_json=as_json)


def _print_list(*, as_json: bool) -> None:
    """Print a list of the shipped rulebooks."""
    from queenhigh.rulebook.load import load, shipped
    from queenhigh.sheets import rule_sheet

    books = [load(name) for name in shipped()]
    if as_json:
        print_json([rule_sheet.name_as_json(book) for book in books])
    else:
        print_text(rule_sheet.list_as_text(books))


def _print_sheet(book: "Rulebook", *, as_json: bool) -> None:
    """Print a rulebook, for people or for programs."""
    from queenhigh.sheets import rule_sheet

    if as_json:
        print_json(rule_sheet.as_json(book))
    else:
        print_text(rule_sheet.as_text(book))


def _write_copy(book: "Rulebook", file: str, *, as_json: bool) -> None:
    """Write a rulebook to a new file, named after it."""
    from pathlib import Path

    from queenhigh.errors import QueenhighError
    from queenhigh.sheets.rulebook_file import copy_name, own_copy

    path = Path(file)
    try:
        with path.open("x", encoding="utf-8") as opened:
            opened.write(own_copy(book, copy_name(path.stem)))
    except FileExistsError:
        sentence = f"{file} already exists: choose another file"
        raise QueenhighError("file.exists", sentence) from None
    except OSError as error:
        sentence = f"{file} cannot be written ({error.strerror}): choose another file"
        raise QueenhighError("file.unwritable", sentence) from None
    if as_json:
        print_json({"file": file, "name": copy_name(path.stem), "copy_of": book.name})
    else:
        click.echo(f"{file}: your own copy of {book.name}. Edit it, then: queenhigh rules {file}")


def _print_check(rulebook: str, changes: Mapping[str, object], *, as_json: bool) -> None:
    """Print OK, or every problem and exit with 2."""
    from queenhigh.errors import InvalidRulebook
    from queenhigh.rulebook.load import load
    from queenhigh.sheets import rule_sheet

    try:
        book = load(rulebook, changes)
    except InvalidRulebook as error:
        problems = [rule_sheet.problem_as_json(problem) for problem in error.problems]
        if as_json:
            print_json({"ok": False, "problems": problems})
        else:
            click.echo(str(error), err=True)
            count = len(problems)
            click.echo(f"{count} problem{'s' if count > 1 else ''}", err=True)
        sys.exit(2)
    if as_json:
        print_json({"ok": True, **rule_sheet.name_as_json(book)})
    else:
        click.echo(
            f"{rulebook}: OK: {book.title}, version {book.version}, rules {book.rules_digest}"
        )


def _print_schema() -> None:
    """Print the JSON Schema of a rulebook file."""
    from pydantic import TypeAdapter

    from queenhigh.rulebook.roulette_schema import Document

    schema = TypeAdapter[object](Document).json_schema()
    print_json({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema})
