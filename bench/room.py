"""A room for bench.serve, in a process of its own: many tables, no limits on messages.

    python -m bench.room FILE TABLES SECONDS [limited]

With `limited` it has the usual limits after all. It prints its port. SECONDS are added to each
flush, as on a slower disk; when the room has closed, FILE with the suffix `.delays` has the
milliseconds that each really took.
"""

import json
import sys
from pathlib import Path

import queenhigh as qh
from bench.delay import Delay
from queenhigh.room.room import Room, settings_for
from queenhigh.server.limits import Limits
from queenhigh.server.serve import ServeOptions, serve
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import Pace

#: No pause between rounds, and time enough for players who wait for another room's turn.
PACE = Pace(pause=0, offer=600_000, bets=600_000, moves=600_000)
MANY = 10.0**6
LIMITS = Limits(
    messages=MANY,
    messages_at_once=MANY,
    entries=MANY,
    entries_at_once=MANY,
    requests=MANY,
    requests_at_once=MANY,
    units=MANY,
    units_at_once=MANY,
    units_at_address=MANY,
    units_at_address_at_once=MANY,
    sockets_at_address=5000,
    sockets_of_network=5000,
    connections=10_000,
)


def open_tables(file: Path, tables: int) -> None:
    """Open California tables that wait for nobody."""
    store, book = SqliteStore(file), qh.load("california")
    for number in range(tables):
        Room(store).open_table(f"t{number}", book, settings_for(book, pace=PACE))
    store.close()


def slow_down(delay: Delay) -> None:
    """Add a delay to each flush that has something to write."""
    flush = SqliteStore.flush

    def slow_flush(self: SqliteStore) -> bool:
        if self._queue:
            delay.wait()
        return flush(self)

    SqliteStore.flush = slow_flush  # type: ignore[method-assign, assignment]


def main() -> None:
    """Serve the room until a signal stops it."""
    file, delay = Path(sys.argv[1]), Delay(float(sys.argv[3]))
    open_tables(file, int(sys.argv[2]))
    slow_down(delay)
    serve(
        ServeOptions(db=file, port=0, limits=Limits() if "limited" in sys.argv[4:] else LIMITS),
        lambda opened: print(opened.address.rpartition(":")[2], flush=True),
    )
    file.with_suffix(".delays").write_text(json.dumps(delay.times))


if __name__ == "__main__":
    main()
