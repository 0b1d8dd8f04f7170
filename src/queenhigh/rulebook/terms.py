"""The terms of wagers: limits, fees, and the chips that a later move will take.

A rulebook is compiled to these terms once. Tables, bots, odds, samplers and the page read them, so
none of them has to know how limits and collection rates work together.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from queenhigh.rulebook.fees import Fees, Rate, kind_of

__all__ = ["MOST_WAGERS", "BettingTerms", "StakeRange", "WagerTerms", "poker_terms"]

#: How many wagers a place may have in a round.
MOST_WAGERS = 200

#: Stakes by the name of their wager; 0 is none.
Stakes = Iterable[tuple[str, int]]


class StakeRange(NamedTuple):
    """Stakes from ``min`` to ``max`` cents, the fee for one, and the fee of the move to come."""

    min: int
    max: int
    fee: int = 0
    reserve_fee: int = 0


class WagerTerms(NamedTuple):
    """The terms of one wager.

    ``reserve`` is how many times its stake a move to come will take. A stake is within the limits
    ``min`` and ``max`` and lies in one of the ranges, which ascend and do not overlap. Where no
    collection rate meets the limits there is no range, and so no legal stake.
    """

    increment: int
    required: bool
    reserve: int
    min: int
    max: int
    ranges: tuple[StakeRange, ...]

    def find(self, cents: int) -> StakeRange | None:
        """Return the range that a stake lies in."""
        for row in self.ranges:
            if row.min <= cents <= row.max:
                return row
        return None

    def as_json(self) -> dict[str, Any]:
        """Return the terms as plain values for JSON."""
        return {**self._asdict(), "ranges": [row._asdict() for row in self.ranges]}

    @property
    def least_cost(self) -> int:
        """The chips that the smallest stake takes, its fee and the move to come included."""
        least = self.ranges[0] if self.ranges else StakeRange(self.min, self.max)
        return least.min * (1 + self.reserve) + least.fee + least.reserve_fee


@dataclass(frozen=True)
class BettingTerms:
    """The terms of every wager of a game; ``any`` holds for spots without other terms."""

    wagers: Mapping[str, WagerTerms] = field(default_factory=dict)
    any: WagerTerms | None = None
    #: The least and the most that the banker can be charged for a round.
    banker_fee: tuple[int, int] = (0, 0)
    #: Wagers with stakes inside their limits that no range has.
    gaps: frozenset[str] = frozenset()
    #: The most that all wagers of a place may be together, before the deal; ``None`` is no limit.
    together: int | None = None

    @cached_property
    def least_stack(self) -> int:
        """The chips that a place needs to play a round to its end."""
        terms = self._all
        required = [each.least_cost for each in terms if each.required]
        possible = [each.least_cost for each in terms if each.ranges]
        return sum(required) or min(possible or [each.least_cost for each in terms])

    @property
    def most_stake(self) -> int:
        """The largest stake that any wager may have."""
        return max(each.max for each in self._all)

    @property
    def _all(self) -> list[WagerTerms]:
        return [*self.wagers.values(), *([self.any] if self.any else [])]

    def fee(self, stakes: Stakes) -> int:
        """Return the fees for wagers when they are made: flat, by size (CA-7)."""
        return charge(self.fees, stakes) if self.fees else 0

    def reserve_fee(self, stakes: Stakes) -> int:
        """Return the fees for the move to come."""
        return charge(self.reserve_fees, stakes) if self.reserve_fees else 0

    @cached_property
    def fees(self) -> "Charges":
        """The wagers that pay when they are made."""
        return _charges(self.wagers, "fee")

    @cached_property
    def reserve_fees(self) -> "Charges":
        """The wagers that pay with the move to come."""
        return _charges(self.wagers, "reserve_fee")

    def reserve(self, stakes: Stakes) -> int:
        """Return the chips that the move to come takes, without its fee."""
        total = 0
        for name, cents in stakes:
            total += self.of(name).reserve * cents
        return total

    def cost(self, stakes: Sequence[tuple[str, int]]) -> int:
        """Return the chips that wagers take in all: stakes, the move to come, and the fees."""
        made = sum(cents for _, cents in stakes) + self.fee(stakes)
        return made + self.reserve(stakes) + self.reserve_fee(stakes)

    def as_json(self) -> dict[str, Any]:
        """Return the terms as plain values for JSON (docs/json.md)."""
        least, most = self.banker_fee
        return {
            "least_stack": self.least_stack,
            "most_wagers": MOST_WAGERS,
            "banker_fee": {"least": least, "most": most},
            "together": self.together,
            "wagers": {name: terms.as_json() for name, terms in self.wagers.items()},
            "any": self.any.as_json() if self.any else None,
        }

    def fits(self, stakes: Stakes) -> bool:
        """Return whether wagers keep within the limit that holds for all of them together."""
        return self.together is None or sum(cents for _, cents in stakes) <= self.together

    def spans(self, name: str) -> tuple[tuple[int, int], ...]:
        """Return the stakes that a wager may have, as spans without a gap; none if none is legal.

        A wager that is required beside it has its least stake.
        """
        terms, most = self.of(name), self.together
        for other, required in self.wagers.items():
            if required.required and other != name:
                if not required.ranges:
                    return ()
                most = None if most is None else most - required.ranges[0].min
        joined: list[tuple[int, int]] = []
        for row in terms.ranges:
            end = row.max if most is None else min(row.max, most)
            if row.min > end:
                continue
            if joined and row.min <= joined[-1][1] + terms.increment:
                joined[-1] = (joined[-1][0], end)
            else:
                joined.append((row.min, end))
        return tuple(joined)

    def of(self, name: str) -> WagerTerms:
        """Return the terms of a wager; ``LookupError`` if there is no such wager."""
        terms = self.wagers.get(name, self.any)
        if terms is None:
            raise LookupError(name)
        return terms


#: For each wager that pays: the least and the most stake of a range, and the fee there.
Charges = dict[str, tuple[tuple[int, int, int], ...]]


def _charges(wagers: Mapping[str, WagerTerms], fee: Literal["fee", "reserve_fee"]) -> Charges:
    rows = {
        name: tuple([(row.min, row.max, getattr(row, fee)) for row in terms.ranges])
        for name, terms in wagers.items()
    }
    return {name: charged for name, charged in rows.items() if any(row[2] for row in charged)}


def charge(charges: Charges, stakes: Stakes) -> int:
    """Return what stakes are charged."""
    total = 0
    for name, cents in stakes:
        for least, most, fee in charges.get(name, ()):
            if least <= cents <= most:
                total += fee
                break  # ranges do not overlap
    return total


def poker_terms(
    limits: Mapping[str, tuple[int, int, str]],
    fees: Fees | None,
    *,
    increment: int,
    ante_required: bool,
    together: int | None = None,
) -> BettingTerms:
    """Return the terms of Three Card Poker: Play costs another Ante."""
    wagers, gaps = {}, set()
    for name, (least, most, _) in limits.items():
        is_ante = name == "ante"
        later = fees.rates_on("play") if fees and is_ante else None
        made = fees.rates_on(kind_of(name)) if fees else None
        ranges = _ranges(least, most, made, later)
        ends = [least - increment, *(row.max for row in ranges)]
        starts = [*(row.min for row in ranges), most + increment]
        if any(start > end + increment for start, end in zip(starts, ends, strict=True)):
            gaps.add(name)
        required, reserve = is_ante and ante_required, int(is_ante)
        wagers[name] = WagerTerms(increment, required, reserve, least, most, ranges)
    rates = fees.rates_on("ante") if fees else None
    banker = [rate.banker for rate in rates] if rates else [0]
    return BettingTerms(wagers, None, (min(banker), max(banker)), frozenset(gaps), together)


def _ranges(
    least: int, most: int, made: Sequence[Rate] | None, later: Sequence[Rate] | None
) -> tuple[StakeRange, ...]:
    """Return the ranges of stakes that have a rate now and one for the move to come."""
    free = (Rate(least, most, 0, 0, ""),)
    return tuple(
        StakeRange(low, high, now.player, then.player)
        for now in made or free
        for then in later or free
        for low in [max(least, now.min, then.min)]
        for high in [min(most, now.max, then.max)]
        if low <= high
    )
