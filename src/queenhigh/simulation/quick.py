"""A table sampled in about a second, always with the same seed, by the engine that is ready.

Compiling an engine takes about half a minute, once on a machine. It runs in a thread, and until it
is done the scalar engine plays fewer rounds.
"""

from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from time import perf_counter

from queenhigh.rulebook.book import PokerRulebook
from queenhigh.rulebook.load import load
from queenhigh.simulation.engines import scalar
from queenhigh.simulation.result import Simulation
from queenhigh.simulation.run import Sampler, find_engine, sampler_of
from queenhigh.simulation.terms import Terms, make_plan, make_table_plan

__all__ = ["ROUNDS", "SEED", "QuickSample", "quick_sample"]

#: The same table gives the same figures each time.
SEED = 7
#: So many rounds of a full table take each engine a second, or less.
ROUNDS = {"compiled": 1_000_000, "scalar": 2_000}
#: Loading the compiled engine takes a second or two. If it takes longer, it is being compiled.
_SECONDS_TO_LOAD = 4.0


@dataclass(frozen=True, kw_only=True)
class QuickSample:
    """A simulation of a table."""

    simulation: Simulation
    #: Whether the bank covers everything that can change hands in a round.
    covered: bool
    #: Whether the compiled engine is not ready yet: then there will be a sample of more rounds.
    preparing: bool


def quick_sample(book: PokerRulebook, terms: Terms) -> QuickSample:
    """Sample a table with the fastest engine that is ready."""
    plan = make_table_plan(book, {**terms, "seed": SEED})
    engine, sampler, preparing = _ready_engine()
    began = perf_counter()
    tally = sampler(plan, 0, ROUNDS[engine])
    return QuickSample(
        simulation=Simulation(
            plan=plan,
            tally=tally,
            seconds=perf_counter() - began,
            engine=engine,
            threads=1,
            asked=ROUNDS[engine],
        ),
        covered=plan.posted is None or plan.posted >= plan.most_action,
        preparing=preparing,
    )


def _ready_engine() -> tuple[str, Sampler, bool]:
    """Return an engine and its sampler, and whether a faster one is being compiled."""
    if find_engine("auto") == "scalar":
        return "scalar", scalar.sample, False
    loading, began = _compiled_engine()
    left = began + _SECONDS_TO_LOAD - perf_counter()
    try:
        return "compiled", loading.result(max(0.0, left)), False
    except TimeoutError:
        return "scalar", scalar.sample, True
    except (ImportError, RuntimeError):  # numba is damaged, or has no place for its cache
        return "scalar", scalar.sample, False


@cache
def _compiled_engine() -> tuple["Future[Sampler]", float]:
    """Start to load the compiled engine; return it, and when that began."""
    return ThreadPoolExecutor(1).submit(_load), perf_counter()


def _load() -> Sampler:
    """Return the sampler of the compiled engine when every part of it is compiled."""
    sampler = sampler_of("compiled")
    in_turns = load("california", {"settle_order": "wager"})
    sampler(make_plan(in_turns, {"bank": 1, "seed": SEED}), 0, 1)
    return sampler
