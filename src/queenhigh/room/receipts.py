"""Receipts that somebody kept, compared with a log that should still have what they are of."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Head, Receipt, is_receipt_signed, is_signed

__all__ = ["Kept", "Receipts", "Verdict", "read_receipts"]

_KEYS = ("key", "epoch", "stream", "version", "hash", "signature")
_HEAD_KEYS = ("events", "hash", "signature")
#: What the room signed: one event of a stream, or all events of a log.
Kept = Receipt | Head


class Verdict(NamedTuple):
    """What came of a receipt: nothing is wrong, or what is."""

    receipt: Kept
    bad: str | None


def read_receipts(file: Path) -> list[Kept]:
    """Read a file with a receipt as the room gives it, or with a list of them.

    What ``GET /api/room`` answers will do too, for the head that it has.
    """
    try:
        raw = json.loads(file.read_bytes())
        return [_read(one) for one in (raw if isinstance(raw, list) else [raw])]
    except OSError as error:
        told = f"{file}: {error.strerror}; give a receipt that the room gave"
    except (ValueError, KeyError, TypeError, RecursionError):
        told = f"{file} is not a receipt: give it as the room gave it"
    raise QueenhighError("receipt.unreadable", told)


def _read(raw: dict[str, Any]) -> Kept:
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


def _place(kept: Kept) -> Any:
    """Return what a receipt is of: an event of a stream, or so many events of a log."""
    return kept.events if isinstance(kept, Head) else (kept.stream, kept.version)


class Receipts:
    """Receipts to compare with a log while it is read."""

    def __init__(self, receipts: Iterable[Kept]) -> None:
        self._receipts = list(receipts)
        self._hashes: dict[Any, bytes | None] = {_place(one): None for one in self._receipts}

    def see(self, place: Any, hashed: bytes) -> None:
        """Take the hash at a place, if a receipt is of it."""
        if place in self._hashes:
            self._hashes[place] = hashed

    def verdicts(self, key: str) -> tuple[Verdict, ...]:
        """Return what came of every receipt; ``key`` is the one they must be signed with."""
        unsigned = [_unsigned(one, key) for one in self._receipts]
        rivals = _contradictions(self._receipts, unsigned)
        return tuple(
            Verdict(one, bad or rivals.get(number) or self._wrong(one))
            for number, (one, bad) in enumerate(zip(self._receipts, unsigned, strict=True), 1)
        )

    def _wrong(self, receipt: Kept) -> str | None:
        """Say in what the log differs from a receipt that is signed."""
        hashed = self._hashes[_place(receipt)]
        if hashed is None:
            return "the log has no such event any more"
        if hashed != receipt.hash:
            return "the log has been changed: its events up to there are others"
        return None


def _unsigned(receipt: Kept, key: str) -> str | None:
    """Say why a receipt is not signed by a key, if it is not."""
    if receipt.key.hex() != key:
        return "it is signed with another key than the log"
    if not (is_signed(receipt) if isinstance(receipt, Head) else is_receipt_signed(receipt)):
        return "its signature is wrong"
    return None


def _contradictions(receipts: list[Kept], unsigned: list[str | None]) -> dict[int, str]:
    """Return what is wrong with receipts, by their numbers, of which others say something else.

    Of one event in one epoch the room signs one hash.
    """
    events: dict[tuple[int, str, int], dict[int, bytes]] = {}
    for number, (one, bad) in enumerate(zip(receipts, unsigned, strict=True), 1):
        if isinstance(one, Receipt) and bad is None:
            event = (one.epoch, one.stream, one.version)
            events.setdefault(event, {})[number] = one.hash
    told: dict[int, str] = {}
    for hashes in events.values():
        if len(set(hashes.values())) > 1:
            named = " and ".join(map(str, hashes))
            why = f"the room contradicts itself: receipts {named} are of the same event and differ"
            told |= dict.fromkeys(hashes, why)
    return told
