"""Cards that nobody could choose: committed to before bets open, open to proof afterwards.

The table commits to a seed of 32 fresh bytes before bets open. Seats may add seeds of their own
until bets close. Together they make the key of the round, and every card and pocket follows from
it. Whoever is shown the seed later can check the commitment and deal the round again.
"""

import hashlib
import hmac
import json
import struct
from collections.abc import Iterator, Mapping
from typing import Any

__all__ = [
    "SEED_BYTES",
    "commitment",
    "document_digest",
    "draw",
    "fields",
    "round_key",
    "shuffle",
    "words",
]

SEED_BYTES = 32

_COMMIT = b"queenhigh/commit/1"
_KEY = b"queenhigh/key/1"
_WORDS = b"queenhigh/words/1"
_WORD_BITS = 32
_length = struct.Struct(">I").pack
_eight_words = struct.Struct(">8I").unpack


def fields(*parts: bytes) -> bytes:
    """Join fields so that no two lists of fields give the same bytes: each after its length."""
    return b"".join([piece for part in parts for piece in (_length(len(part)), part)])


def document_digest(document: Mapping[str, Any]) -> str:
    """Return what a commitment calls a rulebook: the hash of its document, keys in order.

    It depends on nothing but the document, so that anyone can work it out, now and later.
    """
    canonical = json.dumps(
        dict(document), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()


def commitment(table: str, round: int, digest: str, seed: bytes) -> bytes:
    """Return what the table shows before bets open: the seed, bound to this round and rulebook."""
    place = (table.encode(), str(round).encode(), digest.encode())
    return hashlib.sha256(fields(_COMMIT, *place, seed)).digest()


def round_key(seed: bytes, seat_seeds: Mapping[int, bytes]) -> bytes:
    """Return the key of a round: the table's seed over the seeds of the seats, in seats' order."""
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
        while word >= all_words - all_words % bound:  # as in draw, which would be a call a card
            word = next(source)
        at = word % bound
        deck[at], deck[last] = deck[last], deck[at]
    return tuple(deck[: -count - 1 : -1])
