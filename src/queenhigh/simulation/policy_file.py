"""Policies by their names, and from files that people write."""

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path

from queenhigh.cards import HAND_CLASSES, RANKS
from queenhigh.errors import QueenhighError
from queenhigh.games.policy import Policy, mimic, q64, threshold, with_errors
from queenhigh.price.best_policy import best_policy
from queenhigh.price.strategy import hand_text
from queenhigh.rulebook.book import PokerRulebook

__all__ = ["find_policy"]

_NAMED = {"best": best_policy, "q64": q64, "mimic": mimic}
_MOST_BYTES = 100_000


def find_policy(book: PokerRulebook, text: str) -> Policy:
    """Return a policy: ``best``, ``q64``, ``mimic`` or a file's, with ``+errors:2%`` if it errs."""
    name, plus, errors = text.rpartition("+errors:")
    name = name if plus else text
    policy = _NAMED[name](book) if name in _NAMED else _from_file(book, name)
    return with_errors(policy, _share(errors)) if plus else policy


def _share(text: str) -> Fraction:
    match = re.fullmatch(r"([0-9]{1,3}(?:\.[0-9]{1,3})?)%", text.strip())
    if not match:
        raise QueenhighError("policy.errors", f"{text[:20]!r} is not a share of errors: write 2%")
    return Fraction(match[1]) / 100


def _from_file(book: PokerRulebook, name: str) -> Policy:
    """Read lines of ``UP CARDS: HAND``: the least hand to play against them."""
    hands = _hands(book)
    least: dict[tuple[int, ...], int] = {}
    for number, line in enumerate(_read(name).splitlines(), 1):
        text = line.partition("#")[0].strip()
        if text:
            ups, hand = _line(book, hands, text, f"{name}:{number}")
            least.update(dict.fromkeys(ups, hand))
    missing = [_up_text(up) for up in _ups(book) if up not in least]
    if missing:
        sentence = f"{name}: there is no line for up card {missing[0]}: add {missing[0]}: Q-6-4"
        raise QueenhighError("policy.missing", sentence)
    return threshold(book, Path(name).name, least)


def _read(name: str) -> str:
    if not Path(name).exists():
        sentence = f"there is no policy {name!r}: use best, q64, mimic or a file name"
        raise QueenhighError("policy.unknown", sentence)
    try:
        if not Path(name).is_file():
            raise ValueError("not a file")
        with Path(name).open("rb") as file:
            content = file.read(_MOST_BYTES + 1)
        if len(content) > _MOST_BYTES:
            raise ValueError("too large")
        return content.decode("utf-8-sig")
    except (OSError, ValueError):
        sentence = f"{name} is not a policy file: use a text file with lines such as any: Q-6-4"
        raise QueenhighError("policy.unreadable", sentence) from None


def _hands(book: PokerRulebook) -> dict[str, int]:
    """Return the strengths by the names of the hands; a class means its lowest hand."""
    hands = {"everything": 0, "nothing": len(book.ranking.classes)}
    for strength in reversed(range(len(book.ranking.classes))):
        text = hand_text(book.ranking, strength).lower()
        hands[text] = hands[text.replace("10", "t")] = strength
    for kind in HAND_CLASSES[1:-1]:
        hands[kind.replace("_", " ")] = book.ranking.lowest(kind)
    return hands


def _line(
    book: PokerRulebook, hands: dict[str, int], line: str, where: str
) -> tuple[list[tuple[int, ...]], int]:
    up, colon, hand = line.partition(":")
    if not colon:
        sentence = (
            f"{where}: the colon is missing: write up cards, a colon and a hand, as in any: Q-6-4"
        )
        raise QueenhighError("policy.colon", sentence)
    words = " ".join(hand.split()).lower().removesuffix(" or better")
    if words not in hands:
        sentence = f"{where}: unknown hand {hand.strip()[:30]!r}: write Q-6-4 or pair of nines"
        raise QueenhighError("policy.hand", sentence)
    try:
        ups = list(_read_ups(book, up.strip().upper().replace("10", "T")))
    except (KeyError, ValueError):
        wanted = {0: "any", 1: "any, Q or 2 to 10", 2: "any or K-Q"}[book.up]
        sentence = f"{where}: {up.strip()[:30]!r} cannot be up here: write {wanted}"
        raise QueenhighError("policy.up", sentence) from None
    return ups, hands[words]


def _ups(book: PokerRulebook) -> list[tuple[int, ...]]:
    return list(combinations_with_replacement(range(13), book.up))


def _up_text(up: tuple[int, ...]) -> str:
    return "-".join(RANKS[rank].replace("T", "10") for rank in reversed(up)) or "any"


def _read_ups(book: PokerRulebook, text: str) -> Iterator[tuple[int, ...]]:
    """Read ``ANY``, ``Q``, ``2 TO T``, ``K, A``; with two cards up ``K-Q``."""
    places = {rank: place for place, rank in enumerate(RANKS)}
    if text == "ANY":
        yield from _ups(book)
        return
    for part in text.split(","):
        low, to, high = (piece.strip() for piece in part.partition(" TO "))
        if to and book.up == 1:
            if places[low] > places[high]:
                raise ValueError(part)
            yield from ((rank,) for rank in range(places[low], places[high] + 1))
            continue
        ranks = tuple(sorted(places[piece.strip()] for piece in part.split("-")))
        if len(ranks) != book.up:
            raise ValueError(part)
        yield ranks
