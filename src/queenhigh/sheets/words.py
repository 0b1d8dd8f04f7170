"""The game's words as people write them."""

__all__ = ["words"]

_PROPER = {"pair_plus": "Pair Plus"}


def words(name: str) -> str:
    """Return a key of the rulebook as a label: ``Three of a kind``, ``Pair Plus``."""
    return _PROPER.get(name) or name.replace("_", " ").capitalize()
