"""Gives a program its time and its chance: Python imports this first, in each of its processes.

The program may be of any commit, so only the standard library is changed here. All processes of a
recording share a clock, a file of a few numbers. Time stands still until the recorder lets it run;
then an event loop with nothing to do goes straight to its next timer.
"""

import asyncio
import concurrent.futures
import mmap
import multiprocessing.connection
import os
import queue
import random
import selectors
import shutil
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from hashlib import shake_256
from math import ceil
from pathlib import Path
from types import SimpleNamespace
from typing import Any

#: The environment variables that name the clock's file and the chance of a process.
CLOCK, CHANCE = "QUEENHIGH_RECORDER_CLOCK", "QUEENHIGH_RECORDER_CHANCE"
#: Places in the clock's file: now, until when time may run, and when the monotonic clocks showed 0,
#: in nanoseconds since 1970; how often the recorder has asked whether everything is done, and the
#: last time that was answered; how many bytes were received from the network, and sent.
NOW, UNTIL, START, ASKED, ANSWERED, RECEIVED, SENT = range(7)
#: Timers due so soon, in nanoseconds, need no permission: commits are grouped by such a timer.
_SOON = 10_000_000
#: What the monotonic clocks show at first: little, since floats of seconds are to be exact.
_ELAPSED = 1_000_000_000_000
_WAIT = 0.002
#: These measure how long they wait: they keep the time of the machine.
_IMPORTED_BEFORE = (queue, subprocess, threading, uuid)
_draws: Counter[int] = Counter()


def open_clock(file: Path) -> Any:
    """Return the numbers of a clock's file, which can be set."""
    with file.open("r+b") as opened:
        return memoryview(mmap.mmap(opened.fileno(), 56)).cast("q")


def make_clock(file: Path, now: int) -> Any:
    """Make a clock's file."""
    file.write_bytes(bytes(56))
    clock = open_clock(file)
    clock[NOW], clock[UNTIL], clock[START] = now, now, now - _ELAPSED
    return clock


def give_chance(name: str) -> None:
    """Start all random draws again, by a name."""
    os.environ[CHANCE] = name
    _draws.clear()
    random.seed(1)


def _urandom(size: int) -> bytes:
    """Return bytes that follow from how often so many were drawn: sizes do not disturb others."""
    _draws[size] += 1
    return shake_256(f"{os.environ[CHANCE]}/{size}/{_draws[size]}".encode()).digest(size)


def _give_chance_to_the_library() -> None:
    seed = random.Random.seed

    def seed_always(self: random.Random, a: Any = None, version: int = 2) -> None:
        seed(self, 1 if a is None else a, version)

    setattr(random.Random, "seed", seed_always)  # noqa: B010 (mypy forbids to assign a method)
    os.urandom = _urandom
    vars(random)["_urandom"] = _urandom
    give_chance(os.environ[CHANCE])


def _give_time(clock: Any) -> None:
    measured = iter(range(1, sys.maxsize))
    vars(multiprocessing.connection)["time"] = SimpleNamespace(monotonic=time.monotonic)
    time.time_ns = lambda: clock[NOW]
    time.time = lambda: clock[NOW] / 1e9
    time.monotonic_ns = lambda: clock[NOW] - clock[START]
    time.monotonic = lambda: (clock[NOW] - clock[START]) / 1e9
    time.perf_counter_ns = lambda: 1_000_000 * next(measured)  # never 0 between two calls
    time.perf_counter = lambda: next(measured) / 1e3


def _wait_for_work() -> None:
    """Wait for work in other threads and processes as long as it takes: no time passes."""
    futures, base = vars(concurrent.futures), vars(concurrent.futures._base)
    future, wait = concurrent.futures.Future, base["wait"]
    result = future.result
    setattr(future, "result", lambda self, timeout=None: result(self))  # noqa: B010

    def wait_for_all(fs: Any, timeout: object = None, **more: Any) -> Any:
        return wait(fs, **more)

    futures["wait"] = base["wait"] = wait_for_all


def _count_bytes(clock: Any) -> None:
    """Count what is received and sent: the recorder knows by that what is still on its way."""

    def counting(name: str, place: int) -> Any:
        call = getattr(socket.socket, name)

        def call_and_count(self: socket.socket, *args: Any) -> Any:
            result = call(self, *args)
            if self.family == socket.AF_INET:
                clock[place] += result if isinstance(result, int) else len(result)
            return result

        return call_and_count

    for name, place in {"recv": RECEIVED, "recv_into": RECEIVED, "send": SENT}.items():
        setattr(socket.socket, name, counting(name, place))


def _give_time_to_event_loops(clock: Any) -> None:
    loops: Any = asyncio.SelectorEventLoop
    start, run_in_executor = loops.__init__, loops.run_in_executor
    running: set[asyncio.Future[Any]] = set()

    class Selector(selectors.DefaultSelector):
        """Waits for nothing but work that runs elsewhere."""

        def select(self, timeout: float | None = None) -> Any:
            asked, until = clock[ASKED], clock[UNTIL]  # in this order, and each once
            ready = super().select(0)
            if ready or timeout == 0:
                return ready
            if running:
                return super().select(_WAIT)
            allowed = max(until, clock[NOW] + _SOON)
            due = clock[NOW] + ceil((timeout or 0) * 1e9)
            if timeout is not None and due <= allowed:
                clock[NOW] = due
                return ready
            clock[NOW] = max(until, clock[NOW])
            ready = super().select(_WAIT)
            if not ready:
                clock[ANSWERED] = asked
            return ready

    def start_with_selector(self: Any, selector: Any = None) -> None:
        start(self, selector or Selector())

    def run_and_note(self: Any, *args: Any) -> asyncio.Future[Any]:
        future: asyncio.Future[Any] = run_in_executor(self, *args)
        running.add(future)
        future.add_done_callback(running.discard)
        return future

    loops.__init__, loops.run_in_executor = start_with_selector, run_and_note
    sys.modules["uvloop"] = None  # type: ignore[assignment]


def _give_room_on_the_disk() -> None:
    free = SimpleNamespace(total=1 << 40, used=1 << 39, free=1 << 39)
    vars(shutil)["disk_usage"] = lambda path: free


if CLOCK in os.environ:
    _clock = open_clock(Path(os.environ[CLOCK]))
    _give_time(_clock)
    _give_time_to_event_loops(_clock)
    _wait_for_work()
    _count_bytes(_clock)
    _give_room_on_the_disk()
    _give_chance_to_the_library()
