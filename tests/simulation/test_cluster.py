"""A Ray cluster on this machine: the same tally, even if a worker is killed in the middle."""

import os
import signal
from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.simulation.cluster import Cluster
from queenhigh.simulation.engines.tally import Tally
from queenhigh.simulation.run import run
from queenhigh.simulation.terms import make_plan
from tests.sizes import FULL


def _children(parent: int) -> list[int]:
    """Return all processes below one, by the kernel's own list of tasks and their children."""
    children = []
    for task in Path(f"/proc/{parent}/task").glob("*/children"):
        for child in map(int, task.read_text().split()):
            children += [child, *_children(child)]
    return children


def _busy_workers() -> list[int]:
    """Return our workers that have a chunk in hand: they bear the name of the task."""
    busy = []
    for process in _children(os.getpid()):
        try:
            name = Path(f"/proc/{process}/cmdline").read_bytes()
        except OSError:
            continue
        if name.startswith(b"ray::_tally"):
            busy.append(process)
    return busy


@pytest.mark.full
@pytest.mark.skipif(
    not FULL and not Path("/proc/self/task").exists(), reason="needs /proc to find the workers"
)
@pytest.mark.parametrize(
    ("engine", "rounds"),
    [pytest.param("scalar", 2_000, marks=pytest.mark.night), ("compiled", 20_000_000)],
)
def test_a_killed_worker_changes_nothing(engine: str, rounds: int) -> None:
    plan = make_plan(qh.load("california"), {"seats": 10, "bank": 5000, "seed": 7})
    killed: list[int] = []

    def kill(tally: Tally, seconds: float) -> None:
        if killed or tally.rounds == rounds:
            return
        looks = (_busy_workers() for _ in range(100))  # a worker may be between two chunks
        for worker in next(filter(None, looks), [])[:1]:
            killed.append(worker)
            os.kill(worker, signal.SIGKILL)

    result = run(plan, rounds, workers=Cluster("local", engine), progress=kill)
    assert killed
    assert result.rounds == rounds
    assert result.tally == run(plan, rounds).tally


def test_address_without_a_cluster_is_refused() -> None:
    with pytest.raises(QueenhighError, match=r"there is no Ray cluster at 127\.0\.0\.1:1"):
        Cluster("127.0.0.1:1", "compiled")
