"""What is counted and timed, for Prometheus."""

from collections.abc import Callable

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

__all__ = ["Metrics"]

_SECONDS = (0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 5.0)


class Metrics:
    """The figures of one server."""

    def __init__(self) -> None:
        own = self._registry = CollectorRegistry()
        self.rounds = Counter(
            "queenhigh_rounds", "Rounds that ended, settled or void", ["game", "how"], registry=own
        )
        self.command = Histogram(
            "queenhigh_command_seconds",
            "From a command's arrival to its answer, on disk",
            buckets=_SECONDS,
            registry=own,
        )
        self.flush = Histogram(
            "queenhigh_store_seconds", "One commit for all who wait", buckets=_SECONDS, registry=own
        )
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

    def watch(self, sockets: Callable[[], float], tables: Callable[[], float]) -> None:
        """Say where to look for what goes up and down."""
        self._sockets.set_function(sockets)
        self._tables.set_function(tables)

    def watch_disk(self, free: Callable[[], float], age: Callable[[], float]) -> None:
        """Say where to look for the space that is left, and for the age of the last commit."""
        self._free.set_function(free)
        self._age.set_function(age)

    def text(self) -> bytes:
        """Return all figures as Prometheus reads them."""
        return generate_latest(self._registry)
