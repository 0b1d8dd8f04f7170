"""The pockets of a wheel and the layout of 1 to 36 (RO-14, RO-15)."""

from itertools import chain

__all__ = ["NUMBERS", "RED", "pockets", "spots_of"]

NUMBERS = tuple(str(number) for number in range(1, 37))
RED = frozenset(map(str, (1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36)))


def pockets(zeros: int) -> tuple[str, ...]:
    """Return the wheel's pockets, its zeros first: ``("0", "00", "1", …)``."""
    return tuple("0" * (i + 1) for i in range(zeros)) + NUMBERS


def _row(number: int) -> tuple[int, int, int]:
    return number, number + 1, number + 2


def _splits() -> list[tuple[int, ...]]:
    beside = [(n, n + 1) for n in range(1, 37) if n % 3]
    below = [(n, n + 3) for n in range(1, 34)]
    return [*beside, *below]


_LAYOUT: dict[str, list[tuple[int, ...]]] = {
    "straight": [(n,) for n in range(1, 37)],
    "split": _splits(),
    "street": [_row(n) for n in range(1, 37, 3)],
    "corner": [(n, n + 1, n + 3, n + 4) for n in range(1, 34) if n % 3],
    "line": [(*_row(n), *_row(n + 3)) for n in range(1, 34, 3)],
}


def spots_of(shape: str, zeros: int) -> tuple[tuple[str, ...], ...]:
    """Return every place on the layout for a shape; only straight-up reaches the zeros."""
    spots = [tuple(map(str, spot)) for spot in _LAYOUT[shape]]
    if shape == "straight":
        return tuple(chain(((zero,) for zero in pockets(zeros)[:zeros]), spots))
    return tuple(spots)
