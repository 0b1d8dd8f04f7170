"""Compile once for all workers of a run, and keep the result for the next run."""

import os
from collections.abc import Callable
from functools import cache
from pathlib import Path

import queenhigh as qh
from queenhigh.simulation.engines import compiled
from queenhigh.simulation.terms import make_plan
from tests.locks import only_worker

#: Beside pytest's own cache, which git ignores and `make clean` removes.
FOLDER = Path(__file__).parents[2] / ".pytest_cache" / "compiled"


def make_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the file of this name, made by the first worker that needs it."""
    made = FOLDER / name
    if not made.exists():
        with only_worker(FOLDER / f"{name}.lock"):
            if not made.exists():
                unfinished = made.with_suffix(".unfinished")
                make(unfinished)
                os.replace(unfinished, made)
    return made


@cache
def compile_engine() -> None:
    """Compile the engine in one worker; the others read numba's cache on disk."""
    with only_worker(FOLDER / "engine.lock"):
        for name in ("california", "roulette"):
            compiled.sample(make_plan(qh.load(name), {"seed": 1}), 0, 1)
        in_turns = qh.load("california", {"settle_order": "wager"})
        compiled.sample(make_plan(in_turns, {"bank": 1, "seed": 1}), 0, 1)
