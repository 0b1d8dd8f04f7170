"""One program at a time writes a store: tables have one clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from queenhigh.errors import QueenhighError

__all__ = ["sole_writer"]


@contextmanager
def sole_writer(db: Path) -> Iterator[None]:
    """Hold a store for as long as it is written; refuse where another program holds it."""
    try:
        file = db.resolve()  # one lock, by whatever link somebody names the store
        file.parent.resolve(strict=True)  # a lock would make the folder
        lock = FileLock(f"{file}.lock", timeout=0, mode=0o600)
        lock.acquire()
    except Timeout:
        message = f"another program plays on {db}: stop it, or give another --db"
        raise QueenhighError("serve.busy", message) from None
    except OSError as error:
        raise QueenhighError("file.unwritable", f"{db}.lock: {error.strerror}") from None
    try:
        yield
    finally:
        lock.release()
