"""The machine under a bench: what it is, and how busy others kept it meanwhile."""

import os
import platform
import subprocess
from pathlib import Path
from time import perf_counter

__all__ = ["Busyness", "commit", "describe", "describe_gpu"]

ROOT = Path(__file__).parent.parent
_PROC = Path("/proc")
#: Fields of a line `cpu` in /proc/stat that are not work: idle, and waiting for a disk.
_IDLE = (3, 4)


class Busyness:
    """Measures how much of the machine others used between its making and `sentence`."""

    def __init__(self) -> None:
        self._start, self._all, self._own = perf_counter(), _all_seconds(), own_seconds()

    def free(self) -> float | None:
        """Return how many processors others left free on average, where Linux counts it."""
        if self._all is None or (now := _all_seconds()) is None:
            return None
        elapsed = max(perf_counter() - self._start, 0.01)
        others = (now - self._all) - (own_seconds() - self._own)
        count = _processors()
        return min(max(count - others / elapsed, 0.0), float(count))

    def sentence(self) -> str:
        """Return how busy the machine was, in words."""
        load, count = os.getloadavg()[0], _processors()
        if (free := self.free()) is None:
            return f"load average {load:.1f} on {count} processors"
        return f"{free:.1f} of {count} processors free of others' work, load average {load:.1f}"


def _processors() -> int:
    return os.cpu_count() or 1


def _all_seconds() -> float | None:
    """Return the seconds that all processors have worked since the machine started."""
    try:
        fields = (_PROC / "stat").read_text().splitlines()[0].split()[1:9]
    except OSError:
        return None
    ticks = sum(int(ticks) for place, ticks in enumerate(fields) if place not in _IDLE)
    return ticks / os.sysconf("SC_CLK_TCK")


def own_seconds() -> float:
    """Return the processor time of this process and of all that it started."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in _PROC.glob("[0-9]*"):
        try:
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has just ended
            continue
        parents[int(entry.name)] = int(fields[1])
        ticks[int(entry.name)] = sum(map(int, fields[11:15]))
    own = sum(count for pid, count in ticks.items() if _descends(pid, os.getpid(), parents))
    return own / os.sysconf("SC_CLK_TCK")


def _descends(pid: int, ancestor: int, parents: dict[int, int]) -> bool:
    while pid and pid != ancestor:
        pid = parents.get(pid, 0)
    return pid == ancestor


def describe() -> str:
    """Return the processor, memory, system and Python; neither a host's name nor a path."""
    system = platform.system()
    parts = [
        f"{_processor()}, {_processors()} processors",
        f"{_memory():.0f} GiB of memory",
        f"{system} {platform.release().split('-')[0]}",
        f"{platform.python_implementation()} {platform.python_version()}",
    ]
    return "; ".join(parts)


def describe_gpu() -> str:
    """Return the graphics card that CuPy uses, and its version."""
    import cupy  # noqa: PLC0415

    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    return f"{name}; CuPy {cupy.__version__}"


def _processor() -> str:
    try:
        lines = (_PROC / "cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())


def _memory() -> float:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30


def commit() -> str:
    """Return the commit that is checked out, and whether tracked files differ from it."""
    head = _git("rev-parse", "--short=12", "HEAD") or "unknown"
    changed = _git("status", "--porcelain", "-uno", "--", ".", ":!docs/performance.md")
    return f"{head} with uncommitted changes" if changed else head


def _git(*words: str) -> str:
    try:
        done = subprocess.run(
            ["git", *words], cwd=ROOT, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return ""
    return done.stdout.strip()
