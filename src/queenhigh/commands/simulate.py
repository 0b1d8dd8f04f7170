"""``simulate``: whole tables by the million, with progress and a way to stop."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, cast

from queenhigh.commands.amounts import flatten
from queenhigh.commands.output import dump, show, tell
from queenhigh.commands.progress import stopped_by_interrupt
from queenhigh.errors import QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.simulation.result import Simulation
from queenhigh.simulation.run import Progress, Threads, Workers, run
from queenhigh.simulation.terms import Terms, make_plan

if TYPE_CHECKING:
    from queenhigh.sampling.plan import Plan
    from queenhigh.sampling.tally import Tally

__all__ = ["Asked", "print_simulation"]


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the command line asked for; ``None`` and nothing leave it to the defaults."""

    rounds: int
    seats: int | None
    ante: tuple[list[int], ...]
    bonus: tuple[list[int], ...]
    bank: int | None
    policy: str | None
    bets: tuple[str, ...]
    stake: int | None
    seed: int | None
    engine: str
    threads: int | None
    cluster: str | None
    out: Path | None

    @property
    def terms(self) -> Terms:
        """The terms that were given."""
        given = {name: getattr(self, name) for name in Terms.__annotations__}
        given |= {"ante": flatten(self.ante), "bonus": flatten(self.bonus)}
        return cast(Terms, {name: it for name, it in given.items() if it not in (None, ())})


def print_simulation(book: Rulebook, asked: Asked, began: float, *, as_json: bool) -> bool:
    """Simulate, print the results, and tell whether all rounds were played.

    ``began`` is when the command began, by the monotonic clock.
    """
    if asked.out is not None:
        _check_out(asked.out)
    plan = make_plan(book, asked.terms)
    # Ray tells of workers that died on standard output, where only results belong.
    aside = redirect_stdout(sys.stderr)
    with aside, stopped_by_interrupt() as stopped, _progress(plan, asked.rounds) as progress:
        found = run(
            plan,
            asked.rounds,
            _crew(asked),
            starts_slowly=lambda: tell(
                "Getting ready: the engine is compiled, once for all runs …"
            ),
            progress=progress,
            stop=stopped.is_set,
        )
    if not found.rounds:
        tell("Stopped before the first round: there are no results.")
        return False
    _print(found, began, as_json=as_json)
    if asked.out is not None:
        _write(asked.out, found)
    return found.rounds == asked.rounds


def _print(found: Simulation, began: float, *, as_json: bool) -> None:
    if as_json:
        dump({**found.as_json(), "wall_seconds": round(monotonic() - began, 3)})
        return
    from queenhigh.sheets.simulation_sheet import simulation_sheet  # noqa: PLC0415

    show(simulation_sheet(found, monotonic() - began))


def _crew(asked: Asked) -> Workers:
    if asked.cluster is None:
        crew = Threads(asked.engine, asked.threads)
        if crew.engine == "scalar" and asked.engine == "auto":
            tell("Using the slow engine. For the fast one: pip install 'queenhigh[sim]'")
        return crew
    if asked.threads is not None:
        raise QueenhighError("simulate.threads", "--threads is for this machine, not for a cluster")
    from queenhigh.simulation.cluster import Cluster  # noqa: PLC0415

    tell("Starting Ray …" if asked.cluster == "local" else f"Joining {asked.cluster} …")
    return Cluster(asked.cluster, asked.engine)


@contextmanager
def _progress(plan: "Plan", rounds: int) -> Iterator[Progress]:
    """Show how far it is, how long it takes, and what the banker's mean looks like by now."""
    if not sys.stderr.isatty():
        yield lambda tally, seconds: None
        return
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import BarColumn, TextColumn, TimeRemainingColumn  # noqa: PLC0415
    from rich.progress import Progress as Bar  # noqa: PLC0415

    text = TextColumn("{task.description}")
    columns = (BarColumn(24), TextColumn("{task.percentage:>3.0f} %"), TimeRemainingColumn(), text)
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
            told = f"banker {now.mean:+.5f} ± {1.96 * now.se:.5f}, {tally.rounds / seconds:,.0f}/s"
            bar.update(task, completed=tally.rounds, description=told.replace("-", "−"))

        yield report


def _check_out(file: Path) -> None:
    """Refuse before the work what would fail after it."""
    if file.suffix != ".parquet":
        raise QueenhighError(
            "out.kind", f"{file}: the results are a Parquet file; write FILE.parquet"
        )
    if file.is_dir():
        raise QueenhighError("out.folder", f"{file}: this is a folder; give the name of a file")
    if not file.parent.is_dir():
        raise QueenhighError(
            "out.folder", f"{file}: there is no folder {file.parent}; make it first"
        )
    try:
        import polars  # noqa: F401, PLC0415
    except ImportError:
        told = "--out needs polars: pip install 'queenhigh[sim]'"
        raise QueenhighError("out.polars", told) from None


def _write(file: Path, found: Simulation) -> None:
    """Write the distribution of every account, a row for each result that came."""
    import polars  # noqa: PLC0415

    rows = [
        (one.name, cents, count)
        for one in (*found.seats, found.banker)
        for cents, count in one.distribution.items()
    ]
    frame = polars.DataFrame(rows, schema=["account", "cents", "rounds"], orient="row")
    packed = BytesIO()
    frame.write_parquet(packed)
    try:
        file.write_bytes(packed.getvalue())
    except OSError as error:
        told = f"{file}: {error.strerror}; the results above were not written there"
        raise QueenhighError("out.unwritable", told) from None
