"""How much of the suite runs: ``quick`` by default, ``full`` with CI=true, ``night`` on request.

A test that is too long for a smaller size carries ``@pytest.mark.full`` or ``@pytest.mark.night``.
A test that runs at every size, but over fewer cases at a smaller one, asks :func:`sized`.
"""

import os
from typing import TypeVar

SIZES = ("quick", "full", "night")

_T = TypeVar("_T")


def _chosen() -> str:
    size = os.environ.get("SIZE") or ("full" if os.environ.get("CI") == "true" else "quick")
    if size not in SIZES:
        raise SystemExit(f"SIZE={size}: choose one of {', '.join(SIZES)}.")
    return size


SIZE = _chosen()
NIGHT = SIZE == "night"
FULL = SIZE != "quick"


def sized(quick: _T, full: _T, night: _T | None = None) -> _T:
    """Return the value for the size in force; without a value for the night, the full one."""
    if NIGHT and night is not None:
        return night
    return full if FULL else quick


def is_selected(marks: set[str]) -> bool:
    """Return whether a test with these marks runs at the size in force."""
    return SIZE in SIZES[max(map(SIZES.index, marks & set(SIZES)), default=0) :]
