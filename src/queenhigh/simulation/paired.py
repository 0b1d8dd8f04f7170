"""Tables that are played with the same cards, so that their difference is known sharply."""

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from math import sqrt
from time import perf_counter

from queenhigh.errors import QueenhighError
from queenhigh.simulation.engines.plan import PokerPlan
from queenhigh.simulation.engines.tally import Tally
from queenhigh.simulation.result import Simulation
from queenhigh.simulation.run import Threads, Workers, check_rounds, warm_up

__all__ = ["LEAST_ROUNDS", "PairedSimulation", "default_rounds", "sample_paired"]

#: The error of a difference is measured between this many batches of rounds, or more.
LEAST_ROUNDS = 100
#: The most rounds of a batch by engine, so that an interrupt is soon noticed.
_MOST_IN_BATCH = {"scalar": 50, "compiled": 2**18, "cuda": 2**26}
_DEFAULT_ROUNDS = {"scalar": 1_000, "compiled": 1_000_000, "cuda": 100_000_000}


@dataclass(frozen=True, kw_only=True)
class PairedSimulation:
    """A simulated table beside the first one, which was dealt the same cards.

    ``change`` is the difference of the banker's mean from that of the first table, in units of the
    first Ante, and ``change_se`` its standard error. ``is_same`` if all seats had the same results.
    """

    simulation: Simulation
    change: float
    change_se: float
    is_same: bool


def default_rounds(engine: str) -> int:
    """Return how many rounds of each table an engine plays in a second or two."""
    return _DEFAULT_ROUNDS[engine]


def sample_paired(
    plans: Sequence[PokerPlan],
    rounds: int | None = None,
    workers: Workers | None = None,
    *,
    starts_slowly: Callable[[], None] = lambda: None,
    progress: Callable[[int], None] = lambda done: None,
    stop: Callable[[], bool] = lambda: False,
) -> list[PairedSimulation]:
    """Play the same rounds of every plan; compare each with the first.

    ``progress`` gets the rounds done, those of all plans together. ``stop`` ends the work early:
    every plan has the same rounds all the same, or the result is empty if they are too few.
    """
    crew = workers or Threads()
    count = default_rounds(crew.engine) if rounds is None else rounds
    try:
        _check(plans, count)
        warm_up(crew, plans[0], starts_slowly)
        start = perf_counter()
        batches = _Batches(plans)
        for tallies in _play(crew, plans, count, stop):
            batches.add(tallies)
            progress(batches.rounds * len(plans))
        seconds = perf_counter() - start
    finally:
        crew.close()
    if len(batches.sums) < 2:
        return []
    return [
        batches.compare(place, seconds=seconds, engine=crew.engine, threads=crew.count, asked=count)
        for place in range(len(plans))
    ]


def _check(plans: Sequence[PokerPlan], rounds: int) -> None:
    if rounds < LEAST_ROUNDS:
        sentence = f"{rounds} rounds are too few to compare: use {LEAST_ROUNDS} or more"
        raise QueenhighError("simulate.rounds", sentence)
    for plan in plans:
        check_rounds(plan, rounds)


def _spans(rounds: int, engine: str) -> Iterator[tuple[int, int]]:
    """Yield where each batch starts, and how many rounds it has."""
    size = min(rounds // LEAST_ROUNDS, _MOST_IN_BATCH[engine])
    for start in range(0, rounds, size):
        yield start, min(size, rounds - start)


def _play(
    crew: Workers, plans: Sequence[PokerPlan], rounds: int, stop: Callable[[], bool]
) -> Iterator[list[Tally]]:
    """Yield the tallies of each batch, a tally for each plan; keep the workers busy meanwhile."""
    spans = _spans(rounds, crew.engine)
    waiting: deque[list[Future[Tally]]] = deque()
    while True:
        while len(waiting) <= crew.count and not stop() and (span := next(spans, None)):
            waiting.append([crew.submit(plan, *span) for plan in plans])
        if not waiting:
            return
        yield [future.result() for future in waiting.popleft()]


class _Batches:
    """The tallies of every plan, and the banker's sum of each batch in cents."""

    def __init__(self, plans: Sequence[PokerPlan]) -> None:
        self.plans = plans
        self.tallies = [Tally(plan) for plan in plans]
        #: Rounds of each batch, and what the banker gained under each plan.
        self.sums: list[tuple[int, list[int]]] = []

    @property
    def rounds(self) -> int:
        """How many rounds of each plan were played."""
        return self.tallies[0].rounds

    def add(self, tallies: Sequence[Tally]) -> None:
        """Add a batch."""
        self.tallies = [total + tally for total, tally in zip(self.tallies, tallies, strict=True)]
        gains = [tally.result(-1).moment(1) for tally in tallies]
        self.sums.append((tallies[0].rounds, gains))

    def compare(
        self, place: int, *, seconds: float, engine: str, threads: int, asked: int
    ) -> PairedSimulation:
        """Return a plan's simulation, and its difference from the first one."""
        plan, tally, unit = self.plans[place], self.tallies[place], self.plans[0].unit
        change = sum(gains[place] - gains[0] for _, gains in self.sums) / self.rounds
        spread = sum(
            rounds * ((gains[place] - gains[0]) / rounds - change) ** 2
            for rounds, gains in self.sums
        )
        variance = spread / (len(self.sums) - 1)
        simulation = Simulation(
            plan=plan, tally=tally, seconds=seconds, engine=engine, threads=threads, asked=asked
        )
        return PairedSimulation(
            simulation=simulation,
            change=change / unit,
            change_se=sqrt(variance / self.rounds) / unit,
            is_same=_results(tally) == _results(self.tallies[0]),
        )


def _results(tally: Tally) -> list[Mapping[int, int]]:
    """Return how often each result came, of every seat and of the banker."""
    return [tally.result(place).by_cents for place in range(len(tally.results))]
