"""Delays of logins, in place of locks: guessing is slow, and strangers lock nobody out.

Passwords of one name are tried one after another. After a few failures each try is delayed, longer
each time: by name and address together, and less by name alone. An address that has used a name
before has its own queue, and is delayed for its own failures only. Queues are short, one place in
each is reserved for networks that have not failed there, and no network gets many places. Whether
the name exists makes no difference.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from weakref import WeakValueDictionary

from queenhigh.server.client_address import network_of
from queenhigh.server.limits import TooMany

__all__ = ["LoginDelays"]

#: How many wrong passwords are free; then the first delay in seconds, which doubles.
_FREE, _FIRST = 3, 0.5
#: The longest delays: by name and address, and by name alone.
_LONGEST, _LONGEST_BY_NAME = 30.0, 8.0
#: Failures are forgotten this many seconds after the last.
_FORGET = 15 * 60.0
#: How many may wait: in one queue, of one network in it, of one network in all, and altogether.
_IN_LINE, _OF_NETWORK_IN_LINE, _OF_NETWORK, _IN_ALL = 8, 2, 6, 64
#: How many of a network may wait with names that were used there before, as in a classroom.
_OF_NETWORK_KNOWN = 40
_MOST_KEPT = 20_000
#: How many failures wait to be sent to other processes.
_MOST_NEWS = 200

Sleep = Callable[[float], Awaitable[None]]
_Line = tuple[str, str]


class LoginDelays:
    """The tries of passwords that wait, and for how long."""

    def __init__(
        self, sleep: Sleep = asyncio.sleep, clock: Callable[[], float] = monotonic
    ) -> None:
        self._sleep, self._clock = sleep, clock
        self._login_locks: WeakValueDictionary[_Line, asyncio.Lock] = WeakValueDictionary()
        self._waiting: Counter[object] = Counter()
        self._failures: OrderedDict[_Line, tuple[int, float]] = OrderedDict()
        self._known: OrderedDict[_Line, None] = OrderedDict()
        #: Failures that the other processes do not know yet.
        self.news: list[tuple[str, str]] = []

    def remember(self, name: str, address: str) -> None:
        """Remember that a name is used from an address."""
        pair = (name, network_of(address))
        self._known[pair] = None
        self._known.move_to_end(pair)
        if len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)

    @asynccontextmanager
    async def turn(self, name: str, address: str) -> AsyncIterator[None]:
        """Wait until a password may be tried; refuse if too many wait already."""
        network = network_of(address)
        line = (name, network) if (name, network) in self._known else (name, "")
        counted = self._places(line, network)
        if any(self._waiting[what] >= most for what, most in counted.items()):
            sentence = "too many passwords are being tried: wait a minute, then try again"
            raise TooMany(60, "login.busy", sentence)
        self._waiting.update(counted.keys())
        try:
            async with self._login_locks.setdefault(line, asyncio.Lock()):
                wait = self._wait(line, network)
                if wait:
                    await self._sleep(wait)
                yield
        finally:
            self._waiting.subtract(counted.keys())
            for what in counted:
                if not self._waiting[what]:
                    del self._waiting[what]

    def _places(self, line: _Line, network: str) -> dict[object, int]:
        """Return the counters of a try that waits, with the most that each may count.

        Tries from addresses where the name is known take no place from others.
        """
        in_line: dict[object, int] = {(line, network): _OF_NETWORK_IN_LINE}
        if line[1]:
            return in_line | {("known", network): _OF_NETWORK_KNOWN}
        is_new = not self._count((line[0], network)) and not self._waiting[line, network]
        in_line[line] = _IN_LINE if is_new else _IN_LINE - 1
        return in_line | {network: _OF_NETWORK, None: _IN_ALL}

    def fail(self, name: str, address: str) -> None:
        """Count a wrong password, here and at the other processes of the room."""
        self.news.append((name, network_of(address)))
        del self.news[:-_MOST_NEWS]
        self.count_failure(name, address)

    def count_failure(self, name: str, address: str) -> None:
        """Count a wrong password that was tried here or elsewhere."""
        network = network_of(address)
        for key in {(name, network), (name, "")}:
            self._failures[key] = (self._count(key) + 1, self._clock())
            self._failures.move_to_end(key)
        while len(self._failures) > _MOST_KEPT:
            self._failures.popitem(last=False)

    def succeed(self, name: str, address: str) -> None:
        """Forget an address's failures with a name: it knows the password."""
        self._failures.pop((name, network_of(address)), None)
        self.remember(name, address)

    def _wait(self, line: _Line, network: str) -> float:
        """Return the delay of the next try in a queue."""
        name = line[0]
        own = _seconds(self._count((name, network)), _LONGEST)
        return own if line[1] else max(own, _seconds(self._count((name, "")), _LONGEST_BY_NAME))

    def _count(self, key: _Line) -> int:
        count, last = self._failures.get(key, (0, 0.0))
        return count if self._clock() - last < _FORGET else 0


def _seconds(failures: int, longest: float) -> float:
    return min(longest, _FIRST * 2.0 ** min(failures - _FREE, 20)) if failures >= _FREE else 0.0
