"""A disk that remembers what SQLite asked of it, so that the power can be cut anywhere afterwards.

Everything is done at once by the real disk, and written down. What a cut leaves is made from that:
of each file all that was written before its last sync, and of every write since then all, nothing,
or some of its sectors. A file that is deleted is gone at once. The ``-shm`` file is memory.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

import apsw

_SECTOR = 512


class Did(NamedTuple):
    """One thing that was done to a file: a write at a place, a cut to a size, a sync, a delete."""

    what: str
    file: str
    at: int = 0
    data: bytes = b""


class Tape:
    """The operations of a disk in order; ``marks`` has how many came before each answer."""

    def __init__(self) -> None:
        self.done: list[Did] = []
        self.marks: list[int] = []
        #: Is asked before each write, sync and truncation, and may raise.
        self.before: Callable[[str], None] = lambda what: None

    def acknowledge(self) -> None:
        """Note that an append has been acknowledged."""
        self.marks.append(len(self.done))

    def acknowledged(self, cut: int) -> int:
        """Return how many had been answered when the power went."""
        return sum(mark <= cut for mark in self.marks)

    def left_by(self, cut: int, random: Random, folder: Path) -> None:
        """Make the files that are there when the power comes back."""
        synced: dict[str, bytearray] = {}
        waiting: dict[str, list[Did]] = {}
        for each in self.done[:cut]:
            if each.what == "delete":
                synced.pop(each.file, None)
                waiting.pop(each.file, None)
            elif each.what == "sync":
                for other in waiting.pop(each.file, []):
                    _apply(synced[each.file], other)
            else:
                synced.setdefault(each.file, bytearray())
                waiting.setdefault(each.file, []).append(each)
        for file, content in synced.items():
            for each in waiting.get(file, []):
                for part in _torn(each, random):
                    _apply(content, part)
            (folder / file).write_bytes(content)


def _apply(content: bytearray, write: Did) -> None:
    if write.what == "truncate":
        del content[write.at :]
        return
    content.extend(bytes(max(0, write.at - len(content))))
    content[write.at : write.at + len(write.data)] = write.data


def _torn(write: Did, random: Random) -> Iterator[Did]:
    """Yield the parts of a write without a sync that reached the disk."""
    fate = random.choice(("all", "nothing", "torn"))
    if fate == "all" or (fate == "torn" and write.what != "write"):
        yield write
    elif fate == "torn":
        for start in range(0, len(write.data), _SECTOR):
            if random.random() < 0.5:
                yield write._replace(at=write.at + start, data=write.data[start : start + _SECTOR])


class _File(apsw.VFSFile):
    def __init__(self, tape: Tape, base: str, name: Any, flags: Any) -> None:
        super().__init__(base, name, flags)
        self._tape, self._name = tape, Path(_text(name)).name

    def xWrite(self, data: bytes, offset: int) -> None:
        self._tape.before("write")
        super().xWrite(data, offset)
        self._tape.done.append(Did("write", self._name, offset, bytes(data)))

    def xTruncate(self, newsize: int) -> None:
        self._tape.before("truncate")
        super().xTruncate(newsize)
        self._tape.done.append(Did("truncate", self._name, newsize))

    def xSync(self, flags: int) -> None:
        self._tape.before("sync")
        self._tape.done.append(Did("sync", self._name))  # and the real disk need not wait


class _Vfs(apsw.VFS):
    def __init__(self, name: str, tape: Tape) -> None:
        super().__init__(name, "")
        self._tape = tape

    def xOpen(self, name: Any, flags: Any) -> _File:
        return _File(self._tape, "", name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:
        super().xDelete(filename, syncdir)
        self._tape.done.append(Did("delete", Path(filename).name))


def _text(name: Any) -> str:
    return str(name.filename()) if isinstance(name, apsw.URIFilename) else str(name)


@contextmanager
def recording(name: str) -> Iterator[Tape]:
    """Make SQLite write through a disk that records its operations."""
    tape = Tape()
    vfs = _Vfs(name, tape)
    with patch.object(apsw, "Connection", partial(apsw.Connection, vfs=name)):
        yield tape
    vfs.unregister()
