"""Numbers of rounds and amounts of money, as people write them on a command line."""

import re

import click

__all__ = ["Amounts", "Count", "Money", "flatten"]

_MONEY = re.compile(r"(\$?)([0-9]{1,13})(\.[0-9]{2})?")


class Count(click.ParamType[int]):
    """A whole number that may be written ``1e9`` or ``1,000,000``."""

    name = "N"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number."""
        match = re.fullmatch(r"([0-9][0-9_,]{0,24})(?:[eE]([0-9]{1,2}))?", str(value))
        if not match:
            self.fail(f"{value[:20]!r} is not a number of rounds: write 1000000 or 1e9", param, ctx)
        count: int = int(re.sub("[_,]", "", match[1])) * 10 ** int(match[2] or 0)
        if not 1 <= count <= 10**15:
            self.fail("write a number of rounds from 1 to 1e15", param, ctx)
        return count


class Money(click.ParamType[int]):
    """An amount in cents: ``500``; or in dollars: ``$5``, ``$5.00`` or ``5.00``."""

    name = "MONEY"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the amount, in cents."""
        amount = _MONEY.fullmatch(value.strip())
        if not amount:
            self.fail(f"{value[:30]!r} is not an amount: {_HOW}", param, ctx)
        return _cents(amount)


class Amounts(click.ParamType[list[int]]):
    """An amount for all seats, or one for each: ``500,1000,500`` or ``$5,$10,$5``."""

    name = "MONEY[,…]"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[int]:
        """Read the amounts, in cents."""
        amounts = [_MONEY.fullmatch(part.strip()) for part in value.split(",")]
        read = [amount for amount in amounts if amount]
        if len(read) < len(amounts):
            message = f"{value[:30]!r} is not an amount: {_HOW}; $5,$10 means two seats"
            self.fail(message, param, ctx)
        if len({_is_dollars(amount) for amount in read if amount[0] != "0"}) > 1:
            # The comma may be meant for thousands: $1,500.
            message = (
                f"{value[:30]!r} mixes dollars and cents:"
                " use $ for every amount, and no commas in thousands"
            )
            self.fail(message, param, ctx)
        return [_cents(amount) for amount in read]


_HOW = "write 500 for cents, or $5 or 5.00 for dollars"


def _is_dollars(amount: re.Match[str]) -> bool:
    return bool(amount[1] or amount[3])


def _cents(amount: re.Match[str]) -> int:
    if not _is_dollars(amount):
        return int(amount[2])
    return 100 * int(amount[2]) + int((amount[3] or ".0")[1:])


def flatten(given: tuple[list[int], ...]) -> int | list[int] | None:
    """Return the amounts of an option that may be repeated: none, one for all, or one for each."""
    amounts = [amount for listed in given for amount in listed]
    return amounts[0] if len(amounts) == 1 else amounts or None
