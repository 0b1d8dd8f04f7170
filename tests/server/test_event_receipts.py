"""Anchors of the log: the key and head that the room publishes, and receipts of events."""

import json
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from fastapi.routing import APIRoute

from queenhigh.hashing import fields
from queenhigh.room.room import Room
from queenhigh.server.routes import players as player_routes
from queenhigh.server.routes import room as room_routes
from queenhigh.server.services import check_work
from queenhigh.store.signing import Receipt, Signer
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import DamagedStream
from queenhigh.verify.verifier import verify
from tests.in_process import call
from tests.server.running_server import AT_ONCE, RunningServer
from tests.verify.verifiers import FILE, prove

OTHER: Any = sys.modules["verify_log"]

Json = dict[str, Any]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
    file = tmp_path_factory.mktemp("room") / "room.db"
    with RunningServer(file, rooms=rooms, standing=[]) as made:
        yield made
        assert made.errors() == ""


def room_of(served: RunningServer) -> Json:
    with served.http() as client:
        room: Json = client.get("/api/room").json()
    return room


def is_signed(key: str, signature: str, *parts: bytes) -> bool:
    """Return whether a key signed these fields, without the package's signing code."""
    try:
        public = Ed25519PublicKey.from_public_bytes(bytes.fromhex(key))
        public.verify(bytes.fromhex(signature), fields(*parts))
    except InvalidSignature:
        return False
    return True


def test_room_publishes_its_key_and_head(served: RunningServer) -> None:
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


def test_published_key_is_the_one_verify_wants(served: RunningServer) -> None:
    key = room_of(served)["key"]
    assert verify(served.db, key=key).ok
    other = verify(served.db, key=key[::-1])
    assert other.bad == "the head is signed with another key"


def test_a_store_without_events_has_a_key_and_no_head(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    assert len(store.key) == 32
    assert store.head.events == 0
    store.close()


# Receipts over HTTP


def test_a_receipt_pins_an_event_of_a_table(served: RunningServer) -> None:
    with served.http() as client:
        receipt = client.get("/api/tables/ho/receipt", params={"version": 1}).json()
        last = client.get("/api/tables/ho/receipt").json()
        for path in ("ho/receipt?version=99", "nowhere/receipt", "nowhere/receipt?version=1"):
            assert client.get(f"/api/tables/{path}").status_code == 404, path
        assert client.get("/api/tables/ho/receipt?version=0").status_code == 422
    place = (str(receipt["epoch"]), receipt["stream"], str(receipt["version"]))
    parts = [part.encode() for part in place]
    assert place == ("0", "table/ho", "1")
    hashed = bytes.fromhex(receipt["hash"])
    assert is_signed(receipt["key"], receipt["signature"], b"queenhigh/receipt/1", *parts, hashed)
    assert receipt["key"] == room_of(served)["key"]
    with closing(sqlite3.connect(served.db)) as db:
        query = "select hash from event join stream on stream.id = stream where name = 'table/ho'"
        hashes = [digest.hex() for (digest,) in db.execute(f"{query} order by version")]
    assert (hashes[0], hashes[-1]) == (receipt["hash"], last["hash"])
    assert last["version"] == len(hashes)


def test_players_get_receipts_of_their_own_wallet_only(served: RunningServer) -> None:
    name, cookie = served.guest("Bea")
    with served.http(cookie) as bea, served.http() as nobody:
        receipt = bea.get("/api/me/receipt").json()
        assert (receipt["stream"], receipt["version"]) == (f"wallet/{name}", 1)
        assert bea.get("/api/me/receipt?version=2").status_code == 404
        assert nobody.get("/api/me/receipt").status_code == 401
        for other in (f"../wallet/{name}", f"%2e%2e%2fwallet%2f{name}", "accounts", "floor"):
            assert nobody.get(f"/api/tables/{other}/receipt").status_code in (404, 405), other


def test_receipts_are_rate_limited() -> None:
    rationed = [
        route.path
        for route in (*room_routes.router.routes, *player_routes.router.routes)
        if isinstance(route, APIRoute)
        and route.path.endswith("/receipt")
        and check_work in [needed.dependency for needed in route.dependencies]
    ]
    assert rationed == ["/api/tables/{table}/receipt", "/api/me/receipt"]


# Receipts compared with a log


class Wallets(NamedTuple):
    """A store with nothing but wallets in it."""

    file: Path

    def issue(self, *players: str) -> "Wallets":
        """Give players chips, and close the store."""
        store = SqliteStore(self.file)
        for player in players:
            wallets = Room(store).wallets
            number = wallets.of(player).version
            wallets.issue(player, 100 + number, id=f"chips.{number}", at=7, reason="for a test")
        store.close()
        return self

    def copy(self, file: Path) -> "Wallets":
        """Copy the store with its key."""
        for end in ("", ".key"):
            shutil.copyfile(f"{self.file}{end}", f"{file}{end}")
        return Wallets(file)

    def receipt(self, stream: str, version: int | None = None) -> Receipt:
        store = SqliteStore(self.file)
        receipt = store.receipt(stream, version)
        store.close()
        assert receipt is not None
        return receipt


def as_json(receipt: Receipt) -> Json:
    texts = {name: getattr(receipt, name).hex() for name in ("key", "hash", "signature")}
    return {**receipt._asdict(), **texts}


def keep(folder: Path, *receipts: Receipt) -> Path:
    """Write receipts as players keep them."""
    file = folder / "receipts.json"
    sentences = [as_json(receipt) for receipt in receipts]
    file.write_text(json.dumps(sentences[0] if len(sentences) == 1 else sentences))
    return file


def reasons(store: Wallets, saved: Path) -> list[list[str | None]]:
    """Return what both verifiers say of receipts, each in its own words."""
    done = call("verify", str(store.file), "--receipt", str(saved), "--json")
    package, other = json.loads(done.stdout), OTHER.verify(store.file, receipts=[saved])
    assert (package["bad"], other.reason) == (None, None), "the log itself is good"
    assert package["ok"] is other.ok is (done.returncode == 0)
    sentences = [
        [row["reason"] for row in result] for result in (package["receipts"], other.receipts)
    ]
    assert package["ok"] is not any(sentences[0])
    return sentences


@pytest.fixture
def honest(tmp_path: Path) -> Wallets:
    return Wallets(tmp_path / "room.db").issue("Ann", "Bea", "Ann")


def test_receipts_of_a_log_that_goes_on_are_good(honest: Wallets, tmp_path: Path) -> None:
    receipts = [honest.receipt("wallet/Ann", 1), honest.receipt("wallet/Ann")]
    honest.issue("Cy", "Ann")
    assert reasons(honest, keep(tmp_path, *receipts)) == [[None, None]] * 2


def test_rewritten_and_resigned_log_is_detected(honest: Wallets, tmp_path: Path) -> None:
    """The room goes back, writes another history, and signs it: the log alone is perfect."""
    early = honest.copy(tmp_path / "early.db")
    honest.issue("Ann")
    saved = keep(tmp_path, honest.receipt("wallet/Ann", 3), honest.receipt("wallet/Bea", 1))
    taken_away = early.copy(tmp_path / "short.db")
    store = SqliteStore(early.file)
    Room(store).wallets.issue("Ann", 1, id="chips.2", at=7, reason="another history")
    store.close()
    prove(early.file)
    assert reasons(early, saved) == [
        ["the log was changed: its events up to there differ", None],
        ["the log says something else up to there", None],
    ]
    assert reasons(taken_away, saved) == [
        ["the log no longer has this event", None],
        ["the log has no such event", None],
    ]


@pytest.mark.parametrize("column", ["hash", "event"])
def test_damaged_event_gets_no_receipt(honest: Wallets, column: str) -> None:
    with closing(sqlite3.connect(honest.file)) as db:
        db.execute(f"update event set {column} = zeroblob(32) where id = 3")
        db.commit()
    store = SqliteStore(honest.file)
    assert store.receipt("wallet/Bea", 1) is not None
    for version in (1, 2):
        with pytest.raises(DamagedStream):
            store.receipt("wallet/Ann", version)
    store.close()


def test_receipts_survive_a_restore_that_keeps_their_events(
    honest: Wallets, tmp_path: Path
) -> None:
    backup, again = tmp_path / "backup.db", Wallets(tmp_path / "again.db")
    assert call("backup", str(honest.file), str(backup)).returncode == 0
    early, late = honest.receipt("wallet/Ann"), honest.issue("Ann").receipt("wallet/Ann")
    assert call("restore", str(backup), str(again.file)).returncode == 0
    assert 0 == late.epoch < again.receipt("wallet/Ann").epoch
    assert reasons(again, keep(tmp_path, early, again.receipt("wallet/Ann"), late)) == [
        [None, None, "the log no longer has this event"],
        [None, None, "the log has no such event"],
    ]


def test_a_published_head_is_checked_like_a_receipt(honest: Wallets, tmp_path: Path) -> None:
    early = honest.copy(tmp_path / "early.db")
    store = SqliteStore(honest.issue("Ann").file)
    texts = {"hash": store.head.hash.hex(), "signature": store.head.signature.hex()}
    head = {"events": store.head.events, **texts}
    store.close()
    saved = tmp_path / "room.json"
    saved.write_text(json.dumps({"now": 7, "key": store.key.hex(), "head": head, "tables": []}))
    assert reasons(honest.issue("Cy"), saved) == [[None], [None]]
    assert reasons(early, saved) == [
        ["the log no longer has this event"],
        ["the log has no such event"],
    ]
    assert reasons(early.issue("Bea", "Bea"), saved) == [
        ["the log was changed: its events up to there differ"],
        ["the log says something else up to there"],
    ]
    saved.write_text(json.dumps({"key": store.key.hex(), "head": {**head, "events": 3}}))
    assert reasons(honest, saved) == [["its signature is wrong"]] * 2


def test_room_view_can_be_saved_as_a_receipt(served: RunningServer, tmp_path: Path) -> None:
    saved = tmp_path / "room.json"
    saved.write_text(json.dumps(room_of(served)))
    served.guest("Dee")
    done = call("verify", str(served.db), "--receipt", str(saved))
    assert done.stdout.splitlines()[2].startswith("OK: head of "), done.stdout
    assert OTHER.verify(served.db, receipts=[saved]).ok


def test_forged_receipt_is_detected(honest: Wallets, tmp_path: Path) -> None:
    good = honest.receipt("wallet/Ann", 2)
    other = Signer(tmp_path / "other.key").sign_receipt(*good[1:5])
    lies = [
        good._replace(epoch=1),
        good._replace(version=1),
        good._replace(stream="wallet/Bea"),
        good._replace(hash=bytes(32)),
        good._replace(signature=good.signature[::-1]),
        other,
    ]
    package, alone = reasons(honest, keep(tmp_path, *lies))
    assert package[:5] == alone[:5] == ["its signature is wrong"] * 5
    assert (package[5], alone[5]) == (
        "it is not signed with the key of the log",
        "it is signed by another key",
    )


def test_contradicting_receipts_are_detected(honest: Wallets, tmp_path: Path) -> None:
    """One place, one epoch and one key, but two hashes: no restore explains that."""
    good, bea = honest.receipt("wallet/Ann", 2), honest.receipt("wallet/Bea", 1)
    signer = Signer(Path(f"{honest.file}.key"))
    lie = signer.sign_receipt(good.epoch, good.stream, good.version, bytes(32))
    restored = signer.sign_receipt(9, good.stream, good.version, good.hash)
    unsigned = lie._replace(signature=good.signature)
    for sentences in reasons(honest, keep(tmp_path, good, bea, lie, restored, unsigned)):
        assert sentences[1] is sentences[3] is None
        assert sentences[4] == "its signature is wrong"
        assert sentences[0] == sentences[2]
        for words in ("the room contradicts itself", "receipts 1 and 3 are"):
            assert words in str(sentences[0])
    one, other = tmp_path / "one.json", tmp_path / "other.json"
    for file, receipt in ((one, good), (other, lie)):
        file.write_text(json.dumps(as_json(receipt)))
    done = call("verify", str(honest.file), "--receipt", str(one), "--receipt", str(other))
    assert (done.returncode, done.stdout.count("receipts 1 and 2 are")) == (1, 2)
    assert not OTHER.verify(honest.file, receipts=[one, other]).ok


def test_receipts_are_described_in_words(honest: Wallets, tmp_path: Path) -> None:
    good = honest.receipt("wallet/Bea")
    saved = keep(tmp_path, good, good._replace(stream="a\nOK"))
    done = call("verify", str(honest.file), "--receipt", str(saved))
    words = [sys.executable, str(FILE), str(honest.file), "--receipt", str(saved)]
    other = subprocess.run(words, capture_output=True, timeout=60, check=False)
    for status, sentences in (
        (done.returncode, done.stdout),
        (other.returncode, other.stdout.decode()),
    ):
        assert status == 1
        assert [line.split(":")[0] for line in sentences.splitlines()] == [
            "OK",
            "Dealing",
            "OK",
            "BAD",
        ]
        sentence = "OK: receipt of wallet/Bea 1, epoch 0: found in the log"
        assert sentences.splitlines()[2] == sentence


@pytest.mark.parametrize(
    "text",
    [
        "", "7", "[7]", "{}", '{"key": "x"}', '["key"]', "[[]]", '{"key": "x", "head": null}',
        '{"key": 7, "head": {"events": 1, "hash": "", "signature": ""}}',
    ],
)  # fmt: skip
def test_invalid_receipt_is_refused_in_a_sentence(text: str, tmp_path: Path) -> None:
    saved, unread = tmp_path / "receipt.json", tmp_path / "room.db"
    saved.write_text(text)
    done = call("verify", str(unread), "--receipt", str(saved))
    assert done.returncode == 2
    assert "is not a receipt" in done.stderr
    with pytest.raises(OTHER.Unreadable, match="is not a receipt"):
        OTHER.verify(unread, receipts=[saved])
