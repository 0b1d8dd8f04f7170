"""A table on a store: events are appended first and announced when they are on disk.

Commands are pipelined: a later one may be decided before the first is on disk. A flush of the store
writes them all, and each is answered then. If an append fails, every later command that depended on
it fails too, and the table is reloaded.
"""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NoReturn

from queenhigh.errors import QueenhighError
from queenhigh.games import GAMES
from queenhigh.room.dealing import Dealing
from queenhigh.room.repeats import check_same
from queenhigh.rulebook.book import Games
from queenhigh.store.streams import Append, Conflict, Lineage, Store
from queenhigh.table.command_log import EventSpan, command_key
from queenhigh.table.commands import (
    CLOCK,
    FLOOR,
    ApproveCorrection,
    Command,
    GiveTime,
    Leave,
    RuleIncident,
    Sit,
    StartChain,
    TopUp,
    VoidRound,
)
from queenhigh.table.decide import step
from queenhigh.table.events import (
    CorrectionMade,
    SeatLeft,
    SeatTaken,
    SeatToppedUp,
    TableEvent,
    decode,
    encode,
)
from queenhigh.table.incidents import is_redeal
from queenhigh.table.snapshot import snapshot
from queenhigh.table.state import Chain, State
from queenhigh.table.streams import table_stream
from queenhigh.verify.fold import follow_table, load_saved
from queenhigh.verify.inference import infer_command

if TYPE_CHECKING:
    from queenhigh.room.wallets import Wallets

__all__ = ["Also", "DurableTable", "Guard", "OnOutcome", "Outcome"]

#: How many events lie between snapshots.
_BETWEEN_SNAPSHOTS = 250
_TRIES = 5
#: The result of a command: its events, ``None`` if there was nothing to do, or an error.
Outcome = EventSpan | Exception | None
OnOutcome = Callable[[Outcome], None]
#: Called with the lineage of a command once the command is queued.
Also = Callable[[Lineage], None]
#: Returns what has to hold when a command is written, as appends without events; it may refuse it.
Guard = Callable[[Command], tuple[Append, ...]]
#: Commands and events that move chips between a table and a wallet.
_MOVES_CHIPS = frozenset({Sit, TopUp, Leave})
_TRANSFERS = frozenset({SeatTaken, SeatToppedUp, SeatLeft, CorrectionMade})
#: Commands that prepare a table's dealing, before any other is decided.
_PREPARES_DEALING = frozenset({StartChain, VoidRound})


def _ignore(outcome: Outcome) -> None:
    """Ignore the outcome of a command that nobody waits for."""


class DurableTable:
    """One table on a store. Use it from one thread."""

    def __init__(
        self,
        store: Store,
        wallets: "Wallets",
        table: str,
        dealing: Dealing,
        games: Games = GAMES,
        guard: Guard = lambda command: (),
    ) -> None:
        self._store, self._wallets, self._dealing = store, wallets, dealing
        self._games, self._guard = games, guard
        self.table, self.stream = table, table_stream(table)
        #: Commands that are being written, by their keys, and the callbacks that wait for them.
        self._waiting: dict[str, tuple[Command, list[OnOutcome]]] = {}
        #: The room's seed that is in use: its chain, whether a round is open, the seed.
        self._current_seed: tuple[Chain | None, bool, bytes | None] = (None, False, None)
        self.reload()

    @property
    def committed(self) -> State:
        """The table as it is on disk: this may be shown."""
        return self._committed_state or self._refuse()

    @property
    def pending(self) -> State:
        """The table as it will be when all that is queued is on disk: this may not be shown.

        After a failure that is the table as it is on disk: nothing queued will be.
        """
        if self._lineage.failed:
            return self.committed
        return self._pending_state or self._refuse()

    def _refuse(self) -> NoReturn:
        raise QueenhighError("table.none", f"there is no table {self.table[:40]!r}")

    @property
    def lineage(self) -> Lineage:
        """The lineage of commands that build on each other; a new one after a failure."""
        return self._lineage

    @property
    def is_open(self) -> bool:
        """Return whether there is a table of this name."""
        return self._committed_state is not None

    def reload(self) -> None:
        """Read the table from its store, from its latest snapshot on."""
        saved = load_saved(self._store, self.stream, self._games)
        state = saved.state
        for later in follow_table(self._store, self.stream, saved, self._games):
            state = later
        self._snapshot_version = saved.version
        self._committed_state: State | None = state
        self._pending_state: State | None = state
        self._lineage = Lineage()

    def execute(self, command: Command, also: Also = lambda lineage: None) -> EventSpan | None:
        """Follow a command; its events are durable when this returns. ``None``: nothing to do.

        ``also`` may queue other appends for the same transaction.
        """
        for _ in range(_TRIES):
            try:
                return self._append(command, also)
            except Conflict:  # another process was faster: read, and decide again
                pass
        return self._append(command, also)

    def _append(self, command: Command, also: Also) -> EventSpan | None:
        """Follow a command, and write it now with all that is queued."""
        outcomes: list[Outcome] = []
        self._store.flush()  # raises inside a flush callback, so that nothing is queued there
        self.submit(command, outcomes.append)
        also(self._lineage)
        self._store.flush()
        outcome = outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def prepare(self, at: int) -> None:
        """Make sure, durably, that the table's next round can be dealt."""
        self._store.flush()
        self._prepare(at)
        self._store.flush()

    def submit(self, command: Command, then: OnOutcome) -> None:
        """Follow a command; a flush of the store makes it durable and calls ``then``."""
        key = command_key(command)
        waiting = self._waiting.get(key)
        if waiting is not None:
            check_same(command, waiting[0], self.pending.book)
            waiting[1].append(then)
            return
        if self._lineage.failed:
            self.reload()
        seed, guards = self._seed(command), self._guard(command)
        if isinstance(command, ApproveCorrection):
            command = self._wallets.with_chips(command)
        before = self._pending_state
        if isinstance(command, RuleIncident):
            self.check_redeal(command)
        events, after = step(before, command, seed, games=self._games)
        if not events:
            known = after.commands.find(key)
            if known is not None:
                check_same(command, self._followed(known.first), after.book)
            then(known)
            return
        if type(command) in _MOVES_CHIPS:
            self._wallets.check(command)
        version = before.version if before else 0
        appends = self._appends(command, version, events, after)
        self._pending_state = after
        span = EventSpan(version + 1, after.version) if command.id else None
        if span is None:
            key = f"{CLOCK}\n{version}"
        self._waiting[key] = (command, [then])
        depends_on = (
            (self._lineage,) if len(appends) == 1 else (self._lineage, self._wallets.lineage)
        )
        finish = partial(self._finish, key, span, after, appends[1:])
        self._store.submit(finish, *appends, *guards, depends_on=depends_on)

    def check_redeal(self, command: RuleIncident) -> None:
        """Refuse to deal again on a chain of before a restart: its next seeds may be known."""
        state = self._pending_state
        if state is not None and is_redeal(state, command) and not self._dealing.is_own(state):
            sentence = "the room was restarted in this round: void the round instead"
            raise QueenhighError("incident.chain", sentence)

    def _prepare(self, at: int) -> None:
        """Void a round that cannot be dealt any more, and start a chain if it is due."""
        state = self._pending_state
        if state is not None and state.round is not None and not self._dealing.is_known(state):
            id, reason = f"void.{state.version}", "the seeds of this round are not from this room"
            void = VoidRound(id=id, by=FLOOR, at=at, round=state.number, reason=reason)
            self.submit(void, _ignore)
            state = self._pending_state
        if state is not None and self._dealing.is_due(state):
            self.submit(self._dealing.start(state, at), _ignore)

    def _seed(self, command: Command) -> bytes | None:
        """Return the room's seed for a command, after preparing the table's dealing."""
        state = self._pending_state
        chain, is_open, seed = self._current_seed
        if (
            state
            and chain is not None
            and chain is state.chain
            and is_open is (state.round is not None)
        ):
            return seed
        if isinstance(command, StartChain):  # it needs no seed, so the old chain is not made
            return None
        if isinstance(command, GiveTime) and (state is None or state.round is None):
            return None  # it opens no round: a table that is only resumed makes no chain
        is_checked = type(command) not in _PREPARES_DEALING
        if is_checked:
            self._prepare(command.at)
            state = self._pending_state
        seed = self._dealing.seed(state)
        if seed is None and state and state.round and not isinstance(command, VoidRound):
            sentence = "the room has lost the dealing key of this round: void it"
            raise QueenhighError("chain.lost", sentence)
        if is_checked and state is not None:
            self._current_seed = (state.chain, state.round is not None, seed)
        return seed

    def _finish(
        self,
        key: str,
        span: EventSpan | None,
        after: State,
        transfers: list[Append],
        error: Exception | None,
    ) -> None:
        if transfers:
            self._wallets.finish(*transfers)
        if error is None and (
            self._committed_state is None or after.version > self._committed_state.version
        ):
            self._committed_state = after
        outcome: Outcome = error or span
        errors = []
        for then in self._waiting.pop(key)[1]:
            try:
                then(outcome)
            except BaseException as failure:  # all are called, even if one raises
                errors.append(failure)
        if errors:
            raise errors[0]

    def _followed(self, version: int) -> Command | None:
        """Return the command that an event followed from, if the store has the event."""
        row = next(iter(self._store.read(self.stream, version - 1)), None)
        return infer_command(decode(row.event)) if row and row.version == version else None

    def _appends(
        self, command: Command, before: int, events: tuple[TableEvent, ...], after: State
    ) -> list[Append]:
        transfers: list[Append] = []
        if not _TRANSFERS.isdisjoint(map(type, events)):
            for version, event in enumerate(events, before + 1):
                if isinstance(event, SeatTaken | SeatToppedUp | SeatLeft):
                    transfers.append(self._wallets.transfer(event, self.table, version))
                elif isinstance(event, CorrectionMade) and isinstance(command, ApproveCorrection):
                    transfers += self._wallets.correct(command, event, self.table, version)
        saved = None
        if after.version - self._snapshot_version >= _BETWEEN_SNAPSHOTS:
            self._snapshot_version, saved = after.version, snapshot(after)
        encoded = tuple([encode(event) for event in events])
        return [Append(self.stream, before, encoded, saved), *transfers]
