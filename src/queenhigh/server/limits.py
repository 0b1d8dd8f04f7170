"""How much one may ask for: buckets that fill with time, by address and by session.

Everything that is asked costs units, over HTTP and on sockets alike: little if it is cheap, more
if it is dear. An address has a budget for all sessions that share it, a classroom, say; a session
has a smaller one, for one person with several tabs. Clients without a session have half as much as
an address has, all of one address together. What an honest page asks for is far below all of these.
"""

from collections import OrderedDict
from dataclasses import dataclass
from math import ceil

from queenhigh.errors import QueenhighError
from queenhigh.server.peers import network_of
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
    """What one server grants. Rates are per second."""

    messages: float = 10
    messages_at_once: float = 20
    message_bytes: int = 4096
    body_bytes: int = 65_536
    sockets_each: int = 5
    #: Sockets without a session, from one address.
    sockets_at_address: int = 200
    #: Sockets of one network in all, and connections, sockets among them.
    sockets_of_network: int = 500
    connections: int = 500
    sockets: int = 5_000
    #: A socket that takes nothing for so many seconds is closed.
    patience: float = 10
    tables_each: int = 3
    #: Of a guest, and of an account that is younger than a day.
    tables_of_guest: int = 1
    tables_of_new: int = 2
    tables_at_address: int = 20
    tables: int = 200
    #: So many of all are kept for the floor.
    tables_of_floor: int = 20
    #: New guests, accounts and logins from one address.
    entries: float = 0.5
    entries_at_once: float = 60
    #: Tables and changes of a password of one session.
    deeds: float = 0.1
    deeds_at_once: float = 10
    #: Odds and other heavy work that one player, or one address, may ask for: as fast as one types.
    works: float = 10
    works_at_once: float = 12
    #: Units that one session has. A page in five tabs needs about five a second.
    units: float = 40
    units_at_once: float = 200
    #: Units that all sessions of one address have; clients without one have half as much. Forty
    #: players need about a hundred a second; that many pages that open at once take about five
    #: hundred.
    units_at_address: float = 400
    units_at_address_at_once: float = 2_000
    #: Requests over HTTP of all together; with more the room is busy, and who asks for more than
    #: one address should, lobbies of thirty pages, say, waits.
    requests: float = 100
    requests_at_once: float = 500
    requests_at_address: float = 10
    requests_at_address_at_once: float = 60
    #: So many seconds, up to which a refusal takes as well: no flood is fast then.
    held_back: float = 1.0
    #: So many requests of one address wait at most; others are refused at once.
    held_back_at_address: int = 50


#: Clients that wait in one line: those of a network that have a session, or that have none.
Group = tuple[str, bool]


def group_of(address: str, session: bytes | None) -> Group:
    """Return which line a client waits in."""
    return network_of(address), session is not None


class TooMany(QueenhighError):
    """Somebody asks for too much; ``seconds`` later they may again."""

    def __init__(self, seconds: float, code: str = "rate", message: str = "") -> None:
        self.seconds = seconds
        usual = f"too many requests: wait {self.retry_after} s, then try again"
        super().__init__(code, message or usual)

    @property
    def retry_after(self) -> str:
        """Whole seconds, for the header of that name."""
        return str(max(1, ceil(min(self.seconds, 3600))))


class Bucket:
    """Lets ``burst`` through at once, and ``rate`` a second after that."""

    def __init__(self, rate: float, burst: float) -> None:
        self._rate, self._burst = rate, burst
        self._left, self._at = burst, 0.0

    def wait(self, at: float, cost: float = 1) -> float:
        """Return in how many seconds there is enough; 0: there is."""
        self._left = min(self._burst, self._left + max(0.0, at - self._at) * self._rate)
        self._at = at
        return max(0.0, min(cost, self._burst) - self._left) / self._rate

    def take(self, at: float, cost: float = 1) -> bool:
        """Take some at a time in seconds; tell whether there was enough."""
        if self.wait(at, cost):
            return False
        self._left -= cost
        return True


class Buckets:
    """A bucket for everyone who asks; those who asked longest ago are forgotten first."""

    def __init__(self, rate: float, burst: float, most: int = 10_000) -> None:
        self._rate, self._burst, self._most = rate, burst, most
        self._buckets: OrderedDict[object, Bucket] = OrderedDict()

    def of(self, who: object) -> Bucket:
        """Return somebody's bucket."""
        bucket = self._buckets.pop(who, None) or Bucket(self._rate, self._burst)
        self._buckets[who] = bucket
        if len(self._buckets) > self._most:
            self._buckets.popitem(last=False)
        return bucket

    def check(self, who: object, at: float) -> None:
        """Take one for somebody; refuse who has none left."""
        bucket = self.of(who)
        if not bucket.take(at):
            raise TooMany(bucket.wait(at))


class Limiter:
    """The budgets of everyone who asks for anything."""

    def __init__(self, limits: Limits) -> None:
        self._addresses = Buckets(limits.units_at_address, limits.units_at_address_at_once)
        self._nameless = Buckets(limits.units_at_address / 2, limits.units_at_address_at_once / 2)
        self._sessions = Buckets(limits.units, limits.units_at_once)
        self._requests = Bucket(limits.requests, limits.requests_at_once)
        self._brisk = Buckets(limits.requests_at_address, limits.requests_at_address_at_once)
        self._entries = Buckets(limits.entries, limits.entries_at_once)
        self._deeds = Buckets(limits.deeds, limits.deeds_at_once)
        self._works = Buckets(limits.works, limits.works_at_once)

    def check(self, address: str, session: bytes | None, cost: float, at: float) -> None:
        """Take what something costs from a session and its address; refuse if that is not there.

        What a session may not is not taken from those who share its address. Without a session it
        is taken from what all such clients of the address have.
        """
        network = network_of(address)
        if session is None:
            buckets = [self._nameless.of(network)]
        else:
            buckets = [self._sessions.of(session), self._addresses.of(network)]
        wait = max(bucket.wait(at, cost) for bucket in buckets)
        if wait:
            raise TooMany(wait)
        for bucket in buckets:
            bucket.take(at, cost)

    def check_session(self, session: bytes, cost: float, at: float) -> None:
        """Take what a player's message costs from the session alone: no neighbour matters."""
        bucket = self._sessions.of(session)
        if not bucket.take(at, cost):
            raise TooMany(bucket.wait(at, cost))

    def is_to_wait(self, address: str, session: bytes | None, at: float) -> bool:
        """Tell whether a request over HTTP waits, since the room and its senders are busy."""
        group = group_of(address, session)
        return self._brisk.of(group).wait(at) > 0 and self._requests.wait(at) > 0

    def count_request(self, address: str, session: bytes | None, at: float) -> None:
        """Count a request over HTTP that is let in."""
        self._brisk.of(group_of(address, session)).take(at)
        self._requests.take(at)

    def check_entry(self, address: str, at: float) -> None:
        """Refuse an address that makes too many names or tries too many passwords."""
        self._entries.check(network_of(address), at)

    def check_deed(self, session: bytes, at: float) -> None:
        """Refuse a session that changes its password or opens tables too often."""
        self._deeds.check(session, at)

    def check_work(self, player: str | None, address: str, at: float) -> None:
        """Refuse who asks for too much heavy work."""
        self._works.check(("player", player) if player else network_of(address), at)


_CHEAP, _USUAL, _CHANGE, _DEAR, _SOCKET, _TRANSFER = 0.1, 1.0, 2.0, 3.0, 5.0, 15.0
#: What it costs to be shown a table once more.
LOOK = 3.0
#: What a message costs that cannot be read.
MALFORMED = 1.0
#: What paths end with that are worked out in another process, or in this one with a write.
_ENDS_DEAR = ("/advice", "/strategy", "/odds", "/rules", "/drill", "/numbers", "/history",
              "/bankroll", "/rounds.jsonl", "/rounds.phhs", "/guests", "/accounts", "/sessions",
              "/password", "/chips")  # fmt: skip


def cost_of(method: str, path: str) -> float:
    """Return what a request costs: files of the page little, what is worked out most."""
    if not path.startswith("/api/"):
        return _CHEAP if path not in ("/metrics", "/openapi.json") else _DEAR
    if path.endswith(_ENDS_DEAR) or "/rounds/" in path:
        return _DEAR
    if path.endswith("/socket"):
        return _SOCKET
    return _USUAL if method == "GET" else _CHANGE


def cost_of_bots(count: int) -> float:
    """Return what the bots of a new table cost beside the table itself."""
    return _CHANGE * count


def cost_of_command(command: Command) -> float:
    """Return what a command costs: what moves chips to and from wallets most."""
    return _TRANSFER if isinstance(command, Sit | TopUp | Leave) else _USUAL
