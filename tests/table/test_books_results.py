"""What the bank gained and should have gained, against a plain fold in fractions."""

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
from queenhigh.room.bots import make_bots
from queenhigh.room.play import AT_ONCE, play, seat_bots
from queenhigh.room.reports import Tally, Worth, expectations
from queenhigh.room.room import settings_for
from queenhigh.rulebook.load import from_document
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import SettledPlayer, SpinSettled
from queenhigh.table.state import Live
from tests.table.chaos import BOOKS
from tests.table.rooms import seeded_room
from tests.table.stores import ROUNDS, kept, log


def plain_results(file: Path, only: str) -> dict[str, dict[str, Any]]:
    """Fold the rounds of a table by rulebook, round after round, in fractions."""
    found: dict[str, dict[str, Any]] = {}
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
        who = {"banker": book.get("banker", "house"), "wagered": defaultdict(int)}
        sums = found.setdefault(digest, empty | who)
        if said["type"] == "round.settled/1":
            counted, theory = plain_round(said, worth, first or 1, sums["wagered"])
        else:
            counted, theory = plain_spin(said, worth, book, sums["wagered"])
        sums["rounds"] += 1
        sums["net"] += said["net"]
        sums["counted"] += counted
        sums["theory"] += theory
        sums["squares"] += (counted - theory) ** 2
    return found


def plain_round(
    said: dict[str, Any], worth: dict[str, Fraction], first: int, wagered: dict[str, int]
) -> tuple[Fraction, Fraction]:
    counted = theory = Fraction(0)
    left = said.get("bank", 0) if said.get("banker") else 10**12
    for one in sorted(said["places"], key=lambda one: (one["seat"] - first) % 10):
        for wager in one["wagers"]:
            stake = wager["stake"]
            if wager["action"]:
                stake = min(stake, wager["action"])
            elif wager["clause"] == "CA-21":
                stake = 0
            if stake:
                wagered[wager["wager"]] += stake
        stakes = {wager["wager"]: wager["stake"] for wager in one["wagers"]}
        left -= 2 * stakes.get("ante", 0) + 50 * stakes.get("bonus", 0)
        if left >= 0:
            counted -= one["net"]
            sides = ("ante", "bonus", "pair_plus")
            theory += sum([stakes.get(name, 0) * worth.get(name, 0) for name in sides])
    return counted, theory


def plain_spin(
    said: dict[str, Any], worth: dict[str, Fraction], book: dict[str, Any], wagered: dict[str, int]
) -> tuple[Fraction, Fraction]:
    """Count a bet in prison for half of its stake, which is what it is worth in these games."""
    counted = theory = Fraction(0)
    for bet in [bet for one in said["places"] for bet in one["bets"]]:
        kind = bet["bet"].split()[0]
        counted += Fraction(bet.get("held", 0), 2) - bet["net"]
        if bet.get("in_prison"):
            counted -= Fraction(bet["stake"], 2)
        else:
            wagered[kind] += bet["stake"]
            theory += bet["stake"] * worth[kind]
    return counted, theory


def test_results_are_what_a_plain_fold_finds(played: Path, tmp_path: Path) -> None:
    results = kept(played, tmp_path).results()
    short = 0
    for table in sorted({one["table"] for one in results}):
        found = plain_results(played, table)
        mine = {one["digest"]: one for one in results if one["table"] == table}
        assert set(mine) == set(found)
        for digest, sums in found.items():
            one = mine[digest]
            assert one["rounds"] == sums["rounds"]
            assert one["wagered"] == dict(sums["wagered"])
            assert one["net"] == sums["net"]
            assert one["counted"] == float(sums["counted"])
            assert one["theoretical"] == pytest.approx(float(sums["theory"]))
            sd = sqrt(sums["squares"])
            assert one["sd"] == pytest.approx(sd)
            z = float(sums["counted"] - sums["theory"]) / sd if sd else None
            assert one["z"] == (pytest.approx(z) if sd else None)
            assert one["banker"] == sums["banker"]
            short += sums["counted"] != sums["net"]
    assert short or played.parent.name.startswith("bots")


@pytest.mark.parametrize("name", ["roulette", "en prison", "half", "partage"])
def test_a_spin_deviates_by_nothing_on_average(name: str) -> None:
    """Every pocket once, with bets that are free and in prison: exactly what the odds say."""
    book: Any = BOOKS[name]
    worth = Worth(book, expectations(book))
    free = [Wager(bet, 200, "1") for bet in ("red", "low", "straight 17", "dozen 2")]
    in_prison = [Wager("black", 400, "1", True)] if name in ("en prison", "half") else []
    tally = Tally()
    for pocket in book.pockets:
        settled = roulette.settle(book, Spin((*free, *in_prison), pocket))
        tally.add(worth, _live(), _spin(settled.wagers, settled.banker))
    assert tally.counted == tally.expected
    assert tally.rounds == len(book.pockets)
    assert tally.squares > 0


def _live() -> Live:
    return Live(1, "", "")


def _spin(bets: tuple[SettledBet, ...], net: int) -> SpinSettled:
    places = (SettledPlayer(1, bets, -net),)
    return SpinSettled(at=0, by="clock", round=1, seed="", places=places, net=net)


@pytest.mark.parametrize(("readings", "worth"), [
    ({"second_zero": "lose"}, Fraction(-19, 37)),
    ({"second_zero": "half"}, Fraction(-1, 2)),
    ({"second_zero": "stay"}, Fraction(-1, 2)),
])  # fmt: skip
def test_what_a_bet_in_prison_is_worth(readings: dict[str, object], worth: Fraction) -> None:
    book = qh.load("roulette-european", {"on_zero": "en_prison", **readings})
    assert expectations(book)["red held"] == worth


def test_a_side_bet_without_an_ante_cannot_be_folded() -> None:
    """With two cards up a pair is folded at times, and what lies beside it would be lost."""
    found = expectations(qh.load("house", {"pair_plus.on_fold": "forfeit", "up": 2}))
    whole = expectations(qh.load("house"))
    assert found["pair_plus alone"] == whole["pair_plus"]
    assert found["pair_plus"] < found["pair_plus alone"]


def test_many_spins_come_to_what_they_should(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    room, book = seeded_room(store, Random(1)), qh.load("roulette")
    desk = room.open_table("wheel", book, settings_for(book, pace=AT_ONCE))
    bots = make_bots(book, 8, 5)
    seat_bots(room, desk, [bot.name for bot in bots])
    play(room, desk, bots, 5 * ROUNDS)
    store.close()
    (results,) = kept(tmp_path / "room.db", tmp_path).results()
    assert abs(results["z"]) < 5
    assert results["theoretical"] == pytest.approx(sum(results["wagered"].values()) / 19)


def test_a_house_that_keeps_all_stakes_is_found_out() -> None:
    book: Any = qh.load("roulette")
    worth, honest, crooked = Worth(book, expectations(book)), Tally(), Tally()
    draw = Random(4)
    for _ in range(300):
        wagers = (Wager("red", 200, "1"), Wager("straight 17", 100, "1"))
        settled = roulette.settle(book, Spin(wagers, draw.choice(book.pockets)))
        honest.add(worth, _live(), _spin(settled.wagers, settled.banker))
        kept_all = tuple(
            SettledBet(player="1", bet=one.bet, stake=one.stake, net=-one.stake, clause="")
            for one in wagers
        )
        crooked.add(worth, _live(), _spin(kept_all, 300))
    assert abs(honest.report(worth.scale)["z"]) < 5
    assert crooked.report(worth.scale)["z"] > 10
    assert Tally().report(worth.scale)["z"] is None
