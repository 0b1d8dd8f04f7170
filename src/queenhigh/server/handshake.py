"""The handshake of a table's socket: it is refused, or becomes a connection."""

from urllib.parse import parse_qs

from starlette.requests import cookie_parser

from queenhigh.errors import QueenhighError
from queenhigh.server.accounts import Player
from queenhigh.server.admin_store import hash_token
from queenhigh.server.client_address import network_of
from queenhigh.server.connection import Connection, ConnectionPorts
from queenhigh.server.guard import HostPolicy, Rejection, too_many
from queenhigh.server.limits import TooMany, cost_of
from queenhigh.server.link_pool import LINK
from queenhigh.server.peers import MOVING, Peers
from queenhigh.server.services import Services
from queenhigh.server.sockets import HandshakeRefused, LinkAccepted, PassedOn, Socket

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
    """Return a new connection to a table, pass the socket on, or refuse the handshake."""
    try:
        return _connect(services, policy, socket, path, query, headers)
    except QueenhighError as error:  # the database has just stopped answering
        raise HandshakeRefused(Rejection(503, error.code, str(error))) from None


def _connect(
    services: Services,
    policy: HostPolicy,
    socket: Socket,
    path: str,
    query: str,
    headers: dict[str, str],
) -> Connection:
    passed_on = services.peers.client(headers) if services.peers else None
    address = network_of(passed_on or policy.client(socket.address, headers))
    if passed_on is not None and path == LINK and socket.given is None:
        raise LinkAccepted
    if passed_on is None:
        _check_client(services, policy, address, path, headers)
    if not path.startswith(_PATH_START) or not path.endswith(_PATH_END):
        raise HandshakeRefused(Rejection(404, "nothing.there", "there is no socket here"))
    table = path.removeprefix(_PATH_START).removesuffix(_PATH_END)
    if services.peers is not None and not services.host.has(table):
        came_by_link = passed_on is not None and socket.given is None
        _pass_on(services.peers, table, None if came_by_link else address)
    token = cookie_parser(headers.get("cookie", "")).get(services.cookie.name)
    player = services.accounts.player(token, services.now())
    _check_room(services, table, player, address)
    live, session = services.host.table(table), hash_token(token or "")
    connection = Connection(socket, live, player, session, _ports(services))
    connection.address = address
    connection.begin(_since(query))
    return connection


def _check_client(
    services: Services, policy: HostPolicy, address: str, path: str, headers: dict[str, str]
) -> None:
    """Charge a client, and check the host and the origin of the request."""
    try:
        services.throttle.charge(address, headers, cost_of("GET", path))
    except TooMany as error:
        raise HandshakeRefused(too_many(error)) from None
    rejection = policy.reject(headers, safe=False)
    if rejection is not None:
        raise HandshakeRefused(rejection)


def _pass_on(peers: Peers, table: str, address: str | None) -> None:
    """Pass a socket on to the holder of its table; one without an address came by a link."""
    if address is not None and peers.is_known(table):
        raise PassedOn(peers, table, address)
    if peers.is_known(table):
        raise HandshakeRefused(Rejection(503, "table.moving", MOVING))


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
    if host.is_stale():
        raise HandshakeRefused(Rejection(503, "table.moving", MOVING))
    if table not in host.tables:
        raise HandshakeRefused(
            Rejection(404, "table.none", "there is no such table: choose one from the lobby")
        )
    if player is not None and host.sockets.of(player.name) >= limits.sockets_each:
        sentence = f"you already have {limits.sockets_each} connections: close one"
        raise HandshakeRefused(Rejection(429, "sockets.many", sentence))
    if player is None and host.sockets.anonymous_from(address) >= limits.sockets_at_address:
        sentence = "too many people are watching from your address: log in"
        raise HandshakeRefused(Rejection(429, "sockets.many", sentence))
    if host.sockets.from_network(address) >= limits.sockets_of_network:
        sentence = "too many connections from your address: close one"
        raise HandshakeRefused(Rejection(429, "sockets.many", sentence))
    if host.stopped or host.sockets.count() >= limits.sockets:
        raise HandshakeRefused(
            Rejection(503, "busy", "the room is full or restarting: try again soon")
        )


def _since(query: str) -> int | None:
    (last,) = parse_qs(query).get("since", [""])[-1:]
    return int(last) if last.isascii() and last.isdecimal() and len(last) < 20 else None
