"""The text and JSON of each game's own rules."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic import BaseModel

from queenhigh.errors import QueenhighError
from queenhigh.rulebook.book import Rulebook
from queenhigh.rulebook.roulette_schema import RouletteDocument
from queenhigh.rulebook.schema import PokerDocument
from queenhigh.sheets import roulette, three_card_poker
from queenhigh.sheets.tables import Block

if TYPE_CHECKING:
    from queenhigh.history.records import Record

__all__ = ["SHEETS", "GameSheet", "game_sheet"]


class GameSheet(NamedTuple):
    """The functions a game must have to be shown. Each takes rulebooks of this game only."""

    document: type[BaseModel]
    #: The rules in a line, for players who look for a table.
    in_a_line: Callable[[Any], str]
    #: The game's part of the rule sheet, and what its rules have as JSON beside the document.
    sections: Callable[[Any], Iterator[Block]]
    as_json: Callable[[Any], dict[str, Any]]
    #: The hands of a finished round, for its proof.
    hands: Callable[[Any, "Record"], list[Block]]


def _sheet(document: type[BaseModel], game: Any) -> GameSheet:
    return GameSheet(document, game.in_a_line, game.sections, game.as_json, game.hands)


#: By the game that a rulebook names.
SHEETS = {
    "three_card_poker": _sheet(PokerDocument, three_card_poker),
    "roulette": _sheet(RouletteDocument, roulette),
}


def game_sheet(book: Rulebook) -> GameSheet:
    """Return the sheet of a rulebook's game; refuse a game that has none."""
    game = book.game.name
    if game not in SHEETS:
        raise QueenhighError("game.unsaid", f"{book.title}: no sheet for the game {game}")
    return SHEETS[game]
