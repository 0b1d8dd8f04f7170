"""Money in whole cents; the payout of a bet is a ratio of whole numbers."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from queenhigh.errors import QueenhighError

__all__ = ["Pays", "amount_each", "dollars", "parse_pays"]

_PAYS = re.compile(r"([1-9][0-9]{0,6}) to ([1-9][0-9]{0,6})")


class Pays(NamedTuple):
    """``Pays(3, 2)`` is three to two: a winning wager of 2 gains 3."""

    gain: int
    stake: int

    def __str__(self) -> str:
        return f"{self.gain} to {self.stake}"

    def on(self, stake: int) -> int:
        """Return the gain of ``stake`` cents; the rulebook's increment makes it whole."""
        return stake * self.gain // self.stake

    def whole(self, increment: int) -> bool:
        """Return whether every multiple of ``increment`` cents wins whole cents."""
        return increment * self.gain % self.stake == 0


def parse_pays(value: object) -> Pays:
    """Read ``"3 to 2"``, or ``3`` for three to one. Raise ``ValueError`` with a reason.

    The ratio comes back in lowest terms, so that equal pays are equal values.
    """
    if isinstance(value, int) and not isinstance(value, bool):
        gain, stake = value, 1
    elif isinstance(value, str) and (match := _PAYS.fullmatch(value)):
        gain, stake = int(match[1]), int(match[2])
    else:
        raise ValueError("this is not a ratio of whole numbers from 1 to 9999999")
    if not 1 <= gain < 10**7:
        raise ValueError("this is not a ratio of whole numbers from 1 to 9999999")
    ratio = Fraction(gain, stake)
    return Pays(ratio.numerator, ratio.denominator)


def dollars(cents: int, *, signed: bool = False) -> str:
    """Write cents as a patron reads them: ``$1,000.00``; a real minus sign, a plus on request."""
    sign = "−" if cents < 0 else "+" if signed and cents > 0 else ""
    whole, rest = divmod(abs(cents), 100)
    return f"{sign}${whole:,}.{rest:02d}"


def amount_each(name: str, amounts: int | Sequence[int], seats: int) -> list[int]:
    """Return an amount for each seat, from one for all of them or one for each."""
    listed = [amounts] * seats if isinstance(amounts, int) else list(amounts)
    if len(listed) != seats:
        message = (
            f"{len(listed)} amounts of {name} do not match {seats} seats: give one, or one per seat"
        )
        raise QueenhighError("seats.amounts", message)
    return listed
