"""The server's metrics, for Prometheus."""

import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from itertools import accumulate

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector

__all__ = ["Metrics"]

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class _Times(Collector):
    """How long something took. Counts in a list: a Histogram of the library costs far more."""

    def __init__(self, name: str, text: str, registry: CollectorRegistry) -> None:
        self._name, self._text = name, text
        #: How many took at most as long as each bound and longer than the one before it.
        self._counts = [0] * (len(_SECONDS) + 1)
        self._sum = 0.0
        self._created = time.time()
        registry.register(self)

    def observe(self, seconds: float) -> None:
        """Count a time."""
        self._counts[bisect_left(_SECONDS, seconds)] += 1
        self._sum += seconds

    def collect(self) -> Iterator[HistogramMetricFamily]:
        """Yield the times as a histogram."""
        bounds = [*map(str, _SECONDS), "+Inf"]
        buckets = zip(bounds, accumulate(self._counts), strict=True)
        family = HistogramMetricFamily(self._name, self._text)
        family.add_metric([], list(buckets), self._sum)
        family.add_sample(f"{self._name}_created", {}, self._created)
        yield family


class Metrics:
    """The metrics of one server."""

    def __init__(self) -> None:
        own = self._registry = CollectorRegistry()
        self.rounds = Counter(
            "queenhigh_rounds", "Rounds that ended, settled or void", ["game", "how"], registry=own
        )
        self.command = _Times(
            "queenhigh_command_seconds", "From a command's arrival to its answer, on disk", own
        )
        self.flush = _Times("queenhigh_store_seconds", "One commit for all who wait", own)
        self.stalls = Counter("queenhigh_store_stalls", "Commits that took too long", registry=own)
        self.refusals = Counter(
            "queenhigh_refusals", "Refused commands, by code", ["code"], registry=own
        )
        self.closed = Counter(
            "queenhigh_sockets_closed", "Ended by us, by code", ["code"], registry=own
        )
        self._sockets = Gauge("queenhigh_sockets", "Open sockets", registry=own)
        self._tables = Gauge("queenhigh_tables", "Live tables", registry=own)
        self._free = Gauge("queenhigh_disk_free_bytes", "Free on the store's disk", registry=own)
        self._age = Gauge("queenhigh_commit_age_seconds", "Since the last commit", registry=own)

    def observe_command(self, seconds: float) -> None:
        """Record how long a command took from its arrival to its reply."""
        self.command.observe(seconds)

    def observe_commit(self, seconds: float) -> None:
        """Record how long a commit took."""
        self.flush.observe(seconds)

    def count_round(self, game: str, how: str) -> None:
        """Count a round that ended."""
        self.rounds.labels(game, how).inc()

    def count_refusal(self, code: str) -> None:
        """Count a refused command."""
        self.refusals.labels(code).inc()

    def count_close(self, code: str) -> None:
        """Count a socket that the server closed."""
        self.closed.labels(code).inc()

    def watch(self, sockets: Callable[[], float], tables: Callable[[], float]) -> None:
        """Set the functions that count open sockets and live tables."""
        self._sockets.set_function(sockets)
        self._tables.set_function(tables)

    def watch_disk(self, free: Callable[[], float], age: Callable[[], float]) -> None:
        """Set the functions that return the free space, and the age of the last commit."""
        self._free.set_function(free)
        self._age.set_function(age)

    def watch_processes(
        self,
        held: Callable[[], float],
        processes: Callable[[], float],
        lag: Callable[[], float],
    ) -> None:
        """Add the figures of a process that serves a room together with others."""
        own = self._registry
        held_tables = Gauge("queenhigh_leases", "Tables that this process holds", registry=own)
        alive = Gauge("queenhigh_processes", "Processes that serve the room", registry=own)
        behind = Gauge(
            "queenhigh_lease_lag_seconds", "Since the leases were last renewed", registry=own
        )
        held_tables.set_function(held)
        alive.set_function(processes)
        behind.set_function(lag)

    def text(self) -> bytes:
        """Return all metrics as Prometheus reads them."""
        return generate_latest(self._registry)
