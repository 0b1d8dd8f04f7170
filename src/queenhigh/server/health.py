"""Whether the room can keep what it is told: looked at from threads that no table waits for.

One writes a little beside the database every few seconds, and looks at the space that is left. The
other watches how long a commit takes: the tables' thread cannot say so while it waits for the disk.
"""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Event, Thread
from time import monotonic

import structlog

from queenhigh.server.metrics import Metrics
from queenhigh.store.files import make_private, sync
from queenhigh.store.sqlite import SqliteStore

__all__ = ["Health"]

#: Seconds between writes, and after how many without one the disk does not answer.
_BETWEEN, _LATE = 2.0, 10.0
#: Seconds between looks at the commit under way, how many are too many, and for how many more the
#: room is called slow.
_LOOK, _STALLS, _SLOW_FOR = 0.1, 0.5, 10.0
#: A commit that takes so many seconds is a fault, and not only slow.
_HANGS = 5.0
#: So many bytes must be free on the disk.
_FREE = 64 * 2**20
_BLOCK = bytes(4096)
_log = structlog.get_logger()


class Health:
    """What is wrong with a room's disk, if anything is."""

    def __init__(self, file: Path, store: SqliteStore, metrics: Metrics) -> None:
        self._file, self._store, self._metrics = file, store, metrics
        self._probe_file = file.with_name(f"{file.name}.health")
        self._ends = Event()
        self._tell: Callable[[], object] = bool
        self._threads: list[Thread] = []
        self._probed = monotonic()
        #: The commit that was last reported, by when it began.
        self._reported: float | None = None
        self._slow_until = self._hung_until = 0.0
        #: How long the last commit took that hung, and when the disk was last found good.
        self._hung_for, self._good_at = 0.0, 0.0
        self._wrong: str | None = None
        self.write_seconds, self.free = 0.0, 0
        metrics.watch_disk(lambda: self.free, lambda: self.commit_age)

    # What is known

    @property
    def commit_age(self) -> float:
        """How many seconds ago something was last written to the store."""
        return monotonic() - self._store.written_at

    @property
    def is_slow(self) -> bool:
        """Whether a commit took too long a moment ago."""
        return monotonic() < self._slow_until

    def wrong(self) -> str | None:
        """Return why nothing can be kept at present, in a sentence; nothing: all is well."""
        gone = self._store.presence.check()
        if gone is not None:
            return str(gone)
        late = monotonic() - self._probed
        if self._threads and late > _BETWEEN + _LATE:
            return f"the disk has not answered for {late:.0f} seconds: see to it"
        return self._hangs() or self._wrong or self._failure()

    def _hangs(self) -> str | None:
        """Return that a commit is under way for too long, or was a moment ago."""
        began, at = self._store.writing_since, monotonic()
        if began is not None and at - began >= _HANGS:
            return f"a commit has been under way for {at - began:.0f} seconds: see to the disk"
        if at < self._hung_until:
            return f"a commit took {self._hung_for:.0f} seconds a moment ago: see to the disk"
        return None

    def _failure(self) -> str | None:
        """Return why the last commit failed, unless the disk was found good since."""
        return self._store.failure if self._good_at <= self._store.written_at else None

    # From threads

    def start(self, tell: Callable[[], object]) -> None:
        """Begin to look; ``tell`` is called, from another thread, when a commit takes too long."""
        self._tell = tell
        for work, seconds in ((self.probe, _BETWEEN), (self.watch, _LOOK)):
            thread = Thread(target=self._repeat, args=(work, seconds), daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """Look no longer."""
        self._ends.set()
        for thread in self._threads:
            thread.join(timeout=1)

    def _repeat(self, work: Callable[[], None], seconds: float) -> None:
        while not self._ends.wait(seconds):
            try:
                work()
            except Exception as error:  # whatever it was, somebody must go on looking
                _log.error("the disk could not be looked at", error=str(error))

    def watch(self) -> None:
        """Report a commit that takes too long, once, and that the room is slow while it lasts."""
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
            self._tell()

    def probe(self) -> None:
        """Write a little and wait until it is on disk; look at the space that is left."""
        start = monotonic()
        wrong = self._write() or self._space()
        self._probed, self.write_seconds = monotonic(), monotonic() - start
        if wrong is None:
            self._good_at = start
        if wrong != self._wrong:
            self._wrong = wrong
            _log.warning(wrong or "the disk can be written again", free=self.free)

    def _write(self) -> str | None:
        file = self._probe_file
        try:
            make_private(file)
            file.write_bytes(_BLOCK)
            sync(file)
        except OSError as error:
            return f"the disk cannot be written ({error.strerror}): see to it"
        finally:
            with suppress(OSError):
                file.unlink()
        return None

    def _space(self) -> str | None:
        try:
            self.free = shutil.disk_usage(self._file.parent).free
        except OSError as error:
            return f"the disk cannot be looked at ({error.strerror}): see to it"
        if self.free < _FREE:
            return f"only {self.free // 2**20} MiB are free on the disk: make room"
        return None
