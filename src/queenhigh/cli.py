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
        "serve": ("serve", "Open the room: tables in the browser and for programs."),
        "table": ("table", "Run a table of bots, recall its rounds and export them."),
        "backup": ("backup", "Copy a room's file while the room is open, and prove the copy."),
        "restore": ("backup", "Verify a backup and restore it to a new file."),
        "archive": ("archive", "Archive the closed tables of a room's file."),
    },
    "Price": {
        "odds": ("price", "Count the exact odds of every bet."),
        "strategy": ("price", "Find the best play, as a chart and as a rule to remember."),
        "bank": ("price", "Work out what banking a table is worth, and what it risks."),
        "simulate": ("simulate", "Play whole tables by the million and count the results."),
    },
    "Settle and prove": {
        "settle": ("settle", "Settle finished rounds from a file or standard input."),
        "verify": ("verify", "Prove a room's file, a log or an archive, event by event."),
    },
    "Rules": {
        "rules": ("rules", "List the rulebooks, or print the rule sheet of one."),
        "compare": ("price", "Show what differs between two rulebooks, and at what price."),
        "assumptions": ("assumptions", "List every assumption with what each reading does."),
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

    RULEBOOK is the name of a shipped rulebook or the path of a file of your own.
    """


def main(ready: Callable[[], object] = lambda: None) -> None:
    """Run the command line. ``ready`` is called when it can handle an interrupt."""
    run_process(cli, ready)
