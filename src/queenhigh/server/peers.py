"""Where a request comes from: the peer itself, or the client that a trusted proxy names."""

from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from queenhigh.errors import QueenhighError

__all__ = ["LOOPBACK", "Proxies", "network_of"]

LOOPBACK = ("127.0.0.0/8", "::1")
_HOME = 64


@dataclass(frozen=True)
class Proxies:
    """The proxies whose word counts, as addresses or networks; none: nobody's does."""

    addresses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        try:
            networks = tuple(ip_network(address) for address in self.addresses)
        except ValueError:
            told = "a proxy's address is like 10.0.0.7 or 10.0.0.0/24: check --proxy-address"
            raise QueenhighError("serve.proxy", told) from None
        object.__setattr__(self, "_networks", networks)

    def client(self, peer: str, forwarded: str | None) -> str:
        """Return who a request is from, given the peer and its ``X-Forwarded-For``.

        Each proxy adds its own peer at the end, so the list is read from there, and only as far
        as trusted proxies go: what stands before was written by the client. So was what stands
        before an entry that is no address: such a request is the proxy's own.
        """
        client = _address(peer)
        for named in reversed((forwarded or "").split(",")):
            if client is None or not self._trusts(client):
                break
            address = _address(named.strip())
            if address is None:
                break
            client = address
        return str(client) if client is not None else peer

    def has(self, peer: str) -> bool:
        """Tell whether a peer is one of these proxies."""
        address = _address(peer)
        return address is not None and self._trusts(address)

    def _trusts(self, address: IPv4Address | IPv6Address) -> bool:
        networks = self.__dict__["_networks"]
        return any(address.version == one.version and address in one for one in networks)


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Return whose address this is: an IPv6 address stands for its /64, which one home has."""
    known = _address(address)
    if isinstance(known, IPv6Address):
        return str(IPv6Network((int(known) >> _HOME << _HOME, _HOME)))
    return str(known) if known is not None else address


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address, with or without a port; nothing if it is none."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        known = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(known, "ipv4_mapped", None) or known
