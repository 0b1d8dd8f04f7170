"""Random numbers for exact comparisons: different for each commit, the same for each run of it.

An exact comparison (engine against oracle, fast against slow) must hold for every seed, so each
commit tries other rounds. QUEENHIGH_TEST_SEED repeats a run. Statistical tests, which hold for
most seeds only, keep seeds of their own.
"""

import os
import random
import subprocess
from pathlib import Path

VARIABLE = "QUEENHIGH_TEST_SEED"


def _of_commit() -> str:
    """Return the start of the commit's hash, or a fixed seed outside a checkout."""
    command = ["git", "rev-parse", "--short=12", "HEAD"]
    try:
        done = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return "no git"
    return done.stdout.strip() or "no commit"


SEED = os.environ.setdefault(VARIABLE, _of_commit())  # workers inherit it


def rng(name: str) -> random.Random:
    """Return the random numbers of one comparison; its name keeps it apart from the others."""
    return random.Random(f"{SEED}/{name}")
