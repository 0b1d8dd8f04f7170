"""Heavy work, away from the tables: one process that prices, one that reads the log.

Each does one thing at a time; only so many may wait, a few of each asker. A process that dies or
hangs is replaced, and both end with the server, however it ends, whatever they are at.
"""

import asyncio
import os
import signal
from collections import Counter, OrderedDict
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple

import structlog
from msgspec.json import decode, encode

from queenhigh.errors import QueenhighError
from queenhigh.server.work import enter_some, price, price_table, read_books

__all__ = ["Asker", "Workers"]

_log = structlog.get_logger()
_MOST_WAITING = 16
#: So many of them of one player, or of all at a network that have no name; and of a whole network.
_OF_ONE, _OF_NETWORK = 3, 8
_SECONDS = 30.0
_MOST_KEPT = 256
#: So many events are entered in the books when somebody asks; what is more, in the background.
_FEW_EVENTS = 20_000
_SECONDS_BETWEEN_LOOKS = 60.0
_STOPS = "the room closes for a moment: try again then"

#: Answers with JSON, or with a code and a sentence.
Work = Callable[..., bytes | tuple[str, str]]
#: Takes how far the books are, or what is wrong with them.
Note = Callable[[dict[str, Any]], None]


class Asker(NamedTuple):
    """Who asks for something to be worked out: a player, if there is a name, at a network."""

    player: str | None
    network: str


class Workers:
    """The two processes, and answers that need not be worked out twice."""

    def __init__(self, store: Path) -> None:
        self._prices, self._books, self._store = _Worker(), _Worker(), str(store)
        self._kept: OrderedDict[tuple[Any, ...], bytes] = OrderedDict()
        self._running: dict[tuple[Any, ...], asyncio.Task[bytes]] = {}
        self._keeping: asyncio.Task[None] | None = None

    async def price(
        self, asker: Asker, kind: str, rulebook: str, changes: Any, *more: str | None
    ) -> bytes:
        """Return the rules, odds, best play or advice of a shipped rulebook as JSON."""
        changed = encode(changes, order="deterministic")
        return await self._keep(asker, price, kind, rulebook, changed, *more)

    async def price_table(self, asker: Asker, kind: str, document: Any, *more: str | None) -> bytes:
        """Return the odds, best play or advice for the rulebook of a table as JSON."""
        return await self._keep(asker, price_table, kind, encode(document), *more)

    async def drill(self, asker: Asker, rulebook: str, changes: Any, count: int) -> bytes:
        """Return hands to practise on by a shipped rulebook as JSON, others every time."""
        args = ("drill", rulebook, encode(changes), str(count))
        return await self._prices.run(price, *args, asker=asker)

    async def _keep(self, asker: Asker, work: Work, *args: Any) -> bytes:
        """Let something be worked out, unless it was not long ago or is just now."""
        if args in self._kept:
            self._kept.move_to_end(args)
            return self._kept[args]
        if args not in self._running:
            task = asyncio.create_task(self._prices.run(work, *args, asker=asker))
            task.add_done_callback(partial(self._finish, args))
            self._running[args] = task
        running = self._running[args]
        await asyncio.wait([running])  # who stops waiting does not end it for the others
        return running.result()

    def _finish(self, args: tuple[Any, ...], task: "asyncio.Task[bytes]") -> None:
        """Keep what was worked out; what went wrong is tried anew when it is asked for again."""
        del self._running[args]
        if task.cancelled() or task.exception() is not None:
            return
        self._kept[args] = task.result()
        while len(self._kept) > _MOST_KEPT:
            self._kept.popitem(last=False)

    async def books(self, what: str, **asked: Any) -> bytes:
        """Return what the books say, up to date, as JSON."""
        return await self._books.run(read_books, self._store, what, asked)

    def keep_books(self, count: Callable[[], int], note: Note) -> None:
        """Keep the books up to date in the background, now and whenever much is new.

        ``count`` returns how many events there are; ``note`` is called with each step.
        """
        self._keeping = asyncio.create_task(self._keep_books(count, note))

    async def _keep_books(self, count: Callable[[], int], note: Note) -> None:
        entered, done = 0, True
        while True:
            try:
                if not done or count() - entered > _FEW_EVENTS:
                    progress = decode(await self._books.run(enter_some, self._store))
                    entered, done = progress["entered"], progress["done"]
                    note(progress)
            except QueenhighError as error:
                if error.code == "room.stops":
                    return
                note({"error": str(error)})
                done = True
            except Exception as error:  # the books are kept on, whatever it was
                note({"error": f"{type(error).__name__}: {error}"})
                done = True
            if done:
                await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)

    def stop(self) -> None:
        """Let nobody wait any longer: the room closes."""
        if self._keeping is not None:
            self._keeping.cancel()
        self._prices.stop()
        self._books.stop()

    def close(self) -> None:
        """End both processes."""
        self._prices.close()
        self._books.close()


class _Worker:
    """One process, started when it is first needed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        #: One that is forgotten before its process has ended stumbles over what was cancelled.
        self._ended: ProcessPoolExecutor | None = None
        #: The process ends when this does.
        self._leash: Connection | None = None
        self._waiting: set[asyncio.Future[Any]] = set()
        self._askers: Counter[object] = Counter()
        #: When the process was done with something last.
        self._done_at = 0.0
        self._stopped = False

    async def run(self, work: Work, *args: Any, asker: Asker | None = None) -> bytes:
        """Let the process do something; refuse if too much waits already, of all or of one."""
        places = _places(asker)
        full = any(self._askers[who] >= most for who, most in places.items())
        if full or len(self._waiting) >= _MOST_WAITING:
            raise QueenhighError("busy", "too much is being worked out now: try again soon")
        self._askers.update(places.keys())
        try:
            return await self._run(work, *args)
        finally:
            self._askers.subtract(places.keys())
            self._askers = +self._askers  # those who wait for nothing are forgotten

    async def _run(self, work: Work, *args: Any) -> bytes:
        begun = monotonic()
        asked = self._submit(work, *args)
        pool = self._pool
        self._waiting.add(asked)
        try:
            done = await asyncio.wait_for(asked, _SECONDS)
            self._done_at = monotonic()
        except TimeoutError:
            if self._done_at < begun:  # nothing was done all the while: it hangs
                self._replace(pool)
            raise QueenhighError("busy", "this takes too long now: try again later") from None
        except asyncio.CancelledError:
            if self._stopped:
                raise QueenhighError("room.stops", _STOPS) from None
            raise
        except BrokenProcessPool:
            self._end(pool)
            told = "the process that worked on this has ended: try again"
            raise QueenhighError("busy", told) from None
        finally:
            self._waiting.discard(asked)
        if isinstance(done, bytes):
            return done
        raise QueenhighError(*done)

    def _submit(self, work: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":
        """Hand something to the process, and to a new one if it has died since."""
        try:
            return self._hand_over(work, *args)
        except BrokenProcessPool:
            self.close()
            return self._hand_over(work, *args)

    def _hand_over(self, work: Callable[..., Any], *args: Any) -> "asyncio.Future[Any]":
        if self._pool is None:
            spawn = get_context("spawn")
            held, self._leash = spawn.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                1, mp_context=spawn, initializer=_begin, initargs=(held,)
            )
        return asyncio.get_running_loop().run_in_executor(self._pool, work, *args)

    def stop(self) -> None:
        """Tell all who wait that nothing will come of it."""
        self._stopped = True
        for asked in tuple(self._waiting):
            asked.cancel()

    def _replace(self, pool: ProcessPoolExecutor | None) -> None:
        """End a process that hangs, so that the next question starts another."""
        if pool is not None and pool is self._pool:
            _log.error("a worker process hangs and is replaced", seconds=_SECONDS)
            self._end(pool)

    def close(self) -> None:
        """End the process, in the middle of its work if need be."""
        self._end(self._pool)

    def _end(self, pool: ProcessPoolExecutor | None) -> None:
        """End a process, unless another one has taken its place; one that was stopped ends too."""
        if pool is None or pool is not self._pool or self._leash is None:
            return
        processes = [*(pool._processes or {}).values()]
        pool.shutdown(wait=False, cancel_futures=True)
        self._leash.close()
        for process in processes:
            process.kill()
        self._pool, self._ended = None, pool


def _places(asker: Asker | None) -> dict[object, int]:
    """Return what somebody who waits counts for, and how many of each may wait."""
    if asker is None:
        return {}
    one = ("player", asker.player) if asker.player else ("nameless", asker.network)
    return {one: _OF_ONE, ("network", asker.network): _OF_NETWORK}


def _begin(leash: Connection) -> None:
    """Begin in a process of its own: after the tables, deaf to Ctrl-C, gone with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    Thread(target=_end_with_parent, args=(leash,), daemon=True).start()


def _end_with_parent(leash: Connection) -> None:
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel, leash])
    os._exit(1)
