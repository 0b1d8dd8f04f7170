"""``db upgrade``: a room's database at the version of this program."""

import sys
from contextlib import closing, nullcontext
from typing import TYPE_CHECKING

import click

from queenhigh.commands.location import LOCATION
from queenhigh.commands.options import json_option
from queenhigh.commands.output import print_json
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.store.location import Location
    from queenhigh.store.versions import Version

__all__ = ["upgrade"]


@click.command()
@click.argument("room", type=LOCATION, metavar="DB")
@click.option("--check", is_flag=True, help="Change nothing; exit with status 1 if it is due.")
@json_option
def upgrade(room: "Location", check: bool, as_json: bool) -> None:
    """Upgrade a room's database to this version, or check it.

    queenhigh serve upgrades a database too when it starts. An upgrade is done completely or not at
    all.
    """
    from queenhigh.sheets import upgrade_sheet

    parts = _versions(room)
    result = upgrade_sheet.Upgrade(room=room, parts=parts, done=not check)
    if result.is_due and not check:
        _upgrade(room)
    if as_json:
        print_json(upgrade_sheet.as_json(result))
    else:
        click.echo(upgrade_sheet.as_text(result))
    sys.exit(1 if check and result.is_due else 0)


def _versions(room: "Location") -> "dict[str, Version]":
    """Return the version of each part; raise if a newer program wrote one.

    A room that no server has opened yet has no rows.
    """
    from queenhigh.server.admin_rows import row_versions
    from queenhigh.server.admin_store import open_rows
    from queenhigh.store.versions import Version, version_of

    streams = version_of(room)
    if streams.has == 0:
        raise QueenhighError("file.unreadable", f"{room} has no room: choose another database")
    with closing(open_rows(room)) as opened:
        rows = Version(*row_versions(opened))
    return {"events": streams} | ({"rows": rows} if rows.has else {})


def _upgrade(room: "Location") -> None:
    from pathlib import Path

    from queenhigh.server.admin_rows import AdminRows
    from queenhigh.server.admin_store import open_rows
    from queenhigh.store.locking import sole_writer
    from queenhigh.store.versions import upgrade as upgrade_streams

    # Processes of a room on PostgreSQL are upgraded one by one, while it is served.
    with sole_writer(room) if isinstance(room, Path) else nullcontext():
        upgrade_streams(room)
        with closing(open_rows(room)) as rows:
            AdminRows(rows)
