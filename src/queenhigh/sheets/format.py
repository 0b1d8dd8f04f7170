"""The game's words and numbers as people write them."""

from fractions import Fraction

from queenhigh.money import dollars
from queenhigh.rulebook.book import Rulebook
from queenhigh.text import one_line, words

__all__ = [
    "cents",
    "clause_suffix",
    "count_of",
    "number",
    "one_line",
    "percent",
    "short_digest",
    "short_dollars",
    "value_text",
    "words",
]


def clause_suffix(book: Rulebook, key: str) -> str:
    """Return the clauses that govern a key, in brackets to put behind a heading."""
    ids = book.governing(key)
    return f" ({', '.join(ids)})" if ids else ""


def count_of(count: int, noun: str) -> str:
    """Write a number of things: ``1 round``, ``2,000 rounds``."""
    return f"{count:,} {noun}{'s' if count != 1 else ''}"


def percent(share: Fraction | float, places: int = 4) -> str:
    """Write a share: ``4.2964 %``, with a real minus sign."""
    return f"{float(share):.{places}%}".replace("-", "−").replace("%", " %")


def number(value: Fraction | float, places: int = 4) -> str:
    """Write a number with a real minus sign."""
    return f"{float(value):.{places}f}".replace("-", "−")


def cents(amount: Fraction | float, *, signed: bool = False) -> str:
    """Write an amount that need not be whole cents, to the nearest one."""
    return dollars(round(amount), signed=signed)


def short_dollars(amount: int) -> str:
    """Write an amount as a sign shows it, without cents where there are none: ``$5``."""
    return dollars(amount).removesuffix(".00")


def short_digest(digest: str) -> str:
    """Write the beginning of a digest, enough to compare two by eye: ``sha256:baf5b820c2d8``."""
    return digest[: len("sha256:") + 12]


def value_text(value: object) -> str:
    """Write a value of a rulebook's key as its file has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
