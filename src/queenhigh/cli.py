"""The command line: thin commands over the packages, which are imported when they are needed."""

import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, NoReturn

import click

from queenhigh import __version__
from queenhigh.commands.amounts import Amounts, Count, Money
from queenhigh.commands.help import TaskGroup
from queenhigh.commands.overrides import read_changes
from queenhigh.commands.stores import archive, backup, restore
from queenhigh.commands.streams import mend_streams, stop_writing
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.rulebook.book import Rulebook

__all__ = ["cli", "main"]

_set_option = click.option(
    "--set", "changes", metavar="KEY=VALUE", multiple=True,
    help="Give a key of the rulebook another value; may be repeated.",
)  # fmt: skip
_json_option = click.option("--json", "as_json", is_flag=True, help="Write JSON for programs.")


class Refusal(click.ClickException):
    """One sentence, or one for each problem, on standard error; exit status 2."""


def main(ready: Callable[[], object] = lambda: None) -> None:
    """Run the command line: every error becomes one sentence, never a traceback.

    ``ready`` is called when an interrupt can be handled here.
    """
    try:
        ready()
        mend_streams()
        status = cli(prog_name="queenhigh", standalone_mode=False)
        sys.stdout.flush()
    except click.UsageError as error:
        where = error.ctx.command_path if error.ctx else "queenhigh"
        _end(f"{_sentence(error.format_message())} See {where} --help")
    except click.ClickException as error:
        _end(error.format_message())
    except QueenhighError as error:
        _end(str(error))
    except BrokenPipeError:
        stop_writing()
        status = 1
    except OSError as error:
        stop_writing()
        _end(f"standard output: {error.strerror}")
    except (click.Abort, KeyboardInterrupt):
        status = 130
    sys.exit(status)


def _end(message: str) -> NoReturn:
    click.echo(message, err=True)
    sys.exit(2)


def _sentence(text: str) -> str:
    """Return a message with an end, so that another sentence can follow it."""
    return text if text.endswith((".", "?", "!", "?)")) else f"{text}."


#: The commands by task, as the help lists them.
_TASKS = {
    "Play and run a room": ("serve", "table", "backup", "restore", "archive"),
    "Price": ("odds", "strategy", "bank", "simulate"),
    "Settle and prove": ("settle", "verify"),
    "Rules": ("rules", "compare", "assumptions"),
}


@click.group(
    cls=TaskGroup,
    tasks=_TASKS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="queenhigh")
def cli() -> None:
    """Play, bank, price and prove Three Card Poker and roulette. Play money only.

    RULEBOOK is the name of a shipped rulebook or the path of a file of your own.
    """


@cli.command()
@click.argument("rulebook", required=False)
@click.option("--check", is_flag=True, help="Say OK, or list every problem and exit with 2.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of a rulebook file.")
@_set_option
@_json_option
def rules(
    rulebook: str | None, check: bool, schema: bool, changes: tuple[str, ...], as_json: bool
) -> None:
    """List the rulebooks, or print the rule sheet of one."""
    from queenhigh.commands import rules as run  # noqa: PLC0415

    if schema:
        run.print_schema()
    elif rulebook is None:
        if check or changes:
            raise Refusal("Name a rulebook: its shipped name or the path of a file.")
        run.print_list(as_json=as_json)
    elif check:
        run.print_check(rulebook, read_changes(changes), as_json=as_json)
    else:
        run.print_sheet(_load(rulebook, changes), as_json=as_json)


@cli.command()
@click.argument("rulebook")
@click.argument("file", default="-", metavar="[FILE|-]")
@_set_option
@_json_option
def settle(rulebook: str, file: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Settle finished rounds from a file or standard input.

    Each line of FILE is a round as a JSON object. A line that cannot be settled is reported on
    standard error as "line N: reason", the rest is settled all the same, and the exit status is 1.
    """
    from queenhigh.commands import settle as run  # noqa: PLC0415

    bad = run.settle_file(_load(rulebook, changes), file, as_json=as_json)
    sys.exit(1 if bad else 0)


@cli.command()
@click.argument("rulebook")
@_set_option
@_json_option
def odds(rulebook: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Count the exact odds of every bet."""
    from queenhigh.commands import price as run  # noqa: PLC0415

    run.print_odds(_load(rulebook, changes), as_json=as_json)


@cli.command()
@click.argument("rulebook")
@click.option("--hand", metavar="CARDS", help='Weigh both moves with one hand: "Qs 6d 4c".')
@click.option("--up", metavar="CARDS", help="The dealer's up card or cards.")
@click.option("--chart", type=click.Path(path_type=Path), help="Draw the chart into an HTML file.")
@_set_option
@_json_option
def strategy(
    rulebook: str,
    hand: str | None,
    up: str | None,
    chart: Path | None,
    changes: tuple[str, ...],
    as_json: bool,
) -> None:
    """Find the best play, as a chart and as a rule to remember."""
    from queenhigh.commands import price as run  # noqa: PLC0415

    book = _load(rulebook, changes)
    if hand is not None and chart is not None:
        raise Refusal("--chart is for all hands: leave --hand out")
    if hand is not None:
        run.print_advice(book, hand, up, as_json=as_json)
    elif up is not None:
        raise Refusal('--up goes with a hand: write --hand "Qs 6d 4c" too')
    else:
        run.print_strategy(book, chart, as_json=as_json)


@cli.command()
@click.argument("rulebook")
@click.argument("other")
@_set_option
@_json_option
def compare(rulebook: str, other: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Show what differs between two rulebooks, and at what price.

    Each difference comes with the edge of the first rulebook if only that is changed. --set changes
    the second rulebook, which may be the same as the first.
    """
    from queenhigh.commands import price as run  # noqa: PLC0415

    run.print_compare(_load(rulebook, ()), _load(other, changes), as_json=as_json)


@cli.command()
@click.argument("rulebook")
@_set_option
@_json_option
def assumptions(rulebook: str, changes: tuple[str, ...], as_json: bool) -> None:
    """List every assumption with the edge under each reading."""
    from queenhigh.commands import price as run  # noqa: PLC0415

    run.print_assumptions(_load(rulebook, changes), as_json=as_json)


@cli.command()
@click.argument("rulebook")
@click.option("--seats", type=int, help="How many seats play.")
@click.option("--ante", type=Amounts(), multiple=True, help="The Ante of all seats, or of each.")
@click.option("--bonus", type=Amounts(), multiple=True, help="The side bet of all, or of each.")
@click.option("--rounds-per-hour", type=click.IntRange(1, 1000), default=40, show_default=True,
              help="Rounds an hour.")  # fmt: skip
@click.option("--hours", type=click.IntRange(1, 24), default=8, show_default=True,
              help="Hours of a night.")  # fmt: skip
@_set_option
@_json_option
def bank(rulebook: str, changes: tuple[str, ...], as_json: bool, **terms: Any) -> None:
    """Work out what banking a table is worth, and what it risks.

    Without --seats the whole table plays, or a seat for each amount if several are given. Without
    --ante each Ante is the least the table takes; without --bonus there are no side bets.

    MONEY is cents when it is a plain number, as 500, and dollars when it is written $5 or 5.00.
    """
    from queenhigh.commands import price as run  # noqa: PLC0415

    run.print_bank(_load(rulebook, changes), as_json=as_json, **terms)


@cli.command()
@click.argument("rulebook")
@click.option("--rounds", type=Count(), default="1e6", show_default=True, help="How many rounds.")
@click.option("--seats", type=int, help="How many seats play; 1 by default.")
@click.option("--ante", type=Amounts(), multiple=True, help="The Ante of all seats, or of each.")
@click.option("--bonus", type=Amounts(), multiple=True, help="The side bet of all, or of each.")
@click.option("--bank", type=Money(), help="The bank of a round; endless by default.")
@click.option("--policy", metavar="NAME|FILE", help="best, q64, mimic or a file; best+errors:2%.")
@click.option("--bet", "bets", metavar="BET", multiple=True,
              help='A bet on the wheel: 17, red, "split 17 20"; may be repeated.')  # fmt: skip
@click.option("--stake", type=Money(), help="What is on each bet; the least by default.")
@click.option("--seed", type=int, help="The same seed gives the same rounds; fresh by default.")
@click.option(
    "--engine", metavar="auto|scalar|compiled|cuda", default="auto",
    help="What plays the rounds; all give the same.",
)  # fmt: skip
@click.option("--threads", type=click.IntRange(1, 1024), help="Threads; one a core by default.")
@click.option("--cluster", metavar="ADDRESS|local", help="Run on a Ray cluster.")
@click.option("--out", type=click.Path(path_type=Path), help="Write all results to FILE.parquet.")
@_set_option
@_json_option
def simulate(rulebook: str, changes: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Play whole tables by the million and count the results.

    Three Card Poker has seats, antes, bonus bets, a bank and a policy; roulette has bets and a
    stake. Ctrl-C ends it early: what is done so far is printed, and the exit status is 130.

    MONEY is cents when it is a plain number, as 500, and dollars when it is written $5 or 5.00.
    """
    began = monotonic()
    from queenhigh.commands import simulate as run  # noqa: PLC0415

    book, wanted = _load(rulebook, changes), run.Asked(**asked)
    sys.exit(0 if run.print_simulation(book, wanted, began, as_json=as_json) else 130)


@cli.group(cls=TaskGroup, tasks={"Commands": ("run", "recall", "export")})
def table() -> None:
    """Run a table of bots, recall its rounds and export them."""


@table.command()
@click.argument("rulebook")
@click.option("--bots", type=click.IntRange(1, 20), help="How many bots sit; all places if not.")
@click.option("--rounds", type=Count(), default="1000", show_default=True, help="How many rounds.")
@click.option("--db", type=click.Path(path_type=Path), required=True, help="The store: a file.")
@click.option("--table", metavar="NAME", help="The table's name; the rulebook's by default.")
@click.option("--policy", metavar="NAME|FILE", multiple=True, help="Policies of the bots in turn.")
@click.option("--seed", type=int, help="What the bots' whims follow from; not the cards.")
@_set_option
@_json_option
def run(rulebook: str, changes: tuple[str, ...], as_json: bool, **asked: Any) -> None:
    """Let bots play a durable table in this process.

    A table that is there already goes on where it was. Ctrl-C ends it early, with nothing lost and
    exit status 130.
    """
    from queenhigh.commands import table as run  # noqa: PLC0415

    book, wanted = _load(rulebook, changes), run.Asked(**asked)
    sys.exit(0 if run.run_table(book, wanted, as_json=as_json) else 130)


@table.command()
@click.argument("db", type=click.Path(path_type=Path))
@click.option("--player", required=True, help="Whose rounds.")
@click.option("--table", metavar="NAME", help="Of one table; of all by default.")
@click.option("--last", type=click.IntRange(1), default=10, show_default=True, help="How many.")
@_json_option
def recall(db: Path, player: str, table: str | None, last: int, as_json: bool) -> None:
    """Recall a player's last rounds.

    Each comes with its outcome, its steps, the wagers, and the credits before and after.
    """
    from queenhigh.commands import table as run  # noqa: PLC0415

    run.print_recall(db, table, player, last, as_json=as_json)


@table.command()
@click.argument("db", type=click.Path(path_type=Path))
@click.option("--table", metavar="NAME", help="Of one table; of all by default.")
@click.option(
    "--as", "form", type=click.Choice(["settle", "phh", "log"]), default="settle",
    show_default=True, help="Rounds for settle, a PHH file (.phhs), or the log.",
)  # fmt: skip
def export(db: Path, table: str | None, form: str) -> None:
    """Write finished rounds, or the whole log, to standard output.

    The log shows the seeds of rounds that are not over: keep it to the room until they are.
    """
    from queenhigh.commands import table as run  # noqa: PLC0415

    run.write_export(db, table, form)


@cli.command()
@click.argument("file", type=click.Path(path_type=Path), metavar="DB|FILE")
@click.option("--round", metavar="TABLE/N", help="Print one round with every step too.")
@click.option("--key", metavar="HEX", help="The key that must have signed it.")
@click.option("--receipt", "receipts", type=click.Path(path_type=Path), multiple=True,
              metavar="FILE", help="A receipt that the room gave; may be repeated.")  # fmt: skip
@click.option("--archive", "archives", type=click.Path(path_type=Path), multiple=True,
              metavar="FILE", help="An archive of it; may be repeated.")  # fmt: skip
@_json_option
def verify(file: Path, **asked: Any) -> None:
    """Prove a room's file, a log or an archive, event by event.

    Checks hashes, commitments, cards, legality, settlement and balances. Names the first bad event
    and exits with 1 if there is one. Of events that were archived only the hashes are proved unless
    --archive names the file that has them.
    """
    from queenhigh.commands import verify as run  # noqa: PLC0415

    sys.exit(0 if run.print_verification(file, **asked) else 1)


for _command in (archive, backup, restore):
    cli.add_command(_command)


@cli.command()
@click.option("--db", type=click.Path(path_type=Path), default="room.db", show_default=True,
              help="The room: a file, made if it is not there.")  # fmt: skip
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen at.")
@click.option("--port", type=click.IntRange(0, 65535), default=8777, show_default=True,
              help="The port; 0 takes a free one.")  # fmt: skip
@click.option("--table", "tables", type=click.Path(path_type=Path), multiple=True, metavar="FILE",
              help="A table of your own, as TOML; may be repeated.")  # fmt: skip
@click.option("--tls-cert", type=click.Path(path_type=Path), help="The certificate for TLS.")
@click.option("--tls-key", type=click.Path(path_type=Path), help="Its key.")
@click.option("--behind-proxy", is_flag=True, help="A proxy on this machine does TLS.")
@click.option("--proxy-address", "proxies", multiple=True, help="A proxy elsewhere does TLS.")
@click.option("--insecure", is_flag=True, help="No TLS although others can reach this address.")
@click.option("--name", "names", multiple=True, help="A host name the room is reached by.")
@click.option("--new-floor-token", is_flag=True, help="Make a new token for the floor.")
@_json_option
def serve(as_json: bool, **asked: Any) -> None:
    """Open the room: tables in the browser and for programs.

    Ctrl-C closes it: rounds under way are parked, and go on when it opens again.
    """
    from queenhigh.commands import serve as run  # noqa: PLC0415

    run.serve_room(asked, as_json=as_json)


def _load(rulebook: str, changes: tuple[str, ...]) -> "Rulebook":
    from queenhigh.rulebook.load import load  # noqa: PLC0415

    return load(rulebook, read_changes(changes))
