"""``serve``: the room, until it is told to stop."""

from dataclasses import asdict
from typing import Any

import click

from queenhigh.commands.output import dump
from queenhigh.server.routes.page import read_page
from queenhigh.server.serve import Asked, Opened, serve

__all__ = ["serve_room"]


def serve_room(asked: dict[str, Any], *, as_json: bool) -> None:
    """Serve a room and say where it is."""
    wanted = Asked(**asked)
    serve(wanted, _tell_json if as_json else lambda opened: _tell(opened, wanted))


def _tell_json(opened: Opened) -> None:
    dump(asdict(opened), indent=None)


def _tell(opened: Opened, asked: Asked) -> None:
    click.echo(f"The room is open: {opened.address}")
    click.echo(f"Tables: {', '.join(opened.tables)}. Everything is kept in {asked.db}.")
    if not read_page():
        click.echo("Its page is not built: run `make page`. Programs can play.")
    click.echo(f"Its log is signed with the key {opened.signed_by}")
    if opened.floor_token:
        click.echo(f"The floor's token, shown only now: {opened.floor_token}")
    click.echo("Ctrl-C closes the room; nothing is lost by it.")
