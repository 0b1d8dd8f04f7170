"""How fast tables are simulated, beside plain C and other open libraries. Prints ratios of one run.

    python bench/simulate.py

The C kernels, bench/simulate.c, are compiled with gcc -O3 if gcc is there; PokerKit and OpenSpiel
are measured if they are installed. All threads of the machine are used, except where it says one.
"""

import importlib
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import queenhigh as qh
from queenhigh.games.policy import HANDS
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.sampling.plan import Plan
from queenhigh.simulation.run import Threads, run
from queenhigh.simulation.terms import Terms, make_plan

SOURCE = Path(__file__).parent / "simulate.c"
CORES = os.cpu_count() or 1
TIMES = 5


def rate(plan: Plan, rounds: int, engine: str = "compiled", threads: int | None = None) -> float:
    """Return rounds a second, by the seconds a simulation reports: the median of some runs."""
    took = [run(plan, rounds, workers=Threads(engine, threads)).seconds for _ in range(TIMES)]
    return rounds / statistics.median(took)


def c_rates(book: PokerRulebook, flags: list[str]) -> list[float]:
    """Return rounds a second of both C kernels, start-up taken off; the mean must be right."""
    order = book.ranking
    least = order.strength((40, 17, 10))
    lines = "".join(
        f"{a} {b} {c} {order.strength((a, b, c))} {order.classes[order.strength((a, b, c))]}\n"
        for a, b, c in HANDS
    )
    exact = float(qh.odds(book).bets["ante"].ev)
    rates = []
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "simulate"
        command = ["gcc", *flags, "-pthread", "-o", str(program), str(SOURCE)]
        subprocess.run(command, check=True)
        for how in (0, 1):
            took = []
            for _ in range(TIMES):
                played, total, seconds = 0, 0, 0.0
                for rounds, sign in ((200_000_000, 1), (2, -1)):
                    words = [how, rounds, CORES, least, book.qualifying_strength]
                    start = time.perf_counter()
                    done = subprocess.run(
                        [str(program), *map(str, words)],
                        input=lines, capture_output=True, text=True, check=True,
                    )  # fmt: skip
                    seconds += sign * (time.perf_counter() - start)
                    if sign > 0:
                        played, total = map(int, done.stdout.split())
                assert abs(total / played - exact) < 0.001, (total, played, exact)
                took.append(played / seconds)
            rates.append(statistics.median(took))
    return rates


def pokerkit_rate() -> float:
    """Measure hands of Kuhn poker a second, its quickest game: none is played against a dealer."""
    pokerkit = importlib.import_module("pokerkit")
    automations = tuple(pokerkit.Automation)
    start, hands = time.perf_counter(), 0
    while time.perf_counter() - start < 3:
        state = pokerkit.KuhnPoker.create_state(automations)
        while state.status:
            state.check_or_call()
        hands += 1
    return hands / (time.perf_counter() - start)


def openspiel_rate() -> float:
    """Measure games of Kuhn poker a second between OpenSpiel's random bots, each game in C++."""
    pyspiel = importlib.import_module("pyspiel")
    game = pyspiel.load_game("kuhn_poker")
    bots = [pyspiel.make_uniform_random_bot(player, player) for player in range(2)]
    start, games = time.perf_counter(), 0
    while time.perf_counter() - start < 3:
        pyspiel.evaluate_bots(game.new_initial_state(), bots, games)
        games += 1
    return games / (time.perf_counter() - start)


def other(name: str, measure: Callable[[], float]) -> float | None:
    try:
        return measure()
    except ImportError:
        print(f"{name} is not installed and not measured")
        return None


def row(name: str, rounds: float, seats: int, *against: float | None) -> None:
    ratios = "".join(
        f"{rounds * seats / each:>12,.{2 if rounds * seats < 1000 * each else 0}f}x"
        if each
        else " " * 13
        for each in against
    )
    print(f"{name:33}{rounds / 1e6:>12,.3f}{rounds * seats / 1e6:>15,.3f}{ratios}")


def memory_and_start() -> None:
    """Peak memory by the number of rounds, and what compiling costs, in processes of their own."""
    code = (
        "import resource, sys, time; t = time.perf_counter(); import queenhigh as qh;"
        " book, rounds = qh.load('california'), int(sys.argv[1]);"
        " found = qh.simulate(book, rounds, seats=10, bank=6000, seed=1);"
        " peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024;"
        " print(peak, time.perf_counter() - t - found.seconds)"
    )
    print(f"\n{'rounds':>14}{'peak memory':>16}{'start-up':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for rounds, cache in ((10**4, folder), (10**4, None), (10**6, None), (10**8, None)):
            env = {**os.environ, **({"NUMBA_CACHE_DIR": cache} if cache else {})}
            command = [sys.executable, "-c", code, str(rounds)]
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=True)
            peak, start = map(float, done.stdout.split())
            told = "compiling" if cache else ""
            print(f"{rounds:>14,}{peak:>12,.1f} MiB{start:>10.2f} s {told}")


def gpu() -> None:
    """Measure the GPU, if there is one."""
    try:
        house, california = qh.load("house"), qh.load("california")
        tables: list[tuple[str, qh.Rulebook, Terms, int]] = [
            ("house, 1 seat, cuda", house, {}, 2**36),
            ("california, 1 seat, cuda", california, {}, 2**35),
            ("california, 10 seats, bank, cuda", california, {"seats": 10, "bank": 6000}, 2**31),
            ("california, 10 seats, cuda", california, {"seats": 10}, 2**31),
        ]
        for name, book, terms, rounds in tables:
            plan = make_plan(book, {"seed": 1, **terms})
            row(name, rate(plan, rounds, "cuda"), terms.get("seats", 1))
    except qh.QueenhighError as error:
        print(error)


def main() -> None:
    house, california = qh.load("house"), qh.load("california")
    assert isinstance(house, PokerRulebook)
    loop = branch_free = native = None
    if shutil.which("gcc"):
        loop, branch_free = c_rates(house, ["-O3"])
        native = max(c_rates(house, ["-O3", "-march=native"]))
    else:
        print("gcc is not installed: the C kernels are not measured")
    kit, spiel = other("pokerkit", pokerkit_rate), other("open_spiel", openspiel_rate)
    one = make_plan(house, {"seed": 1})
    ten = make_plan(california, {"seats": 10, "bank": 6000, "seed": 1})
    endless = make_plan(california, {"seats": 10, "seed": 1})
    wheel = make_plan(qh.load("roulette"), {"seed": 1})
    print(f"{CORES} cores; millions a second, and ratios of seats' rounds; medians of {TIMES}")
    heads = ("C do-while", "C branchless", "C -march", "PokerKit", "OpenSpiel")
    print(f"{'':33}{'rounds/s':>12}{'seat-rounds/s':>15}" + "".join(f"{h:>13}" for h in heads))
    against = (loop, branch_free, native, kit, spiel)
    for name, found in zip(heads, against, strict=True):
        if found:
            row(name, found, 1, *against)
    row("house, 1 seat, compiled", rate(one, 1_000_000_000), 1, *against)
    row("house, 1 seat, one thread", rate(one, 500_000_000, threads=1), 1, *against)
    row("california, 10 seats, bank", rate(ten, 50_000_000), 10, *against)
    row("california, 10 seats, endless", rate(endless, 50_000_000), 10, *against)
    row("roulette, every kind of bet", rate(wheel, 1_000_000_000), 11, *against)
    row("house, 1 seat, scalar", rate(one, 10_000, "scalar"), 1, *against)
    gpu()
    memory_and_start()


if __name__ == "__main__":
    main()
