"""Options that commands share, and a way to declare those of one command as a class."""

from collections.abc import Callable
from functools import partial, wraps
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import click

from queenhigh.commands.amounts import Amounts

if TYPE_CHECKING:
    from queenhigh.rulebook.book import Rulebook

__all__ = [
    "Antes",
    "Bonuses",
    "json_option",
    "load_rulebook",
    "option",
    "read_changes",
    "set_option",
    "takes",
]

_Command = TypeVar("_Command", bound=Callable[..., Any])

set_option = click.option(
    "--set", "changes", metavar="KEY=VALUE", multiple=True,
    help="Change a rule: give a key of the rulebook another value. Repeatable.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def load_rulebook(rulebook: str, changes: tuple[str, ...]) -> "Rulebook":
    """Return a rulebook by its shipped name or its file, with other values for keys."""
    from queenhigh.rulebook.load import load

    return load(rulebook, read_changes(changes))


def read_changes(pairs: tuple[str, ...]) -> dict[str, object]:
    """Read KEY=VALUE: the value as TOML would have it, or else as plain text."""
    changes: dict[str, object] = {}
    for pair in pairs:
        key, equals, text = pair.partition("=")
        if not equals or not key.strip():
            message = f"--set {pair}: write KEY=VALUE, for example --set coverage=net"
            raise click.ClickException(message)
        changes[key.strip()] = _value(text.strip())
    return changes


def _value(text: str) -> object:
    import tomllib

    try:
        read = tomllib.loads(f"value = {text}")
    except (ValueError, RecursionError):
        return text
    return read["value"] if len(read) == 1 else text


def option(flag: str, summary: str, **attributes: Any) -> Any:
    """Return the declaration of an option, to annotate a field of a class that `takes` reads."""
    return partial(click.option, flag, help=summary, **attributes)


_AMOUNTS = tuple[list[int], ...]
Antes = Annotated[
    _AMOUNTS,
    option(
        "--ante", "The Ante: one amount for all seats, or a list.", type=Amounts(), multiple=True
    ),
]
Bonuses = Annotated[
    _AMOUNTS,
    option(
        "--bonus",
        "The side bet: one amount for all seats, or a list.",
        type=Amounts(),
        multiple=True,
    ),
]


def takes(options: type[Any]) -> Callable[[_Command], _Command]:
    """Give a command the options that a class declares, and pass them to it as one value.

    Each field is ``Annotated[its type, option(…)]``.
    """
    declared = options.__annotations__

    def decorate(command: Any) -> Any:
        @wraps(command)
        def run(*args: Any, **values: Any) -> None:
            given = {name: values.pop(name) for name in declared}
            command(*args, options=options(**given), **values)

        for name, hint in reversed(declared.items()):
            (declare,) = hint.__metadata__
            run = declare(name)(run)
        return run

    return decorate
