"""Connections that one process gives to another of the same machine."""

import asyncio
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import cast

import pytest
import uvloop

from queenhigh.server import handover
from queenhigh.server.datagrams import Datagram, Datagrams
from queenhigh.server.handover import Cuttable, Handover, Taken

HOST, GIVER, TAKER = "127.0.0.1", 1, 2


class Holder(asyncio.Protocol):
    """A connection at the taker, which answers with what it receives, in capitals."""

    def __init__(self, taken: Taken) -> None:
        self._taken = taken

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)
        self.data_received(self._taken.request)

    def data_received(self, data: bytes) -> None:
        if data == b"leave":
            self._transport.close()
        self._transport.write(data.upper())

    def connection_lost(self, error: Exception | None) -> None:
        handover.end(self._taken.connection)


class Stranger(Holder):
    """A connection at a process of another machine."""

    def data_received(self, data: bytes) -> None:
        self._transport.write(b"STRANGER")


class Front(asyncio.Protocol):
    """A connection at the giver, which is given away with the first bytes that arrive."""

    def __init__(self, giver: Handover, port: int) -> None:
        self._giver, self._port = giver, port
        self.others: set[Cuttable] = set()
        self.given: asyncio.Task[bool] | None = None
        self.later = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        if self.given is None:
            given = self._giver.give(self._transport, self._port, data, self.others)
            self.given = asyncio.create_task(given)
        else:
            self.later += data


class Client:
    """A client of the giver."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, front: Front
    ) -> None:
        self._reader, self.writer, self.front = reader, writer, front

    async def say(self, text: bytes) -> None:
        self.writer.write(text)
        await self.writer.drain()

    async def hears(self, text: bytes) -> bool:
        async with asyncio.timeout(5):
            return await self._reader.readexactly(len(text)) == text

    async def hears_the_end(self) -> bool:
        async with asyncio.timeout(5):
            return await self._reader.read() == b""


class Pair:
    """A giver and a taker, and clients of the giver."""

    def __init__(self, folder: Path, stack: AsyncExitStack) -> None:
        self.giver, self.taker = Handover(folder, HOST, GIVER), Handover(folder, HOST, TAKER)
        self._fronts: list[Front] = []
        self._stack = stack
        for each in (self.giver, self.taker):
            each.listen(Holder)
            stack.callback(each.close)

    async def client(self, port: int = TAKER) -> Client:
        def make() -> Front:
            self._fronts.append(Front(self.giver, port))
            return self._fronts[-1]

        server = await asyncio.get_running_loop().create_server(make, HOST, 0)
        self._stack.callback(server.close)
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        self._stack.callback(writer.close)
        while not self._fronts:
            await asyncio.sleep(0.001)
        return Client(reader, writer, self._fronts.pop())


@asynccontextmanager
async def pair(folder: Path) -> AsyncIterator[Pair]:
    async with AsyncExitStack() as stack:
        yield Pair(folder, stack)


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.01)


def pause(process: Handover) -> Datagrams:
    """Read no datagrams, as a process that is paused."""
    datagrams = process._datagrams
    assert datagrams is not None
    asyncio.get_running_loop().remove_reader(datagrams._own)
    return datagrams


def kill(process: Handover) -> None:
    """Close the socket of a process, and leave its file, as after a kill."""
    datagrams = pause(process)
    datagrams._own.close()
    process._timer.cancel()
    process._datagrams = None


def test_client_of_a_given_connection_notices_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with pair(tmp_path) as both:
            client = await both.client()
            await client.say(b"request")
            assert await client.hears(b"REQUEST")
            await client.say(b"more")
            assert await client.hears(b"MORE")
            assert client.front.given is not None
            assert await client.front.given
            assert client.front.later == b""
            assert len(client.front.others) == 1

    asyncio.run(run())


@pytest.mark.parametrize("ends", ["client", "taker"])
def test_ended_connection_is_forgotten(tmp_path: Path, ends: str) -> None:
    async def run() -> None:
        async with pair(tmp_path) as both:
            client = await both.client()
            await client.say(b"request")
            assert await client.hears(b"REQUEST")
            if ends == "client":
                client.writer.close()
            else:
                await client.say(b"leave")
                assert await client.hears_the_end()
            await until(lambda: not client.front.others)

    asyncio.run(run())


def test_connection_of_a_stopped_process_is_cut(tmp_path: Path) -> None:
    async def run() -> None:
        async with pair(tmp_path) as both:
            client = await both.client()
            await client.say(b"request")
            assert await client.hears(b"REQUEST")
            for each in client.front.others:
                each.cut()
            assert await client.hears_the_end()
            await until(lambda: not client.front.others)

    asyncio.run(run())


def test_connections_of_a_killed_process_are_cut(tmp_path: Path) -> None:
    async def run() -> None:
        async with pair(tmp_path) as both:
            client = await both.client()
            await client.say(b"request")
            assert await client.hears(b"REQUEST")
            kill(both.taker)
            assert await client.hears_the_end()
            await until(lambda: not client.front.others)
            again = Handover(tmp_path, HOST, TAKER)
            again.listen(Holder)
            client = await both.client()
            await client.say(b"once more")
            assert await client.hears(b"ONCE MORE")
            again.close()

    asyncio.run(run())


def test_connection_stays_where_nobody_takes_it(tmp_path: Path) -> None:
    async def run() -> None:
        async with pair(tmp_path) as both:
            client = await both.client(port=3)
            await client.say(b"request")
            await until(lambda: client.front.given is not None and client.front.given.done())
            assert client.front.given is not None
            assert not client.front.given.result()
            await client.say(b"more")
            await until(lambda: client.front.later == b"more")

    asyncio.run(run())


def test_process_that_does_not_answer_is_given_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(handover, "SECONDS_TO_ANSWER", 0.1)

    async def run() -> None:
        async with pair(tmp_path) as both:
            datagrams = pause(both.taker)
            client = await both.client()
            await client.say(b"request")
            await until(lambda: client.front.given is not None and client.front.given.done())
            assert client.front.given is not None
            assert isinstance(client.front.given.exception(), TimeoutError)
            datagrams.listen(partial(both.taker._handle, datagrams, Holder))
            await client.say(b"more")
            await until(lambda: client.front.later == b"more")
            assert not client.front.others

    asyncio.run(run())


def test_many_are_given_at_once(tmp_path: Path) -> None:
    """More than the operating system keeps of unread datagrams, which may be ten."""

    async def talk(both: Pair, number: int) -> None:
        client = await both.client()
        await client.say(b"request %d" % number)
        assert await client.hears(b"REQUEST %d" % number)

    async def run() -> None:
        async with pair(tmp_path) as both:
            await asyncio.gather(*(talk(both, number) for number in range(100)))

    asyncio.run(run())


def test_folder_may_have_a_long_path(tmp_path: Path) -> None:
    async def run() -> None:
        folder = tmp_path / ("long" * 30)
        folder.mkdir()
        async with pair(folder) as both:
            client = await both.client()
            await client.say(b"request")
            assert await client.hears(b"REQUEST")

    asyncio.run(run())


def test_strange_datagrams_change_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with pair(tmp_path) as both:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as stranger:
                for message in (b"", b"\0", b"\x02" + bytes(10), b"\x09" + bytes(10)):
                    stranger.sendto(message, str(tmp_path / f"peer-{HOST}-{TAKER}.sock"))
                    await asyncio.sleep(0)
            client = await both.client()
            await client.say(b"request")
            assert await client.hears(b"REQUEST")

    asyncio.run(run())


def test_machines_that_share_a_folder_do_not_share_sockets(tmp_path: Path) -> None:
    """Two containers have the same port, and both give connections to themselves too."""

    async def run() -> None:
        async with pair(tmp_path) as both:
            other = Handover(tmp_path, "other-host", TAKER)
            other.listen(Stranger)
            client = await both.client()
            await client.say(b"request")
            assert await client.hears(b"REQUEST")
            other.close()
            client = await both.client(GIVER)
            await client.say(b"to itself")
            assert await client.hears(b"TO ITSELF")

    asyncio.run(run())


@pytest.mark.parametrize(
    "make_loop", [asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"]
)
def test_request_comes_before_what_the_client_sends_next(
    tmp_path: Path, make_loop: Callable[[], asyncio.AbstractEventLoop]
) -> None:
    async def run() -> None:
        async with pair(tmp_path) as both:
            for number in range(40):
                client = await both.client()
                await client.say(b"request ")
                await asyncio.sleep(number / 20_000)
                await client.say(b"and more")
                assert await client.hears(b"REQUEST AND MORE")

    with asyncio.Runner(loop_factory=make_loop) as runner:
        runner.run(run())


def test_connection_that_got_lost_on_the_way_is_cut(tmp_path: Path) -> None:
    """As if the taker had too many files to open one more."""

    async def run() -> None:
        async with pair(tmp_path) as both:
            client = await both.client()
            await client.say(b"request")
            assert await client.hears(b"REQUEST")
            assert both.taker._datagrams is not None
            lost = Datagram(handover._GIVE, GIVER, 1, b"request", None)
            both.taker._handle(both.taker._datagrams, Holder, lost)
            assert await client.hears_the_end()
            await until(lambda: not client.front.others)

    asyncio.run(run())


def test_process_that_stops_takes_nothing(tmp_path: Path) -> None:
    async def run() -> None:
        async with pair(tmp_path) as both:
            client = await both.client()
            await client.say(b"request")
            assert await client.hears(b"REQUEST")
            both.taker.stop_taking()
            late = await both.client()
            await late.say(b"request")
            await until(lambda: late.front.given is not None and late.front.given.done())
            assert late.front.given is not None
            assert not late.front.given.result()
            await client.say(b"more")
            assert await client.hears(b"MORE")

    asyncio.run(run())
