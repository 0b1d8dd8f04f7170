"""The services of one server, and the dependencies of its routes."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import TYPE_CHECKING, Annotated, TypeVar

from fastapi import Depends
from fastapi.requests import HTTPConnection
from fastapi.responses import Response
from starlette.requests import cookie_parser

from queenhigh.errors import QueenhighError
from queenhigh.server.accounts import Accounts, Player
from queenhigh.server.admin_store import AdminStore, hash_token
from queenhigh.server.client_address import network_of
from queenhigh.server.fee_presets import BUILT_IN, Presets
from queenhigh.server.glance import RoomGlance
from queenhigh.server.health import Health
from queenhigh.server.host import Host
from queenhigh.server.limits import Limiter, Limits
from queenhigh.server.lobby import Lobby
from queenhigh.server.metrics import Metrics
from queenhigh.server.peers import Peers
from queenhigh.server.ports import Clock
from queenhigh.server.staff_accounts import StaffAccounts
from queenhigh.server.throttle import Throttle
from queenhigh.server.worker_pool import Client, Workers
from queenhigh.store.durable_store import DurableStore

if TYPE_CHECKING:
    from queenhigh.server.membership import Membership

__all__ = [
    "Cookie",
    "Heavy",
    "PlayerDep",
    "Services",
    "ServicesDep",
    "address",
    "bearer_of",
    "check_deed",
    "check_entry",
    "check_units",
    "check_work",
    "current_player",
    "encoded_json",
    "require",
    "token_of",
]

_T = TypeVar("_T")

#: The chips of a new player, and of a refill: cents.
CHIPS = 500_000
#: Players with less than this, in the wallet and at tables together, get a refill.
BROKE = 10_000


@dataclass(frozen=True)
class Cookie:
    """The name of a session's cookie; ``secure``: it is sent over TLS or loopback only."""

    secure: bool = True

    @property
    def name(self) -> str:
        """The name; browsers enforce what its prefix demands."""
        return "__Host-queenhigh" if self.secure else "queenhigh"

    @property
    def floor_name(self) -> str:
        """The name of the cookie of a member of the staff."""
        return f"{self.name}-floor"


@dataclass
class Services:
    """The parts of one server, for its routes and its handshake."""

    store: DurableStore
    admin: AdminStore
    accounts: Accounts
    staff: StaffAccounts
    host: Host
    workers: Workers
    metrics: Metrics
    health: Health
    clock: Clock
    limits: Limits = field(default_factory=Limits)
    cookie: Cookie = field(default_factory=Cookie)
    #: The other processes that serve the room; none: there is only this one.
    peers: Peers | None = None
    membership: "Membership | None" = None
    #: The fees that players may choose for their own tables.
    presets: Presets = field(default_factory=lambda: BUILT_IN)
    #: The name of the room on what is printed.
    room_name: str = "Queenhigh"

    def __post_init__(self) -> None:
        self.limiter = Limiter(self.limits)
        self.throttle = Throttle(self.limits, self.limiter, self.session_of, self._is_floor)
        self.host.most_tables = self.limits.tables
        self.lobby = Lobby(self.host, self.store)
        self.glance = RoomGlance(self.host, self.workers)

    def now(self) -> int:
        """Return the time in milliseconds since 1970, by the room's clock."""
        return self.clock.now()

    def session_of(self, headers: Mapping[str, str]) -> bytes | None:
        """Return the hash of the session's token in the headers, if the session is valid."""
        token = cookie_parser(headers.get("cookie", "")).get(self.cookie.name)
        try:
            is_valid = token is not None and self.accounts.player(token, self.now()) is not None
        except QueenhighError:  # the database does not answer: the page is served all the same
            return None
        return hash_token(token) if token and is_valid else None

    def _is_floor(self, headers: Mapping[str, str]) -> bool:
        """Return whether a request comes from the floor: by a token, or by a person's session."""
        token = bearer_of(headers)
        try:
            if token:
                return self.admin.is_floor(token) or self.staff.program_of(token) is not None
            return self.staff.login_of(self.floor_token_of(headers), self.now()) is not None
        except QueenhighError:
            return False

    def floor_token_of(self, headers: Mapping[str, str]) -> str | None:
        """Return the token of the staff's session that the headers have."""
        return cookie_parser(headers.get("cookie", "")).get(self.cookie.floor_name)

    def missing_store(self) -> QueenhighError | None:
        """Return an error if the store's file is missing: then nothing may change."""
        return self.store.missing()

    def give_chips(self, player: str) -> bool:
        """Give chips to a player who is new or broke; return whether they got any."""
        wallets = self.host.wallets
        wallet = wallets.of(player)
        cents, seats = self.host.chips(player)
        while wallets.of(player).version != wallet.version:  # chips were moved meanwhile
            wallet = wallets.of(player)
            cents, seats = self.host.chips(player)
        if cents + sum(seat.cents for seat in seats) >= BROKE:
            return False
        reason = "a refill" if wallet.version else "to begin with"
        id = f"chips.{wallet.version}"
        wallets.issue(player, CHIPS, id=id, at=self.now(), reason=reason)
        return True

    def enter(self, response: Response, token: str) -> None:
        """Set the cookie of a session."""
        cookie = self.cookie
        response.set_cookie(
            cookie.name, token, max_age=30 * 24 * 3600, path="/", secure=cookie.secure,
            httponly=True, samesite="lax",
        )  # fmt: skip

    def enter_floor(self, response: Response, token: str) -> None:
        """Set the cookie of a session of the staff; it ends with the browser."""
        cookie = self.cookie
        response.set_cookie(
            cookie.floor_name, token, path="/", secure=cookie.secure, httponly=True,
            samesite="strict",
        )  # fmt: skip

    def close(self) -> None:
        """Close everything."""
        self.workers.close()
        self.store.close()
        self.admin.close()


def _services(connection: HTTPConnection) -> Services:
    services: Services = connection.app.state.services
    return services


# All dependencies are asynchronous: others would run outside the tables' thread.


async def _get_services(connection: HTTPConnection) -> Services:
    return _services(connection)


ServicesDep = Annotated[Services, Depends(_get_services)]


def token_of(connection: HTTPConnection) -> str | None:
    """Return the token of the session that a request has."""
    return connection.cookies.get(_services(connection).cookie.name)


def current_player(connection: HTTPConnection) -> Player | None:
    """Return the player who sends a request, if there is a session."""
    services = _services(connection)
    return services.accounts.player(token_of(connection), services.now())


async def _player(connection: HTTPConnection) -> Player:
    player = current_player(connection)
    if player is None:
        raise QueenhighError("login.needed", "only players may do this: log in first")
    _services(connection).accounts.used_from(player.name, address(connection))
    return player


PlayerDep = Annotated[Player, Depends(_player)]


def bearer_of(headers: Mapping[str, str]) -> str:
    """Return the bearer token of a request."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def address(connection: HTTPConnection) -> str:
    """Return the address that a request comes from."""
    return connection.client.host if connection.client else "nowhere"


async def check_entry(connection: HTTPConnection) -> None:
    """Refuse an address that makes too many names or tries too many passwords."""
    _services(connection).limiter.check_entry(address(connection), monotonic())


async def check_deed(connection: HTTPConnection) -> None:
    """Refuse a session that changes its password or opens tables too often."""
    services = _services(connection)
    session = services.session_of(connection.headers)
    if session is not None:
        services.limiter.check_deed(session, monotonic())


def check_units(connection: HTTPConnection, cost: float) -> None:
    """Charge a request beyond its usual cost; refuse if too little is left."""
    services = _services(connection)
    session = services.session_of(connection.headers)
    services.limiter.check(address(connection), session, cost, monotonic())


async def check_work(connection: HTTPConnection) -> Client:
    """Refuse clients that ask for too much heavy work, and everyone while the disk is slow."""
    if _services(connection).health.is_slow:
        raise QueenhighError("busy", "the server is slow right now: try again soon")
    player = current_player(connection)
    name = player.name if player else None
    _services(connection).limiter.check_work(name, address(connection), monotonic())
    return Client(name, network_of(address(connection)))


#: The client that asks for heavy work; refuses those that ask for too much of it.
Heavy = Annotated[Client, Depends(check_work)]


def encoded_json(body: bytes | str) -> Response:
    """Return a response of JSON that is already encoded."""
    return Response(body, media_type="application/json")


def require(value: _T | None, what: str) -> _T:
    """Return a value; raise ``nothing.there`` if it is ``None``."""
    if value is None:
        raise QueenhighError("nothing.there", f"there is no such {what}")
    return value
