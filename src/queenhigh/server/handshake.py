"""The handshake of a table's socket: it is refused, or becomes a connection."""

from urllib.parse import parse_qs

from starlette.requests import cookie_parser

from queenhigh.server.accounts import Player
from queenhigh.server.admin_store import hash_token
from queenhigh.server.client_address import network_of
from queenhigh.server.connection import Connection, ConnectionPorts
from queenhigh.server.guard import HostPolicy, Rejection, too_many
from queenhigh.server.limits import TooMany, cost_of
from queenhigh.server.services import Services
from queenhigh.server.sockets import HandshakeRefused, Socket

__all__ = ["accept"]

_PATH_START, _PATH_END = "/api/tables/", "/socket"


def accept(
    services: Services,
    policy: HostPolicy,
    socket: Socket,
    path: str,
    query: str,
    headers: dict[str, str],
) -> Connection:
    """Return a new connection to a table, or refuse the handshake."""
    address = network_of(policy.client(socket.address, headers))
    try:
        services.throttle.charge(address, headers, cost_of("GET", path))
    except TooMany as error:
        raise HandshakeRefused(too_many(error)) from None
    rejection = policy.reject(headers, safe=False)
    if rejection is not None:
        raise HandshakeRefused(rejection)
    if not path.startswith(_PATH_START) or not path.endswith(_PATH_END):
        raise HandshakeRefused(Rejection(404, "nothing.there", "there is no socket here"))
    table = path.removeprefix(_PATH_START).removesuffix(_PATH_END)
    token = cookie_parser(headers.get("cookie", "")).get(services.cookie.name)
    player = services.accounts.player(token, services.now())
    _check_room(services, table, player, address)
    live, session = services.host.table(table), hash_token(token or "")
    connection = Connection(socket, live, player, session, _ports(services))
    connection.address = address
    connection.begin(_since(query))
    return connection


def _ports(services: Services) -> ConnectionPorts:
    return ConnectionPorts(
        clock=services.clock,
        limits=services.limits,
        limiter=services.limiter,
        metrics=services.metrics,
        renew=services.accounts.renew,
        schedule_send=services.host.commits.schedule_send,
        key=services.store.key.hex(),
    )


def _check_room(services: Services, table: str, player: Player | None, address: str) -> None:
    limits, host = services.limits, services.host
    missing = services.missing_store()
    if missing is not None:
        raise HandshakeRefused(Rejection(503, missing.code, str(missing)))
    if table not in host.tables:
        raise HandshakeRefused(
            Rejection(404, "table.none", "there is no such table: choose one from the lobby")
        )
    if player is not None and host.sockets_of(player.name) >= limits.sockets_each:
        sentence = f"you already have {limits.sockets_each} connections: close one"
        raise HandshakeRefused(Rejection(429, "sockets.many", sentence))
    if player is None and host.anonymous_sockets_from(address) >= limits.sockets_at_address:
        sentence = "too many people are watching from your address: log in"
        raise HandshakeRefused(Rejection(429, "sockets.many", sentence))
    if host.sockets_from(address) >= limits.sockets_of_network:
        sentence = "too many connections from your address: close one"
        raise HandshakeRefused(Rejection(429, "sockets.many", sentence))
    if host.stopped or host.sockets() >= limits.sockets:
        raise HandshakeRefused(
            Rejection(503, "busy", "the room is full or restarting: try again soon")
        )


def _since(query: str) -> int | None:
    (last,) = parse_qs(query).get("since", [""])[-1:]
    return int(last) if last.isascii() and last.isdecimal() and len(last) < 20 else None
