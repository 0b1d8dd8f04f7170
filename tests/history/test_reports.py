"""The bank's actual and expected gains, against a plain fold in fractions."""

from collections import defaultdict
from fractions import Fraction
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.games import roulette
from queenhigh.games.roulette import SettledBet, Spin, Wager
from queenhigh.games.three_card_poker import Seat
from queenhigh.history.reports import Actuals, _uncertain_seats, expectations, wager_values
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.room import settings_for
from queenhigh.rulebook.load import from_document
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import SettledPlayer, SpinSettled
from queenhigh.table.state import ActiveRound
from tests.history.stores import ROUNDS, log, open_index
from tests.table.random_play import BOOKS
from tests.table.seeded_rooms import seeded_room


def plain_results(file: Path, only: str) -> dict[str, dict[str, Any]]:
    """Fold the rounds of a table by rulebook, round after round, in fractions."""
    results: dict[str, dict[str, Any]] = {}
    book: Any = None
    first: int | None = None
    for _, table, said in log(file):
        if table != only:
            continue
        if said["type"] in ("table.opened/1", "table.changed/1"):
            book, digest = said["rulebook"], said["digest"]
            worth = {name: -bet.ev for name, bet in qh.odds(from_document(book)).bets.items()}
        if said["type"] == "cards.dealt/2":
            way = book["bank"]["first"] if "bank" in book else "left"
            turn = (first or 0) % 10 + 1
            first = said.get("first") or (turn if way == "button" else 1)
        if said["type"] not in ("round.settled/1", "spin.settled/1"):
            continue
        empty: dict[str, Any] = {"net": 0, "counted": 0, "theory": 0, "squares": 0, "rounds": 0}
        own = {"banker": book.get("banker", "house"), "wagered": defaultdict(int)}
        sums = results.setdefault(digest, empty | own)
        if said["type"] == "round.settled/1":
            counted, theory = plain_round(said, worth, first or 1, book, sums["wagered"])
        else:
            counted, theory = plain_spin(said, worth, book, sums["wagered"])
        sums["rounds"] += 1
        sums["net"] += said["net"]
        sums["counted"] += counted
        sums["theory"] += theory
        sums["squares"] += (counted - theory) ** 2
    return results


def plain_round(
    said: dict[str, Any],
    worth: dict[str, Fraction],
    first: int,
    book: dict[str, Any],
    wagered: dict[str, int],
) -> tuple[Fraction, Fraction]:
    counted = theory = Fraction(0)
    places = sorted(said["places"], key=lambda each: (each["seat"] - first) % 10)
    by_wager = "bank" in book and book["bank"].get("settle_order") == "wager"
    certain = certain_seats(said, places, by_wager=by_wager)
    for place in places:
        for wager in place["wagers"]:
            stake = wager["stake"]
            if wager["action"]:
                stake = min(stake, wager["action"])
            elif wager["clause"] == "CA-21":
                stake = 0
            if stake:
                wagered[wager["wager"]] += stake
        stakes = {wager["wager"]: wager["stake"] for wager in place["wagers"]}
        if place["seat"] in certain:
            counted -= place["net"]
            sides = ("ante", "bonus", "pair_plus")
            theory += sum([stakes.get(name, 0) * worth.get(name, 0) for name in sides])
    return counted, theory


def certain_seats(
    said: dict[str, Any], places: list[dict[str, Any]], *, by_wager: bool
) -> list[int]:
    """Return the seats that a bank covers with any cards: all before each of their wagers fits."""
    left = said.get("bank", 0) if said.get("banker") else 10**12
    certain = [place["seat"] for place in places]
    stakes = {
        place["seat"]: {wager["wager"]: wager["stake"] for wager in place["wagers"]}
        for place in places
    }
    moves = [("ante", 1), ("ante", 1), ("bonus", 50)]
    turns = [(seat, *move) for seat in stakes for move in moves]
    if by_wager:
        turns = [(seat, *move) for move in moves for seat in stakes]
    for seat, name, most in turns:
        used = most * stakes[seat].get(name, 0)
        left -= used
        if used and left < 0 and seat in certain:
            certain.remove(seat)
    return certain


def plain_spin(
    said: dict[str, Any], worth: dict[str, Fraction], book: dict[str, Any], wagered: dict[str, int]
) -> tuple[Fraction, Fraction]:
    """Count a bet in prison for half of its stake, which is what it is worth in these games."""
    counted = theory = Fraction(0)
    for bet in [bet for place in said["places"] for bet in place["bets"]]:
        kind = bet["bet"].split()[0]
        counted += Fraction(bet.get("held", 0), 2) - bet["net"]
        if bet.get("in_prison"):
            counted -= Fraction(bet["stake"], 2)
        else:
            wagered[kind] += bet["stake"]
            theory += bet["stake"] * worth[kind]
    return counted, theory


def test_results_equal_a_plain_fold(played: Path, tmp_path: Path) -> None:
    results = open_index(played, tmp_path).results()
    short = 0
    for table in sorted({result["table"] for result in results}):
        expected = plain_results(played, table)
        mine = {result["digest"]: result for result in results if result["table"] == table}
        assert set(mine) == set(expected)
        for digest, sums in expected.items():
            reported = mine[digest]
            assert reported["rounds"] == sums["rounds"]
            assert reported["wagered"] == dict(sums["wagered"])
            assert reported["net"] == sums["net"]
            assert reported["counted"] == float(sums["counted"])
            assert reported["theoretical"] == pytest.approx(float(sums["theory"]))
            sd = sqrt(sums["squares"])
            assert reported["sd"] == pytest.approx(sd)
            z = float(sums["counted"] - sums["theory"]) / sd if sd else None
            assert reported["z"] == (pytest.approx(z) if sd else None)
            assert reported["banker"] == sums["banker"]
            short += sums["counted"] != sums["net"]
    assert short or played.parent.name.startswith("bots")


@pytest.mark.parametrize("name", ["roulette", "en prison", "half", "partage"])
def test_spins_have_no_mean_deviation(name: str) -> None:
    """Every pocket once, with bets that are free and in prison: exactly what the odds say."""
    book: Any = BOOKS[name]
    worth = wager_values(book, expectations(book))
    free = [Wager(bet, 200, "1") for bet in ("red", "low", "straight 17", "dozen 2")]
    in_prison = [Wager("black", 400, "1", True)] if name in ("en prison", "half") else []
    tally = Actuals()
    for pocket in book.pockets:
        settled = roulette.settle(book, Spin((*free, *in_prison), pocket))
        tally.add(worth.count(_live(), end := _spin(settled.wagers, settled.banker)), end)
    assert tally.counted == tally.expected
    assert tally.rounds == len(book.pockets)
    assert tally.squares > 0


def _live() -> ActiveRound:
    return ActiveRound(1, "", "")


def _spin(bets: tuple[SettledBet, ...], net: int) -> SpinSettled:
    places = (SettledPlayer(1, bets, -net),)
    return SpinSettled(at=0, by="clock", round=1, seed="", places=places, net=net)


@pytest.mark.parametrize(("readings", "worth"), [
    ({"second_zero": "lose"}, Fraction(-19, 37)),
    ({"second_zero": "half"}, Fraction(-1, 2)),
    ({"second_zero": "stay"}, Fraction(-1, 2)),
])  # fmt: skip
def test_value_of_a_bet_in_prison(readings: dict[str, object], worth: Fraction) -> None:
    book = qh.load("roulette-european", {"on_zero": "en_prison", **readings})
    assert expectations(book)["red held"] == worth


def test_side_bet_without_an_ante_cannot_be_folded() -> None:
    """With two cards up a pair is folded at times, and what lies beside it would be lost."""
    values = expectations(qh.load("house", {"pair_plus.on_fold": "forfeit", "up": 2}))
    whole = expectations(qh.load("house"))
    assert values["pair_plus alone"] == whole["pair_plus"]
    assert values["pair_plus"] < values["pair_plus alone"]


def test_many_spins_match_the_exact_odds(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    room, book = seeded_room(store, Random(1)), qh.load("roulette")
    durable = room.open_table("wheel", book, settings_for(book, pace=AT_ONCE))
    bots = make_bots(book, 8, 5)
    seat_bots(room, durable, [bot.name for bot in bots])
    play(room, durable, bots, 5 * ROUNDS)
    store.close()
    (results,) = open_index(tmp_path / "room.db", tmp_path).results()
    assert abs(results["z"]) < 5
    assert results["theoretical"] == pytest.approx(sum(results["wagered"].values()) / 19)


def test_house_that_keeps_all_stakes_has_a_large_z() -> None:
    book: Any = qh.load("roulette")
    worth, honest, crooked = wager_values(book, expectations(book)), Actuals(), Actuals()
    draw = Random(4)
    for _ in range(300):
        wagers = (Wager("red", 200, "1"), Wager("straight 17", 100, "1"))
        settled = roulette.settle(book, Spin(wagers, draw.choice(book.pockets)))
        honest.add(worth.count(_live(), end := _spin(settled.wagers, settled.banker)), end)
        kept_all = tuple(
            SettledBet(player="1", bet=wager.bet, stake=wager.stake, net=-wager.stake, clause="")
            for wager in wagers
        )
        crooked.add(worth.count(_live(), end := _spin(kept_all, 300)), end)
    assert abs(honest.report(worth.scale)["z"]) < 5
    assert crooked.report(worth.scale)["z"] > 10
    assert Actuals().report(worth.scale)["z"] is None


@pytest.mark.parametrize(
    ("order", "bank", "uncertain"),
    [
        ("seat", 2500, {2}),
        ("bonus_first", 2500, {2}),
        ("wager", 2500, {1, 2}),  # both Antes and one Play need $30
        ("wager", 3000, {2}),
        ("wager", 4000, {2}),  # its bonus bet comes last
        ("wager", 4000 + 5000, set()),
    ],
)
def test_seat_counts_if_its_last_turn_is_covered(
    order: str, bank: int, uncertain: set[int]
) -> None:
    book: Any = qh.load("california", {"settle_order": order})
    seats = [Seat(1, 1000), Seat(2, 1000, bonus=100)]
    assert _uncertain_seats(book, seats, bank) == uncertain
