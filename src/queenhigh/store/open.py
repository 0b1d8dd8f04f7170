"""Opens a room by its location, whichever database it is in.

PostgreSQL is an extra: its modules are imported only for a room that is there.
"""

from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path

from queenhigh.store.durable_store import DurableStore
from queenhigh.store.location import Location
from queenhigh.store.locking import sole_writer
from queenhigh.store.reader import LogSource, StoreReader
from queenhigh.store.sqlite import SqliteStore

__all__ = ["check_complete", "open_reader", "open_store", "signing_key", "sole_store", "sole_use"]


def open_store(room: Location, keys: Path) -> DurableStore:
    """Return the store of a room; ``keys`` is where a room on PostgreSQL has its keys."""
    if isinstance(room, Path):
        return SqliteStore(room)
    from queenhigh.store.postgres.store import PostgresStore  # noqa: PLC0415

    return PostgresStore(room, keys)


def open_reader(room: Location, *, recover: bool = False) -> LogSource:
    """Return the events of a room, to be read only; ``recover`` as for ``StoreReader``."""
    if isinstance(room, Path):
        return StoreReader(room, recover=recover)
    from queenhigh.store.postgres.reader import PostgresReader  # noqa: PLC0415

    return PostgresReader(room)


def signing_key(room: Location, keys: Path) -> Path:
    """Return the file of the key that signs a room."""
    if isinstance(room, Path):
        return Path(f"{room}.key")
    from queenhigh.store.postgres.store import SIGNING_KEY  # noqa: PLC0415

    return keys / SIGNING_KEY


def check_complete(room: Location) -> None:
    """Raise if a copy into a room is unfinished; a file has no room before its copy is complete."""
    if not isinstance(room, Path):
        from queenhigh.store.postgres import usage  # noqa: PLC0415

        usage.check_complete(room)


@contextmanager
def sole_store(room: Location, keys: Path, prefix: str) -> Iterator[DurableStore]:
    """Open the store of a room for one command, which may append to streams of a prefix.

    Raise if a server or another command uses the room.
    """
    if isinstance(room, Path):
        with sole_use(room), closing(SqliteStore(room)) as file:
            yield file
        return
    from queenhigh.store.postgres.store import PostgresStore  # noqa: PLC0415
    from queenhigh.store.postgres.usage import holding  # noqa: PLC0415

    with sole_use(room), closing(PostgresStore(room, keys)) as store, holding(store, prefix):
        yield store


def sole_use(room: Location) -> AbstractContextManager[None]:
    """Lock a room while one command uses it; raise if a server or another command does."""
    if isinstance(room, Path):
        return sole_writer(room)
    from queenhigh.store.postgres.usage import sole_user  # noqa: PLC0415

    return sole_user(room)
