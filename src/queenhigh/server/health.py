"""The health of the disk, checked in threads that no table waits for.

One thread writes a small file beside the database every few seconds, and checks the free space. The
other watches how long a commit takes, since the tables' thread is blocked during a commit.
"""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic
from typing import Protocol

import structlog

from queenhigh.errors import QueenhighError
from queenhigh.server.metrics import Metrics
from queenhigh.store.files import make_private, sync

__all__ = ["Health"]

#: Seconds between writes, and after how many without one the disk is reported.
_BETWEEN, _LATE = 2.0, 10.0
#: Seconds between checks of the commit under way, from when on it is too slow, and for how long the
#: room is reported as slow then.
_LOOK, _STALLS, _SLOW_FOR = 0.1, 0.5, 10.0
#: A commit that takes this many seconds is a fault, and not only slow.
_HANGS = 5.0
#: How many bytes must be free on the disk.
_FREE = 64 * 2**20
_BLOCK = bytes(4096)
_log = structlog.get_logger()


class WatchedStore(Protocol):
    """The part of a store that is checked."""

    #: Why the last commit failed, if it did.
    failure: str | None
    #: When the commit under way began, and when the last one was done.
    writing_since: float | None
    written_at: float

    def missing(self) -> QueenhighError | None:
        """Return an error if the database is gone."""

    def probe(self) -> QueenhighError | None:
        """Ask the database whether it answers; return an error if it does not."""


class Health:
    """The health of a room's disk."""

    def __init__(self, file: Path | None, store: WatchedStore, metrics: Metrics) -> None:
        """Check a file's disk; without a file only how the store answers."""
        self._file, self._store, self._metrics = file, store, metrics
        self._ends = Event()
        self._on_stall: Callable[[], object] = bool
        self._threads: list[Thread] = []
        self._probed = monotonic()
        #: When the commit began that was reported last.
        self._reported: float | None = None
        self._slow_until = self._hung_until = 0.0
        #: How long the last commit took that hung, and when the disk was last good.
        self._hung_for, self._good_at = 0.0, 0.0
        self._problem: str | None = None
        self.write_seconds, self.free = 0.0, 0
        metrics.watch_disk(lambda: self.free, lambda: self.commit_age)

    # Results

    @property
    def commit_age(self) -> float:
        """How many seconds ago something was last written to the store."""
        return monotonic() - self._store.written_at

    @property
    def is_slow(self) -> bool:
        """Whether a commit took too long a moment ago."""
        return monotonic() < self._slow_until

    def problem(self) -> str | None:
        """Return why nothing can be written now, in a sentence; ``None``: all is well."""
        gone = self._store.missing()
        if gone is not None:
            return str(gone)
        late = monotonic() - self._probed
        if self._threads and late > _BETWEEN + _LATE:
            return f"the disk has not answered for {late:.0f} seconds: check it"
        return self._hangs() or self._problem or self._failure()

    def _hangs(self) -> str | None:
        """Return a sentence if a commit takes too long, or did a moment ago."""
        began, time_s = self._store.writing_since, monotonic()
        if began is not None and time_s - began >= _HANGS:
            return f"a commit has been running for {time_s - began:.0f} seconds: check the disk"
        if time_s < self._hung_until:
            return f"a commit took {self._hung_for:.0f} seconds a moment ago: check the disk"
        return None

    def _failure(self) -> str | None:
        """Return why the last commit failed, unless the disk was good since."""
        return self._store.failure if self._good_at <= self._store.written_at else None

    # In threads

    def start(self, on_stall: Callable[[], object]) -> None:
        """Start the checks; ``on_stall`` is called in a thread when a commit takes too long."""
        self._on_stall = on_stall
        for work, seconds in ((self.probe, _BETWEEN), (self.watch, _LOOK)):
            thread = Thread(target=self._repeat, args=(work, seconds), daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Stop the checks."""
        self._ends.set()
        for thread in self._threads:
            thread.join(timeout=1)

    def _repeat(self, work: Callable[[], None], seconds: float) -> None:
        while not self._ends.wait(seconds):
            try:
                work()
            except Exception as error:  # the checks go on after any error
                _log.error("the disk could not be checked", error=str(error))

    def watch(self) -> None:
        """Report a commit that takes too long, once, and mark the room as slow meanwhile."""
        began = self._store.writing_since
        if began is None or monotonic() - began < _STALLS:
            return
        self._slow_until = monotonic() + _SLOW_FOR
        if monotonic() - began >= _HANGS:
            self._hung_for, self._hung_until = monotonic() - began, self._slow_until
        if began != self._reported:
            self._reported = began
            self._metrics.stalls.inc()
            _log.warning("the disk stalls: a commit takes long", seconds=_STALLS)
            self._on_stall()

    def probe(self) -> None:
        """Write a small file and wait until it is on disk; check the free space."""
        start = monotonic()
        problem = self._write() or self._space()
        self._probed, self.write_seconds = monotonic(), monotonic() - start
        if problem is None:
            self._good_at = start
        if problem != self._problem:
            self._problem = problem
            _log.warning(problem or "the database can be written again", free=self.free)

    def _write(self) -> str | None:
        if self._file is None:
            failed = self._store.probe()
            return None if failed is None else str(failed)
        file = self._file.with_name(f"{self._file.name}.health")
        try:
            make_private(file)
            file.write_bytes(_BLOCK)
            sync(file)
        except OSError as error:
            return f"the disk cannot be written ({error.strerror}): check it"
        finally:
            with suppress(OSError):
                file.unlink()
        return None

    def _space(self) -> str | None:
        if self._file is None:
            return None
        try:
            self.free = shutil.disk_usage(self._file.parent).free
        except OSError as error:
            return f"the disk cannot be checked ({error.strerror}): check it"
        if self.free < _FREE:
            return f"only {self.free // 2**20} MiB are free on the disk: free some space"
        return None
