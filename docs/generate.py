"""Write the generated parts of the documentation; with --check only report stale ones."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path
from textwrap import fill
from types import UnionType
from typing import Annotated, Literal, Union, get_args, get_origin

import click
from pydantic import BaseModel
from pydantic.fields import FieldInfo

import queenhigh as qh
from queenhigh.cli import cli
from queenhigh.money import Pays
from queenhigh.rulebook.roulette_schema import Pocket, RouletteDocument
from queenhigh.rulebook.schema import PokerDocument
from queenhigh.rulebook.schema_paths import readings, table_of
from queenhigh.sheets.format import value_text

DOCS = Path(__file__).parent


def commands() -> str:
    """Return the help of every command."""
    parts = [
        "# Commands\n",
        "The help of every command, as `queenhigh COMMAND --help` prints it.\n",
    ]
    parts.append(_help(cli, "queenhigh"))
    parts += _each(cli, "queenhigh", "##")
    return "\n".join(parts)


def _each(group: click.Group, path: str, mark: str) -> Iterator[str]:
    for name, command in group.commands.items():
        yield f"{mark} {path} {name}\n"
        yield _help(command, f"{path} {name}")
        if isinstance(command, click.Group):
            yield from _each(command, f"{path} {name}", mark + "#")


def _help(command: click.Command, name: str) -> str:
    context = click.Context(
        command,
        info_name=name,
        help_option_names=["-h", "--help"],
        max_content_width=100,
        terminal_width=100,
    )
    return f"```text\n{command.get_help(context)}\n```\n"


def rules() -> str:
    """Return the clauses and assumptions of every shipped rulebook."""
    parts = [
        "# The rules, clause by clause\n",
        "Every built-in rulebook, clause by clause, with its assumptions. `queenhigh rules NAME`",
        "prints the same with wagers, pay tables and fees.\n",
    ]
    for name in qh.shipped():
        book = qh.load(name)
        parts += [f"## {book.title} (`{name}`)\n", f"Source: {book.source}.\n"]
        parts += [_item(f"**{clause.id}** {clause.text}") for clause in book.clauses]
        parts += ["\nAssumptions, where the source is silent:\n"]
        for item in book.assumptions:
            held = f" (`{item.key}`{_others(item)})" if item.key else ""
            parts.append(_item(f"**{item.clause}** {item.says}{held}"))
        parts.append("")
    return "\n".join(parts)


def _item(text: str) -> str:
    """Return an item of a list in lines of at most 100 characters."""
    return fill(
        text,
        100,
        initial_indent="- ",
        subsequent_indent="  ",
        break_long_words=False,
        break_on_hyphens=False,
    )


def _others(item: object) -> str:
    others = getattr(item, "others", ())
    if not others:
        return ""
    listed = ", ".join(f"`{value_text(other)}`" for other in others)
    return f" = `{value_text(getattr(item, 'value', None))}`; also {listed}"


def keys() -> str:
    """Return a table of every key of every table of a rulebook file."""
    parts: list[str] = []
    for title, model in (("Three Card Poker", PokerDocument), ("Roulette", RouletteDocument)):
        parts += [f"## Keys of {title}\n"]
        for name, table in _tables(model):
            parts += [
                f"### {name}\n" if name else "### Top level\n",
                f"{(table.__doc__ or '').strip()}\n",
            ]
            rows = [
                f"| `{key}` | {_kind(info)} | {info.description or ''} |"
                for key, info in table.model_fields.items()
                if table_of(info.annotation) is None or _is_list(info)
            ]
            parts += ["| key | value | meaning |", "|---|---|---|", *rows, ""] if rows else []
    return "\n".join(parts)


def _is_list(info: FieldInfo) -> bool:
    return get_origin(_bare(info.annotation)) is tuple


def _bare(annotation: object) -> object:
    """Return an annotation without what may be left out and what is said about it."""
    if get_origin(annotation) is Annotated:
        return _bare(get_args(annotation)[0])
    if get_origin(annotation) in (Union, UnionType):
        return _bare(next(part for part in get_args(annotation) if part is not type(None)))
    return annotation


def _tables(model: type[BaseModel], header: str = "") -> Iterator[tuple[str, type[BaseModel]]]:
    yield header, model
    for key, info in model.model_fields.items():
        if inner := table_of(info.annotation):
            path = f"{header.strip('[]')}.{key}".strip(".")
            yield from _tables(inner, f"[[{path}]]" if _is_list(info) else f"[{path}]")


def _kind(info: FieldInfo) -> str:
    if choices := readings(info.annotation):
        text = ", ".join(f"`{value_text(choice)}`" for choice in choices)
    else:
        text = _type(_bare(info.annotation))
    return text if info.is_required() else f"{text}; optional"


def _type(annotation: object) -> str:
    if get_origin(annotation) is tuple:
        return "a list" + _items(get_args(annotation)[0])
    if annotation is Pays:
        return "a pay such as `3 to 1`"
    return "a whole number" if annotation is int else "text"


def _items(annotation: object) -> str:
    """Return what a list holds, where that is worth saying."""
    if annotation is Pocket:
        return ' of pockets such as `17` and `"00"`'
    if get_origin(_bare(annotation)) is tuple:
        return " of lists" + _items(get_args(_bare(annotation))[0])
    if get_origin(annotation) is Literal:
        return " of " + ", ".join(f"`{choice}`" for choice in get_args(annotation))
    return " of tables" if table_of(annotation) else " of names"


def generated() -> dict[Path, str]:
    """Return what each file should hold."""
    page = DOCS / "rulebook.md"
    start, end = "<!-- generated by docs/generate.py: keys -->\n", "<!-- end -->"
    pattern = re.compile(re.escape(start) + ".*?" + re.escape(end), re.DOTALL)
    whole = pattern.sub(lambda _: f"{start}\n{keys()}\n{end}", page.read_text("utf-8"))
    return {DOCS / "commands.md": commands(), DOCS / "rules.md": rules(), page: whole}


def main() -> int:
    """Write the files, or report the stale ones."""
    stale = [
        file
        for file, text in generated().items()
        if not file.exists() or file.read_text("utf-8") != text
    ]
    for file in stale:
        if "--check" in sys.argv:
            print(f"{file} is stale: run make docs")
        else:
            file.write_text(generated()[file], "utf-8")
            print(f"wrote {file}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
