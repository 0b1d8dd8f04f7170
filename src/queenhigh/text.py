"""Words of the game and other people's text, as they may be printed."""

__all__ = ["listed", "one_line", "words"]

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


def listed(items: list[str], last: str) -> str:
    """Return items as people list them: ``a, b or c``."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {last} {items[-1]}"
