"""Workers on a Ray cluster: chunks are tasks, and a task whose worker dies is done again."""

import os
from concurrent.futures import Future
from functools import lru_cache
from socket import create_connection
from typing import Any

from queenhigh.errors import QueenhighError
from queenhigh.sampling.plan import Plan
from queenhigh.sampling.tally import Counts, Tally
from queenhigh.simulation.run import sampler_of

__all__ = ["Cluster"]


class Cluster:
    """The workers of a Ray cluster by its address, or of one started here for ``local``."""

    seconds = 1.0

    def __init__(self, address: str, engine: str) -> None:
        if address == "local":  # Ray then listens on loopback alone, as it does on a Mac
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        try:
            import ray  # noqa: PLC0415 (it takes a second to load)
        except ImportError:
            told = "a cluster needs Ray: pip install 'queenhigh[cluster]'"
            raise QueenhighError("cluster.ray", told) from None
        self.ray: Any = ray
        self.engine = engine
        quiet = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
        if address == "local":
            ray.init("local", include_dashboard=False, **quiet)
        else:
            _join(ray, address, quiet)
        unit = "GPU" if engine == "cuda" else "CPU"
        self.count = int(ray.cluster_resources().get(unit, 0))
        if not self.count:
            self.close()
            raise QueenhighError("cluster.gpu", "the cluster has no GPU: leave --engine cuda out")
        self.task = ray.remote(max_retries=-1, num_gpus=int(unit == "GPU"))(_tally)
        self.plans: dict[int, tuple[Plan, Any]] = {}

    def submit(self, plan: Plan, start: int, rounds: int, /) -> Future[Tally]:
        """Start on a chunk; only the numbers of its tally come back."""
        if id(plan) not in self.plans:
            self.plans[id(plan)] = (plan, self.ray.put(plan))
        _, stored = self.plans[id(plan)]
        answer: Future[Tally] = Future()
        answered = self.task.remote([stored], self.engine, start, rounds).future()
        answered.add_done_callback(lambda done: _pass_on(plan, done, answer))
        return answer

    def close(self) -> None:
        """Leave the cluster; end it if it was started here."""
        self.ray.shutdown()


def _join(ray: Any, address: str, quiet: dict[str, Any]) -> None:
    """Join a cluster; look first whether anything answers there, since Ray would wait for long."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    try:
        if address != "auto":
            create_connection((host, int(port)), timeout=5).close()
        ray.init(address, **quiet)
    except (OSError, ValueError, OverflowError, RuntimeError):
        told = (
            f"there is no Ray cluster at {address}: write local, auto or HOST:PORT of one that"
            " runs, and set RAY_AUTH_MODE=token if it wants a token"
        )
        raise QueenhighError("cluster.address", told) from None


def _tally(stored: list[Any], engine: str, start: int, rounds: int) -> Counts:
    return sampler_of(engine)(_fetched(stored[0]), start, rounds).numbers


@lru_cache(maxsize=4)
def _fetched(stored: Any) -> Plan:
    """Fetch a plan once for all the chunks that a worker gets of it."""
    import ray  # noqa: PLC0415

    plan: Plan = ray.get(stored)
    return plan


def _pass_on(plan: Plan, done: "Future[Counts]", answer: "Future[Tally]") -> None:
    error = done.exception()
    if error is not None:
        answer.set_exception(error)
    else:
        answer.set_result(Tally(plan, done.result()))
