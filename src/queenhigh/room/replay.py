"""A log played again, event by event.

The first event of a step gives back the command it followed from; what that command leads to, in
the table's stream and in wallets, must stand in the log next.
"""

from collections import defaultdict, deque
from typing import Any, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.room.archived import ArchivedEvents
from queenhigh.room.asked import command_of
from queenhigh.room.desk import stream_of
from queenhigh.room.differences import difference
from queenhigh.room.log import Row
from queenhigh.room.registry import ACCOUNTS, FLOOR_LOG, Registry
from queenhigh.room.wallets import wallet_stream
from queenhigh.store.signing import grow
from queenhigh.store.streams import GENESIS, chain
from queenhigh.table.commands import CLOCK, Command
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

__all__ = ["BadEvent", "Replay"]

_FRESH = bytes(SEED_BYTES)
_CHANCES = (RoundOpened, CardsDealt2, BallLanded2, RoundSettled, SpinSettled, RoundVoided)


class _Chance(NamedTuple):
    """What a step drew, as far as the log has shown it."""

    seed: bytes | None = None
    key: bytes = b""


class BadEvent(Exception):
    """What is wrong with an event."""


class Replay:
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
            "voided_without_seed": sum(state.dealings.voided_without_seed for state in tables),
        }

    def unaccounted(self) -> str | None:
        """Return a stream of which only hashes are here though no table was archived so."""
        for stream in sorted(self.archived.streams):
            table, end = stream.removeprefix(stream_of("")), self.ends[stream]
            if stream != stream_of(table) or not self._registry.endings.has_archived(table, *end):
                return stream
        return None

    def take(self, n: int, row: Row) -> None:
        """Take the next event, or raise what is wrong with it."""
        version, before = self.ends.get(row.stream, (0, GENESIS))
        if row.n != n:
            raise BadEvent(f"event {n} is missing: this is number {row.n}")
        if row.version != version + 1:
            raise BadEvent(f"version {version + 1} should come here, not {row.version}")
        if not row.is_archived and row.hash != chain(before, row.stream, row.version, row.event):
            raise BadEvent("the hash does not follow from the event and the one before")
        try:
            self.archived.check_whole(row)
            if row.is_archived:
                self.archived.take(row, before, self.expected)
            else:
                self._take(row)
        except QueenhighError as wrong:
            raise BadEvent(str(wrong)) from None
        except RecursionError:
            raise BadEvent("this is nested too deep") from None
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
            raise BadEvent("this stream has no name")
        if kind == "table":
            self._begin_at_table(name, decode(row.event))
        elif kind == "wallet":
            self._begin_at_wallet(name, row)
        else:
            raise BadEvent("there is no such stream")

    def _begin_at_table(self, table: str, event: TableEvent) -> None:
        command = command_of(event)
        state = self._tables.get(table)
        if command is None:
            raise BadEvent("this cannot follow from any command")
        self._step, self._drawn = (command, state), _Chance()
        self._wallets_before, self._used_now = {}, []
        if state is None or state.chain is None:
            self._drawn = _Chance(_FRESH)
        self._draw(event)
        self._expect(table, command, state)
        if not self.expected:
            raise BadEvent("nothing follows from this command here")

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
            raise BadEvent(f"this opens table {after.table[:40]!r}")
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
            raise BadEvent("this command was followed before")
        self.expected.append((row.stream, encode(again)))
        self._move(wallet, again)

    def _begin_other_side(self, wallet: Wallet, event: BoughtIn | CashedOut) -> None:
        """Believe a wallet that its chips went to an archived table, or came back from there."""
        last, _ = self.ends.get(stream_of(event.table), (0, GENESIS))
        self.archived.match(event, last)
        if event.at < 0 or not event.by or (event.by == CLOCK) == bool(event.id):
            raise BadEvent("a command has a time, a sender and, unless the clock sent it, an id")
        if (
            isinstance(event, BoughtIn)
            and own_key(wallet.player, event) in self._used[wallet.player]
        ):
            raise BadEvent("this command was followed before")
        self.expected.append((wallet_stream(wallet.player), encode(event)))
        self._move(wallet, event)

    def _compare(self, row: Row, *, begins: bool) -> None:
        """Compare an event with the one that must stand here."""
        stream, wanted = self.expected[0]
        if row.stream != stream:
            raise BadEvent(f"an event of {stream} should come here")
        if self._step and not begins and _is_drawn(row.event):
            wanted = self._draw_again(row)
        if row.event != wanted:
            raise BadEvent(difference(row.event, wanted))
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
            raise BadEvent("no round can open here")
        self._draw(event)
        if isinstance(event, RoundOpened):
            shown = commitment(state.table, event.round, state.digest, self._drawn.seed or b"")
            if shown.hex() != event.commitment:
                raise BadEvent("the commitment is not to the seed that was used")
        self.expected.clear()
        self._expect(state.table, command, state)
        if len(self.expected) <= self._come:
            raise BadEvent("nothing more follows in this step")
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
        raise BadEvent(f"the {what} is not 32 bytes")
    return read
