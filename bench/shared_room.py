"""One process of a room on PostgreSQL for bench.scale, without limits on messages.

    python -m bench.shared_room URL KEYS

It prints its port. It builds no histories: a room on a new port would read all events for that.
"""

import sys
from pathlib import Path

from bench.room import LIMITS
from queenhigh.server.serve import ServeOptions, serve
from queenhigh.server.worker_pool import Workers
from queenhigh.store.location import PostgresUrl


def _build_nothing(*_: object) -> None:
    """Keep no index of histories."""


def main() -> None:
    """Serve the room, together with other processes, until a signal stops it."""
    Workers.keep_history = _build_nothing  # type: ignore[method-assign, assignment]
    serve(
        ServeOptions(db=PostgresUrl(sys.argv[1]), keys=Path(sys.argv[2]), port=0, limits=LIMITS),
        lambda opened: print(opened.address.rpartition(":")[2], flush=True),
    )


if __name__ == "__main__":
    main()
