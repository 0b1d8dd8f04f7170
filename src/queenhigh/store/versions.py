"""Which version a room's database has, which one this program wants, and the way there."""

from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import apsw

from queenhigh.errors import QueenhighError
from queenhigh.store.location import Location
from queenhigh.store.migrations import MIGRATIONS, check_newer
from queenhigh.store.reader import UNREADABLE
from queenhigh.store.sqlite import SqliteStore

__all__ = ["Version", "upgrade", "version_of"]


class Version(NamedTuple):
    """The version that a database has, and the one that this program wants."""

    has: int
    wants: int

    @property
    def is_due(self) -> bool:
        """Whether the database has to be migrated."""
        return self.has < self.wants


def version_of(room: Location) -> Version:
    """Return the version of a room's streams; raise if a newer program wrote it."""
    if isinstance(room, Path):
        return Version(_file_version(room), len(MIGRATIONS))
    from queenhigh.store.postgres import connection, schema  # noqa: PLC0415 (an extra)

    with closing(connection.connect(room)) as db, connection.explained(room):
        return Version(schema.check_version(db, room), len(schema.MIGRATIONS))


def _file_version(file: Path) -> int:
    if not file.is_file():
        raise QueenhighError("file.unreadable", f"{file}: no such database")
    try:
        with closing(apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READWRITE)) as db:
            db.set_busy_timeout(5000)
            return check_newer(db, file)
    except UNREADABLE as error:
        message = f"{file} cannot be read as a Queenhigh database: {error}"
        raise QueenhighError("file.unreadable", message) from None


def upgrade(room: Location) -> None:
    """Migrate a room's streams to the newest version, completely or not at all."""
    if isinstance(room, Path):
        SqliteStore(room).close()
        return
    from queenhigh.store.postgres import connection, schema  # noqa: PLC0415 (an extra)

    with closing(connection.connect(room, timeouts=False)) as db, connection.explained(room):
        schema.migrate(db, room)
