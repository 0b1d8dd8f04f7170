"""Random play in which readings matter: a round would come to something else by another one."""

from collections.abc import Mapping

from queenhigh.games.three_card_poker import Round
from queenhigh.history.records import Record, rounds_of
from queenhigh.rulebook.load import vary
from queenhigh.store.memory import MemoryStore
from queenhigh.table.events import RoundSettled, decode
from tests.table.random_play import BOOKS, RandomPlay


def deciding_seed(name: str, *readings: Mapping[str, object], steps: int = 160) -> int:
    """Return the first seed of play at a table in which each of these readings would matter."""
    for seed in range(300):
        store = MemoryStore()
        random_play = RandomPlay(store, BOOKS[name], seed, name)
        for _ in range(steps):
            random_play.step()
        events = [decode(row.event) for row in store.read(f"table/{name}")]
        records = [*rounds_of(events, name)]
        if all(any(_matters(record, reading) for record in records) for reading in readings):
            return seed
    raise AssertionError(f"no round of {name} depends on {readings}")


def _matters(record: Record, reading: Mapping[str, object]) -> bool:
    """Return whether a settled round would come to something else by another reading."""
    round, book = record.live.play, record.book
    if not isinstance(round, Round) or not isinstance(record.end, RoundSettled):
        return False
    other = vary(book, reading, under_law=False)
    return book.game.settle(book, round) != other.game.settle(other, round)
