"""The key that the cards of a round follow from, and the room's seed once it may be shown.

The room's seed comes with a command as chance. A proof reads it from the log instead: the key at
the deal, and the seed at the end of the round, where both must match the commitments.
"""

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.table.draft import Draft
from queenhigh.table.fairness import (
    SEED_BYTES,
    OnChain,
    PlaceSeed,
    chained_key,
    commitment,
    link_before,
    round_key,
)
from queenhigh.table.state import ActiveRound, State

__all__ = ["fresh_commitment", "key_of", "seed_to_show"]


def fresh_commitment(draft: Draft, number: int) -> tuple[str, str]:
    """Return a seed for a round of scheme 1 and the commitment to it."""
    seed = draft.chance or b""
    if len(seed) != SEED_BYTES:
        raise QueenhighError("chance.bytes", f"a round takes {SEED_BYTES} bytes of chance")
    state = draft.state
    return seed.hex(), commitment(state.table, number, state.digest, seed).hex()


def key_of(draft: Draft) -> bytes:
    """Return the key of the round under way."""
    live = draft.live
    if not live.chain:
        added = {place: seed.encode() for place, seed in live.seeds.items()}
        return round_key(bytes.fromhex(live.seed), added)
    if draft.chance is None:
        return draft.key
    key = _chained(draft.state, live, _checked(draft))
    if draft.key and draft.key != key:
        raise BrokenLog("the key of the cards does not follow from the seeds")
    return key


def seed_to_show(draft: Draft) -> str:
    """Return the room's seed of a round that ends; empty if the room has lost it."""
    live = draft.live
    if not live.chain:
        return live.seed
    if draft.chance is None:
        return ""
    seed = _checked(draft)
    if live.key and _chained(draft.state, live, seed).hex() != live.key:
        raise BrokenLog("the cards were not dealt with the seed that is shown")
    return seed.hex()


def _checked(draft: Draft) -> bytes:
    """Return the room's seed; raise unless it is the chain's seed for this round."""
    seed, live = draft.chance or b"", draft.live
    before = link_before(draft.state.table, live.chain, live.link, seed)
    if before.hex() != live.commitment:
        raise BrokenLog("the room's seed is not the next one of its chain")
    return seed


def _chained(state: State, live: ActiveRound, seed: bytes) -> bytes:
    committed = [
        PlaceSeed(place, entry.player, entry.commitment, entry.shown)
        for place, entry in sorted(live.committed.items())
    ]
    of = OnChain(state.table, live.chain, live.number)
    return chained_key(seed, of, state.digest, committed, live.seeds)
