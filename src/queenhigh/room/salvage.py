"""What is left of a table whose events are damaged: the chips of who sits there.

The table is followed as far as its events are proved. What moved between it and wallets after that
stands in the wallets, each of which is a stream of its own.
"""

from contextlib import suppress
from typing import NamedTuple

from msgspec.json import encode

from queenhigh.errors import QueenhighError
from queenhigh.room.desk import stream_of
from queenhigh.room.wallets import wallet_stream
from queenhigh.store.streams import Store
from queenhigh.table.commands import FLOOR
from queenhigh.table.events import decode
from queenhigh.table.evolve import evolve
from queenhigh.table.ledger import IN_TRANSIT
from queenhigh.table.snapshot import restore
from queenhigh.table.state import State, is_banked
from queenhigh.table.wallet import BoughtIn, Issued, decode_wallet

__all__ = ["Owed", "abandon_id", "find_owed", "last_good"]


class Owed(NamedTuple):
    """Cents by player, and the players whose wallets can neither be read nor be given anything."""

    cents: dict[str, int]
    unpaid: tuple[str, ...]


class _Moved(NamedTuple):
    """What a wallet says of a table.

    The cents that are there, those that went there since a version, and those that the player was
    given when the table was abandoned.
    """

    cents: int
    since: int
    paid: int


def last_good(store: Store, table: str) -> State | None:
    """Return a table as of its last event that is proved, if there is one."""
    stream = stream_of(table)
    kept = store.snapshot(stream)
    state = restore(kept.state) if kept is not None else None
    since = kept.hash if kept is not None and state is not None else None
    with suppress(Exception):  # whatever is wrong, this is as far as it goes
        for row in store.read(stream, state.version if state else 0, since):
            state = evolve(state, decode(row.event))
    return state


def find_owed(store: Store, table: str) -> Owed:
    """Return what everyone has at a table as of its last good event; this reads every wallet.

    Where players bank, nobody makes up for what they lost to each other since: all together are
    owed at most what came to the table less what left it.
    """
    state = last_good(store, table)
    chips = _chips(state)
    version, most = (state.version, -state.balances.get(IN_TRANSIT, 0)) if state else (0, 0)
    owed, unpaid = dict[str, int](), list[str]()
    prefix = wallet_stream("")
    names = [one.removeprefix(prefix) for one in store.streams() if one.startswith(prefix)]
    for player in {**chips, **dict.fromkeys(names)}:
        try:
            moved = _moved(store, player, table, version, chips.get(player, 0))
        except QueenhighError:  # who knows what came of their chips
            unpaid.append(player)
            continue
        most += moved.since - moved.paid
        if moved.cents and not moved.paid:
            owed[player] = moved.cents
    if state is not None and is_banked(state.book):
        kept = sum(chips.get(player, 0) for player in unpaid)
        owed = _capped(owed, kept, max(0, most))
    return Owed(owed, tuple(unpaid))


def _chips(state: State | None) -> dict[str, int]:
    """Return the cents that everyone may take from a table.

    Where chips that were won stay at the table, that is at most what each player brought.
    """
    if state is None:
        return {}
    chips = {}
    for place, seated in state.places.items():
        cents = state.stack(place) + state.held(place)
        chips[seated.player] = min(cents, seated.brought) if state.settings.table_chips else cents
    return chips


def _moved(store: Store, player: str, table: str, version: int, cents: int) -> _Moved:
    """Return what a player has at a table, who had some cents there at a version."""
    name, id = encode(table), abandon_id(table)
    since = paid = 0
    for row in store.read(wallet_stream(player)):
        if name not in row.event and encode(id) not in row.event:
            continue
        event = decode_wallet(row.event)
        if isinstance(event, Issued):
            paid += event.cents if (event.by, event.id) == (FLOOR, id) else 0
        elif event.table == table and event.version > version:
            bought = isinstance(event, BoughtIn)
            since += event.cents if bought else -event.cents
            cents = cents + event.cents if bought else 0
    return _Moved(cents, since, paid)


def _capped(owed: dict[str, int], kept: int, most: int) -> dict[str, int]:
    """Return what everyone gets if all together, with what is kept for others, get at most so much.

    Everyone gets the same part, and cents that are left over go to the first by name.
    """
    total = sum(owed.values()) + kept
    if total <= most:
        return owed
    parts = {player: cents * most // total for player, cents in sorted(owed.items())}
    left = most - sum(parts.values()) - kept * most // total - bool(kept)
    for player in list(parts)[: max(0, left)]:
        parts[player] += 1
    return {player: cents for player, cents in parts.items() if cents}


def abandon_id(table: str) -> str:
    """Return the id by which players are given what they had at a table that is given up."""
    return f"abandon.{table}"
