"""The command line: it names commands and their modules, which are loaded when they are needed."""

from collections.abc import Callable

import click

from queenhigh import __version__
from queenhigh.commands.help import TaskGroup
from queenhigh.commands.process import run_process

__all__ = ["cli", "main"]

#: The commands by task, each with its module in ``queenhigh.commands`` and its line in the help.
_TASKS = {
    "Play and run a room": {
        "serve": ("serve", "Serve a room: tables for browsers and programs."),
        "staff": ("staff", "List a room's staff, and help owners who cannot log in."),
        "table": ("table", "Run a table of bots, and list or export its rounds."),
        "backup": ("backup", "Back up an open room's database and verify the copy."),
        "restore": ("backup", "Verify a backup and restore it to a new database."),
        "archive": ("archive", "Archive the closed tables of a room's database."),
        "copy": ("copy", "Copy a room to another database and verify the copy."),
        "db": ("db", "Upgrade a room's database."),
    },
    "Price": {
        "odds": ("price", "Calculate the exact odds of every bet."),
        "strategy": ("price", "Find the best strategy, as a chart and as a simple rule."),
        "bank": ("price", "Calculate what banking a table earns and risks."),
        "simulate": ("simulate", "Simulate millions of rounds at whole tables."),
    },
    "Settle and verify": {
        "settle": ("settle", "Settle finished rounds from a file or standard input."),
        "desk": ("desk", "Settle hands dealt with real cards, entered line by line."),
        "verify": ("verify", "Verify a room's database, a log or an archive, event by event."),
    },
    "Rules": {
        "rules": ("rules", "List the rulebooks, or print the rule sheet of one."),
        "sheet": ("sheet", "Make sheets to print: rules, fees, pays, strategy, felt."),
        "compare": ("price", "Compare two rulebooks and show what each difference is worth."),
        "assumptions": ("assumptions", "List every assumption and the effect of each alternative."),
    },
}


@click.group(
    cls=TaskGroup,
    tasks=_TASKS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="queenhigh")
def cli() -> None:
    """Play, bank, price and prove Three Card Poker and roulette. Play money only.

    RULEBOOK is the name of a built-in rulebook or the path of your own file.
    """


def main(ready: Callable[[], object] = lambda: None) -> None:
    """Run the command line. ``ready`` is called when it can handle an interrupt."""
    run_process(cli, ready)
