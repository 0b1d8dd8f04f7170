"""The books: every number against a slow and obvious fold of all events that shares no code."""

import json
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from queenhigh.room.history import as_recall, rounds_of
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import decode
from tests.table.at_the_table import Table
from tests.table.stores import cents, kept, log, players


def test_the_collection_is_by_table_and_hour(played: Path, tmp_path: Path) -> None:
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for _, table, said in log(played):
        hour = time.strftime("%Y-%m-%dT%H:00Z", time.gmtime(said["at"] // 1000))
        kind = said["type"]
        if kind in ("bets.closed/2", "round.settled/1"):
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
    told = [one for one in kept(played, tmp_path).collection() if one["cents"] or one["rounds"]]
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


def test_offers_name_who_was_asked_and_what_they_said(played: Path, tmp_path: Path) -> None:
    sits: dict[tuple[str, int], str] = {}
    expected = []
    for n, table, said in log(played):
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
    books = kept(played, tmp_path)
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
        if kind == "round.opened/2":
            paid.clear()
        if kind in ("bets.closed/2", "round.settled/1"):
            for fee in said.get("fees", []):
                paid[fee["place"]] = paid.get(fee["place"], 0) + fee["cents"]
        if kind in ("round.settled/1", "spin.settled/1"):
            nets = {one["place"]: one["net"] for one in said["places"]}
            nets |= {said["banker"]: said["net"]} if said.get("banker") else {}
            for place, net in nets.items():
                rows[sits[table, place]].append((n, net, paid.get(place, 0)))
    return rows


def test_what_rounds_brought_adds_up(played: Path, tmp_path: Path) -> None:
    rows = plain_nets(played)
    books = kept(played, tmp_path)
    void = {one["n"] for one in books.voids(limit=10**6)}
    for player in players(played):
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


def test_history_is_what_is_recalled_from_the_first_event(played: Path, tmp_path: Path) -> None:
    events = defaultdict(list)
    for _, table, said in log(played):
        events[table].append(decode(json.dumps(said).encode()))
    records = [record for each in events.values() for record in rounds_of(each)]
    books, ends = kept(played, tmp_path), set()
    for player in players(played):
        told = books.history(player, limit=10**6)
        recalled = {one["round"]: one for r in records if (one := as_recall(r, player))}
        assert len(told) == len(recalled)
        for one in told:
            n, table, number = (one.pop(key) for key in ("n", "table", "number"))
            assert one == recalled[f"{table}/{number}"]
            assert books.history(player, before=n + 1, limit=1)[0]["n"] == n
            ends.add(one["ended"])
    assert ends == ({"settled", "voided"} if played.parent.name.startswith("wild") else {"settled"})


def test_the_numbers_are_where_the_ball_lay(played: Path, tmp_path: Path) -> None:
    landed: dict[str, list[dict[str, Any]]] = defaultdict(list)
    last = 0
    for _, table, said in log(played):
        landed[table]  # a table of poker has none
        if table == "roulette" and said["type"] in ("spin.settled/1", "round.voided/1"):
            last = said["round"]
        if said["type"] == "ball.landed/2":
            landed[table].insert(0, {"round": said["round"], "pocket": said["pocket"]})
    books = kept(played, tmp_path)
    for table, numbers in landed.items():
        told = books.numbers(table, limit=10**6)
        assert told == numbers
    newest = [one for one in landed["roulette"] if one["round"] > last - 3]
    assert books.numbers("roulette", limit=3) == newest, "of rounds, void ones too"
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
