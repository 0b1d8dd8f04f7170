"""Streams beside tables and wallets: what the floor did, and what became of accounts.

They tell of rows that a server keeps, and are written in one transaction with them. Nothing that
opens a door is in them, neither a password nor a token nor a hash of one; nor where a player is.
"""

from contextlib import suppress
from typing import Any

import msgspec

from queenhigh.errors import QueenhighError
from queenhigh.store.streams import Store
from queenhigh.table.commands import CLOCK, FLOOR
from queenhigh.table.events import Event, encode

__all__ = [
    "ABANDON",
    "ACCOUNTS",
    "ARCHIVE",
    "FLOOR_LOG",
    "AccountEvent",
    "AccountFrozen",
    "AccountOpened",
    "Endings",
    "FloorActed",
    "PasswordSet",
    "Registry",
    "archived_at",
    "decode_account",
    "decode_floor",
    "is_floor",
    "read_endings",
]

#: The names of the two streams.
FLOOR_LOG, ACCOUNTS = "floor", "accounts"
#: What the floor does to a table whose events go to an archive, and to a damaged one.
ARCHIVE, ABANDON = "archive", "abandon table"


class FloorActed(Event, frozen=True, kw_only=True, gc=False, tag="floor.acted/1"):
    """The floor did something, and why; ``before`` and ``after`` are what it changed."""

    action: str
    subject: str
    before: Any = None
    after: Any = None
    reason: str = ""


class AccountOpened(Event, frozen=True, kw_only=True, gc=False, tag="account.opened/1"):
    """A player came for the first time: with a password, or as a guest."""

    player: str
    guest: bool = False


class PasswordSet(Event, frozen=True, kw_only=True, gc=False, tag="account.password_set/1"):
    """A player has a new password, or a guest the first one."""

    player: str


class AccountFrozen(Event, frozen=True, kw_only=True, gc=False, tag="account.frozen/1"):
    """The floor froze an account, or lets it play again."""

    player: str
    frozen: bool


AccountEvent = AccountOpened | PasswordSet | AccountFrozen

_floor = msgspec.json.Decoder(FloorActed)
_accounts = msgspec.json.Decoder(AccountEvent)


def decode_floor(event: bytes) -> FloorActed:
    """Read an event of the floor's stream from its bytes."""
    read: FloorActed = _decode(_floor, event, "the floor")
    return read


def decode_account(event: bytes) -> AccountEvent:
    """Read an event of the accounts' stream from its bytes."""
    read: AccountEvent = _decode(_accounts, event, "accounts")
    return read


def _decode(decoder: Any, event: bytes, of: str) -> Any:
    try:
        return decoder.decode(event)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        told = f"this is not an event of {of}: {error}"
        raise QueenhighError("event.unreadable", told) from None


def is_floor(by: str) -> bool:
    """Tell whether a sender is the floor, from wherever it is."""
    return by == FLOOR or by.startswith(f"{FLOOR} from ")


class Endings:
    """What the floor's stream says of tables that it ended: archived, or given up as damaged."""

    def __init__(self) -> None:
        #: Whether the stream was read up to its marked end.
        self.is_proved = False
        self._archived: dict[str, Any] = {}
        #: Who could not be paid when a table was given up, by table.
        self.unpaid: dict[str, tuple[str, ...]] = {}

    def take(self, event: FloorActed) -> None:
        """Take an event of the floor."""
        if event.action == ARCHIVE:
            self._archived[event.subject] = event.after
        elif event.action == ABANDON:
            unpaid = event.after.get("unpaid") if isinstance(event.after, dict) else None
            names = unpaid if isinstance(unpaid, list) else ()
            self.unpaid[event.subject] = tuple(map(str, names))

    def has_archived(self, table: str, version: int, tip: bytes) -> bool:
        """Tell whether a table was archived when it ended with this version and hash."""
        return bool(self._archived.get(table) == archived_at(version, tip))


def archived_at(version: int, tip: bytes) -> dict[str, Any]:
    """Return how the floor's stream names the last event of a table that is archived."""
    return {"version": version, "hash": tip.hex()}


def read_endings(store: Store) -> Endings:
    """Return what the floor's stream says, as far as it can be read."""
    endings = Endings()
    with suppress(QueenhighError):
        for row in store.read(FLOOR_LOG):
            if any(action in row.event for action in _ENDS):
                endings.take(decode_floor(row.event))
        endings.is_proved = True
    return endings


#: What every event has in it that ends a table.
_ENDS = tuple(f'"action":"{action}"'.encode() for action in (ARCHIVE, ABANDON))


class Registry:
    """Both streams read again, for a proof: each event is as it must be, or an error says why."""

    def __init__(self) -> None:
        self._players: set[str] = set()
        self.endings = Endings()

    def take(self, stream: str, raw: bytes) -> bytes:
        """Return an event as it should be written."""
        event: FloorActed | AccountEvent
        if stream == FLOOR_LOG:
            event = decode_floor(raw)
            _check(is_floor(event.by) and event.action != "", "only the floor acts, and says how")
            _check(_is_whole((event.before, event.after)), "numbers in a log are whole")
            self.endings.take(event)
        else:
            event = decode_account(raw)
            self._take_account(event)
        _check(event.at >= 0 and event.id != "", "a command has a time and an id")
        return encode(event)

    def _take_account(self, event: AccountEvent) -> None:
        name = event.player
        _check(name not in ("", CLOCK, FLOOR), "this is no player's name")
        if isinstance(event, AccountFrozen):
            _check(is_floor(event.by), "only the floor freezes an account")
        else:
            _check(event.by == name, "only the player may do this")
        if isinstance(event, AccountOpened):
            _check(name not in self._players, f"the account of {name[:40]} was there before")
        self._players.add(name)


def _is_whole(value: Any) -> bool:
    """Tell whether no number within a value has a fraction."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        return all(map(_is_whole, value))
    return not isinstance(value, float)


def _check(holds: bool, told: str) -> None:
    if not holds:
        raise QueenhighError("event.wrong", told)
