"""How several values become the bytes of one hash."""

import struct

__all__ = ["fields", "pack_length"]

#: A length as every field begins with it: four bytes, the largest first.
pack_length = struct.Struct(">I").pack


def fields(*parts: bytes) -> bytes:
    """Join fields so that no two lists of fields give the same bytes: each after its length."""
    return b"".join([piece for part in parts for piece in (pack_length(len(part)), part)])
