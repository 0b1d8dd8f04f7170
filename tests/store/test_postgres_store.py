"""What a store on PostgreSQL refuses, and how it explains what the database says."""

import os
import signal
import time
import uuid
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg
import pytest
from psycopg import errors

import queenhigh as qh
from queenhigh.room.room import Room, settings_for
from queenhigh.store.location import PostgresUrl, shown
from queenhigh.store.postgres.connection import connect, explain
from queenhigh.store.postgres.leases import Leases
from queenhigh.store.postgres.rows import PostgresRows
from queenhigh.store.postgres.store import PostgresStore
from queenhigh.store.postgres.writer import PostgresWriter
from queenhigh.store.signing import secret_in
from queenhigh.store.streams import Append, LeaseLost
from queenhigh.table.commands import Sit
from tests.in_process import call
from tests.postgres import Databases, PostgresServer
from tests.verify.verifiers import run_other

#: Ends all other connections to a database.
END_OTHERS = (
    "select pg_terminate_backend(pid) from pg_stat_activity"
    " where datname = current_database() and pid <> pg_backend_pid()"
)


def run(url: str, statement: str) -> None:
    with closing(psycopg.connect(url, autocommit=True)) as db:
        db.execute(statement.encode())


def database_of(url: str) -> str:
    return url.rpartition("/")[2]


@pytest.mark.parametrize("setting", ["off", "local", "remote_write"])
def test_weak_commits_are_refused(postgres_url: str, tmp_path: Path, setting: str) -> None:
    run(
        postgres_url,
        f"alter database {database_of(postgres_url)} set synchronous_commit = {setting}",
    )
    with pytest.raises(qh.QueenhighError, match=f"synchronous_commit = {setting}, which loses"):
        PostgresStore(PostgresUrl(postgres_url), tmp_path)


def test_missing_database_and_wrong_password(postgres_url: str, tmp_path: Path) -> None:
    missing = PostgresUrl(postgres_url + "x")
    with pytest.raises(qh.QueenhighError, match="create it with createdb") as refused:
        PostgresStore(missing, tmp_path)
    assert refused.value.code == "postgres.none"
    user, _, place = postgres_url.rpartition("@")
    wrong = PostgresUrl(f"{user}wrong@{place}")
    with pytest.raises(qh.QueenhighError, match="check the URL") as refused:
        PostgresStore(wrong, tmp_path)
    assert "wrong" not in str(refused.value), "the password is not shown"


@pytest.mark.parametrize("password", ["secret", "sec#ret", "sec?ret", "sec/ret", "100%secret"])
def test_password_is_not_shown(password: str) -> None:
    url = PostgresUrl(f"postgresql://ann:{password}@db.example/room?sslmode=require")
    assert str(url) == shown(url) == f"{url}" == "postgresql://ann:***@db.example/room"
    assert password in url.secret
    query = PostgresUrl(f"postgresql://db.example/room?user=ann&password={password}")
    assert str(query) == "postgresql://db.example/room"


@pytest.mark.parametrize(
    "url", ["postgresql://ann:100%secret@127.0.0.1/room", "postgresql://ann:secret@[::1/room"]
)
def test_unreadable_url_is_refused_without_its_password(url: str) -> None:
    for words in (("verify", url), ("db", "upgrade", url), ("serve", "--db", url)):
        done = call(*words)
        assert (done.returncode, "write %25 for a %" in done.stderr) == (2, True), done
        assert "secret" not in done.stdout + done.stderr
    other = run_other(url)
    assert (other.returncode, "write %25 for a %" in other.stderr) == (2, True), other
    assert "secret" not in other.stdout + other.stderr


def test_names_are_stored_in_utf_8(
    postgres: Databases, postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the environment says; a database of another encoding is refused."""
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    with closing(PostgresStore(PostgresUrl(postgres_url), tmp_path)) as store:
        store.append(Append("wallet/José", 0, (b"1",)), Append("wallet/李", 0, (b"1",)))
        assert store.streams() == ["wallet/José", "wallet/李"]
        assert store.version("wallet/李") == 1
    name = f"test_{uuid.uuid4().hex}"
    words = "encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0"
    run(postgres.url(), f"create database {name} {words}")
    try:
        with pytest.raises(qh.QueenhighError, match="SQL_ASCII, which lacks") as refused:
            PostgresStore(PostgresUrl(postgres.url(name)), tmp_path)
        assert refused.value.code == "postgres.encoding"
    finally:
        postgres.drop_database(name)


def test_unusable_folder_of_keys_is_explained(postgres_url: str, tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    with pytest.raises(qh.QueenhighError, match="name another folder") as refused:
        PostgresStore(PostgresUrl(postgres_url), file)
    assert refused.value.code == "store.key"


def test_read_only_replica_is_explained_and_nothing_is_lost(
    postgres_url: str, tmp_path: Path
) -> None:
    url = PostgresUrl(postgres_url)
    with closing(PostgresStore(url, tmp_path)) as store:
        store.append(Append("a", 0, (b"1",)))
        database = database_of(postgres_url)
        run(postgres_url, f"alter database {database} set default_transaction_read_only = on")
        run(postgres_url, END_OTHERS)
        refused = ""
        while "to the primary" not in refused:
            with pytest.raises(qh.QueenhighError, match=r"try again|to the primary") as failed:
                store.append(Append("a", 1, (b"2",)))
            assert failed.value.code == "store.failed"
            refused = str(failed.value)
            time.sleep(0.01)
        run(postgres_url, f"set transaction read write; alter database {database}"
            " reset default_transaction_read_only")  # fmt: skip
    with closing(PostgresStore(url, tmp_path)) as store:
        assert [row.event for row in store.read("a")] == [b"1"]
        store.append(Append("a", 1, (b"2",)))


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (errors.DiskFull(), "the disk of the database is full: free some space on it"),
        (errors.ReadOnlySqlTransaction(), "a read-only replica: connect to the primary"),
        (errors.SerializationFailure(), "another process changed the same rows: try again"),
        (errors.LockNotAvailable(), "too slow right now: try again"),
        (errors.InsufficientPrivilege(), "make them its owner"),
        (psycopg.OperationalError("gone\nmore"), r"does not answer \(gone\): try again"),
    ],
)
def test_errors_have_a_sentence(error: psycopg.Error, sentence: str) -> None:
    url = PostgresUrl("postgresql://ann@db.example/room")
    with pytest.raises(qh.QueenhighError, match=sentence):
        raise explain(error, url)


def test_commit_whose_answer_is_lost_is_recognised(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events are written, but nobody hears of it; the same command then has one effect."""
    book = qh.load("house")
    end: Any = PostgresWriter._end

    def lose_answer(self: PostgresWriter, *values: Any) -> Any:
        end(self, *values)
        raise psycopg.OperationalError("server closed the connection unexpectedly")

    with closing(PostgresStore(PostgresUrl(postgres_url), tmp_path)) as store:
        room = Room(store)
        table = room.open_table("t", book, settings_for(book))
        room.wallets.issue("ann", 50_000, id="chips", at=1, reason="to begin with")
        sit = Sit(id="sit", by="ann", at=table.committed.at + 1, place=1, cents=10_000)
        with monkeypatch.context() as patch:
            patch.setattr(PostgresWriter, "_end", lose_answer)
            with pytest.raises(qh.QueenhighError, match="does not answer"):
                table.execute(sit)
        span = table.execute(sit)
        assert span is not None
        assert (span.first, span.last) == (store.version("table/t"),) * 2
        assert room.wallets.of("ann").cents == 40_000


def test_processes_that_start_together_migrate_once(postgres_url: str, tmp_path: Path) -> None:
    for name in ("room.key", "room.dealing"):  # threads of one process cannot draw them together
        secret_in(tmp_path / name)

    def open_store(_: int) -> bytes:
        with closing(PostgresStore(PostgresUrl(postgres_url), tmp_path)) as store:
            return store.room.secret

    with ThreadPoolExecutor(4) as threads:
        assert len(set(threads.map(open_store, range(4)))) == 1


def test_stream_of_another_process_is_not_written(postgres_url: str, tmp_path: Path) -> None:
    url = PostgresUrl(postgres_url)
    with (
        closing(PostgresStore(url, tmp_path)) as store,
        closing(Leases(url)) as leases,
    ):
        first, second = leases.join("a:1", "table/"), leases.join("b:1", "table/")
        lease = leases.claim(first, "table/t")
        with pytest.raises(LeaseLost):
            store.append(Append("table/t", 0, (b"1",)))
        store.writer.hold(lease.stream, lease.token)
        store.append(Append("table/t", 0, (b"1",)))
        leases.hand_over(first, {"table/t": second})
        with pytest.raises(LeaseLost):
            store.append(Append("table/t", 1, (b"2",)))
        assert store.version("table/t") == 1


def test_older_processes_stay_out_once_none_is_left(postgres_url: str, tmp_path: Path) -> None:
    """A program from before editions joins without one, and may come back after a long silence."""
    url = PostgresUrl(postgres_url)
    older = "insert into queenhigh.process (address, until) values ('', now() {})"
    late = (
        "update queenhigh.process set until = now() - make_interval(secs => {}) where edition = 0"
    )
    with closing(PostgresStore(url, tmp_path)), closing(Leases(url)) as leases:
        run(postgres_url, older.format("+ make_interval(hours => 1)"))
        newer = leases.join("a:1", "table/")
        assert not leases.retire_older()
        run(postgres_url, late.format(10))
        assert not leases.retire_older(), "it may come back"
        run(postgres_url, older.format(""))
        run(postgres_url, late.format(40))
        assert leases.retire_older()
        assert leases.retire_older()
        assert [member.id for member in leases.members()] == [newer]
        with pytest.raises(errors.NotNullViolation):
            run(postgres_url, older.format(""))
        assert leases.join("b:1", "table/") > newer


def test_other_keys_are_refused(postgres_url: str, tmp_path: Path) -> None:
    url, keys = PostgresUrl(postgres_url), tmp_path / "keys"
    with closing(PostgresStore(url, keys)) as store:
        store.append(Append("a", 0, (b"1",)))
    with pytest.raises(qh.QueenhighError, match="is missing: copy the key"):
        PostgresStore(url, tmp_path / "others")
    with closing(Leases(url)) as leases:
        leases.join("a:1", "table/")
        (keys / "room.dealing").unlink()
        with pytest.raises(qh.QueenhighError, match=r"room\.dealing is missing: copy it"):
            PostgresStore(url, keys)


def test_missing_dealing_key_is_not_replaced_during_an_outage(
    postgres_url: str, tmp_path: Path
) -> None:
    """No process can say that it is alive then, and one without the key may connect first."""
    url, keys = PostgresUrl(postgres_url), tmp_path / "keys"
    with closing(PostgresStore(url, keys)) as store, closing(Leases(url)) as leases:
        store.append(Append("a", 0, (b"1",)))
        leases.join("a:1", "table/")
        late = "update queenhigh.process set until = now() - make_interval(mins => {})"
        run(postgres_url, late.format(1))
        (keys / "room.dealing").unlink()
        with pytest.raises(qh.QueenhighError, match=r"room\.dealing is missing: copy it"):
            PostgresStore(url, keys)
        run(postgres_url, late.format(60))
    PostgresStore(url, keys).close()


def test_wrong_signing_key_changes_nothing(postgres_url: str, tmp_path: Path) -> None:
    url, keys, others = PostgresUrl(postgres_url), tmp_path / "keys", tmp_path / "others"
    with closing(PostgresStore(url, keys)) as store:
        store.append(Append("a", 0, (b"1",)))
    others.mkdir()
    secret_in(others / "room.key")
    before = rows_of(postgres_url, "select dealing from queenhigh.room")
    with pytest.raises(qh.QueenhighError, match="is not the key that signed"):
        PostgresStore(url, others)
    assert rows_of(postgres_url, "select dealing from queenhigh.room") == before


def test_tokens_of_a_replaced_database_are_not_used(postgres_url: str, tmp_path: Path) -> None:
    url = PostgresUrl(postgres_url)
    with closing(PostgresStore(url, tmp_path)) as store, closing(Leases(url)) as leases:
        lease = leases.claim(leases.join("a:1", "table/"), "table/t")
        store.writer.hold(lease.stream, lease.token)
        store.writer.forget()
        with pytest.raises(LeaseLost):
            store.append(Append("table/t", 0, (b"1",)))


def test_id_of_another_process_is_not_renewed(postgres_url: str, tmp_path: Path) -> None:
    url = PostgresUrl(postgres_url)
    with closing(PostgresStore(url, tmp_path)), closing(Leases(url)) as leases:
        process = leases.join("a:1", "table/")
        assert leases.renew(process, "a:1", {})
        assert not leases.renew(process, "b:1", {})


@pytest.mark.parametrize("place", ["within a batch", "between batches"])
def test_transaction_of_a_stopped_process_is_ended(
    postgres_url: str, tmp_path: Path, place: str
) -> None:
    """It locks the head, and PostgreSQL waits without limit for the rest of its statements."""
    url = PostgresUrl(postgres_url)
    with (
        closing(PostgresStore(url, tmp_path)) as store,
        closing(Leases(url)) as leases,
        closing(connect(url)) as stopped,
    ):
        store.append(Append("a", 0, (b"1",)))
        statements = ("begin", "select events from head for update")
        if place == "between batches":
            with stopped.pipeline():
                for statement in statements:
                    stopped.execute(statement)
        else:
            stopped.pgconn.enter_pipeline_mode()
            for statement in statements:
                stopped.pgconn.send_query_params(statement.encode(), None)
            while stopped.pgconn.flush():
                pass
        if place == "within a batch":
            time.sleep(2.0)  # longer than a transaction may be idle
            with pytest.raises(errors.LockNotAvailable):
                run(postgres_url, "select 1 from queenhigh.head for update nowait")
        leases.listen(lambda: None, lambda text: None)
        store.append(Append("a", 1, (b"2",)))


@pytest.mark.usefixtures("impatient")
def test_commit_that_is_not_replicated_is_not_acknowledged(
    own_postgres: PostgresServer, tmp_path: Path
) -> None:
    """Not when an operator cancels its wait either, of which PostgreSQL only warns."""
    url = own_postgres.create_database("room")
    waiting = "pid from pg_stat_activity where wait_event = 'SyncRep'"
    with (
        closing(PostgresStore(PostgresUrl(url), tmp_path)) as store,
        ThreadPoolExecutor(1) as thread,
    ):
        versions = [0]

        def append_on() -> None:
            while True:  # until the new setting holds, which takes a moment
                store.append(Append("a", versions[-1], (b"1",)))
                versions.append(versions[-1] + 1)

        run(url, "alter system set synchronous_standby_names = 'gone'")
        run(url, "select pg_reload_conf()")
        commit = thread.submit(append_on)
        until(lambda: rows_of(url, f"select {waiting}") != [])
        run(url, f"select pg_cancel_backend(pid) from (select {waiting}) as waiting")
        with pytest.raises(qh.QueenhighError, match="try again") as failed:
            commit.result(20)
        assert str(failed.value.__cause__) == "a replica is missing"
        with pytest.raises(qh.QueenhighError, match="try again"):
            store.append(Append("a", versions[-1] + 1, (b"2",)))
        until(lambda: store.missing() is None)
        seen = store.version("a")
        assert seen == versions[-1] + 1, "it is not visible before it is replicated"
        run(url, "alter system reset synchronous_standby_names")
        run(url, "select pg_reload_conf()")
        until(lambda: store.version("a") == versions[-1] + 2)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("queenhigh.store.postgres.connection._STUCK", 1.0)


@pytest.mark.usefixtures("impatient")
def test_database_that_hangs_is_given_up(postgres_url: str, tmp_path: Path) -> None:
    with closing(PostgresStore(PostgresUrl(postgres_url), tmp_path)) as store:
        with store._writes.use() as db:
            pid = db.info.backend_pid
        os.kill(pid, signal.SIGSTOP)
        try:
            with pytest.raises(qh.QueenhighError, match="does not answer: try again"):
                store.append(Append("a", 0, (b"1",)))
        finally:
            os.kill(pid, signal.SIGCONT)
        until(lambda: store.missing() is None)
        store.append(Append("a", 0, (b"1",)))


@pytest.mark.usefixtures("impatient")
def test_long_transaction_that_goes_on_is_not_given_up(postgres_url: str) -> None:
    """As when many accounts are copied."""
    with closing(PostgresRows(PostgresUrl(postgres_url))) as rows, rows:
        for _ in range(3):
            rows.execute("select pg_sleep(0.5)")


def rows_of(url: str, query: str) -> list[Any]:
    with closing(psycopg.connect(url)) as db:
        return db.execute(query.encode()).fetchall()


def until(done: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not done():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_name_that_was_claimed_in_vain_is_free_again(postgres_url: str, tmp_path: Path) -> None:
    url = PostgresUrl(postgres_url)
    with closing(PostgresStore(url, tmp_path)), closing(Leases(url)) as leases:
        process = leases.join("here:1", "table/")
        leases.claim(process, "table/ca")
        leases.close_stream(process, "table/ca")
        assert leases.claim(process, "table/ca").process == process


def test_rows_can_be_written_after_a_lost_connection(postgres_url: str, tmp_path: Path) -> None:
    with (
        closing(PostgresStore(PostgresUrl(postgres_url), tmp_path)),
        closing(PostgresRows(PostgresUrl(postgres_url))) as rows,
    ):
        run(postgres_url, END_OTHERS)
        with pytest.raises(qh.QueenhighError, match="try again") as failed, rows:
            rows.execute("select 1")
        assert "(" not in str(failed.value), "players see this, and need no details"
        end = time.monotonic() + 20
        while time.monotonic() < end:
            with suppress(qh.QueenhighError), rows:
                assert rows.execute("select 1").fetchone() == (1,)
                return
            time.sleep(0.05)
        raise AssertionError("the connection was not made again")
