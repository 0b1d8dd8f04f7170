"""Where a room is, as an option or an argument: a file, or the URL of a PostgreSQL database."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from queenhigh.commands.options import option

if TYPE_CHECKING:
    from queenhigh.store.location import Location

__all__ = ["KEYS", "LOCATION", "DbFile", "keys_option"]

_Command = TypeVar("_Command", bound=Callable[..., Any])

KEYS = option(
    "--keys",
    "Folder of the keys of a room on PostgreSQL.",
    type=click.Path(path_type=Path),
    default="room.keys",
    show_default=True,
)
keys_option: Callable[[_Command], _Command] = KEYS()


class _Location(click.ParamType[Any]):
    """A room: a file, or the URL of a PostgreSQL database."""

    name = "db"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> "Location":
        """Return the location that a text stands for."""
        from queenhigh.store.location import parse_location

        return parse_location(value) if type(value) is str else value


LOCATION = _Location()


class DbFile(click.Path):
    """A room in a file; for one on PostgreSQL, ``remedy`` is what to do instead."""

    name = "db"

    def __init__(self, remedy: str) -> None:
        super().__init__(path_type=Path)
        self._remedy = remedy

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path; refuse a URL."""
        from queenhigh.store.location import is_url

        if is_url(str(value)):
            raise click.ClickException(f"this command needs a SQLite file: {self._remedy}")
        return super().convert(value, param, ctx)
