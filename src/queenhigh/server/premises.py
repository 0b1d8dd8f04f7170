"""Everything one server has, and who is asking for it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from time import monotonic
from typing import Annotated, Any

from fastapi import Depends
from fastapi.requests import HTTPConnection
from fastapi.responses import Response
from starlette.requests import cookie_parser

from queenhigh.errors import QueenhighError
from queenhigh.room.room import now
from queenhigh.server.accounts import Accounts, Player
from queenhigh.server.health import Health
from queenhigh.server.host import Host
from queenhigh.server.limits import Limiter, Limits
from queenhigh.server.lobby import Lobby
from queenhigh.server.metrics import Metrics
from queenhigh.server.office import Office, hash_token
from queenhigh.server.peers import network_of
from queenhigh.server.rations import Rations
from queenhigh.server.workers import Asker, Workers
from queenhigh.store.sqlite import SqliteStore

__all__ = [
    "Cookie",
    "Floor",
    "Heavy",
    "Here",
    "Premises",
    "Someone",
    "address",
    "as_json",
    "asker",
    "check_deed",
    "check_entry",
    "check_units",
    "check_work",
    "found",
    "token_of",
]

#: What a new player has, and what a broke one gets: cents.
CHIPS = 500_000
#: Who has less than this, wallet and tables together, is broke.
BROKE = 10_000


@dataclass(frozen=True)
class Cookie:
    """What a session's cookie is called; ``secure``: it goes over TLS or loopback only."""

    secure: bool = True

    @property
    def name(self) -> str:
        """The name, which says to browsers what the cookie must be like."""
        return "__Host-queenhigh" if self.secure else "queenhigh"


@dataclass
class Premises:
    """One server's rooms, from the tables to the back office."""

    store: SqliteStore
    office: Office
    accounts: Accounts
    host: Host
    workers: Workers
    metrics: Metrics
    health: Health
    limits: Limits = field(default_factory=Limits)
    cookie: Cookie = field(default_factory=Cookie)

    def __post_init__(self) -> None:
        self.limiter = Limiter(self.limits)
        self.rations = Rations(self.limits, self.limiter, self.session_of, self._is_floor)
        self.host.most_tables = self.limits.tables
        self.lobby = Lobby(self.host, self.store)

    def session_of(self, headers: Mapping[str, str]) -> bytes | None:
        """Return what is kept of the session's token that headers have, if the session is valid."""
        token = cookie_parser(headers.get("cookie", "")).get(self.cookie.name)
        if not token or self.accounts.player(token, now()) is None:
            return None
        return hash_token(token)

    def _is_floor(self, headers: Mapping[str, str]) -> bool:
        return self.office.is_floor(_bearer(headers))

    def gone(self) -> QueenhighError | None:
        """Return why nothing may change, if the store is not where it was."""
        return self.store.presence.check()

    def give_chips(self, player: str) -> bool:
        """Give chips to who is new or broke, and log it in their wallet; tell whether it was so."""
        wallet = self.host.room.wallets.of(player)
        cents, seats = self.host.chips(player)
        if cents + sum(seat.cents for seat in seats) >= BROKE:
            return False
        reason = "a refill" if wallet.version else "to begin with"
        id = f"chips.{wallet.version}"
        self.host.room.wallets.issue(player, CHIPS, id=id, at=now(), reason=reason)
        return True

    def enter(self, response: Response, token: str) -> None:
        """Let a browser keep a session's token."""
        cookie = self.cookie
        response.set_cookie(
            cookie.name, token, max_age=30 * 24 * 3600, path="/", secure=cookie.secure,
            httponly=True, samesite="lax",
        )  # fmt: skip

    def close(self) -> None:
        """Let go of everything."""
        self.workers.close()
        self.store.close()
        self.office.close()


def _premises(connection: HTTPConnection) -> Premises:
    found: Premises = connection.app.state.premises
    return found


# Dependencies are asynchronous throughout: others would run in a thread that is not the tables'.


async def _here(connection: HTTPConnection) -> Premises:
    return _premises(connection)


Here = Annotated[Premises, Depends(_here)]


def token_of(connection: HTTPConnection) -> str | None:
    """Return the token of the session that a request has."""
    return connection.cookies.get(_premises(connection).cookie.name)


def asker(connection: HTTPConnection) -> Player | None:
    """Return who asks, if they have a session."""
    return _premises(connection).accounts.player(token_of(connection), now())


async def _player(connection: HTTPConnection) -> Player:
    player = asker(connection)
    if player is None:
        raise QueenhighError(
            "login.needed", "only players may ask for this: enter with a name first"
        )
    _premises(connection).accounts.used_from(player.name, address(connection))
    return player


Someone = Annotated[Player, Depends(_player)]


def _bearer(headers: Mapping[str, str]) -> str:
    """Return the token that a request shows."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


async def _floor(connection: HTTPConnection) -> str:
    if not _premises(connection).office.is_floor(_bearer(connection.headers)):
        raise QueenhighError("floor.only", "only the floor may ask for this: send its token")
    return f"floor from {address(connection)}"


#: Says who it is, for the log.
Floor = Annotated[str, Depends(_floor)]


def address(connection: HTTPConnection) -> str:
    """Return where a request comes from."""
    return connection.client.host if connection.client else "nowhere"


async def check_entry(connection: HTTPConnection) -> None:
    """Refuse an address that makes too many names or tries too many passwords."""
    _premises(connection).limiter.check_entry(address(connection), monotonic())


async def check_deed(connection: HTTPConnection) -> None:
    """Refuse a session that changes its password or opens tables too often."""
    here = _premises(connection)
    session = here.session_of(connection.headers)
    if session is not None:
        here.limiter.check_deed(session, monotonic())


def check_units(connection: HTTPConnection, cost: float) -> None:
    """Take what a request costs beyond its usual price; refuse whoever has too little left."""
    here = _premises(connection)
    session = here.session_of(connection.headers)
    here.limiter.check(address(connection), session, cost, monotonic())


async def check_work(connection: HTTPConnection) -> Asker:
    """Refuse who asks for too much heavy work; all of it while the disk is slow."""
    if _premises(connection).health.is_slow:
        raise QueenhighError("busy", "the room's disk is slow just now: try again soon")
    player = asker(connection)
    name = player.name if player else None
    _premises(connection).limiter.check_work(name, address(connection), monotonic())
    return Asker(name, network_of(address(connection)))


#: Says who asks for heavy work, and refuses whoever asks for too much of it.
Heavy = Annotated[Asker, Depends(check_work)]


def as_json(body: bytes | str) -> Response:
    """Return JSON that is written already."""
    return Response(body, media_type="application/json")


def found(value: Any, what: str) -> Any:
    """Return something that must be there."""
    if value is None:
        raise QueenhighError("nothing.there", f"there is no such {what}")
    return value
