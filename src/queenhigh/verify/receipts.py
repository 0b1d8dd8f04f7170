"""Receipts that players saved, compared with a log that should still have those events."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Head, Receipt, is_receipt_signed, is_signed

__all__ = ["Receipts", "SavedReceipt", "Verdict", "read_receipts"]

_KEYS = ("key", "epoch", "stream", "version", "hash", "signature")
_HEAD_KEYS = ("events", "hash", "signature")
#: What the room signed: one event of a stream, or all events of a log.
SavedReceipt = Receipt | Head


class Verdict(NamedTuple):
    """A receipt, and what is wrong with it, if anything."""

    receipt: SavedReceipt
    bad: str | None


def read_receipts(file: Path) -> list[SavedReceipt]:
    """Read a file with a receipt as the room gives it, or with a list of them.

    An answer of ``GET /api/room`` will do too, for the head in it.
    """
    try:
        raw = json.loads(file.read_bytes())
        return [_read(each) for each in (raw if isinstance(raw, list) else [raw])]
    except OSError as error:
        message = f"{file}: {error.strerror}; give a receipt issued by the room"
    except (ValueError, KeyError, TypeError, RecursionError):
        message = f"{file} is not a receipt: give the file unchanged"
    raise QueenhighError("receipt.unreadable", message)


def _read(raw: dict[str, Any]) -> SavedReceipt:
    if "head" in raw:
        return _read_head(raw)
    key, epoch, stream, version, hashed, signature = (raw[name] for name in _KEYS)
    if (type(epoch), type(stream), type(version)) != (int, str, int) or len(raw) > len(_KEYS):
        raise TypeError("numbers and names")
    return Receipt(
        bytes.fromhex(key), epoch, stream, version, bytes.fromhex(hashed), bytes.fromhex(signature)
    )


def _read_head(raw: dict[str, Any]) -> Head:
    events, hashed, signature = (raw["head"][name] for name in _HEAD_KEYS)
    if type(events) is not int:
        raise TypeError("a number")
    return Head(events, bytes.fromhex(hashed), bytes.fromhex(raw["key"]), bytes.fromhex(signature))


def _place(receipt: SavedReceipt) -> Any:
    """Return the place of a receipt: an event of a stream, or the number of events of a log."""
    return receipt.events if isinstance(receipt, Head) else (receipt.stream, receipt.version)


class Receipts:
    """Receipts to compare with a log while it is read."""

    def __init__(self, receipts: Iterable[SavedReceipt]) -> None:
        self._receipts = list(receipts)
        self._hashes: dict[Any, bytes | None] = {_place(each): None for each in self._receipts}

    def note_hash(self, place: Any, event_hash: bytes) -> None:
        """Note the hash at a place, if there is a receipt of it."""
        if place in self._hashes:
            self._hashes[place] = event_hash

    def verdicts(self, key: str) -> tuple[Verdict, ...]:
        """Return a verdict on every receipt; ``key`` is the one they must be signed with."""
        unsigned = [_unsigned(receipt, key) for receipt in self._receipts]
        rivals = _contradictions(self._receipts, unsigned)
        numbered = enumerate(zip(self._receipts, unsigned, strict=True), 1)
        return tuple(
            Verdict(receipt, bad or rivals.get(number) or self._difference(receipt))
            for number, (receipt, bad) in numbered
        )

    def _difference(self, receipt: SavedReceipt) -> str | None:
        """Return how the log differs from a receipt that is signed, or ``None``."""
        event_hash = self._hashes[_place(receipt)]
        if event_hash is None:
            return "the log no longer has this event"
        if event_hash != receipt.hash:
            return "the log was changed: its events up to there differ"
        return None


def _unsigned(receipt: SavedReceipt, key: str) -> str | None:
    """Return why a receipt is not signed by a key, or ``None``."""
    if receipt.key.hex() != key:
        return "it is not signed with the key of the log"
    if not (is_signed(receipt) if isinstance(receipt, Head) else is_receipt_signed(receipt)):
        return "its signature is wrong"
    return None


def _contradictions(receipts: list[SavedReceipt], unsigned: list[str | None]) -> dict[int, str]:
    """Return what is wrong with receipts, by their numbers, that contradict others.

    In one epoch the room signs one hash of an event.
    """
    events: dict[tuple[int, str, int], dict[int, bytes]] = {}
    for number, (receipt, bad) in enumerate(zip(receipts, unsigned, strict=True), 1):
        if isinstance(receipt, Receipt) and bad is None:
            event = (receipt.epoch, receipt.stream, receipt.version)
            events.setdefault(event, {})[number] = receipt.hash
    contradictions: dict[int, str] = {}
    for hashes in events.values():
        if len(set(hashes.values())) > 1:
            named = f"receipts {' and '.join(map(str, hashes))}"
            reason = f"the room contradicts itself: {named} are for the same event but differ"
            contradictions |= dict.fromkeys(hashes, reason)
    return contradictions
