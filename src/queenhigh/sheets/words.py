"""The game's words and numbers as people write them."""

from fractions import Fraction

from queenhigh.money import dollars

__all__ = ["cents", "number", "one_line", "percent", "value_text", "words"]

_PROPER = {"pair_plus": "Pair Plus"}


def words(name: str) -> str:
    """Return a key of the rulebook as a label: ``Three of a kind``, ``Pair Plus``."""
    return _PROPER.get(name) or name.replace("_", " ").capitalize()


def one_line(text: str, most: int = 300) -> str:
    """Return somebody else's text so that it cannot break a line or steer a terminal."""
    shown = "".join(
        char if char.isprintable() else char.encode("unicode_escape").decode() for char in text
    )
    return shown if len(shown) <= most else shown[: most - 1] + "…"


def percent(share: Fraction | float, places: int = 4) -> str:
    """Write a share: ``4.2964 %``, with a real minus sign."""
    return f"{float(share):.{places}%}".replace("-", "−").replace("%", " %")


def number(value: Fraction | float, places: int = 4) -> str:
    """Write a number with a real minus sign."""
    return f"{float(value):.{places}f}".replace("-", "−")


def cents(amount: Fraction | float, *, signed: bool = False) -> str:
    """Write an amount that need not be whole cents, to the nearest one."""
    return dollars(round(amount), signed=signed)


def value_text(value: object) -> str:
    """Write a value of a rulebook's key as its file has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
