"""The books: every number against a slow and obvious fold of all events that shares no code."""

import hashlib
import hmac
import json
import os
import shutil
import subprocess
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.games import roulette
from queenhigh.games.roulette import SettledBet, Spin, Wager
from queenhigh.room import bookkeeping
from queenhigh.room import books as books_module
from queenhigh.room.books import Books
from queenhigh.room.bots import make_bots
from queenhigh.room.history import as_recall, as_settle_line, rounds_of
from queenhigh.room.play import AT_ONCE, play, seat_bots
from queenhigh.room.reports import Tally, Worth, expectations
from queenhigh.room.room import Room, settings_for
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import SettledPlayer, SpinSettled, decode
from queenhigh.table.state import Live
from tests.sizes import FULL
from tests.table.at_the_table import Table
from tests.table.chaos import BOOKS, Chaos

STEPS = 1500 if FULL else 350
ROUNDS = 400 if FULL else 40
GAMES = ("california", "house", "roulette")


def play_all(file: Path, rounds: int, seed: int = 3) -> None:
    """Let bots play all three games, each at a table of its name."""
    store = SqliteStore(file)
    room = Room(store, Random(seed).randbytes)
    for name in GAMES:
        book = qh.load(name)
        desk = room.open_table(name, book, settings_for(book, pace=AT_ONCE))
        bots = make_bots(book, 6, seed, ("best", "q64"))
        seat_bots(room, desk, [bot.name for bot in bots])
        play(room, desk, bots, rounds)
    store.close()


@pytest.fixture(scope="module")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("bots") / "room.db"
    play_all(file, ROUNDS)
    return file


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Some rounds of each game, for what does not depend on how many there are."""
    file = tmp_path_factory.mktemp("few") / "room.db"
    play_all(file, 12)
    return file


@pytest.fixture(scope="module")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room in which people do whatever comes to their minds, at a table of every reading."""
    file = tmp_path_factory.mktemp("wild") / "room.db"
    store = SqliteStore(file)
    for seed, (name, book) in enumerate(BOOKS.items()):
        chaos = Chaos(store, book, seed, name)
        chaos.at += seed * 3_000_000
        for _ in range(STEPS):
            chaos.step()
    store.close()
    return file


@pytest.fixture(params=["bots", "wild"])
def room(request: pytest.FixtureRequest) -> Path:
    file: Path = request.getfixturevalue(request.param)
    return file


def kept(store: Path, tmp_path: Path, name: str = "books.db") -> Books:
    books = Books(store, tmp_path / name)
    assert books.catch_up()
    return books


def log(file: Path) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """Yield every event of every table: its number, its table, and what it says."""
    ask = "select event.id, name, event from event join stream on stream = stream.id order by 1"
    store = apsw.Connection(str(file), flags=apsw.SQLITE_OPEN_READONLY)
    rows: Any = store.execute(ask).fetchall()
    store.close()
    for n, stream, event in rows:
        if stream.startswith("table/"):
            yield n, stream[6:], json.loads(event)


def cents(charges: list[dict[str, int]]) -> int:
    return sum(charge["cents"] for charge in charges)


def players(file: Path) -> list[str]:
    return sorted({said["player"] for _, _, said in log(file) if said["type"] == "seat.taken/1"})


def everything(books: Books, names: list[str]) -> dict[str, Any]:
    """Return all that can be asked for."""
    of_player: dict[str, dict[str, Any]] = {
        name: {
            "history": books.history(name, limit=10**6),
            "lines": books.settle_lines(name),
            "hands": books.hand_histories(name),
            "bankroll": books.bankroll(name, limit=10**6),
        }
        for name in names
    }
    rounds = {
        (one["table"], one["number"]) for told in of_player.values() for one in told["history"]
    }
    return {
        "players": of_player,
        "proofs": [books.proof(*one) for one in sorted(rounds)],
        "collection": books.collection(),
        "offers": books.offers(limit=10**6),
        "voids": books.voids(limit=10**6),
        "results": books.results(),
    }


# The numbers


def test_the_collection_is_by_table_and_hour(room: Path, tmp_path: Path) -> None:
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for _, table, said in log(room):
        hour = time.strftime("%Y-%m-%dT%H:00Z", time.gmtime(said["at"] // 1000))
        kind = said["type"]
        if kind in ("bets.closed/1", "round.settled/1"):
            sums[hour, table][0] += cents(said.get("fees", []))
        elif kind == "round.voided/1":
            sums[hour, table][0] -= cents(said.get("fees", []))
        if kind in ("round.settled/1", "spin.settled/1"):
            sums[hour, table][1] += 1
    expected = [
        {"table": table, "hour": hour, "cents": fees, "rounds": rounds}
        for (hour, table), (fees, rounds) in sorted(sums.items())
        if fees or rounds
    ]
    told = [one for one in kept(room, tmp_path).collection() if one["cents"] or one["rounds"]]
    assert told == expected
    assert sum(one["cents"] for one in told) > 0


def test_voids_have_a_reason_and_what_came_back(wild: Path, tmp_path: Path) -> None:
    expected = [
        {
            "n": n, "at": said["at"], "table": table, "round": said["round"], "by": said["by"],
            "reason": said["reason"],
            "cents": cents(said.get("returned", [])) + cents(said.get("fees", [])),
        }
        for n, table, said in log(wild)
        if said["type"] == "round.voided/1"
    ]  # fmt: skip
    books = kept(wild, tmp_path)
    assert books.voids() == expected[::-1]
    assert books.voids(limit=2) == expected[:-3:-1]
    assert any(one["cents"] for one in expected)


def test_offers_name_who_was_asked_and_what_they_said(room: Path, tmp_path: Path) -> None:
    sits: dict[tuple[str, int], str] = {}
    expected = []
    for n, table, said in log(room):
        kind, place = said["type"], said.get("place")
        if kind == "seat.taken/1":
            sits[table, said["place"]] = said["player"]
        if not kind.startswith("bank."):
            continue
        words = {"bank.offered/1": "offered", "bank.posted/1": "accepted"}
        words |= {"bank.unwanted/1": "unwanted", "bank.declined/1": "declined"}
        what = words[kind] + (" by the clock" * (said["by"] == "clock" and "decl" in kind))
        player = sits[table, place] if place else None
        row = {"n": n, "at": said["at"], "table": table, "round": said["round"], "place": place}
        expected.append(row | {"player": player, "what": what, "cents": said.get("cents")})
    books = kept(room, tmp_path)
    assert books.offers(limit=10**6) == expected[::-1]
    (first, *_), only = expected, "california"
    assert books.offers(only, limit=3) == [e for e in expected[::-1] if e["table"] == only][:3]
    assert first["what"] == "offered"
    assert books.offers("nowhere") == []


def plain_nets(file: Path) -> dict[str, list[tuple[int, int, int]]]:
    """Return what each player gained and paid, round by round, by who sat where."""
    sits: dict[tuple[str, int], str] = {}
    fees: dict[str, dict[int, int]] = defaultdict(dict)
    rows: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    for n, table, said in log(file):
        kind, paid = said["type"], fees[table]
        if kind == "seat.taken/1":
            sits[table, said["place"]] = said["player"]
        if kind == "round.opened/1":
            paid.clear()
        if kind in ("bets.closed/1", "round.settled/1"):
            for fee in said.get("fees", []):
                paid[fee["place"]] = paid.get(fee["place"], 0) + fee["cents"]
        if kind in ("round.settled/1", "spin.settled/1"):
            nets = {one["place"]: one["net"] for one in said["places"]}
            nets |= {said["banker"]: said["net"]} if said.get("banker") else {}
            for place, net in nets.items():
                rows[sits[table, place]].append((n, net, paid.get(place, 0)))
    return rows


def test_what_rounds_brought_adds_up(room: Path, tmp_path: Path) -> None:
    rows = plain_nets(room)
    books = kept(room, tmp_path)
    void = {one["n"] for one in books.voids(limit=10**6)}
    for player in players(room):
        told = books.bankroll(player, limit=10**6)
        assert [(o["n"], o["net"], o["fee"]) for o in told if o["n"] not in void] == rows[player]
        assert all(one["net"] == one["fee"] == 0 for one in told if one["n"] in void)
        assert_sums(told)
        assert books.bankroll(player, limit=3) == told[-3:]
        for table in {one["table"] for one in told}:
            here = books.bankroll(player, table=table, limit=10**6)
            assert [one["n"] for one in here] == [o["n"] for o in told if o["table"] == table]
            assert_sums(here)
        assert books.bankroll(player, table="nowhere") == []


def assert_sums(told: list[dict[str, Any]]) -> None:
    """Each round says how many they are by then, what fees there were, and what all came to."""
    fees = total = 0
    for count, one in enumerate(told, start=1):
        fees += one["fee"]
        total += one["net"] - one["fee"]
        assert (one["count"], one["fees"], one["total"]) == (count, fees, total)


def test_history_is_what_is_recalled_from_the_first_event(room: Path, tmp_path: Path) -> None:
    events = defaultdict(list)
    for _, table, said in log(room):
        events[table].append(decode(json.dumps(said).encode()))
    records = [record for each in events.values() for record in rounds_of(each)]
    books, ends = kept(room, tmp_path), set()
    for player in players(room):
        told = books.history(player, limit=10**6)
        recalled = {one["round"]: one for r in records if (one := as_recall(r, player))}
        assert len(told) == len(recalled)
        for one in told:
            n, table, number = (one.pop(key) for key in ("n", "table", "number"))
            assert one == recalled[f"{table}/{number}"]
            assert books.history(player, before=n + 1, limit=1)[0]["n"] == n
            ends.add(one["ended"])
    assert ends == ({"settled", "voided"} if room.parent.name.startswith("wild") else {"settled"})


def test_the_numbers_are_where_the_ball_lay(room: Path, tmp_path: Path) -> None:
    landed: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for _, table, said in log(room):
        landed[table]  # a table of poker has none
        if said["type"] == "ball.landed/1":
            landed[table].insert(0, {"round": said["round"], "pocket": said["pocket"]})
    books = kept(room, tmp_path)
    for table, numbers in landed.items():
        told = books.numbers(table, limit=10**6)
        assert told == numbers
    assert books.numbers("roulette", limit=3) == landed["roulette"][:3]
    assert books.numbers("nowhere") == []
    assert len(landed["roulette"]) > 3


def test_history_comes_in_pages(bots: Path, tmp_path: Path) -> None:
    books = kept(bots, tmp_path)
    whole = books.history("Ben", limit=10**6)
    assert [one["n"] for one in whole] == sorted([one["n"] for one in whole], reverse=True)
    pages, before = [], None
    while page := books.history("Ben", before=before, limit=7):
        pages += page
        before = page[-1]["n"]
    assert pages == whole
    assert books.history("Ben") == whole[:10]
    at_house = books.history("Ben", table="house", limit=10**6)
    assert at_house == [one for one in whole if one["table"] == "house"]
    assert books.history("Ben", table="nowhere") == books.history("nobody") == []


# What the bank gained, and should have


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
            worth = {name: -bet.ev for name, bet in qh.odds(books_rulebook(book)).bets.items()}
        if said["type"] == "cards.dealt/1":
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


def books_rulebook(document: dict[str, Any]) -> Any:
    from queenhigh.rulebook.load import from_document  # noqa: PLC0415

    return from_document(document)


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


def test_results_are_what_a_plain_fold_finds(room: Path, tmp_path: Path) -> None:
    told = kept(room, tmp_path).results()
    short = 0
    for table in sorted({one["table"] for one in told}):
        found = plain_results(room, table)
        mine = {one["digest"]: one for one in told if one["table"] == table}
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
    assert short or room.parent.name.startswith("bots")


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
    room, book = Room(store, Random(1).randbytes), qh.load("roulette")
    desk = room.open_table("wheel", book, settings_for(book, pace=AT_ONCE))
    bots = make_bots(book, 8, 5)
    seat_bots(room, desk, [bot.name for bot in bots])
    play(room, desk, bots, 5 * ROUNDS)
    store.close()
    (told,) = kept(tmp_path / "room.db", tmp_path).results()
    assert abs(told["z"]) < 5
    assert told["theoretical"] == pytest.approx(sum(told["wagered"].values()) / 19)


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


# What is hidden


def test_nothing_of_a_round_under_way_is_told(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    chaos = Chaos(store, BOOKS["california"], 11)
    books, watched = Books(tmp_path / "room.db", tmp_path / "books.db"), 0
    for step in range(STEPS):
        chaos.step()
        live = chaos.desk.state.round
        if live is None or step % 5:
            continue
        assert books.catch_up()
        told = json.dumps(everything(books, ["ann", "bob", "cyd", "dan", "eve", "fay"]))
        assert live.seed not in told
        assert live.commitment not in told
        assert books.proof("t1", live.number) is None
        watched += live.poker is not None
    assert watched > 5
    assert books.proof("t1", 1) is not None
    store.close()


def test_exports_keep_the_hands_that_were_folded(room: Path, tmp_path: Path) -> None:
    """And settle to what the player gained; a bank that ran short may need the hidden seats."""
    events = defaultdict(list)
    for _, table, said in log(room):
        events[table].append(decode(json.dumps(said).encode()))
    records = {record.id: record for each in events.values() for record in rounds_of(each)}
    books, names, hidden = kept(room, tmp_path), players(room), 0
    for player in names:
        told = {one["round"]: one for one in books.history(player, limit=10**6)}
        lines = books.settle_lines(player, limit=10**6)
        settled = [one for one in told.values() if one["ended"] == "settled"]
        assert len(lines) >= len(settled) * (0.95 if "Ada" in names else 0.5)
        for line in lines:
            record, recalled = records[line["id"]], told[line["id"]]
            again: Any = qh.settle(record.book, json.loads(json.dumps(line)))
            if "pocket" in line:
                assert line == as_settle_line(record)
                continue
            nets = {one.seat: one.net for one in again.seats}
            assert recalled["seat"] is None or nets[recalled["seat"]] == recalled["net"]
            assert {str(one["seat"]): one["cards"] for one in line["seats"]} == recalled["hands"]
        for text in books.hand_histories(player, limit=10**6):
            read = tomllib.loads(text)
            record = records[f"{read['table']}/{read['hand']}"]
            hands = told[record.id]["hands"]
            assert record.live.poker is not None
            for number, one in enumerate(record.live.poker.seats, 1):
                dealt = hands.get(str(one.seat), "??????").replace(" ", "")
                assert f"d dh p{number} {dealt}" in read["actions"]
                hidden += dealt == "??????"
    assert hidden > 10


def field(*parts: object) -> bytes:
    each = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in each)


def test_a_proof_is_enough_to_deal_a_round_again(room: Path, tmp_path: Path) -> None:
    """As docs/fairness.md has it, with nothing but the standard library."""
    books, proved = kept(room, tmp_path), 0
    for proof in json.loads(json.dumps(everything(books, players(room))["proofs"])):
        seed = bytes.fromhex(proof["seed"])
        tidy = json.dumps(
            proof["rulebook"], sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        assert proof["digest"] == "sha256:" + hashlib.sha256(tidy.encode()).hexdigest()
        where = (proof["table"], proof["round"], proof["digest"])
        committed = field("queenhigh/commit/1", *where, seed)
        assert proof["commitment"] == hashlib.sha256(committed).hexdigest()
        seeds = sorted((int(place), text) for place, text in proof["seeds"].items())
        added = [part for pair in seeds for part in pair]
        key = hmac.digest(seed, field("queenhigh/key/1", *added), "sha256")
        blocks = [hmac.digest(key, field("queenhigh/words/1", n), "sha256") for n in range(40)]
        words = iter([int.from_bytes(b[i : i + 4], "big") for b in blocks for i in range(0, 32, 4)])

        def below(bound: int, words: Iterator[int] = words) -> int:
            return next(word % bound for word in words if word < 2**32 // bound * bound)

        deck = list(range(52))
        if proof["pocket"] is not None:
            zeros = [str("0" * (n + 1)) for n in range(proof["rulebook"]["zeros"])]
            pockets = zeros + [str(number) for number in range(1, 37)]
            assert proof["pocket"] == pockets[below(len(pockets))]
        elif proof["cards"]:
            for last in range(51, 0, -1):
                at = below(last + 1)
                deck[at], deck[last] = deck[last], deck[at]
            assert proof["cards"] == deck[::-1][: len(proof["cards"])]
            assert len(proof["cards"]) == 3 * len(proof["places"]) + 3
        assert proof["end"]["round"] == proof["round"]
        proved += bool(proof["cards"] or proof["pocket"])
    assert proved > 50
    assert books.proof("california", 10**6) is books.proof("nowhere", 1) is None


# Catching up


@pytest.mark.parametrize("seed", range(3))
def test_catching_up_as_the_store_grows(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In pieces of any size, closed and opened at any time, as in one piece at the end."""
    monkeypatch.setattr(books_module, "_BETWEEN", 40)
    monkeypatch.setattr(books_module, "_BATCH", 60)
    draw, file = Random(seed), tmp_path / "room.db"
    store = SqliteStore(file)
    named = ("california", "house", "en prison")
    tables = [Chaos(store, BOOKS[name], seed, name) for name in named]
    books, whole = Books(file, tmp_path / "grown.db"), 0
    for _ in range(STEPS):
        for _ in range(draw.choice((0, 1, 10))):
            draw.choice(tables).step()
        if draw.random() < 0.2:
            whole += books.catch_up(draw.choice((0, 1, 7, 90, 200_000)))
        if draw.random() < 0.02:
            books.close()
            books = Books(file, tmp_path / "grown.db")
    assert whole
    while not books.catch_up(50):
        pass
    store.close()
    names = players(file)
    assert everything(books, names) == everything(kept(file, tmp_path), names)
    assert books.catch_up(0)


def test_a_store_that_is_written_to_by_another_and_killed(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    script = Path(__file__).parent / "bots_to_kill.py"
    with subprocess.Popen(
        [sys.executable, str(script), str(file), "california", "roulette-european"],
        stdout=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        for _ in range(60):
            process.stdout.readline()
        books = Books(file, tmp_path / "books.db")
        for _ in range(12):
            for _ in range(40):
                process.stdout.readline()
            assert books.catch_up()
        process.kill()
    assert books.catch_up()
    again = kept(file, tmp_path, "again.db")
    names = players(file)
    assert everything(books, names) == everything(again, names)
    assert len(books.history(names[0], limit=1000)) > 5


def test_the_store_is_only_read(bots: Path, tmp_path: Path) -> None:
    before = bots.read_bytes()
    kept(bots, tmp_path)
    assert bots.read_bytes() == before


# A file that is not as it should be


def spoil_nothing(file: Path, other: Path) -> None:
    """Leave it as it is."""


def delete(file: Path, other: Path) -> None:
    file.unlink()


def empty(file: Path, other: Path) -> None:
    file.write_bytes(b"")


def garbage(file: Path, other: Path) -> None:
    file.write_bytes(Random(1).randbytes(10_000))


def truncate(file: Path, other: Path) -> None:
    os.truncate(file, file.stat().st_size // 2)


def scribble(file: Path, other: Path) -> None:
    """Spoil every page but the first."""
    whole = file.read_bytes()
    file.write_bytes(whole[:4096] + Random(1).randbytes(len(whole) - 4096))


def of_another_store(file: Path, other: Path) -> None:
    file.unlink()
    shutil.copy(other, file)


def of_another_program(file: Path, other: Path) -> None:
    connection = apsw.Connection(str(file))
    connection.execute("update book set program = '0.0.1/1'")
    connection.close()


SPOILT = (
    spoil_nothing, delete, empty, garbage, truncate, scribble, of_another_store, of_another_program
)  # fmt: skip


@pytest.mark.parametrize("spoil", SPOILT, ids=lambda spoil: spoil.__name__)
def test_a_spoilt_file_is_written_again(spoil: Any, few: Path, tmp_path: Path) -> None:
    store, file = tmp_path / "room.db", tmp_path / "books.db"
    shutil.copy(few, store)
    play_all(tmp_path / "other.db", 3, seed=9)
    other = kept(tmp_path / "other.db", tmp_path, "others.db")
    other.close()
    books = kept(store, tmp_path)
    names = players(few)
    expected = everything(books, names)
    books.close()
    spoil(file, tmp_path / "others.db")
    books = kept(store, tmp_path)
    assert everything(books, names) == expected
    books.close()


@pytest.mark.parametrize("spoil", [delete, of_another_store], ids=lambda spoil: spoil.__name__)
def test_a_file_may_go_while_it_is_open(spoil: Any, few: Path, tmp_path: Path) -> None:
    play_all(tmp_path / "other.db", 3, seed=9)
    kept(tmp_path / "other.db", tmp_path, "others.db").close()
    books = kept(few, tmp_path)
    names = players(few)
    expected = everything(books, names)
    spoil(tmp_path / "books.db", tmp_path / "others.db")
    assert books.catch_up()
    assert everything(books, names) == expected
    books.close()
    assert (tmp_path / "books.db").stat().st_size > 10_000


def test_a_question_that_finds_damage_says_so(few: Path, tmp_path: Path) -> None:
    books = kept(few, tmp_path)
    expected = books.history("Ben")
    books._file.books.execute("update rounds set record = x'0102'")
    with pytest.raises(QueenhighError, match="ask once they are up to date") as told:
        books.history("Ben")
    assert told.value.code == "books.damaged"
    assert books.history("Ben") == []
    assert books.catch_up()
    assert books.history("Ben") == expected


def test_a_store_that_was_restored_is_read_again(tmp_path: Path) -> None:
    """It goes on from a backup, on other ways, to fewer events and to as many and more."""
    file, backup = tmp_path / "room.db", tmp_path / "backup.db"
    play_all(file, 4)
    shutil.copy(file, backup)
    play_all(file, 9, seed=5)
    books = kept(file, tmp_path)
    for rounds in (0, 9, 30):
        file.unlink()
        shutil.copy(backup, file)
        if rounds:
            play_all(file, rounds, seed=6 + rounds)
        assert books.catch_up()
        again, names = kept(file, tmp_path, f"{rounds}.db"), players(file)
        assert everything(books, names) == everything(again, names)


def test_another_database_is_not_thrown_away(few: Path, tmp_path: Path) -> None:
    store = tmp_path / "room.db"
    shutil.copy(few, store)
    before = store.read_bytes()
    with pytest.raises(QueenhighError, match="name another file") as told:
        Books(store, store)
    assert told.value.code == "books.other"
    assert store.read_bytes() == before


def test_one_process_keeps_the_books(
    few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bookkeeping, "_PATIENCE", 20)
    books = kept(few, tmp_path)
    with pytest.raises(QueenhighError, match="free it") as told:
        Books(few, tmp_path / "books.db")
    assert told.value.code == "books.file"
    assert books.history("Ben")
    with pytest.raises(QueenhighError, match="free it, or name another"):
        Books(few, tmp_path)


def test_what_cannot_be_read_is_told(few: Path, tmp_path: Path) -> None:
    books = Books(tmp_path / "none.db", tmp_path / "books.db")
    with pytest.raises(QueenhighError, match="there is no such store"):
        books.catch_up()
    books.close()
    broken = tmp_path / "broken.db"
    shutil.copy(few, broken)
    connection = apsw.Connection(str(broken))
    connection.execute("update event set event = ? where id = 400", (b'{"type":"x"}',))
    connection.close()
    books = Books(broken, tmp_path / "books.db")
    with pytest.raises(QueenhighError, match="not an event of a table"):
        books.catch_up()
    assert books.history("Ben") == []


def test_a_round_is_told_when_it_is_over(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("house", {"ann": 1, "bob": 2}, store=store)
    table.tick()
    for name in ("ann", "bob"):
        table.bet(name, ante=100)
    books = kept(tmp_path / "room.db", tmp_path)
    assert (books.history("ann"), books.results(), books.collection()) == ([], [], [])
    table.do("Choose", "ann", move="fold")
    table.do("Choose", "bob", move="fold")
    books.catch_up()
    (told,) = books.history("ann")
    assert (told["table"], told["number"], told["net"]) == ("t", 1, -100)
    assert books.bankroll("ann")[0]["total"] == -100
    store.close()


def test_a_void_gives_back_the_fees_it_finds_collected(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("california", {"ann": 1, "bob": 2, "cyd": 3}, store=store)
    table.banked_by("ann")
    table.bet("bob", ante=500)
    table.bet("cyd", ante=700, bonus=100)
    assert table.state.phase == "deciding"
    books = kept(tmp_path / "room.db", tmp_path)
    assert [one["cents"] for one in books.collection()] == [400]
    table.do("VoidRound", "floor", reason="a card was seen")
    books.catch_up()
    assert [(one["cents"], one["rounds"]) for one in books.collection()] == [(0, 0)]
    (void,) = books.voids()
    assert (void["reason"], void["by"]) == ("a card was seen", "floor")
    assert void["cents"] == 50_000 + 500 + 800 + 400
    (told,) = books.history("bob")
    assert (told["ended"], told["reason"], told["net"]) == ("voided", "a card was seen", 0)
    assert books.results() == []
    assert (books.settle_lines("bob"), books.hand_histories("bob")) == ([], [])
    proof = books.proof("t", 1)
    assert proof is not None
    assert (proof["ended"], len(proof["cards"])) == ("voided", 9)
    store.close()
