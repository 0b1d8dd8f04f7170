"""The throttle of requests: each is charged, and some wait first, so that floods are slow.

Requests with a valid session are charged to the session and its address; those without one are
charged to a budget that all such clients of an address share. So clients without a name cannot
starve players at the same address. A request that is refused costs nothing.
"""

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from time import monotonic

from queenhigh.server.limits import Group, Limiter, Limits, TooMany, group_of

__all__ = ["Throttle"]

Headers = Mapping[str, str]


class Throttle:
    """Charges all requests; the floor's are never refused."""

    def __init__(
        self,
        limits: Limits,
        limiter: Limiter,
        session_of: Callable[[Headers], bytes | None],
        is_floor: Callable[[Headers], bool],
    ) -> None:
        self._limits, self._limiter = limits, limiter
        self._session_of, self._is_floor = session_of, is_floor
        #: How many requests wait, by group.
        self._held: Counter[Group] = Counter()

    def charge(self, address: str, headers: Headers, cost: float) -> None:
        """Charge a request; refuse it if too little is left."""
        self._charge(address, self._session_of(headers), headers, cost)

    def _charge(self, address: str, session: bytes | None, headers: Headers, cost: float) -> None:
        time_s = monotonic()
        try:
            self._limiter.check(address, session, cost, time_s)
        except TooMany:
            if not self._is_floor(headers):
                raise
        else:
            self._limiter.count_request(address, session, time_s)

    async def admit(self, address: str, headers: Headers, cost: float) -> None:
        """Charge a request, and delay it while the room is busy.

        A refusal is delayed too, unless too many requests of the same group wait already.
        """
        session = self._session_of(headers)
        group = group_of(address, session)
        waits = self._limiter.must_wait(address, session, monotonic())
        waits = waits and not self._is_floor(headers)
        if waits and self._is_full(group):
            raise TooMany(self._limits.held_back)
        try:
            self._charge(address, session, headers, cost)
        except TooMany as error:
            await self._hold(group, min(error.seconds, self._limits.held_back))
            raise
        if waits:
            await self._hold(group, self._limits.held_back)

    def _is_full(self, group: Group) -> bool:
        return self._held[group] >= self._limits.held_back_at_address

    async def _hold(self, group: Group, seconds: float) -> None:
        """Delay a request, unless too many wait already."""
        if self._is_full(group):
            return
        self._held[group] += 1
        try:
            await asyncio.sleep(seconds)
        finally:
            self._held[group] -= 1
            if not self._held[group]:
                del self._held[group]
