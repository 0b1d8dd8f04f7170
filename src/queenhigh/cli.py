"""The command line: thin commands over the packages, which are imported when they are needed."""

import os
import sys
from io import TextIOWrapper
from typing import TYPE_CHECKING, NoReturn

import click

from queenhigh import __version__
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.rulebook.book import Rulebook

__all__ = ["cli", "main"]

_set_option = click.option(
    "--set",
    "changes",
    metavar="KEY=VALUE",
    multiple=True,
    help="Give a key of the rulebook another value; may be repeated.",
)
_json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")


class Refusal(click.ClickException):
    """One sentence, or one for each problem, on standard error; exit status 2."""


def main() -> None:
    """Run the command line: whatever goes wrong is told in a sentence, never as a traceback."""
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if sys.stdout is None:
        _end("standard output is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        status = cli(prog_name="queenhigh", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "queenhigh"
        _end(f"{error.format_message()} See {where} --help")
    except click.ClickException as error:
        _end(error.format_message())
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        status = 1
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        _end(f"standard output: {error.strerror}")
    except (click.Abort, KeyboardInterrupt):
        status = 130
    sys.exit(status)


def _end(message: str) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(2)


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="queenhigh")
def cli() -> None:
    """Play, bank, price and prove Three Card Poker and roulette. Play money only.

    RULEBOOK is the name of a shipped rulebook or the path of a file of your own.
    """


@cli.command()
@click.argument("rulebook", required=False)
@click.option("--check", is_flag=True, help="Say OK, or list every problem and exit with 2.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a rulebook file.")
@_set_option
@_json_option
def rules(
    rulebook: str | None, check: bool, schema: bool, changes: tuple[str, ...], as_json: bool
) -> None:
    """List the rulebooks, or print the rule sheet of one."""
    from queenhigh.commands import rules as run  # noqa: PLC0415

    if schema:
        run.print_schema()
    elif rulebook is None:
        if check or changes:
            raise Refusal("Name a rulebook: its shipped name or the path of a file.")
        run.print_list(as_json=as_json)
    elif check:
        run.print_check(rulebook, _changes(changes), as_json=as_json)
    else:
        run.print_sheet(_load(rulebook, changes), as_json=as_json)


@cli.command()
@click.argument("rulebook")
@click.argument("file", default="-", metavar="[FILE|-]")
@_set_option
@_json_option
def settle(rulebook: str, file: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Settle finished rounds, one JSON object a line, from FILE or standard input.

    A line that cannot be settled is reported on standard error as "line N: reason", the rest is
    settled all the same, and the exit status is 1.
    """
    from queenhigh.commands import settle as run  # noqa: PLC0415

    book = _load(rulebook, changes)
    try:
        bad = run.settle_file(book, file, as_json=as_json)
    except QueenhighError as error:
        raise Refusal(str(error)) from None
    sys.exit(1 if bad else 0)


def _load(rulebook: str, changes: tuple[str, ...]) -> "Rulebook":
    from queenhigh.rulebook.load import load  # noqa: PLC0415

    try:
        return load(rulebook, _changes(changes))
    except QueenhighError as error:
        raise Refusal(str(error)) from None


def _changes(pairs: tuple[str, ...]) -> dict[str, object]:
    """Read KEY=VALUE: the value as TOML would have it, or else as plain text."""
    changes: dict[str, object] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            raise Refusal(f"--set {pair}: write KEY=VALUE, for example --set coverage=net")
        changes[key.strip()] = _value(text.strip())
    return changes


def _value(text: str) -> object:
    import tomllib  # noqa: PLC0415

    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return read["value"] if len(read) == 1 else text
