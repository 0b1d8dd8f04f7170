"""``queenhigh serve``: a room on one file, until a signal stops it."""

import asyncio
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from time import monotonic
from types import FrameType
from typing import cast

import structlog
import uvicorn
from structlog.typing import EventDict, Processor, WrappedLogger

from queenhigh.errors import QueenhighError
from queenhigh.room import clock
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.accounts import Accounts
from queenhigh.server.admin_store import AdminStore, Opening
from queenhigh.server.app import make_app
from queenhigh.server.client_address import LOOPBACK, Proxies
from queenhigh.server.editions import renew_editions
from queenhigh.server.fee_presets import BUILT_IN, read_presets
from queenhigh.server.guard import Guard, HostPolicy
from queenhigh.server.handshake import accept
from queenhigh.server.health import Health
from queenhigh.server.host import Host
from queenhigh.server.limits import Bucket, Limits
from queenhigh.server.metrics import Metrics
from queenhigh.server.network_limits import LimitedHttpProtocol, OpenConnections
from queenhigh.server.services import Cookie, Services
from queenhigh.server.sockets import Socket
from queenhigh.server.table_spec import DEFAULT_TABLES, TableSpec, find_rulebook, read_table_file
from queenhigh.server.text import name_key
from queenhigh.server.worker_pool import HistoryProgress, Workers
from queenhigh.store.checks import quick_damage
from queenhigh.store.locking import sole_writer
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import DamagedStream

__all__ = ["Opened", "ServeOptions", "serve"]

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
#: How many seconds a request may take to arrive, and to be answered.
_MOST_SECONDS_TO_ASK, _MOST_SECONDS = 15, 90
_TICKS_BETWEEN_SWEEPS = 30
_FILES = 65_536
#: How long the file is checked before the room opens.
_SECONDS_TO_CHECK = 0.5
#: For how many fiftieths of a second the server waits for sockets to close.
_TURNS_TO_CLOSE = 50
#: What asyncio logs, hundreds of times in a row, when no more connections can be accepted.
_NO_FILES = "socket.accept() out of system resource"
_log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """The options of ``serve``."""

    db: Path
    host: str = "127.0.0.1"
    port: int = 8777
    tables: tuple[Path, ...] = ()
    #: A file with presets of fees for players' own tables.
    fees: Path | None = None
    tls_cert: Path | None = None
    tls_key: Path | None = None
    behind_proxy: bool = False
    #: Trusted proxies on other machines, as addresses or networks.
    proxies: tuple[str, ...] = ()
    insecure: bool = False
    names: tuple[str, ...] = ()
    bots_think: tuple[float, float] = (0.4, 1.6)
    limits: Limits = field(default_factory=Limits)
    new_floor_token: bool = False

    @property
    def is_proxied(self) -> bool:
        """Whether a proxy does TLS."""
        return self.behind_proxy or bool(self.proxies)


@dataclass(frozen=True)
class Opened:
    """What is reported when the room is open."""

    address: str
    tables: tuple[str, ...]
    floor_token: str | None
    #: The public half of the key that signs the log, in hexadecimal.
    signed_by: str


def serve(asked: ServeOptions, on_open: Callable[[Opened], None]) -> None:
    """Serve a room until a signal stops it; ``on_open`` is called once it is open."""
    _check_options(asked)
    policy = _policy(asked)
    _allow_many_files()
    specs = [
        *[(spec, find_rulebook(spec)) for spec in DEFAULT_TABLES],
        *map(read_table_file, asked.tables),
    ]
    with sole_writer(asked.db), _listen(asked) as listening:
        services = _services(asked)
        address = _address(asked, listening.getsockname()[1])

        _check_file(asked.db)
        services.host.resume()
        _open_missing(services.host, specs)

        def begin() -> None:
            admin = services.admin
            renew = admin.renew_floor_token if asked.new_floor_token else admin.new_floor_token
            token = renew()
            tables, signed_by = tuple(services.host.tables), services.store.key.hex()
            on_open(Opened(address, tables, token, signed_by))
            renew_editions(services.host, specs)
            services.workers.keep_history(services.store.count, _log_history)
            _freeze_garbage()

        # uvicorn has its own handler while it runs, and raises the signal again afterwards.
        signal.signal(signal.SIGTERM, lambda *_: None)
        sockets = cast("type[asyncio.Protocol]", partial(Socket, partial(accept, services, policy)))
        config = _config(asked, make_app(services, policy, begin), sockets)
        connections = OpenConnections(asked.limits.connections, policy.proxies.has)
        _Server(config, services, connections).run(sockets=[listening])


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


def _check_options(asked: ServeOptions) -> None:
    if bool(asked.tls_cert) != bool(asked.tls_key):
        sentence = "TLS needs a certificate and its key: give --tls-cert and --tls-key"
        raise QueenhighError("serve.tls", sentence)
    for file in (asked.tls_cert, asked.tls_key):
        if file is not None and not file.is_file():
            raise QueenhighError("file.unreadable", f"{file}: no such file")
    safe = asked.host in _LOOPBACK or asked.tls_cert or asked.is_proxied or asked.insecure
    if not safe:
        sentence = (
            f"{asked.host} can be reached by others: give --tls-cert and --tls-key, or"
            " --behind-proxy if a proxy handles TLS, or --insecure to go without"
        )
        raise QueenhighError("serve.tls", sentence)


def _listen(asked: ServeOptions) -> socket.socket:
    family = socket.AF_INET6 if ":" in asked.host else socket.AF_INET
    # IPPROTO_TCP is named: asyncio sets TCP_NODELAY, for small messages, only then.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((asked.host, asked.port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        sentence = f"{asked.host} port {asked.port}: {reason}; give another --port or --host"
        raise QueenhighError("serve.port", sentence) from None
    return listening


def _services(asked: ServeOptions) -> Services:
    store = SqliteStore(asked.db)
    admin, metrics = AdminStore(asked.db, store), Metrics()
    host = Host(store, admin, metrics, clock=clock.ROOM, bots_think=asked.bots_think, note=_note)
    metrics.watch(host.sockets, lambda: len(host.tables))
    return Services(
        store=store,
        admin=admin,
        accounts=Accounts(admin.db, host.has_wallet, admin.rows),
        host=host,
        workers=Workers(asked.db),
        metrics=metrics,
        health=Health(asked.db, store, metrics),
        clock=host.clock,
        limits=asked.limits,
        cookie=Cookie(secure=not asked.insecure),
        presets=read_presets(asked.fees) if asked.fees else BUILT_IN,
    )


def _check_file(db: Path) -> None:
    """Check the file for damage for a moment; undamaged tables are served all the same."""
    damage = quick_damage(db, _SECONDS_TO_CHECK)
    if damage is not None:
        sentence = "the database is damaged: stop the server soon and run queenhigh verify"
        _log.error(sentence, file=str(db), error=damage)


def _note(table: str, error: Exception) -> None:
    _log.error("a table could not continue", table=table, error=str(error))


def _log_history(progress: HistoryProgress) -> None:
    if "error" in progress:
        _log.warning("the history could not be built", error=progress["error"])
    elif not progress["done"]:
        counts = {name: progress[name] for name in ("entered", "events")}
        _log.info("the history is being built", **counts)
    elif progress["missing"]:
        _log.warning("the history lacks archived tables", tables=progress["missing"])


def _open_missing(host: Host, specs: list[tuple[TableSpec, Rulebook]]) -> None:
    """Open the tables that do not exist yet; those that were closed stay closed."""
    known = {name_key(name) for name in host.room.tables()}
    for spec, book in specs:
        if name_key(spec.name) not in known:
            settings = spec.settings(book)
            try:
                host.open(spec.name, book, settings, Opening(spec.bots, spec.bots_bank))
            except DamagedStream as error:
                host.isolate(spec.name, error)


def _address(asked: ServeOptions, port: int) -> str:
    scheme = "https" if asked.tls_cert else "http"
    name = f"[{asked.host}]" if ":" in asked.host else asked.host
    return f"{scheme}://{name}:{port}"


def _policy(asked: ServeOptions) -> HostPolicy:
    """Return the policy for hosts; on loopback only its own names, against DNS rebinding."""
    own = _LOOPBACK if asked.host in _LOOPBACK else frozenset[str]()
    names = frozenset(name.lower() for name in asked.names)
    proxied = asked.is_proxied and not asked.names
    hosts = frozenset() if proxied or not (own or names) else own | names
    tls = bool(asked.tls_cert) or asked.is_proxied
    return HostPolicy(hosts=hosts, tls=tls, proxies=_proxies(asked))


def _proxies(asked: ServeOptions) -> Proxies:
    """Return the trusted proxies: those that are named, or any on this machine."""
    return Proxies(asked.proxies or (LOOPBACK if asked.behind_proxy else ()))


def _config(asked: ServeOptions, app: Guard, sockets: type[asyncio.Protocol]) -> uvicorn.Config:
    _log_to_stderr()
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
        self._since: dict[object, tuple[float, object]] = {}

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at the first Ctrl-C; ignore a second one, which would only print an error."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Close connections that never complete a request."""
        if not counter % _TICKS_BETWEEN_SWEEPS:
            self._sweep(monotonic())
        return await super().on_tick(counter)

    def _sweep(self, time_s: float) -> None:
        known, self._since = self._since, {}
        for connection in tuple(self.server_state.connections):
            if isinstance(connection, Socket):
                continue
            cycle = getattr(connection, "cycle", None)
            since, was = known.get(connection, (time_s, cycle))
            since = since if was is cycle else time_s
            self._since[connection] = (since, cycle)
            busy = cycle is not None and not cycle.response_complete
            if time_s - since > (_MOST_SECONDS if busy else _MOST_SECONDS_TO_ASK):
                connection.transport.abort()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop the tables and the workers, then the server."""
        self._host.stop()
        self._workers.stop()
        for _ in range(_TURNS_TO_CLOSE):
            if not self._host.sockets():
                break
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)


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
    last = [_escape, structlog.dev.ConsoleRenderer()]
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
