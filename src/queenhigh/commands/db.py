"""``db``: the database of a room."""

import click

from queenhigh.commands.help import TaskGroup

__all__ = ["db"]

_TASKS = {
    "Commands": {
        "upgrade": ("db_upgrade", "Upgrade a room's database to this version, or check it."),
    }
}


@click.group(cls=TaskGroup, tasks=_TASKS)
def db() -> None:
    """Upgrade a room's database."""
