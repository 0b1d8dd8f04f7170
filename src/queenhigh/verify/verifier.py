"""Proof of a log: every event must be the one that the rules bring, byte for byte."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from queenhigh.games import GAMES
from queenhigh.rulebook.book import Games, Rulebook
from queenhigh.store.checks import check_index
from queenhigh.store.location import Location
from queenhigh.store.signing import Head, is_signed
from queenhigh.store.streams import DamagedStream
from queenhigh.verify.fold import BrokenStream
from queenhigh.verify.log_file import BadLine, Row, is_store, read_log
from queenhigh.verify.past_rounds import RoundNeeded, rounds_named
from queenhigh.verify.receipts import Receipts, SavedReceipt, Verdict
from queenhigh.verify.replay import Replay

__all__ = ["Report", "verify"]


@dataclass(frozen=True)
class Report:
    """The result of a proof: nothing is bad, or the first bad event. A bad head has no number.

    ``rebased`` is how often the time of a table was rebased.
    """

    events: int
    rounds: int
    key: str
    bad: str | None = None
    n: int | None = None
    stream: str | None = None
    version: int | None = None
    #: How the rounds were dealt: rounds by scheme, seeds left out, rounds voided.
    dealing: dict[str, int] = field(default_factory=dict)
    #: The part of the log that is bad, where it is not an event.
    part: str = "head"
    rebased: int = 0
    receipts: tuple[Verdict, ...] = ()
    #: How many of the events are there with their hash only.
    hash_only: int = 0
    #: The rulebook of every table, as of its last event.
    rulebooks: Mapping[str, Rulebook] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """Return whether nothing is wrong, with the receipts either."""
        return self.bad is None and all(verdict.bad is None for verdict in self.receipts)


def verify(  # noqa: PLR0913 (each is one thing to check, by name)
    file: Location,
    *,
    key: str | None = None,
    check: Literal["everything", "no index", "events"] = "everything",
    receipts: Iterable[SavedReceipt] = (),
    archives: Sequence[Path] = (),
    watch: Callable[[int], None] = lambda events: None,
    games: Games = GAMES,
) -> Report:
    """Check a store or a log file, with archives of it, and receipts of its events.

    The index is what a store has beside its events to find them quickly. With ``events`` the head
    is not checked either.
    """
    saved, named = list(receipts), rounds_named(read_log(file, archives))
    while True:
        proof = _Proof(Replay(games, named), Receipts(saved))
        try:
            bad = proof.read(read_log(file, archives), watch)
        except RoundNeeded as needed:  # a room that is played has a new correction
            named.add(needed.round)
            continue
        break
    if bad is not None:
        return bad
    log = proof.log
    report = _finished(log, proof.head, key, check_head=check != "events")
    if report.ok and is_store(file):
        report = _accounted(log, report)
    if report.ok and check == "everything" and is_store(file):
        report = _by_index(file, log, report)
    if not report.ok:
        return report
    report = replace(
        report,
        dealing=log.dealing(),
        hash_only=log.archived.count,
        rulebooks=log.rulebooks(),
    )
    return replace(report, receipts=proof.receipts.verdicts(report.key))


class _Proof:
    """A log as it is read: its events replayed, its head, and receipts of it."""

    def __init__(self, log: Replay, receipts: Receipts) -> None:
        self.log, self.receipts = log, receipts
        self.head: Head | None = None

    def read(
        self, rows: Iterable[Row | Head | BadLine], watch: Callable[[int], None]
    ) -> Report | None:
        """Replay the events; return a report of the first that is bad, if one is."""
        log, receipts = self.log, self.receipts
        for number, row in enumerate(rows, 1):
            if number % 1000 == 0:
                watch(number)
            if self.head is not None:
                message = f"event {number - 1} should stand where the head stands"
                return Report(log.events, log.rounds, "", message, number - 1)
            if isinstance(row, Head):
                self.head = row
            elif isinstance(row, BadLine):
                return Report(log.events, log.rounds, "", row.message, number)
            else:
                try:
                    log.take(number, row)
                except BrokenStream as broken:
                    place = (number, broken.stream, broken.version)
                    return Report(log.events, log.rounds, "", broken.reason, *place)
                receipts.note_hash((row.stream, row.version), row.hash)
                receipts.note_hash(log.events, log.over_all)
        return None


def _accounted(log: Replay, report: Report) -> Report:
    """Report a stream that has only hashes though the floor did not note that it was archived."""
    stream = log.unaccounted()
    if stream is None:
        return report
    message = "only hashes are here, and the floor's log does not say that this was archived"
    return replace(report, bad=message, stream=stream, version=log.ends[stream][0])


def _by_index(file: Location, log: Replay, report: Report) -> Report:
    """Compare the streams as a room would read them with the events in order."""
    try:
        check_index(file, log.ends, bytes.fromhex(report.key))
    except DamagedStream as damaged:
        message = "what a room reads of this stream is not all that is there"
        return replace(report, bad=message, stream=damaged.stream, version=damaged.version)
    return report


def _finished(log: Replay, head: Head | None, key: str | None, *, check_head: bool) -> Report:
    shown = head.key.hex() if head else ""
    missing = f"event {log.events + 1} is missing"
    if log.expected:
        stream = log.expected[0][0]
        return Report(log.events, log.rounds, shown, missing, log.events + 1, stream)
    if not check_head:
        return Report(log.events, log.rounds, shown, rebased=log.rebased)
    if head is not None and head.events > log.events:
        return Report(log.events, log.rounds, shown, missing, log.events + 1)
    message = None
    if head is None:
        message = "there is no head at the end"
    elif (head.events, head.hash) != (log.events, log.over_all):
        message = "the head is of other events than these"
    elif not is_signed(head):
        message = "the signature of the head is wrong"
    elif key is not None and key.lower() != shown:
        message = "the head is signed with another key"
    return Report(log.events, log.rounds, shown, message, rebased=log.rebased)
