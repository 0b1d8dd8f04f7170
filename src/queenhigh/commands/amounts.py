"""How many rounds and how many cents, as people write them on a command line."""

import re

import click

__all__ = ["Amounts", "Count"]


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


class Amounts(click.ParamType[list[int]]):
    """An amount in cents for all seats, or one for each: ``500,1000,500``."""

    name = "CENTS[,…]"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[int]:
        """Read the amounts."""
        parts = [part.strip() for part in value.split(",")]
        if not all(part.isascii() and part.isdecimal() and len(part) < 16 for part in parts):
            self.fail(f"{value[:30]!r} is not cents: write 500, or 500,1000 for two seats")
        return [int(part) for part in parts]
