"""``desk``: a hand entered line by line, and settled."""

import shutil
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from io import TextIOWrapper
from typing import TYPE_CHECKING, cast

import click

from queenhigh.commands.options import json_option, load_rulebook, set_option
from queenhigh.commands.output import print_json
from queenhigh.errors import QueenhighError

if TYPE_CHECKING:
    from queenhigh.desk.state import Desk
    from queenhigh.rulebook.book import PokerRulebook

__all__ = ["desk"]

#: How much of a line is read; the desk refuses shorter ones than this as too long.
_MOST_READ = 1 << 16


@click.command()
@click.argument("rulebook")
@set_option
@json_option
def desk(rulebook: str, changes: tuple[str, ...], as_json: bool) -> None:
    """Settle hands dealt with real cards, entered line by line.

    Type the bank, the bets, the cards and the moves, and read every payout in order of action. Type
    help at the desk to see what can be typed. With --json, each line of standard input is an entry,
    and each answer is a line of JSON.
    """
    book = _poker(rulebook, changes)
    if sys.stdin is None:
        sentence = "standard input is closed: type entries, or pipe them"
        raise QueenhighError("file.unreadable", sentence)
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    is_typed = sys.stdin.isatty()
    try:
        refused = _serve_program(book) if as_json else _serve_dealer(book)
    except KeyboardInterrupt:
        sys.exit(130)
    sys.exit(1 if refused and not is_typed else 0)


def _poker(rulebook: str, changes: tuple[str, ...]) -> "PokerRulebook":
    """Return a rulebook of Three Card Poker; refuse any other game."""
    book = load_rulebook(rulebook, changes)
    if book.game.name != "three_card_poker":
        sentence = (
            f"the desk is for Three Card Poker: for this game use queenhigh settle {rulebook}"
        )
        raise QueenhighError("desk.game", sentence)
    return cast("PokerRulebook", book)


def _serve_program(book: "PokerRulebook") -> int:
    """Answer each line of standard input in JSON; return how many were refused."""
    from queenhigh.desk.state import open_desk, type_entry
    from queenhigh.sheets import desk_sheet

    state, refused = open_desk(book), 0
    while text := _next_line():
        if not text.strip():
            continue
        state, reply = type_entry(state, text)
        refused += reply.kind == "refused"
        print_json(desk_sheet.as_json(text.strip(), state, reply), indent=None)
        sys.stdout.flush()
        if reply.kind == "quit":
            break
    return refused


def _next_line() -> str:
    """Return the next line with its end; of one that is far too long only the beginning."""
    line = rest = sys.stdin.readline(_MOST_READ)
    while len(rest) == _MOST_READ and not rest.endswith("\n"):
        rest = sys.stdin.readline(_MOST_READ)
    return line


def _serve_dealer(book: "PokerRulebook") -> int:
    """Answer a dealer's entries until they leave; return how many were refused."""
    from queenhigh.desk.state import open_desk, type_entry
    from queenhigh.sheets import desk_sheet

    state, refused = open_desk(book), 0
    ask = _asker(state)
    try:
        while text := ask(state):
            before = state
            state, reply = type_entry(state, text)
            if reply.kind == "quit":
                break
            refused += reply.kind == "refused"
            width = min(shutil.get_terminal_size().columns, 100)
            _print(desk_sheet.as_text(before, state, reply, width))
    except KeyboardInterrupt:
        click.echo()
        _print(desk_sheet.left_as_text(state))
        raise
    _print(desk_sheet.left_as_text(state))
    return refused


def _print(lines: Iterable[str]) -> None:
    for line in lines:
        click.echo(line)


def _asker(state: "Desk") -> Callable[["Desk"], str]:
    """Return a function that reads the next entry, with its line end; without one it is the end.

    A terminal shows a prompt; its line can be edited, and earlier entries come back with the arrow
    keys.
    """
    from queenhigh.sheets import desk_sheet

    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return lambda state: _next_line()
    with suppress(ImportError):
        import readline  # noqa: F401 (input() uses it)
    _print(desk_sheet.welcome(state))

    lines: list[str] = []  # several lines may be pasted at once

    def ask(state: "Desk") -> str:
        try:
            if not lines:
                lines.extend(input(desk_sheet.prompt(state)).splitlines() or [""])
        except EOFError:
            click.echo()
            return ""
        return f"{lines.pop(0)}\n"

    return ask
