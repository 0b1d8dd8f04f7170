"""The recorder's commands; see the package."""

import sys
import tempfile
from pathlib import Path

import click

from tests.recorder.commands import record_commands
from tests.recorder.programs import Program
from tests.recorder.recording import Recording, differences
from tests.recorder.room import record_room

_ROOT = Path(__file__).parents[2]


@click.group()
def recorder() -> None:
    """Record what the program shows, and compare two recordings."""


@recorder.command()
@click.argument("out", type=click.Path(path_type=Path))
@click.option(
    "--tree", type=click.Path(path_type=Path), default=_ROOT, help="The checkout to record."
)
def record(out: Path, tree: Path) -> None:
    """Record every command, route and message of a checkout in the new folder OUT."""
    program, recording = Program(tree.resolve()), Recording(out)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary) / "room"
        folder.mkdir()
        missing = record_room(program, recording, folder)
        missing += record_commands(program, recording, folder)
    for line in missing:
        click.echo(line, err=True)
    sys.exit(1 if missing else 0)


@recorder.command()
@click.argument("before", type=click.Path(exists=True, path_type=Path))
@click.argument("after", type=click.Path(exists=True, path_type=Path))
def compare(before: Path, after: Path) -> None:
    """Print what differs between two recordings; exit with 1 if anything does."""
    lines = differences(before, after)
    click.echo("\n".join(lines or ["no differences"]))
    sys.exit(1 if lines else 0)


if __name__ == "__main__":
    recorder()
