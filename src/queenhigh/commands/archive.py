"""``archive``: the closed tables of a store in a file that proves itself."""

import sys
from datetime import UTC, datetime
from pathlib import Path

import click

from queenhigh.commands.options import json_option
from queenhigh.commands.output import print_json
from queenhigh.commands.progress import counting

__all__ = ["archive"]


@click.command()
@click.argument("db", type=click.Path(path_type=Path))
@click.option("--to", "file", type=click.Path(path_type=Path), required=True,
              help="The archive: a new file, FILE.qha.")  # fmt: skip
@click.option("--before", type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD",
              help="Only tables that closed before this day (UTC).")  # fmt: skip
@click.option(
    "--remove", is_flag=True, help="Then remove these events from DB, except their hashes."
)
@json_option
def archive(db: Path, file: Path, before: datetime | None, remove: bool, as_json: bool) -> None:
    """Archive the closed tables of a room's file.

    The archive proves itself: queenhigh verify FILE. With --remove, which needs the room to be
    closed, DB keeps only the hashes of these events; it stays provable, and queenhigh verify DB
    --archive FILE proves all of it. If the events cannot be proved there is no archive, nothing is
    removed, and the exit status is 1.
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
