"""``archive``: the closed tables of a store in a file that proves itself."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from queenhigh.commands.location import DbFile
from queenhigh.commands.options import json_option
from queenhigh.commands.output import print_json
from queenhigh.commands.progress import counting

__all__ = ["archive"]

#: What to do with a room on PostgreSQL.
_REMEDY = "copy the room to a file with queenhigh copy, and archive that"


@click.command()
@click.argument("db", type=DbFile(_REMEDY))
@click.option("--to", "file", type=click.Path(path_type=Path), required=True,
              help="Archive file to create (FILE.qha).")  # fmt: skip
@click.option("--before", type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD",
              help="Only tables closed before this day (UTC).")  # fmt: skip
@click.option(
    "--remove", is_flag=True, help="Remove the archived events from DB, keeping their hashes."
)
@json_option
def archive(db: Path, file: Path, before: datetime | None, remove: bool, as_json: bool) -> None:
    """Archive the closed tables of a room's database.

    Check the archive alone with queenhigh verify FILE. With --remove, DB keeps only the hashes of
    the archived events; stop the server first. DB can still be verified, and queenhigh verify DB
    --archive FILE verifies everything. If the events do not verify, no archive is written, nothing
    is removed and the exit status is 1.
    """
    from queenhigh.room.archive import archive as archive_tables
    from queenhigh.sheets import archive_sheet

    day = None if before is None else int(before.replace(tzinfo=UTC).timestamp() * 1000)
    with counting(None, "events") as count_up:
        archived = archive_tables(db, file, before=day, remove=remove, watch=count_up)
    if as_json:
        print_json(archive_sheet.as_json(file, archived))
    else:
        click.echo(archive_sheet.as_text(db, file, archived))
    sys.exit(0 if archived.report.ok else 1)
