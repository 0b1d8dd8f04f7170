"""A wallet with a long history, read again."""

from functools import partial
from pathlib import Path

from bench.measure import Counter
from queenhigh.room.wallets import Wallets
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append
from queenhigh.table.events import SeatLeft, SeatTaken
from queenhigh.table.wallet import Wallet

__all__ = ["read_wallet", "write_long_wallet"]

PLAYER, TABLE = "player", "table"
CHIPS, STACK = 10**6, 100


def write_long_wallet(file: Path, sits: int) -> Wallet:
    """Seat a player and let them leave so many times; return their wallet."""
    store = SqliteStore(file)
    wallets = Wallets(store)
    wallets.issue(PLAYER, CHIPS, id="chips", at=0, reason="to play")
    for number in range(2 * sits):
        kind = SeatLeft if number % 2 else SeatTaken
        event = kind(at=number, by=PLAYER, id=f"{number}", place=1, player=PLAYER, cents=STACK)
        append = wallets.transfer(event, TABLE, number + 1)
        store.submit(partial(_check, wallets, append), append, depends_on=(wallets.lineage,))
        if number % 500 == 0:
            store.flush()
    store.close()
    return wallets.of(PLAYER)


def _check(wallets: Wallets, append: Append, error: Exception | None) -> None:
    assert error is None
    wallets.finish(append)


def read_wallet(file: Path, expected: Wallet, read: Counter, *, snapshot: bool) -> None:
    """Read the wallet from its file; count the events it must stand at."""
    store = SqliteStore(file)
    if not snapshot:
        store.snapshot = lambda stream: None  # type: ignore[method-assign]
    wallet = Wallets(store).of(PLAYER)
    assert wallet == expected
    read.count += wallet.version
    store.close()
