"""A player's wallet: chips come from the room, go to tables, and come back.

Each wallet is a stream. A buy-in is one event here and one at the table, stored together
or not at all; both name the same amount, and the wallet's event the version of the table's.
"""

from collections.abc import Callable

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.money import dollars
from queenhigh.table.commands import FLOOR
from queenhigh.table.draft import refuse
from queenhigh.table.events import Event, SeatLeft, SeatTaken, SeatToppedUp
from queenhigh.table.ledger import IN_TRANSIT

__all__ = [
    "ISSUED",
    "WALLET",
    "BoughtIn",
    "CashedOut",
    "Issued",
    "Wallet",
    "WalletEvent",
    "decode_wallet",
    "evolve_wallet",
    "issue",
    "own_key",
    "pack_wallet",
    "transfer",
    "unpack_wallet",
    "used_key",
    "wallet_postings",
]

ISSUED, WALLET = "issued", "wallet"


class Issued(Event, frozen=True, kw_only=True, gc=False, tag="wallet.issued/1"):
    """The room gave play chips, and why."""

    cents: int
    reason: str


class BoughtIn(Event, frozen=True, kw_only=True, gc=False, tag="wallet.bought_in/1"):
    """Chips went to a table, where the event of that version says so too."""

    cents: int
    table: str
    version: int


class CashedOut(Event, frozen=True, kw_only=True, gc=False, tag="wallet.cashed_out/1"):
    """Chips came back from a table, where the event of that version says so too."""

    cents: int
    table: str
    version: int


WalletEvent = Issued | BoughtIn | CashedOut

_decoder = msgspec.json.Decoder(WalletEvent)


class Wallet(Struct, frozen=True, forbid_unknown_fields=True):
    """A wallet. ``issued`` is all that the room gave."""

    player: str
    version: int = 0
    cents: int = 0
    issued: int = 0


#: Returns whether a command of this wallet that moved chips had a key.
IsUsed = Callable[[str], bool]

_unpacker = msgspec.json.Decoder(Wallet)


def used_key(by: str, id: str) -> str:
    """Return the key of a command in a wallet."""
    return f"{by}\n{id}"


def own_key(player: str, event: WalletEvent) -> str | None:
    """Return the key that an event uses; ``None`` if it follows from somebody else's command."""
    own = isinstance(event, Issued | BoughtIn) or event.by == player
    return used_key(event.by, event.id) if own else None


def pack_wallet(wallet: Wallet) -> bytes:
    """Return a wallet as bytes, so that its events need not be read again."""
    return msgspec.json.encode(wallet)


def unpack_wallet(packed: bytes, player: str, version: int) -> Wallet | None:
    """Return a player's wallet at a version from its bytes; ``None`` if they are not that."""
    try:
        wallet = _unpacker.decode(packed)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
    fits = (wallet.player, wallet.version) == (player, version)
    return wallet if fits and min(wallet.cents, wallet.issued) >= 0 else None


def decode_wallet(event: bytes) -> WalletEvent:
    """Read an event of a wallet from its bytes."""
    try:
        read: WalletEvent = _decoder.decode(event)
        return read
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        sentence = f"this is not an event of a wallet: {error}"
        raise QueenhighError("event.unreadable", sentence) from None


def wallet_postings(event: WalletEvent) -> list[tuple[str, int]]:
    """Return the postings of an event: accounts and cents that sum to zero."""
    if isinstance(event, Issued):
        return [(ISSUED, -event.cents), (WALLET, event.cents)]
    cents = -event.cents if isinstance(event, BoughtIn) else event.cents
    return [(IN_TRANSIT, -cents), (WALLET, cents)]


def evolve_wallet(wallet: Wallet, event: WalletEvent) -> Wallet:
    """Return the wallet after an event."""
    moved = sum(cents for account, cents in wallet_postings(event) if account == WALLET)
    if wallet.cents + moved < 0:
        raise BrokenLog(f"the wallet of {wallet.player} would be below zero")
    return replace(
        wallet,
        version=wallet.version + 1,
        cents=wallet.cents + moved,
        issued=wallet.issued + (moved if isinstance(event, Issued) else 0),
    )


def issue(is_used: IsUsed, *, id: str, by: str, at: int, cents: int, reason: str) -> Issued | None:
    """Return the event that gives a wallet play chips; ``None`` if the id was used before."""
    if is_used(used_key(by, id)):
        return None
    if cents < 1:
        refuse("chips.range", "issue at least one cent")
    if by != FLOOR or not id or at < 0:
        refuse("sender.wrong", "only the floor issues chips, by a command with an id")
    return Issued(at=at, by=by, id=id, cents=cents, reason=reason)


def transfer(
    wallet: Wallet,
    is_used: IsUsed,
    event: SeatTaken | SeatToppedUp | SeatLeft,
    table: str,
    version: int,
) -> BoughtIn | CashedOut:
    """Return the wallet's side of chips that go to a table or come back from it."""
    kind = CashedOut if isinstance(event, SeatLeft) else BoughtIn
    if kind is BoughtIn:
        if is_used(used_key(event.by, event.id)):
            refuse("id.used", "this command was followed before: make a new id")
        if event.cents > wallet.cents:
            refuse("wallet.short", f"your wallet has {dollars(wallet.cents)}: bring less")
    return kind(
        at=event.at, by=event.by, id=event.id, cents=event.cents, table=table, version=version
    )
