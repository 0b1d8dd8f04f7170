"""The wallets of a room, each read from its stream, from its latest snapshot on.

A few thousand stay in memory, and none is dropped while an append is queued for it. The ids that a
wallet has used are not part of it: the store looks them up in an index.
"""

from collections import OrderedDict
from functools import partial
from itertools import islice

from msgspec.structs import replace

from queenhigh.errors import QueenhighError, Refused
from queenhigh.store.streams import (
    Append,
    ArchivedStream,
    Conflict,
    DamagedStream,
    Lineage,
    Store,
)
from queenhigh.table.commands import FLOOR, ApproveCorrection, Command
from queenhigh.table.draft import refuse
from queenhigh.table.events import CorrectionMade, SeatLeft, SeatTaken, SeatToppedUp, encode
from queenhigh.table.streams import wallet_stream
from queenhigh.table.wallet import (
    CashedOut,
    HandedOver,
    Wallet,
    WalletEvent,
    correct,
    decode_wallet,
    evolve_wallet,
    hand_over,
    issue,
    own_key,
    pack_wallet,
    transfer,
    unpack_wallet,
    used_key,
)
from queenhigh.verify.fold import follow_wallet

__all__ = ["Wallets"]

#: How many events lie between snapshots.
_BETWEEN_SNAPSHOTS = 250
#: How many wallets stay in memory.
_MOST_KNOWN = 4096
_TRIES = 5


def _ignore(error: Exception | None) -> None:
    """Do nothing: a snapshot that could not be written is not needed."""


class _Known:
    """A wallet including the appends queued for it, and the version of its latest snapshot."""

    __slots__ = ("queued", "snapshot_version", "wallet")

    def __init__(self, wallet: Wallet, snapshot_version: int) -> None:
        self.wallet, self.snapshot_version = wallet, snapshot_version
        self.queued: list[Append] = []


class Wallets:
    """The wallets of a room. Use them from one thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._lineage = Lineage()

    @property
    def lineage(self) -> Lineage:
        """The lineage of transfers; a new one after a failure."""
        return self._lineage

    def of(self, player: str) -> Wallet:
        """Return a player's wallet, including the appends queued for it."""
        known = self._look_up(player)
        if self._store.is_shared and not known.queued:
            version = self._store.version(wallet_stream(player))
            if version != known.wallet.version:  # another process has moved chips
                del self._known[player]
                known = self._look_up(player)
        return known.wallet

    def forget(self) -> None:
        """Forget what was read, so that it is read again: the database was replaced."""
        self._known.clear()

    def check(self, command: Command) -> None:
        """Raise if a command with this id moved chips before, however long ago."""
        if self._is_used(command.by, used_key(command.by, command.id)):
            raise Refused("id.used", "this command was already executed: use a new id")

    def issue(self, player: str, cents: int, *, id: str, at: int, reason: str) -> None:
        """Give a player play chips."""
        for _ in range(_TRIES):
            self._store.flush()
            append = self.give(player, cents, id=id, at=at, reason=reason)
            if append is None:
                return
            outcome = self._write(append)
            if outcome is None:
                return
            if not isinstance(outcome, Conflict):
                raise outcome
            # Another process wrote first: read the wallet and decide again.
        raise QueenhighError("store.busy", "too many concurrent changes: try again")

    def give(self, player: str, cents: int, *, id: str, at: int, reason: str) -> Append | None:
        """Return the append that gives a player chips; ``None`` for a used id.

        It counts as queued until :meth:`finish` is called with it.
        """
        is_used = partial(self._is_used, player)
        event = issue(is_used, id=id, by=FLOOR, at=at, cents=cents, reason=reason)
        return None if event is None else self._queue(player, event)

    def issue_soon(self, player: str, cents: int, *, id: str, at: int, reason: str) -> None:
        """Give a player play chips with the store's next flush.

        If that fails, every command that spends these chips fails too.
        """
        append = self.give(player, cents, id=id, at=at, reason=reason)
        if append is not None:
            finish = partial(self._finished, append)
            self._store.submit(finish, append, depends_on=(self._lineage,))

    def hand_over(
        self, player: str, to: str, *, id: str, at: int, version: int
    ) -> tuple[Append, Append]:
        """Return the appends that move all chips of a player to their wallet under a new name.

        Refuse if the wallet is not at ``version`` any more: the player has sat down meanwhile. The
        appends count as queued until :meth:`finish` is called with them.
        """
        wallet, is_used = self.of(player), partial(self._is_used, player)
        if wallet.version != version:
            raise Refused("wallet.changed", "your chips were moved at the same moment: try again")
        handed, taken = hand_over(wallet, self.of(to), is_used, id=id, by=player, at=at)
        return self._queue(player, handed), self._queue(to, taken)

    def _finished(self, append: Append, error: Exception | None) -> None:
        self.finish(append)

    def _write(self, append: Append) -> Exception | None:
        """Write an append with all that is queued; return its error, if it failed."""
        outcomes: list[Exception | None] = []

        def finish(error: Exception | None) -> None:
            self.finish(append)
            outcomes.append(error)

        self._store.submit(finish, append, depends_on=(self._lineage,))
        self._store.flush()
        return outcomes[0]

    def transfer(
        self, event: SeatTaken | SeatToppedUp | SeatLeft, table: str, version: int
    ) -> Append:
        """Return the append to a wallet when chips go to a table or come back.

        It counts as queued until :meth:`finish` is called with it.
        """
        player = event.player
        is_used = partial(self._is_used, player)
        return self._queue(player, transfer(self.of(player), is_used, event, table, version))

    def correct(
        self, command: ApproveCorrection, event: CorrectionMade, table: str, version: int
    ) -> list[Append]:
        """Return the appends to the wallets that a correction moves chips of, by place.

        The others that it was decided by are in appends without events: a wallet that changes
        before this is written makes it fail. They count as queued until :meth:`finish` is called
        with them.
        """
        looked_up = {*command.names, *command.names.values()}
        now = {player: self.of(player) for player in sorted(looked_up)}
        has_moved = any(now[player].cents != cents for player, cents in command.wallets.items())
        names = command.names.items()
        if has_moved or any(self.name_of_today(player) != name for player, name in names):
            refuse("wallet.changed", "a wallet has just changed: approve the correction again")
        moved = {row.player: row for row in event.chips if row.seat is None}
        decided = {
            player: correct(now[player], event, row.cents, table, version)
            for player, row in moved.items()
        }
        unmoved = [
            Append(wallet_stream(player), wallet.version, ())
            for player, wallet in now.items()
            if player not in decided
        ]
        return [*[self._queue(player, event) for player, event in decided.items()], *unmoved]

    def with_chips(self, command: ApproveCorrection) -> ApproveCorrection:
        """Return a command with today's names of its round's players, and what they have."""
        names = {
            player: self.name_of_today(player)
            for player in (command.past.players.values() if command.past else ())
        }
        wallets = {name: self.of(name).cents for name in names.values()}
        return replace(command, names=names, wallets=wallets)

    def name_of_today(self, player: str) -> str:
        """Return the name of a player whose chips may have gone to another name since."""
        while True:  # as written: chips are handed over in a commit of their own
            version = self._store.version(wallet_stream(player))
            rows = self._store.read(wallet_stream(player), max(0, version - 1))
            last = [decode_wallet(row.event) for row in rows][-1:]
            if not last or not isinstance(last[0], HandedOver):
                return player
            player = last[0].to

    def finish(self, *appends: Append) -> None:
        """Note that appends are no longer queued: they are written, or have failed."""
        for append in appends:
            known = self._known.get(append.stream.removeprefix(wallet_stream("")))
            if known is not None:  # compared by identity: a later append may be equal
                known.queued = [queued for queued in known.queued if queued is not append]

    def _look_up(self, player: str) -> _Known:
        if self._lineage.failed:
            self._known, self._lineage = OrderedDict(), Lineage()
        if player in self._known:
            self._known.move_to_end(player)
        else:
            self._forget_some()
            self._known[player] = self._read(player)
        return self._known[player]

    def _read(self, player: str) -> _Known:
        stream = wallet_stream(player)
        saved = self._store.snapshot(stream)
        wallet = unpack_wallet(saved.state, player, saved.version) if saved else None
        wallet = wallet or Wallet(player)
        snapshot_version = wallet.version
        since = saved.hash if saved is not None and snapshot_version else None
        try:
            wallet = follow_wallet(wallet, self._store.read(stream, snapshot_version, since))
        except ArchivedStream:  # only tables are archived
            raise DamagedStream(stream, snapshot_version) from None
        # A long wallet without a snapshot was restored, or is older than snapshots.
        if wallet.version - snapshot_version >= 2 * _BETWEEN_SNAPSHOTS:
            snapshot_version = wallet.version
            self._store.submit(_ignore, Append(stream, snapshot_version, (), pack_wallet(wallet)))
        return _Known(wallet, snapshot_version)

    def _forget_some(self) -> None:
        """Drop the wallets that were not used for longest and have no append queued."""
        over = len(self._known) - _MOST_KNOWN + 1
        if over > 0:
            idle = (player for player, known in self._known.items() if not known.queued)
            for player in list(islice(idle, over)):
                del self._known[player]

    def _is_used(self, player: str, key: str) -> bool:
        queued = self._look_up(player).queued
        if any(key in append.keys for append in queued):
            return True
        return self._store.is_used(wallet_stream(player), key)

    def _queue(self, player: str, event: WalletEvent) -> Append:
        """Return the append of a decided event, and count it as queued."""
        known = self._look_up(player)
        before, wallet = known.wallet, evolve_wallet(known.wallet, event)
        keys = self._keys(player, event)
        snapshot = None
        if wallet.version - known.snapshot_version >= _BETWEEN_SNAPSHOTS:
            known.snapshot_version, snapshot = wallet.version, pack_wallet(wallet)
        append = Append(wallet_stream(player), before.version, (encode(event),), snapshot, keys)
        known.wallet = wallet
        known.queued.append(append)
        return append

    def _keys(self, player: str, event: WalletEvent) -> tuple[str, ...]:
        """Return the keys that an event uses.

        Chips may come back by a command whose id its player used before, elsewhere.
        """
        key = own_key(player, event)
        known = isinstance(event, CashedOut) and key is not None and self._is_used(player, key)
        return () if key is None or known else (key,)
