"""The GPU's kernel, compiled for the host as one thread: the same text, the same arrays."""

import ctypes
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

from queenhigh.sampling import cuda
from queenhigh.sampling.plan import Plan, PokerPlan
from queenhigh.sampling.tally import Tally
from tests.sizes import FULL

COMPILER = shutil.which("g++") or shutil.which("clang++")


def sample(plan: Plan, start: int, rounds: int) -> Tally:
    """Tally rounds with the kernel; without a C++ compiler the test is skipped, but not in CI."""
    if COMPILER is None and not FULL:
        pytest.skip("no C++ compiler: install g++ to compare the GPU's kernel on the host")
    assert COMPILER is not None
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "kernel.cpp"), Path(folder, "kernel.so")
        source.write_text(cuda.source(plan))
        flags = ["-O1", "-std=c++17", "-shared", "-fPIC", "-Wno-unknown-pragmas"]
        subprocess.run([COMPILER, *flags, str(source), "-o", str(library)], check=True, timeout=300)
        name = "sample_rounds" if isinstance(plan, PokerPlan) else "spin_rounds"
        kernel = getattr(ctypes.CDLL(str(library)), name)
        given = [np.ascontiguousarray(each) for each in cuda.inputs(plan)]
        found = [np.zeros(shape, dtype=np.uint64) for shape in cuda.outputs(plan)]
        numbers = [ctypes.c_uint64(number) for number in (plan.seed, start, rounds)]
        kernel(*numbers, *(ctypes.c_void_p(each.ctypes.data) for each in [*given, *found]))
    return cuda.read(plan, rounds, [each.astype(np.int64) for each in found])
