"""Help for a group of commands: each command stands under the task it is for."""

from collections.abc import Mapping
from typing import Any

import click

__all__ = ["TaskGroup"]

_NEVER_CUT = 1000


class TaskGroup(click.Group):
    """A group that lists its commands by task and prints its help when no command is named."""

    def __init__(self, *args: Any, tasks: Mapping[str, tuple[str, ...]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.tasks = tasks

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; without any, show the help."""
        return super().parse_args(ctx, args or ["--help"])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each task. Summaries wrap and are never cut."""
        names = max(len(name) for name in self.commands)
        for task, listed in self.tasks.items():
            rows = [
                (name.ljust(names), self.commands[name].get_short_help_str(_NEVER_CUT))
                for name in listed
            ]
            with formatter.section(task):
                formatter.write_dl(rows)
