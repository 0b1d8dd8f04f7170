"""The engine for NVIDIA GPUs: one kernel, compiled for the plan, through CuPy."""

from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

import numpy as np

from queenhigh.errors import QueenhighError
from queenhigh.sampling import wheel
from queenhigh.sampling.arrays import Array, Arrays, Counted, arrays, fill, keys_of
from queenhigh.sampling.plan import CASES, OUTCOMES, Plan, PokerPlan, RoulettePlan
from queenhigh.sampling.tally import Tally

__all__ = ["inputs", "outputs", "read", "sample", "source"]

#: Threads in a block, and blocks for each multiprocessor.
_THREADS = 512
_BLOCKS = 4


def sample(plan: Plan, start: int, rounds: int) -> Tally:
    """Tally some rounds, from number ``start`` on."""
    cupy, kernel, given = _ready(plan)
    blocks = _BLOCKS * cupy.cuda.Device().attributes["MultiProcessorCount"]
    found = [cupy.zeros(shape, dtype=np.uint64) for shape in outputs(plan)]
    numbers = [np.uint64(number) for number in (plan.seed, start, rounds)]
    kernel((blocks,), (_THREADS,), (*numbers, *given, *found))
    return read(plan, rounds, [cupy.asnumpy(each).astype(np.int64) for each in found])


@lru_cache(maxsize=4)
def _ready(plan: Plan) -> tuple[Any, Any, list[Any]]:
    """Return CuPy, the kernel compiled for a plan, and what it reads, on the GPU."""
    cupy = _cupy()
    name = "sample_rounds" if isinstance(plan, PokerPlan) else "spin_rounds"
    kernel = cupy.RawModule(code=source(plan), options=("--std=c++17",)).get_function(name)
    return cupy, kernel, [cupy.asarray(each) for each in inputs(plan)]


@cache
def _cupy() -> Any:
    try:
        import cupy  # noqa: PLC0415 (only this engine needs it)
    except ImportError:
        told = "the cuda engine needs CuPy: pip install 'queenhigh[gpu]'"
        raise QueenhighError("engine.cupy", told) from None
    try:
        cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        told = f"the cuda engine needs an NVIDIA GPU and finds none ({error})"
        raise QueenhighError("engine.gpu", told) from None
    return cupy


# The kernel's text, and what goes in and comes out: the same on a GPU and where it is compared.


def source(plan: Plan) -> str:
    """Return the kernel for a plan: its constants, then the text."""
    constants = (
        _table_constants(arrays(plan)) if isinstance(plan, PokerPlan) else _wheel_constants(plan)
    )
    lines = [f"#define {name} {value}" for name, value in constants.items()]
    text = files("queenhigh.sampling").joinpath("kernel.cu").read_text("utf-8")
    return "\n".join([*lines, text])


def _table_constants(a: Arrays) -> dict[str, object]:
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
        "BINS": a.offsets[-1],
    }


def _wheel_constants(plan: RoulettePlan) -> dict[str, object]:
    waits, again = wheel.waits(plan.book)
    return {"POCKETS": len(plan.book.pockets), "WAITS": waits, "WAITS_AGAIN": again}


def inputs(plan: Plan) -> list[Array]:
    """Return the arrays that the kernel reads, in its order."""
    if not isinstance(plan, PokerPlan):
        return []
    a = arrays(plan)
    bases = a.offsets[:-1] - a.lows
    narrow = [each.astype(np.int32) for each in (a.dues, a.wins, a.losses, a.order)]
    return [
        a.word_keys,
        _ranks(plan),
        a.folds_below,
        a.plays_from,
        a.plays,
        *narrow,
        bases.astype(np.int32),
    ]


def _ranks(plan: PokerPlan) -> Array:
    """Return keys and classes by the ranks of three cards, four bits each; suited ones later."""
    order = plan.book.ranking
    keys = keys_of(order)
    kinds = np.array(order.classes, dtype=np.uint32)
    kinds[-1] += 1
    table = np.zeros((2, 16, 16, 16), dtype=np.uint32)
    strengths = np.array(order.strengths).reshape(2, 13, 13, 13)
    table[:, :13, :13, :13] = keys[strengths] | (kinds[strengths] * CASES) << 16
    return table.ravel()


def outputs(plan: Plan) -> list[tuple[int, ...]]:
    """Return the shapes of what the kernel counts, in its order."""
    if not isinstance(plan, PokerPlan):
        pockets = len(plan.book.pockets)
        return [(pockets, pockets)]
    seats = len(plan.seats)
    results = sum(account.bins for account in plan.accounts)
    return [(seats, OUTCOMES), (seats, OUTCOMES), (seats,), (results,), (1,)]


def read(plan: Plan, rounds: int, found: list[Array]) -> Tally:
    """Return the tally of what the kernel counted."""
    if not isinstance(plan, PokerPlan):
        return wheel.fill(plan, rounds, found[0])
    return fill(plan, rounds, Counted(*found))
