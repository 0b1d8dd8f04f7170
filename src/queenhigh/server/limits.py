"""Rate limits: buckets that refill with time, by address and by session.

Every request and every message on a socket costs units: few if it is cheap, more if it is
expensive. An address has a budget for all sessions that share it, such as a classroom; a session
has a smaller one, for one person with several tabs. All clients of an address without a session
share half the budget of an address. An ordinary page stays far below all of these.
"""

from collections import OrderedDict
from dataclasses import dataclass
from itertools import islice
from math import ceil

from queenhigh.errors import QueenhighError
from queenhigh.server.client_address import network_of
from queenhigh.table.commands import Command, Leave, Sit, TopUp

__all__ = [
    "LOOK",
    "MALFORMED",
    "Bucket",
    "Buckets",
    "Group",
    "Limiter",
    "Limits",
    "TooMany",
    "cost_of",
    "cost_of_bots",
    "cost_of_command",
    "group_of",
]


@dataclass(frozen=True)
class Limits:
    """The limits of one server. Rates are per second."""

    messages: float = 10
    messages_at_once: float = 20
    message_bytes: int = 4096
    body_bytes: int = 65_536
    sockets_each: int = 5
    #: Sockets without a session, from one address.
    sockets_at_address: int = 200
    #: Sockets of one network in all, and connections including sockets.
    sockets_of_network: int = 500
    connections: int = 500
    sockets: int = 5_000
    #: A socket that takes nothing for this many seconds is closed.
    patience: float = 10
    tables_each: int = 3
    #: For a guest, and for an account that is younger than a day.
    tables_of_guest: int = 1
    tables_of_new: int = 2
    tables_at_address: int = 20
    tables: int = 200
    #: How many of all tables are reserved for the floor.
    tables_of_floor: int = 20
    #: New guests, accounts and logins from one address.
    entries: float = 0.5
    entries_at_once: float = 60
    #: Tables opened and passwords changed by one session.
    deeds: float = 0.1
    deeds_at_once: float = 10
    #: Odds and other heavy work for one player, or one address: as fast as people type.
    works: float = 10
    works_at_once: float = 12
    #: Units of one session. A page in five tabs needs about five a second.
    units: float = 40
    units_at_once: float = 200
    #: Units of all sessions of one address; clients without a session have half as many. Forty
    #: players need about a hundred a second, and about five hundred when they all open their page.
    units_at_address: float = 400
    units_at_address_at_once: float = 2_000
    #: HTTP requests of all clients; with more the room is busy. Then clients wait whose address
    #: sends more than the limit below, which allows the lobbies of thirty pages.
    requests: float = 100
    requests_at_once: float = 500
    requests_at_address: float = 10
    requests_at_address_at_once: float = 60
    #: How many seconds such requests wait, and refusals at most, so that floods are slow.
    held_back: float = 1.0
    #: How many requests of one address may wait; others are refused at once.
    held_back_at_address: int = 50


#: Clients that share a queue: those of a network with a session, or those without.
Group = tuple[str, bool]


def group_of(address: str, session: bytes | None) -> Group:
    """Return the group that a client belongs to."""
    return network_of(address), session is not None


class TooMany(QueenhighError):
    """A client is over its limit; it may try again after ``seconds``."""

    def __init__(self, seconds: float, code: str = "rate", message: str = "") -> None:
        self.seconds = seconds
        usual = f"too many requests: wait {self.retry_after} s, then try again"
        super().__init__(code, message or usual)

    @property
    def retry_after(self) -> str:
        """Whole seconds, for the header of that name."""
        return str(max(1, ceil(min(self.seconds, 3600))))


class Bucket:
    """A token bucket: ``burst`` at once, and ``rate`` a second after that."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, 0.0
        #: How much was taken since the other processes were last notified of it.
        self.taken = 0.0

    def wait(self, time_s: float, cost: float = 1) -> float:
        """Return in how many seconds there is enough; 0 if there is enough now."""
        self.take(time_s, 0)  # only fills the bucket
        return max(0.0, min(cost, self._burst) - self._left) / self._rate

    def take(self, time_s: float, cost: float = 1) -> bool:
        """Take ``cost`` from the bucket; return whether there was enough."""
        left, burst = self._left, self._burst
        if left < burst and time_s > self._at:
            left += (time_s - self._at) * self._rate
            left = min(left, burst)
        self._at = time_s
        is_enough = left >= cost or left >= burst
        if is_enough:
            left -= cost
            self.taken += cost
        self._left = left
        return is_enough

    def drain(self, time_s: float, cost: float) -> None:
        """Take what a client has taken at another process, even if there is too little."""
        self.take(time_s, 0)  # only fills the bucket
        self._left = max(self._left - cost, -self._burst)


class Buckets:
    """A bucket for each client; those used longest ago are forgotten first."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[object, Bucket] = OrderedDict()

    def of(self, key: object) -> Bucket:
        """Return the bucket of a client."""
        bucket = self._buckets.get(key)
        if bucket is not None:
            self._buckets.move_to_end(key)
            return bucket
        bucket = self._buckets[key] = Bucket(self._rate, self._burst)
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket

    def check(self, key: object, time_s: float) -> None:
        """Take one from the bucket of a client; refuse if it is empty."""
        bucket = self.of(key)
        if not bucket.take(time_s):
            raise TooMany(bucket.wait(time_s))

    def take_news(self, most: int) -> dict[object, float]:
        """Return how much clients took since the last call, of those who came last."""
        news: dict[object, float] = {}
        for key in islice(reversed(self._buckets), most):
            bucket = self._buckets[key]
            if bucket.taken:
                news[key], bucket.taken = bucket.taken, 0.0
        return news


class Limiter:
    """The budgets of all clients."""

    def __init__(self, limits: Limits) -> None:
        self._addresses = Buckets(limits.units_at_address, limits.units_at_address_at_once)
        self._anonymous = Buckets(limits.units_at_address / 2, limits.units_at_address_at_once / 2)
        self._sessions = Buckets(limits.units, limits.units_at_once)
        self._requests = Bucket(limits.requests, limits.requests_at_once)
        self._brisk = Buckets(limits.requests_at_address, limits.requests_at_address_at_once)
        self._entries = Buckets(limits.entries, limits.entries_at_once)
        self._deeds = Buckets(limits.deeds, limits.deeds_at_once)
        self._works = Buckets(limits.works, limits.works_at_once)

    def shared(self) -> dict[str, Buckets]:
        """Return the budgets that all processes of a room share, by name."""
        return {
            "addresses": self._addresses,
            "anonymous": self._anonymous,
            "sessions": self._sessions,
            "entries": self._entries,
            "deeds": self._deeds,
            "works": self._works,
        }

    def check(self, address: str, session: bytes | None, cost: float, time_s: float) -> None:
        """Charge a session and its address; refuse if either has too little left.

        A refused request of a session is not charged to its address. Without a session, the
        budget that all such clients of the address share is charged.
        """
        network = network_of(address)
        if session is None:
            buckets = [self._anonymous.of(network)]
        else:
            buckets = [self._sessions.of(session), self._addresses.of(network)]
        wait = max(bucket.wait(time_s, cost) for bucket in buckets)
        if wait:
            raise TooMany(wait)
        for bucket in buckets:
            bucket.take(time_s, cost)

    def check_session(self, session: bytes, cost: float, time_s: float) -> None:
        """Charge a player's message to the session alone, whatever others at the address do."""
        bucket = self._sessions.of(session)
        if not bucket.take(time_s, cost):
            raise TooMany(bucket.wait(time_s, cost))

    def must_wait(self, address: str, session: bytes | None, time_s: float) -> bool:
        """Return whether an HTTP request has to wait: the room and its group are busy."""
        group = group_of(address, session)
        return self._brisk.of(group).wait(time_s) > 0 and self._requests.wait(time_s) > 0

    def count_request(self, address: str, session: bytes | None, time_s: float) -> None:
        """Count an HTTP request that is admitted."""
        self._brisk.of(group_of(address, session)).take(time_s)
        self._requests.take(time_s)

    def check_entry(self, address: str, time_s: float) -> None:
        """Refuse an address that makes too many names or tries too many passwords."""
        self._entries.check(network_of(address), time_s)

    def check_deed(self, session: bytes, time_s: float) -> None:
        """Refuse a session that changes its password or opens tables too often."""
        self._deeds.check(session, time_s)

    def check_work(self, player: str | None, address: str, time_s: float) -> None:
        """Refuse clients that ask for too much heavy work."""
        self._works.check(("player", player) if player else network_of(address), time_s)


#: Commands that move chips to and from wallets.
_MOVES_CHIPS = frozenset({Sit, TopUp, Leave})
_CHEAP, _USUAL, _CHANGE, _DEAR, _SOCKET, _TRANSFER = 0.1, 1.0, 2.0, 3.0, 5.0, 15.0
#: The cost of the message ``look``.
LOOK = 3.0
#: The cost of a message that cannot be read.
MALFORMED = 1.0
#: Endings of paths that need a worker process, or a write.
_ENDS_DEAR = ("/advice", "/strategy", "/odds", "/bank", "/sample", "/rules", "/rulebook-file",
              "/drill", "/numbers", "/history", "/bankroll", "/rounds.jsonl", "/rounds.phhs",
              "/guests", "/accounts", "/sessions", "/password", "/name", "/chips")  # fmt: skip


def cost_of(method: str, path: str) -> float:
    """Return the cost of a request: files of the page cost little, heavy work most."""
    if not path.startswith("/api/"):
        return _CHEAP if path not in ("/metrics", "/openapi.json") else _DEAR
    if path.endswith(_ENDS_DEAR) or "/rounds/" in path or "/sheets/" in path:
        return _DEAR
    if path.endswith("/socket"):
        return _SOCKET
    return _USUAL if method == "GET" else _CHANGE


def cost_of_bots(count: int) -> float:
    """Return the cost of the bots of a new table, without the table itself."""
    return _CHANGE * count


def cost_of_command(command: Command) -> float:
    """Return the cost of a command: those that move chips to and from wallets cost most."""
    return _TRANSFER if type(command) in _MOVES_CHIPS else _USUAL
