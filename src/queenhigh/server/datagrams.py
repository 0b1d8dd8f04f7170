"""Datagrams between the processes of one machine, which may carry an open connection."""

import asyncio
import os
import socket
from array import array
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from struct import Struct
from typing import NamedTuple

__all__ = ["MOST_BYTES", "Datagram", "Datagrams"]

#: What a datagram is, the port of its sender, and a number; the rest follows.
_HEAD = Struct(">BHQ")
#: The longest rest of a datagram.
MOST_BYTES = 65_536
#: How long to wait if the other process has too many datagrams to read, in seconds; how many are
#: read in one turn.
_BETWEEN_TRIES, _IN_A_TURN = 0.005, 16


class Datagram(NamedTuple):
    """What another process has sent."""

    kind: int
    port: int
    number: int
    rest: bytes
    connection: socket.socket | None


class Datagrams:
    """The datagrams of a process; each has a socket in a folder, named after its address.

    Machines or containers with other host names may share the folder, and have the same ports.
    """

    def __init__(self, folder: Path, host: str, port: int) -> None:
        """Open the socket; raise an ``OSError`` if that is impossible."""
        self._host, self._port = host, port
        self._folder_file = os.open(folder, os.O_RDONLY)
        # The whole path may be longer than that of a socket may be.
        short = f"/proc/self/fd/{self._folder_file}"
        self._folder = short if Path(short).exists() else str(folder)
        self._own = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._own.setblocking(False)
        try:
            with suppress(FileNotFoundError):  # of a process that was killed
                os.unlink(self._file(port))
            self._own.bind(self._file(port))
        except OSError:
            self._own.close()
            os.close(self._folder_file)
            raise

    def _file(self, port: int) -> str:
        return f"{self._folder}/peer-{self._host}-{port}.sock"

    def listen(self, handle: Callable[[Datagram], None]) -> None:
        """Handle each datagram as it comes."""
        asyncio.get_running_loop().add_reader(self._own, self._read, handle)

    def close(self) -> None:
        """Close the socket, and remove its file."""
        asyncio.get_running_loop().remove_reader(self._own)
        with suppress(OSError):
            os.unlink(self._file(self._port))
        self._own.close()
        os.close(self._folder_file)

    def _read(self, handle: Callable[[Datagram], None]) -> None:
        for _ in range(_IN_A_TURN):
            try:
                read = socket.recv_fds(self._own, _HEAD.size + MOST_BYTES, 1)
            except OSError:  # usually because there is no more
                return
            message, files, flags, _ = read
            connection = socket.socket(fileno=files[0]) if files else None
            if connection is not None and flags & socket.MSG_TRUNC:
                connection.close()
                connection = None
            if len(message) >= _HEAD.size:
                kind, port, number = _HEAD.unpack_from(message)
                handle(Datagram(kind, port, number, message[_HEAD.size :], connection))

    async def send(
        self,
        port: int,
        kind: int,
        number: int,
        rest: bytes = b"",
        connection: socket.socket | None = None,
    ) -> None:
        """Send a datagram to the process at a port; wait while it has too many to read."""
        while True:
            try:
                self.send_now(port, kind, number, rest, connection)
            except BlockingIOError:
                await asyncio.sleep(_BETWEEN_TRIES)
            else:
                return

    def send_now(
        self,
        port: int,
        kind: int,
        number: int,
        rest: bytes = b"",
        connection: socket.socket | None = None,
    ) -> None:
        """Send a datagram; raise a ``BlockingIOError`` if there are too many."""
        files = array("i", [] if connection is None else [connection.fileno()])
        rights = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)] if files else []
        # socket.send_fds ignores the address in Python 3.11.
        self._own.sendmsg([_HEAD.pack(kind, self._port, number), rest], rights, 0, self._file(port))
