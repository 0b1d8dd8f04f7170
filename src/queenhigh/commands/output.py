"""How commands write: JSON for programs, sheets for people."""

import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["COMPILING", "SLOW_ENGINE", "notice", "print_json", "print_text"]

#: Notices of every command that simulates.
COMPILING = "Compiling the engine (first run only) …"
SLOW_ENGINE = "Using the slow pure-Python engine. For the fast one: pip install 'queenhigh[sim]'"


def notice(text: str) -> None:
    """Print a notice to standard error; go on if that is not possible."""
    with suppress(OSError):
        click.echo(text, err=True)


def print_json(value: object, *, indent: int | None = 2) -> None:
    """Print JSON."""
    import json

    click.echo(json.dumps(value, indent=indent, ensure_ascii=False))


def print_text(sheet: "RenderableType") -> None:
    """Print a sheet; into a file or a pipe without the blanks that fill up lines."""
    from rich.console import Console

    console = Console(highlight=False)
    if sys.stdout.isatty():
        console.print(sheet)
        return
    with console.capture() as captured:
        console.print(sheet)
    lines = captured.get().splitlines()
    click.echo("\n".join(line.rstrip() for line in lines))
