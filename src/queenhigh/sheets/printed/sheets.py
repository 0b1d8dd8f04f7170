"""Every kind of sheet for every game. A kind that makes no sense for a game is refused."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from queenhigh.errors import QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.sheets.printed import poker_sheets, roulette_sheets
from queenhigh.sheets.printed.blocks import Block, Kind, Paper, PrintedSheet
from queenhigh.sheets.rule_sheet import name_line

__all__ = ["PRINTED", "GameSheets", "make_sheet"]

_Blocks = Callable[[Any], Iterator[Block]]


class GameSheets(NamedTuple):
    """The sheets of a game. Each takes rulebooks of this game only, and may refuse."""

    rule_card: _Blocks
    fees: _Blocks
    pays: _Blocks
    strategy: _Blocks
    felt: _Blocks


def _sheets(game: Any) -> GameSheets:
    return GameSheets(game.rule_card, game.fees, game.pays, game.strategy, game.felt)


#: By the game that a rulebook names.
PRINTED = {
    "three_card_poker": _sheets(poker_sheets),
    "roulette": _sheets(roulette_sheets),
}
_TITLES: dict[Kind, str] = {
    "rule-card": "Rules of the table",
    "fees": "Collection fees",
    "pays": "Pays",
    "strategy": "Strategy card",
    "felt": "Layout",
}


def make_sheet(
    kind: Kind, book: Rulebook, paper: Paper = "letter", table: str | None = None
) -> PrintedSheet:
    """Return a sheet of a rulebook, or of the table that plays by it."""
    game = book.game.name
    if game not in PRINTED:
        message = f"{book.title}: there are no sheets to print for the game {game}"
        raise QueenhighError("game.unsaid", message)
    blocks = tuple(getattr(PRINTED[game], kind.replace("-", "_"))(book))
    return PrintedSheet(
        kind=kind,
        rulebook=book.name,
        title=_TITLES[kind],
        subtitle=f"Table {table}: {book.title}" if table else book.title,
        blocks=blocks,
        foot=_foot(book, kind),
        paper=paper,
        is_landscape=kind == "felt" or (kind == "strategy" and _is_wide(blocks)),
        is_sign=kind != "rule-card",
    )


def _is_wide(blocks: tuple[Block, ...]) -> bool:
    """Return whether a table has more columns than upright paper has room for."""
    return any(len(getattr(block, "head", ())) > 6 for block in blocks)


def _foot(book: Rulebook, kind: Kind) -> tuple[str, ...]:
    changed = ", changed for this table" if book.changes else ""
    first = f"{name_line(book)}{changed}. Play money only."
    if kind != "rule-card":
        return first, f"Rules {book.rules_digest}"
    return f"{book.source}. {first}", f"Rules {book.rules_digest}", f"Document {book.digest}"
