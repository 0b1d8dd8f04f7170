"""Abandoning a damaged table: chips, the floor's entry and the table's row, in one transaction."""

from typing import NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.room.room import Room
from queenhigh.room.salvage import Owed, abandon_id
from queenhigh.server.admin_rows import NOTHING, AdminChange, joined
from queenhigh.server.admin_store import AdminStore
from queenhigh.server.ports import Clock
from queenhigh.store.streams import Append, Conflict, DamagedStream
from queenhigh.table.registry import ABANDON
from queenhigh.table.streams import wallet_stream

__all__ = ["Abandonment", "abandon"]

_TRIES = 5


class Abandonment(NamedTuple):
    """A table to abandon: its damage, the reason for abandoning it, and the actor."""

    table: str
    damage: str
    reason: str
    by: str


def abandon(room: Room, admin: AdminStore, given_up: Abandonment, owed: Owed, clock: Clock) -> Owed:
    """Pay everyone what they are owed, all at once or not at all; return what was paid.

    Players whose own wallets are damaged stay unpaid. The table is closed if there are none.
    """
    cents, unpaid = dict(owed.cents), list(owed.unpaid)
    for _ in range(_TRIES + len(cents)):
        room.store.flush()
        time_ms = clock.now()
        appends = _payments(room, given_up, cents, unpaid, time_ms)
        change = _change(admin, given_up, cents, unpaid, time_ms)
        wrong = _write(room, admin, change, appends)
        if wrong is None:
            room.endings.unpaid[given_up.table] = tuple(unpaid)
            return Owed(cents, tuple(unpaid))
        player = _player(wrong)
        if player in cents:  # the wallet was damaged since it was read
            del cents[player]
            unpaid.append(player)
        elif not isinstance(wrong, Conflict):
            raise wrong
    raise QueenhighError("store.busy", "too many concurrent changes: try again")


def _payments(
    room: Room,
    given_up: Abandonment,
    cents: dict[str, int],
    unpaid: list[str],
    time_ms: int,
) -> tuple[Append, ...]:
    """Return the appends to wallets; move players whose wallets are damaged to ``unpaid``."""
    table, appends = given_up.table, list[Append]()
    why = f"table {table} is damaged and closed: {given_up.reason}"
    for player, amount in tuple(cents.items()):
        try:
            append = room.wallets.give(player, amount, id=abandon_id(table), at=time_ms, reason=why)
        except QueenhighError:
            append = None
        if append is None:  # or the index of used keys wrongly has this payment
            del cents[player]
            unpaid.append(player)
        else:
            appends.append(append)
    return tuple(appends)


def _change(
    admin: AdminStore,
    given_up: Abandonment,
    cents: dict[str, int],
    unpaid: list[str],
    time_ms: int,
) -> AdminChange:
    """Return the floor's entry, and the row of a table that is closed for good."""
    table, damage, reason, by = given_up
    before_and_after = ({"damaged": damage}, {"returned": dict(cents), "unpaid": [*unpaid]})
    entry = admin.acted(time_ms, by, ABANDON, table, change=before_and_after, reason=reason)
    row = NOTHING if unpaid else admin.closing(table)
    return joined(row, entry)


def _write(
    room: Room, admin: AdminStore, change: AdminChange, appends: tuple[Append, ...]
) -> Exception | None:
    outcomes: list[Exception | None] = []

    def finish(error: Exception | None) -> None:
        room.wallets.finish(*appends)
        outcomes.append(error)

    admin.rows.submit(finish, change, (room.wallets.lineage,), appends)
    room.store.flush()
    return outcomes[0]


def _player(wrong: Exception) -> str:
    """Return the player whose wallet is damaged, if that is the error."""
    stream = wrong.stream if isinstance(wrong, DamagedStream) else ""
    prefix = wallet_stream("")
    return stream.removeprefix(prefix) if stream.startswith(prefix) else ""
