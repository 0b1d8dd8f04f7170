"""Slower logins in place of locks: who guesses waits, and nobody is kept out by strangers.

Passwords of one name are tried one after another. After a few failures each try waits first, longer
each time: by the name and address together, and less by the name alone. An address that a name was
used from before has a line of its own, and waits only for its own failures. Lines are short, one
place in each is kept for networks that have not failed there, and no network has many places.
Whether there is such a name makes no difference.
"""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from time import monotonic
from weakref import WeakValueDictionary

from queenhigh.server.limits import TooMany
from queenhigh.server.peers import network_of

__all__ = ["Logins"]

#: So many wrong passwords cost nothing; then the wait begins, in seconds, and doubles.
_FREE, _FIRST = 3, 0.5
#: The longest waits: by name and address, and by name alone.
_LONGEST, _LONGEST_BY_NAME = 30.0, 8.0
#: Failures are forgotten so many seconds after the last.
_FORGET = 15 * 60.0
#: How many may wait: in one line, of one network in it, of one network with all names, and in all.
_IN_LINE, _OF_NETWORK_IN_LINE, _OF_NETWORK, _IN_ALL = 8, 2, 6, 64
#: How many of a network may wait with names that were used there before: a classroom, say.
_OF_NETWORK_KNOWN = 40
_MOST_KEPT = 20_000

Sleep = Callable[[float], Awaitable[None]]
_Line = tuple[str, str]


class Logins:
    """Who waits to try a password, and for how long."""

    def __init__(
        self, sleep: Sleep = asyncio.sleep, clock: Callable[[], float] = monotonic
    ) -> None:
        self._sleep, self._clock = sleep, clock
        self._doors: WeakValueDictionary[_Line, asyncio.Lock] = WeakValueDictionary()
        self._waiting: Counter[object] = Counter()
        self._failures: OrderedDict[_Line, tuple[int, float]] = OrderedDict()
        self._known: OrderedDict[_Line, None] = OrderedDict()

    def remember(self, name: str, address: str) -> None:
        """Remember that a name is used from an address."""
        pair = (name, network_of(address))
        self._known[pair] = None
        self._known.move_to_end(pair)
        if len(self._known) > _MOST_KEPT:
            self._known.popitem(last=False)

    @asynccontextmanager
    async def turn(self, name: str, address: str) -> AsyncIterator[None]:
        """Wait until a password may be tried; refuse where too many wait already."""
        network = network_of(address)
        line = (name, network) if (name, network) in self._known else (name, "")
        counted = self._places(line, network)
        if any(self._waiting[what] >= most for what, most in counted.items()):
            told = "too many passwords are being tried: wait a minute, then try again"
            raise TooMany(60, "login.busy", told)
        self._waiting.update(counted.keys())
        try:
            async with self._doors.setdefault(line, asyncio.Lock()):
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
        """Return what a try counts for while it waits, and how many of each may wait.

        Those who come from where the name is known take no place from anybody else.
        """
        in_line: dict[object, int] = {(line, network): _OF_NETWORK_IN_LINE}
        if line[1]:
            return in_line | {("known", network): _OF_NETWORK_KNOWN}
        is_new = not self._count((line[0], network)) and not self._waiting[line, network]
        in_line[line] = _IN_LINE if is_new else _IN_LINE - 1
        return in_line | {network: _OF_NETWORK, None: _IN_ALL}

    def fail(self, name: str, address: str) -> None:
        """Count a wrong password."""
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
        """Return for how long the next try of a line waits."""
        name = line[0]
        own = _seconds(self._count((name, network)), _LONGEST)
        return own if line[1] else max(own, _seconds(self._count((name, "")), _LONGEST_BY_NAME))

    def _count(self, key: _Line) -> int:
        count, last = self._failures.get(key, (0, 0.0))
        return count if self._clock() - last < _FORGET else 0


def _seconds(failures: int, longest: float) -> float:
    return min(longest, _FIRST * 2.0 ** min(failures - _FREE, 20)) if failures >= _FREE else 0.0
