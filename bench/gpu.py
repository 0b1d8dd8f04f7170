"""Simulated tables on an NVIDIA GPU.

    python -m bench.gpu [--size tiny|usual|long] [--json]

Every repetition has another seed and must tally every round, differently from the one before.
"""

import queenhigh as qh
from bench.measure import take_turns
from bench.results import Bench, Recorder, Size, main
from bench.simulate import Simulated, add_rate


def measure(size: Size, recorder: Recorder) -> None:
    """Measure four tables in turns, if there is a GPU."""
    house, california = qh.load("house"), qh.load("california")
    turns, many, few = (
        size.pick(1, 5, 9),
        size.pick(2**28, 2**36, 2**37),
        size.pick(2**26, 2**31, 2**32),
    )
    tables = [
        Simulated("house, 1 seat", house, {}, many, "cuda"),
        Simulated("california, 1 seat", california, {}, many // 2, "cuda"),
        Simulated("california, 10 seats, bank of 12 Antes", california,
                  {"seats": 10, "bank": 6000}, few, "cuda"),
        Simulated("california, 10 seats, endless bank", california, {"seats": 10}, few, "cuda"),
    ]  # fmt: skip
    try:
        timings = take_turns([table.job for table in tables], turns)
    except qh.QueenhighError as error:
        recorder.lacks(f"There is no GPU to measure: {error}.")
        return
    for table, timing in zip(tables, timings, strict=True):
        add_rate(table.name, timing, table.seats, turns, "", recorder)


BENCH = Bench(
    "gpu",
    "Simulation on a GPU",
    "Whole rounds dealt, decided, settled and tallied on one NVIDIA GPU.",
    "Whole-number arithmetic, not memory.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
