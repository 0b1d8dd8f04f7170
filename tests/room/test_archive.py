"""Archives of closed tables: proved without the store, and the store without them."""

import gzip
import json
import shutil
import sys
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from random import Random
from typing import Any

import apsw
import pytest

import queenhigh as qh
from queenhigh.errors import QueenhighError
from queenhigh.history.index.report_queries import ReportIndex
from queenhigh.room.archive import closed_tables
from queenhigh.room.bot_loop import AT_ONCE, play, seat_bots
from queenhigh.room.bots import make_bots
from queenhigh.room.room import Room, now, settings_for
from queenhigh.store.emptying import empty_streams
from queenhigh.store.locking import sole_writer
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append, DamagedStream, chain
from queenhigh.table.commands import FLOOR, CloseTable
from tests.history.stores import everything, players
from tests.in_process import call
from tests.verify.by_hand import ByHand
from tests.verify.forging import chained
from tests.verify.verifiers import BOTH, Verdict, prove

ROUNDS = 5
OTHER: Any = sys.modules["verify_log"]


def play_on(file: Path, name: str, rounds: int = ROUNDS, *, close: bool = False) -> None:
    """Play a table of a store with bots, and close it if asked to."""
    store = SqliteStore(file)
    room, book = Room(store, Random(name).randbytes), qh.load(name.partition("-")[0])
    durable = room.open_table(name, book, settings_for(book, pace=AT_ONCE))
    bots = make_bots(book, 4, 1, ("best", "q64"))
    seat_bots(room, durable, [bot.name for bot in bots])
    play(room, durable, bots, rounds)
    if close:
        durable.execute(CloseTable(id="close", by=FLOOR, at=now(), reason="late"))
        assert durable.committed.phase == "closed"
    store.close()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A room whose players went from a table that is closed to one that is open, and back."""
    file = tmp_path_factory.mktemp("made") / "room.db"
    play_on(file, "house", 2)
    play_on(file, "california", close=True)
    play_on(file, "house", 2)
    return file


@pytest.fixture
def room(made: Path, tmp_path: Path) -> Path:
    for end in ("", ".key"):
        shutil.copy(f"{made}{end}", f"{tmp_path}/room.db{end}")
    return tmp_path / "room.db"


def archived(room: Path, *words: str, name: str = "a.qha") -> Path:
    file = room.with_name(name)
    done = call("archive", str(room), "--to", str(file), *words)
    assert (done.returncode, done.stderr) == (0, "")
    return file


def verdicts(file: Path, *archives: Path) -> list[Verdict]:
    return [verify(file, archives=archives) for verify in BOTH.values()]


def rows(room: Path) -> list[Any]:
    query = (
        "select event.id, name, version, event, hash from event join stream on stream = stream.id"
    )
    with closing(apsw.Connection(str(room))) as connection:
        return connection.execute(f"{query} order by 1").fetchall()


def run_sql(file: Path, query: str) -> None:
    with closing(apsw.Connection(str(file))) as connection:
        connection.execute(query)


def test_an_archive_proves_itself(room: Path) -> None:
    before = rows(room)
    file = archived(room)
    of_table = [row for row in before if row[1] == "table/california"]
    for verdict in verdicts(file):
        assert (verdict.ok, verdict.rounds) == (True, ROUNDS), verdict.reason
        assert verdict.hash_only == len(before) - len(of_table)
    assert rows(room) == before, "nothing is removed unless that is asked for"
    assert file.stat().st_mode & 0o777 == 0o600
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    assert [line["n"] for line in lines if "event" in line] == [row[0] for row in of_table]
    assert len(lines) == len(before) + 1


def test_removed_events_are_proved_with_the_archive(room: Path) -> None:
    before, size = rows(room), room.stat().st_size
    whole = verdicts(room)
    file = archived(room, "--remove")
    after = rows(room)
    *remaining, noted = [row[:3] + row[4:] for row in after]
    assert remaining == [row[:3] + row[4:] for row in before]
    assert noted[1] == "floor"
    assert {row[1] for row in after if not row[3]} == {"table/california"}
    assert room.stat().st_size < size
    gone = sum(not row[3] for row in after)
    for verdict in verdicts(room):
        assert (verdict.ok, verdict.rounds, verdict.hash_only) == (True, 4, gone), verdict.reason
    assert verdicts(room, file) == whole
    assert whole[0].rounds == 4 + ROUNDS


def test_room_opens_without_archived_events(room: Path) -> None:
    one = archived(room, "--remove")
    play_on(room, "house", 1, close=True)
    play_on(room, "roulette", 2)
    assert [end.stream for end in closed_tables(room)] == ["table/house"]
    two = archived(room, "--remove", name="b.qha")
    for archives, rounds in (((), 2), ((one,), 2 + ROUNDS), ((two, one), 7 + ROUNDS)):
        for verdict in verdicts(room, *archives):
            assert (verdict.ok, verdict.rounds) == (True, rounds), verdict.reason
    for file in (one, two):
        prove(file)
    with pytest.raises(QueenhighError, match="california is closed and archived"):
        play_on(room, "california", 1)
    done = call("archive", str(room), "--to", str(room.with_name("c.qha")))
    assert (done.returncode, done.stdout) == (2, "")
    assert "no closed tables to archive" in done.stderr


def test_backups_of_a_store_without_archived_events(room: Path) -> None:
    file = archived(room, "--remove")
    for words in (("backup", "room.db", "b.db"), ("restore", "b.db", "new.db")):
        assert call(*words, cwd=room.parent).returncode == 0
    assert all(
        verdict.ok and not verdict.hash_only for verdict in verdicts(room.with_name("new.db"), file)
    )


def test_receipts_outlive_the_archive(room: Path) -> None:
    with closing(SqliteStore(room)) as store:
        receipts = [store.receipt("table/california", 5), store.receipt("wallet/Ada")]
        texts = [
            {name: part.hex() if isinstance(part, bytes) else part for name, part in fields.items()}
            for fields in (receipt._asdict() for receipt in receipts if receipt)
        ]
    file, saved = archived(room, "--remove"), room.with_name("receipts.json")
    saved.write_text(json.dumps(texts))
    for each in (room, file):
        done = call("verify", str(each), "--receipt", str(saved))
        assert (done.returncode, done.stdout.count("found in the log")) == (0, 2)
        assert all(verdict["ok"] for verdict in OTHER.verify(each, receipts=[saved]).receipts)
    texts[0]["hash"] = "00" * 32
    saved.write_text(json.dumps(texts))
    assert call("verify", str(room), "--receipt", str(saved)).returncode == 1
    with closing(SqliteStore(room)) as store, pytest.raises(QueenhighError, match="is closed and"):
        store.receipt("table/california", 5)


# What does not fit is seen


def edited(file: Path, n: int, **fields: Any) -> None:
    """Write another line of an archive where an event is."""
    lines = [json.loads(line) for line in gzip.decompress(file.read_bytes()).splitlines()]
    lines[n - 1] |= fields
    text = "".join(json.dumps(li, ensure_ascii=False, separators=(",", ":")) + "\n" for li in lines)
    file.write_bytes(gzip.compress(text.encode()))


def test_changed_event_of_an_archive_is_detected(room: Path) -> None:  # L5
    events = (r for r in rows(room) if r[1] == "table/california")
    n, stream, version, event, _ = next(r for r in events if b"round.settled" in r[3])
    before = next(r for r in rows(room) if r[1:3] == (stream, version - 1))
    forged = event.replace(b'"net":', b'"net":1', 1)
    plain = archived(room)
    shutil.copy(plain, room.with_name("b.qha"))
    edited(plain, n, event=forged.decode())
    chained = room.with_name("b.qha")
    made = chain(before[4], stream, version, forged).hex()
    edited(chained, n, event=forged.decode(), hash=made)
    for file in (plain, chained):
        for verdict in verdicts(file):
            assert (verdict.ok, verdict.n) == (False, n)


@pytest.mark.parametrize("kind", ["wallet.bought_in", "wallet.cashed_out"])
def test_archived_wallet_event_is_proved_by_its_hash(room: Path, kind: str) -> None:  # L5
    """An archive has no event of a wallet, but what it must be follows from the table's."""
    row = next(r for r in rows(room) if kind.encode() in r[3] and b'"california"' in r[3])
    file = archived(room)
    edited(file, row[0], hash="00" * 32)
    for verdict in verdicts(file):
        assert (verdict.ok, verdict.n) == (False, row[0])
        assert "hash" in str(verdict.reason)


def test_changed_hash_of_an_archived_event_is_detected(room: Path) -> None:  # L5
    archived(room, "--remove")
    last = max(row[0] for row in rows(room) if not row[3])
    run_sql(room, f"update event set hash = zeroblob(32) where id = {last}")
    for verdict in verdicts(room):
        assert (verdict.ok, verdict.n) == (False, None), "the head is of other events"


def test_the_floor_notes_what_is_archived(room: Path) -> None:
    last = [row for row in rows(room) if row[1] == "table/california"][-1]
    archived(room, "--remove")
    event = json.loads(rows(room)[-1][3])
    assert (event["type"], event["by"]) == ("floor.acted/1", "floor")
    assert (event["action"], event["subject"]) == ("archive", "california")
    assert event["after"] == {"version": last[2], "hash": last[4].hex()}


def test_archive_note_without_removal_is_harmless(
    room: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program may end between the two; then the same is asked for again."""

    def end(*args: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as ended:
        ended.setattr("queenhigh.room.archive.empty_streams", end)
        words = ("archive", str(room), "--to", str(room.with_name("a.qha")), "--remove")
        assert call(*words).returncode != 0
    prove(room)
    assert all(row[3] for row in rows(room))
    file = archived(room, "--remove", name="b.qha")
    prove(room)
    assert all(verdict.ok for verdict in verdicts(room, file))


@pytest.mark.parametrize("stream", ["table/house", "table/california", "wallet/Ada", "floor"])
def test_stream_emptied_without_a_note_is_bad(room: Path, stream: str) -> None:  # L5
    """Otherwise anyone who can write to the file could make an open table vanish."""
    note = b'{"type":"floor.acted/1","at":1,"by":"floor","id":"a","action":"a","subject":"b"}'
    with closing(SqliteStore(room)) as store:
        store.append(Append("floor", 0, (note,)))
    prove(room)
    where = f"(select id from stream where name = '{stream}')"
    last = max(row[2] for row in rows(room) if row[1] == stream)
    run_sql(room, f"update event set event = x'' where stream = {where}")
    for verdict in verdicts(room):
        assert (verdict.ok, verdict.n) == (False, None)
        assert "only hashes are here" in str(verdict.reason)
    said = (
        call("verify", str(room)).stdout,
        "\n".join(OTHER.report_lines(OTHER.verify(room), False)),
    )
    assert all(message.startswith(f"BAD: after ({stream} {last}): only hashes") for message in said)
    assert call("backup", str(room), str(room.with_name("b.db"))).returncode == 1


def test_archive_note_needs_the_last_event(room: Path) -> None:
    archived(room, "--remove")
    with closing(SqliteStore(room)) as store:
        event = json.loads(next(iter(store.read("floor"))).event)
        other = event | {"after": {"version": 3, "hash": "00" * 32}, "id": "again"}
        text = json.dumps(other, separators=(",", ":")).encode()
        store.append(Append("floor", 1, (text,)))
    assert [verdict.ok for verdict in verdicts(room)] == [False, False]


@pytest.mark.parametrize("size", [0, 31, 33])
def test_hash_of_another_size_is_detected_in_place(room: Path, size: int) -> None:
    archived(room, "--remove")
    n = next(row[0] for row in rows(room) if not row[3])
    run_sql(room, f"update event set hash = zeroblob({size}) where id = {n}")
    for verdict in verdicts(room):
        assert (verdict.ok, verdict.n) == (False, n)


@pytest.mark.parametrize(
    "lies", [{}, {"at": -1}, {"by": ""}, {"by": "clock"}, {"id": ""}, {"id": None}], ids=str
)
def test_wallet_event_of_an_archived_table_needs_a_sender(
    lies: dict[str, Any], tmp_path: Path
) -> None:
    table, file = ByHand("roulette"), tmp_path / "log.jsonl"
    table.sit("ann")
    event = json.loads(table.rows[-1]["event"]) | lies
    body = {key: value for key, value in event.items() if value is not None}
    table.rows[-1]["event"] = json.dumps(body, separators=(",", ":"))
    lines = [json.loads(line) for line in chained([*table.rows, {}])]
    for line in lines:
        if line.get("stream") == "table/t":
            del line["event"]
    lines[-1] = {"head": {"events": 0, "hash": "", "key": "", "signature": ""}}
    text = [json.dumps(line, separators=(",", ":"), ensure_ascii=False) for line in lines]
    file.write_text("\n".join(text) + "\n")
    for name, verdict in ((name, verify(file, check_head=False)) for name, verify in BOTH.items()):
        bad = None if not lies else len(table.rows)
        assert verdict.n == bad, f"{name}: {verdict}"


def test_stream_archived_in_part_is_refused(room: Path) -> None:  # L5
    """Otherwise what stands between two events could be anything."""
    ids = [row[0] for row in rows(room) if row[1] == "table/california"]
    for n, bad in ((ids[9], ids[9]), (ids[0], ids[1])):
        copy = room.with_name(f"{n}.db")
        shutil.copy(room, copy)
        run_sql(copy, f"update event set event = x'' where id = {n}")
        for verdict in verdicts(copy):
            assert (verdict.ok, verdict.n) == (False, bad)


def test_chips_from_an_archived_table_come_back_once(room: Path) -> None:  # L5
    """A wallet's event of an archived table is accepted once, and only if the table has it."""
    archived(room, "--remove")
    _, stream, _, event, _ = next(r for r in rows(room)[::-1] if b"wallet.cashed_out" in r[3])
    last = max(r[2] for r in rows(room) if r[1] == stream)
    again = json.loads(event)
    for changes in ({"id": "x"}, {"version": 10**6}, {"table": "house"}):
        copy = room.with_name(f"{next(iter(changes))}.db")
        for end in ("", ".key"):
            shutil.copy(f"{room}{end}", f"{copy}{end}")
        with closing(SqliteStore(copy)) as other:
            text = json.dumps(again | changes, separators=(",", ":"), ensure_ascii=False)
            other.append(Append(stream, last, (text.encode(),)))
        for verdict in verdicts(copy):
            assert (verdict.ok, verdict.n) == (False, len(rows(room)) + 1)


def test_an_archive_of_another_store_is_refused(room: Path, tmp_path: Path) -> None:
    archived(room, "--remove")
    (tmp_path / "other").mkdir()
    other = tmp_path / "other" / "room.db"
    play_on(other, "house", 2)
    play_on(other, "california", 3, close=True)
    file = archived(other)
    done = call("verify", str(room), "--archive", str(file))
    assert (done.returncode, done.stdout) == (2, "")
    assert "is an archive of another database" in done.stderr


def test_damaged_archive_is_reported(room: Path) -> None:
    file = archived(room)
    raw = file.read_bytes()
    for index in (len(raw) // 3, len(raw) - 4):
        flipped = bytearray(raw)
        flipped[index] ^= 16
        file.write_bytes(flipped)
        assert call("verify", str(file)).returncode in (1, 2)
    file.write_bytes(raw[: len(raw) // 2])
    done = call("verify", str(file))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert "cannot be read as an archive" in done.stderr
    with pytest.raises(Exception, match="cannot be read"):
        BOTH["other"](file)


# What is refused


def test_unproved_events_are_not_removed(room: Path) -> None:
    events = (r for r in rows(room) if r[1] == "table/california")
    n, _, _, event, _ = next(r for r in events if b"round.settled" in r[3])
    forged = event.replace(b'"net":', b'"net":1', 1)
    with closing(apsw.Connection(str(room))) as connection:
        connection.execute("update event set event = ? where id = ?", (forged, n))
    before = rows(room)
    done = call("archive", str(room), "--to", str(room.with_name("a.qha")), "--remove")
    assert done.returncode == 1
    assert done.stdout.startswith(f"BAD: event {n}: ")
    assert rows(room) == before
    assert sorted(file.name for file in room.parent.iterdir() if "qha" in file.name) == []


def test_table_without_one_event_is_damaged_not_archived(room: Path, tmp_path: Path) -> None:
    """Otherwise a bit that is flipped could close it, with all chips that are there."""
    first = next(row[0] for row in rows(room) if row[1] == "table/house")
    run_sql(room, f"update event set event = x'' where id = {first}")
    with closing(SqliteStore(room)) as store, pytest.raises(DamagedStream):
        Room(store).table("house")
    index = ReportIndex(room, tmp_path / "books.db")
    assert index.catch_up()
    assert index.progress().missing == []
    assert index.proof("california", 1) is not None
    index.close()


def test_several_tables_are_emptied_together_or_not_at_all(room: Path) -> None:
    play_on(room, "house", 1, close=True)
    before, ends = rows(room), closed_tables(room)
    assert [end.stream for end in ends] == ["table/california", "table/house"]
    with pytest.raises(QueenhighError, match="has changed since it was archived"):
        empty_streams(room, [ends[0], ends[1]._replace(hash=bytes(32))])
    assert rows(room) == before
    empty_streams(room, ends)
    assert {row[1] for row in rows(room) if not row[3]} == {end.stream for end in ends}


def test_archive_refuses_to_empty_an_open_room(room: Path) -> None:
    before = rows(room)
    with sole_writer(room):
        done = call("archive", str(room), "--to", str(room.with_name("a.qha")), "--remove")
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
        archived(room)
    assert rows(room) == before


def test_only_tables_closed_before_a_day_are_archived(room: Path) -> None:
    tomorrow = datetime.now(UTC) + timedelta(days=1)
    words = ("--before", "2020-01-01")
    done = call("archive", str(room), "--to", str(room.with_name("a.qha")), *words)
    assert done.returncode == 2
    archived(room, "--before", f"{tomorrow:%Y-%m-%d}")


def test_no_file_is_overwritten(room: Path) -> None:
    file = archived(room)
    before = file.read_bytes()
    done = call("archive", str(room), "--to", str(file), "--remove")
    assert (done.returncode, file.read_bytes()) == (2, before)
    assert "already exists" in done.stderr
    for source in ("nowhere.db", "a.qha"):
        done = call("archive", source, "--to", "new.qha", cwd=room.parent)
        assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    done = call("archive", "room.db", "--to", "nowhere/a.qha", cwd=room.parent)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)


# The index


def test_index_keeps_rounds_of_archived_tables(room: Path, tmp_path: Path) -> None:
    index = ReportIndex(room, tmp_path / "books.db")
    assert index.catch_up()
    names = players(room)
    before = everything(index, names)
    archived(room, "--remove")
    assert index.catch_up()
    assert everything(index, names) == before
    assert index.progress().missing == []
    play_on(room, "house", 1)
    assert index.catch_up()
    assert index.proof("california", 2) is not None
    assert index.proof("house", 5) is not None
    index.close()


@pytest.mark.parametrize("entered", [0, 60])
def test_index_reports_tables_archived_too_early(
    room: Path, tmp_path: Path, entered: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("queenhigh.history.index.ingest._EVENTS_AT_ONCE", 20)
    index = ReportIndex(room, tmp_path / "books.db")
    index.catch_up(entered)
    archived(room, "--remove")
    assert index.catch_up()
    assert index.progress().missing == ["california"]
    assert index.proof("house", 4) is not None
    with pytest.raises(QueenhighError, match="the rounds of table 'california' are archived"):
        index.proof("california", ROUNDS)
    play_on(room, "house", 1)
    assert index.catch_up()
    assert index.proof("house", 5) is not None
    index.close()
