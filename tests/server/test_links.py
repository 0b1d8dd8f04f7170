"""Links between two processes: many channels over one connection."""

import asyncio
from random import Random
from typing import cast

import pytest

from queenhigh.server.links import DATA, PAUSE, RESUME, HeldChannel, Link


class Wire(asyncio.Transport):
    """A connection in memory: what is written waits until it is carried to the other end."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = b""
        self.closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.waiting += bytes(data)

    def carry(self, to: Link, most: int) -> None:
        """Carry some bytes to the other end, as a network may."""
        part, self.waiting = self.waiting[:most], self.waiting[most:]
        to.data_received(part)

    def is_closing(self) -> bool:
        return self.closed

    def close(self) -> None:
        self.closed = True

    def set_write_buffer_limits(self, high: int | None = None, low: int | None = None) -> None: ...


class Heard:
    """A channel, or the socket of one, that keeps what it hears."""

    def __init__(self) -> None:
        self.data = b""
        self.said: list[str] = []

    def on_data(self, data: bytes) -> None:
        self.data += data

    data_received = on_data

    def on_close(self) -> None:
        self.said.append("close")

    def connection_lost(self, error: Exception | None) -> None:
        self.said.append("close")

    def on_pause(self) -> None:
        self.said.append("pause")

    pause_writing = on_pause

    def on_resume(self) -> None:
        self.said.append("resume")

    resume_writing = on_resume

    def connection_made(self, transport: asyncio.Transport) -> None:
        self.transport = transport


class Pair:
    """Both ends of a link; the held end gives each channel a socket."""

    def __init__(self) -> None:
        self.sockets: list[Heard] = []
        self.near, self.held = Link(), Link(self._open)
        self.to_held, self.to_near = Wire(), Wire()
        self.near.connection_made(self.to_held)
        self.held.connection_made(self.to_near)

    def _open(self, link: Link, number: int) -> HeldChannel:
        socket = Heard()
        self.sockets.append(socket)
        return HeldChannel(link, number, cast("asyncio.BufferedProtocol", socket))

    async def carry(self, most: int = 1 << 20) -> None:
        """Carry everything that waits on both ways."""
        await asyncio.sleep(0)
        while self.to_held.waiting or self.to_near.waiting:
            self.to_held.carry(self.held, most)
            self.to_near.carry(self.near, most)
            await asyncio.sleep(0)
        await asyncio.sleep(0)


@pytest.mark.parametrize("most", [1, 7, 64, 100_000])
def test_bytes_of_channels_arrive_whole_and_in_order(most: int) -> None:
    async def run() -> None:
        random, pair = Random(most), Pair()
        channels = [Heard() for _ in range(5)]
        numbers = [
            pair.near.open(channel, b"request %d." % i) for i, channel in enumerate(channels)
        ]
        await pair.carry(most)
        sent = [b"request %d." % i for i in range(5)]
        answers = [b""] * 5
        for _ in range(60):
            which, data = random.randrange(5), random.randbytes(random.randrange(40))
            pair.near.send(numbers[which], DATA, data)
            sent[which] += data
            which, data = random.randrange(5), random.randbytes(random.randrange(40))
            pair.sockets[which].transport.write(data)
            answers[which] += data
            if random.random() < 0.3:
                await pair.carry(most)
        await pair.carry(most)
        assert [socket.data for socket in pair.sockets] == sent
        assert [channel.data for channel in channels] == answers

    asyncio.run(run())


def test_channel_pauses_alone_and_with_its_link() -> None:
    async def run() -> None:
        pair, first, second = Pair(), Heard(), Heard()
        number = pair.near.open(first, b"")
        pair.near.open(second, b"")
        pair.near.send(number, PAUSE)
        await pair.carry()
        assert [socket.said for socket in pair.sockets] == [["pause"], []]
        pair.held.pause_writing()
        pair.held.resume_writing()
        assert [socket.said[1:] for socket in pair.sockets] == [["pause"], ["resume"]]
        pair.near.send(number, RESUME)
        await pair.carry()
        assert pair.sockets[0].said[-1] == "resume"
        pair.sockets[1].transport.pause_reading()
        await pair.carry()
        assert (first.said, second.said) == ([], ["pause"])

    asyncio.run(run())


def test_either_side_closes_a_channel() -> None:
    async def run() -> None:
        pair, first, second, third = Pair(), Heard(), Heard(), Heard()
        numbers = [pair.near.open(channel, b"") for channel in (first, second, third)]
        await pair.carry()
        pair.near.close(numbers[0])
        pair.sockets[1].transport.write(b"bye")
        pair.sockets[1].transport.close()
        await pair.carry()
        assert [socket.said for socket in pair.sockets] == [["close"], ["close"], []]
        assert (first.said, second.said, second.data) == ([], ["close"], b"bye")
        pair.near.shutdown()
        assert not pair.to_held.closed, "a channel is still open"
        pair.held.connection_lost(None)
        pair.near.connection_lost(None)
        await pair.carry()
        assert third.said == pair.sockets[2].said == ["close"]

    asyncio.run(run())


def test_unused_link_is_closed_by_its_end() -> None:
    async def run() -> None:
        pair = Pair()
        number = pair.near.open(Heard(), b"")
        pair.near.shutdown()
        assert pair.near.is_lost
        pair.near.close(number)
        assert pair.to_held.closed

    asyncio.run(run())


def test_failing_socket_leaves_the_others_alone() -> None:
    async def run() -> None:
        errors: list[object] = []
        asyncio.get_running_loop().set_exception_handler(
            lambda loop, context: errors.append(context["exception"])
        )
        pair, bad, good = Pair(), Heard(), Heard()
        numbers = [pair.near.open(channel, b"") for channel in (bad, good)]
        await pair.carry()
        pair.held.__dict__["_channels"][numbers[0]].__dict__["_receive"] = lambda data: 1 / 0
        pair.near.send(numbers[0], DATA, b"x")
        pair.near.send(numbers[1], DATA, b"y")
        await pair.carry()
        assert isinstance(errors[0], ZeroDivisionError)
        assert (bad.said, good.said, pair.sockets[1].data) == (["close"], [], b"y")

    asyncio.run(run())
