"""``queenhigh serve``: a room on one file, until a signal stops it."""

import asyncio
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import cast

import structlog
import uvicorn
from structlog.typing import EventDict, Processor, WrappedLogger

from queenhigh.errors import InvalidRulebook, QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.admin_store import Opening
from queenhigh.server.app import make_app
from queenhigh.server.assembly import make_services
from queenhigh.server.editions import renew_editions
from queenhigh.server.guard import Guard
from queenhigh.server.handover import Taken
from queenhigh.server.handshake import accept
from queenhigh.server.host import Host
from queenhigh.server.limits import Bucket
from queenhigh.server.network_limits import LimitedHttpProtocol, OpenConnections
from queenhigh.server.options import (
    ServeOptions,
    check_options,
    host_and_port,
    host_policy,
)
from queenhigh.server.services import Services
from queenhigh.server.sockets import Socket
from queenhigh.server.table_spec import DEFAULT_TABLES, TableSpec, find_rulebook, read_table_file
from queenhigh.server.text import name_key
from queenhigh.server.worker_pool import HistoryProgress
from queenhigh.store.checks import quick_damage
from queenhigh.store.location import Location
from queenhigh.store.locking import sole_writer
from queenhigh.store.streams import DamagedStream

__all__ = ["Opened", "ServeOptions", "serve"]

#: How many seconds a request may take to arrive, and to be answered.
_MOST_SECONDS_TO_ASK, _MOST_SECONDS = 15, 90
_TICKS_BETWEEN_SWEEPS = 30
_FILES = 65_536
#: How long the file is checked before the room opens.
_SECONDS_TO_CHECK = 0.5
#: Seconds between two lines of the log about a history that is being built.
_BETWEEN_NOTES = 5.0
#: For how many fiftieths of a second the server waits for sockets to close.
_TURNS_TO_CLOSE = 50
#: What asyncio logs, hundreds of times in a row, when no more connections can be accepted.
_NO_FILES = "socket.accept() out of system resource"
_log = structlog.get_logger()


@dataclass(frozen=True)
class Opened:
    """What is reported when the room is open."""

    address: str
    tables: tuple[str, ...]
    floor_token: str | None
    #: The public half of the key that signs the log, in hexadecimal.
    signed_by: str
    #: Whether the room has an owner, who logs in to the floor by name.
    has_owner: bool = False


def serve(asked: ServeOptions, on_open: Callable[[Opened], None]) -> None:
    """Serve a room until a signal stops it; ``on_open`` is called once it is open."""
    check_options(asked)
    _log_to_stderr()
    policy = host_policy(asked)
    _allow_many_files()
    specs: list[tuple[TableSpec, Rulebook | InvalidRulebook]] = [
        *[(spec, find_rulebook(spec)) for spec in DEFAULT_TABLES],
        *map(read_table_file, asked.tables),
    ]
    with ExitStack() as stack:
        stack.enter_context(_sole_writer(asked.db))
        listening = [stack.enter_context(_listen(asked.host, asked.port, "--port or --host"))]
        port, peer_address = listening[0].getsockname()[1], ""
        if not isinstance(asked.db, Path):
            peers = stack.enter_context(_listen(*host_and_port(asked.peers), "--peers"))
            peer_address = f"{host_and_port(asked.peers)[0]}:{peers.getsockname()[1]}"
            listening.append(peers)
        services = make_services(asked, port, peer_address)
        if asked.new_floor_token:
            services.admin.check_renewable()
        address = _address(asked, port)
        _check_file(asked.db)
        if services.membership is None:
            services.host.resume()
        standing = _open_missing(services.host, specs)

        renew = partial(renew_editions, services.host, standing)

        def begin() -> None:
            admin = services.admin
            is_new = asked.new_floor_token
            token = admin.renew_floor_token() if is_new else admin.new_floor_token()
            tables, signed_by = tuple(services.host.names()), services.store.key.hex()
            services.staff.changes.require_two(services.now())
            has_owner = bool(services.staff.staff.roster().owners())
            on_open(Opened(address, tables, token, signed_by, has_owner))
            renew()
            services.workers.keep_history(services.store.count, _HistoryLog().note)
            _freeze_garbage()

        # uvicorn has its own handler while it runs, and raises the signal again afterwards.
        signal.signal(signal.SIGTERM, lambda *_: None)
        sockets = cast("type[asyncio.Protocol]", partial(Socket, partial(accept, services, policy)))
        config = _config(asked, make_app(services, policy, begin, renew), sockets)
        peer_port = listening[1].getsockname()[1] if listening[1:] else None
        connections = OpenConnections(asked.limits.connections, policy.proxies.has, peer_port)
        _Server(config, services, connections).run(sockets=listening)


def _sole_writer(db: Location) -> AbstractContextManager[None]:
    """Lock a file; several processes may serve a room on PostgreSQL."""
    return sole_writer(db) if isinstance(db, Path) else nullcontext()


def _allow_many_files() -> None:
    """Raise the limit of open files if the machine allows it: every socket is one."""
    try:
        import resource  # noqa: PLC0415
    except ImportError:  # Windows has no such limit
        return
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if most == resource.RLIM_INFINITY else min(_FILES, most)
    if few != resource.RLIM_INFINITY and few < wanted:
        with suppress(OSError, ValueError):  # macOS may allow less than it reports
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _freeze_garbage() -> None:
    """Exclude the objects of the start from garbage collections, which stop all tables."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def _listen(host: str, port: int, option: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    # IPPROTO_TCP is named: asyncio sets TCP_NODELAY, for small messages, only then.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        sentence = f"{host} port {port}: {reason}; give another {option}"
        raise QueenhighError("serve.port", sentence) from None
    return listening


def _check_file(db: Location) -> None:
    """Check a file for damage for a moment; undamaged tables are served all the same."""
    if not isinstance(db, Path):
        return
    damage = quick_damage(db, _SECONDS_TO_CHECK)
    if damage is not None:
        sentence = "the database is damaged: stop the server soon and run queenhigh verify"
        _log.error(sentence, file=str(db), error=damage)


class _HistoryLog:
    """Logs how far the history is, but not at every step."""

    def __init__(self) -> None:
        self._next = 0.0

    def note(self, progress: HistoryProgress) -> None:
        """Log a problem, or progress if that was not done for a while."""
        if "error" in progress:
            _log.warning("the history could not be built", error=progress["error"])
        elif not progress["done"] and monotonic() >= self._next:
            self._next = monotonic() + _BETWEEN_NOTES
            counts = {name: progress[name] for name in ("entered", "events")}
            _log.info("the history is being built", **counts)


def _open_missing(
    host: Host, specs: Sequence[tuple[TableSpec, Rulebook | InvalidRulebook]]
) -> list[tuple[TableSpec, Rulebook]]:
    """Open the tables that do not exist yet; those that were closed stay closed.

    Return all but those whose file sets words: a stored table goes on as it is stored.
    """
    known = {name_key(name) for name in host.room.tables()}
    standing = []
    for spec, book in specs:
        if isinstance(book, InvalidRulebook):
            if name_key(spec.name) not in known:
                raise book
            for problem in book.problems:
                sentence = "the table goes on as it is stored: remove this line from its file"
                _log.warning(sentence, table=spec.name, line=str(problem))
            continue
        standing.append((spec, book))
        if name_key(spec.name) not in known:
            settings = spec.settings(book)
            try:
                host.open(spec.name, book, settings, Opening(spec.bots, spec.bots_bank))
            except DamagedStream as error:
                host.isolate(spec.name, error)
            except QueenhighError as error:
                if error.code != "table.exists":  # another process opens it at the same time
                    raise
    return standing


def _address(asked: ServeOptions, port: int) -> str:
    scheme = "https" if asked.tls_cert else "http"
    name = f"[{asked.host}]" if ":" in asked.host else asked.host
    return f"{scheme}://{name}:{port}"


def _config(asked: ServeOptions, app: Guard, sockets: type[asyncio.Protocol]) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        http=LimitedHttpProtocol,
        ws=sockets,
        ws_max_size=asked.limits.message_bytes,
        log_config=None,
        access_log=False,
        proxy_headers=False,  # the guard reads them, for sockets as well
        server_header=False,
        ssl_certfile=asked.tls_cert,
        ssl_keyfile=asked.tls_key,
        timeout_graceful_shutdown=5,
        backlog=256,
    )


class _Server(uvicorn.Server):
    """A uvicorn server that closes the tables' sockets before it stops."""

    def __init__(
        self, config: uvicorn.Config, services: Services, connections: OpenConnections
    ) -> None:
        super().__init__(config)
        self.server_state.connections = connections
        self._host, self._workers = services.host, services.workers
        self._membership = services.membership
        self._handover = services.peers.handover if services.peers else None
        self._since: dict[object, tuple[float, object]] = {}

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at the first Ctrl-C; ignore a second one, which would only print an error."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the server, and take connections that other processes give."""
        await super().startup(sockets)
        if self._handover is not None:
            self._handover.listen(self._make_given)

    def _make_given(self, given: Taken) -> Socket:
        make = cast("Callable[..., Socket]", self.config.ws_protocol_class)
        socket = make(self.config, self.server_state, self.lifespan.state)
        socket.given = given
        return socket

    async def on_tick(self, counter: int) -> bool:
        """Close connections that never complete a request."""
        if not counter % _TICKS_BETWEEN_SWEEPS:
            self._sweep(monotonic())
        return await super().on_tick(counter)

    def _sweep(self, time_s: float) -> None:
        known, self._since = self._since, {}
        for connection in tuple(self.server_state.connections):
            if not isinstance(connection, LimitedHttpProtocol):
                continue
            cycle = getattr(connection, "cycle", None)
            since, was = known.get(connection, (time_s, cycle))
            since = since if was is cycle else time_s
            self._since[connection] = (since, cycle)
            busy = cycle is not None and not cycle.response_complete
            if time_s - since > (_MOST_SECONDS if busy else _MOST_SECONDS_TO_ASK):
                connection.transport.abort()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Give the tables to other processes, stop the rest and the workers, then the server."""
        if self._handover is not None:
            self._handover.stop_taking()
        if self._membership is not None:
            for server in self.servers:  # new connections go to another process
                server.close()
            await self._membership.stop()
        self._host.stop()
        self._workers.stop()
        for _ in range(_TURNS_TO_CLOSE):
            if not self._host.sockets.count():
                break
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)
        if self._handover is not None:
            self._handover.close()


def _log_to_stderr() -> None:
    """Write logs as JSON lines, or in colour to a terminal."""
    structlog.configure(
        processors=_processors(people=sys.stderr.isatty()),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = _LibraryLog(logging.WARNING)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def _processors(*, people: bool) -> list[Processor]:
    """Return the processors that make a line of an entry."""
    plain = structlog.dev.plain_traceback  # entries come with their traceback as text
    last = [_escape, structlog.dev.ConsoleRenderer(exception_formatter=plain)]
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        *(last if people else [structlog.processors.JSONRenderer()]),
    ]


def _escape(logger: WrappedLogger, method: str, event: EventDict) -> EventDict:
    """Escape control characters: names in the log are what players have typed."""
    return {
        key: _escaped(value, allowed="\n" if key == "exception" else "")
        for key, value in event.items()
    }


def _escaped(value: object, allowed: str) -> object:
    if not isinstance(value, str) or value.isprintable():
        return value
    return "".join(
        letter if letter.isprintable() or letter in allowed else ascii(letter)[1:-1]
        for letter in value
    )


class _LibraryLog(logging.Handler):
    """A handler that writes the logs of libraries in the same format."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self._accepts = Bucket(rate=1, burst=1)

    def emit(self, record: logging.LogRecord) -> None:
        """Write a record; of those about missing file descriptors only one a second."""
        if record.getMessage().startswith(_NO_FILES) and not self._accepts.take(monotonic()):
            return
        error = record.exc_info[1] if record.exc_info else None
        level = "error" if record.levelno >= logging.ERROR else "warning"
        getattr(_log, level)(record.getMessage(), logger=record.name, exc_info=error)
