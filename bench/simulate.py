"""Simulated tables beside plain C and other open libraries, and what a run takes of memory.

    python -m bench.simulate [--size tiny|usual|long] [--json]

The C kernels, bench/simulate.c, are compiled with gcc -O3, without and with -march=native, if gcc
is there; the first figure is how many times as fast as the best of them the compiled engine is.
PokerKit and OpenSpiel are measured if they are installed. They play step by step, so they stand
beside the scalar engine, which does too, and not beside a compiled loop. All threads of the machine
are used, except where it says one.
Every repetition has another seed and must tally every round, differently from the one before.
"""

import importlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from importlib.util import find_spec
from pathlib import Path

import queenhigh as qh
from bench.caches import clear_caches
from bench.measure import Counter, Job, NotComputed, Timing, output_of, take_turns
from bench.results import Bench, Recorder, Size, main
from queenhigh.games.policy import HANDS
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.simulation.engines.tally import Tally
from queenhigh.simulation.run import Threads, run
from queenhigh.simulation.terms import Terms, make_plan

SOURCE = Path(__file__).parent / "simulate.c"
CORES = os.cpu_count() or 1
#: Simulates in a new process; prints its memory in KiB and the seconds before it simulates.
START = (
    "import resource, sys, time; t = time.perf_counter(); import queenhigh as qh;"
    " book, rounds = qh.load('california'), int(sys.argv[1]);"
    " found = qh.simulate(book, rounds, seats=10, bank=6000, seed=1);"
    " assert found.tally.rounds == rounds;"
    " peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss;"
    " print(peak, time.perf_counter() - t - found.seconds)"
)


@dataclass
class Simulated:
    """A table simulated again and again, each time with another seed."""

    name: str
    book: qh.Rulebook
    terms: Terms
    rounds: int
    engine: str = "compiled"
    threads: int | None = None
    work: Counter = field(default_factory=Counter)
    seed: int = 0
    last: Tally | None = None

    def prepare(self) -> None:
        """Clear every cache, then play a round of seed 0, so that the engine is compiled."""
        clear_caches()
        run(make_plan(self.book, {**self.terms, "seed": 0}), 1, workers=self._workers())

    def _workers(self) -> Threads:
        return Threads(self.engine, self.threads)

    def run(self) -> None:
        """Simulate with the next seed; the tally must be complete and new."""
        self.seed += 1
        plan = make_plan(self.book, {**self.terms, "seed": self.seed})
        tally = run(plan, self.rounds, workers=self._workers()).tally
        if self.last is not None and (tally.numbers == self.last.numbers).all():
            raise NotComputed(f"{self.name}: another seed gave the same tally")
        self.last = tally
        self.work.count += tally.rounds

    @property
    def seats(self) -> int:
        """How many results a round has: seats, or kinds of bets on a wheel."""
        return self.terms.get("seats", 1) if isinstance(self.book, PokerRulebook) else 11

    @property
    def job(self) -> Job:
        """The job to time."""
        return Job(self.name, self.run, self.work, before=self.prepare)


@dataclass
class Kernel:
    """A C kernel of the one-seat house game; the mean of its rounds must be right."""

    name: str
    program: Path
    kind: int
    book: PokerRulebook
    hands: str
    exact: float
    rounds: int
    played: Counter = field(default_factory=Counter)

    def run(self) -> None:
        """Play in a process of its own, whose start is timed with it."""
        least = self.book.ranking.strength((40, 17, 10))  # Q-6-4
        words = [self.kind, self.rounds, CORES, least, self.book.qualifying_strength]
        done = subprocess.run(
            [str(self.program), *map(str, words)],
            input=self.hands, capture_output=True, text=True, check=True,
        )  # fmt: skip
        played, total = map(int, done.stdout.split())
        assert abs(total / played - self.exact) < 0.004, (total, played, self.exact)
        self.played.count += played


def compile_kernels(book: PokerRulebook, folder: Path, rounds: int) -> list[Job]:
    """Compile the C kernels, with and without the machine's own instructions."""
    order = book.ranking
    hands = "".join(
        f"{a} {b} {c} {order.strength((a, b, c))} {order.classes[order.strength((a, b, c))]}\n"
        for a, b, c in HANDS
    )
    exact = float(qh.odds(book).bets["ante"].ev)
    jobs = []
    for flags in ["-O3"], ["-O3", "-march=native"]:
        program = folder / f"kernel{len(flags)}"
        command = ["gcc", *flags, "-pthread", "-o", str(program), str(SOURCE)]
        subprocess.run(command, check=True)
        for kind, name in enumerate(("do-while", "branch-free")):
            called = f"C, {' '.join(flags)}, {name}"
            kernel = Kernel(called, program, kind, book, hands, exact, rounds)
            jobs.append(Job(kernel.name, kernel.run, kernel.played))
    return jobs


def play_pokerkit(seconds: float, hands: Counter) -> None:
    """Play Kuhn poker, PokerKit's quickest game: none of its games has a dealer."""
    pokerkit = importlib.import_module("pokerkit")
    automations = tuple(pokerkit.Automation)
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        state = pokerkit.KuhnPoker.create_state(automations)
        while state.status:
            state.check_or_call()
        hands.count += 1


def play_openspiel(seconds: float, games: Counter) -> None:
    """Play Kuhn poker between OpenSpiel's random bots, each game in C++."""
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game("kuhn_poker")
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)]
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, games.count)
        games.count += 1


def libraries(seconds: float, recorder: Recorder) -> list[Job]:
    """Return the jobs of the other libraries that are installed."""
    jobs = []
    others: list[tuple[str, str, Callable[[float, Counter], None]]] = [
        ("PokerKit", "pokerkit", play_pokerkit),
        ("OpenSpiel", "pyspiel", play_openspiel),
    ]
    for name, module, play in others:
        if find_spec(module) is None:
            recorder.lacks(f"{name} is not installed and was not measured.")
        else:
            done = Counter()
            jobs.append(
                Job(f"Kuhn poker, {name}", partial(play, seconds, done), done, steady=False)
            )
    return jobs


def add_rate(name: str, timing: Timing, seats: int, turns: int, ratio: str, r: Recorder) -> None:
    """Record rounds a second."""
    how = f"median of {turns} turns; {timing.work[-1]:,} rounds each"
    if seats > 1:
        how += f"; {timing.rate * seats / 1e6:,.0f} M results of seats or bets a second"
    scale, unit = (1e6, "M rounds/s") if timing.rate >= 1e5 else (1e3, "k rounds/s")
    r.add(name, timing.rate / scale, unit, ratio, how)


def measure_one_seat(house: PokerRulebook, size: Size, recorder: Recorder) -> None:
    """Measure the one-seat game in turns with C and the other libraries."""
    turns = size.pick(2, 3, 9)
    own = Simulated("house, 1 seat", house, {}, size.pick(10_000, 500_000_000, 2_000_000_000))
    one = Simulated("house, 1 seat, one thread", house, {}, own.rounds // 2, threads=1)
    slow = Simulated(
        "house, 1 seat, scalar engine", house, {}, size.pick(50, 10_000, 50_000), "scalar"
    )
    with tempfile.TemporaryDirectory() as folder:
        kernels = []
        if shutil.which("gcc"):
            rounds = size.pick(2_000_000, 200_000_000, 1_000_000_000)
            kernels = compile_kernels(house, Path(folder), rounds)
        else:
            recorder.lacks("gcc is not installed, so the C kernels were not measured.")
        others = libraries(size.pick(0.05, 1.0, 3.0), recorder)
        jobs = [own.job, one.job, slow.job, *kernels, *others]
        timings = dict(zip([job.name for job in jobs], take_turns(jobs, turns), strict=True))
    compiled, scalar = timings[own.name], timings[slow.name]
    if kernels:
        add_best_c(compiled, {job.name: timings[job.name] for job in kernels}, recorder)
    add_rate(own.name, compiled, 1, turns, "", recorder)
    for job in jobs[1:]:
        engine, ours = ("scalar", scalar) if job in others else ("compiled", compiled)
        words = compare(engine, ours, timings[job.name])
        add_rate(job.name, timings[job.name], 1, turns, words, recorder)


def add_best_c(compiled: Timing, kernels: dict[str, Timing], recorder: Recorder) -> None:
    """Record how many times as fast as the best C kernel the compiled engine is."""
    best = max(kernels, key=lambda name: kernels[name].rate)
    how = f"median of {len(compiled.work)} turns, all threads for both; the best is {best}"
    times = compiled.times_the_rate_of(kernels[best])
    recorder.add("house, 1 seat, times as fast as the best C", times, "x", how=how)


def compare(engine: str, ours: Timing, other: Timing) -> str:
    """Return in words how many times as many rounds an engine plays."""
    return f"the {engine} engine plays {figures(ours.times_the_rate_of(other))} x as many"


def figures(ratio: float) -> str:
    """Return a ratio with as many places as it deserves."""
    return f"{ratio:,.0f}" if ratio >= 20 else f"{ratio:.1f}"


def measure_tables(size: Size, recorder: Recorder) -> None:
    """Measure full tables and a wheel."""
    california, turns = qh.load("california"), size.pick(1, 3, 9)
    rounds = size.pick(10_000, 20_000_000, 100_000_000)
    tables = [
        Simulated("california, 10 seats, bank of 12 Antes", california,
                  {"seats": 10, "bank": 6000}, rounds),
        Simulated("california, 10 seats, endless bank", california, {"seats": 10}, 2 * rounds),
        Simulated("roulette, every kind of bet", qh.load("roulette"), {}, 20 * rounds),
    ]  # fmt: skip
    for table, timing in zip(
        tables, take_turns([table.job for table in tables], turns), strict=True
    ):
        add_rate(table.name, timing, table.seats, turns, "", recorder)


def measure_start(size: Size, recorder: Recorder) -> None:
    """Measure memory by the number of rounds, and what compiling costs, in new processes."""
    for rounds in (10**4, size.pick(10**4, 10**7, 10**8)):
        peak, start = map(float, output_of("-c", START, str(rounds)).split())
        name = f"{rounds:,} rounds of ten seats"
        recorder.add(f"memory, {name}", peak / 1024, "MiB", how="most at one time, a new process")
    recorder.add("start-up, compiled code on disk", start, "s", how="a new process, imports too")
    recorder.note("  compiling from nothing")
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "NUMBA_CACHE_DIR": folder}
        _, start = map(float, output_of("-c", START, "10000", env=env).split())
        written = sum(1 for file in Path(folder).rglob("*.nbc"))
    if not written:
        raise NotComputed("nothing was compiled")
    how = f"a new process with an empty cache of compiled code; {written} functions written to it"
    recorder.add("start-up, compiling for the first time", start, "s", how=how)


def measure(size: Size, recorder: Recorder) -> None:
    """Measure the compiled and the scalar engine, full tables, memory and start-up."""
    house = qh.load("house")
    assert isinstance(house, PokerRulebook)
    measure_one_seat(house, size, recorder)
    measure_tables(size, recorder)
    if size is not Size.TINY:
        measure_start(size, recorder)


BENCH = Bench(
    "simulate",
    "Simulation",
    "Whole rounds dealt, decided, settled and tallied, on all cores, beside C kernels of the"
    " one-seat house game. The scalar engine, which plays step by step, stands beside the quickest"
    " game of two open libraries that do the same. What is compiled stays compiled between"
    " repetitions; arrays of a plan are built again with each seed.",
    "Arithmetic, most of it in words and draws and, at a full table, in undoing the swaps of the"
    " shuffle; where the bank often runs out, settling seat by seat, whose branches cannot be"
    " predicted.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
