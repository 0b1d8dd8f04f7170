"""Work that one worker does for all workers of a run."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def only_worker(file: Path) -> Iterator[None]:
    """Wait until no other worker holds the lock of this file, and hold it."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
