"""Fair cards: proven by enumeration where that can be, and by vectors that anyone can check."""

import hashlib
import hmac
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import islice, product
from math import factorial
from pathlib import Path

import pytest

from queenhigh.cards import format_cards
from queenhigh.hashing import fields
from queenhigh.table.fairness import (
    OnChain,
    PlaceSeed,
    chained_key,
    commitment,
    draw,
    link_before,
    place_commitment,
    round_key,
    shuffle,
    words,
)

DOCS = (Path(__file__).parents[2] / "docs" / "fairness.md").read_text()
SEED = bytes(range(32))
DIGEST = "sha256:" + "ab" * 32

Draw = Callable[[Iterator[int], int, int], int]


def counts(how: Draw, bound: int, bits: int) -> Counter[int]:
    """Count the number that each word of a width draws; refused words draw nothing."""
    counted: Counter[int] = Counter()
    for word in range(2**bits):
        try:
            counted[how(iter([word]), bound, bits)] += 1
        except ValueError:
            continue
    return counted


@pytest.mark.parametrize("bound", range(1, 53))
def test_every_number_has_as_many_words(bound: int) -> None:
    """All 65,536 words of 16 bits, for every bound that a deck needs."""
    assert counts(draw, bound, 16) == dict.fromkeys(range(bound), 2**16 // bound)


@pytest.mark.parametrize("cards", range(1, 7))
def test_every_order_has_as_many_sequences_of_draws(cards: int) -> None:
    """All sequences of draws: words of three bits below each bound, none of them refused."""
    orders: Counter[tuple[int, ...]] = Counter()
    for numbers in product(*(range(bound) for bound in range(cards, 1, -1))):
        orders[shuffle(iter(numbers), cards, 3)] += 1
    assert len(orders) == factorial(cards)
    assert set(orders.values()) == {1}


def _shuffled_by_draws(source: Iterator[int], cards: int, bits: int) -> tuple[int, ...]:
    deck = list(range(cards))
    for last in range(cards - 1, 0, -1):
        index = draw(source, last + 1, bits)
        deck[index], deck[last] = deck[last], deck[index]
    return tuple(reversed(deck))


def test_shuffle_refuses_the_same_words_as_draw() -> None:
    """All sequences of five words of three bits: below five and below three some are refused."""
    whole = 0
    for source in product(range(8), repeat=5):
        try:
            expected = _shuffled_by_draws(iter(source), 5, 3)
        except ValueError:
            with pytest.raises(StopIteration):
                shuffle(iter(source), 5, 3)
            continue
        assert shuffle(iter(source), 5, 3) == expected
        whole += 1
    assert 10_000 < whole < 8**5, "some run out of words"


def _modulo(source: Iterator[int], bound: int, bits: int) -> int:
    return next(source) % bound


def test_biased_modulo_draw_is_caught() -> None:
    assert counts(_modulo, 52, 16) != dict.fromkeys(range(52), 2**16 // 52)
    assert len(set(counts(_modulo, 52, 16).values())) == 2


def test_naive_shuffle_is_caught() -> None:
    """The well-known mistake: drawing below the whole deck each time is not uniform."""
    orders: Counter[tuple[int, ...]] = Counter()
    for numbers in product(range(3), repeat=3):
        deck = [0, 1, 2]
        for index, number in enumerate(numbers):
            deck[index], deck[number] = deck[number], deck[index]
        orders[tuple(deck)] += 1
    assert len(set(orders.values())) > 1


def test_fields_cannot_be_mistaken_for_one_another() -> None:
    lists = [(b"ab", b"c"), (b"a", b"bc"), (b"abc",), (b"abc", b""), (b"", b"abc"), ()]
    assert len({fields(*parts) for parts in lists}) == len(lists)


def test_a_commitment_binds_seed_round_table_and_rulebook() -> None:
    first = commitment("t1", 1, DIGEST, SEED)
    others = [
        commitment("t2", 1, DIGEST, SEED),
        commitment("t1", 11, DIGEST, SEED),
        commitment("t11", 1, DIGEST, SEED),
        commitment("t1", 1, DIGEST + "0", SEED),
        commitment("t1", 1, DIGEST, SEED[::-1]),
    ]
    assert len({first, *others}) == 6


def test_every_seat_that_adds_a_seed_changes_the_key() -> None:
    keys = [
        round_key(SEED, {}),
        round_key(SEED, {1: b""}),
        round_key(SEED, {1: b"x"}),
        round_key(SEED, {2: b"x"}),
        round_key(SEED, {1: b"x", 2: b"x"}),
        round_key(SEED, {11: b"x"}),
    ]
    assert len(set(keys)) == 6
    assert round_key(SEED, {1: b"a", 2: b"b"}) == round_key(SEED, {2: b"b", 1: b"a"})


def test_the_worked_example_by_hand() -> None:
    """Recompute docs/fairness.md with nothing but hashlib and hmac."""

    def field(text: str | bytes) -> bytes:
        part = text.encode() if isinstance(text, str) else text
        return len(part).to_bytes(4, "big") + part

    place = field("queenhigh/commit/1") + field("t1") + field("7") + field(DIGEST) + field(SEED)
    assert commitment("t1", 7, DIGEST, SEED) == hashlib.sha256(place).digest()
    listed = field("queenhigh/key/1") + field("1") + field("lucky") + field("4") + field("seven")
    key = hmac.new(SEED, listed, "sha256").digest()
    assert round_key(SEED, {4: b"seven", 1: b"lucky"}) == key
    block = hmac.new(key, field("queenhigh/words/1") + field("0"), "sha256").digest()
    assert next(words(key)) == int.from_bytes(block[:4], "big")
    block = hmac.new(key, field("queenhigh/words/1") + field("1"), "sha256").digest()
    assert list(islice(words(key), 9))[8] == int.from_bytes(block[:4], "big")


def test_the_docs_show_the_worked_example_of_a_chain() -> None:
    of, ones, fours = OnChain("t1", 2, 7), b"\x01" * 32, b"\x04" * 32
    ann, bob = place_commitment(of, 1, "ann", ones), place_commitment(of, 4, "bob", fours)
    seeds = [PlaceSeed(1, "ann", ann.hex(), ones.hex()), PlaceSeed(4, "bob", bob.hex(), None)]
    key = chained_key(SEED, of, DIGEST, seeds, {3: "lucky"})
    shown = [
        link_before("t1", 2, 5, SEED).hex(),
        ann.hex(),
        bob.hex(),
        key.hex(),
        " ".join(f"{word:08x}" for word in islice(words(key), 8)),
        format_cards(shuffle(words(key), 52)[:9]),
        f"pocket {draw(words(key), 37)} of 37",
    ]
    for text in shown:
        assert text in re.sub(r"\s+", " ", DOCS), text


def test_the_docs_show_the_worked_example() -> None:
    key = round_key(SEED, {1: b"lucky", 4: b"seven"})
    shown = [
        commitment("t1", 7, DIGEST, SEED).hex(),
        key.hex(),
        " ".join(f"{word:08x}" for word in islice(words(key), 8)),
        format_cards(shuffle(words(key), 52)[:9]),
        f"pocket {draw(words(key), 37)} of 37",
    ]
    for text in shown:
        assert text in re.sub(r"\s+", " ", DOCS), text


@pytest.mark.parametrize("dealt", range(53))
def test_a_few_cards_are_the_first_of_the_whole_deck(dealt: int) -> None:
    whole = shuffle(words(b"k" * 32), 52)
    assert shuffle(words(b"k" * 32), 52, dealt=dealt) == whole[:dealt]
