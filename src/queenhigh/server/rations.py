"""What every request pays, and which ones wait first: no flood is fast.

Whoever has a valid session pays from its budget and from the address's; whoever has none pays from
a budget that all such clients of an address share. So nobody without a name can starve players who
share their address. A request that is refused costs nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from time import monotonic

from queenhigh.server.limits import Group, Limiter, Limits, TooMany, group_of

__all__ = ["Rations"]

Headers = Mapping[str, str]


class Rations:
    """The till that all requests pass; the floor pays nothing."""

    def __init__(
        self,
        limits: Limits,
        limiter: Limiter,
        session_of: Callable[[Headers], bytes | None],
        is_floor: Callable[[Headers], bool],
    ) -> None:
        self._limits, self._limiter = limits, limiter
        self._session_of, self._is_floor = session_of, is_floor
        #: How many requests wait, by who sent them.
        self._held: Counter[Group] = Counter()

    def take(self, address: str, headers: Headers, cost: float) -> None:
        """Take what a request costs; refuse whoever has too little left."""
        self._take(address, self._session_of(headers), headers, cost)

    def _take(self, address: str, session: bytes | None, headers: Headers, cost: float) -> None:
        at = monotonic()
        try:
            self._limiter.check(address, session, cost, at)
        except TooMany:
            if not self._is_floor(headers):
                raise
        else:
            self._limiter.count_request(address, session, at)

    async def pay(self, address: str, headers: Headers, cost: float) -> None:
        """Take what a request costs, and let it wait where the room is busy.

        A refusal takes a while too, unless too many requests of the same senders wait already.
        """
        session = self._session_of(headers)
        group = group_of(address, session)
        waits = self._limiter.is_to_wait(address, session, monotonic())
        waits = waits and not self._is_floor(headers)
        if waits and self._is_full(group):
            raise TooMany(self._limits.held_back)
        try:
            self._take(address, session, headers, cost)
        except TooMany as error:
            await self._hold(group, min(error.seconds, self._limits.held_back))
            raise
        if waits:
            await self._hold(group, self._limits.held_back)

    def _is_full(self, group: Group) -> bool:
        return self._held[group] >= self._limits.held_back_at_address

    async def _hold(self, group: Group, seconds: float) -> None:
        """Let a request wait, unless too many do so already."""
        if self._is_full(group):
            return
        self._held[group] += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self._held[group] -= 1
            if not self._held[group]:
                del self._held[group]
