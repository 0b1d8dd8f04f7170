"""The seeds of places in tests: 32 bytes that follow from the round and the player."""

from hashlib import sha256

from queenhigh.table.fairness import OnChain, place_commitment
from queenhigh.table.state import State


def own_seed(state: State, player: str) -> bytes:
    """Return the bytes that a player commits to in the round under way."""
    return sha256(f"{state.number} {player}".encode()).digest()


def own_commitment(state: State, player: str) -> str:
    """Return the commitment to those bytes; senseless where the player does not sit."""
    chain = state.round.chain if state.round else 0
    of = OnChain(state.table, chain, state.number)
    return place_commitment(of, state.place_of(player) or 0, player, own_seed(state, player)).hex()
