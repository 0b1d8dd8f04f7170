"""Frames that the server reads itself, against the library that reads all others."""

import asyncio
from itertools import pairwise
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from websockets.frames import Frame, Opcode

from queenhigh.server import frames
from queenhigh.server.frames import FrameReader, text_frames
from queenhigh.server.sockets import Socket
from tests.seeds import rng
from tests.sizes import sized

MAX_SIZE = 300
REQUEST = (
    b"GET /api/tables/t/socket HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\n"
    b"Connection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    b"Sec-WebSocket-Version: 13\r\n\r\n"
)


class Wire:
    """A transport that keeps what is written, and an owner that keeps what is received."""

    def __init__(self, *, by_library: bool) -> None:
        self.written, self.messages, self.closes = b"", list[bytes](), list[str]()
        config = SimpleNamespace(ws_max_size=MAX_SIZE)
        connections = SimpleNamespace(add=id, discard=id, count_closed=id)
        state: Any = SimpleNamespace(connections=connections)
        self.socket = Socket(self.accept, config, state, None)
        self.socket.connection_made(self)  # type: ignore[arg-type]
        self.socket.data_received(REQUEST)
        self.written = b""  # without the handshake, which has a date
        if by_library:
            self.socket._frames = None

    def accept(self, *request: object) -> "Wire":
        return self

    def on_message(self, text: bytes) -> None:
        self.messages.append(text)

    def may_send(self) -> bool:
        self.messages.append(b"counted")
        return True

    def write(self, data: bytes = b"") -> None:
        self.written += data

    def is_closing(self) -> bool:
        return "close" in self.closes

    def close(self) -> None:
        self.closes.append("close")

    def abort(self) -> None:
        self.closes.append("abort")

    def receive(self, data: bytes) -> None:
        size = len(data)
        self.socket.get_buffer(-1)[:size] = data
        self.socket.buffer_updated(size)

    def end(self) -> tuple[object, ...]:
        self.socket.eof_received()
        self.socket.connection_lost(None)
        state = self.socket._conn
        code = state.close_sent.code if state.close_sent else 0
        return self.messages, self.written, self.closes, state.state, code

    def on_close(self) -> None:
        self.closes.append("lost")


def random_frame(random: Random) -> bytes:
    """Return a frame of a client: mostly usual ones, and everything that may go wrong."""
    data = random.randbytes(random.choice([0, 1, 60, 125, 126, 127, MAX_SIZE, MAX_SIZE + 1]))
    usual = random.random() < 0.75
    if random.random() < 0.2:
        control = random.choice([Opcode.PING, Opcode.PONG])
        return Frame(control, data[:125]).serialize(mask=True)
    if usual:
        return Frame(Opcode.TEXT, data[:MAX_SIZE]).serialize(mask=True)
    kind = random.choice([Opcode.TEXT, Opcode.BINARY, Opcode.CONT, Opcode.CLOSE, Opcode.PING])
    if kind is Opcode.CLOSE:
        data = b"\x03\xe8" + b"bye"
    first = kind | random.choice([0x80, 0x80, 0x80, 0, 0xC0, 0x83])
    masked = random.choice([0x80, 0x80, 0x80, 0x80, 0])
    width = random.choice([0, 2, 8]) if len(data) < 126 else random.choice([2, 8])
    second = len(data) if not width else 126 if width == 2 else 127
    length = len(data).to_bytes(width, "big") if width else b""
    return bytes([first, masked | second]) + length + bytes(4 if masked else 0) + data


def cut(random: Random, data: bytes) -> list[bytes]:
    """Cut bytes at random places, now and then into single bytes."""
    if random.random() < 0.1:
        return [data[place : place + 1] for place in range(len(data))]
    places = sorted(random.choices(range(len(data) + 1), k=random.randrange(8)))
    ends = [0, *places, len(data)]
    return [data[a:b] for a, b in pairwise(ends) if a < b]


async def compare(random: Random) -> set[str]:
    """Send random frames to both; return what happened, so that a test can see it does."""
    both = [Wire(by_library=False), Wire(by_library=True)]
    sent = b"".join([random_frame(random) for _ in range(random.randrange(1, 12))])
    if random.random() < 0.2:
        sent = sent[: random.randrange(len(sent)) + 1]
    for part in cut(random, sent):
        for wire in both:
            wire.receive(part)
    ours = both[0].socket._frames
    assert ours is not None
    events = {"library" if ours._is_over else "direct", *(["rest"] if ours._rest else [])}
    ends = [wire.end() for wire in both]
    assert ends[0] == ends[1]
    return events | {f"closed {ends[0][-1]}"}


async def compare_many(count: int) -> set[str]:
    random, seen = rng("frames"), set[str]()
    for _ in range(count):
        seen |= await compare(random)
    return seen


def test_frames_are_read_as_the_library_reads_them() -> None:
    seen = asyncio.run(compare_many(sized(600, 6_000)))
    assert seen >= {"library", "direct", "rest", "closed 1000", "closed 1002", "closed 1009"}


def _ignore_mask(data: bytes, mask: bytes) -> bytes:
    return data


def _forget_rest(reader: FrameReader, data: bytes) -> list[tuple[bool, bytes]]:
    reader._rest = b""
    return _READ(reader, data)


def _stay(reader: FrameReader, data: bytes) -> list[tuple[bool, bytes]]:
    """Read on after a frame that only the library reads."""
    parts = _READ(reader, data)
    reader._is_over = False
    return parts


_READ = FrameReader.read


@pytest.mark.parametrize(
    ("where", "name", "bug"),
    [
        (frames, "apply_mask", _ignore_mask),
        (frames, "_EIGHT_BYTES", 128),
        (frames, "_MASKED", 0xFF),
        (FrameReader, "read", _forget_rest),
        (FrameReader, "read", _stay),
    ],
)
def test_comparison_finds_planted_bugs(
    monkeypatch: pytest.MonkeyPatch, where: object, name: str, bug: object
) -> None:
    monkeypatch.setattr(where, name, bug)
    with pytest.raises((AssertionError, IndexError)):
        asyncio.run(compare_many(1500))


@pytest.mark.parametrize("length", [0, 1, 125, 126, 127, 65_535, 65_536, 100_000])
def test_written_frames_are_those_of_the_library(length: int) -> None:
    texts = [b"x" * length, b"y"]
    expected = [Frame(Opcode.TEXT, text).serialize(mask=False) for text in texts]
    assert text_frames(texts) == b"".join(expected)
