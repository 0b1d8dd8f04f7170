"""Receipts that somebody kept, compared with a log that should still have what they are of."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.store.signing import Receipt, is_receipt_signed

__all__ = ["Receipts", "Verdict", "read_receipts"]

_KEYS = ("key", "epoch", "stream", "version", "hash", "signature")


class Verdict(NamedTuple):
    """What came of a receipt: nothing is wrong, or what is."""

    receipt: Receipt
    bad: str | None


def read_receipts(file: Path) -> list[Receipt]:
    """Read a file with a receipt as the room gives it, or with a list of them."""
    try:
        raw = json.loads(file.read_bytes())
        return [_read(one) for one in (raw if isinstance(raw, list) else [raw])]
    except OSError as error:
        told = f"{file}: {error.strerror}; give a receipt that the room gave"
    except (ValueError, KeyError, TypeError, RecursionError):
        told = f"{file} is not a receipt: give it as the room gave it"
    raise QueenhighError("receipt.unreadable", told)


def _read(raw: dict[str, Any]) -> Receipt:
    key, epoch, stream, version, hashed, signature = (raw[name] for name in _KEYS)
    if (type(epoch), type(stream), type(version)) != (int, str, int) or len(raw) > len(_KEYS):
        raise TypeError("numbers and names")
    return Receipt(
        bytes.fromhex(key), epoch, stream, version, bytes.fromhex(hashed), bytes.fromhex(signature)
    )


class Receipts:
    """Receipts to compare with a log while it is read."""

    def __init__(self, receipts: Iterable[Receipt]) -> None:
        self._receipts = list(receipts)
        self._hashes: dict[tuple[str, int], bytes | None] = {
            (one.stream, one.version): None for one in self._receipts
        }

    def see(self, stream: str, version: int, hashed: bytes) -> None:
        """Take the hash of an event, if a receipt is of it."""
        if (stream, version) in self._hashes:
            self._hashes[stream, version] = hashed

    def verdicts(self, key: str) -> tuple[Verdict, ...]:
        """Return what came of every receipt; ``key`` is the one they must be signed with."""
        return tuple(Verdict(one, self._wrong(one, key)) for one in self._receipts)

    def _wrong(self, receipt: Receipt, key: str) -> str | None:
        hashed = self._hashes[receipt.stream, receipt.version]
        if receipt.key.hex() != key:
            return "it is signed with another key than the log"
        if not is_receipt_signed(receipt):
            return "its signature is wrong"
        if hashed is None:
            return "the log has no such event any more"
        if hashed != receipt.hash:
            return "the log has been changed: its events up to there are others"
        return None
