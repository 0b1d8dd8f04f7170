"""Columns of values as PostgreSQL's binary arrays, which psycopg makes several times as slowly."""

from collections.abc import Sequence
from struct import Struct

import psycopg
from psycopg.adapt import Buffer, Dumper
from psycopg.pq import Format

__all__ = ["Blobs", "Numbers", "Texts"]

#: Dimensions, whether there are nulls, the type of the elements, their number, the first index.
_HEADER = Struct(">iiIii").pack
_NUMBER, _LENGTH = Struct(">iq").pack, Struct(">i").pack


class _Array:
    """An array as PostgreSQL reads it."""

    __slots__ = ("data",)
    #: The type of the elements, as PostgreSQL numbers it.
    element = 0

    def __init__(self, parts: Sequence[bytes], count: int) -> None:
        self.data = b"".join((_HEADER(1, 0, self.element, count, 1), *parts))


class Numbers(_Array):
    """Integers of 64 bits."""

    element = 20

    def __init__(self, values: Sequence[int]) -> None:
        super().__init__([_NUMBER(8, value) for value in values], len(values))


class Blobs(_Array):
    """Bytes."""

    element = 17

    def __init__(self, values: Sequence[bytes]) -> None:
        parts = [part for value in values for part in (_LENGTH(len(value)), value)]
        super().__init__(parts, len(values))


class Texts(_Array):
    """Texts."""

    element = 25

    def __init__(self, values: Sequence[str]) -> None:
        encoded = [value.encode() for value in values]
        parts = [part for value in encoded for part in (_LENGTH(len(value)), value)]
        super().__init__(parts, len(values))


class _ArrayDumper(Dumper):
    """Passes an array on."""

    format = Format.BINARY

    def dump(self, obj: _Array) -> Buffer:
        """Return the bytes."""
        return obj.data


class _NumbersDumper(_ArrayDumper):
    oid = 1016


class _BlobsDumper(_ArrayDumper):
    oid = 1001


class _TextsDumper(_ArrayDumper):
    oid = 1009


psycopg.adapters.register_dumper(Numbers, _NumbersDumper)
psycopg.adapters.register_dumper(Blobs, _BlobsDumper)
psycopg.adapters.register_dumper(Texts, _TextsDumper)
