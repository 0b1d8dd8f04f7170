"""Files that are complete or absent, and that only their owner may read."""

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from queenhigh.errors import QueenhighError

__all__ = [
    "BESIDE",
    "explained_keys",
    "free_name",
    "make_private",
    "put_aside",
    "put_in_place",
    "sync",
    "write_private",
]

#: Endings of files that SQLite keeps beside a database, and would use with a new one of its name.
BESIDE = ("-wal", "-shm", "-journal")
#: How many databases of a name may be put aside, so that a fault that repeats fills no disk.
_MOST_ASIDE = 9


@contextmanager
def explained_keys(folder: Path) -> Iterator[None]:
    """Raise an error of the folder of a room's keys as a sentence."""
    try:
        yield
    except OSError as error:
        message = f"{folder} cannot be used for the room's keys ({error.strerror})"
        raise QueenhighError("store.key", f"{message}: name another folder") from None


def make_private(file: Path) -> None:
    """Create an empty file that only its owner may read, unless the file exists.

    An existing file is not opened: closing it would end all locks that this process has on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def write_private(file: Path, content: bytes) -> None:
    """Write a file that only its owner may read; it gets its name when all of it is on disk.

    A file that exists by then is left unchanged.
    """
    made = file.with_name(f"{file.name}.{os.getpid()}.new")
    made.unlink(missing_ok=True)  # left by a process of the same number that was killed in here
    try:
        make_private(made)
        made.write_bytes(content)
        sync(made)
        with suppress(FileExistsError):
            put_in_place(made, file)
        sync(file.parent)
    finally:
        made.unlink(missing_ok=True)


def put_in_place(made: Path, to: Path) -> None:
    """Give a file its name, without replacing another one where the disk can guarantee that."""
    try:
        os.link(made, to)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links
        made.rename(to)


def free_name(file: Path) -> Path | None:
    """Return a name beside a database to put it aside; ``None`` if too many are taken."""
    for number in range(1, _MOST_ASIDE + 1):
        aside = file.with_name(f"{file.name}.aside-{number}")
        if not any(os.path.lexists(f"{aside}{end}") for end in ("", *BESIDE)):
            return aside
    return None


def put_aside(file: Path, to: Path) -> None:
    """Rename a closed database, and what SQLite keeps beside it; remove what is empty.

    Its log would be used with the next database of the name, and has changes of this one.
    """
    for end in ("", *BESIDE):
        with suppress(FileNotFoundError):
            if os.path.getsize(f"{file}{end}"):
                os.rename(f"{file}{end}", f"{to}{end}")
            else:
                os.unlink(f"{file}{end}")


def sync(file: Path) -> None:
    """Flush a file, or the names in a folder, to disk."""
    folder = file.is_dir()
    if folder and not hasattr(os, "O_DIRECTORY"):  # Windows cannot open folders, nor needs to
        return
    handle = os.open(file, os.O_RDONLY if folder else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some file systems cannot sync folders
            raise
    finally:
        os.close(handle)
