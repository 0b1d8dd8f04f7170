"""The chips that players are owed at a table whose events are damaged.

The table is followed as far as its events are proved. Chips that moved between it and wallets after
that are in the wallets, each of which is a stream of its own.
"""

from contextlib import suppress
from typing import NamedTuple

from msgspec.json import encode

from queenhigh.errors import QueenhighError
from queenhigh.store.streams import Store
from queenhigh.table.commands import FLOOR
from queenhigh.table.ledger import IN_TRANSIT
from queenhigh.table.state import State
from queenhigh.table.streams import table_stream, wallet_stream
from queenhigh.table.wallet import BoughtIn, HandedOver, Issued, TakenOver, decode_wallet
from queenhigh.verify.fold import follow_table, load_saved

__all__ = ["Owed", "abandon_id", "find_owed", "last_good", "may_owe"]


class Owed(NamedTuple):
    """Cents by player, and the players whose wallets can be neither read nor paid."""

    cents: dict[str, int]
    unpaid: tuple[str, ...]


class _Moved(NamedTuple):
    """Chips between a wallet and a table.

    The cents that are at the table, those that went there since a version, and those that the
    player was paid when the table was abandoned.
    """

    cents: int
    since: int
    paid: int


def last_good(store: Store, table: str) -> State | None:
    """Return a table as of its last event that is proved, if there is one."""
    stream = table_stream(table)
    saved = load_saved(store, stream)
    state = saved.state
    with suppress(Exception):  # whatever is wrong, the table is good up to here
        for later in follow_table(store, stream, saved):
            state = later
    return state


def find_owed(store: Store, table: str) -> Owed:
    """Return the chips of everyone at a table as of its last good event; this reads every wallet.

    Where players bank, nobody makes up for what they lost to each other since: all together are
    owed at most the chips that came to the table less those that left it.
    """
    state = last_good(store, table)
    chips = _chips(state)
    version, most = (state.version, -state.balances.get(IN_TRANSIT, 0)) if state else (0, 0)
    owed, unpaid = dict[str, int](), list[str]()
    prefix = wallet_stream("")
    wallets = [stream for stream in store.streams() if stream.startswith(prefix)]
    names = [stream.removeprefix(prefix) for stream in wallets]
    for player in {**chips, **dict.fromkeys(names)}:
        try:
            moved = _moved(store, player, table, version, chips.get(player, 0))
        except QueenhighError:  # nobody knows what became of their chips
            unpaid.append(player)
            continue
        most += moved.since - moved.paid
        if moved.cents and not moved.paid:
            owed[player] = moved.cents
    if state is not None and state.book.bank is not None:
        reserved = sum(chips.get(player, 0) for player in unpaid)
        owed = _capped(owed, reserved, max(0, most))
    return Owed(owed, tuple(unpaid))


def may_owe(store: Store, player: str, table: str) -> bool:
    """Return whether a player's chips went to a table and have not come back, by the wallet."""
    moved = _moved(store, player, table, 0, 0)
    return bool(moved.cents and not moved.paid)


def _chips(state: State | None) -> dict[str, int]:
    """Return the cents that each player may take from a table.

    Where winnings stay at the table, that is at most what the player brought.
    """
    if state is None:
        return {}
    chips = {}
    for place, seated in state.places.items():
        cents = state.stack(place) + state.held(place)
        chips[seated.player] = min(cents, seated.brought) if state.settings.table_chips else cents
    return chips


def _moved(store: Store, player: str, table: str, version: int, cents: int) -> _Moved:
    """Return the chips of a player at a table, who had some cents there at a version."""
    name, id = encode(table), abandon_id(table)
    since = paid = 0
    for row in store.read(wallet_stream(player)):
        if name not in row.event and encode(id) not in row.event:
            continue
        event = decode_wallet(row.event)
        if isinstance(event, Issued):
            paid += event.cents if (event.by, event.id) == (FLOOR, id) else 0
        elif isinstance(event, HandedOver | TakenOver):
            continue
        elif event.table == table and event.version > version:
            bought = isinstance(event, BoughtIn)
            since += event.cents if bought else -event.cents
            cents = cents + event.cents if bought else 0
    return _Moved(cents, since, paid)


def _capped(owed: dict[str, int], reserved: int, most: int) -> dict[str, int]:
    """Return the amounts scaled down so that, with those reserved, they are at most ``most``.

    All are scaled alike, and cents that are left over go to the first players by name.
    """
    total = sum(owed.values()) + reserved
    if total <= most:
        return owed
    parts = {player: cents * most // total for player, cents in sorted(owed.items())}
    left = most - sum(parts.values()) - reserved * most // total - bool(reserved)
    for player in list(parts)[: max(0, left)]:
        parts[player] += 1
    return {player: cents for player, cents in parts.items() if cents}


def abandon_id(table: str) -> str:
    """Return the id of the command that pays players their chips at an abandoned table."""
    return f"abandon.{table}"
