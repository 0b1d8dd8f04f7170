"""A log replayed event by event.

The command of a step is inferred from its first event; all events that the command leads to, in the
table's stream and in wallets, must stand in the log next.
"""

from collections import defaultdict, deque
from collections.abc import Collection
from typing import Any, NamedTuple

from msgspec.structs import replace

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.games import GAMES
from queenhigh.rulebook.book import Games, Rulebook
from queenhigh.store.reader import Row
from queenhigh.store.signing import extend_head
from queenhigh.store.streams import GENESIS, chain
from queenhigh.table.commands import CLOCK, ApproveCorrection, Command
from queenhigh.table.decide import step
from queenhigh.table.events import (
    BallLanded2,
    CardsDealt2,
    CorrectionMade,
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
from queenhigh.table.registry import REGISTERED, STAFF, Registry
from queenhigh.table.state import State
from queenhigh.table.streams import table_stream, wallet_stream
from queenhigh.table.wallet import (
    BoughtIn,
    CashedOut,
    Corrected,
    HandedOver,
    Issued,
    TakenOver,
    Wallet,
    WalletEvent,
    correct,
    decode_wallet,
    evolve_wallet,
    hand_over,
    issue,
    own_key,
    transfer,
)
from queenhigh.verify.archived import ArchivedEvents
from queenhigh.verify.differences import difference
from queenhigh.verify.fold import BrokenStream
from queenhigh.verify.inference import infer_command
from queenhigh.verify.past_rounds import NamedRound, PastRounds, most_taken
from queenhigh.verify.people import check_person

__all__ = ["Replay"]

_FRESH = bytes(SEED_BYTES)
_WALLETS = wallet_stream("")
#: The cents of an archived wallet, which nobody knows: enough for anything.
_PLENTY = 2**62
_CHANCES = (RoundOpened, CardsDealt2, BallLanded2, RoundSettled, SpinSettled, RoundVoided)


class _Chance(NamedTuple):
    """The seed and the key of a step, as far as the log has shown them."""

    seed: bytes | None = None
    key: bytes = b""


class Replay:
    """A room replayed event by event; the rules are those of docs/log.md."""

    def __init__(self, games: Games = GAMES, named: Collection[NamedRound] = ()) -> None:
        self._games = games
        #: The rounds that corrections name.
        self._past = PastRounds(named)
        self.events = self.rounds = self.rebased = 0
        self.over_all = GENESIS
        self.expected: deque[tuple[str, bytes]] = deque()
        #: How many events of the step under way have come.
        self._seen = 0
        #: The version and the hash that each stream ends with.
        self.ends: dict[str, tuple[int, bytes]] = {}
        self._tables: dict[str, State] = {}
        self._wallets: dict[str, Wallet] = {}
        self._used: defaultdict[str, set[str]] = defaultdict(set)
        #: The new names of players whose chips went to another wallet.
        self._handed_over: dict[str, str] = {}
        self._registry = Registry()
        self._step: tuple[Command, State | None] | None = None
        self.archived = ArchivedEvents()
        self._drawn = _Chance()
        #: Wallets that a step moves, as they were before it: a step may be played several times.
        self._wallets_before: dict[str, Wallet] = {}
        #: The ids that this step has used so far, by player.
        self._used_now: list[tuple[str, str]] = []

    def rulebooks(self) -> dict[str, Rulebook]:
        """Return the rulebook of every table, as of its last event."""
        return {state.table: state.book for state in self._tables.values()}

    def dealing(self) -> dict[str, int]:
        """Return how the rounds were dealt, over all tables."""
        return self._past.dealing(self._tables.values())

    def unaccounted(self) -> str | None:
        """Return a stream that has only hashes though the floor did not archive it like that."""
        for stream in sorted(self.archived.streams):
            table, end = stream.removeprefix(table_stream("")), self.ends[stream]
            if stream != table_stream(table) or not self._registry.endings.has_archived(
                table, *end
            ):
                return stream
        return None

    def take(self, n: int, row: Row) -> None:
        """Take the next event; raise :class:`BrokenStream` if it cannot stand here."""
        version, before = self.ends.get(row.stream, (0, GENESIS))
        try:
            if row.n != n:
                raise BrokenLog(f"event {n} is missing: this is number {row.n}")
            if row.version != version + 1:
                raise BrokenLog(f"version {version + 1} should come here, not {row.version}")
            self._take_next(row, before)
        except QueenhighError as error:
            raise BrokenStream(row.stream, row.version, str(error)) from None
        except RecursionError:
            raise BrokenStream(row.stream, row.version, "this is nested too deep") from None
        self.events, self.over_all = n, extend_head(self.over_all, row.hash)
        self.ends[row.stream] = (row.version, row.hash)

    def _take_next(self, row: Row, before: bytes) -> None:
        """Take an event that has the next number and version, after the hash before it."""
        if not row.is_archived and row.hash != chain(before, row.stream, row.version, row.event):
            raise BrokenLog("the hash does not follow from the event and the one before")
        self.archived.check_whole(row)
        if row.is_archived:
            self.archived.take(row, before, self.expected)
            return
        if row.stream.startswith(_WALLETS) and row.stream[len(_WALLETS) :] in self._handed_over:
            raise BrokenLog("the player of this wallet has another name")
        begins = not self.expected
        if begins:
            self._seen = 0
            self._begin(row)
        self._compare(row, begins=begins)

    def _begin(self, row: Row) -> None:
        """Work out the events of the step that begins here."""
        kind, _, name = row.stream.partition("/")
        if row.stream in REGISTERED:
            self._registry.is_staff_known = STAFF not in self.archived
            self.expected.append((row.stream, self._registry.take(row.stream, row.event)))
            return
        if not name:
            raise BrokenLog("this stream has no name")
        if kind == "table":
            self._begin_at_table(name, decode(row.event))
        elif kind == "wallet":
            self._begin_at_wallet(name, row)
        else:
            raise BrokenLog("there is no such stream")

    def _begin_at_table(self, table: str, event: TableEvent) -> None:
        command = infer_command(event)
        state = self._tables.get(table)
        if command is None:
            raise BrokenLog("this cannot follow from any command")
        is_known = STAFF not in self.archived
        check_person(event, state, self._registry.staff if is_known else None)
        command = self._complete(command, state, event)
        self._step, self._drawn = (command, state), _Chance()
        self._wallets_before, self._used_now = {}, []
        if state is None or state.chain is None:
            self._drawn = _Chance(_FRESH)
        self._draw(event)
        self._expect(table, command, state)
        if not self.expected:
            raise BrokenLog("nothing follows from this command here")

    def _draw(self, event: TableEvent) -> None:
        """Note the seed or the key that an event of this step shows."""
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
        events, after = step(state, command, self._drawn.seed, self._drawn.key, self._games)
        if after.table != table:
            raise BrokenLog(f"this opens table {after.table[:40]!r}")
        version = state.version if state else 0
        self.expected.extend((table_stream(table), encode(event)) for event in events)
        for number, event in enumerate(events, version + 1):
            if isinstance(event, SeatTaken | SeatToppedUp | SeatLeft):
                self._expect_transfer(event, table, number)
            elif isinstance(event, CorrectionMade):
                self._expect_corrected(event, table, number)
        self._tables[table] = after
        self._past.note(after)

    def _complete(self, command: Command, state: State | None, event: TableEvent) -> Command:
        """Return a command with what only the log knows: a round that is over, and wallets."""
        command = self._past.complete(command, state)
        if not isinstance(command, ApproveCorrection) or command.past is None:
            return command
        players, banker = command.past.players.items(), command.past.live.banker
        names = {name: self._name_of_today(name, place, event) for place, name in players}
        wallets = {
            names[name]: self._cents_of(names[name], place, banker, event)
            for place, name in players
        }
        return replace(command, names=names, wallets=wallets)

    def _name_of_today(self, player: str, place: int, event: TableEvent) -> str:
        """Return a player's name of today; of an archived wallet the one that a correction has."""
        while player in self._handed_over:
            player = self._handed_over[player]
        if wallet_stream(player) in self.archived and isinstance(event, CorrectionMade):
            for row in event.chips:
                if row.place == place and wallet_stream(row.player) in self.archived:
                    return row.player
        return player

    def _cents_of(self, player: str, place: int, banker: int | None, event: TableEvent) -> int:
        """Return what a wallet holds; of an archived one, what its correction took of it."""
        if wallet_stream(player) not in self.archived:
            return self._wallets.get(player, Wallet(player)).cents
        if not isinstance(event, CorrectionMade) or not any(row.owed for row in event.moved):
            return _PLENTY
        return most_taken(event, place, banker)

    def _expect_corrected(self, event: CorrectionMade, table: str, version: int) -> None:
        """Expect the other side of a correction in each wallet that it moves chips of."""
        for row in event.chips:
            if row.seat is not None:
                continue
            stream = wallet_stream(row.player)
            wallet = self._wallets.get(row.player, Wallet(row.player))
            is_archived = stream in self.archived
            rich = Wallet(row.player, cents=_PLENTY) if is_archived else wallet
            moved = correct(rich, event, row.cents, table, version)
            self.expected.append((stream, encode(moved)))
            if not is_archived:
                self._wallets_before.setdefault(row.player, wallet)
                self._move(wallet, moved)

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
        if isinstance(event, HandedOver):
            self._begin_handing_over(wallet, event)
            return
        if isinstance(event, TakenOver):
            raise BrokenLog("no wallet hands these chips over")
        if not isinstance(event, Issued):
            self._begin_other_side(wallet, event)
            return
        stamp: dict[str, Any] = {"id": event.id, "by": event.by, "at": event.at}
        again = issue(
            self._used[player].__contains__, **stamp, cents=event.cents, reason=event.reason
        )
        if again is None:
            raise BrokenLog("this command was already executed")
        self.expected.append((row.stream, encode(again)))
        self._move(wallet, again)

    def _begin_handing_over(self, wallet: Wallet, event: HandedOver) -> None:
        """Expect both sides of chips that go to their player's wallet under a new name."""
        version, _ = self.ends.get(wallet_stream(event.to), (0, GENESIS))
        to = Wallet(event.to, version=version)
        is_used = self._used[wallet.player].__contains__
        stamp: dict[str, Any] = {"id": event.id, "by": event.by, "at": event.at}
        handed, taken = hand_over(wallet, to, is_used, **stamp)
        self._handed_over[wallet.player] = to.player
        for owner, moved in ((wallet, handed), (to, taken)):
            self.expected.append((wallet_stream(owner.player), encode(moved)))
            self._move(owner, moved)

    def _begin_other_side(self, wallet: Wallet, event: BoughtIn | CashedOut | Corrected) -> None:
        """Accept that a wallet's chips went to an archived table, or came back from there."""
        last, _ = self.ends.get(table_stream(event.table), (0, GENESIS))
        self.archived.match(event, wallet.player, last)
        if event.at < 0 or not event.by or (event.by == CLOCK) == bool(event.id):
            raise BrokenLog("a command has a time, a sender and, unless the clock sent it, an id")
        if (
            isinstance(event, BoughtIn)
            and own_key(wallet.player, event) in self._used[wallet.player]
        ):
            raise BrokenLog("this command was already executed")
        self.expected.append((wallet_stream(wallet.player), encode(event)))
        self._move(wallet, event)

    def _compare(self, row: Row, *, begins: bool) -> None:
        """Compare an event with the one that must stand here."""
        stream, expected = self.expected[0]
        if row.stream != stream:
            raise BrokenLog(f"an event of {stream} should come here")
        if self._step and not begins and _is_drawn(row.event):
            expected = self._draw_again(row)
        if row.event != expected:
            raise BrokenLog(difference(row.event, expected))
        self.expected.popleft()
        self._seen += 1
        if b'settled/1"' in row.event[:40] or b'"type":"round.voided/1"' in row.event[:40]:
            self.rounds += 1
            self._past.count(self._tables[stream.removeprefix(table_stream(""))].last)
        elif b'"type":"time.rebased/1"' in row.event[:40]:
            self.rebased += 1

    def _draw_again(self, row: Row) -> bytes:
        """Play a step again with the seed or the key that this event shows."""
        event = decode(row.event)
        command, state = self._step or (None, None)
        if command is None or state is None:
            raise BrokenLog("no round can open here")
        self._draw(event)
        if isinstance(event, RoundOpened):
            shown = commitment(state.table, event.round, state.digest, self._drawn.seed or b"")
            if shown.hex() != event.commitment:
                raise BrokenLog("the commitment is not to the seed that was used")
        self.expected.clear()
        self._expect(state.table, command, state)
        if len(self.expected) <= self._seen:
            raise BrokenLog("nothing more follows in this step")
        for _ in range(self._seen):
            self.expected.popleft()
        return self.expected[0][1]


_DRAWN = tuple(f'{{"type":"{kind.__struct_config__.tag}"'.encode() for kind in _CHANCES)


def _is_drawn(event: bytes) -> bool:
    """Return whether an event shows a seed or a key that its step drew."""
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
        raise BrokenLog(f"the {what} is not 32 bytes")
    return read
