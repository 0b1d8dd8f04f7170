"""How commands write: JSON for programs, sheets for people."""

import json
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["dump", "show", "tell"]


def tell(text: str) -> None:
    """Say something beside the results; if nobody can be told, go on."""
    with suppress(OSError):
        click.echo(text, err=True)


def dump(value: object, *, indent: int | None = 2) -> None:
    """Write JSON."""
    click.echo(json.dumps(value, indent=indent, ensure_ascii=False))


def show(sheet: "RenderableType") -> None:
    """Print for people; into a file or a pipe without the blanks that fill up lines."""
    from rich.console import Console  # noqa: PLC0415 (JSON does without)

    console = Console(highlight=False)
    if sys.stdout.isatty():
        console.print(sheet)
        return
    with console.capture() as captured:
        console.print(sheet)
    lines = captured.get().splitlines()
    click.echo("\n".join(line.rstrip() for line in lines))
