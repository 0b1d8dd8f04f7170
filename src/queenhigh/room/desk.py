"""A table on a store: append, then announce.

Commands may follow one another before the first is on disk; a flush of the store writes them all,
and each is answered then. If an append fails, everything decided after it fails with it, and the
table is read again.
"""

from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from typing import TYPE_CHECKING

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.room.asked import command_of
from queenhigh.room.dealing import Dealing
from queenhigh.room.repeats import check_same
from queenhigh.store.streams import Append, Belief, Conflict, Store
from queenhigh.table.commands import (
    CLOCK,
    FLOOR,
    Command,
    Leave,
    Sit,
    StartChain,
    TopUp,
    VoidRound,
)
from queenhigh.table.decide import step
from queenhigh.table.events import (
    SeatLeft,
    SeatTaken,
    SeatToppedUp,
    TableEvent,
    decode,
    encode,
)
from queenhigh.table.evolve import evolve
from queenhigh.table.snapshot import restore, snapshot
from queenhigh.table.state import Answer, Chain, State, answer, answer_key

if TYPE_CHECKING:
    from queenhigh.room.wallets import Wallets

__all__ = ["Also", "Desk", "Outcome", "Then", "stream_of"]

#: How many events lie between snapshots.
_BETWEEN_SNAPSHOTS = 5_000
_TRIES = 5
#: What a command comes to: its answer, nothing, or what was wrong. Told to who asked.
Outcome = Answer | Exception | None
Then = Callable[[Outcome], None]
#: Gets the belief that a command was decided on, once the command is queued.
Also = Callable[[Belief], None]
_OF_WALLETS = frozenset({Sit, TopUp, Leave})
#: What a table is put in order with, before anything else is decided.
_OF_DEALING = frozenset({StartChain, VoidRound})


def _nobody(outcome: Outcome) -> None:
    """Take an outcome that nobody waits for."""


def stream_of(table: str) -> str:
    """Return the name of a table's stream."""
    return f"table/{table}"


class Desk:
    """One table. Use it from one thread."""

    def __init__(self, store: Store, wallets: "Wallets", table: str, dealing: Dealing) -> None:
        self._store, self._wallets, self._dealing = store, wallets, dealing
        self.table, self.stream = table, stream_of(table)
        #: Commands that are being written, by their keys, and who waits for them.
        self._pending: dict[str, tuple[Command, list[Then]]] = {}
        #: The room's seed, with what it is the seed of.
        self._known: tuple[Chain | None, bool, bytes | None] = (None, False, None)
        self.reload()

    @property
    def state(self) -> State:
        """The table as it is on disk: this may be shown."""
        assert self._state is not None, "the table is open"
        return self._state

    @property
    def ahead(self) -> State:
        """The table as it will be when what is queued is on disk: this may not be shown."""
        assert self._ahead is not None, "the table is open"
        return self._ahead

    @property
    def belief(self) -> Belief:
        """What commands are decided upon until one fails."""
        return self._belief

    @property
    def is_open(self) -> bool:
        """Tell whether there is a table of this name."""
        return self._state is not None

    def reload(self) -> None:
        """Read the table from its store."""
        kept = self._store.snapshot(self.stream)
        state = restore(kept.state) if kept is not None else None
        self._kept_at = state.version if state else 0
        since = kept.hash if kept is not None and state is not None else None
        try:
            for row in self._store.read(self.stream, self._kept_at, since):
                state = evolve(state, decode(row.event))
        except (BrokenLog, LookupError, ValueError):
            told = f"the events of table {self.table} do not fit together: see queenhigh verify"
            raise QueenhighError("table.broken", told) from None
        self._state: State | None = state
        self._ahead: State | None = state
        self._belief = Belief()

    def execute(self, command: Command, also: Also = lambda belief: None) -> Answer | None:
        """Follow a command; its events are durable when this returns. ``None``: nothing to do.

        ``also`` may queue what has to be written in the same transaction.
        """
        for _ in range(_TRIES):
            try:
                return self._append(command, also)
            except Conflict:  # another process was faster: read, and decide again
                pass
        return self._append(command, also)

    def _append(self, command: Command, also: Also) -> Answer | None:
        """Follow a command, and write it at once with all that is queued."""
        outcomes: list[Outcome] = []
        self._store.flush()  # which refuses who is being told of a flush: nothing is queued then
        self.submit(command, outcomes.append)
        also(self._belief)
        self._store.flush()
        outcome = outcomes[0]
        if isinstance(outcome, Exception):
            raise outcome
        return outcome

    def prepare(self, at: int) -> None:
        """Put the table's dealing in order, durably: see that its next round can be dealt."""
        self._store.flush()
        self._prepare(at)
        self._store.flush()

    def submit(self, command: Command, then: Then) -> None:
        """Follow a command; a flush of the store makes it durable and tells the answer."""
        key = answer_key(command)
        waiting = self._pending.get(key)
        if waiting is not None:
            check_same(command, waiting[0], self.ahead.book)
            waiting[1].append(then)
            return
        if self._belief.failed:
            self.reload()
        seed = self._seed(command)
        before = self._ahead
        events, after = step(before, command, seed)
        if not events:
            known = answer(after, command)
            if known is not None:
                check_same(command, self._followed(known.first), after.book)
            then(known)
            return
        if type(command) in _OF_WALLETS:
            self._wallets.check(command)
        version = before.version if before else 0
        appends = self._appends(version, events, after)
        self._ahead = after
        if not command.id:
            key = f"{CLOCK}\n{version}"
        self._pending[key] = (command, [then])
        upon = (self._belief,) if len(appends) == 1 else (self._belief, self._wallets.belief)
        finish = partial(self._finish, key, after, appends[1:])
        self._store.submit(finish, *appends, upon=upon)

    def _prepare(self, at: int) -> None:
        """Void a round that cannot be dealt any more, and start a chain where one is due."""
        state = self._ahead
        if state is not None and state.round is not None and not self._dealing.is_known(state):
            id, reason = f"void.{state.version}", "the room's seeds of this round are not its own"
            self.submit(VoidRound(id=id, by=FLOOR, at=at, reason=reason), _nobody)
            state = self._ahead
        if state is not None and self._dealing.is_due(state):
            self.submit(self._dealing.start(state, at), _nobody)

    def _seed(self, command: Command) -> bytes | None:
        """Return the room's seed for a command, once the table's dealing is in order."""
        state = self._ahead
        chain, is_open, seed = self._known
        if (
            state
            and chain is not None
            and chain is state.chain
            and is_open is (state.round is not None)
        ):
            return seed
        is_checked = type(command) not in _OF_DEALING
        if is_checked:
            self._prepare(command.at)
            state = self._ahead
        seed = self._dealing.seed(state)
        if seed is None and state and state.round and not isinstance(command, VoidRound):
            sentence = "the room has lost the key this round is dealt with: it must be voided"
            raise QueenhighError("chain.lost", sentence)
        if is_checked and state is not None:
            self._known = (state.chain, state.round is not None, seed)
        return seed

    def _finish(
        self, key: str, after: State, transfers: list[Append], error: Exception | None
    ) -> None:
        self._wallets.finish(*transfers)
        if error is None and (self._state is None or after.version > self._state.version):
            self._state = after
        told: Outcome = error or after.answers.get(key)
        with ExitStack() as all_of_them:  # are told, also if one fails to listen
            for then in self._pending.pop(key)[1]:
                all_of_them.callback(then, told)

    def _followed(self, version: int) -> Command | None:
        """Return the command that an event followed from, if the store has the event."""
        row = next(iter(self._store.read(self.stream, version - 1)), None)
        return command_of(decode(row.event)) if row and row.version == version else None

    def _appends(self, before: int, events: tuple[TableEvent, ...], after: State) -> list[Append]:
        transfers = [
            self._wallets.transfer(event, self.table, version)
            for version, event in enumerate(events, before + 1)
            if isinstance(event, SeatTaken | SeatToppedUp | SeatLeft)
        ]
        kept = None
        if after.version - self._kept_at >= _BETWEEN_SNAPSHOTS:
            self._kept_at, kept = after.version, snapshot(after)
        own = Append(self.stream, before, tuple([encode(one) for one in events]), kept)
        return [own, *transfers]
