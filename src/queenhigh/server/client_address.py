"""The address of a client: the peer's own, or the one that a trusted proxy reports."""

from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from queenhigh.errors import QueenhighError

__all__ = ["LOOPBACK", "Proxies", "network_of"]

LOOPBACK = ("127.0.0.0/8", "::1")
_HOME = 64


@dataclass(frozen=True)
class Proxies:
    """The trusted proxies, as addresses or networks."""

    addresses: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        try:
            networks = tuple(ip_network(address) for address in self.addresses)
        except ValueError:
            sentence = "a proxy address looks like 10.0.0.7 or 10.0.0.0/24: check --proxy-address"
            raise QueenhighError("serve.proxy", sentence) from None
        object.__setattr__(self, "_networks", networks)

    def client(self, peer: str, forwarded: str | None) -> str:
        """Return the address of a client, given the peer and its ``X-Forwarded-For``.

        Each proxy adds its own peer at the end, so the list is read from the end, and only as far
        as proxies are trusted: the client may have written everything before that. An entry that
        is no address ends the list too.
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
        """Return whether a peer is one of these proxies."""
        address = _address(peer)
        return address is not None and self._trusts(address)

    def _trusts(self, address: IPv4Address | IPv6Address) -> bool:
        networks = self.__dict__["_networks"]
        return any(
            address.version == network.version and address in network for network in networks
        )


@lru_cache(maxsize=4096)
def network_of(address: str) -> str:
    """Return the network of an address: an IPv6 address stands for its /64, as one home has."""
    known = _address(address)
    if isinstance(known, IPv6Address):
        return str(IPv6Network((int(known) >> _HOME << _HOME, _HOME)))
    return str(known) if known is not None else address


def _address(text: str) -> IPv4Address | IPv6Address | None:
    """Parse an address, with or without a port; return ``None`` if it is none."""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        known = ip_address(text.partition("%")[0])
    except ValueError:
        return None
    return getattr(known, "ipv4_mapped", None) or known
