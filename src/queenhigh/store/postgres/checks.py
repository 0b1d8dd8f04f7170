"""Checks of a room on PostgreSQL: what its tables have beside the events must fit the events."""

from collections.abc import Mapping
from contextlib import closing

from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.connection import connect, explained
from queenhigh.store.postgres.reader import differing_keys, stream_ends
from queenhigh.store.streams import DamagedStream

__all__ = ["check_index"]


def check_index(url: PostgresUrl, ends: Mapping[str, tuple[int, bytes]]) -> None:
    """Compare the end of every stream as a room finds it, and the keys that wallets have used.

    ``ends`` has the version and the hash that each stream ends with in the order of all events.
    Events that were written since come after those.
    """
    upto = sum(version for version, _ in ends.values())
    with closing(connect(url, timeouts=False)) as db, explained(url):
        stored = {end.name: end for end in stream_ends(db, upto)}
        for stream, (version, tip) in ends.items():
            end = stored.get(stream)
            fits = end is not None and end[1:4] == (version, tip, version)
            if end is None or not fits or not end.is_whole:
                raise DamagedStream(stream, version)
        for name in stored.keys() - ends.keys():
            if stored[name].old_count or not stored[name].is_whole:
                raise DamagedStream(name, 0)
        wallet = differing_keys(db)
    if wallet is not None:
        raise DamagedStream(wallet, ends.get(wallet, (0, b""))[0])
