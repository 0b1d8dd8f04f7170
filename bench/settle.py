"""How fast `queenhigh settle` is, and whether its memory stays flat. Prints ratios of one run.

    python bench/settle.py [--lines N]

Each figure is the whole command as a user runs it, start-up included, on one core: the best of
three runs, because a machine is only ever slowed down by others. Beside it stands what Python's own
`json` needs merely to read and write the same lines, and the plain settlement of the tests.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.oracle import plain  # noqa: E402

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
SETTLE = [sys.executable, "-m", "queenhigh", "settle"]


def a_round(rng: random.Random, book: str, seats: int) -> dict[str, object]:
    cards = rng.sample(DECK, 3 * (seats + 1))
    hands = [" ".join(cards[i : i + 3]) for i in range(0, len(cards), 3)]
    side, stake = ("bonus", 500) if book == "california" else ("pair_plus", 100)
    antes = (500, 1000, 20000) if book == "california" else (100, 400)
    sat = [
        {"seat": n + 1, "cards": hands[n + 1], "ante": rng.choice(antes), side: stake,
         "move": rng.choice(("play", "play", "fold"))}
        for n in range(seats)
    ]  # fmt: skip
    bank = {"bank": 1_000_000, "first": rng.randint(1, seats)} if book == "california" else {}
    return {"id": "r", "dealer": hands[0], **bank, "seats": sat}


def write_rounds(file: Path, book: str, seats: int, lines: int) -> None:
    rng = random.Random(1)
    some = [json.dumps(a_round(rng, book, seats)) for _ in range(min(lines, 20_000))]
    with file.open("w") as out:
        for n in range(lines):
            out.write(some[n % len(some)] + "\n")


def seconds(words: list[str], times: int = 3) -> float:
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def only_json(file: Path) -> float:
    start = time.perf_counter()
    with file.open() as lines:
        for line in lines:
            json.dumps(json.loads(line))
    return time.perf_counter() - start


def plainly(file: Path, book: str) -> float:
    settle = plain.settle_california if book == "california" else plain.settle_house
    start = time.perf_counter()
    with file.open() as lines:
        for line in lines:
            json.dumps(settle(json.loads(line), {}))
    return time.perf_counter() - start


def speed(folder: Path) -> None:
    print(f"{'rounds':<28}{'seats/s':>10}{'x json alone':>14}{'x plain':>10}")
    for book, seats, words in (
        ("california", 1, ["--json"]),
        ("california", 10, ["--json"]),
        ("california", 10, []),
        ("house", 1, ["--json"]),
        ("house", 7, ["--json"]),
    ):
        lines = 200_000 // seats
        file = folder / "rounds.jsonl"
        write_rounds(file, book, seats, lines)
        took = seconds([*SETTLE, book, str(file), *words])
        name = f"{book}, {seats} seat{'s' * (seats > 1)}, {'json' if words else 'trace'}"
        print(
            f"{name:<28}{lines * seats / took:>10,.0f}"
            f"{only_json(file) / took:>13.2f}x{plainly(file, book) / took:>9.2f}x"
        )


def memory(folder: Path, most: int) -> None:
    print(f"\n{'lines':>10}{'peak memory':>14}")
    for lines in (1_000, most):
        file = folder / "rounds.jsonl"
        write_rounds(file, "california", 2, lines)
        code = (
            "import resource, subprocess, sys;"
            "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL);"
            "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        )
        words = [sys.executable, "-c", code, *SETTLE, "california", str(file), "--json"]
        peak = int(subprocess.run(words, check=True, capture_output=True).stdout)
        print(f"{lines:>10,}{peak / 1024:>11.1f} MiB")


def start_up() -> None:
    print()
    for words in (["--help"], ["rules", "california"], ["settle", "california", "/dev/null"]):
        took = seconds([sys.executable, "-m", "queenhigh", *words])
        print(f"{'queenhigh ' + ' '.join(words):<40}{took * 1000:>5.0f} ms")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--lines", type=int, default=1_000_000, help="lines of the memory test")
    lines = options.parse_args().lines

    with tempfile.TemporaryDirectory() as folder:
        speed(Path(folder))
        memory(Path(folder), lines)
    start_up()


if __name__ == "__main__":
    main()
