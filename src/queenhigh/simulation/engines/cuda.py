"""The engine for NVIDIA GPUs: one kernel, compiled for the plan, through CuPy."""

from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from queenhigh.errors import QueenhighError
from queenhigh.simulation.engines import roulette_tally
from queenhigh.simulation.engines.arrays import Array, Arrays, Counted, arrays, fill, keys_of
from queenhigh.simulation.engines.plan import CASES, OUTCOMES, FastPlan, PokerPlan, RoulettePlan
from queenhigh.simulation.engines.tally import Tally

__all__ = ["inputs", "outputs", "read", "sample", "source"]

#: Threads in a block, and blocks for each multiprocessor.
_THREADS = 512
_BLOCKS = 4


def sample(plan: FastPlan, start: int, rounds: int) -> Tally:
    """Tally some rounds, from number ``start`` on."""
    cupy, kernel, given = _ready(plan)
    blocks = _BLOCKS * cupy.cuda.Device().attributes["MultiProcessorCount"]
    results = [cupy.zeros(shape, dtype=np.uint64) for shape in outputs(plan)]
    numbers = [np.uint64(number) for number in (plan.seed, start, rounds)]
    kernel((blocks,), (_THREADS,), (*numbers, *given, *results))
    return read(plan, rounds, [cupy.asnumpy(each).astype(np.int64) for each in results])


@lru_cache(maxsize=4)
def _ready(plan: FastPlan) -> tuple[Any, Any, list[Any]]:
    """Return CuPy, the kernel compiled for a plan, and its inputs, on the GPU."""
    cupy = _cupy()
    name = _interface(plan).name
    kernel = cupy.RawModule(code=source(plan), options=("--std=c++17",)).get_function(name)
    return cupy, kernel, [cupy.asarray(each) for each in inputs(plan)]


@cache
def _cupy() -> Any:
    try:
        import cupy  # noqa: PLC0415 (only this engine needs it)
    except ImportError:
        sentence = "the cuda engine needs CuPy: pip install 'queenhigh[gpu]'"
        raise QueenhighError("engine.cupy", sentence) from None
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        sentence = f"the cuda engine needs an NVIDIA GPU, but found none ({error})"
        raise QueenhighError("engine.gpu", sentence) from None
    return cupy


# The kernel's text, its inputs and outputs: the same on a GPU and where it is compared.


def source(plan: FastPlan) -> str:
    """Return the kernel for a plan: its constants, then the text."""
    constants = _interface(plan).constants()
    lines = [f"#define {name} {value}" for name, value in constants.items()]
    text = files("queenhigh.simulation.engines").joinpath("kernel.cu").read_text("utf-8")
    return "\n".join([*lines, text])


def inputs(plan: FastPlan) -> list[Array]:
    """Return the arrays that the kernel reads, in its order."""
    return _interface(plan).inputs()


def outputs(plan: FastPlan) -> list[tuple[int, ...]]:
    """Return the shapes of the kernel's counts, in its order."""
    return _interface(plan).outputs()


def read(plan: FastPlan, rounds: int, results: list[Array]) -> Tally:
    """Return the tally of the kernel's counts."""
    return _interface(plan).read(rounds, results)


def _interface(plan: FastPlan) -> "_Poker | _Roulette":
    return _Poker(plan) if isinstance(plan, PokerPlan) else _Roulette(plan)


class _Poker:
    """The inputs and outputs of the kernel of a card table."""

    name = "sample_rounds"

    def __init__(self, plan: PokerPlan) -> None:
        self.plan = plan

    def constants(self) -> dict[str, object]:
        a: Arrays = arrays(self.plan)
        return {
            "SEATS": a.seats,
            "DRAWN": int(a.drawn),
            "BUTTON": int(a.button),
            "PLACES": a.places,
            "ERRORS": a.errors[0],
            "AMONG": a.errors[1],
            "ERROR_WORDS": "{" + ", ".join(map(str, a.error_words)) + "}",
            "QUALIFYING": a.qualifying,
            "UP": a.up,
            "MIXED": int((a.folds_below != a.plays_from).any()),
            "PLAYS_FROM": a.plays_from[0],
            "DUES": a.dues.shape[2],
            "BANK": a.bank,
            "BY_ACTION": int(a.by_action),
            "IN_TURNS": int(a.in_turns),
            "BINS": a.offsets[-1],
        }

    def inputs(self) -> list[Array]:
        a = arrays(self.plan)
        bases = a.offsets[:-1] - a.lows
        read = (a.dues, a.wins, a.losses, a.order, a.turns, a.taken)
        narrow = [each.astype(np.int32) for each in read]
        return [
            a.word_keys,
            self._ranks(),
            a.folds_below,
            a.plays_from,
            a.plays,
            *narrow,
            bases.astype(np.int32),
        ]

    def _ranks(self) -> Array:
        """Return keys and classes by the ranks of three cards, 4 bits each; suited ones later."""
        order = self.plan.book.ranking
        keys = keys_of(order)
        kinds = np.array(order.classes, dtype=np.uint32)
        kinds[-1] += 1
        table = np.zeros((2, 16, 16, 16), dtype=np.uint32)
        strengths = np.array(order.strengths).reshape(2, 13, 13, 13)
        table[:, :13, :13, :13] = keys[strengths] | (kinds[strengths] * CASES) << 16
        return table.ravel()

    def outputs(self) -> list[tuple[int, ...]]:
        seats = len(self.plan.seats)
        results = sum(account.bins for account in self.plan.accounts)
        return [(seats, OUTCOMES), (seats, OUTCOMES), (seats,), (results,), (1,)]

    def read(self, rounds: int, results: list[Array]) -> Tally:
        return fill(self.plan, rounds, Counted(*results))


class _Roulette:
    """The inputs and outputs of the kernel of a wheel."""

    name = "spin_rounds"

    def __init__(self, plan: RoulettePlan) -> None:
        self.plan = plan

    def constants(self) -> dict[str, object]:
        waits, again = roulette_tally.waits(self.plan.book)
        return {"POCKETS": len(self.plan.book.pockets), "WAITS": waits, "WAITS_AGAIN": again}

    def inputs(self) -> list[Array]:
        return []

    def outputs(self) -> list[tuple[int, ...]]:
        pockets = len(self.plan.book.pockets)
        return [(pockets, pockets)]

    def read(self, rounds: int, results: list[Array]) -> Tally:
        return roulette_tally.fill(self.plan, rounds, results[0])
