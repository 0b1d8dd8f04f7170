"""`queenhigh settle` beside Python's own `json` on the same lines, its memory, and start-up.

    python -m bench.settle [--size tiny|usual|long] [--json]

Each figure is the whole command as a user runs it, start-up included, on one core. Beside it stands
what `json` needs merely to read and write the same lines, and the plain settlement of the tests.
Every line is another round, so nothing can be remembered, and every line must be answered.
"""

import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from bench.measure import Counter, Job, NotComputed, take_turns
from bench.results import Bench, Recorder, Size, main
from bench.shell import measure_commands
from tests.oracle import plain

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SETTLE = [sys.executable, "-m", "queenhigh", "settle"]
#: Runs a command and prints the most memory it had.
PEAK = (
    "import resource, subprocess, sys;"
    "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)


def make_round(rng: random.Random, number: int, book: str, seats: int) -> dict[str, object]:
    """Return a random round, with an id of its own."""
    cards = rng.sample(DECK, 3 * (seats + 1))
    hands = [" ".join(cards[i : i + 3]) for i in range(0, len(cards), 3)]
    side, stake = ("bonus", 500) if book == "california" else ("pair_plus", 100)
    antes = (500, 1000, 20000) if book == "california" else (100, 400)
    taken = [
        {"seat": n + 1, "cards": hands[n + 1], "ante": rng.choice(antes), side: stake,
         "move": rng.choice(("play", "play", "fold"))}
        for n in range(seats)
    ]  # fmt: skip
    bank = {"bank": 1_000_000, "first": rng.randint(1, seats)} if book == "california" else {}
    return {"id": str(number), "dealer": hands[0], **bank, "seats": taken}


def write_rounds(file: Path, book: str, seats: int, lines: int) -> None:
    """Write a file of rounds, each another one."""
    rng = random.Random(1)
    with file.open("w") as out:
        for number in range(lines):
            out.write(json.dumps(make_round(rng, number, book, seats)) + "\n")


@dataclass
class Command:
    """The command `settle` on a file; its work is the rounds that its output answers."""

    file: Path
    book: str
    words: list[str]
    total: int = 0

    def run(self) -> None:
        """Run the command, into a file beside the rounds."""
        with self.output.open("wb") as out:
            subprocess.run(
                [*SETTLE, self.book, str(self.file), *self.words], check=True, stdout=out
            )

    def answered(self) -> int:
        """Return how many rounds were answered so far; this is not part of what is timed."""
        if self.output.exists():
            with self.output.open("rb") as lines:  # JSON has a line for each round
                self.total += sum(1 for line in lines if self.words or line.startswith(b"Round "))
            self.output.unlink()
        return self.total

    @property
    def output(self) -> Path:
        """Where the output goes."""
        return self.file.with_suffix(".answers")


def in_python(file: Path, answer: Callable[[dict[str, object]], object], answered: Counter) -> None:
    """Read, answer and write every line in this process."""
    with file.open() as lines, file.with_suffix(".out").open("w") as out:
        for line in lines:
            out.write(json.dumps(answer(json.loads(line))) + "\n")
            answered.count += 1


def measure_speed(folder: Path, size: Size, recorder: Recorder) -> None:
    """Measure seats settled a second, in turns with what is compared."""
    times, file = size.pick(1, 3, 7), folder / "rounds.jsonl"
    games: list[tuple[str, int, list[str]]] = [
        ("california", 1, ["--json"]),
        ("california", 10, ["--json"]),
        ("california", 10, []),
        ("house", 1, ["--json"]),
        ("house", 7, ["--json"]),
    ]
    for book, seats, words in games[: size.pick(1, 5, 5)]:
        lines = size.pick(200, 100_000, 400_000) // seats
        write_rounds(file, book, seats, lines)
        plainly = plain.settle_california if book == "california" else plain.settle_house
        command, read, settled = Command(file, book, words), Counter(), Counter()
        jobs = [
            Job("settle", command.run, command.answered),
            Job("json", partial(in_python, file, lambda line: line, read), read),
            Job("plain", partial(in_python, file, partial(plainly, reading={}), settled), settled),
        ]
        settle, only_json, oracle = take_turns(jobs, times)
        if settle.work[0] != lines:
            raise NotComputed(f"{settle.work[0]} of {lines} rounds were answered")
        ratio = (
            f"{only_json.times_as_long_as(settle):.2f} x as fast as `json` alone,"
            f" {oracle.times_as_long_as(settle):.2f} x as the plain settlement"
        )
        how = f"median of {times} turns; {lines:,} different rounds, each answered"
        name = f"{book}, {seats} seat{'s' * (seats > 1)}, {'JSON' if words else 'trace'}"
        recorder.add(name, settle.rate * seats, "seats/s", ratio, how)


def measure_memory(folder: Path, size: Size, recorder: Recorder) -> None:
    """Measure the most memory that a short and a long file take."""
    for lines in (1_000, size.pick(2_000, 100_000, 1_000_000)):
        file = folder / "rounds.jsonl"
        write_rounds(file, "california", 2, lines)
        words = [sys.executable, "-c", PEAK, *SETTLE, "california", str(file), "--json"]
        peak = int(subprocess.run(words, check=True, stdout=subprocess.PIPE).stdout)
        unit = 1 if sys.platform == "darwin" else 1024
        recorder.add(f"memory, {lines:,} lines", peak * unit / 2**20, "MiB", how="most at one time")


def measure(size: Size, recorder: Recorder) -> None:
    """Measure speed, memory and start-up."""
    with tempfile.TemporaryDirectory() as folder:
        measure_speed(Path(folder), size, recorder)
        if size is Size.TINY:
            return
        measure_memory(Path(folder), size, recorder)
    measure_commands(("--help", "rules california"), size.pick(1, 5, 15), recorder)


BENCH = Bench(
    "settle",
    "Settling from the shell",
    "The whole command `queenhigh settle` on files in which every line is another round, start-up"
    " and writing included, on one core.",
    "Python code for each seat: checking it, then settling it; JSON itself is a small part. Every"
    " round is written as soon as it is settled.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
