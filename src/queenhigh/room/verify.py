"""Proof of a log: every event must be the one that the rules bring, byte for byte.

The log is played again. The first event of a step gives back the command it followed from; what
that command leads to, in the table's stream and in wallets, must stand in the log next.
"""

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.room.archived import ArchivedEvents
from queenhigh.room.asked import command_of
from queenhigh.room.desk import stream_of
from queenhigh.room.differences import difference
from queenhigh.room.log import BadLine, Row, is_store, read_log
from queenhigh.room.receipts import Kept, Receipts, Verdict
from queenhigh.room.registry import ACCOUNTS, FLOOR_LOG, Registry
from queenhigh.room.wallets import wallet_stream
from queenhigh.store.checks import check_index
from queenhigh.store.signing import Head, grow, is_signed
from queenhigh.store.streams import GENESIS, DamagedStream, chain
from queenhigh.table.commands import Command
from queenhigh.table.decide import step
from queenhigh.table.events import (
    BallLanded2,
    CardsDealt2,
    RoundOpened,
    RoundSettled,
    RoundVoided,
    SeatLeft,
    SeatTaken,
    SeatToppedUp,
    SpinSettled,
    TableEvent,
    decode,
    encode,
)
from queenhigh.table.fairness import SEED_BYTES, commitment
from queenhigh.table.state import State
from queenhigh.table.wallet import (
    BoughtIn,
    CashedOut,
    Issued,
    Wallet,
    WalletEvent,
    decode_wallet,
    evolve_wallet,
    issue,
    own_key,
    transfer,
)

__all__ = ["Report", "verify"]

_FRESH = bytes(SEED_BYTES)
_CHANCES = (RoundOpened, CardsDealt2, BallLanded2, RoundSettled, SpinSettled, RoundVoided)


class _Chance(NamedTuple):
    """What a step drew, as far as the log has shown it."""

    seed: bytes | None = None
    key: bytes = b""


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


class _Bad(Exception):
    """What is wrong with an event."""


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
    log, kept = _Replay(), Receipts(receipts)
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
            except _Bad as wrong:
                told = str(wrong)
                return Report(log.events, log.rounds, "", told, at, row.stream, row.version)
            kept.see((row.stream, row.version), row.hash)
            kept.see(log.events, log.over_all)
    report = _finished(log, head, key, check_head=check != "events")
    if report.ok and check == "everything" and is_store(file):
        report = _by_index(file, log, report)
    if not report.ok:
        return report
    report = replace(report, dealing=log.dealing(), hash_only=log.archived.count)
    return replace(report, receipts=kept.verdicts(report.key))


def _by_index(file: Path, log: "_Replay", report: Report) -> Report:
    """Compare what a room would read with what was read in order."""
    try:
        check_index(file, log.ends, bytes.fromhex(report.key))
    except DamagedStream as wrong:
        told = "what a room reads of this stream is not all that is there"
        return replace(report, bad=told, stream=wrong.stream, version=wrong.version)
    return report


def _finished(log: "_Replay", head: Head | None, key: str | None, *, check_head: bool) -> Report:
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


class _Replay:
    """A room played again, event by event."""

    def __init__(self) -> None:
        self.events = self.rounds = self.rebased = 0
        self.over_all = GENESIS
        self.expected: deque[tuple[str, bytes]] = deque()
        #: How many events of the step under way have come.
        self._come = 0
        #: The version and the hash that each stream ends with.
        self.ends: dict[str, tuple[int, bytes]] = {}
        self._tables: dict[str, State] = {}
        self._wallets: dict[str, Wallet] = {}
        self._used: defaultdict[str, set[str]] = defaultdict(set)
        self._registry = Registry()
        self._step: tuple[Command, State | None] | None = None
        self.archived = ArchivedEvents()
        self._drawn = _Chance()
        #: Wallets that a step moves, as they were before it: a step may be played several times.
        self._wallets_before: dict[str, Wallet] = {}
        #: The ids that this step has used so far, by player.
        self._used_now: list[tuple[str, str]] = []

    def dealing(self) -> dict[str, int]:
        """Return how the rounds were dealt, over all tables."""
        tables = self._tables.values()
        on_chains = sum(state.dealings.rounds for state in tables)
        return {
            "scheme_1": self.rounds - on_chains,
            "scheme_2": on_chains,
            "chains": sum(state.chain.number for state in tables if state.chain),
            "seeds_shown": sum(state.dealings.seeds_shown for state in tables),
            "seeds_left_out": sum(state.dealings.seeds_left_out for state in tables),
            "voided_after_close": sum(state.dealings.voided_after_close for state in tables),
        }

    def take(self, n: int, row: Row) -> None:
        """Take the next event, or raise what is wrong with it."""
        version, before = self.ends.get(row.stream, (0, GENESIS))
        if row.n != n:
            raise _Bad(f"event {n} is missing: this is number {row.n}")
        if row.version != version + 1:
            raise _Bad(f"version {version + 1} should come here, not {row.version}")
        if not row.is_archived and row.hash != chain(before, row.stream, row.version, row.event):
            raise _Bad("the hash does not follow from the event and the one before")
        try:
            self.archived.check_whole(row)
            if row.is_archived:
                self.archived.take(row, before, self.expected)
            else:
                self._take(row)
        except QueenhighError as wrong:
            raise _Bad(str(wrong)) from None
        except RecursionError:
            raise _Bad("this is nested too deep") from None
        self.events, self.over_all = n, grow(self.over_all, row.hash)
        self.ends[row.stream] = (row.version, row.hash)

    def _take(self, row: Row) -> None:
        begins = not self.expected
        if begins:
            self._come = 0
            self._begin(row)
        self._compare(row, begins=begins)

    def _begin(self, row: Row) -> None:
        """Find out what the step that begins here must lead to."""
        kind, _, name = row.stream.partition("/")
        if row.stream in (FLOOR_LOG, ACCOUNTS):
            self.expected.append((row.stream, self._registry.take(row.stream, row.event)))
            return
        if not name:
            raise _Bad("this stream has no name")
        if kind == "table":
            self._begin_at_table(name, decode(row.event))
        elif kind == "wallet":
            self._begin_at_wallet(name, row)
        else:
            raise _Bad("there is no such stream")

    def _begin_at_table(self, table: str, event: TableEvent) -> None:
        command = command_of(event)
        state = self._tables.get(table)
        if command is None:
            raise _Bad("this cannot follow from any command")
        self._step, self._drawn = (command, state), _Chance()
        self._wallets_before, self._used_now = {}, []
        if state is None or state.chain is None:
            self._drawn = _Chance(_FRESH)
        self._draw(event)
        self._expect(table, command, state)
        if not self.expected:
            raise _Bad("nothing follows from this command here")

    def _draw(self, event: TableEvent) -> None:
        """Take what an event shows of what its step drew."""
        on_chain = self._step is not None and _is_on_chain(self._step[1])
        if isinstance(event, RoundOpened):
            self._drawn = _Chance(_bytes_of(event.seed, "seed"))
        elif isinstance(event, CardsDealt2 | BallLanded2):
            self._drawn = self._drawn._replace(key=_bytes_of(event.key, "key"))
        elif on_chain and isinstance(event, RoundVoided) and not event.seed:
            self._drawn = self._drawn._replace(seed=None)
        elif on_chain and isinstance(event, RoundSettled | SpinSettled | RoundVoided):
            self._drawn = self._drawn._replace(seed=_bytes_of(event.seed, "seed"))

    def _expect(self, table: str, command: Command, state: State | None) -> None:
        self._wallets |= self._wallets_before
        for player, key in self._used_now:
            self._used[player].discard(key)
        self._used_now = []
        events, after = step(state, command, self._drawn.seed, self._drawn.key)
        if after.table != table:
            raise _Bad(f"this opens table {after.table[:40]!r}")
        version = state.version if state else 0
        self.expected.extend((stream_of(table), encode(event)) for event in events)
        for at, event in enumerate(events, version + 1):
            if isinstance(event, SeatTaken | SeatToppedUp | SeatLeft):
                self._expect_transfer(event, table, at)
        self._tables[table] = after

    def _expect_transfer(
        self, event: SeatTaken | SeatToppedUp | SeatLeft, table: str, version: int
    ) -> None:
        if wallet_stream(event.player) in self.archived:
            rich = Wallet(event.player, cents=event.cents)
            moved = transfer(rich, lambda key: False, event, table, version)
            self.expected.append((wallet_stream(event.player), encode(moved)))
            return
        wallet = self._wallets.get(event.player, Wallet(event.player))
        self._wallets_before.setdefault(event.player, wallet)
        moved = transfer(wallet, self._used[wallet.player].__contains__, event, table, version)
        self.expected.append((wallet_stream(event.player), encode(moved)))
        self._move(wallet, moved)

    def _move(self, wallet: Wallet, event: WalletEvent) -> None:
        self._wallets[wallet.player] = evolve_wallet(wallet, event)
        key = own_key(wallet.player, event)
        if key is not None and key not in self._used[wallet.player]:
            self._used[wallet.player].add(key)
            self._used_now.append((wallet.player, key))

    def _begin_at_wallet(self, player: str, row: Row) -> None:
        event = decode_wallet(row.event)
        wallet = self._wallets.get(player, Wallet(player))
        if not isinstance(event, Issued):
            self._begin_other_side(wallet, event)
            return
        stamp: dict[str, Any] = {"id": event.id, "by": event.by, "at": event.at}
        again = issue(
            self._used[player].__contains__, **stamp, cents=event.cents, reason=event.reason
        )
        if again is None:
            raise _Bad("this command was followed before")
        self.expected.append((row.stream, encode(again)))
        self._move(wallet, again)

    def _begin_other_side(self, wallet: Wallet, event: BoughtIn | CashedOut) -> None:
        """Believe a wallet that its chips went to an archived table, or came back from there."""
        last, _ = self.ends.get(stream_of(event.table), (0, GENESIS))
        self.archived.match(event, last)
        if (
            isinstance(event, BoughtIn)
            and own_key(wallet.player, event) in self._used[wallet.player]
        ):
            raise _Bad("this command was followed before")
        self.expected.append((wallet_stream(wallet.player), encode(event)))
        self._move(wallet, event)

    def _compare(self, row: Row, *, begins: bool) -> None:
        """Compare an event with the one that must stand here."""
        stream, wanted = self.expected[0]
        if row.stream != stream:
            raise _Bad(f"an event of {stream} should come here")
        if self._step and not begins and _is_drawn(row.event):
            wanted = self._draw_again(row)
        if row.event != wanted:
            raise _Bad(difference(row.event, wanted))
        self.expected.popleft()
        self._come += 1
        if b'settled/1"' in row.event[:40] or b'"type":"round.voided/1"' in row.event[:40]:
            self.rounds += 1
        elif b'"type":"time.rebased/1"' in row.event[:40]:
            self.rebased += 1

    def _draw_again(self, row: Row) -> bytes:
        """Play a step again with what this event shows of what it drew."""
        event = decode(row.event)
        command, state = self._step or (None, None)
        if command is None or state is None:
            raise _Bad("no round can open here")
        self._draw(event)
        if isinstance(event, RoundOpened):
            shown = commitment(state.table, event.round, state.digest, self._drawn.seed or b"")
            if shown.hex() != event.commitment:
                raise _Bad("the commitment is not to the seed that was used")
        self.expected.clear()
        self._expect(state.table, command, state)
        if len(self.expected) <= self._come:
            raise _Bad("nothing more follows in this step")
        for _ in range(self._come):
            self.expected.popleft()
        return self.expected[0][1]


_DRAWN = tuple(f'{{"type":"{kind.__struct_config__.tag}"'.encode() for kind in _CHANCES)


def _is_drawn(event: bytes) -> bool:
    """Tell whether an event shows something of what its step drew."""
    return event.startswith(_DRAWN)


def _is_on_chain(state: State | None) -> bool:
    return state is not None and state.chain is not None


def _bytes_of(text: str, what: str) -> bytes:
    """Return 32 bytes that a log has in hexadecimal."""
    try:
        read = bytes.fromhex(text)
    except ValueError:
        read = b""
    if len(read) != SEED_BYTES:
        raise _Bad(f"the {what} is not 32 bytes")
    return read
