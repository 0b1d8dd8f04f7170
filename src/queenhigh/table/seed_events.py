"""Events of seeds: the room's chain, rounds that open on it or without one, seeds of places."""

from queenhigh.table.event_base import Event

__all__ = [
    "ChainStarted",
    "RoundOpened",
    "RoundOpened2",
    "SeedAdded",
    "SeedCommitted",
    "SeedShown",
]


class ChainStarted(Event, frozen=True, kw_only=True, gc=False, tag="chain.started/1"):
    """From the next round on the room's seeds are those of a chain that ends here.

    ``reveal`` is how long places have to show their seeds, in milliseconds.
    """

    chain: int
    epoch: int
    salt: str
    length: int
    end: str
    reveal: int


class RoundOpened(Event, frozen=True, kw_only=True, gc=False, tag="round.opened/1"):
    """Bets are open, by scheme 1. The commitment is shown, the seed once the round is over."""

    round: int
    commitment: str
    seed: str
    banker: int | None = None


class RoundOpened2(Event, frozen=True, kw_only=True, gc=False, tag="round.opened/2"):
    """Bets are open. The commitment is the chain's seed before this round's."""

    round: int
    chain: int
    link: int
    commitment: str
    banker: int | None = None


class SeedAdded(Event, frozen=True, kw_only=True, gc=False, tag="seed.added/1"):
    """A place added a seed in the clear."""

    round: int
    place: int
    seed: str


class SeedCommitted(Event, frozen=True, kw_only=True, gc=False, tag="seed.committed/1"):
    """A place committed to a seed that it will show when bets are closed."""

    round: int
    place: int
    commitment: str


class SeedShown(Event, frozen=True, kw_only=True, gc=False, tag="seed.shown/1"):
    """A place showed the seed that it had committed to."""

    round: int
    place: int
    seed: str
