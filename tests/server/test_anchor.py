"""The log anchored outside: key and head that the room publishes, and receipts of events."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from queenhigh.room.verify import verify
from queenhigh.table.fairness import fields
from tests.server.served import AT_ONCE, Served

Json = dict[str, Any]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
    file = tmp_path_factory.mktemp("room") / "room.db"
    with Served(file, rooms=rooms, standing=[]) as made:
        yield made
        assert made.errors() == ""


def room_of(served: Served) -> Json:
    with served.http() as client:
        room: Json = client.get("/api/room").json()
    return room


def is_signed(key: str, signature: str, *parts: bytes) -> bool:
    """Tell whether a key signed these fields, worked out without the package's signing."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), fields(*parts))
    except InvalidSignature:
        return False
    return True


def test_the_room_publishes_its_key_and_its_head(served: Served) -> None:
    before = room_of(served)
    served.guest("Ann")
    room = room_of(served)
    head = room["head"]
    assert head["events"] > before["head"]["events"], "the head is that of the last commit"
    signed = (b"queenhigh/head/1", str(head["events"]).encode(), bytes.fromhex(head["hash"]))
    assert is_signed(room["key"], head["signature"], *signed)
    assert not is_signed(room["key"], before["head"]["signature"], *signed)
    assert room["epoch"] == 0
    with closing(sqlite3.connect(served.db)) as db:
        events, hashed, key = db.execute("select events, hash, key from head").fetchone()
    assert (events, hashed.hex(), key.hex()) == (head["events"], head["hash"], room["key"])


def test_the_published_key_is_the_one_that_verify_wants(served: Served) -> None:
    key = room_of(served)["key"]
    assert verify(served.db, key=key).ok
    other = verify(served.db, key=key[::-1])
    assert other.bad == "the head is signed with another key"


def test_the_key_is_published_before_there_is_an_event(tmp_path: Path) -> None:
    with Served(tmp_path / "room.db", standing=[]) as empty:
        room = room_of(empty)
        assert room["head"] is None
        empty.guest("Ann")
        again = room_of(empty)
        assert again["head"]["events"] > 0
        assert again["key"] == room["key"]
        assert len(bytes.fromhex(room["key"])) == 32
