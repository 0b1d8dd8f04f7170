"""The ports of a live table: what it is given, so that it reaches for nothing of the server.

The server passes in its clock, its rows, its figures, its commits and a few callables; the parts
of a table see the table itself as ``TableControl``, and people who look on as ``Watcher``.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from queenhigh.errors import QueenhighError
from queenhigh.room.durable_table import DurableTable
from queenhigh.server.admin_rows import NOTHING, AdminChange
from queenhigh.server.admin_store import OpenedRow
from queenhigh.server.event_receipt import SignsReceipts
from queenhigh.server.stop_log import LoggedStop
from queenhigh.table.command_log import EventSpan
from queenhigh.table.commands import ChangeTable, Command
from queenhigh.table.state import State

__all__ = [
    "Clock",
    "Commits",
    "ListedTable",
    "LiveTables",
    "OnBotFailure",
    "Others",
    "Refreshable",
    "Sender",
    "StreamWriter",
    "TableControl",
    "TablePorts",
    "Watcher",
]


class Clock(Protocol):
    """The room's clock, in milliseconds."""

    def now(self) -> int:
        """Return the time since 1970."""

    def elapsed(self) -> int:
        """Return the time since some moment; setting the clock does not change it."""


class Refreshable(Protocol):
    """A table that can be shown."""

    def refresh(self) -> None:
        """Show the table as it is on disk, if it has changed."""

    def fail(self, error: Exception) -> None:
        """Recover from an error in ``refresh``."""


class Sender(Protocol):
    """A socket with queued messages."""

    def write(self) -> None:
        """Send the queued messages."""


class Watcher(Protocol):
    """Somebody who gets the view of a table whenever it has changed."""

    player: str | None
    session: bytes
    address: str
    frozen: bool

    def show(self, message: bytes) -> None:
        """Queue a view; do not wait."""

    def write(self) -> None:
        """Send what is queued."""

    def end(self, code: str, message: str) -> None:
        """Close the connection with a code and a message."""


class Commits(Protocol):
    """Writes what tables queue in the store, and then shows it."""

    def schedule_commit(self, table: Refreshable) -> None:
        """Commit soon what a table has queued, then refresh the table."""

    def schedule_refresh(self, table: Refreshable) -> None:
        """Refresh a table soon, with the next commit if there is one."""


class TableRows(Protocol):
    """The rows of tables in the admin store."""

    def opened(self, name: str) -> OpenedRow:
        """Return the row of a table."""

    def disable(self, name: str, *, disabled: bool, note: AdminChange = NOTHING) -> None:
        """Save whether a table begins no new round."""

    def keep_change(
        self, name: str, change: ChangeTable | None, note: AdminChange = NOTHING
    ) -> None:
        """Save a change of the rules that waits for a round to end."""

    def keep_closing(self, name: str) -> None:
        """Save that the owner of a table wants it closed."""

    def acted(
        self,
        time_ms: int,
        actor: str,
        action: str,
        subject: str,
        *,
        change: tuple[Any, Any],
        reason: str,
    ) -> AdminChange:
        """Return an entry of the floor's log; refuse an actor who may not do this."""

    def log(self, acted: Callable[[], AdminChange]) -> None:
        """Write an entry of the floor's log by itself."""

    def last_stop(self, table: str) -> LoggedStop | None:
        """Return the last stop of a table's clock by the floor."""


class TableMetrics(Protocol):
    """The figures of tables."""

    def observe_command(self, seconds: float) -> None:
        """Record how long a command took from its arrival to its reply."""

    def count_round(self, game: str, how: str) -> None:
        """Count a round that ended."""


class ListedTable(Protocol):
    """A table as the lobby lists it, whichever process holds it."""

    @property
    def name(self) -> str:
        """The name of the table."""

    @property
    def state(self) -> State:
        """The table as it is on disk."""

    @property
    def owner(self) -> str | None:
        """The player whose table it is; none: it is the room's."""

    @property
    def disabled(self) -> bool:
        """Whether the floor has paused it."""

    @property
    def practice(self) -> bool:
        """Whether it is its owner's for practice."""

    @property
    def opened_from(self) -> str | None:
        """The network that its owner opened it from, if this process knows it."""

    @property
    def watching(self) -> int:
        """How many sockets watch it."""


class StreamWriter(Protocol):
    """The part of a store that writes the streams of held tables."""

    def hold(self, stream: str, token: int) -> None:
        """Write to a stream with a token from now on."""

    def release(self, stream: str) -> None:
        """Write to a stream no more."""


class LiveTables(Protocol):
    """The live tables of this process."""

    def take_over(self, name: str) -> bool:
        """Resume a table; return whether it is live: a closed one is not."""

    def give_up(self, name: str) -> None:
        """End a table here: another process holds it."""

    def idle_tables(self) -> list[str]:
        """Return the tables at which no round is under way and nobody watches."""

    def is_live(self, name: str) -> bool:
        """Return whether a table is live in this process."""

    def watching(self) -> dict[str, int]:
        """Return how many sockets watch each table."""

    def commit(self) -> None:
        """Write everything that is queued."""

    def forget_room(self) -> None:
        """Forget what was read of wallets and of other processes' tables."""


class Others(Protocol):
    """The other processes that serve the room, and the tables they hold."""

    def names(self) -> list[str]:
        """Return the tables that are not live in this process, and not closed."""

    def watching(self, name: str) -> int:
        """Return how many sockets watch a table that another process holds."""

    def claim(self, name: str) -> None:
        """Hold a table that is about to be opened."""

    def check_claim(self, name: str) -> None:
        """Read a table that was claimed and could not be opened: perhaps it was written."""

    def close_table(self, name: str) -> None:
        """Note that a table is closed, so that no process takes it."""


#: Called with the name of a bot that could not sit down, and the error.
OnBotFailure = Callable[[str, Exception], None]


@dataclass(frozen=True)
class TablePorts:
    """What the server gives to a live table."""

    clock: Clock
    rows: TableRows
    metrics: TableMetrics
    receipts: SignsReceipts
    commits: Commits
    #: The notices that are shown at a table.
    notices: Callable[[str], tuple[str, ...]]
    #: Logs an error of a table.
    note: Callable[[str, Exception], None]
    is_stopped: Callable[[], bool]
    #: Returns an error while another process may hold the table.
    staleness: Callable[[], QueenhighError | None]
    #: Whether the room has nearly as many tables as it may have.
    is_crowded: Callable[[], bool]
    #: Returns those of some players whose accounts are frozen.
    frozen_among: Callable[[Iterable[str]], Collection[str]]
    #: Called with a table that is closed, and with one that cannot continue.
    on_closed: Callable[[str], None]
    on_damaged: Callable[[str, Exception], None]
    #: Seat bots with chips, and top up one bot that has few.
    seat_bots: Callable[[DurableTable, list[str], OnBotFailure], None]
    refill_bot: Callable[[DurableTable, str], None]
    #: The shortest and the longest time a bot takes for a decision, in seconds.
    bots_think: tuple[float, float]


class TableControl(Protocol):
    """A live table as its bots and its closing see it."""

    durable: DurableTable
    watchers: set[Watcher]

    @property
    def is_paused(self) -> bool:
        """Whether the floor has disabled the table and no round is under way."""

    def submit(self, command: Command) -> None:
        """Submit a command that nobody waits for."""

    async def submit_and_wait(self, command: Command) -> EventSpan | None:
        """Submit a command, and wait until its events are on disk."""

    def schedule_refresh(self) -> None:
        """Refresh the table soon, although no event has changed it."""

    def seen_by(self, watcher: Watcher) -> bytes:
        """Return the table as a message to a watcher."""
