"""``queenhigh serve``: a room on one file, until it is told to stop."""

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
from typing import Any

import structlog
import uvicorn

from queenhigh.errors import QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.server.accounts import Accounts
from queenhigh.server.app import make_app
from queenhigh.server.connections import Connection, Connections
from queenhigh.server.guard import Trust
from queenhigh.server.health import Health
from queenhigh.server.host import Host
from queenhigh.server.limits import Bucket, Limits
from queenhigh.server.metrics import Metrics
from queenhigh.server.office import Office, Opening
from queenhigh.server.opening import STANDING, TableSpec, find_rulebook, read_table_file
from queenhigh.server.peers import LOOPBACK, Proxies
from queenhigh.server.premises import Cookie, Premises
from queenhigh.server.sockets import Socket
from queenhigh.server.text import fold_name
from queenhigh.server.visits import welcome
from queenhigh.server.workers import Workers
from queenhigh.store.checks import quick_damage
from queenhigh.store.locking import sole_writer
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import DamagedStream

__all__ = ["Asked", "Opened", "serve"]

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
#: A request is to be there after so many seconds, and answered after so many.
_MOST_SECONDS_TO_ASK, _MOST_SECONDS = 15, 90
_TICKS_BETWEEN_SWEEPS = 30
_FILES = 65_536
#: How long the file is looked at before the room opens.
_SECONDS_TO_LOOK = 0.5
#: So many fiftieths of a second are enough to say farewell.
_FAREWELL = 50
#: What asyncio says, hundreds of times in a row, when no more connections can be accepted.
_NO_FILES = "socket.accept() out of system resource"
_log = structlog.get_logger()


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What ``serve`` was asked for."""

    db: Path
    host: str = "127.0.0.1"
    port: int = 8777
    tables: tuple[Path, ...] = ()
    tls_cert: Path | None = None
    tls_key: Path | None = None
    behind_proxy: bool = False
    #: Proxies elsewhere, as addresses or networks.
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
    """What the room says when it is open."""

    address: str
    tables: tuple[str, ...]
    floor_token: str | None
    #: The public half of the key that signs the log, in hexadecimal.
    signed_by: str


def serve(asked: Asked, told: Callable[[Opened], None]) -> None:
    """Serve a room until it is told to stop; ``told`` hears when it is open."""
    _check(asked)
    trust = _trust(asked)
    _allow_many_files()
    specs = [
        *[(spec, find_rulebook(spec)) for spec in STANDING],
        *map(read_table_file, asked.tables),
    ]
    with sole_writer(asked.db), _listen(asked) as listening:
        premises = _premises(asked)
        address = _address(asked, listening.getsockname()[1])

        _look_at(asked.db)
        premises.host.resume()
        _open(premises.host, specs)

        def begin() -> None:
            office = premises.office
            renew = office.renew_floor_token if asked.new_floor_token else office.new_floor_token
            token = renew()
            tables, signed_by = tuple(premises.host.tables), premises.store.key.hex()
            told(Opened(address, tables, token, signed_by))
            premises.workers.keep_books(premises.store.count, _note_books)
            _collect_less()

        # While uvicorn runs this is its own; afterwards it sends itself the signal once more.
        signal.signal(signal.SIGTERM, lambda *_: None)
        sockets = partial(Socket, partial(welcome, premises, trust))
        config = _config(asked, make_app(premises, trust, begin), sockets)
        connections = Connections(asked.limits.connections, trust.proxies.has)
        _Server(config, premises, connections).run(sockets=[listening])


def _allow_many_files() -> None:
    """Take many files if the machine allows it: every socket is one."""
    try:
        import resource  # noqa: PLC0415
    except ImportError:  # Windows has no such limit
        return
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _FILES if most == resource.RLIM_INFINITY else min(_FILES, most)
    if few != resource.RLIM_INFINITY and few < wanted:
        with suppress(OSError, ValueError):  # macOS may allow less than it says
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))


def _collect_less() -> None:
    """Leave what is there from the start out of every collection: each would stop all tables."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 50, 100)


def _check(asked: Asked) -> None:
    if bool(asked.tls_cert) != bool(asked.tls_key):
        told = "TLS takes a certificate and its key: give --tls-cert and --tls-key"
        raise QueenhighError("serve.tls", told)
    for file in (asked.tls_cert, asked.tls_key):
        if file is not None and not file.is_file():
            raise QueenhighError("file.unreadable", f"{file}: there is no such file")
    safe = asked.host in _LOOPBACK or asked.tls_cert or asked.is_proxied or asked.insecure
    if not safe:
        told = (
            f"{asked.host} is reached by others: give --tls-cert and --tls-key, or --behind-proxy"
            " where a proxy does TLS, or --insecure if you mean it"
        )
        raise QueenhighError("serve.tls", told)


def _listen(asked: Asked) -> socket.socket:
    family = socket.AF_INET6 if ":" in asked.host else socket.AF_INET
    # Named as TCP, since only then does asyncio send small messages at once.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((asked.host, asked.port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        reason = getattr(error, "strerror", None) or error
        told = f"{asked.host} port {asked.port}: {reason}; give another --port or --host"
        raise QueenhighError("serve.port", told) from None
    return listening


def _premises(asked: Asked) -> Premises:
    store = SqliteStore(asked.db)
    office, metrics = Office(asked.db, store), Metrics()
    host = Host(store, office, metrics, bots_think=asked.bots_think, note=_note)
    metrics.watch(host.sockets, lambda: len(host.tables))
    return Premises(
        store=store,
        office=office,
        accounts=Accounts(
            office.db, lambda name: host.room.wallets.of(name).version > 0, office.papers
        ),
        host=host,
        workers=Workers(asked.db),
        metrics=metrics,
        health=Health(asked.db, store, metrics),
        limits=asked.limits,
        cookie=Cookie(secure=not asked.insecure),
    )


def _look_at(db: Path) -> None:
    """Look for damage of the file for a moment; tables that can go on do so all the same."""
    damage = quick_damage(db, _SECONDS_TO_LOOK)
    if damage is not None:
        told = "the store is damaged: stop the room soon, and see queenhigh verify"
        _log.error(told, file=str(db), error=damage)


def _note(table: str, error: Exception) -> None:
    _log.error("a table could not go on", table=table, error=str(error))


def _note_books(progress: dict[str, Any]) -> None:
    if "error" in progress:
        _log.warning("the history could not be built", error=progress["error"])
    elif not progress["done"]:
        counts = {name: progress[name] for name in ("entered", "events")}
        _log.info("the history is being built", **counts)
    elif progress["missing"]:
        _log.warning("the history lacks archived tables", tables=progress["missing"])


def _open(host: Host, specs: list[tuple[TableSpec, Rulebook]]) -> None:
    """Open the tables that are not there yet; those that were closed stay closed."""
    known = {fold_name(name) for name in host.room.tables()}
    for spec, book in specs:
        if fold_name(spec.name) not in known:
            settings = spec.settings(book)
            try:
                host.open(spec.name, book, settings, Opening(spec.bots, spec.bots_bank))
            except DamagedStream as error:
                host.isolate(spec.name, error)


def _address(asked: Asked, port: int) -> str:
    scheme = "https" if asked.tls_cert else "http"
    name = f"[{asked.host}]" if ":" in asked.host else asked.host
    return f"{scheme}://{name}:{port}"


def _trust(asked: Asked) -> Trust:
    """On loopback only loopback's names are good: others may lead here by a trick with DNS."""
    own = _LOOPBACK if asked.host in _LOOPBACK else frozenset[str]()
    names = frozenset(name.lower() for name in asked.names)
    proxied = asked.is_proxied and not asked.names
    hosts = frozenset() if proxied or not (own or names) else own | names
    tls = bool(asked.tls_cert) or asked.is_proxied
    return Trust(hosts=hosts, tls=tls, proxies=_proxies(asked))


def _proxies(asked: Asked) -> Proxies:
    """Return whose word about clients counts: the proxies named, or any on this machine."""
    return Proxies(asked.proxies or (LOOPBACK if asked.behind_proxy else ()))


def _config(asked: Asked, app: Any, sockets: Any) -> uvicorn.Config:
    _log_to_stderr()
    return uvicorn.Config(
        app,
        http=Connection,
        ws=sockets,
        ws_max_size=asked.limits.message_bytes,
        log_config=None,
        access_log=False,
        proxy_headers=False,  # the guard does it, for sockets as well
        server_header=False,
        ssl_certfile=asked.tls_cert,
        ssl_keyfile=asked.tls_key,
        timeout_graceful_shutdown=5,
        backlog=256,
    )


class _Server(uvicorn.Server):
    """Says farewell at the tables before it stops."""

    def __init__(
        self, config: uvicorn.Config, premises: Premises, connections: Connections
    ) -> None:
        super().__init__(config)
        self.server_state.connections = connections
        self._host, self._workers = premises.host, premises.workers
        self._since: dict[Any, tuple[float, Any]] = {}

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Stop at the first Ctrl-C; the second hurries nothing, and would only be noisy."""
        if not self.should_exit:
            super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Let connections go that never come to the end of a request."""
        if not counter % _TICKS_BETWEEN_SWEEPS:
            self._sweep(monotonic())
        return await super().on_tick(counter)

    def _sweep(self, at: float) -> None:
        known, self._since = self._since, {}
        for connection in tuple(self.server_state.connections):
            if isinstance(connection, Socket):
                continue
            cycle = getattr(connection, "cycle", None)
            since, was = known.get(connection, (at, cycle))
            since = since if was is cycle else at
            self._since[connection] = (since, cycle)
            busy = cycle is not None and not cycle.response_complete
            if at - since > (_MOST_SECONDS if busy else _MOST_SECONDS_TO_ASK):
                connection.transport.abort()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Park the rounds, tell who watches, then stop."""
        self._host.stop()
        self._workers.stop()
        for _ in range(_FAREWELL):
            if not self._host.sockets():
                break
            await asyncio.sleep(0.02)
        await super().shutdown(sockets)


def _log_to_stderr() -> None:
    """Write logs as JSON lines, or for people where people look."""
    structlog.configure(
        processors=_processors(people=sys.stderr.isatty()),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = _Forward(logging.WARNING)
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)


def _processors(*, people: bool) -> list[Any]:
    """Return what an entry of the log goes through until it is a line."""
    last = [_escape, structlog.dev.ConsoleRenderer()]
    return [
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        structlog.processors.format_exc_info,
        *(last if people else [structlog.processors.JSONRenderer()]),
    ]


def _escape(logger: Any, method: str, event: Any) -> Any:
    """Write out what a terminal would obey: names in the log are whatever somebody typed."""
    return {
        key: _escaped(value, kept="\n" if key == "exception" else "")
        for key, value in event.items()
    }


def _escaped(value: Any, kept: str) -> Any:
    if not isinstance(value, str) or value.isprintable():
        return value
    return "".join(
        letter if letter.isprintable() or letter in kept else ascii(letter)[1:-1]
        for letter in value
    )


class _Forward(logging.Handler):
    """Sends what libraries log the same way."""

    def __init__(self, level: int) -> None:
        super().__init__(level)
        self._accepts = Bucket(rate=1, burst=1)

    def emit(self, record: logging.LogRecord) -> None:
        """Write one line; one of many a second that say the machine has no files left."""
        if record.getMessage().startswith(_NO_FILES) and not self._accepts.take(monotonic()):
            return
        error = record.exc_info[1] if record.exc_info else None
        level = "error" if record.levelno >= logging.ERROR else "warning"
        getattr(_log, level)(record.getMessage(), logger=record.name, exc_info=error)
