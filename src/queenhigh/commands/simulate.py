"""``simulate``: whole tables by the million, with progress and a way to stop."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import click

from queenhigh.commands.amounts import Count, Money, flatten
from queenhigh.commands.options import (
    Antes,
    Bonuses,
    json_option,
    load_rulebook,
    option,
    set_option,
    takes,
)
from queenhigh.commands.output import COMPILING, SLOW_ENGINE, notice, print_json, print_text
from queenhigh.commands.progress import stopped_by_interrupt
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.rulebook.book import Rulebook
    from queenhigh.simulation.engines.plan import FastPlan
    from queenhigh.simulation.engines.tally import Tally
    from queenhigh.simulation.result import Simulation
    from queenhigh.simulation.run import Progress, Workers
    from queenhigh.simulation.terms import Terms

__all__ = ["SimulateOptions", "simulate"]


class SimulateOptions(NamedTuple):
    """The options of ``simulate``; ``None`` and an empty tuple stand for the default."""

    rounds: Annotated[
        int, option("--rounds", "Number of rounds.", type=Count(), default="1e6", show_default=True)
    ]
    seats: Annotated[int | None, option("--seats", "Number of seats; 1 by default.", type=int)]
    ante: Antes
    bonus: Bonuses
    bank: Annotated[
        int | None, option("--bank", "The bank of a round; unlimited by default.", type=Money())
    ]
    policy: Annotated[
        str | None,
        option(
            "--policy",
            "Strategy: best, q64, mimic or a file; best+errors:2% adds mistakes.",
            metavar="NAME|FILE",
        ),
    ]
    bets: Annotated[
        tuple[str, ...],
        option(
            "--bet",
            'A roulette bet: 17, red, "split 17 20", "1st 12". Repeatable.',
            metavar="BET",
            multiple=True,
        ),
    ]
    stake: Annotated[
        int | None,
        option("--stake", "Amount on each bet; the table minimum by default.", type=Money()),
    ]
    seed: Annotated[
        int | None,
        option("--seed", "Random seed; the same seed repeats the same rounds.", type=int),
    ]
    engine: Annotated[
        str,
        option(
            "--engine",
            "Engine; all give the same results.",
            metavar="auto|scalar|compiled|cuda",
            default="auto",
        ),
    ]
    threads: Annotated[
        int | None,
        option(
            "--threads", "Number of threads; one per core by default.", type=click.IntRange(1, 1024)
        ),
    ]
    cluster: Annotated[
        str | None, option("--cluster", "Run on a Ray cluster.", metavar="ADDRESS|local")
    ]
    out: Annotated[
        Path | None,
        option("--out", "Write every result to FILE.parquet.", type=click.Path(path_type=Path)),
    ]

    @property
    def terms(self) -> "Terms":
        """The terms that were given."""
        from queenhigh.simulation.terms import Terms

        given = {name: getattr(self, name) for name in Terms.__annotations__}
        given |= {"ante": flatten(self.ante), "bonus": flatten(self.bonus)}
        return cast(Terms, {name: it for name, it in given.items() if it not in (None, ())})


@click.command()
@click.argument("rulebook")
@takes(SimulateOptions)
@set_option
@json_option
def simulate(
    rulebook: str, options: SimulateOptions, changes: tuple[str, ...], as_json: bool
) -> None:
    """Simulate millions of rounds at whole tables.

    For Three Card Poker set seats, Antes, bonus bets, a bank and a policy; for roulette set bets
    and a stake. Ctrl-C stops early: it prints the results so far and exits with status 130.

    MONEY is in cents if written as a plain number (500), in dollars if written as $5 or 5.00.
    """
    start = monotonic()
    book = load_rulebook(rulebook, changes)
    sys.exit(0 if _simulate(book, options, start, as_json=as_json) else 130)


def _simulate(book: "Rulebook", options: SimulateOptions, start: float, *, as_json: bool) -> bool:
    """Simulate, print the results, and return whether all rounds were played.

    ``start`` is when the command started, by the monotonic clock.
    """
    from queenhigh.simulation.run import run
    from queenhigh.simulation.terms import make_plan

    if options.out is not None:
        _check_out(options.out)
    plan = make_plan(book, options.terms)
    # Ray reports workers that died on standard output, where only results belong.
    elsewhere = redirect_stdout(sys.stderr)
    with elsewhere, stopped_by_interrupt() as stopped, _progress(plan, options.rounds) as progress:
        result = run(
            plan,
            options.rounds,
            _workers(options),
            starts_slowly=lambda: notice(COMPILING),
            progress=progress,
            stop=stopped.is_set,
        )
    if not result.rounds:
        notice("Stopped before the first round: there are no results.")
        return False
    _print(result, start, as_json=as_json)
    if options.out is not None:
        _write(options.out, result)
    return result.rounds == options.rounds


def _print(result: "Simulation", start: float, *, as_json: bool) -> None:
    if as_json:
        print_json({**result.as_json(), "wall_seconds": round(monotonic() - start, 3)})
        return
    from queenhigh.sheets.simulation_sheet import simulation_sheet

    print_text(simulation_sheet(result, monotonic() - start))


def _workers(options: SimulateOptions) -> "Workers":
    from queenhigh.simulation.run import Threads

    if options.cluster is None:
        threads = Threads(options.engine, options.threads)
        if threads.engine == "scalar" and options.engine == "auto":
            notice(SLOW_ENGINE)
        return threads
    if options.threads is not None:
        raise QueenhighError("simulate.threads", "--threads has no effect on a cluster: remove it")
    from queenhigh.simulation.cluster import Cluster

    notice("Starting Ray …" if options.cluster == "local" else f"Joining {options.cluster} …")
    return Cluster(options.cluster, options.engine)


@contextmanager
def _progress(plan: "FastPlan", rounds: int) -> Iterator["Progress"]:
    """Show how far it is, how long it takes, and what the banker's mean looks like by now."""
    if not sys.stderr.isatty():
        yield lambda tally, seconds: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    from queenhigh.simulation.result import Simulation

    estimate = TextColumn("{task.description}")
    columns = (
        BarColumn(24),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeRemainingColumn(),
        estimate,
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task, shown = bar.add_task("", total=rounds), 0.0

        def report(tally: "Tally", seconds: float) -> None:
            nonlocal shown
            if monotonic() - shown < 0.2:
                return
            shown = monotonic()
            now = Simulation(
                plan=plan, tally=tally, seconds=seconds, engine="", threads=0, asked=rounds
            ).banker
            text = f"banker {now.mean:+.5f} ± {1.96 * now.se:.5f}, {tally.rounds / seconds:,.0f}/s"
            bar.update(task, completed=tally.rounds, description=text.replace("-", "−"))

        yield report


def _check_out(file: Path) -> None:
    """Refuse before the work what would fail after it."""
    if file.suffix != ".parquet":
        raise QueenhighError(
            "out.kind", f"{file}: results are written as Parquet; use a name like FILE.parquet"
        )
    if file.is_dir():
        raise QueenhighError("out.folder", f"{file}: this is a folder; give a file name")
    if not file.parent.is_dir():
        raise QueenhighError(
            "out.folder", f"{file}: the folder {file.parent} does not exist; create it first"
        )
    try:
        import polars  # noqa: F401
    except ImportError:
        message = "--out needs polars: pip install 'queenhigh[sim]'"
        raise QueenhighError("out.polars", message) from None


def _write(file: Path, result: "Simulation") -> None:
    """Write the distribution of every account, a row for each result that came."""
    import polars

    rows = [
        (account.name, cents, count)
        for account in (*result.seats, result.banker)
        for cents, count in account.distribution.items()
    ]
    frame = polars.DataFrame(rows, schema=["account", "cents", "rounds"], orient="row")
    packed = BytesIO()
    frame.write_parquet(packed)
    try:
        file.write_bytes(packed.getvalue())
    except OSError as error:
        message = f"{file}: {error.strerror}; the results above were not saved"
        raise QueenhighError("out.unwritable", message) from None
