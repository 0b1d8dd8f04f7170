"""The head of a store: a hash over all its events, signed, so that none can be cut off the end.

The key lies beside the store and not in it. To check a store, get the public half from the room,
not from the file.
"""

import hashlib
import secrets
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from queenhigh.errors import QueenhighError
from queenhigh.hashing import fields
from queenhigh.store.files import write_private
from queenhigh.store.streams import GENESIS, Snapshot

__all__ = [
    "Head",
    "Receipt",
    "Signer",
    "extend_head",
    "is_receipt_signed",
    "is_signed",
    "secret_in",
]


#: What ``fields`` returns, precomputed because every event needs it: a tag, the length of a hash.
_HASH = (32).to_bytes(4, "big")
_SECRET_BYTES = 32
_EXTENDED = fields(b"queenhigh/store/1") + _HASH


class Head(NamedTuple):
    """The number of events of a store, the hash over them, and the key and signature of both."""

    events: int = 0
    hash: bytes = GENESIS
    key: bytes = b""
    signature: bytes = b""


class Receipt(NamedTuple):
    """The hash of a stream up to a version, the key that signed it, and the signature."""

    key: bytes
    epoch: int
    stream: str
    version: int
    hash: bytes
    signature: bytes


def extend_head(before: bytes, *event_hashes: bytes) -> bytes:
    """Return the hash over all events of a store after some more, in the order they came."""
    sha256 = hashlib.sha256
    for event_hash in event_hashes:
        before = sha256(_EXTENDED + before + _HASH + event_hash).digest()
    return before


def _statement(events: int, over_all: bytes) -> bytes:
    return fields(b"queenhigh/head/1", str(events).encode(), over_all)


def _snapshot_statement(stream: str, version: int, tip: bytes, state: bytes) -> bytes:
    digest, number = hashlib.sha256(state).digest(), str(version).encode()
    return fields(b"queenhigh/snapshot/1", stream.encode(), number, tip, digest)


def _receipt_statement(epoch: int, stream: str, version: int, event_hash: bytes) -> bytes:
    place = (str(epoch).encode(), stream.encode(), str(version).encode())
    return fields(b"queenhigh/receipt/1", *place, event_hash)


class Signer:
    """Signs heads, snapshots and receipts with a key from a file, made if it is not there."""

    def __init__(self, file: Path) -> None:
        secret = secret_in(file)
        self._private = Ed25519PrivateKey.from_private_bytes(secret)
        self.key = self._private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        own = hashlib.sha256(fields(b"queenhigh/tip/1", secret)).digest()
        self._mark = hashlib.blake2b(key=own, digest_size=16)

    def sign(self, events: int, over_all: bytes) -> Head:
        """Return the head with its signature."""
        signature = self._private.sign(_statement(events, over_all))
        return Head(events, over_all, self.key, signature)

    def sign_receipt(self, epoch: int, stream: str, version: int, event_hash: bytes) -> Receipt:
        """Return a receipt of an event, and by its hash of all before it in its stream."""
        signature = self._private.sign(_receipt_statement(epoch, stream, version, event_hash))
        return Receipt(self.key, epoch, stream, version, event_hash, signature)

    def sign_snapshot(self, stream: str, version: int, tip: bytes, state: bytes) -> bytes:
        """Return the signature of a stream's state at a version and a hash."""
        return self._private.sign(_snapshot_statement(stream, version, tip, state))

    def has_signed_snapshot(self, signature: bytes, stream: str, saved: Snapshot) -> bool:
        """Return whether a snapshot's signature is by this key."""
        statement = _snapshot_statement(stream, saved.version, saved.hash, saved.state)
        return _is_by(self.key, signature, statement)

    def mark(self, tip: bytes) -> bytes:
        """Return the mark of a hash that a stream ends with, which only this key can make.

        A stream cut short ends with a hash that has no mark. Nobody else checks marks, so a keyed
        hash is enough, at a hundredth of the cost of a signature.
        """
        mark = self._mark.copy()
        mark.update(tip)
        return mark.digest()


def secret_in(file: Path) -> bytes:
    """Return the 32 bytes of a secret file; draw and save them if there is no such file."""
    try:
        if not file.exists():
            write_private(file, secrets.token_bytes(_SECRET_BYTES))
        secret = file.read_bytes()
    except OSError as error:
        message = (
            f"{file}: {error.strerror}; the user who runs the server must be able to read the key"
        )
        raise QueenhighError("store.key", message) from None
    if len(secret) != _SECRET_BYTES:
        message = f"{file} is not a key of 32 bytes: restore the right key"
        raise QueenhighError("store.key", message)
    return secret


def is_signed(head: Head) -> bool:
    """Return whether a head's signature is by its key."""
    return _is_by(head.key, head.signature, _statement(head.events, head.hash))


def is_receipt_signed(receipt: Receipt) -> bool:
    """Return whether a receipt's signature is by its key."""
    key, epoch, stream, version, event_hash, signature = receipt
    return _is_by(key, signature, _receipt_statement(epoch, stream, version, event_hash))


def _is_by(key: bytes, signature: bytes, statement: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(key).verify(signature, statement)
    except (InvalidSignature, ValueError):
        return False
    return True
