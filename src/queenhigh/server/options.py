"""The options of ``serve``, and what follows from them."""

from dataclasses import dataclass, field
from pathlib import Path

from queenhigh.errors import QueenhighError
from queenhigh.server.client_address import LOOPBACK, Proxies
from queenhigh.server.guard import HostPolicy
from queenhigh.server.limits import Limits
from queenhigh.store.location import Location

__all__ = ["ServeOptions", "check_options", "host_and_port", "host_policy"]

_LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """The options of ``serve``."""

    db: Location
    #: Where a room on PostgreSQL has its keys and the index of its history.
    keys: Path = Path("room.keys")
    host: str = "127.0.0.1"
    port: int = 8777
    #: Where the other processes of a room on PostgreSQL reach this one: host and port.
    peers: str = "127.0.0.1:0"
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
    #: The name of the room on what is printed.
    room_name: str = "Queenhigh"
    bots_think: tuple[float, float] = (0.4, 1.6)
    limits: Limits = field(default_factory=Limits)
    new_floor_token: bool = False

    @property
    def is_proxied(self) -> bool:
        """Whether a proxy does TLS."""
        return self.behind_proxy or bool(self.proxies)


def check_options(asked: ServeOptions) -> None:
    """Raise with a sentence if options do not go together."""
    if bool(asked.tls_cert) != bool(asked.tls_key):
        sentence = "TLS needs a certificate and its key: give --tls-cert and --tls-key"
        raise QueenhighError("serve.tls", sentence)
    for file in (asked.tls_cert, asked.tls_key):
        if file is not None and not file.is_file():
            raise QueenhighError("file.unreadable", f"{file}: no such file")
    if asked.tls_cert and not isinstance(asked.db, Path):
        sentence = "a room on PostgreSQL needs a proxy for TLS: give --behind-proxy instead"
        raise QueenhighError("serve.tls", sentence)
    safe = asked.host in _LOOPBACK or asked.tls_cert or asked.is_proxied or asked.insecure
    if not safe:
        sentence = (
            f"{asked.host} can be reached by others: give --tls-cert and --tls-key, or"
            " --behind-proxy if a proxy handles TLS, or --insecure to go without"
        )
        raise QueenhighError("serve.tls", sentence)


def host_and_port(address: str) -> tuple[str, int]:
    """Return the parts of an address, or raise with a sentence."""
    host, _, port = address.rpartition(":")
    if not host or not port.isdecimal() or int(port) > 65535:
        sentence = f"{address[:60]!r} is not a host and a port: write --peers 10.0.0.5:9000"
        raise QueenhighError("serve.peers", sentence)
    return host.strip("[]"), int(port)


def host_policy(asked: ServeOptions) -> HostPolicy:
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
