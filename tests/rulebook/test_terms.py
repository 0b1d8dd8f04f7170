"""The terms of wagers, of rulebooks whose rates do not meet the limits too."""

import random
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.errors import IllegalRound
from queenhigh.game import Bet
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.server.lobby import _limits
from queenhigh.server.table_spec import check_payout_limit
from queenhigh.sheets.rule_sheet import as_json
from tests.in_process import call

#: Rates that leave out $100.01 to $199.99, and limits of a wager that lie there.
GAP: dict[str, Any] = {"fees.rates.1.min": 20_000, "fee_per": "wager"}
BONUS_IN_GAP = {**GAP, "limits.bonus.min": 12_000, "limits.bonus.max": 18_000}
SHIPPED = Path(qh.__file__).parent / "rulebooks" / "california.toml"


@pytest.fixture
def ante_in_gap(tmp_path: Path) -> Path:
    """A rulebook file in which no Ante is legal."""
    text = SHIPPED.read_text().replace("min = 10001", "min = 20000")
    limits = '\n[limits.ante]\nmin = 12000\nmax = 18000\nclause = "CA-7"\n'
    file = tmp_path / "gap.toml"
    file.write_text(text + limits)
    return file


def test_wager_without_a_range_has_limits_and_no_legal_stake() -> None:
    book = qh.load("california", BONUS_IN_GAP)
    terms = book.betting.of("bonus")
    assert (terms.min, terms.max, terms.ranges) == (12_000, 18_000, ())
    assert book.betting.least_stack == qh.load("california", GAP).betting.least_stack
    with pytest.raises(IllegalRound, match="outside every collection range"):
        book.game.check_bets(book, 1, bets(ante=500, bonus=15_000))


def bets(**stakes: int) -> list[Bet]:
    return [Bet(spot, cents) for spot, cents in stakes.items()]


def test_everything_reads_terms_without_a_range(ante_in_gap: Path) -> None:
    for book in (qh.load("california", BONUS_IN_GAP), qh.load(ante_in_gap)):
        assert isinstance(book, PokerRulebook)
        check_payout_limit(book)
        least, most, _ = book.limits["ante"]
        assert (_limits(book)["ante"].min, _limits(book)["ante"].max) == (least, most)
        assert as_json(book)["betting"] == book.betting.as_json()
        assert book.betting.most_stake == max(limits.max for limits in book.limits.values())
        assert book.betting.least_stack > 0


def test_bots_make_only_legal_bets(ante_in_gap: Path) -> None:
    never = qh.load(ante_in_gap)
    assert never.game.bot_bets(never, 10**6, random.Random(1)) == ()
    narrow = qh.load("house", {"limits.ante.max": 200})
    wheel = qh.load("roulette", {"limits.max": 150})
    for book in (qh.load("california", BONUS_IN_GAP), qh.load("california"), narrow, wheel):
        whims = random.Random(2)
        for stack in range(0, 10_000, 50):
            made = book.game.bot_bets(book, stack, whims)
            if made:
                book.game.check_bets(book, 1, made)
                assert book.betting.cost([(bet.spot, bet.cents) for bet in made]) <= stack


def test_bots_play_where_a_side_bet_has_no_legal_stake(tmp_path: Path) -> None:
    changes = [f"--set={key}={value}" for key, value in BONUS_IN_GAP.items()]
    words = ("--bots", "3", "--rounds", "2", "--db", str(tmp_path / "room.db"))
    assert call("table", "run", "california", *changes, *words).returncode == 0
