"""The commit loop: one commit for what all tables have queued, and publishing after it.

Commands that arrive in the same turn of the event loop are decided one after another and written
together. Replies and views are published after the commit: nothing is sent before it is on disk.
Only tables that asked for a commit or a refresh are shown: code that queues an event asks for one.
"""

import asyncio
from collections.abc import Callable
from time import perf_counter
from typing import Protocol

from queenhigh.server.ports import Refreshable, Sender
from queenhigh.server.publisher import Publisher

__all__ = ["CommitLoop", "Flushing"]

#: The least time between two turns, in seconds: a commit costs the same, however much it writes.
_BETWEEN_TURNS = 0.003


class Flushing(Protocol):
    """A store that queues what it is to write."""

    def flush(self) -> bool:
        """Write all that is queued; return whether anything was."""


class CommitLoop:
    """Commits what is queued in a store, then publishes. ``observe`` gets the time of each commit.

    Use it from the event loop's thread only.
    """

    def __init__(self, store: Flushing, observe: Callable[[float], None]) -> None:
        self._store, self._observe = store, observe
        self._publisher = Publisher()
        self._commit_timer: asyncio.TimerHandle | None = None
        self._publish_timer: asyncio.TimerHandle | None = None
        #: Whether a commit or publishing is under way: what is queued meanwhile is published by it.
        self._is_busy = False
        self._last_turn = 0.0

    def schedule_commit(self, table: Refreshable) -> None:
        """Commit soon what a table has queued, then refresh the table."""
        self._publisher.tables[table] = None
        if self._commit_timer is None:
            self._commit_timer = self._call_soon(self.commit)

    def schedule_refresh(self, table: Refreshable) -> None:
        """Refresh a table soon, with the next commit if there is one."""
        self._publisher.tables[table] = None
        self._schedule_publish()

    def schedule_send(self, sender: Sender) -> None:
        """Write to a socket soon, with the next commit if there is one."""
        self._publisher.senders[sender] = None
        if not self._is_busy:
            self._schedule_publish()

    def commit(self) -> None:
        """Write everything now, then publish it."""
        for timer in (self._commit_timer, self._publish_timer):
            if timer is not None:
                timer.cancel()
        self._commit_timer = self._publish_timer = None
        self._is_busy = True
        try:
            self._write()
        finally:  # also if a callback of the commit has failed
            self._publish()

    def _write(self) -> None:
        start = perf_counter()
        if self._store.flush():
            self._observe(perf_counter() - start)
        self._last_turn = asyncio.get_running_loop().time()

    def _schedule_publish(self) -> None:
        """Publish without a commit, unless one is scheduled or under way that does it."""
        if self._commit_timer is None and self._publish_timer is None and not self._is_busy:
            self._publish_timer = self._call_soon(self._publish_without_commit)

    def _publish_without_commit(self) -> None:
        """Publish, unless a commit was scheduled meanwhile: replies may depend on it."""
        self._publish_timer = None
        if self._commit_timer is None:
            self._last_turn = asyncio.get_running_loop().time()
            self._publish()

    def _publish(self) -> None:
        self._is_busy = True
        try:
            self._publisher.publish()
        finally:
            self._is_busy = False
            if self._publisher.is_due:  # something was added while it published
                self._schedule_publish()

    def _call_soon(self, callback: Callable[[], None]) -> asyncio.TimerHandle:
        loop = asyncio.get_running_loop()
        return loop.call_at(self._last_turn + _BETWEEN_TURNS, callback)
