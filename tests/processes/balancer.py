"""A balancer: one address for several processes, which passes on connections, byte by byte.

Each new connection goes to the next process; one that does not take it is passed over.
"""

import asyncio
import threading
from itertools import count
from types import TracebackType
from typing import Self

#: How long a process has to take a connection, in seconds.
_PATIENCE = 2.0


class Balancer:
    """A balancer in a thread of its own, for as long as the ``with`` block."""

    def __init__(self) -> None:
        self.ports: list[int] = []
        self._turns = count()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = asyncio.run_coroutine_threadsafe(self._listen(), self._loop).result(10)
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._serve, "127.0.0.1", 0)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        upstream = await self._connect()
        if upstream is None:
            writer.close()
            return
        await asyncio.gather(_pass_on(reader, upstream[1]), _pass_on(upstream[0], writer))

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | None:
        first = next(self._turns)
        for number in range(len(self.ports)):
            port = self.ports[(first + number) % len(self.ports)]
            try:
                async with asyncio.timeout(_PATIENCE):
                    return await asyncio.open_connection("127.0.0.1", port)
            except OSError:
                continue
        return None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _end(self) -> None:
        self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.05)  # until the connections are closed


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    except OSError:
        pass
    finally:
        writer.close()
