"""Long work: how far it is, and a way to stop it in good order."""

import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from time import monotonic

__all__ = ["counting", "stopped_by_interrupt", "stopped_by_signal"]


@contextmanager
def stopped_by_interrupt() -> Iterator[Event]:
    """End the work in good order on the first Ctrl-C; a second one ends it at once."""
    stopped = Event()
    before = signal.getsignal(signal.SIGINT)

    def stop(*_: object) -> None:
        stopped.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def stopped_by_signal() -> Iterator[Event]:
    """End the work in good order on Ctrl-C or on a request to end."""
    with stopped_by_interrupt() as stopped:
        before = signal.signal(signal.SIGTERM, lambda *_: stopped.set())
        try:
            yield stopped
        finally:
            signal.signal(signal.SIGTERM, before)


@contextmanager
def counting(total: int | None, unit: str) -> Iterator[Callable[[int], None]]:
    """Show how many of some unit are done, and how fast, if standard error is a terminal."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    start, shown = monotonic(), 0.0
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=total)

        def report(done: int) -> None:
            nonlocal shown
            if monotonic() - shown < 0.1:
                return
            shown = monotonic()
            rate = done / max(shown - start, 1e-9)
            bar.update(task, completed=done, description=f"{done:,} {unit}, {rate:,.0f}/s")

        yield report
