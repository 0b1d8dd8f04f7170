"""Cards that nobody could choose: fixed before bets open, open to proof afterwards.

The room's seeds are a chain whose end is shown before its first round. Places commit to their
own seeds while bets are open and show them when bets are closed. Together they make the key of the
round, and every card and pocket follows from it. Once the room's seed is shown, anyone can check it
against the chain and deal the round again.

Rounds of scheme 1 had a fresh seed of the table each, and seeds of places in the clear.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from queenhigh.hashing import document_digest, fields, pack_length

__all__ = [
    "LEFT_OUT",
    "SEED_BYTES",
    "OnChain",
    "PlaceSeed",
    "chain_down",
    "chain_root",
    "chained_key",
    "commitment",
    "document_digest",
    "draw",
    "link_before",
    "place_commitment",
    "round_key",
    "shuffle",
    "words",
]

SEED_BYTES = 32

#: Stands in a key for the seed of a place that committed to one and did not show it.
LEFT_OUT = "left out"

_CHAIN = b"queenhigh/chain/1"
_LINK = b"queenhigh/link/1"
_SEED = b"queenhigh/seed/1"
_KEY_2 = b"queenhigh/key/2"
_COMMIT = b"queenhigh/commit/1"
_KEY = b"queenhigh/key/1"
_WORDS = b"queenhigh/words/1"
_WORD_BITS = 32
_eight_words = struct.Struct(">8I").unpack


class OnChain(NamedTuple):
    """A round, by its table and the chain that its seed is of."""

    table: str
    chain: int
    round: int


class PlaceSeed(NamedTuple):
    """A place's part in a key: the player, the commitment, and the seed if it was shown."""

    place: int
    player: str
    commitment: str
    shown: str | None


def _text(*parts: str | int) -> tuple[bytes, ...]:
    return tuple([str(part).encode() for part in parts])


def chain_root(dealing_key: bytes, table: str, chain: int, epoch: int, salt: bytes) -> bytes:
    """Return the last seed of a chain, from which all before it follow."""
    return hmac.digest(dealing_key, fields(_CHAIN, *_text(table, chain, epoch), salt), "sha256")


def chain_down(table: str, chain: int, length: int, root: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the links of a chain and their seeds, from the last before the root to the end, 0."""
    named, size = fields(_LINK, *_text(table, chain)), pack_length(SEED_BYTES)
    seed, sha256 = root, hashlib.sha256
    for link in range(length, 0, -1):
        number = b"%d" % link
        seed = sha256(named + pack_length(len(number)) + number + size + seed).digest()
        yield link - 1, seed


def link_before(table: str, chain: int, link: int, seed: bytes) -> bytes:
    """Return the seed before a link's: its hash, bound to the table, the chain and the link."""
    return hashlib.sha256(fields(_LINK, *_text(table, chain, link), seed)).digest()


def place_commitment(of: OnChain, place: int, player: str, seed: bytes) -> bytes:
    """Return a place's commitment; it covers player and place, so nobody else can use it."""
    return hashlib.sha256(fields(_SEED, *_text(*of, place, player), seed)).digest()


def chained_key(
    seed: bytes, of: OnChain, digest: str, committed: Sequence[PlaceSeed], added: Mapping[int, str]
) -> bytes:
    """Return the key of a round on a chain: the room's seed over the seeds of the places."""
    parts: list[str | int] = [*of, digest, len(committed)]
    for entry in committed:
        parts += [entry.place, entry.player, entry.commitment, entry.shown or LEFT_OUT]
    for place in sorted(added):
        parts += [place, added[place]]
    return hmac.digest(seed, fields(_KEY_2, *_text(*parts)), "sha256")


def commitment(table: str, round: int, digest: str, seed: bytes) -> bytes:
    """Return the commitment of scheme 1: to the table's seed, for this round and rulebook."""
    place = (table.encode(), str(round).encode(), digest.encode())
    return hashlib.sha256(fields(_COMMIT, *place, seed)).digest()


def round_key(seed: bytes, seat_seeds: Mapping[int, bytes]) -> bytes:
    """Return the key of scheme 1: the table's seed over the seeds of the places, in order."""
    listed = [
        part for seat in sorted(seat_seeds) for part in (str(seat).encode(), seat_seeds[seat])
    ]
    return hmac.digest(seed, fields(_KEY, *listed), "sha256")


def words(key: bytes) -> Iterator[int]:
    """Yield the words that follow from a key, 32 bits each, without end."""
    block = 0
    while True:
        yield from _eight_words(hmac.digest(key, fields(_WORDS, str(block).encode()), "sha256"))
        block += 1


def draw(source: Iterator[int], bound: int, bits: int = _WORD_BITS) -> int:
    """Draw a number below a bound, each equally likely; words beyond whole runs are refused."""
    runs = 2**bits // bound
    for word in source:
        if word < runs * bound:
            return word % bound
    raise ValueError("the source ran out of words")


def shuffle(
    source: Iterator[int], cards: int, bits: int = _WORD_BITS, *, dealt: int | None = None
) -> tuple[int, ...]:
    """Shuffle the cards 0, 1, … (Fisher and Yates, from the end) and deal them from the end.

    With ``dealt`` only so many cards come, the same as the first ones of the whole deck: a card's
    place is settled by its own draw.
    """
    deck, all_words = list(range(cards)), 2**bits
    count = cards if dealt is None else dealt
    for last in range(cards - 1, max(0, cards - 1 - count), -1):
        bound = last + 1
        word = next(source)
        while word >= all_words - all_words % bound:  # draw() inlined: a call for each card is slow
            word = next(source)
        index = word % bound
        deck[index], deck[last] = deck[last], deck[index]
    return tuple(deck[: -count - 1 : -1])
