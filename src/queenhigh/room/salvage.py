"""What is left of a table whose events are damaged: the chips of who sits there.

The table is followed as far as its events are proved. What moved between it and wallets after that
stands in the wallets, each of which is a stream of its own.
"""

from contextlib import suppress
from typing import NamedTuple

from msgspec.json import encode

from queenhigh.errors import QueenhighError
from queenhigh.room.desk import stream_of
from queenhigh.room.wallets import Wallets, wallet_stream
from queenhigh.store.streams import Store
from queenhigh.table.events import decode
from queenhigh.table.evolve import evolve
from queenhigh.table.snapshot import restore
from queenhigh.table.state import State
from queenhigh.table.wallet import BoughtIn, Issued, decode_wallet

__all__ = ["Owed", "find_owed", "last_good", "return_chips"]


class Owed(NamedTuple):
    """Cents by player, and whose wallets can neither be read nor be given anything."""

    cents: dict[str, int]
    unpaid: tuple[str, ...]


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
    """Return what everyone has at a table as of its last good event; this reads every wallet."""
    state = last_good(store, table)
    chips: dict[str, int] = {}
    if state is not None:
        for place, seated in state.places.items():
            chips[seated.player] = state.stack(place) + state.held(place)
    version = state.version if state else 0
    owed, unpaid = dict[str, int](), list[str]()
    prefix = wallet_stream("")
    names = [one.removeprefix(prefix) for one in store.streams() if one.startswith(prefix)]
    for player in {**chips, **dict.fromkeys(names)}:
        try:
            cents = _owed(store, player, table, version, chips.get(player, 0))
        except QueenhighError:
            unpaid += [player] if player in chips else []
        else:
            owed |= {player: cents} if cents else {}
    return Owed(owed, tuple(unpaid))


def _owed(store: Store, player: str, table: str, version: int, cents: int) -> int:
    """Return what a player has at a table, who had some cents there at a version."""
    name = encode(table)
    for row in store.read(wallet_stream(player)):
        if name not in row.event:
            continue
        event = decode_wallet(row.event)
        if isinstance(event, Issued) or event.table != table or event.version <= version:
            continue
        cents = cents + event.cents if isinstance(event, BoughtIn) else 0
    return cents


def return_chips(wallets: Wallets, table: str, owed: Owed, *, at: int, reason: str) -> Owed:
    """Give everyone what they are owed; once, however often this is asked for."""
    paid, unpaid = dict[str, int](), [*owed.unpaid]
    for player, cents in owed.cents.items():
        why = f"table {table} is damaged and closed: {reason}"
        try:
            wallets.issue(player, cents, id=f"abandon.{table}", at=at, reason=why)
        except QueenhighError:
            unpaid.append(player)
        else:
            paid[player] = cents
    return Owed(paid, tuple(unpaid))
