"""A group of commands: each is loaded when it is needed, and listed under the task it is for."""

from collections import UserDict
from collections.abc import Mapping
from importlib import import_module
from typing import Any

import click

__all__ = ["TaskGroup"]


class _Commands(UserDict[str, Any]):
    """Commands by name, each loaded from its module when it is looked up."""

    def __getitem__(self, name: str) -> click.Command:
        module = import_module(f"queenhigh.commands.{self.data[name]}")
        command: click.Command = getattr(module, name)
        return command


class TaskGroup(click.Group):
    """A group that lists its commands by task and prints its help when no command is named.

    ``tasks`` has the commands of each task: the module of ``queenhigh.commands`` that declares a
    command, and its line in the help, so that no module is loaded to list it.
    """

    def __init__(
        self, name: str, tasks: Mapping[str, Mapping[str, tuple[str, str]]], **more: Any
    ) -> None:
        modules = {name: module for task in tasks.values() for name, (module, _) in task.items()}
        super().__init__(name, commands=_Commands(modules), **more)
        self.tasks = tasks

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Read the words; without any, show the help."""
        return super().parse_args(ctx, args or ["--help"])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write a section for each task. Summaries wrap and are never cut."""
        width = max(len(name) for name in self.commands)
        for task, listed in self.tasks.items():
            with formatter.section(task):
                rows = [(name.ljust(width), summary) for name, (_, summary) in listed.items()]
                formatter.write_dl(rows)
