"""A line between a browser and a room that can go dead without a word, as a radio line does."""

import socket
import threading
from contextlib import ExitStack, closing, suppress
from types import TracebackType
from typing import Self

#: What a proxy says of a room that is gone.
_BAD_GATEWAY = (
    b"HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 20\r\n"
    b"Connection: close\r\n\r\n<h1>Bad Gateway</h1>"
)


class Line:
    """Carries bytes both ways; while it is cut it keeps them, and delivers them when mended."""

    def __init__(self, address: str) -> None:
        host, _, port = address.rpartition("/")[2].partition(":")
        self._room = (host, int(port))
        self._mended = threading.Event()
        self._mended.set()
        self._has_room = True
        self._listener = socket.create_server((host, 0))
        self._ends = ExitStack()
        self.address = f"http://{host}:{self._listener.getsockname()[1]}"

    def __enter__(self) -> Self:
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def cut(self) -> None:
        """Carry nothing from now on; nobody is informed."""
        self._mended.clear()

    def mend(self) -> None:
        """Carry everything again, first what was kept."""
        self._mended.set()

    def lose_room(self) -> None:
        """Answer every request from now on as a proxy does whose room is gone."""
        self._has_room = False
        self._ends.close()

    def _accept(self) -> None:
        with suppress(OSError):  # the listener is closed
            while True:
                browser, _ = self._listener.accept()
                self._ends.callback(_end, browser)
                threading.Thread(target=self._connect, args=[browser], daemon=True).start()

    def _connect(self, browser: socket.socket) -> None:
        self._mended.wait()
        if not self._has_room:
            with suppress(OSError), closing(browser):
                if browser.recv(65_536):
                    browser.sendall(_BAD_GATEWAY)
            return
        room = socket.create_connection(self._room)
        self._ends.callback(_end, room)
        for ends in ((browser, room), (room, browser)):
            threading.Thread(target=self._carry, args=ends, daemon=True).start()

    def _carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError), closing(target):
            for received in iter(lambda: source.recv(65_536), b""):
                self._mended.wait()
                target.sendall(received)

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._mended.set()
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._ends.close()


def _end(connection: socket.socket) -> None:
    """Close a connection that another thread may be reading."""
    with suppress(OSError):
        connection.shutdown(socket.SHUT_RDWR)
    connection.close()
