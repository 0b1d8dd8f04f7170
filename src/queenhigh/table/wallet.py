"""A player's wallet: chips come from the room, go to tables, and come back.

Each wallet is a stream. A buy-in is one event here and one at the table, stored together
or not at all; both name the same amount, and the wallet's event the version of the table's.
"""

from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct, field
from msgspec.structs import replace

from queenhigh.errors import BrokenLog, QueenhighError
from queenhigh.money import dollars
from queenhigh.table.commands import CLOCK, FLOOR
from queenhigh.table.draft import refuse
from queenhigh.table.events import CorrectionMade, Event, SeatLeft, SeatTaken, SeatToppedUp
from queenhigh.table.ledger import IN_TRANSIT

__all__ = [
    "ISSUED",
    "WALLET",
    "BoughtIn",
    "CashedOut",
    "Corrected",
    "HandedOver",
    "Issued",
    "TakenOver",
    "Wallet",
    "WalletEvent",
    "correct",
    "decode_wallet",
    "evolve_wallet",
    "hand_over",
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


class HandedOver(Event, frozen=True, kw_only=True, gc=False, tag="wallet.handed_over/1"):
    """All chips went to the wallet of the player's new name, where the next event says so too."""

    cents: int
    to: str


class TakenOver(Event, frozen=True, kw_only=True, gc=False, tag="wallet.taken_over/1"):
    """The first event of a wallet: its player had these chips under another name before."""

    cents: int
    #: Stored as ``from``.
    former: str = field(name="from")


class Corrected(Event, frozen=True, kw_only=True, gc=False, tag="wallet.corrected/1"):
    """A correction of a round moved chips here, or took them: a table's event says so too."""

    cents: int
    table: str
    version: int


WalletEvent = Issued | BoughtIn | CashedOut | HandedOver | TakenOver | Corrected

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
    cents = -event.cents if isinstance(event, BoughtIn | HandedOver) else event.cents
    return [(IN_TRANSIT, -cents), (WALLET, cents)]


def evolve_wallet(wallet: Wallet, event: WalletEvent) -> Wallet:
    """Return the wallet after an event."""
    moved = sum(cents for account, cents in wallet_postings(event) if account == WALLET)
    if wallet.cents + moved < 0:
        raise BrokenLog(f"the wallet of {wallet.player} would fall below zero")
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
        refuse("sender.wrong", "only the floor can issue chips, with an id")
    return Issued(at=at, by=by, id=id, cents=cents, reason=reason)


def hand_over(
    wallet: Wallet, to: Wallet, is_used: IsUsed, *, id: str, by: str, at: int
) -> tuple[HandedOver, TakenOver]:
    """Return the events by which all chips of a player go to their wallet under a new name."""
    if by != wallet.player or not id or at < 0:
        refuse("sender.wrong", "only the player hands chips over, by a command with an id")
    if is_used(used_key(by, id)):
        refuse("id.used", "this command was already executed: use a new id")
    if to.version or to.player in ("", CLOCK, FLOOR):
        refuse("name.taken", "this name is taken: choose another")
    if wallet.cents < 1:
        refuse("wallet.short", "your wallet is empty: ask for chips first")
    stamp: dict[str, Any] = {"at": at, "by": by, "id": id, "cents": wallet.cents}
    return HandedOver(**stamp, to=to.player), TakenOver(**stamp, former=by)


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
            refuse("id.used", "this command was already executed: use a new id")
        if event.cents > wallet.cents:
            refuse("wallet.short", f"your balance is {dollars(wallet.cents)}: buy in for less")
    return kind(
        at=event.at, by=event.by, id=event.id, cents=event.cents, table=table, version=version
    )


def correct(
    wallet: Wallet, event: CorrectionMade, cents: int, table: str, version: int
) -> Corrected:
    """Return the wallet's side of a correction; raise if the chips are not there any more."""
    if wallet.cents + cents < 0:
        sentence = f"the wallet of {wallet.player} has changed: approve the correction again"
        refuse("wallet.changed", sentence)
    return Corrected(
        at=event.at, by=event.by, id=event.id, cents=cents, table=table, version=version
    )
