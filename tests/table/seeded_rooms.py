"""Rooms whose cards follow from a seed."""

from random import Random

from queenhigh.room.room import Room
from queenhigh.store.streams import Store


def seeded_room(store: Store, random: Random) -> Room:
    """Return a room that draws everything from a seeded source."""
    return Room(store, random.randbytes, dealing_key=random.randbytes(32))
