"""The covariance of seats, which takes most of the time of a banker's book, counted once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from unittest.mock import patch

from queenhigh.price import bank, poker
from queenhigh.price.covariance import product_means
from queenhigh.rulebook.book import PokerRulebook

_counted: dict[tuple[str, poker.Payoffs], Fraction] = {}


@contextmanager
def counted_once() -> Iterator[None]:
    """Count each covariance once, as long as the block runs."""
    with patch.object(bank, "product_means", _once):
        yield


def _once(rules: PokerRulebook, worths: Sequence[poker.Payoffs]) -> list[Fraction]:
    new = [worth for worth in worths if (rules.digest, worth) not in _counted]
    if new:
        keys = [(rules.digest, worth) for worth in new]
        _counted.update(zip(keys, product_means(rules, new), strict=True))
    return [_counted[rules.digest, worth] for worth in worths]
