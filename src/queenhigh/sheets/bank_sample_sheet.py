"""A sampled table for programs: what does not depend on the machine, without the distributions."""

from typing import Any

from queenhigh.simulation.quick import QuickSample

__all__ = ["as_json"]

#: Each is a row of numbers for every result, or differs from run to run.
_LEFT_OUT = {"rounds_by_cents", "seconds", "threads", "asked"}


def as_json(sample: QuickSample) -> dict[str, Any]:
    """Return the figures as ``simulate`` has them, and what they say of the bank."""
    figures = sample.simulation.as_json()
    return {
        **_without(figures),
        "seats": [_without(seat) for seat in figures["seats"]],
        "banker_result": _without(figures["banker_result"]),
        "covered": sample.covered,
        "preparing": sample.preparing,
    }


def _without(figures: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in figures.items() if name not in _LEFT_OUT}
