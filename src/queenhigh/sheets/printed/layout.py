"""Where bets lie on the layout of a wheel, worked out from the pockets that they cover.

``u`` runs along the layout, away from the zeros, and ``v`` across it; the box of a number is one by
one, and 1 is nearest to the outside bets.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from queenhigh.wheel import NUMBERS, RED

__all__ = ["Box", "box_of", "outside_boxes", "place_of"]


class Box(NamedTuple):
    """A box on the layout, from one corner to the other."""

    left: float
    right: float
    low: float
    high: float


def box_of(pocket: str, zeros: int) -> Box:
    """Return the box of a pocket. Two zeros lie side by side, and a third behind them."""
    if pocket.startswith("0"):
        if zeros == 1:
            return Box(-1, 0, 0, 3)
        if len(pocket) == 3:
            return Box(-2, -1, 0, 3)
        return Box(-1, 0, 1.5 * (len(pocket) - 1), 1.5 * len(pocket))
    row, column = divmod(int(pocket) - 1, 3)
    return Box(row, row + 1, column, column + 1)


def place_of(
    covered: Iterable[str], pockets: Iterable[str], zeros: int
) -> tuple[float, float] | None:
    """Return where the chip of an inside bet lies: what its boxes share, or the layout's edge.

    ``None`` for a bet whose boxes lie apart: no place on a layout means them and no others.
    """
    own = [box_of(pocket, zeros) for pocket in covered]
    boxes = [box_of(pocket, zeros) for pocket in pockets]
    shared = Box(
        max(box.left for box in own),
        min(box.right for box in own),
        max(box.low for box in own),
        min(box.high for box in own),
    )
    u, v = (shared.left + shared.right) / 2, (shared.low + shared.high) / 2
    meet = shared.left <= shared.right and shared.low <= shared.high
    if meet and len([box for box in boxes if _has(box, u, v)]) == len(own):
        return u, v
    first, last = min(box.left for box in own), max(box.right for box in own)
    rows = [box for box in boxes if first <= box.left and box.right <= last]
    if last - first <= 2 and len(rows) == len(own):
        return (first + last) / 2, 0.0
    return None


def _has(box: Box, u: float, v: float) -> bool:
    return box.left <= u <= box.right and box.low <= v <= box.high


def _numbers(wanted: Iterable[int]) -> frozenset[str]:
    return frozenset(map(str, wanted))


#: The boxes outside the numbers, by what they cover; those of the last row lie below the dozens.
_DOZENS = {_numbers(range(12 * n + 1, 12 * n + 13)): Box(4 * n, 4 * n + 4, -1, 0) for n in range(3)}
_COLUMNS = {_numbers(range(n + 1, 37, 3)): Box(12, 13, n, n + 1) for n in range(3)}
_CHANCES = {
    frozenset(covered): Box(2 * n, 2 * n + 2, -1, 0)
    for n, covered in enumerate(
        (
            _numbers(range(1, 19)),
            _numbers(range(2, 37, 2)),
            RED,
            frozenset(NUMBERS) - RED,
            _numbers(range(1, 37, 2)),
            _numbers(range(19, 37)),
        )
    )
}


def outside_boxes(covered: Iterable[frozenset[str]]) -> Mapping[frozenset[str], Box]:
    """Return the box of every outside bet among those that are offered."""
    offered = [*covered]
    down = 1 if any(each in _DOZENS for each in offered) else 0
    below = {each: box._replace(low=-1 - down, high=-down) for each, box in _CHANCES.items()}
    boxes = {**_DOZENS, **_COLUMNS, **below}
    return {each: boxes[each] for each in offered if each in boxes}
