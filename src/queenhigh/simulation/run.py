"""Run a simulation: cut it into chunks, spread them over threads or a cluster, add the tallies."""

from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from importlib.util import find_spec
from os import cpu_count
from time import perf_counter
from typing import Protocol, Unpack

from queenhigh.errors import QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.simulation.engines import scalar
from queenhigh.simulation.engines.plan import FastPlan, most_rounds
from queenhigh.simulation.engines.tally import Tally
from queenhigh.simulation.result import Simulation
from queenhigh.simulation.terms import Terms, make_plan

__all__ = ["ENGINES", "Progress", "Sampler", "Threads", "Workers", "check_rounds", "find_engine",
           "run", "sampler_of", "simulate", "warm_up"]  # fmt: skip

Sampler = Callable[[FastPlan, int, int], Tally]
#: Called now and then with the tally so far and the seconds it took.
Progress = Callable[[Tally, float], None]

ENGINES = ("auto", "scalar", "compiled", "cuda")

_FIRST_CHUNK = {"scalar": 64, "compiled": 2**16, "cuda": 2**26}


def simulate(book: Rulebook, rounds: int = 1_000_000, **terms: Unpack[Terms]) -> Simulation:
    """Simulate whole rounds of a table with the fastest engine there is on this machine's cores."""
    return run(make_plan(book, terms), rounds)


class Workers(Protocol):
    """Something that tallies chunks of rounds, several at once."""

    engine: str
    count: int
    #: How many chunks it takes until every worker is ready.
    cold: int
    #: How long a chunk should take: short enough to stop soon, long enough to be worth starting.
    seconds: float

    def submit(self, plan: FastPlan, start: int, rounds: int, /) -> Future[Tally]:
        """Start on a chunk."""

    def close(self) -> None:
        """Release all resources."""


class Threads:
    """Workers on this machine's cores."""

    cold = 1
    seconds = 0.1

    def __init__(self, engine: str = "auto", count: int | None = None) -> None:
        self.engine = find_engine(engine)
        if count is not None and self.engine != "compiled":
            sentence = f"the {self.engine} engine has only one thread: remove the number of threads"
            raise QueenhighError("engine.threads", sentence)
        self.sampler = sampler_of(self.engine)
        self.count = (count or cpu_count() or 1) if self.engine == "compiled" else 1
        self.pool = ThreadPoolExecutor(self.count)

    def submit(self, plan: FastPlan, start: int, rounds: int, /) -> Future[Tally]:
        """Start on a chunk."""
        return self.pool.submit(self.sampler, plan, start, rounds)

    def close(self) -> None:
        """End the threads."""
        self.pool.shutdown(cancel_futures=True)


def run(
    plan: FastPlan,
    rounds: int,
    workers: Workers | None = None,
    *,
    starts_slowly: Callable[[], None] = lambda: None,
    progress: Progress = lambda tally, seconds: None,
    stop: Callable[[], bool] = lambda: False,
) -> Simulation:
    """Run a plan for so many rounds, or until ``stop``; the rounds done are always the first ones.

    Whatever the workers, their engine and the chunks, the same rounds give the same tally.
    ``starts_slowly`` is called if the workers take a while to get ready, as compiling does once.
    """
    crew = workers or Threads()
    try:
        check_rounds(plan, rounds)
        warm_up(crew, plan, starts_slowly)
        began = perf_counter()
        tally = _spread(crew, plan, rounds, progress, stop)
        seconds = perf_counter() - began
    finally:
        crew.close()
    return Simulation(
        plan=plan,
        tally=tally,
        seconds=seconds,
        engine=crew.engine,
        threads=crew.count,
        asked=rounds,
    )


def warm_up(crew: Workers, plan: FastPlan, starts_slowly: Callable[[], None]) -> None:
    """Get the workers ready; call ``starts_slowly`` if that takes a while."""
    warm = [crew.submit(plan, 0, 1) for _ in range(crew.cold)]
    if wait(warm, timeout=1.5).not_done:
        starts_slowly()
    for each in warm:
        each.result()


def check_rounds(plan: FastPlan, rounds: int) -> None:
    """Refuse a number of rounds that cannot be counted."""
    if rounds < 1:
        raise QueenhighError("simulate.rounds", "nothing to simulate: use at least one round")
    if rounds > (most := most_rounds(plan)):
        sentence = f"the totals of this table may overflow beyond {most:,} rounds: use fewer"
        raise QueenhighError("simulate.rounds", sentence)


def _spread(
    crew: Workers, plan: FastPlan, rounds: int, progress: Progress, stop: Callable[[], bool]
) -> Tally:
    """Keep the workers busy with chunks that take about as long as they should."""
    began, started, total = perf_counter(), 0, Tally(plan)
    least = chunk = _FIRST_CHUNK[crew.engine]
    waiting: deque[Future[Tally]] = deque()
    while True:
        while started < rounds and len(waiting) < 2 * crew.count and not stop():
            size = min(chunk, rounds - started)
            waiting.append(crew.submit(plan, started, size))
            started += size
        if not waiting:
            return total
        total += waiting.popleft().result()
        seconds = perf_counter() - began
        wanted = int(total.rounds / seconds * crew.seconds / crew.count)
        chunk = max(least, min(4 * chunk, wanted))  # smaller ones cost more than they play
        progress(total, seconds)


def find_engine(name: str) -> str:
    """Return the engine that is meant: the compiled one if it is there, unless another is named."""
    if name == "auto":
        return "compiled" if find_spec("numba") else "scalar"
    if name not in ENGINES:
        sentence = f"there is no engine {name}: use one of {', '.join(ENGINES)}"
        raise QueenhighError("engine.unknown", sentence)
    if name == "compiled" and not find_spec("numba"):
        sentence = "the compiled engine needs numba: pip install 'queenhigh[sim]'"
        raise QueenhighError("engine.numba", sentence)
    return name


def sampler_of(engine: str) -> Sampler:
    """Return the function of an engine that tallies rounds."""
    if engine == "compiled":
        from queenhigh.simulation.engines import compiled  # noqa: PLC0415 (numba takes a second to load)

        return compiled.sample
    if engine == "cuda":
        from queenhigh.simulation.engines import cuda  # noqa: PLC0415

        return cuda.sample
    return scalar.sample
