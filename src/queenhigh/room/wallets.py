"""The wallets of a room: each a fold of its stream, from its latest snapshot on.

A few thousand are kept in memory, and none is given up while something is queued for it. Which ids
a wallet has used is not part of it: the store answers that by its index.
"""

from collections import OrderedDict
from functools import partial
from itertools import islice

from queenhigh.errors import QueenhighError, Refused
from queenhigh.store.streams import (
    Append,
    ArchivedStream,
    Belief,
    Conflict,
    DamagedStream,
    Store,
)
from queenhigh.table.commands import FLOOR, Command
from queenhigh.table.events import SeatLeft, SeatTaken, SeatToppedUp, encode
from queenhigh.table.wallet import (
    CashedOut,
    Wallet,
    WalletEvent,
    decode_wallet,
    evolve_wallet,
    issue,
    own_key,
    pack_wallet,
    transfer,
    unpack_wallet,
    used_key,
)

__all__ = ["Wallets", "wallet_stream"]

#: How many events lie between snapshots.
_BETWEEN_SNAPSHOTS = 250
#: How many wallets stay in memory.
_MOST_KNOWN = 4096
_TRIES = 5


def wallet_stream(player: str) -> str:
    """Return the name of a player's stream."""
    return f"wallet/{player}"


def _ignore(error: Exception | None) -> None:
    """Do nothing: a snapshot that could not be written is not missed."""


class _Known:
    """A wallet with what is queued for it, and the version of its latest snapshot."""

    __slots__ = ("queued", "snapshot_at", "wallet")

    def __init__(self, wallet: Wallet, snapshot_at: int) -> None:
        self.wallet, self.snapshot_at = wallet, snapshot_at
        self.queued: list[Append] = []


class Wallets:
    """The wallets of a room. Use them from one thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: OrderedDict[str, _Known] = OrderedDict()
        self._belief = Belief()

    @property
    def belief(self) -> Belief:
        """What transfers are decided upon."""
        return self._belief

    def of(self, player: str) -> Wallet:
        """Return a player's wallet, with what is queued for it."""
        return self._look_up(player).wallet

    def check(self, command: Command) -> None:
        """Refuse a command that moved chips before, however long ago."""
        if self._is_used(command.by, used_key(command.by, command.id)):
            raise Refused("id.used", "this command was followed before: make a new id")

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
            # Another process was faster: read, and decide again.
        raise QueenhighError("store.busy", "others write too fast: try again")

    def give(self, player: str, cents: int, *, id: str, at: int, reason: str) -> Append | None:
        """Return what a wallet's stream gets when a player is given chips; nothing for a used id.

        It counts as queued until :meth:`finish` is called with it.
        """
        is_used = partial(self._is_used, player)
        event = issue(is_used, id=id, by=FLOOR, at=at, cents=cents, reason=reason)
        return None if event is None else self._queue(player, event)

    def issue_soon(self, player: str, cents: int, *, id: str, at: int, reason: str) -> None:
        """Give a player play chips with the store's next flush.

        If that fails, whatever was decided on these chips fails too.
        """
        append = self.give(player, cents, id=id, at=at, reason=reason)
        if append is not None:
            finish = partial(self._finished, append)
            self._store.submit(finish, append, upon=(self._belief,))

    def _finished(self, append: Append, error: Exception | None) -> None:
        self.finish(append)

    def _write(self, append: Append) -> Exception | None:
        """Write an append with all that is queued; return what is wrong with it."""
        outcomes: list[Exception | None] = []

        def finish(error: Exception | None) -> None:
            self.finish(append)
            outcomes.append(error)

        self._store.submit(finish, append, upon=(self._belief,))
        self._store.flush()
        return outcomes[0]

    def transfer(
        self, event: SeatTaken | SeatToppedUp | SeatLeft, table: str, version: int
    ) -> Append:
        """Return what a wallet's stream gets when chips go to a table or come back.

        It counts as queued until :meth:`finish` is called with it.
        """
        player = event.player
        is_used = partial(self._is_used, player)
        return self._queue(player, transfer(self.of(player), is_used, event, table, version))

    def finish(self, *appends: Append) -> None:
        """Note that appends are queued no more: they are written, or have failed."""
        for append in appends:
            known = self._known.get(append.stream.removeprefix(wallet_stream("")))
            if known is not None:  # of these very appends: others may be equal since a failure
                known.queued = [one for one in known.queued if one is not append]

    def _look_up(self, player: str) -> _Known:
        if self._belief.failed:
            self._known, self._belief = OrderedDict(), Belief()
        if player in self._known:
            self._known.move_to_end(player)
        else:
            self._forget_some()
            self._known[player] = self._read(player)
        return self._known[player]

    def _read(self, player: str) -> _Known:
        stream = wallet_stream(player)
        kept = self._store.snapshot(stream)
        wallet = unpack_wallet(kept.state, player, kept.version) if kept else None
        wallet = wallet or Wallet(player)
        snapshot_at = wallet.version
        since = kept.hash if kept is not None and snapshot_at else None
        try:
            for row in self._store.read(stream, snapshot_at, since):
                wallet = evolve_wallet(wallet, decode_wallet(row.event))
        except ArchivedStream:  # only tables are archived
            raise DamagedStream(stream, snapshot_at) from None
        if (
            wallet.version - snapshot_at >= 2 * _BETWEEN_SNAPSHOTS
        ):  # restored, or older than snapshots
            snapshot_at = wallet.version
            self._store.submit(_ignore, Append(stream, snapshot_at, (), pack_wallet(wallet)))
        return _Known(wallet, snapshot_at)

    def _forget_some(self) -> None:
        """Give up wallets that nobody asked for lately and nothing is queued for."""
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
        """Return the append of an event that was decided, and count it as queued."""
        known = self._look_up(player)
        before, wallet = known.wallet, evolve_wallet(known.wallet, event)
        keys = self._keys(player, event)
        snapshot = None
        if wallet.version - known.snapshot_at >= _BETWEEN_SNAPSHOTS:
            known.snapshot_at, snapshot = wallet.version, pack_wallet(wallet)
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
