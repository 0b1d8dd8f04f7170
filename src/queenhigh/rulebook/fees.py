"""Collection fees: the schedule, and which wagers pay. Nothing else interprets ``fee_per``.

A new reading of which wagers pay is a row of ``READINGS`` and a value of ``FeePer``. Terms are
compiled once for a rulebook: a fee that depends on who plays needs a table that remembers it.
"""

from typing import Literal, NamedTuple

__all__ = ["KINDS", "READINGS", "Charged", "FeePer", "Fees", "Kind", "Rate", "kind_of"]

FeePer = Literal["round", "wager", "kind"]
Kind = Literal["ante", "play", "bonus"]
#: The kinds of wagers, in the order in which rates are posted.
KINDS: tuple[Kind, ...] = ("ante", "play", "bonus")


class Charged(NamedTuple):
    """The kinds of wagers that pay a fee under a reading, and its wording.

    Without ``kinds`` each rate names its own. It reads "A player pays ``words``, by ``by``";
    ``wager`` heads the posted ranges.
    """

    kinds: tuple[Kind, ...] | None
    words: str
    by: str
    wager: str


READINGS: dict[FeePer, Charged] = {
    "round": Charged(("ante",), "once a round", "the Ante", "Ante"),
    "wager": Charged(KINDS, "on each wager", "its size", "Wager"),
    "kind": Charged(None, "on each kind of wager that has a rate", "its size", "Wager"),
}


class Rate(NamedTuple):
    """A collection rate: flat fees for wagers from ``min`` to ``max`` cents.

    ``on`` is the kind of wager that pays, where each rate names its own.
    """

    min: int
    max: int
    player: int
    banker: int
    clause: str
    on: Kind = "ante"


class Fees(NamedTuple):
    """The collection schedule, its rates in order of kind and size."""

    clause: str
    max_rates: int
    fee_per: FeePer
    collect: Literal["before", "after"]
    rates: tuple[Rate, ...]

    @property
    def charged(self) -> Charged:
        """The wagers that pay."""
        return READINGS[self.fee_per]

    def rates_on(self, kind: Kind) -> tuple[Rate, ...] | None:
        """Return the rates of a kind of wager; ``None`` if it is free."""
        if self.charged.kinds is not None:
            return self.rates if kind in self.charged.kinds else None
        return tuple(rate for rate in self.rates if rate.on == kind) or None

    def banker_fee(self, largest_ante: int) -> int:
        """Return the banker's fee for a round: the rate of the largest Ante (CA-7)."""
        if self.rates_on("ante") is None:
            return 0
        rate = self.rate_of("ante", largest_ante)
        if rate is None:
            raise LookupError(largest_ante)
        return rate.banker

    def rate_of(self, kind: Kind, cents: int) -> Rate | None:
        """Return the rate that a wager of a kind and a size pays; ``None`` if it is free."""
        for rate in self.rates_on(kind) or ():
            if rate.min <= cents <= rate.max:
                return rate
        return None


def kind_of(wager: str) -> Kind:
    """Return the kind of a wager by its name: a side bet is a bonus."""
    return "ante" if wager == "ante" else "play" if wager == "play" else "bonus"
