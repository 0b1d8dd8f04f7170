"""Collection fees: the schedule, and which wagers pay. Nothing else interprets ``fee_per``.

A new reading of which wagers pay is a row of ``READINGS`` and a value of ``FeePer``. Terms are
compiled once for a rulebook: a fee that depends on who plays needs a table that remembers it.
"""

from typing import Literal, NamedTuple

__all__ = ["READINGS", "Charged", "FeePer", "Fees", "Rate"]

FeePer = Literal["round", "wager"]


class Charged(NamedTuple):
    """The wagers that pay a fee under a reading, whether Play pays one too, and its wording.

    It reads "A player pays ``words``, by ``by``"; ``wager`` heads the posted ranges.
    """

    wagers: tuple[str, ...]
    play: bool
    words: str
    by: str
    wager: str


READINGS: dict[FeePer, Charged] = {
    "round": Charged(("ante",), play=False, words="once a round", by="the Ante", wager="Ante"),
    "wager": Charged(
        ("ante", "bonus", "pair_plus"),
        play=True,
        words="on each wager",
        by="its size",
        wager="Wager",
    ),
}


class Rate(NamedTuple):
    """A collection rate: flat fees for wagers from ``min`` to ``max`` cents."""

    min: int
    max: int
    player: int
    banker: int
    clause: str


class Fees(NamedTuple):
    """The collection schedule, its rates in order of size."""

    clause: str
    max_rates: int
    fee_per: FeePer
    collect: Literal["before", "after"]
    rates: tuple[Rate, ...]

    @property
    def charged(self) -> Charged:
        """The wagers that pay."""
        return READINGS[self.fee_per]

    def banker_fee(self, largest_ante: int) -> int:
        """Return the banker's fee for a round: the rate of the largest Ante (CA-7)."""
        for rate in self.rates:
            if rate.min <= largest_ante <= rate.max:
                return rate.banker
        raise LookupError(largest_ante)
