"""The index: every number against a slow and obvious fold of all events that shares no code."""

import json
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from queenhigh.history.correction_lines import corrections_of
from queenhigh.history.recall import as_recall
from queenhigh.history.records import rounds_of
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.correction_events import CorrectionAsked, CorrectionMade, CorrectionRejected
from queenhigh.table.events import decode
from tests.history.stores import cents, log, open_index, players
from tests.table.table_driver import Table


def test_the_collection_is_by_table_and_hour(played: Path, tmp_path: Path) -> None:
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for _, table, said in log(played):
        hour = time.strftime("%Y-%m-%dT%H:00Z", time.gmtime(said["at"] // 1000))
        kind = said["type"]
        if kind in ("bets.closed/2", "round.settled/1"):
            sums[hour, table][0] += cents(said.get("fees", []))
        elif kind == "round.voided/1":
            sums[hour, table][0] -= cents(said.get("fees", []))
        elif kind == "hand.voided/1":
            sums[hour, table][0] -= said.get("fee", 0)
        elif kind == "correction.made/1":
            of_fees = [row for row in said["moved"] if row["against"] == "fees"]
            sums[hour, table][0] -= cents(of_fees)
        if kind in ("round.settled/1", "spin.settled/1"):
            sums[hour, table][1] += 1
    expected = [
        {"table": table, "hour": hour, "cents": fees, "rounds": rounds}
        for (hour, table), (fees, rounds) in sorted(sums.items())
        if fees or rounds
    ]
    reported = [
        row for row in open_index(played, tmp_path).collection() if row["cents"] or row["rounds"]
    ]
    assert reported == expected
    assert sum(row["cents"] for row in reported) > 0


def test_voids_list_reason_and_returned_chips(wild: Path, tmp_path: Path) -> None:
    expected = [
        {
            "n": n, "at": said["at"], "table": table, "round": said["round"], "by": said["by"],
            "reason": said["reason"],
            "cents": cents(said.get("returned", [])) + cents(said.get("fees", [])),
        }
        for n, table, said in log(wild)
        if said["type"] == "round.voided/1"
    ]  # fmt: skip
    index = open_index(wild, tmp_path)
    assert index.voids() == expected[::-1]
    assert index.voids(limit=2) == expected[:-3:-1]
    assert any(each["cents"] for each in expected)


def test_offers_list_players_and_their_answers(played: Path, tmp_path: Path) -> None:
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
    index = open_index(played, tmp_path)
    assert index.offers(limit=10**6) == expected[::-1]
    (first, *_), only = expected, "california"
    assert index.offers(only, limit=3) == [e for e in expected[::-1] if e["table"] == only][:3]
    assert first["what"] == "offered"
    assert index.offers("nowhere") == []


def plain_nets(file: Path) -> dict[str, list[tuple[int, int, int]]]:
    """Return gains and fees of each player, round by round, from the players by place."""
    sits: dict[tuple[str, int], str] = {}
    fees: dict[str, dict[int, int]] = defaultdict(dict)
    rows: dict[str, list[tuple[int, int, int]]] = defaultdict(list)
    gone: dict[str, list[str]] = {}
    over: dict[tuple[str, int], tuple[int, dict[int, str]]] = {}
    for n, table, said in log(file):
        kind, paid = said["type"], fees[table]
        if kind == "seat.taken/1":
            sits[table, said["place"]] = said["player"]
        if kind == "round.opened/2":
            paid.clear()
            gone[table] = []
        if kind == "hand.voided/1":
            gone[table].append(sits[table, said["place"]])
        for fee in said.get("fees", []) if kind in ("bets.closed/2", "round.settled/1") else []:
            paid[fee["place"]] = paid.get(fee["place"], 0) + fee["cents"]
        if kind in ("round.settled/1", "spin.settled/1"):
            nets = nets_of(said)
            for player in gone[table]:
                rows[player].append((n, 0, 0))
            over[table, said["round"]] = (n, {place: sits[table, place] for place in nets})
            for place, net in nets.items():
                rows[sits[table, place]].append((n, net, paid.get(place, 0)))
        if kind == "correction.made/1":
            correct(rows, said, *over[table, said["round"]])
    return rows


def nets_of(end: dict[str, Any]) -> dict[int, int]:
    """Return the gains of a settled round by place, the banker's too."""
    nets = {each["place"]: each["net"] for each in end["places"]}
    return nets | ({end["banker"]: end["net"]} if end.get("banker") else {})


def correct(
    rows: dict[str, list[tuple[int, int, int]]],
    made: dict[str, Any],
    corrected: int,
    players: dict[int, str],
) -> None:
    """Add what a correction moved to the rows of its round."""
    for moved in made["moved"]:
        net, fee = (0, -moved["cents"]) if moved["against"] == "fees" else (moved["cents"], 0)
        for place, sign in ((moved["place"], 1), (made.get("banker"), -1)):
            if place is None or (sign < 0 and moved["against"] == "fees"):
                continue
            rows[players[place]] = [
                (n, was + sign * net, paid + fee) if n == corrected else (n, was, paid)
                for n, was, paid in rows[players[place]]
            ]


def test_bankroll_adds_up(played: Path, tmp_path: Path) -> None:
    rows = plain_nets(played)
    index = open_index(played, tmp_path)
    void = {each["n"] for each in index.voids(limit=10**6)}
    for player in players(played):
        reported = index.bankroll(player, limit=10**6)
        assert [(o["n"], o["net"], o["fee"]) for o in reported if o["n"] not in void] == rows[
            player
        ]
        assert all(row["net"] == row["fee"] == 0 for row in reported if row["n"] in void)
        assert_sums(reported)
        assert index.bankroll(player, limit=3) == reported[-3:]
        for table in {row["table"] for row in reported}:
            here = index.bankroll(player, table=table, limit=10**6)
            assert [each["n"] for each in here] == [o["n"] for o in reported if o["table"] == table]
            assert_sums(here)
        assert index.bankroll(player, table="nowhere") == []


def assert_sums(reported: list[dict[str, Any]]) -> None:
    """Each round says how many they are by then, what fees there were, and what all came to."""
    fees = total = 0
    for count, each in enumerate(reported, start=1):
        fees += each["fee"]
        total += each["net"] - each["fee"]
        assert (each["count"], each["fees"], each["total"]) == (count, fees, total)


def test_history_equals_recall_from_all_events(played: Path, tmp_path: Path) -> None:
    events = defaultdict(list)
    for _, table, said in log(played):
        events[table].append(decode(json.dumps(said).encode()))
    records = [record for name, each in events.items() for record in rounds_of(each, name)]
    corrections = [
        (name, event)
        for name, each in events.items()
        for event in each
        if isinstance(event, CorrectionAsked | CorrectionMade | CorrectionRejected)
    ]
    made = defaultdict(list)
    for correction in corrections_of(corrections):
        made[f"{correction.table}/{correction.round}"].append(correction)
    index, ends = open_index(played, tmp_path), set()
    for player in players(played):
        reported = index.history(player, limit=10**6)
        recalled = {one["round"]: one for r in records if (one := as_recall(r, player, made[r.id]))}
        assert len(reported) == len(recalled)
        for row in reported:
            n, table, number = (row.pop(key) for key in ("n", "table", "number"))
            assert row == recalled[f"{table}/{number}"]
            assert index.history(player, before=n + 1, limit=1)[0]["n"] == n
            ends.add(row["ended"])
    assert ends == ({"settled", "voided"} if played.parent.name.startswith("wild") else {"settled"})


def test_numbers_are_the_pockets_of_last_spins(played: Path, tmp_path: Path) -> None:
    landed: dict[str, list[dict[str, Any]]] = defaultdict(list)
    last = 0
    for _, table, said in log(played):
        landed[table]  # a table of poker has none
        if table == "roulette" and said["type"] in ("spin.settled/1", "round.voided/1"):
            last = said["round"]
        if said["type"] == "ball.landed/2":
            landed[table].insert(0, {"round": said["round"], "pocket": said["pocket"]})
    index = open_index(played, tmp_path)
    for table, numbers in landed.items():
        reported = index.numbers(table, limit=10**6)
        assert reported == numbers
    newest = [each for each in landed["roulette"] if each["round"] > last - 3]
    assert index.numbers("roulette", limit=3) == newest, "of rounds, void ones too"
    assert index.numbers("nowhere") == []
    assert len(landed["roulette"]) > 3


def test_history_is_paged(bots: Path, tmp_path: Path) -> None:
    index = open_index(bots, tmp_path)
    whole = index.history("Ben", limit=10**6)
    assert [each["n"] for each in whole] == sorted([each["n"] for each in whole], reverse=True)
    pages, before = [], None
    while page := index.history("Ben", before=before, limit=7):
        pages += page
        before = page[-1]["n"]
    assert pages == whole
    assert index.history("Ben") == whole[:10]
    at_house = index.history("Ben", table="house", limit=10**6)
    assert at_house == [each for each in whole if each["table"] == "house"]
    assert index.history("Ben", table="nowhere") == index.history("nobody") == []


def test_round_is_shown_only_when_it_is_over(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("house", {"ann": 1, "bob": 2}, store=store)
    table.tick()
    for name in ("ann", "bob"):
        table.bet(name, ante=100)
    index = open_index(tmp_path / "room.db", tmp_path)
    assert (index.history("ann"), index.results(), index.collection()) == ([], [], [])
    table.do("Choose", "ann", move="fold")
    table.do("Choose", "bob", move="fold")
    index.catch_up()
    (recall,) = index.history("ann")
    assert (recall["table"], recall["number"], recall["net"]) == ("t", 1, -100)
    assert index.bankroll("ann")[0]["total"] == -100
    store.close()


def test_void_returns_collected_fees(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table("california", {"ann": 1, "bob": 2, "cyd": 3}, store=store)
    table.banked_by("ann")
    table.bet("bob", ante=500)
    table.bet("cyd", ante=700, bonus=100)
    assert table.state.phase == "deciding"
    index = open_index(tmp_path / "room.db", tmp_path)
    assert [row["cents"] for row in index.collection()] == [400]
    table.do("VoidRound", "floor", reason="a card was seen")
    index.catch_up()
    assert [(row["cents"], row["rounds"]) for row in index.collection()] == [(0, 0)]
    (void,) = index.voids()
    assert (void["reason"], void["by"]) == ("a card was seen", "floor")
    assert void["cents"] == 50_000 + 500 + 800 + 400
    (recall,) = index.history("bob")
    assert (recall["ended"], recall["reason"], recall["net"]) == ("voided", "a card was seen", 0)
    assert index.results() == []
    assert (index.settle_lines("bob"), index.hand_histories("bob")) == ([], [])
    proof = index.proof("t", 1)
    assert proof is not None
    assert (proof["ended"], len(proof["cards"])) == ("voided", 9)
    store.close()
