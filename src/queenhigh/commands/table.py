"""``table``: bots at a durable table; and rounds out of it, to recall or to take elsewhere."""

import click

from queenhigh.commands.help import TaskGroup

__all__ = ["table"]

_TASKS = {
    "Commands": {
        "run": ("table_run", "Let bots play a durable table in this process."),
        "recall": ("table_rounds", "Recall a player's last rounds."),
        "export": (
            "table_rounds",
            "Write finished rounds, or the whole log, to standard output.",
        ),
    }
}


@click.group(cls=TaskGroup, tasks=_TASKS)
def table() -> None:
    """Run a table of bots, recall its rounds and export them."""
