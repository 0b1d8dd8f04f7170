"""Rounds as bytes, so that the index need not read them again from a table's first event."""

import zlib
from collections.abc import Iterable

import msgspec
from msgspec import Struct

from queenhigh.errors import QueenhighError
from queenhigh.game import GameRound
from queenhigh.history.records import Record, Rounds, Step
from queenhigh.rulebook.book import Rulebook
from queenhigh.table.events import RoundSettled, RoundVoided, SpinSettled, TableEvent
from queenhigh.table.snapshot import in_current_form, restore, round_hook, snapshot
from queenhigh.table.state import ActiveRound

__all__ = ["pack_record", "pack_rounds", "unpack_record", "unpack_rounds"]


class _Steps(Struct, frozen=True, array_like=True):
    """Events, and the players by place at some times; ``when`` has an index of them per event."""

    events: tuple[TableEvent, ...]
    names: tuple[dict[int, str], ...]
    when: tuple[int, ...]


class _Packed(Struct, frozen=True, array_like=True):
    """A record, all but its table and its rulebook."""

    live: ActiveRound
    end: RoundSettled | SpinSettled | RoundVoided
    players: dict[int, str]
    seats: dict[int, int]
    before: dict[int, int]
    after: dict[int, int]
    steps: _Steps


class _UnderWay(Struct, frozen=True, array_like=True):
    """A table, and its round so far."""

    state: bytes
    before: dict[int, int]
    players: dict[int, str]
    steps: _Steps


_encode = msgspec.msgpack.Encoder().encode
_decode_under_way = msgspec.msgpack.Decoder(_UnderWay).decode
_decoders: dict[type[GameRound], "msgspec.msgpack.Decoder[_Packed]"] = {}


def _decoder(round_type: type[GameRound]) -> "msgspec.msgpack.Decoder[_Packed]":
    """Return the decoder of a game's rounds."""
    if round_type not in _decoders:
        hook = round_hook(round_type)
        _decoders[round_type] = msgspec.msgpack.Decoder(_Packed, dec_hook=hook)
    return _decoders[round_type]


def pack_record(record: Record) -> bytes:
    """Return a round as bytes, all but its table and its rulebook; they include a checksum."""
    chips = (record.seats, record.before, record.after)
    steps = _pack_steps(record.events)
    packed = _encode(_Packed(record.live, record.end, record.players, *chips, steps))
    return zlib.compress(packed, 1)


def unpack_record(packed: bytes, table: str, digest: str, book: Rulebook) -> Record:
    """Return the round that was packed."""
    read = _read(zlib.decompress(packed), book.game.round_type)
    chips = (read.seats, read.before, read.after)
    steps = tuple(_unpack_steps(read.steps))
    return Record(table, digest, book, read.live, read.end, read.players, *chips, steps)


def _read(record: bytes, round_type: type[GameRound]) -> _Packed:
    try:
        return _decoder(round_type).decode(record)
    except msgspec.ValidationError:  # an older program may have written it
        plain = msgspec.msgpack.decode(record)
        if isinstance(plain, list) and plain:
            in_current_form(plain[0])
        return msgspec.convert(plain, _Packed, dec_hook=round_hook(round_type))


def pack_rounds(rounds: Rounds) -> bytes:
    """Return a table and its round so far as bytes."""
    if rounds.state is None:
        raise QueenhighError("table.broken", "a table without events has no snapshot")
    steps = _pack_steps(rounds.steps)
    packed = _encode(_UnderWay(snapshot(rounds.state), rounds.before, rounds.players, steps))
    return zlib.compress(packed, 1)


def unpack_rounds(packed: bytes, table: str) -> Rounds | None:
    """Return the table and its round so far that were packed; ``None`` if they are unreadable."""
    try:
        read: _UnderWay = _decode_under_way(zlib.decompress(packed))
    except (zlib.error, msgspec.MsgspecError):
        return None
    state = restore(read.state)
    if state is None:
        return None
    return Rounds(table, state, read.before, read.players, _unpack_steps(read.steps))


def _pack_steps(steps: Iterable[Step]) -> _Steps:
    events: list[TableEvent] = []
    names: list[dict[int, str]] = []
    when: list[int] = []
    for event, players in steps:
        if not names or names[-1] is not players:
            names.append(players)
        events.append(event)
        when.append(len(names) - 1)
    return _Steps(tuple(events), tuple(names), tuple(when))


def _unpack_steps(packed: _Steps) -> list[Step]:
    pairs = zip(packed.events, packed.when, strict=True)
    return [(event, packed.names[index]) for event, index in pairs]
