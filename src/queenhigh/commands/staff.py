"""``staff``: the people of a room's floor, for its operator."""

import click

from queenhigh.commands.help import TaskGroup

__all__ = ["staff"]

_TASKS = {
    "Commands": {
        "list": ("staff_list", "List the staff of a room, and the tokens of programs."),
        "password": ("staff_password", "Set the password of an owner who cannot log in."),
    }
}


@click.group(cls=TaskGroup, tasks=_TASKS)
def staff() -> None:
    """List a room's staff, and help owners who cannot log in."""
