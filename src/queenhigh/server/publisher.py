"""Publishing: tables that changed are shown, then sockets send what they have queued.

Only what is on disk is published: the commit loop calls ``publish`` after a commit. A view is made
once for everyone who watches a table, and sent at a bounded rate.
"""

import asyncio
from collections.abc import Callable

from msgspec import Raw

from queenhigh.room.durable_table import DurableTable
from queenhigh.server.event_receipt import ClosedBets, EventReceipt, SignsReceipts
from queenhigh.server.ports import Clock, Refreshable, Sender, Watcher
from queenhigh.server.protocol import News, Seen, encode
from queenhigh.table.own_view import OwnEncoder
from queenhigh.table.view import ViewEncoder

__all__ = ["Publisher", "TableViews"]

#: The least time between two views of the same phase, in seconds.
_BETWEEN_VIEWS = 0.04


class Publisher:
    """The tables to refresh and the sockets to write to, each once."""

    def __init__(self) -> None:
        #: Tables to refresh and sockets to write to when ``publish`` is called next, as keys.
        self.tables: dict[Refreshable, None] = {}
        self.senders: dict[Sender, None] = {}

    @property
    def is_due(self) -> bool:
        """Whether a table waits to be refreshed, or a socket to be written to."""
        return bool(self.tables or self.senders)

    def publish(self) -> None:
        """Refresh the tables, which queues views at their sockets, then write to all sockets."""
        tables, self.tables = self.tables, {}
        for table in tables:
            try:
                table.refresh()
            except Exception as error:  # the other tables are refreshed all the same
                table.fail(error)
        senders, self.senders = self.senders, {}
        for sender in senders:
            sender.write()


class TableViews:
    """Shows a table as it is on disk to its watchers; ``news`` returns what the room adds."""

    def __init__(
        self,
        durable: DurableTable,
        watchers: set[Watcher],
        clock: Clock,
        receipts: SignsReceipts,
        news: Callable[[], News],
    ) -> None:
        self._durable, self._watchers, self._clock, self._news = durable, watchers, clock, news
        self._closed_bets = ClosedBets(receipts, durable.stream)
        self._encoder, self._own_encoder = ViewEncoder(), OwnEncoder()
        self._shown: tuple[int, News] | None = None
        self._shown_phase: tuple[str, int] | None = None
        self._shown_at = 0.0
        self._timer: asyncio.TimerHandle | None = None

    def show_if_changed(self, *, at_once: bool) -> None:
        """Show the table to its watchers if its version or its news are new.

        A new phase is shown at once, changes within one after a moment unless ``at_once``.
        """
        state, news = self._durable.committed, self._news()
        if self._shown == (state.version, news):
            return
        self._shown = (state.version, news)
        loop, phase = asyncio.get_running_loop(), (state.phase, state.number)
        due = self._shown_at + _BETWEEN_VIEWS
        if phase != self._shown_phase or loop.time() >= due or at_once:
            self._shown_phase = phase
            self._show(news)
        elif self._timer is None:
            self._timer = loop.call_at(due, self._show_late)

    def _show_late(self) -> None:
        self._show(self._news())

    def _show(self, news: News) -> None:
        self._shown_at = asyncio.get_running_loop().time()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if not self._watchers:
            return
        message, owns = self._message(news), self._own_encoder.own(self._durable.committed)
        for_all = message.with_own(None)
        for watcher in tuple(self._watchers):
            own = owns.get(watcher.player) if watcher.player is not None else None
            if own is None and not watcher.frozen:
                watcher.show(for_all)
            else:
                watcher.show(message.with_own(own, frozen=watcher.frozen))

    def _message(self, news: News) -> "_Message":
        """Return the view that everyone may see."""
        state = self._durable.committed
        shown, receipt = Raw(self._encoder.public(state)), self._closed_bets.receipt(state)
        return _Message(Seen(state.version, self._clock.now(), shown, news), receipt)

    def seen_by(self, watcher: Watcher) -> bytes:
        """Return the table as a message to a player, or to a spectator."""
        owns = self._own_encoder.own(self._durable.committed)
        own = owns.get(watcher.player) if watcher.player is not None else None
        return self._message(self._news()).with_own(own, frozen=watcher.frozen)

    def has_own(self, player: str | None) -> bool:
        """Return whether a player sees more than everyone does."""
        return player is not None and player in self._own_encoder.own(self._durable.committed)


class _Message:
    """A view as JSON, encoded once for everyone; each player's own part is put into it."""

    def __init__(self, public: Seen, receipt: EventReceipt | None) -> None:
        self._start = encode(public)[:-1]
        self._end = b"}" if receipt is None else b',"receipt":%b}' % encode(receipt)

    def with_own(self, own: bytes | None, *, frozen: bool = False) -> bytes:
        """Return the message with a player's own part; ``None``: as spectators get it."""
        end = b',"frozen":true' + self._end if frozen else self._end
        if own is None:
            return self._start + end
        return b"".join((self._start, b',"own":', own, end))
