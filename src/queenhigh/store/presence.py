"""Whether a store is still the file of its name: writes to a deleted file would be lost."""

import errno
import os
from pathlib import Path

from queenhigh.errors import QueenhighError

__all__ = ["Presence"]


class Presence:
    """A database and its write-ahead log, identified by their inodes when first seen."""

    def __init__(self, file: Path) -> None:
        self._file, self._log = str(file), f"{file}-wal"
        self._known = _identity(self._file)
        self._known_log: tuple[int, int] | None = None
        self.gone = False

    def check(self) -> QueenhighError | None:
        """Return an error if a file was deleted or replaced; once gone, it stays gone."""
        try:
            log, file = _identity(self._log), _identity(self._file)
        except OSError as error:
            message = f"the disk does not report whether {Path(self._file).name} exists"
            return QueenhighError("store.failed", f"{message} ({error.strerror}): check the disk")
        self._known_log = self._known_log or log
        if self.gone or file != self._known or log != self._known_log:
            self.gone = True
            message = (
                f"{Path(self._file).name} was deleted or replaced while the server was"
                " running, so nothing can be saved: put it back and restart the server"
            )
            return QueenhighError("store.gone", message)
        return None


def _identity(file: str) -> tuple[int, int] | None:
    try:
        status = os.stat(file)
    except OSError as error:
        if error.errno in (errno.ENOENT, errno.ESTALE):
            return None
        raise
    return status.st_dev, status.st_ino
