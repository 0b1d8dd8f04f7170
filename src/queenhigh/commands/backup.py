"""``backup`` and ``restore``: a store copied as it is at one moment, and proved."""

import os
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from time import monotonic

import click

from queenhigh.commands.output import dump, tell
from queenhigh.commands.progress import counting, stopped_by_interrupt
from queenhigh.errors import QueenhighError
from queenhigh.room.verify import Report, verify
from queenhigh.sheets.words import one_line
from queenhigh.store.backup import Copy, copying

__all__ = ["print_backup", "print_restore"]

_MB = 1_000_000
#: A backup has time; who plays has not.
_NICE = 10


@dataclass(frozen=True, kw_only=True)
class _Asked:
    """What is to be done: backup and restore differ in little."""

    source: Path
    target: Path
    restores: bool
    proves: bool


@dataclass(frozen=True, kw_only=True)
class _Done:
    """What was done. Of a copy that is not proved the head's word is taken."""

    report: Report
    seconds: float
    proving: float | None
    size: int | None


def print_backup(db: Path, file: Path, *, proves: bool, as_json: bool) -> bool:
    """Copy a store that may be in use, print what the copy has, and tell whether it is good."""
    if hasattr(os, "nice"):  # not on Windows
        os.nice(_NICE)
    asked = _Asked(source=db, target=file, restores=False, proves=proves)
    return _run(asked, as_json=as_json)


def print_restore(file: Path, db: Path, *, as_json: bool) -> bool:
    """Make a store of a copy that can be proved, and tell whether it could be."""
    return _run(_Asked(source=file, target=db, restores=True, proves=True), as_json=as_json)


@contextmanager
def _stoppable() -> Iterator[Event]:
    """Let Ctrl-C or a request to end stop the work in good order."""
    with stopped_by_interrupt() as stopped:
        before = signal.signal(signal.SIGTERM, lambda *_: stopped.set())
        try:
            yield stopped
        finally:
            signal.signal(signal.SIGTERM, before)


def _run(asked: _Asked, *, as_json: bool) -> bool:
    with _stoppable() as stopped:
        try:
            with copying(asked.source, asked.target) as copy:
                done = _copy(asked, copy, stopped.is_set)
        except KeyboardInterrupt:
            tell(f"stopped: there is no {asked.target}")
            raise
    for note in copy.notes:
        tell(note)
    if as_json:
        dump(_as_json(asked, done))
    else:
        click.echo(_sentence(asked, done))
    return done.report.ok


def _copy(asked: _Asked, copy: Copy, stop: Callable[[], bool]) -> _Done:
    start = monotonic()
    with counting(asked.source.stat().st_size // _MB, "MB") as count_up:

        def watch(size: int) -> None:
            _check(stop)
            count_up(size // _MB)

        copy.take(watch, live=not asked.restores)
    copied = monotonic()
    report = _prove(asked, copy, stop) if asked.proves else _unproved(copy)
    proving = monotonic() - copied if asked.proves else None
    size = None
    _check(stop)
    if report.ok or not asked.restores:
        if asked.restores:
            copy.begin_epoch()
        size = copy.place()
    return _Done(report=report, seconds=copied - start, proving=proving, size=size)


def _check(stop: Callable[[], bool]) -> None:
    if stop():
        raise KeyboardInterrupt


def _prove(asked: _Asked, copy: Copy, stop: Callable[[], bool]) -> Report:
    """Prove the copy itself: first that it is a database, then every event."""
    events, key = copy.head.events, copy.head.key.hex()
    damage = copy.damage(stop)
    if damage is not None:
        return Report(events, 0, key, f"the file is damaged: {damage}")
    with counting(events, "events") as count_up:

        def watch(done: int) -> None:
            _check(stop)
            count_up(done)

        try:
            # What is beside the events is made anew from them when a store is restored.
            return verify(
                copy.file, check="no index" if asked.restores else "everything", watch=watch
            )
        except QueenhighError as error:
            told = str(error).replace(str(copy.file), str(asked.source))
            return Report(events, 0, key, told)


def _unproved(copy: Copy) -> Report:
    return Report(copy.head.events, 0, copy.head.key.hex())


def _sentence(asked: _Asked, done: _Done) -> str:
    report = done.report
    if not report.ok:
        where = "" if report.n is None else f"event {report.n}: "
        if report.n is None and report.stream:
            where = f"{one_line(report.stream)} after version {report.version}: "
        left = f"{asked.target} is kept" if done.size is not None else f"there is no {asked.target}"
        told = f"BAD: {asked.source}: {where}{one_line(report.bad or '')}"
        return f"{told}; {left}: restore a backup from before"
    has = [f"{report.events:,} events", f"{(done.size or 0) / _MB:,.1f} MB"]
    took = f"copied in {done.seconds:.1f} s"
    if done.proving is None:
        took += ", not proved"
    else:
        has.insert(1, f"{report.rounds:,} round{'s' if report.rounds != 1 else ''}")
        took += f", proved in {done.proving:.1f} s"
    return f"{asked.target}: {', '.join(has)}, {took}, signed by {report.key or 'nobody'}"


def _as_json(asked: _Asked, done: _Done) -> dict[str, object]:
    report, key = done.report, Path(f"{asked.target}.key")
    bad = None if report.ok else {"n": report.n, "reason": report.bad}
    return {
        "ok": report.ok,
        "file": str(asked.target) if done.size is not None else None,
        "key_file": str(key) if done.size is not None and key.exists() else None,
        "events": report.events,
        "rounds": report.rounds if done.proving is not None else None,
        "bytes": done.size,
        "seconds": round(done.seconds, 3),
        "proof_seconds": None if done.proving is None else round(done.proving, 3),
        "signed_by": report.key,
        "bad": bad,
    }
