"""Proof of a log: every event must be the one that the rules bring, byte for byte."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from queenhigh.room.log import BadLine, is_store, read_log
from queenhigh.room.receipts import Kept, Receipts, Verdict
from queenhigh.room.replay import BadEvent, Replay
from queenhigh.store.checks import check_index
from queenhigh.store.signing import Head, is_signed
from queenhigh.store.streams import DamagedStream

__all__ = ["Report", "verify"]


@dataclass(frozen=True)
class Report:
    """What came of it: all is well, or the first bad event. A bad head has no number.

    ``rebased`` is how often the time of a table was rebased.
    """

    events: int
    rounds: int
    key: str
    bad: str | None = None
    n: int | None = None
    stream: str | None = None
    version: int | None = None
    #: How the rounds were dealt: by which scheme, and what was left out or voided.
    dealing: dict[str, int] = field(default_factory=dict)
    #: What is bad where it is no event.
    part: str = "head"
    rebased: int = 0
    receipts: tuple[Verdict, ...] = ()
    #: How many of the events stand there with their hash only.
    hash_only: int = 0

    @property
    def ok(self) -> bool:
        """Tell whether nothing is wrong, with a receipt neither."""
        return self.bad is None and all(one.bad is None for one in self.receipts)


def verify(
    file: Path,
    *,
    key: str | None = None,
    check: Literal["everything", "no index", "events"] = "everything",
    receipts: Iterable[Kept] = (),
    archives: Sequence[Path] = (),
    watch: Callable[[int], None] = lambda events: None,
) -> Report:
    """Check a store or a log file, with archives of it, and receipts of its events.

    The index is what a store has beside its events, to be read quickly. ``events`` leaves out the
    head too.
    """
    log, kept = Replay(), Receipts(receipts)
    head: Head | None = None
    for at, row in enumerate(read_log(file, archives), 1):
        if at % 1000 == 0:
            watch(at)
        if head is not None:
            told = f"event {at - 1} should stand where the head stands"
            return Report(log.events, log.rounds, "", told, at - 1)
        if isinstance(row, Head):
            head = row
        elif isinstance(row, BadLine):
            return Report(log.events, log.rounds, "", row.told, at)
        else:
            try:
                log.take(at, row)
            except BadEvent as wrong:
                told = str(wrong)
                return Report(log.events, log.rounds, "", told, at, row.stream, row.version)
            kept.see((row.stream, row.version), row.hash)
            kept.see(log.events, log.over_all)
    report = _finished(log, head, key, check_head=check != "events")
    if report.ok and is_store(file):
        report = _accounted(log, report)
    if report.ok and check == "everything" and is_store(file):
        report = _by_index(file, log, report)
    if not report.ok:
        return report
    report = replace(report, dealing=log.dealing(), hash_only=log.archived.count)
    return replace(report, receipts=kept.verdicts(report.key))


def _accounted(log: Replay, report: Report) -> Report:
    """Want the floor's word for every stream that a store has by its hashes only."""
    stream = log.unaccounted()
    if stream is None:
        return report
    told = "only hashes are here, and the floor's log does not say that this was archived"
    return replace(report, bad=told, stream=stream, version=log.ends[stream][0])


def _by_index(file: Path, log: Replay, report: Report) -> Report:
    """Compare what a room would read with what was read in order."""
    try:
        check_index(file, log.ends, bytes.fromhex(report.key))
    except DamagedStream as wrong:
        told = "what a room reads of this stream is not all that is there"
        return replace(report, bad=told, stream=wrong.stream, version=wrong.version)
    return report


def _finished(log: Replay, head: Head | None, key: str | None, *, check_head: bool) -> Report:
    shown = head.key.hex() if head else ""
    missing = f"event {log.events + 1} is missing"
    if log.expected:
        stream = log.expected[0][0]
        return Report(log.events, log.rounds, shown, missing, log.events + 1, stream)
    if not check_head:
        return Report(log.events, log.rounds, shown)
    if head is not None and head.events > log.events:
        return Report(log.events, log.rounds, shown, missing, log.events + 1)
    told = None
    if head is None:
        told = "there is no head at the end"
    elif (head.events, head.hash) != (log.events, log.over_all):
        told = "the head is of other events than these"
    elif not is_signed(head):
        told = "the signature of the head is wrong"
    elif key is not None and key.lower() != shown:
        told = "the head is signed with another key"
    return Report(log.events, log.rounds, shown, told, rebased=log.rebased)
