"""``table``: bots at a durable table; and rounds out of it, to recall or to take elsewhere."""

import click

from queenhigh.commands.help import TaskGroup

__all__ = ["table"]

_TASKS = {
    "Commands": {
        "run": ("table_run", "Run a table of bots and save its rounds."),
        "recall": ("table_rounds", "Show a player's last rounds."),
        "export": (
            "table_rounds",
            "Export finished rounds, or the whole log, to standard output.",
        ),
    }
}


@click.group(cls=TaskGroup, tasks=_TASKS)
def table() -> None:
    """Run a table of bots, and list or export its rounds."""
