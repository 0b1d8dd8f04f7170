"""One program at a time writes a store: tables have one clock."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from filelock import FileLock, Timeout

from queenhigh.errors import QueenhighError

__all__ = ["sole_writer"]


@contextmanager
def sole_writer(db: Path) -> Iterator[None]:
    """Lock a store while it is written; raise if another program has locked it."""
    try:
        file = db.resolve()  # one lock, whichever link names the store
        file.parent.resolve(strict=True)  # FileLock would create a missing folder
        lock = FileLock(f"{file}.lock", timeout=0, mode=0o600)
        lock.acquire()
    except Timeout:
        message = f"another program is using {db}: stop it or choose another --db"
        raise QueenhighError("serve.busy", message) from None
    except OSError as error:
        raise QueenhighError("file.unwritable", f"{db}.lock: {error.strerror}") from None
    try:
        yield
    finally:
        lock.release()
