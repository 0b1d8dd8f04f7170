"""Every game of a shipped rulebook is known wherever a package looks a game up by its name."""

from collections.abc import Callable, Mapping

import pytest

import queenhigh as qh
from queenhigh.games import GAMES as SHIPPED
from queenhigh.history.reports import VALUES, expectations
from queenhigh.price.games import PRICING, pricing_of
from queenhigh.rulebook.load import load
from queenhigh.sheets.games import SHEETS, game_sheet
from queenhigh.sheets.printed.sheets import PRINTED, make_sheet
from tests.games.test_third_game import FILE, OURS

GAMES = {qh.load(name).game.name for name in qh.shipped()}


def missing(table: Mapping[str, object]) -> set[str]:
    return GAMES - set(table)


@pytest.mark.parametrize(
    "table",
    [SHIPPED, PRICING, SHEETS, PRINTED, VALUES],
    ids=["games", "price", "sheets", "printed sheets", "reports"],
)
def test_every_shipped_game_has_an_entry(table: Mapping[str, object]) -> None:
    assert missing(table) == set()


def test_a_missing_entry_is_noticed() -> None:
    assert missing({"roulette": "priced"}) == {"three_card_poker"}


@pytest.mark.parametrize(
    ("look_up", "code"),
    [
        (pricing_of, "game.unpriced"),
        (game_sheet, "game.unsaid"),
        (lambda book: make_sheet("felt", book), "game.unsaid"),
        (expectations, "game.unpriced"),
    ],
)
def test_unknown_game_is_refused_with_a_sentence(
    look_up: Callable[[qh.Rulebook], object], code: str
) -> None:
    with pytest.raises(qh.QueenhighError, match="the game high_card") as refused:
        look_up(load(FILE, games=OURS))
    assert refused.value.code == code
