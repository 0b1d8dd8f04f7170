"""The rules that money keeps by itself, also where Python leaves assertions out."""

import ast
from pathlib import Path
from typing import Any

import pytest

import queenhigh
from queenhigh.errors import BrokenLog
from queenhigh.game import Bet
from queenhigh.table import events as happened
from queenhigh.table import ledger
from queenhigh.table.evolve import evolve
from queenhigh.table.wallet import BoughtIn, Wallet, evolve_wallet
from tests.table.table_driver import Table

SOURCE = Path(queenhigh.__file__).parent


@pytest.mark.parametrize("account", [ledger.STACK[1], ledger.HELD[1], ledger.FEES])
def test_no_posting_leaves_an_account_below_zero(account: str) -> None:  # L4
    after = ledger.post({account: 5}, [(account, -5), (ledger.HOUSE, 5)])
    assert after == {account: 0, ledger.HOUSE: 5}
    with pytest.raises(BrokenLog, match=f"{account} would fall below zero"):
        ledger.post({account: 5}, [(account, -6), (ledger.HOUSE, 6)])


@pytest.mark.parametrize("account", [ledger.HOUSE, ledger.IN_TRANSIT])
def test_house_and_transit_may_owe(account: str) -> None:
    assert ledger.post({}, [(account, -6), (ledger.STACK[1], 6)])[account] == -6


def test_no_posting_makes_chips() -> None:
    with pytest.raises(BrokenLog, match="sum to 1 cents, not to 0"):
        ledger.post({}, [(ledger.HOUSE, -6), (ledger.STACK[1], 7)])


def test_no_buy_in_leaves_a_wallet_below_zero() -> None:
    bought = BoughtIn(at=1, by="ann", id="1", cents=6, table="t", version=2)
    assert evolve_wallet(Wallet("ann", cents=6), bought).cents == 0
    with pytest.raises(BrokenLog, match="the wallet of ann would fall below zero"):
        evolve_wallet(Wallet("ann", cents=5), bought)


STAMP: dict[str, Any] = {"at": 1, "by": "floor", "id": "x"}
#: Events that cannot come at a table where nothing has happened, and why not.
END: dict[str, Any] = {**STAMP, "round": 1, "seed": "", "places": ()}
IMPOSSIBLE: list[tuple[str, Any, str]] = [
    ("house", happened.SeatReady(**STAMP, round=1, place=1), "no round is in progress"),
    ("house", happened.SeatLeft(**STAMP, place=1, player="ann", cents=10**9), "below zero"),
    ("house", happened.BankPosted(**STAMP, round=1, place=1, cents=10**9, fee=0), "below zero"),
]


@pytest.mark.parametrize(("book", "event", "why"), IMPOSSIBLE)
def test_an_impossible_event_is_an_error(book: str, event: Any, why: str) -> None:
    state = Table(book, {"ann": 1}).state
    with pytest.raises(BrokenLog, match=why):
        evolve(state, event)


def test_cards_are_not_dealt_at_a_wheel() -> None:
    table = Table("roulette", {"ann": 1})
    table.tick()
    table.do("PlaceWagers", "ann", round=1, wagers=(Bet("red", 100),))
    event = happened.CardsDealt(**STAMP, round=1, places=(1,), cards=(1, 2, 3), first=None)
    with pytest.raises(BrokenLog, match="there are no cards in this game"):
        evolve(table.state, event)


@pytest.mark.parametrize(
    ("book", "event", "why"),
    [
        ("house", happened.RoundSettled(**END, net=0), "nothing is drawn in round 1"),
        ("roulette", happened.RoundSettled(**END, net=0), "nothing is drawn in round 1"),
        ("roulette", happened.SpinSettled(**END, net=0), "nothing is drawn in round 1"),
        ("house", happened.SpinSettled(**END, net=0), "nothing is drawn in round 1"),
    ],
)
def test_unplayed_round_is_not_settled(book: str, event: Any, why: str) -> None:
    table = Table(book, {"ann": 1})
    table.tick()
    with pytest.raises(BrokenLog, match=why):
        evolve(table.state, event)


def test_the_first_event_opens_a_table() -> None:
    with pytest.raises(BrokenLog, match="first event opens it"):
        evolve(None, happened.TableClosed(**STAMP))


# Rules that are no assertions (tests/test_suite.py runs this file without them too)


def test_table_rules_do_not_use_assertions() -> None:
    assertions = [
        f"{file.name}:{node.lineno}"
        for file in sorted((SOURCE / "table").glob("*.py"))
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.Assert)
    ]
    assert assertions == []


def test_package_never_catches_assertions() -> None:
    catching = [
        file.relative_to(SOURCE).as_posix()
        for file in SOURCE.rglob("*.py")
        if "AssertionError" in file.read_text()
    ]
    assert catching == []
