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
from queenhigh.commands.output import COMPILING, SLOW_ENGINE, notice, print_json, print_text
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
        option("--bank", "The bank of a round; by default the sum of all Antes.", type=Money()),
    ]
    seats: Annotated[int | None, option("--seats", "Number of seats; all by default.", type=int)]
    ante: Antes
    bonus: Bonuses
    rounds: Annotated[
        int | None,
        option(
            "--rounds", "Number of rounds; 1e6 by default, 1e3 with the slow engine.", type=Count()
        ),
    ]
    seed: Annotated[
        int | None,
        option("--seed", "Random seed; repeats the same rounds. 7 by default.", type=int),
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
    """List every assumption and the effect of each alternative.

    Most alternatives change the edge of a bet. Those about the bank are simulated at a table whose
    bank may run out, all with the same cards; those about fees are calculated exactly. By default
    the table is full, with minimum Antes and a bank equal to their sum. Ctrl-C stops the simulation
    early: it prints the results so far and exits with status 130.

    MONEY is in cents if written as a plain number (500), in dollars if written as $5 or 5.00.
    """
    from queenhigh.sheets import readings_sheet
    from queenhigh.simulation.readings import price_at_table

    book = load_rulebook(rulebook, changes)
    listed = queenhigh.readings(book)
    rows = price_at_table(book, listed, options.terms, lambda plans: _sample(plans, options.rounds))
    if options.rounds is not None and not any(row.measure == "bank" for row in rows):
        message = f"{book.title}: no assumption depends on a bank: remove --rounds"
        raise QueenhighError("assumptions.rounds", message)
    if not _is_sampled(rows):
        notice("Stopped: there are no results yet.")
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
        notice(SLOW_ENGINE)
    with stopped_by_interrupt() as stopped, counting(count * len(plans), "rounds") as report:
        return sample_paired(
            plans,
            count,
            crew,
            starts_slowly=lambda: notice(COMPILING),
            progress=report,
            stop=stopped.is_set,
        )
