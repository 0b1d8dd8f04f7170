"""A proof has all it takes to settle a round again; a recall has every step as data."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.cards import format_cards
from queenhigh.history.index.queries import HistoryIndex
from queenhigh.history.proofs import as_proof
from queenhigh.history.recall import as_recall
from queenhigh.history.records import Record, rounds_of
from queenhigh.rulebook.load import from_document
from queenhigh.store.memory import MemoryStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import CardsDealt, RoundVoided, decode
from tests.table.random_play import BOOKS, RandomPlay
from tests.table.table_driver import Table

STEPS = 600


def play_all() -> Iterator[Record]:
    for name, book in BOOKS.items():
        store = MemoryStore()
        random_play = RandomPlay(store, book, 7, name)
        for _ in range(STEPS):
            random_play.step()
        yield from rounds_of((decode(row.event) for row in store.read(f"table/{name}")), name)


@pytest.fixture(scope="module")
def records() -> list[Record]:
    """Return rounds of every reading, settled and void, from random commands."""
    return list(play_all())


def proof_of(record: Record) -> dict[str, Any]:
    document = dict(record.book.document)
    proof: dict[str, Any] = json.loads(json.dumps(as_proof(record, document)))
    return proof


def as_line(proof: dict[str, Any]) -> dict[str, Any]:
    """Return a proof's round as ``queenhigh settle`` reads it."""
    if proof["pocket"] is not None:
        wagers = [
            {"bet": bet["spot"], "stake": bet["cents"], "player": str(hand["place"])}
            | ({"in_prison": True} if bet.get("in_prison") else {})
            for hand in sorted(proof["hands"], key=lambda hand: hand["place"])
            for bet in hand["wagers"]
        ]
        return {"pocket": proof["pocket"], "wagers": wagers}
    seats = []
    for hand in proof["hands"]:
        first = 3 * proof["places"].index(hand["place"])
        seat = {
            "seat": hand["seat"],
            "cards": format_cards(tuple(proof["cards"][first : first + 3])),
        }
        seat |= {bet["spot"]: bet["cents"] for bet in hand["wagers"]}
        seats.append(seat | ({"move": hand["move"]} if "move" in hand else {}))
    line: dict[str, Any] = {"dealer": format_cards(tuple(proof["cards"][-3:])), "seats": seats}
    if proof["banker"] is not None:
        line |= {"bank": proof["bank"], "first": proof["first"]}
    return line


def test_proof_is_enough_to_settle_a_round_again(records: list[Record]) -> None:
    settled_again = void = 0
    for record in records:
        proof = proof_of(record)
        if proof["ended"] == "voided":
            void += 1
            continue
        settled: Any = qh.settle(from_document(proof["rulebook"]), as_line(proof))
        assert settled.banker == proof["end"]["net"]
        fees = {charge["place"]: charge["cents"] for charge in proof["fees"]}
        if proof["pocket"] is None:
            came_to = {place["seat"]: place["net"] for place in proof["end"]["places"]}
            assert {seat.seat: seat.net for seat in settled.seats} == came_to
            place_at = {hand["seat"]: hand["place"] for hand in proof["hands"]}
            owed = {place_at[seat.seat]: seat.fee for seat in settled.seats if seat.fee}
            owed |= {proof["banker"]: settled.banker_fee} if settled.banker_fee else {}
            assert fees == owed
        settled_again += 1
    assert settled_again > 100
    assert void > 10


def test_void_returns_the_amounts_in_its_proof(records: list[Record]) -> None:
    voided = 0
    for record in records:
        proof = proof_of(record)
        if not isinstance(record.end, RoundVoided):
            continue
        held: dict[int, int] = {charge["place"]: charge["cents"] for charge in proof["fees"]}
        for hand in proof["hands"]:
            stakes = {bet["spot"]: bet["cents"] for bet in hand["wagers"]}
            play = stakes.get("ante", 0) if hand.get("move") == "play" else 0
            put = sum(bet["cents"] for bet in hand["wagers"]) + play
            held[hand["place"]] = held.get(hand["place"], 0) + put
        if proof["banker"] is not None:
            held[proof["banker"]] = held.get(proof["banker"], 0) + proof["bank"]
        back: dict[int, int] = {}
        for charge in (*record.end.returned, *record.end.fees):
            back[charge.place] = back.get(charge.place, 0) + charge.cents
        assert back == {place: cents for place, cents in held.items() if cents}
        voided += bool(back)
    assert voided > 3


def test_recall_has_every_step_as_data(records: list[Record]) -> None:
    folded = recalled = 0
    for record in records:
        for player in set(record.players.values()):
            recall = as_recall(record, player)
            if recall is None:
                continue
            recalled += 1
            assert len(recall["events"]) == len(recall["steps"])
            assert recall["players"][str(recall["place"])] == player
            for event in recall["events"]:
                assert not {"cards", "at", "by", "id"} & event.keys()
                assert "seed" not in event or event["type"] in ("seed.added/1", "seed.shown/1")
                assert "player" in event or "place" not in event
            dealt = any(isinstance(event, CardsDealt) for event, _ in record.events)
            hidden = set(recall["seats"].values()) - {int(seat) for seat in recall.get("hands", {})}
            folded += bool(dealt and hidden)
    assert recalled > 250
    assert folded > 20, "hands that were folded are not shown (CA-11)"


def test_silence_and_names_are_in_the_data() -> None:
    table = Table("house", {"ann": 1, "bob": 2})
    table.tick()
    for name in ("ann", "bob"):
        table.bet(name, ante=100)
    table.do("Choose", "bob", move="fold")
    table.tick()
    (record,) = rounds_of((decode(row.event) for row in table.room.store.read("table/t")), "t")
    recall = as_recall(record, "bob")
    assert recall is not None
    moves = [event for event in recall["events"] if event["type"] == "move.made/1"]
    made = {"type": "move.made/1", "round": 1, "move": "fold"}
    assert moves[0] == made | {"place": 2, "player": "bob"}
    assert moves[1] == made | {"place": 1, "player": "ann", "silent": True}
    assert (recall["game"], recall["up"], recall["banker"], recall["first"]) == (
        "three_card_poker", 0, None, None,
    )  # fmt: skip
    assert recall["ace_low"] is True


@pytest.mark.parametrize("name", ["california", "roulette"])
def test_a_round_under_way_has_no_proof(tmp_path: Path, name: str) -> None:
    store = SqliteStore(tmp_path / "room.db")
    table = Table(name, {"ann": 1, "bob": 2, "cyd": 3}, store=store)
    if name == "california":
        table.banked_by("ann")
        table.bet("bob", ante=500)
    else:
        table.tick()
        table.bet("bob", ready=False, red=100)
    index = HistoryIndex(tmp_path / "room.db", tmp_path / "books.db")
    assert index.catch_up()
    assert index.proof("t", 1) is None
    assert index.history("bob") == []
    index.close()
    store.close()
