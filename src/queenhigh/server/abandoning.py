"""A damaged table given up: chips, the floor's entry and the table's row, in one transaction."""

from typing import NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.room.registry import ABANDON
from queenhigh.room.room import Room, now
from queenhigh.room.salvage import Owed, abandon_id
from queenhigh.room.wallets import wallet_stream
from queenhigh.server.office import Office
from queenhigh.server.papers import NOTHING, Change
from queenhigh.store.streams import Append, Conflict, DamagedStream

__all__ = ["Abandonment", "abandon"]

_TRIES = 5


class Abandonment(NamedTuple):
    """A table that is given up: in what it is damaged, why it is given up, and who does it."""

    table: str
    damage: str
    reason: str
    by: str


def abandon(room: Room, office: Office, given_up: Abandonment, owed: Owed) -> Owed:
    """Give everyone what they are owed, all at once or not at all; return what they were given.

    Only those stay unpaid whose own wallets take nothing. The table is closed if there are none.
    """
    cents, unpaid = dict(owed.cents), list(owed.unpaid)
    for _ in range(_TRIES + len(cents)):
        room.store.flush()
        appends = _payments(room, given_up, cents, unpaid)
        change = _change(office, given_up, cents, unpaid)
        wrong = _write(room, office, change, appends)
        if wrong is None:
            room.endings.unpaid[given_up.table] = tuple(unpaid)
            return Owed(cents, tuple(unpaid))
        player = _player(wrong)
        if player in cents:  # the wallet was damaged since it was read
            del cents[player]
            unpaid.append(player)
        elif not isinstance(wrong, Conflict):
            raise wrong
    raise QueenhighError("store.busy", "others write too fast: try again")


def _payments(
    room: Room, given_up: Abandonment, cents: dict[str, int], unpaid: list[str]
) -> tuple[Append, ...]:
    """Return what wallets get; move players whose wallets take nothing to those who stay unpaid."""
    table, appends, at = given_up.table, list[Append](), now()
    why = f"table {table} is damaged and closed: {given_up.reason}"
    for player, amount in tuple(cents.items()):
        try:
            append = room.wallets.give(player, amount, id=abandon_id(table), at=at, reason=why)
        except QueenhighError:
            append = None
        if append is None:  # or the index says, against its events, that this was paid before
            del cents[player]
            unpaid.append(player)
        else:
            appends.append(append)
    return tuple(appends)


def _change(
    office: Office, given_up: Abandonment, cents: dict[str, int], unpaid: list[str]
) -> Change:
    """Return the floor's entry, and the row of a table that is closed for good."""
    table, damage, reason, by = given_up
    told = ({"damaged": damage}, {"returned": dict(cents), "unpaid": [*unpaid]})
    entry = office.acted(now(), by, ABANDON, table, change=told, reason=reason)
    row = NOTHING if unpaid else office.closing(table)
    return Change(row.rows, entry.events)


def _write(
    room: Room, office: Office, change: Change, appends: tuple[Append, ...]
) -> Exception | None:
    outcomes: list[Exception | None] = []

    def finish(error: Exception | None) -> None:
        room.wallets.finish(*appends)
        outcomes.append(error)

    office.papers.submit(finish, change, (room.wallets.belief,), appends)
    room.store.flush()
    return outcomes[0]


def _player(wrong: Exception) -> str:
    """Return the player whose wallet is damaged, if that is what is wrong."""
    stream = wrong.stream if isinstance(wrong, DamagedStream) else ""
    prefix = wallet_stream("")
    return stream.removeprefix(prefix) if stream.startswith(prefix) else ""
