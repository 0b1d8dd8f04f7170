"""The log of the floor and of accounts: its events and their rows go together."""

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, NamedTuple

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server.accounts import Accounts
from queenhigh.server.admin_store import AdminStore
from queenhigh.store.batch import Batch, Request
from queenhigh.store.commit_writer import CommitWriter
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append, Conflict
from queenhigh.verify.log_file import write_log
from tests.server.running_server import AT_ONCE, RunningServer
from tests.verify.forging import chained
from tests.verify.verifiers import BOTH, prove

Json = dict[str, Any]
PASSWORD, NEW_PASSWORD = "correct horse", "battery staple"


def events_of(file: Path, stream: str) -> list[Json]:
    """Return the events of a stream as the file has them."""
    query = (
        "select event from event join stream on stream.id = stream where name = ? order by version"
    )
    with closing(sqlite3.connect(file)) as db:
        return [json.loads(event) for (event,) in db.execute(query, (stream,))]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
    with RunningServer(
        tmp_path_factory.mktemp("room") / "room.db", rooms=rooms, standing=[]
    ) as made:
        yield made
        assert made.errors() == ""
    prove(made.db)


@pytest.fixture(scope="module")
def used(served: RunningServer) -> RunningServer:
    """The room after a little of everything."""
    login = {"name": "Ann", "password": PASSWORD}
    with served.http() as ann, served.floor() as floor:
        ann.post("/api/accounts", json=login).raise_for_status()
        with served.http(served.guest("Gus")[1]) as gus:
            gus.put("/api/me/password", json={"password": NEW_PASSWORD}).raise_for_status()
        floor.post("/api/floor/notices", json={"text": "Welcome"}).raise_for_status()
        floor.delete("/api/floor/notices/1").raise_for_status()
        why = {"reason": "why not"}
        for path, body in (
            ("tables", {"name": "new", "rulebook": "house", "set": {"limits.ante.max": 300}}),
            ("accounts/gus/freeze", why),
            ("tables/ho/disable", why),
            ("tables/ho/rules", {**why, "set": {"limits.ante.max": 300}}),
            ("tables/new/close", why),
        ):
            floor.post(f"/api/floor/{path}", json=body).raise_for_status()
    return served


def test_accounts_are_in_the_log(used: RunningServer) -> None:
    sentence = [
        {name: value for name, value in event.items() if name not in ("at", "id")}
        for event in events_of(used.db, "accounts")
    ]
    floor = "floor from 127.0.0.1"
    assert sentence == [
        {"type": "account.opened/1", "by": "Ann", "player": "Ann"},
        {"type": "account.opened/1", "by": "Gus", "player": "Gus", "guest": True},
        {"type": "account.password_set/1", "by": "Gus", "player": "Gus"},
        {"type": "account.frozen/1", "by": floor, "player": "Gus", "frozen": True},
    ]


def test_the_floor_is_in_the_log(used: RunningServer) -> None:
    events = events_of(used.db, "floor")
    actions = ["post notice", "take notice down", "open table", "freeze", "disable table",
               "change rules", "close table"]  # fmt: skip
    assert [event["action"] for event in events] == actions
    done = {"subject": "Gus", "before": {"frozen": False}, "after": {"frozen": True}}
    assert events[3].items() >= {**done, "reason": "why not"}.items()
    assert events[5]["after"]["set"] == {"limits.ante.max": 300}
    with used.floor() as floor:
        entries = floor.get("/api/floor/log").json()
        assert [entry["action"] for entry in entries] == actions[::-1]
        assert [entry["n"] for entry in entries] == [7, 6, 5, 4, 3, 2, 1]
        assert entries[3]["who"] == "floor from 127.0.0.1"
        some = floor.get("/api/floor/log", params={"before": 6, "limit": 2}).json()
        assert some == entries[2:4]
        assert floor.get("/api/floor/log", params={"before": 1}).json() == []


def test_log_has_no_secrets(used: RunningServer) -> None:
    with closing(sqlite3.connect(used.db)) as db:
        hashes = [
            row[0] for row in db.execute("select hash from session union select hash from floor")
        ]
        passwords = [
            row[0] for row in db.execute("select password from account where password > ''")
        ]
    sentence = json.dumps([events_of(used.db, "accounts"), events_of(used.db, "floor")])
    secrets = [
        PASSWORD,
        NEW_PASSWORD,
        used.floor_token,
        *passwords,
        *(digest.hex() for digest in hashes),
    ]
    secrets += [
        hashlib.sha256(password.encode()).hexdigest() for password in (PASSWORD, NEW_PASSWORD)
    ]
    assert len(passwords) == 2
    assert len(hashes) >= 3
    assert not [secret for secret in secrets if str(secret) in sentence]
    by_players = [
        event for event in events_of(used.db, "accounts") if event["type"] != "account.frozen/1"
    ]
    assert "127.0.0.1" not in json.dumps(by_players)


def test_the_floor_is_logged_in_the_commit_of_its_command(used: RunningServer) -> None:
    """What it did at a table is followed at once by what its log says."""
    query = "select name, event from event join stream on stream.id = stream order by event.id"
    with closing(sqlite3.connect(used.db)) as db:
        rows = [(name, json.loads(event)) for name, event in db.execute(query)]
    index = next(n for n, (_, event) in enumerate(rows) if event["type"] == "table.closed/1")
    assert (rows[index][0], rows[index + 1][0]) == ("table/new", "floor")
    assert rows[index + 1][1]["action"] == "close table"


# One transaction


class AdminFixture(NamedTuple):
    """A room without tables."""

    store: SqliteStore
    admin: AdminStore
    accounts: Accounts

    def content(self) -> tuple[list[Any], list[str]]:
        """Return rows, and the types of events."""
        query = "select name, frozen from account union all select text, id from notice"
        events = [row.event for stream in ("accounts", "floor") for row in self.store.read(stream)]
        return self.admin.db.execute(query).fetchall(), [
            json.loads(event)["type"] for event in events
        ]

    def post(self) -> None:
        """Post a notice."""
        change = (None, "hi")
        note = self.admin.acted(5, "floor", "post notice", "room", change=change, reason="")
        self.admin.post_notice(5, "", "hi", note)


@pytest.fixture
def fixture(tmp_path: Path) -> Iterator[AdminFixture]:
    file = tmp_path / "room.db"
    store = SqliteStore(file)
    admin = AdminStore(file, store)
    made = AdminFixture(store, admin, Accounts(admin.db, rows=admin.rows))
    made.accounts.new_guest("Ann", 0)
    made.post()
    yield made
    admin.close()
    store.close()
    prove(file)


CHANGES: dict[str, Callable[[AdminFixture], object]] = {
    "a guest": lambda fixture: fixture.accounts.new_guest("Cy", 1),
    "a freeze": lambda fixture: fixture.accounts.freeze("Ann", frozen=True, time_ms=1, by="floor"),
    "a notice": AdminFixture.post,
}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("table", ["event", "head"])
def test_a_commit_that_fails_leaves_neither_row_nor_event(
    fixture: AdminFixture, table: str, change: str
) -> None:
    """A disk that fails when the events are written, after the rows."""
    before = fixture.content()

    def fail(action: int, name: str | None, *rest: object) -> int:
        is_full = action == apsw.SQLITE_INSERT and name == table
        return apsw.SQLITE_DENY if is_full else apsw.SQLITE_OK

    connection = vars(fixture.store)["_writes"]
    connection.authorizer = fail
    with pytest.raises(QueenhighError, match="could not be written"):
        CHANGES[change](fixture)
    connection.authorizer = None
    assert fixture.content() == before
    CHANGES[change](fixture)
    rows, events = fixture.content()
    assert rows != before[0]
    assert len(events) == len(before[1]) + 1


def queue_three(fixture: AdminFixture) -> list[Exception | None]:
    """Queue three appends with a row each: a good one, a wrong version, and a bad row."""
    outcomes: list[Exception | None] = []
    add = "insert into notice (id, at, tables, text) values (?, 1, '', ?)"
    for stream, number, version in (("a", 7, 0), ("b", 8, 3), ("c", 7, 0)):
        row = (add, (number, f"notice {number}"))
        append = Append(stream, version, (b"{}",))
        fixture.store.submit(outcomes.append, append, rows=(row,))
    fixture.store.flush()
    return outcomes


def test_rows_go_with_their_own_events_only(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "room.db")
    admin = AdminStore(tmp_path / "room.db", store)
    fixture = AdminFixture(store, admin, Accounts(admin.db))
    first, second, third = queue_three(fixture)
    assert first is None
    assert isinstance(second, Conflict)
    assert isinstance(third, apsw.ConstraintError)
    assert fixture.content()[0] == [("notice 7", 7)]
    assert store.streams() == ["a"]
    admin.close()
    store.close()


def test_rows_without_their_events_are_detected(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test above finds a store that does not take rows back."""

    def keep_rows(self: CommitWriter, batch: Batch, request: Request) -> Exception | None:
        for statement, values in request.rows:
            with suppress(apsw.ConstraintError):
                vars(self)["_db"].execute(statement, values)
        return batch.add(request.appends)

    monkeypatch.setattr(CommitWriter, "_add_with_rows", keep_rows)
    with pytest.raises(AssertionError):
        test_rows_go_with_their_own_events_only(tmp_path)


# Proofs


def opened(player: str, **other: Any) -> Json:
    return {"type": "account.opened/1", "at": 1, "by": player, "id": "a", "player": player} | other


def acted(**other: Any) -> Json:
    return {"type": "floor.acted/1", "at": 1, "by": "floor", "id": "f", "action": "look",
            "subject": "x"} | other  # fmt: skip


def frozen(**other: Any) -> Json:
    return {"type": "account.frozen/1", "at": 1, "by": "floor", "id": "f", "player": "Ann",
            "frozen": True} | other  # fmt: skip


GOOD = {
    "all of it": [
        ("accounts", opened("Ann")),
        ("floor", acted(before={"a": [1, "x", None]}, after=7, reason="why")),
        ("accounts", opened("Bea", guest=True)),
        ("accounts", {"type": "account.password_set/1", "at": 0, "by": "Old", "id": "p",
                      "player": "Old"}),
        ("accounts", frozen(by="floor from ::1")),
        ("accounts", frozen(frozen=False)),
        ("accounts", opened("floor from afar")),  # as players could be called once
    ],
}  # fmt: skip
BAD = {
    "a player acts as the floor": [("floor", acted(by="Ann"))],
    "the clock acts": [("floor", acted(by="clock"))],
    "no action": [("floor", acted(action=""))],
    "no id": [("floor", {name: value for name, value in acted().items() if name != "id"})],
    "a fraction": [("floor", acted(after={"cents": [1.5]}))],
    "a default": [("floor", acted(reason=""))],
    "an unknown field": [("floor", acted(address="::1"))],
    "an account opened twice": [("accounts", opened("Ann")), ("accounts", opened("Ann"))],
    "an account opened late": [("accounts", frozen()), ("accounts", opened("Ann"))],
    "an account opened by another": [("accounts", opened("Ann", by="Bea"))],
    "an account called floor": [("accounts", opened("floor"))],
    "frozen by a player": [("accounts", frozen(by="Ann"))],
    "frozen as a number": [("accounts", frozen(frozen=1))],
    "an account in the floor's stream": [("floor", opened("Ann"))],
    "the floor in a wallet": [("wallet/Ann", acted())],
    "the floor at a table": [("table/ho", acted())],
    "a name after the stream": [("floor/x", acted())],
    "chips in the floor's stream": [("floor", {"type": "wallet.issued/1", "at": 1, "by": "floor",
                                               "id": "c", "cents": 1, "reason": "x"})],
}  # fmt: skip


def write(file: Path, events: list[tuple[str, Json]]) -> None:
    """Write a log of these events, chained, with a head that nobody signed."""
    versions: Counter[str] = Counter()
    rows: list[Json] = []
    for n, (stream, event) in enumerate(events, 1):
        versions[stream] += 1
        text = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        rows.append({"n": n, "stream": stream, "version": versions[stream], "event": text,
                     "hash": ""})  # fmt: skip
    head = {"events": len(rows), "hash": "0" * 64, "key": "0" * 64, "signature": "0" * 128}
    file.write_bytes(b"".join(chained([*rows, {"head": head}])))


@pytest.mark.parametrize("name", [*GOOD, *BAD])
def test_both_verifiers_know_these_streams(name: str, tmp_path: Path) -> None:  # L21
    file, events = tmp_path / "log.jsonl", (GOOD | BAD)[name]
    write(file, events)
    for verifier, verify in BOTH.items():
        verdict = verify(file, check_head=False)
        assert verdict.ok is (name in GOOD), f"{verifier}: {verdict}"
        assert verdict.n == (None if verdict.ok else len(events)), verifier


def test_floor_events_never_split_a_step(used: RunningServer, tmp_path: Path) -> None:
    with (tmp_path / "log.jsonl").open("w") as out:
        write_log(used.db, out)
    rows = [json.loads(line) for line in (tmp_path / "log.jsonl").read_bytes().splitlines()]
    kinds = [json.loads(row["event"])["type"] for row in rows[:-1]]
    source, target = kinds.index("floor.acted/1"), kinds.index("table.closed/1")
    rows.insert(target - 1, rows.pop(source))
    for n, row in enumerate(rows[:-1], 1):
        row["n"] = n
    versions: Counter[str] = Counter()
    for row in rows[:-1]:
        versions[row["stream"]] += 1
        row["version"] = versions[row["stream"]]
    (tmp_path / "log.jsonl").write_bytes(b"".join(chained(rows)))
    for verifier, verify in BOTH.items():
        assert verify(tmp_path / "log.jsonl", check_head=False).n == target, verifier
