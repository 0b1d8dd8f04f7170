"""``assumptions``: what each reading of the rules does, to the edge or at a table."""

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, NamedTuple, cast

import click

import queenhigh
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
from queenhigh.commands.output import notice, print_json, print_text
from queenhigh.commands.progress import counting, stopped_by_interrupt
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.simulation.engines.plan import PokerPlan
    from queenhigh.simulation.paired import PairedSimulation
    from queenhigh.simulation.readings import TableReading, TableTerms

__all__ = ["AssumptionsOptions", "assumptions"]


class AssumptionsOptions(NamedTuple):
    """The options of ``assumptions``; ``None`` and an empty tuple stand for the default."""

    bank: Annotated[
        int | None,
        option("--bank", "The bank of a round; all Antes together by default.", type=Money()),
    ]
    seats: Annotated[
        int | None, option("--seats", "How many seats play; all by default.", type=int)
    ]
    ante: Antes
    bonus: Bonuses
    rounds: Annotated[
        int | None,
        option(
            "--rounds", "How many rounds; 1e6 by default, 1e3 on the slow engine.", type=Count()
        ),
    ]
    seed: Annotated[
        int | None, option("--seed", "The same seed gives the same rounds; 7 by default.", type=int)
    ]

    @property
    def terms(self) -> "TableTerms":
        """The terms of the table that were given."""
        from queenhigh.simulation.readings import TableTerms

        given = {name: getattr(self, name) for name in TableTerms.__annotations__}
        given |= {"ante": flatten(self.ante), "bonus": flatten(self.bonus)}
        return cast(TableTerms, {name: it for name, it in given.items() if it is not None})


@click.command()
@click.argument("rulebook")
@takes(AssumptionsOptions)
@set_option
@json_option
def assumptions(
    rulebook: str, options: AssumptionsOptions, changes: tuple[str, ...], as_json: bool
) -> None:
    """List every assumption with what each reading does.

    Most readings change the edge of a bet. Readings of the bank are sampled at a table whose bank
    may run out, all with the same cards; readings of the fees are counted exactly. By default the
    table is full, with the least Antes and a bank as large as all of them. Ctrl-C ends the sampling
    early: what is done so far is printed, and the exit status is 130.

    MONEY is cents when it is a plain number, as 500, and dollars when it is written $5 or 5.00.
    """
    from queenhigh.sheets import readings_sheet
    from queenhigh.simulation.readings import price_at_table

    book = load_rulebook(rulebook, changes)
    listed = queenhigh.readings(book)
    rows = price_at_table(book, listed, options.terms, lambda plans: _sample(plans, options.rounds))
    if options.rounds is not None and not any(row.measure == "bank" for row in rows):
        message = f"{book.title}: no reading depends on a bank; leave out --rounds"
        raise QueenhighError("assumptions.rounds", message)
    if not _is_sampled(rows):
        notice("Stopped before there was a result.")
        sys.exit(130)
    if as_json:
        print_json(readings_sheet.as_json(rows))
    else:
        print_text(readings_sheet.as_text(book, rows))
    if any(row.bank and row.bank.simulation.rounds < row.bank.simulation.asked for row in rows):
        sys.exit(130)


def _is_sampled(rows: Sequence["TableReading"]) -> bool:
    """Return whether every table that can be played was."""
    return all(row.bank for row in rows if row.measure == "bank" and row.plan)


def _sample(plans: Sequence["PokerPlan"], rounds: int | None) -> list["PairedSimulation"]:
    """Sample tables with progress and a way to stop."""
    from queenhigh.simulation.paired import default_rounds, sample_paired
    from queenhigh.simulation.run import Threads

    crew = Threads()
    count = default_rounds(crew.engine) if rounds is None else rounds
    if crew.engine == "scalar":
        notice("Using the slow engine. For the fast one: pip install 'queenhigh[sim]'")
    with stopped_by_interrupt() as stopped, counting(count * len(plans), "rounds") as report:
        return sample_paired(
            plans,
            count,
            crew,
            starts_slowly=lambda: notice(
                "Getting ready: the engine is compiled, once for all runs …"
            ),
            progress=report,
            stop=stopped.is_set,
        )
