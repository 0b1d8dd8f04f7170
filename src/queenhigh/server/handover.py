"""Connections that are given, whole, to another process of the same machine.

A socket whose table another process of this machine holds is given to that process: the operating
system passes open connections between processes, and the client or proxy at the other end notices
nothing. Then no message has to be passed on. One process offers a connection, the other answers if
it runs and takes it, and the first one sends the connection with its request.

The giver keeps a duplicate of the connection. With it, it can cut the connection of a process that
has stopped without closing it.
"""

import asyncio
import select
import socket
from collections import defaultdict
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from queenhigh.server.datagrams import MOST_BYTES, Datagram, Datagrams
from queenhigh.server.link_pool import SECONDS_TO_ANSWER

__all__ = ["Cuttable", "Handover", "Taken", "end"]

#: Whether connections are given at all; if not, their messages are passed on.
GIVES = hasattr(select, "poll") and hasattr(socket, "AF_UNIX")
#: What a datagram says of the connection with its number; a probe says nothing.
_OFFER, _ACCEPT, _GIVE, _REFUSE, _PROBE = range(5)
#: How many connections are offered to a process at once; it keeps about ten unread datagrams.
_OFFERED_AT_ONCE = 4
#: How often to look at what was given, in seconds; what is looked for: that it has ended.
_BETWEEN_LOOKS, _ENDED = 0.5, getattr(select, "POLLRDHUP", 0)


class Cuttable(Protocol):
    """A connection that another process serves."""

    def cut(self) -> None:
        """Close it, wherever it is served."""


class Taken(NamedTuple):
    """A connection that another process has given, and its request."""

    connection: socket.socket
    request: bytes


class _Given(NamedTuple):
    """A duplicate of a connection that the process at a port has."""

    number: int
    connection: socket.socket
    port: int

    def cut(self) -> None:
        """Close the connection for the other process too."""
        end(self.connection)


class Handover:
    """Gives connections to processes of this machine, and takes those that they give.

    ``folder`` is the folder of the room's keys, which nobody else can open; ``port`` is where the
    other processes reach this one, and ``host`` is the same for all on this machine.
    """

    def __init__(self, folder: Path, host: str, port: int) -> None:
        self._folder, self._host, self._port = folder, host, port
        self._datagrams: Datagrams | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._takes = True
        self._offers: dict[int, asyncio.Future[None]] = {}
        self._offered = 0
        self._turns: dict[int, asyncio.Semaphore] = defaultdict(
            partial(asyncio.Semaphore, _OFFERED_AT_ONCE)
        )
        #: When the process at a port did not answer last.
        self._silent: dict[int, float] = {}
        #: The connections that were given, by number, and the sets that each is in.
        self._given: dict[int, tuple[_Given, set[Cuttable]]] = {}

    def listen(self, make_socket: Callable[[Taken], asyncio.BaseProtocol]) -> None:
        """Take connections from now on; where that is impossible, their messages are passed on."""
        if not GIVES:
            return
        with suppress(OSError):
            self._datagrams = Datagrams(self._folder, self._host, self._port)
            self._datagrams.listen(partial(self._handle, self._datagrams, make_socket))
            self._look()

    def stop_taking(self) -> None:
        """Take no more connections; those that were taken or given stay."""
        self._takes = False

    def close(self) -> None:
        """Give no more connections, and forget those that were given."""
        if self._datagrams is not None:
            self._timer.cancel()
            self._datagrams.close()
            self._datagrams = None
            for number in tuple(self._given):
                self._forget(number)

    # The giver

    def reaches(self, host: str) -> bool:
        """Return whether connections can be given to the processes of a host."""
        return self._datagrams is not None and host == self._host

    async def give(
        self, transport: asyncio.Transport, port: int, request: bytes, others: set[Cuttable]
    ) -> bool:
        """Give a connection and its request to the process at a port, and close it here.

        Return whether it was given; it is in ``others`` then, until it ends. Raise a
        ``TimeoutError`` if the process is there and does not answer.
        """
        if self._datagrams is None or len(request) > MOST_BYTES:
            return False
        transport.pause_reading()  # what the client sends now is for the other process
        try:
            await self._give(self._datagrams, transport, port, request, others)
        except TimeoutError:
            raise
        except OSError:
            return False
        else:
            transport.abort()
            return True
        finally:
            if not transport.is_closing():
                transport.resume_reading()

    async def _give(
        self,
        datagrams: Datagrams,
        transport: asyncio.Transport,
        port: int,
        request: bytes,
        others: set[Cuttable],
    ) -> None:
        """Give a connection when it is its turn."""
        loop = asyncio.get_running_loop()
        since = loop.time()
        async with self._turns[port]:
            if self._silent.get(port, 0.0) > since:
                raise TimeoutError
            self._offered += 1
            number = self._offered
            try:
                async with asyncio.timeout(SECONDS_TO_ANSWER):
                    await self._offer(datagrams, port, number)
                    own = transport.get_extra_info("socket")
                    if transport.is_closing():
                        raise ConnectionAbortedError("the client is gone")
                    given = self._keep(_Given(number, _duplicate(own), port), others)
                    await datagrams.send(port, _GIVE, number, request, given.connection)
            except BaseException as error:
                self._forget(number)
                if isinstance(error, TimeoutError):
                    self._silent[port] = loop.time()
                raise

    async def _offer(self, datagrams: Datagrams, port: int, number: int) -> None:
        """Offer a connection; return when it is accepted."""
        accepted = self._offers[number] = asyncio.get_running_loop().create_future()
        try:
            await datagrams.send(port, _OFFER, number)
            await accepted
        finally:
            del self._offers[number]

    def _keep(self, given: _Given, others: set[Cuttable]) -> _Given:
        self._given[given.number] = (given, others)
        others.add(given)
        return given

    def _forget(self, number: int) -> None:
        """Close the duplicate of a connection."""
        if number in self._given:
            given, others = self._given.pop(number)
            others.discard(given)
            given.connection.close()

    def _look(self) -> None:
        """Forget connections that have ended, and cut those of processes that are gone."""
        self._timer = asyncio.get_running_loop().call_later(_BETWEEN_LOOKS, self._look)
        poll, numbers = select.poll(), {}
        for number, (given, _) in self._given.items():
            numbers[given.connection.fileno()] = number
            poll.register(given.connection, _ENDED)
        for file, _ in poll.poll(0):
            self._forget(numbers[file])
        ports = {given.port for given, _ in self._given.values()}
        gone = {port for port in ports if self._is_gone(port)}
        for given, _ in self._given.values():
            if given.port in gone:
                given.cut()

    def _is_gone(self, port: int) -> bool:
        assert self._datagrams is not None
        try:
            self._datagrams.send_now(port, _PROBE, 0)
        except (FileNotFoundError, ConnectionRefusedError):
            return True
        except OSError:  # such as too many that are unread
            return False
        return False

    # Both

    def _handle(
        self,
        datagrams: Datagrams,
        make_socket: Callable[[Taken], asyncio.BaseProtocol],
        read: Datagram,
    ) -> None:
        """Handle a datagram of another process."""
        if read.kind == _GIVE and read.connection is not None:
            self._start(_adopt(Taken(read.connection, read.rest), make_socket))
            return
        if read.connection is not None:
            read.connection.close()
        if read.kind == _OFFER:
            answer = _ACCEPT if self._takes else _REFUSE
            self._start(datagrams.send(read.port, answer, read.number))
        elif read.kind == _GIVE:  # it did not arrive whole, or this process has too many files
            self._start(datagrams.send(read.port, _REFUSE, read.number))
        elif read.kind in (_ACCEPT, _REFUSE):
            self._note(read.number, accepted=read.kind == _ACCEPT)

    def _note(self, number: int, *, accepted: bool) -> None:
        """Note what became of an offer, or that a given connection was not taken."""
        offer = self._offers.get(number)
        if offer is not None and not offer.done():
            if accepted:
                offer.set_result(None)
            else:
                offer.set_exception(ConnectionRefusedError("no connection is taken there"))
        elif number in self._given and not accepted:
            self._given[number][0].cut()

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finish)

    def _finish(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and not isinstance(task.exception(), OSError):
            task.result()


def end(connection: socket.socket) -> None:
    """End a connection for all processes that have a duplicate of it."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)


def _duplicate(own: socket.socket) -> socket.socket:
    return socket.fromfd(own.fileno(), own.family, own.type)


async def _adopt(taken: Taken, make_socket: Callable[[Taken], asyncio.BaseProtocol]) -> None:
    """Serve a connection; its protocol begins with the request."""
    taken.connection.setblocking(False)
    try:
        loop = asyncio.get_running_loop()
        await loop.connect_accepted_socket(partial(make_socket, taken), taken.connection)
    except BaseException:
        end(taken.connection)
        taken.connection.close()
        raise
