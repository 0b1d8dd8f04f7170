"""Workers on a Ray cluster: chunks are tasks, and a task whose worker dies is done again."""

import os
from concurrent.futures import Future
from contextlib import suppress
from functools import lru_cache
from socket import create_connection
from threading import Thread
from typing import Any

from queenhigh.errors import QueenhighError
from queenhigh.simulation.engines.plan import FastPlan
from queenhigh.simulation.engines.tally import Counts, Tally
from queenhigh.simulation.run import find_engine, sampler_of

__all__ = ["Cluster"]

#: How often a chunk is done again whose worker died, and the seconds a cluster has to answer.
_RETRIES = 10
_PATIENCE = 60


class Cluster:
    """The workers of a Ray cluster by its address, or of one started here for ``local``."""

    seconds = 2.0

    def __init__(self, address: str, engine: str) -> None:
        if address == "local":  # Ray then listens on loopback alone, as it does on a Mac
            os.environ.setdefault("RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER", "0")
        try:
            import ray  # noqa: PLC0415 (it takes a second to load)
        except ImportError:
            sentence = "a cluster needs Ray: pip install 'queenhigh[cluster]'"
            raise QueenhighError("cluster.ray", sentence) from None
        self.ray: Any = ray
        self.engine = find_engine(engine)
        if address == "local":
            _start(ray)
        else:
            _join(ray, address)
        unit = "GPU" if self.engine == "cuda" else "CPU"
        self.count = int(ray.cluster_resources().get(unit, 0))
        if not self.count:
            self.close()
            raise QueenhighError("cluster.gpu", "the cluster has no GPU: remove --engine cuda")
        self.cold = self.count
        self.task = ray.remote(max_retries=_RETRIES, num_gpus=int(unit == "GPU"))(_tally)
        self.plans: dict[int, tuple[FastPlan, Any]] = {}

    def submit(self, plan: FastPlan, start: int, rounds: int, /) -> Future[Tally]:
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


_QUIET = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}


def _start(ray: Any) -> None:
    """Start a cluster on this machine; its processes live as long as the thread that does."""
    try:
        ray.init("local", include_dashboard=False, **_QUIET)
    except (OSError, ValueError, RuntimeError) as error:
        raise QueenhighError("cluster.start", f"Ray cannot start here: {error}") from None


def _join(ray: Any, address: str) -> None:
    """Join a cluster. Ray would wait for minutes where none answers; this does not."""
    joined: list[bool] = []

    def join() -> None:
        with suppress(OSError, ValueError, OverflowError, RuntimeError):
            if address != "auto":
                host, _, port = address.removeprefix("ray://").rpartition(":")
                create_connection((host, int(port)), timeout=5).close()
            ray.init(address, **_QUIET)
            joined.append(True)

    joining = Thread(target=join, daemon=True)
    joining.start()
    joining.join(_PATIENCE)
    if not joined:
        sentence = (
            f"there is no Ray cluster at {address}: use local, auto or the HOST:PORT of a"
            " running cluster, and set RAY_AUTH_MODE=token if it needs a token"
        )
        raise QueenhighError("cluster.address", sentence)


def _tally(stored: list[Any], engine: str, start: int, rounds: int) -> Counts:
    return sampler_of(engine)(_fetched(stored[0]), start, rounds).numbers


@lru_cache(maxsize=4)
def _fetched(stored: Any) -> FastPlan:
    """Fetch a plan once for all the chunks that a worker gets of it."""
    import ray  # noqa: PLC0415

    plan: FastPlan = ray.get(stored)
    return plan


def _pass_on(plan: FastPlan, done: "Future[Counts]", answer: "Future[Tally]") -> None:
    error = done.exception()
    if error is not None:
        reason = str(error).strip().splitlines()[-1]
        sentence = f"a worker failed ({reason}): all nodes need the same queenhigh[cluster]"
        answer.set_exception(QueenhighError("cluster.failed", sentence))
    else:
        answer.set_result(Tally(plan, done.result()))
