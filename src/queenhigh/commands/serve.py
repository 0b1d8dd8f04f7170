"""``serve``: the room, until it is stopped."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from queenhigh.commands.location import LOCATION, keys_option
from queenhigh.commands.options import json_option
from queenhigh.commands.output import print_json

if TYPE_CHECKING:
    from queenhigh.server.serve import Opened
    from queenhigh.store.location import Location

__all__ = ["serve"]


@click.command()
@click.option("--db", type=LOCATION, default="room.db", show_default=True,
              help="Room: a SQLite file, created if missing, or postgresql://…")  # fmt: skip
@keys_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8777, show_default=True,
              help="Port to listen on; 0 picks a free one.")  # fmt: skip
@click.option("--peers", default="127.0.0.1:0", show_default=True, metavar="HOST:PORT",
              help="Where other processes of a room on PostgreSQL reach this one; a private"
              " network.")  # fmt: skip
@click.option("--table", "tables", type=click.Path(path_type=Path), multiple=True, metavar="FILE",
              help="TOML file of an extra table. Repeatable.")  # fmt: skip
@click.option("--fees", type=click.Path(path_type=Path), metavar="FILE",
              help="TOML file of fee presets for players' own tables.")  # fmt: skip
@click.option("--tls-cert", type=click.Path(path_type=Path), help="TLS certificate.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="TLS private key.")
@click.option("--behind-proxy", is_flag=True, help="TLS is handled by a proxy on this machine.")
@click.option(
    "--proxy-address", "proxies", multiple=True, help="TLS is handled by a proxy at this address."
)
@click.option("--insecure", is_flag=True, help="Serve without TLS on a public address.")
@click.option("--name", "names", multiple=True, help="Host name players use to reach the room.")
@click.option("--room-name", default="Queenhigh", show_default=True,
              help="Name of the room on printed reports.")  # fmt: skip
@click.option(
    "--new-floor-token", is_flag=True, help="Replace the floor token and print the new one."
)
@json_option
def serve(as_json: bool, **options: Any) -> None:
    """Serve a room: tables for browsers and programs.

    Ctrl-C stops the server. Rounds in progress resume when it starts again.
    """
    from queenhigh.server.serve import ServeOptions
    from queenhigh.server.serve import serve as serve_room

    chosen = ServeOptions(**options)
    serve_room(chosen, _print_json if as_json else lambda opened: _print_text(opened, chosen.db))


def _print_json(opened: "Opened") -> None:
    from dataclasses import asdict

    print_json(asdict(opened), indent=None)


def _print_text(opened: "Opened", db: "Location") -> None:
    from queenhigh.server.routes.page import read_page

    click.echo(f"The room is open at {opened.address}")
    click.echo(f"Tables: {', '.join(opened.tables)}. Database: {db}.")
    if not read_page():
        click.echo("The page is not built: run `make page`. Programs can connect already.")
    click.echo(f"The log is signed with the key {opened.signed_by}")
    if opened.floor_token:
        click.echo(f"Floor token (shown only once): {opened.floor_token}")
    if not opened.has_owner:
        click.echo(f"No owner yet: open {opened.address}/#/floor and enter the floor token.")
    click.echo("Press Ctrl-C to stop. Nothing is lost.")
