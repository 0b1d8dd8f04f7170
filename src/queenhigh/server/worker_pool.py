"""Heavy work in two processes beside the tables: one for prices, one for the history.

Each does one job at a time; few jobs may wait, and fewer of one client. A process that dies or
hangs is replaced, and both end with the server, even if it is killed.
"""

import asyncio
import os
import signal
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from concurrent import futures
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import suppress
from functools import partial
from multiprocessing import get_context, parent_process
from multiprocessing.connection import Connection, wait
from pathlib import Path
from threading import Thread
from time import monotonic
from types import MappingProxyType
from typing import NamedTuple, TypedDict

import structlog
from msgspec.json import decode, encode

from queenhigh.errors import QueenhighError
from queenhigh.server.bank_answers import BankSample
from queenhigh.server.jobs import (
    JobReply,
    Noted,
    close_history,
    price,
    print_report,
    print_sheet,
    query_history,
    update_history,
)
from queenhigh.sheets.printed.letterhead import Letterhead
from queenhigh.store.location import Location, PostgresUrl

__all__ = ["Client", "RulesSource", "SheetOrder", "Workers"]

_log = structlog.get_logger()
_MOST_WAITING = 16
#: How many of one player, or of all clients of a network without a name; and of a whole network.
_OF_ONE, _OF_NETWORK = 3, 8
#: Kinds of prices that take seconds, and how many of them may wait: of one client, and in all.
_SLOW, _SLOW_OF_ONE, _SLOW_IN_ALL = frozenset({"bank"}), 2, 3
_SECONDS = 30.0
#: How long the server waits at its end for a job that tidies up.
_SECONDS_FOR_LAST = 1.0
_MOST_KEPT = 256
#: A query may read this many new events into the index; more are read in the background.
_FEW_EVENTS = 20_000
_SECONDS_BETWEEN_LOOKS = 60.0
#: For so many times as long as it worked the history rests in between, so that tables do not have
#: to share their processors with it all the time.
_REST = 2.0
_STOPS = "the room is restarting: try again soon"

#: The arguments of a query of the history.
Query = Mapping[str, str | int | None] | Mapping[str, str]
Argument = str | bytes | Query | None
#: A shipped rulebook by its name, or the document that a table plays by.
RulesSource = str | Mapping[str, object]
Job = Callable[..., JobReply | Noted]


class HistoryProgress(TypedDict, total=False):
    """How many events of all are in the history, and the archived tables that are missing."""

    done: bool
    entered: int
    events: int
    missing: tuple[str, ...]
    #: Alone, if the history could not be updated.
    error: str


#: Called with the progress of the history, or with an error.
Note = Callable[[HistoryProgress], None]


class Client(NamedTuple):
    """The client that asks for a job: a player, if there is a name, and a network."""

    player: str | None
    network: str


class SheetOrder(NamedTuple):
    """Which sheet is wanted: on which paper, in which form, and of which table, if of one.

    ``changes`` are the keys that make the rules of the table of its shipped rulebook.
    """

    kind: str
    paper: str
    form: str
    table: str | None = None
    changes: Mapping[str, object] = MappingProxyType({})


def _source(rulebook: RulesSource) -> str | bytes:
    """Return rules as a job takes them."""
    return rulebook if isinstance(rulebook, str) else encode(rulebook)


class Workers:
    """The two processes, and a cache of results."""

    def __init__(self, room: Location, index: Path | None = None) -> None:
        """Start nothing yet; ``index`` is the file of the history, beside the room's by default."""
        self._prices, self._history = _Worker(), _Worker()
        source = room.secret if isinstance(room, PostgresUrl) else str(room)
        #: What the history is read from, and kept in.
        self._room = (source, str(index or f"{room}.books"))
        self._saved: OrderedDict[tuple[Argument, ...], bytes] = OrderedDict()
        self._running: dict[tuple[Argument, ...], asyncio.Task[bytes]] = {}
        self._keeping: asyncio.Task[None] | None = None

    async def price(
        self,
        client: Client,
        kind: str,
        rulebook: RulesSource,
        changes: Mapping[str, object],
        *more: str | None,
    ) -> bytes:
        """Return the rules, odds, best play or advice as JSON."""
        changed = encode(changes, order="deterministic")
        return await self._cached(client, price, kind, _source(rulebook), changed, *more)

    async def sample(
        self, client: Client, rulebook: RulesSource, changes: Mapping[str, object], table: str
    ) -> bytes:
        """Return a sampled table as JSON; a coarse one is not kept."""
        args = ("sample", _source(rulebook), encode(changes, order="deterministic"), table)
        body = await self._cached(client, price, *args)
        if decode(body, type=BankSample).preparing:
            self._saved.pop(args, None)
        return body

    async def sheet(self, client: Client, rulebook: RulesSource, order: SheetOrder) -> bytes:
        """Return a sheet to print, as JSON, as HTML or as PDF."""
        kind, paper, form, table, changes = order
        changed = encode(dict(changes), order="deterministic")
        args = (_source(rulebook), changed, kind, paper, form, table)
        return await self._cached(client, print_sheet, *args)

    async def drill(
        self, client: Client, rulebook: RulesSource, changes: Mapping[str, object], count: int
    ) -> bytes:
        """Return hands to practise on as JSON, new ones each time."""
        args = ("drill", _source(rulebook), encode(changes), str(count))
        return await self._prices.run(price, *args, client=client)

    async def _cached(self, client: Client, work: Job, *args: Argument) -> bytes:
        """Return the result of a job from the cache, or from one that runs already or now."""
        if args in self._saved:
            self._saved.move_to_end(args)
            return self._saved[args]
        if args not in self._running:
            task = asyncio.create_task(self._prices.run(work, *args, client=client))
            task.add_done_callback(partial(self._finish, args))
            self._running[args] = task
        running = self._running[args]
        await asyncio.wait([running])  # cancelling one caller does not cancel the job
        return running.result()

    def _finish(self, args: tuple[Argument, ...], task: "asyncio.Task[bytes]") -> None:
        """Cache a result; a job that failed runs again when it is next needed."""
        del self._running[args]
        if task.cancelled() or task.exception() is not None:
            return
        self._saved[args] = task.result()
        while len(self._saved) > _MOST_KEPT:
            self._saved.popitem(last=False)

    async def history(self, report: str, /, **query: str | int | None) -> bytes:
        """Return the result of a query of the history, up to date, as JSON."""
        return await self._history.run(query_history, *self._room, report, query)

    async def long_history(
        self, client: Client, report: str, /, **query: str | int | None
    ) -> bytes:
        """Return the result of a query that may take long, of which few of a client may wait."""
        return await self._history.run(query_history, *self._room, report, query, client=client)

    async def print_report(
        self, client: Client, report: str, given: Mapping[str, str], head: Letterhead
    ) -> bytes:
        """Return a report as PDF."""
        query = {"report": report, **given}
        return await self._history.run(
            print_report, *self._room, query, encode(head), client=client
        )

    def keep_history(self, count: Callable[[], int], note: Note) -> None:
        """Keep the history up to date in the background, now and whenever much is new.

        ``count`` returns how many events there are; ``note`` is called with each step.
        """
        self._keeping = asyncio.create_task(self._keep_history(count, note))

    async def _keep_history(self, count: Callable[[], int], note: Note) -> None:
        entered, done = 0, True
        while True:
            began = monotonic()
            try:
                if not done or count() - entered > _FEW_EVENTS:
                    encoded = await self._history.run(update_history, *self._room)
                    progress: HistoryProgress = decode(encoded)
                    entered, done = progress["entered"], progress["done"]
                    note(progress)
            except QueenhighError as error:
                if error.code == "room.stops":
                    return
                note({"error": str(error)})
                done = True
            except Exception as error:  # the history is kept on after any error
                note({"error": f"{type(error).__name__}: {error}"})
                done = True
            rest = _SECONDS_BETWEEN_LOOKS if done else _REST * (monotonic() - began)
            await asyncio.sleep(rest)

    def stop(self) -> None:
        """Cancel all jobs that are waited for: the room closes."""
        if self._keeping is not None:
            self._keeping.cancel()
        self._prices.stop()
        self._history.stop()

    def close(self) -> None:
        """End both processes."""
        self._prices.close()
        self._history.close(close_history)


class _Worker:
    """One process, started when it is first needed."""

    def __init__(self) -> None:
        self._pool: ProcessPoolExecutor | None = None
        #: A reference until its process exits; the executor's cleanup fails otherwise.
        self._ended: ProcessPoolExecutor | None = None
        #: The process ends when this pipe is closed.
        self._parent_pipe: Connection | None = None
        self._waiting: set[asyncio.Future[JobReply | Noted]] = set()
        self._clients: Counter[object] = Counter()
        #: When the process last completed a job.
        self._done_at = 0.0
        self._stopped = False

    async def run(self, work: Job, *args: Argument, client: Client | None = None) -> bytes:
        """Run a job in the process; refuse if too many wait already, in all or of one client."""
        places = _places(client, is_slow=work is price and args[0] in _SLOW)
        full = any(self._clients[key] >= most for key, most in places.items())
        if full or len(self._waiting) >= _MOST_WAITING:
            raise QueenhighError("busy", "the server is busy: try again soon")
        self._clients.update(places.keys())
        try:
            return await self._run(work, *args)
        finally:
            self._clients.subtract(places.keys())
            self._clients = +self._clients  # clients that wait for nothing are forgotten

    async def _run(self, work: Job, *args: Argument) -> bytes:
        begun = monotonic()
        asked = self._submit(work, *args)
        pool = self._pool
        self._waiting.add(asked)
        try:
            done = await asyncio.wait_for(asked, _SECONDS)
            self._done_at = monotonic()
        except TimeoutError:
            if self._done_at < begun:  # no job was completed all the while: it hangs
                self._replace(pool)
            raise QueenhighError("busy", "this takes too long right now: try again later") from None
        except asyncio.CancelledError:
            if self._stopped:
                raise QueenhighError("room.stops", _STOPS) from None
            raise
        except BrokenProcessPool:
            self._end(pool)
            sentence = "the process that worked on this stopped: try again"
            raise QueenhighError("busy", sentence) from None
        finally:
            self._waiting.discard(asked)
        if isinstance(done, Noted):
            for event, values in done.notes:
                _log.warning(event, **values)
            done = done.reply
        if isinstance(done, bytes):
            return done
        raise QueenhighError(*done)

    def _submit(self, work: Job, *args: Argument) -> "asyncio.Future[JobReply | Noted]":
        """Submit a job to the process, or to a new one if it has died."""
        try:
            return self._hand_over(work, *args)
        except BrokenProcessPool:
            self.close()
            return self._hand_over(work, *args)

    def _hand_over(self, work: Job, *args: Argument) -> "asyncio.Future[JobReply | Noted]":
        if self._pool is None:
            spawn = get_context("spawn")
            held, self._parent_pipe = spawn.Pipe(duplex=False)
            self._pool = ProcessPoolExecutor(
                1, mp_context=spawn, initializer=_begin, initargs=(held,)
            )
        return asyncio.get_running_loop().run_in_executor(self._pool, work, *args)

    def stop(self) -> None:
        """Cancel all jobs that are waited for."""
        self._stopped = True
        for asked in tuple(self._waiting):
            asked.cancel()

    def _replace(self, pool: ProcessPoolExecutor | None) -> None:
        """End a process that hangs, so that the next job starts another."""
        if pool is not None and pool is self._pool:
            _log.error("a worker process hangs and is replaced", seconds=_SECONDS)
            self._end(pool)

    def close(self, last: Job | None = None) -> None:
        """End the process, after a last job, or in the middle of its work if need be."""
        if last is not None and self._pool is not None and self._done_at:
            with suppress(BrokenProcessPool):
                futures.wait([self._pool.submit(last)], _SECONDS_FOR_LAST)
        self._end(self._pool)

    def _end(self, pool: ProcessPoolExecutor | None) -> None:
        """Kill a process, unless another one has taken its place."""
        if pool is None or pool is not self._pool or self._parent_pipe is None:
            return
        processes = [*(pool._processes or {}).values()]
        pool.shutdown(wait=False, cancel_futures=True)
        self._parent_pipe.close()
        for process in processes:
            process.kill()
        self._pool, self._ended = None, pool


def _places(client: Client | None, *, is_slow: bool) -> dict[object, int]:
    """Return the counters of a client that waits, with the most that each may count."""
    if client is None:
        return {}
    key = ("player", client.player) if client.player else ("nameless", client.network)
    places: dict[object, int] = {key: _OF_ONE, ("network", client.network): _OF_NETWORK}
    if is_slow:
        places |= {("slow", *key): _SLOW_OF_ONE, "slow": _SLOW_IN_ALL}
    return places


def _begin(parent_pipe: Connection) -> None:
    """Prepare a new process: lower its priority, ignore Ctrl-C, end it with its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(os, "nice"):  # not on Windows
        os.nice(10)
    Thread(target=_end_with_parent, args=(parent_pipe,), daemon=True).start()


def _end_with_parent(parent_pipe: Connection) -> None:
    parent = parent_process()
    assert parent is not None
    wait([parent.sentinel, parent_pipe])
    os._exit(1)
