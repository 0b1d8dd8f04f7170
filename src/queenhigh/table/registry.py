"""Streams beside tables and wallets: the actions of the floor, the history of accounts, the staff.

They record changes of rows that a server keeps, in the same transaction. They hold no secrets
(no password, no token and no hash of one) and not where a player is.
"""

from typing import Any

import msgspec

from queenhigh.errors import QueenhighError
from queenhigh.table.commands import CLOCK, FLOOR
from queenhigh.table.events import Event, encode
from queenhigh.table.staff import StaffRoster, is_floor, is_staff
from queenhigh.table.staff_events import StaffEvent, decode_staff

__all__ = [
    "ABANDON",
    "ACCOUNTS",
    "ARCHIVE",
    "FLOOR_LOG",
    "REGISTERED",
    "STAFF",
    "AccountEvent",
    "AccountFrozen",
    "AccountOpened",
    "AccountRenamed",
    "Endings",
    "FloorActed",
    "PasswordSet",
    "Registry",
    "RegistryEvent",
    "archived_at",
    "decode_account",
    "decode_floor",
    "is_floor",
    "stream_of",
]

#: The names of the three streams.
FLOOR_LOG, ACCOUNTS, STAFF = REGISTERED = ("floor", "accounts", "staff")
#: The floor's actions that archive a table's events, and that give up a damaged table.
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


class AccountRenamed(Event, frozen=True, kw_only=True, gc=False, tag="account.renamed/1"):
    """A guest has another name from now on."""

    player: str
    name: str


AccountEvent = AccountOpened | PasswordSet | AccountFrozen | AccountRenamed
RegistryEvent = FloorActed | AccountEvent | StaffEvent

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
        sentence = f"this is not an event of {of}: {error}"
        raise QueenhighError("event.unreadable", sentence) from None


def stream_of(event: RegistryEvent) -> str:
    """Return the stream that an event belongs to."""
    if isinstance(event, FloorActed):
        return FLOOR_LOG
    return ACCOUNTS if isinstance(event, AccountEvent) else STAFF


class Endings:
    """The tables that the floor ended, from its stream: archived, or given up as damaged."""

    def __init__(self) -> None:
        #: Whether the stream was read up to its marked end.
        self.is_proved = False
        self._archived: dict[str, Any] = {}
        #: The players who could not be paid when a table was given up, by table.
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
        """Return whether a table was archived when it ended with this version and hash."""
        return bool(self._archived.get(table) == archived_at(version, tip))


def archived_at(version: int, tip: bytes) -> dict[str, Any]:
    """Return how the floor's stream names the last event of a table that is archived."""
    return {"version": version, "hash": tip.hex()}


class Registry:
    """Checks these streams for a proof: each event is valid, or an error says why."""

    def __init__(self) -> None:
        self._players: set[str] = set()
        self._former: set[str] = set()
        self.endings = Endings()
        #: The staff as of the last event.
        self.staff = StaffRoster()
        #: Whether the log has the staff's events, or only their hashes.
        self.is_staff_known = True

    def take(self, stream: str, raw: bytes) -> bytes:
        """Check an event and return its canonical bytes."""
        event: RegistryEvent
        if stream == FLOOR_LOG:
            event = decode_floor(raw)
            self._take_action(event)
        elif stream == STAFF:
            event = decode_staff(raw)
            self.staff.take(event)
        else:
            event = decode_account(raw)
            self._take_account(event)
        _check(event.at >= 0 and event.id != "", "a command needs a time and an id")
        return encode(event)

    def _take_action(self, event: FloorActed) -> None:
        _check(event.action != "", "an action has a name")
        self._check_permission(event.by, event.action)
        _check(_is_whole((event.before, event.after)), "numbers in a log must be whole")
        self.endings.take(event)

    def _check_permission(self, by: str, permission: str) -> None:
        """Raise unless a sender is the floor, or on the staff in a role that has a permission."""
        _check(is_floor(by) or is_staff(by), "only the floor may act")
        may = not self.is_staff_known or self.staff.may(by, permission)
        _check(may, f"{by[:60]} may not {permission[:40]} here")

    def _take_account(self, event: AccountEvent) -> None:
        name = event.player
        _check(name not in ("", CLOCK, FLOOR), "this is not a valid player name")
        _check(name not in self._former, f"{name[:40]} has another name")
        if isinstance(event, AccountFrozen):
            self._check_permission(event.by, "freeze" if event.frozen else "thaw")
        else:
            _check(event.by == name, "only the player may do this")
        if isinstance(event, AccountOpened):
            _check(name not in self._players, f"the account of {name[:40]} already exists")
        self._players.add(name)
        if isinstance(event, AccountRenamed):
            _check(event.name not in ("", CLOCK, FLOOR), "this is not a valid player name")
            _check(event.name not in self._players, f"{event.name[:40]} was there before")
            self._players.add(event.name)
            self._former.add(name)


def _is_whole(value: Any) -> bool:
    """Return whether no number within a value has a fraction."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, list | tuple):
        return all(map(_is_whole, value))
    return not isinstance(value, float)


def _check(holds: bool, sentence: str) -> None:
    if not holds:
        raise QueenhighError("event.wrong", sentence)
