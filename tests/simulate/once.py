"""Compile once for all workers of a run, and keep the result for the next run."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import queenhigh as qh
from queenhigh.sampling import compiled
from queenhigh.simulation.terms import make_plan

#: Beside pytest's own cache, which git ignores and `make clean` removes.
FOLDER = Path(__file__).parents[2] / ".pytest_cache" / "compiled"


@contextmanager
def only_worker(name: str) -> Iterator[None]:
    """Wait until no other worker is at work under this name."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    with Path(FOLDER, f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def make_once(name: str, make: Callable[[Path], None]) -> Path:
    """Return the file of this name, made by the first worker that needs it."""
    made = FOLDER / name
    if not made.exists():
        with only_worker(name):
            if not made.exists():
                unfinished = made.with_suffix(".unfinished")
                make(unfinished)
                os.replace(unfinished, made)
    return made


@cache
def compile_engine() -> None:
    """Let numba compile the engine in one worker; the others read what it keeps on disk."""
    with only_worker("engine"):
        for name in ("california", "roulette"):
            compiled.sample(make_plan(qh.load(name), {"seed": 1}), 0, 1)
