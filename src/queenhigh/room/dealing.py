"""The room's seeds: chains of them, made from a key that lies beside the store, never in it."""

from collections.abc import Callable
from typing import NamedTuple

from queenhigh.store.streams import Store
from queenhigh.table.commands import FLOOR, StartChain
from queenhigh.table.fairness import SEED_BYTES, chain_down, chain_root, link_before
from queenhigh.table.state import Chain, State

__all__ = ["Chance", "Dealing"]

#: Draws so many random bytes.
Chance = Callable[[int], bytes]
#: The number of rounds of a chain, and how long places have to show their seeds, in milliseconds.
LENGTH, REVEAL = 10_000, 2_000
#: One in so many seeds of a chain is saved; those between are computed when they are needed.
_SAVED_EVERY = 100


class Dealing:
    """Seeds for the rounds of a room. Use it from one thread."""

    def __init__(self, store: Store, chance: Chance, key: bytes | None = None) -> None:
        self._store, self._chance, self._own_key = store, chance, key
        self._chains: dict[str, _Seeds] = {}
        #: The chain of each table that this program started.
        self._started: dict[str, int] = {}

    @property
    def key(self) -> bytes:
        """The secret that all chains of this room are made from."""
        return self._own_key or self._store.dealing_key

    def seed(self, state: State | None) -> bytes | None:
        """Return the room's seed for a table's round, under way or next.

        Without a chain it is fresh bytes; ``None`` if the room's key is not that of the chain.
        """
        if state is None or state.chain is None:
            return self._chance(SEED_BYTES)
        chain = state.chain
        seeds = self._seeds(state.table, chain)
        link = chain.used + (state.round is None)
        if seeds.end != chain.end or link > chain.length:
            return None
        return seeds.seed_of(link)

    def is_due(self, state: State) -> bool:
        """Return whether a table needs a new chain before its next round.

        A chain is not continued after a restart: if an older copy of the store was put back, its
        next seeds may have been shown before.
        """
        chain = state.chain
        if state.round is not None or state.phase == "closed":
            return False
        if chain is None or chain.number != self._started.get(state.table):
            return True
        return chain.is_over or not self.is_known(state)

    def is_own(self, state: State) -> bool:
        """Return whether this program started the chain: else no other round opens on it."""
        return state.chain is None or state.chain.number == self._started.get(state.table)

    def is_known(self, state: State) -> bool:
        """Return whether the chain is of this epoch of the store, and of this room's key."""
        chain = state.chain
        if chain is None:
            return True
        return chain.epoch == self._store.epoch and self._seeds(state.table, chain).end == chain.end

    def start(self, state: State, at: int) -> StartChain:
        """Return the command that starts a table's next chain."""
        number = state.chain.number + 1 if state.chain else 1
        salt, epoch = self._chance(SEED_BYTES), self._store.epoch
        name = _Name(number, epoch, salt.hex(), LENGTH)
        seeds = self._chains[state.table] = self._make(state.table, name)
        self._started[state.table] = number
        return StartChain(
            id=f"chain.{number}",
            by=FLOOR,
            at=at,
            chain=number,
            epoch=epoch,
            salt=name.salt,
            length=LENGTH,
            end=seeds.end,
            reveal=REVEAL,
        )

    def forget(self, table: str) -> None:
        """Forget the chain of a table."""
        self._chains.pop(table, None)
        self._started.pop(table, None)

    def _seeds(self, table: str, chain: Chain) -> "_Seeds":
        known = self._chains.get(table)
        name = _Name(chain.number, chain.epoch, chain.salt, chain.length)
        if known is None or known.name != name:
            known = self._chains[table] = self._make(table, name)
        return known

    def _make(self, table: str, name: "_Name") -> "_Seeds":
        salt = bytes.fromhex(name.salt)
        root = chain_root(self.key, table, name.number, name.epoch, salt)
        return _Seeds(table, name, root)


class _Name(NamedTuple):
    """The parameters of a chain's seeds, beside the key and the table."""

    number: int
    epoch: int
    salt: str
    length: int


class _Seeds:
    """The seeds of a chain, by their links. ``end`` is the first of them, in hexadecimal."""

    def __init__(self, table: str, name: _Name, root: bytes) -> None:
        self._table, self.name = table, name
        self._marks: dict[int, bytes] = {name.length: root}
        self._near: dict[int, bytes] = {}
        for link, seed in chain_down(table, name.number, name.length, root):
            if not link % _SAVED_EVERY:
                self._marks[link] = seed
        self.end = self._marks[0].hex()

    def _before(self, link: int, seed: bytes) -> bytes:
        return link_before(self._table, self.name.number, link, seed)

    def seed_of(self, link: int) -> bytes:
        """Return the seed of a link."""
        if link not in self._near:
            above = min(-(-link // _SAVED_EVERY) * _SAVED_EVERY, self.name.length)
            seed = self._marks[above]
            self._near = {above: seed}
            for later in range(above, link, -1):
                seed = self._near[later - 1] = self._before(later, seed)
        return self._near[link]
