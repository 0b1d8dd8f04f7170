"""Proofs and exports of the index: complete when a round is over, and nothing before."""

import hashlib
import hmac
import json
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import queenhigh as qh
from queenhigh.history.index.report_queries import ReportIndex
from queenhigh.history.records import as_settle_line, rounds_of
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import decode
from tests.history.stores import STEPS, everything, log, open_index, players
from tests.table.game_rounds import poker_of
from tests.table.random_play import BOOKS, RandomPlay


def test_round_under_way_is_not_shown(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    random_play = RandomPlay(store, BOOKS["california"], 14)
    index, watched = ReportIndex(tmp_path / "room.db", tmp_path / "books.db"), 0
    for step in range(STEPS):
        random_play.step()
        live = random_play.durable.committed.round
        if live is None or step % 5:
            continue
        assert index.catch_up()
        exported = json.dumps(everything(index, ["ann", "bob", "cyd", "dan", "eve", "fay"]))
        seed = random_play.room.dealing.seed(random_play.durable.committed)
        assert seed is not None
        assert seed.hex() not in exported
        assert not live.key or live.key not in exported
        assert index.proof("t1", live.number) is None
        watched += live.play is not None
    assert watched > 5
    assert index.proof("t1", 1) is not None
    store.close()


def test_exports_hide_folded_hands(played: Path, tmp_path: Path) -> None:
    """And settle to what the player gained; a bank that ran short may need the hidden seats."""
    events = defaultdict(list)
    for _, table, said in log(played):
        events[table].append(decode(json.dumps(said).encode()))
    records = {
        record.id: record for name, each in events.items() for record in rounds_of(each, name)
    }
    index, names, hidden = open_index(played, tmp_path), players(played), 0
    for player in names:
        recalled_rounds = {entry["round"]: entry for entry in index.history(player, limit=10**6)}
        lines = index.settle_lines(player, limit=10**6)
        settled = [item for item in recalled_rounds.values() if item["ended"] == "settled"]
        assert len(lines) >= len(settled) * (0.95 if "Ada" in names else 0.5)
        for line in lines:
            record, recalled = records[line["id"]], recalled_rounds[line["id"]]
            again: Any = qh.settle(record.book, json.loads(json.dumps(line)))
            if "pocket" in line:
                assert line == as_settle_line(record)
                continue
            nets = {seat.seat: seat.net for seat in again.seats}
            assert recalled["seat"] is None or nets[recalled["seat"]] == recalled["net"]
            assert {str(seat["seat"]): seat["cards"] for seat in line["seats"]} == recalled["hands"]
        for text in index.hand_histories(player, limit=10**6):
            read = tomllib.loads(text)
            record = records[f"{read['table']}/{read['hand']}"]
            hands = recalled_rounds[record.id]["hands"]
            for number, item in enumerate(poker_of(record.live).seats, 1):
                dealt = hands.get(str(item.seat), "??????").replace(" ", "")
                assert f"d dh p{number} {dealt}" in read["actions"]
                hidden += dealt == "??????"
    assert hidden > 10


def field(*parts: object) -> bytes:
    each = [part if isinstance(part, bytes) else str(part).encode() for part in parts]
    return b"".join(len(part).to_bytes(4, "big") + part for part in each)


def test_proof_is_enough_to_deal_a_round_again(played: Path, tmp_path: Path) -> None:
    """As docs/fairness.md has it, with nothing but the standard library."""
    index, proved = open_index(played, tmp_path), 0
    for proof in json.loads(json.dumps(everything(index, players(played))["proofs"])):
        seed = bytes.fromhex(proof["seed"])
        tidy = json.dumps(
            proof["rulebook"], sort_keys=True, ensure_ascii=False, separators=(",", ":")
        )
        assert proof["digest"] == "sha256:" + hashlib.sha256(tidy.encode()).hexdigest()
        where = (proof["table"], proof["chain"])
        before = field("queenhigh/link/1", *where, proof["link"], seed)
        assert proof["commitment"] == hashlib.sha256(before).hexdigest()
        added: list[Any] = [*where, proof["round"], proof["digest"], len(proof["committed"])]
        for each in proof["committed"]:
            shown = each["shown"]
            added += [each["place"], each["player"], each["commitment"], shown or "left out"]
            if shown is not None:
                parts = (proof["round"], each["place"], each["player"], bytes.fromhex(shown))
                made = hashlib.sha256(field("queenhigh/seed/1", *where, *parts))
                assert each["commitment"] == made.hexdigest()
        for place, text in sorted((int(place), text) for place, text in proof["seeds"].items()):
            added += [place, text]
        key = hmac.digest(seed, field("queenhigh/key/2", *added), "sha256")
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
                swapped = below(last + 1)
                deck[swapped], deck[last] = deck[last], deck[swapped]
            assert proof["cards"] == deck[::-1][: len(proof["cards"])]
            assert len(proof["cards"]) == 3 * len(proof["places"]) + 3
        assert proof["end"]["round"] == proof["round"]
        proved += bool(proof["cards"] or proof["pocket"])
    assert proved > 50
    assert index.proof("california", 10**6) is index.proof("nowhere", 1) is None
