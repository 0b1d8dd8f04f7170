"""Run the benches and write docs/performance.md.

    python -m bench.report [--size tiny|usual|long] [NAME ...]

Without names all benches run and the page is written. The GPU's section is written only where there
is a GPU; elsewhere the page keeps the section it has, with the date and machine it was measured on.
With names only those benches run, and only `gpu` is written, into its section.
"""

import argparse
import signal
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from bench.machine import commit, describe, describe_gpu
from bench.results import Result, Row, Size, figure

ROOT = Path(__file__).parent.parent
NAME = "docs/performance.md"
PAGE = ROOT / NAME
BENCHES = ("odds", "settle", "simulate", "store", "table", "serve", "scale", "page", "gpu")
GPU = "## Simulation on a GPU\n"
HEAD = """# Performance

This page is written by `make bench`. All figures of a section come from one run; things that are
compared take turns, and a ratio is the median of the ratios of single turns. Repeated jobs have the
median of their repetitions. Single times, as of answers, have their median and 99th percentile: of
fewer than 100 times, the longest. Baselines have the same statistic as what stands beside them.
Caches of the package are cleared before each repetition, except where it says what stays warm, and
each repetition proves that it computed: it advances a counter of work done, or the bench stops.
"""


def run_bench(name: str, size: Size) -> Result:
    """Run a bench in a process of its own, which shows its progress."""
    command = [sys.executable, "-m", f"bench.{name}", "--json", "--size", size]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        try:
            output, _ = process.communicate()
        except KeyboardInterrupt:
            _wait_for_end(process)
            raise
    if process.returncode in (130, -signal.SIGINT):
        raise KeyboardInterrupt
    if process.returncode:
        sys.exit(f"bench.{name} failed: {NAME} is as it was")
    return msgspec.json.decode(output, type=Result)


def _wait_for_end(process: "subprocess.Popen[bytes]") -> None:
    """Wait until a bench that was interrupted too has cleaned up; end it if it was not."""
    try:
        process.wait(timeout=10)
    except subprocess.TimeoutExpired:
        process.terminate()


def provenance() -> str:
    """Return when, on which commit and on which machine."""
    now = datetime.now(UTC)
    return f"- Date: {now:%Y-%m-%d %H:%M} UTC\n- Commit: {commit()}\n- Machine: {describe()}\n"


def section(result: Result, *, own: str = "") -> str:
    """Return a section of the page; ``own``: where and when, if that differs from the page's."""
    lines = [f"## {result.title}", "", result.measures, "", f"Limit now: {result.limit}", ""]
    if own:
        lines += [own]
    lines += [f"`python -m bench.{result.name}`; {result.busyness}.", ""]
    if result.rows:
        lines += ["| | | ratio | how |", "|---|--:|---|---|", *map(_line, result.rows), ""]
    lines += [f"{sentence}\n" for sentence in result.absent]
    return "\n".join(lines)


def _line(row: Row) -> str:
    return f"| {row.name} | {figure(row.value)} {row.unit} | {row.ratio} | {row.how} |"


def kept_gpu_section() -> str:
    """Return the GPU's section as the page has it."""
    page = PAGE.read_text() if PAGE.exists() else ""
    _, heading, rest = page.partition(GPU)
    return heading + rest if heading else ""


def gpu_section(result: Result) -> str:
    """Return a new section if the GPU was measured, else the one that the page has."""
    if result.rows:
        return section(result, own=f"{provenance()}- GPU: {describe_gpu()}\n")
    return kept_gpu_section() or section(result)


def write_page(results: dict[str, Result], where: str) -> None:
    """Write the page."""
    parts = [section(result) for name, result in results.items() if name != "gpu"]
    PAGE.write_text("\n".join([HEAD, where, *parts, gpu_section(results["gpu"])]).rstrip() + "\n")


def main() -> None:
    """Run what the command line names."""
    options = argparse.ArgumentParser(prog="python -m bench.report")
    options.add_argument("--size", type=Size, choices=list(Size), default=Size.USUAL)
    options.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHES))
    asked = options.parse_args()
    if unknown := set(asked.names) - set(BENCHES):
        options.error(f"there is no bench {', '.join(sorted(unknown))}: {', '.join(BENCHES)}")
    try:
        run_all(asked.names or list(BENCHES), asked.size, whole=not asked.names)
    except KeyboardInterrupt:
        print(f"\nStopped; {NAME} is as it was.", file=sys.stderr)
        sys.exit(130)


def run_all(names: list[str], size: Size, *, whole: bool) -> None:
    """Run benches one after another, then write what is to be written."""
    start, where, results = time.perf_counter(), provenance(), {}
    for number, name in enumerate(names, 1):
        print(f"[{number} of {len(names)}] {name}", file=sys.stderr, flush=True)
        begun = time.perf_counter()
        results[name] = run_bench(name, size)
        spent = time.perf_counter() - begun
        print(f"  {results[name].busyness}; {spent:.0f} s", file=sys.stderr, flush=True)
    print(f"{time.perf_counter() - start:.0f} s in all", file=sys.stderr)
    if size is Size.TINY:
        print(f"Tiny sizes say nothing about speed: {NAME} is as it was.", file=sys.stderr)
    elif whole:
        write_page(results, where)
    elif "gpu" in results and results["gpu"].rows:
        before = PAGE.read_text().partition(GPU)[0]
        PAGE.write_text(before + gpu_section(results["gpu"]).rstrip() + "\n")


if __name__ == "__main__":
    main()
