"""``staff password``: another password for an owner."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from queenhigh.commands.location import LOCATION, keys_option
from queenhigh.commands.options import json_option
from queenhigh.commands.output import print_json

if TYPE_CHECKING:
    from queenhigh.store.location import Location

__all__ = ["password"]


@click.command()
@click.argument("name")
@click.option("--db", "room", type=LOCATION, default="room.db", show_default=True, metavar="DB",
              help="Room: a SQLite file, or postgresql://…")  # fmt: skip
@keys_option
@click.option("--codes-off", is_flag=True, help="Let them log in without a code, too.")
@json_option
def password(name: str, room: "Location", keys: Path, codes_off: bool, as_json: bool) -> None:
    """Set the password of an owner who cannot log in.

    NAME is the owner's name. The password is asked for, or read from standard input. The owner's
    sessions end, and the log has this as done by the floor. Stop the server first if the room is a
    file. Owners set the passwords of everyone else on the floor's page.
    """
    from queenhigh.server.staff_recovery import help_owner
    from queenhigh.sheets import staff_sheet

    helped = help_owner(room, keys, name, _read_password(), codes_off=codes_off)
    if as_json:
        print_json(staff_sheet.helped_as_json(room, helped))
    else:
        click.echo(staff_sheet.helped_as_text(helped))


def _read_password() -> str:
    """Return a password that is typed twice, or the first line of standard input."""
    if sys.stdin is None:
        raise click.ClickException("standard input is closed: type the password, or pipe it")
    if sys.stdin.isatty():
        return str(click.prompt("New password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\r\n")
