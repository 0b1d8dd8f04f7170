"""Files that are whole or not there, and that nobody else may read."""

import errno
import os
from contextlib import suppress
from pathlib import Path

__all__ = ["make_private", "put_in_place", "sync", "write_private"]


def make_private(file: Path) -> None:
    """Make an empty file that only its owner may read, unless there is a file.

    That one is not opened: to close it would end all locks that this process has on it.
    """
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))


def write_private(file: Path, content: bytes) -> None:
    """Write a file that only its owner may read; it is there when all of it is on disk.

    Where the file is there by then, it is left as it is.
    """
    made = file.with_name(f"{file.name}.{os.getpid()}.new")
    made.unlink(missing_ok=True)  # what a process of that number left, which was ended in here
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
    """Give a file its name; never in place of another, where the disk can promise that."""
    try:
        os.link(made, to)
    except FileExistsError:
        raise
    except OSError:  # a disk without second names
        made.rename(to)


def sync(file: Path) -> None:
    """Wait until a file, or the names in a folder, are on disk."""
    folder = file.is_dir()
    if folder and not hasattr(os, "O_DIRECTORY"):  # Windows opens no folder, and keeps names itself
        return
    handle = os.open(file, os.O_RDONLY if folder else os.O_RDWR)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno != errno.EINVAL:  # some disks keep names without being asked
            raise
    finally:
        os.close(handle)
