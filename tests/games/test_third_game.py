"""A game that only the tests know: settled, played live, proved, sampled and described."""

from contextlib import closing
from fractions import Fraction
from math import sqrt
from pathlib import Path
from typing import cast

import pytest

import queenhigh as qh
from queenhigh.games import GAMES
from queenhigh.history.recall import as_recall
from queenhigh.history.records import as_settle_line, rounds_of
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.room import Room, settings_for
from queenhigh.rulebook.book import AnyGame, Games
from queenhigh.rulebook.load import load
from queenhigh.settle_format import read_line, settle, write_line
from queenhigh.sheets.trace import trace
from queenhigh.simulation.engines import scalar
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import decode
from queenhigh.table.snapshot import snapshot
from queenhigh.verify.verifier import verify
from tests.games.high_card import HighCard, HighCardBook, HighCardPlan

FILE = Path(__file__).parent / "high_card" / "high-card.toml"
OURS: Games = {**GAMES, "high_card": cast("AnyGame", HighCard())}
LINE = (
    b'{"id":"r1","dealer":"9s","seats":[{"seat":1,"bet":500,"card":"Ks"},'
    b'{"seat":2,"bet":300,"card":"9d"},{"seat":4,"bet":100,"card":"2c"}]}'
)


def book(tie: str = "push") -> HighCardBook:
    read = load(FILE, {"tie": tie}, OURS)
    assert isinstance(read, HighCardBook)
    return read


def test_round_is_settled_from_a_line() -> None:
    name, round = read_line(book(), LINE)
    settled = settle(book(), round)
    assert write_line(name, settled) == (
        b'{"id":"r1","seats":['
        b'{"seat":1,"wagers":[{"wager":"bet","stake":500,"net":500,"action":500,"clause":"HC-2"}],'
        b'"net":500},'
        b'{"seat":2,"wagers":[{"wager":"bet","stake":300,"net":0,"action":0,"clause":"HC-3"}],'
        b'"net":0},'
        b'{"seat":4,"wagers":[{"wager":"bet","stake":100,"net":-100,"action":100,"clause":"HC-2"}],'
        b'"net":-100}],"banker":-400}'
    )


def test_round_is_described_as_text() -> None:
    name, round = read_line(book("lose"), LINE)
    assert trace(book("lose"), name or "", round, settle(book("lose"), round)) == (
        "Round r1: the dealer has 9s.\n"
        "  Seat 1: Ks: +$5.00  HC-2\n"
        "  Seat 2: 9d: −$3.00  HC-3\n"
        "  Seat 4: 2c: −$1.00  HC-2\n"
        "  Banker −$1.00.\n"
    )


def test_bots_play_it_live_and_the_log_is_proved(tmp_path: Path) -> None:
    file, rules = tmp_path / "room.db", book()
    with closing(SqliteStore(file)) as store:
        room = Room(store, games=OURS)
        table = room.open_table("high", rules, settings_for(rules, pace=AT_ONCE))
        bots = make_bots(rules, 3, seed=1)
        seat_bots(room, table, [bot.name for bot in bots])
        assert play(room, table, bots, 20).rounds == 20
        resumed = Room(store, games=OURS).table("high")
        assert snapshot(resumed.committed) == snapshot(table.committed)
        events = [decode(row.event) for row in store.read("table/high")]
    report = verify(file, games=OURS)
    assert (report.ok, report.rounds) == (True, 20)
    records = list(rounds_of(events, "high", OURS))
    assert len(records) == 20
    for record in records:
        line = as_settle_line(record)
        assert line is not None
        again = settle(record.book, {**line})
        assert again.banker == getattr(record.end, "net", None)
        recalled = as_recall(record, "Ada")
        assert recalled is not None
        assert recalled["game"] == "high_card"


def test_room_reports_an_unknown_game(tmp_path: Path) -> None:
    file, rules = tmp_path / "room.db", book()
    with closing(SqliteStore(file)) as store:
        Room(store, games=OURS).open_table("high", rules, settings_for(rules, pace=AT_ONCE))
    report = verify(file)
    assert not report.ok
    with pytest.raises(qh.InvalidRulebook, match="the game is missing"):
        load(FILE)


def test_scalar_engine_samples_it() -> None:
    rounds = 4000
    plan = HighCardPlan(book("lose"), (100, 100), seed=7)
    tally = scalar.sample(plan, 0, rounds)
    tied = Fraction(3, 51)
    for seat in range(2):
        result = tally.result(seat)
        assert abs(result.moment(1) / 100 / rounds + tied) < 4 / sqrt(rounds)
    both = scalar.sample(plan, 0, rounds // 2) + scalar.sample(plan, rounds // 2, rounds // 2)
    assert both == tally


def test_wrong_settlement_is_detected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The control: a room that pays a tie as won is refused by the verifier."""
    file, rules = tmp_path / "room.db", book()
    right = HighCard._settle

    def wrong(game: HighCard, rules: HighCardBook, seat: object, dealer: int) -> object:
        row = right(game, rules, seat, dealer)  # type: ignore[arg-type]
        return right(game, rules, seat, 0) if row.net < 0 else row  # type: ignore[arg-type]

    with closing(SqliteStore(file)) as store, monkeypatch.context() as patch:
        patch.setattr(HighCard, "_settle", wrong)
        room = Room(store, games=OURS)
        table = room.open_table("high", rules, settings_for(rules, pace=AT_ONCE))
        bots = make_bots(rules, 3, seed=1)
        seat_bots(room, table, [bot.name for bot in bots])
        play(room, table, bots, 5)
    assert not verify(file, games=OURS).ok
