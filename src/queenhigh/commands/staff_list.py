"""``staff list``: who is on the staff of a room."""

from typing import TYPE_CHECKING

import click

from queenhigh.commands.location import LOCATION
from queenhigh.commands.options import json_option
from queenhigh.commands.output import print_json

if TYPE_CHECKING:
    from queenhigh.store.location import Location

__all__ = ["list"]


@click.command()
@click.option("--db", "room", type=LOCATION, default="room.db", show_default=True, metavar="DB",
              help="Room: a SQLite file, or postgresql://…")  # fmt: skip
@json_option
def list(room: "Location", as_json: bool) -> None:  # noqa: A001 (its name on the command line)
    """List the staff of a room, and the tokens of programs.

    The room may be open meanwhile.
    """
    from queenhigh.server.staff_recovery import read_staff
    from queenhigh.sheets import staff_sheet

    listed = read_staff(room)
    if as_json:
        print_json(staff_sheet.as_json(room, listed))
    else:
        click.echo(staff_sheet.as_text(room, listed))
