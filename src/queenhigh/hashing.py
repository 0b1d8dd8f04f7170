"""How several values become the bytes of one hash."""

import hashlib
import json
import struct
from collections.abc import Mapping
from typing import Any

__all__ = ["document_digest", "fields", "pack_length"]

#: A length as every field begins with it: four bytes, the largest first.
pack_length = struct.Struct(">I").pack


def fields(*parts: bytes) -> bytes:
    """Join fields so that no two lists of fields give the same bytes: each after its length."""
    return b"".join([piece for part in parts for piece in (pack_length(len(part)), part)])


def document_digest(document: Mapping[str, Any]) -> str:
    """Return the digest that commitments name a rulebook by: the hash of its document, keys sorted.

    It depends on nothing but the document, so that anyone can compute it.
    """
    canonical = json.dumps(
        dict(document), sort_keys=True, ensure_ascii=False, separators=(",", ":")
    )
    return "sha256:" + hashlib.sha256(canonical.encode()).hexdigest()
