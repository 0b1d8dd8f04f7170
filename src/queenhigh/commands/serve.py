"""``serve``: the room, until it is stopped."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from queenhigh.commands.options import json_option
from queenhigh.commands.output import print_json

if TYPE_CHECKING:
    from queenhigh.server.serve import Opened

__all__ = ["serve"]


@click.command()
@click.option("--db", type=click.Path(path_type=Path), default="room.db", show_default=True,
              help="The room: a file, made if it is not there.")  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8777, show_default=True,
              help="The port; 0 takes a free one.")  # fmt: skip
@click.option("--table", "tables", type=click.Path(path_type=Path), multiple=True, metavar="FILE",
              help="A table of your own, as TOML; may be repeated.")  # fmt: skip
@click.option("--fees", type=click.Path(path_type=Path), metavar="FILE",
              help="Presets of fees for players' own tables, as TOML.")  # fmt: skip
@click.option("--tls-cert", type=click.Path(path_type=Path), help="The certificate for TLS.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Its key.")
@click.option("--behind-proxy", is_flag=True, help="A proxy on this machine does TLS.")
@click.option("--proxy-address", "proxies", multiple=True, help="A proxy elsewhere does TLS.")
@click.option("--insecure", is_flag=True, help="No TLS although others can reach this address.")
@click.option("--name", "names", multiple=True, help="A host name the room is reached by.")
@click.option("--new-floor-token", is_flag=True, help="Make a new token for the floor.")
@json_option
def serve(as_json: bool, **options: Any) -> None:
    """Open the room: tables in the browser and for programs.

    Ctrl-C closes it: rounds under way are parked, and go on when it opens again.
    """
    from queenhigh.server.serve import ServeOptions
    from queenhigh.server.serve import serve as serve_room

    chosen = ServeOptions(**options)
    serve_room(chosen, _print_json if as_json else lambda opened: _print_text(opened, chosen.db))


def _print_json(opened: "Opened") -> None:
    from dataclasses import asdict

    print_json(asdict(opened), indent=None)


def _print_text(opened: "Opened", db: Path) -> None:
    from queenhigh.server.routes.page import read_page

    click.echo(f"The room is open: {opened.address}")
    click.echo(f"Tables: {', '.join(opened.tables)}. Everything is kept in {db}.")
    if not read_page():
        click.echo("Its page is not built: run `make page`. Programs can play.")
    click.echo(f"Its log is signed with the key {opened.signed_by}")
    if opened.floor_token:
        click.echo(f"The floor's token, shown only now: {opened.floor_token}")
    click.echo("Ctrl-C closes the room; nothing is lost by it.")
