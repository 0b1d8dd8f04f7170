"""The notices of a room: those the floor posts, and warnings of a slow disk or a lost database."""

import asyncio
from collections.abc import Callable
from typing import Protocol

from queenhigh.server.responses import RoomNotice

__all__ = ["NoticeBoard"]

#: For how many seconds the warning about the disk is shown.
_WARNED = 10.0
_SLOW_DISK = "The server is slow right now: answers may take a few seconds."
_LOST_DATABASE = (
    "The room's database isn't answering. Your chips and bets are safe; we'll go on when it's back."
)


class NoticeRows(Protocol):
    """The rows of notices in the admin store."""

    def notices(self) -> list[RoomNotice]:
        """Return the notices, oldest first."""


class NoticeBoard:
    """Notices by table; ``on_change`` is called when tables have to show others."""

    def __init__(self, rows: NoticeRows, on_change: Callable[[], None]) -> None:
        self._rows, self._on_change = rows, on_change
        self._posted: list[RoomNotice] | None = None
        self._warning: asyncio.TimerHandle | None = None
        self._is_database_lost = False

    def posted(self) -> list[RoomNotice]:
        """Return all notices: the same list until ``reload``."""
        if self._posted is None:
            self._posted = self._rows.notices()
        return self._posted

    def at_table(self, table: str) -> tuple[str, ...]:
        """Return the texts that are shown at a table."""
        texts = [notice.text for notice in self.posted() if notice.table in (None, table)]
        if self._is_database_lost:
            texts.append(_LOST_DATABASE)
        elif self._warning is not None:
            texts.append(_SLOW_DISK)
        return tuple(texts)

    def reload(self) -> None:
        """Read the notices again, after one was posted or taken down."""
        self._posted = None
        self._on_change()

    def reload_if_changed(self) -> None:
        """Read the notices again, since another process may have posted one."""
        notices = self._rows.notices()
        if notices != self.posted():
            self._posted = notices
            self._on_change()

    def warn_of_slow_disk(self) -> None:
        """Show at every table, for a while, that the disk is slow."""
        self.stop()
        loop = asyncio.get_running_loop()
        self._warning = loop.call_later(_WARNED, self._end_warning)
        self._on_change()

    def warn_of_lost_database(self, *, is_lost: bool) -> None:
        """Show at every table that the database does not answer, until it does again."""
        if is_lost != self._is_database_lost:
            self._is_database_lost = is_lost
            self._on_change()

    def _end_warning(self) -> None:
        self._warning = None
        self._on_change()

    def stop(self) -> None:
        """Cancel the timer of the warning."""
        if self._warning is not None:
            self._warning.cancel()
