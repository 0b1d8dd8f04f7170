"""How much one may ask for: buckets that fill with time."""

from collections import OrderedDict
from dataclasses import dataclass

from queenhigh.errors import QueenhighError

__all__ = ["Bucket", "Buckets", "Limits"]


@dataclass(frozen=True)
class Limits:
    """What one server grants. Rates are per second."""

    messages: float = 10
    messages_at_once: float = 20
    message_bytes: int = 4096
    body_bytes: int = 65_536
    sockets_each: int = 5
    #: Sockets without a session, from one address.
    sockets_at_address: int = 200
    sockets: int = 5_000
    #: A socket that takes nothing for so many seconds is closed.
    patience: float = 10
    tables_each: int = 3
    tables: int = 200
    #: New guests, accounts and logins from one address.
    entries: float = 0.5
    entries_at_once: float = 30
    #: Odds and other heavy work that one player, or one address, may ask for: as fast as one types.
    works: float = 10
    works_at_once: float = 12


class Bucket:
    """Lets ``burst`` through at once, and ``rate`` a second after that."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, 0.0

    def take(self, at: float) -> bool:
        """Take one at a time in seconds; tell whether there was one."""
        self._left = min(self._burst, self._left + max(0.0, at - self._at) * self._rate)
        self._at = at
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Buckets:
    """A bucket for everyone who asks; those who asked longest ago are forgotten first."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def check(self, who: str, at: float) -> None:
        """Take one for somebody; refuse who has none left."""
        bucket = self._buckets.pop(who, None) or Bucket(self._rate, self._burst)
        self._buckets[who] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        if not bucket.take(at):
            raise QueenhighError("rate", "too many requests: wait a little, then try again")
