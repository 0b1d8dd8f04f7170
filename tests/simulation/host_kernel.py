"""The GPU's kernel, compiled for the host as one thread: the same text, the same arrays."""

import ctypes
import hashlib
import shutil
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from queenhigh.simulation.engines import cuda
from queenhigh.simulation.engines.plan import FastPlan, PokerPlan
from queenhigh.simulation.engines.tally import Tally
from tests.simulation.compile_once import make_once
from tests.sizes import FULL

COMPILER = shutil.which("g++") or shutil.which("clang++")
FLAGS = ["-O1", "-std=c++17", "-shared", "-fPIC", "-Wno-unknown-pragmas", "-x", "c++"]


@cache
def _library(source: str) -> Any:
    """Compile a source, or load the library that another worker or run has compiled."""

    def build(to: Path) -> None:
        command = [str(COMPILER), *FLAGS, "-", "-o", str(to)]
        subprocess.run(command, input=source.encode(), check=True, timeout=300)

    digest = hashlib.sha256("\0".join([str(COMPILER), *FLAGS, source]).encode()).hexdigest()
    return ctypes.CDLL(str(make_once(f"kernel-{digest[:32]}.so", build)))


def sample(plan: FastPlan, start: int, rounds: int) -> Tally:
    """Tally rounds with the kernel; without a C++ compiler the test is skipped, but not in CI."""
    if COMPILER is None and not FULL:
        pytest.skip("no C++ compiler: install g++ to compare the GPU's kernel on the host")
    assert COMPILER is not None
    name = "sample_rounds" if isinstance(plan, PokerPlan) else "spin_rounds"
    kernel = getattr(_library(cuda.source(plan)), name)
    given = [np.ascontiguousarray(each) for each in cuda.inputs(plan)]
    results = [np.zeros(shape, dtype=np.uint64) for shape in cuda.outputs(plan)]
    numbers = [ctypes.c_uint64(number) for number in (plan.seed, start, rounds)]
    kernel(*numbers, *(ctypes.c_void_p(each.ctypes.data) for each in [*given, *results]))
    return cuda.read(plan, rounds, [each.astype(np.int64) for each in results])
