"""Commands on whole stores, as the command line declares them: backup, restore, archive."""

import sys
from datetime import datetime
from pathlib import Path

import click

__all__ = ["archive", "backup", "restore"]

_db = click.argument("db", type=click.Path(path_type=Path))
_file = click.argument("file", type=click.Path(path_type=Path))
_json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")


@click.command()
@_db
@_file
@click.option("--no-verify", is_flag=True, help="Do not prove the copy.")
@_json_option
def backup(db: Path, file: Path, no_verify: bool, as_json: bool) -> None:
    """Copy a room's file while the room is open, and prove the copy.

    The copy goes into FILE and its key into FILE.key. FILE must not exist. If the copy is bad it is
    kept, and the exit status is 1. Ctrl-C leaves nothing behind.
    """
    from queenhigh.commands import backup as run  # noqa: PLC0415

    sys.exit(0 if run.print_backup(db, file, proves=not no_verify, as_json=as_json) else 1)


@click.command()
@_file
@_db
@_json_option
def restore(file: Path, db: Path, as_json: bool) -> None:
    """Verify a backup and restore it to a new file.

    DB must not exist. If the backup is bad there will be no DB, and the exit status is 1.
    """
    from queenhigh.commands import backup as run  # noqa: PLC0415

    sys.exit(0 if run.print_restore(file, db, as_json=as_json) else 1)


@click.command()
@_db
@click.option("--to", "file", type=click.Path(path_type=Path), required=True,
              help="The archive: a new file, FILE.qha.")  # fmt: skip
@click.option("--before", type=click.DateTime(["%Y-%m-%d"]), metavar="YYYY-MM-DD",
              help="Only tables that closed before this day (UTC).")  # fmt: skip
@click.option(
    "--remove", is_flag=True, help="Then remove these events from DB, except their hashes."
)
@_json_option
def archive(db: Path, file: Path, before: datetime | None, remove: bool, as_json: bool) -> None:
    """Archive the closed tables of a room's file.

    The archive proves itself: queenhigh verify FILE. With --remove, which needs the room to be
    closed, DB keeps only the hashes of these events; it stays provable, and queenhigh verify DB
    --archive FILE proves all of it. If the events cannot be proved there is no archive, nothing is
    removed, and the exit status is 1.
    """
    from queenhigh.commands import archive as run  # noqa: PLC0415

    sys.exit(0 if run.print_archive(db, file, before, remove=remove, as_json=as_json) else 1)
