"""The staff as the log has it now, and rows that older programs wrote."""

from contextlib import closing
from pathlib import Path

import apsw
import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server import admin_rows
from queenhigh.server.admin_rows import AdminRows, row_versions
from queenhigh.server.admin_store import AdminStore, open_rows
from queenhigh.server.current_staff import CurrentStaff
from queenhigh.server.row_copy import TABLES, columns_of
from queenhigh.server.staff_rows import StaffRows, add_token, remove_token
from queenhigh.store.location import PostgresUrl
from queenhigh.store.postgres.store import PostgresStore
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import AT_END, Append, DamagedStream
from queenhigh.table.events import encode
from queenhigh.table.registry import STAFF
from queenhigh.table.staff import OWNER
from queenhigh.table.staff_events import StaffAdded
from tests.staffed_room import make_staffed_room


def add(store: SqliteStore, name: str, by: str) -> None:
    event = StaffAdded(at=1, by=by, id=name, member=name, role=OWNER)
    store.append(Append(STAFF, AT_END, (encode(event),)))


def names(staff: CurrentStaff) -> list[str]:
    return [member.name for member in staff.roster().members()]


def test_each_question_reads_on(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "room.db")) as store:
        staff = CurrentStaff(store)
        assert (names(staff), staff.version) == ([], 0)
        add(store, "Olga", "floor")
        assert (names(staff), staff.version) == (["Olga"], 1)
        add(store, "Max", "staff Olga")
        assert staff.roster().owners() == ["Olga", "Max"]
        assert staff.has_had("member", "OLGA")
        assert not staff.has_had("token", "Olga")


def test_a_database_that_went_back_is_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a fail-over the log may have less, and other events at the same versions."""
    first, second = SqliteStore(tmp_path / "a.db"), SqliteStore(tmp_path / "b.db")
    with closing(first), closing(second):
        add(first, "Olga", "floor")
        add(first, "Max", "staff Olga")
        add(second, "Ida", "floor")
        staff = CurrentStaff(first)
        assert names(staff) == ["Olga", "Max"]
        monkeypatch.setattr(staff, "_store", second)
        assert names(staff) == ["Ida"], "less is there"
        add(second, "Ugo", "staff Ida")
        monkeypatch.setattr(staff, "_store", first)
        monkeypatch.setattr(type(first), "epoch", property(lambda self: 5))
        assert names(staff) == ["Olga", "Max"], "as much is there, in another epoch"


def test_a_changed_event_lets_nobody_in(tmp_path: Path) -> None:
    file = make_staffed_room(tmp_path / "room.db")
    with closing(apsw.Connection(str(file))) as db:
        where = "version = 6 and stream = (select id from stream where name = 'staff')"
        ((event,),) = db.execute(f"select event from event where {where}")
        forged = event.replace(b"cashier", b"owner")
        assert forged != event
        db.execute(f"update event set event = ? where {where}", (forged,))
    with closing(SqliteStore(file)) as store, closing(AdminStore(file, store)) as admin:
        with pytest.raises(DamagedStream):
            admin.is_floor("token")
        assert admin.staff is not None
        with pytest.raises(DamagedStream):
            admin.staff.roster()


def test_rows_of_the_first_version_on_postgresql_are_upgraded(
    postgres_url: str, tmp_path: Path
) -> None:
    url = PostgresUrl(postgres_url)
    PostgresStore(url, tmp_path / "keys").close()
    with closing(open_rows(url)) as rows:
        for step in admin_rows._POSTGRES_MIGRATIONS[:1]:
            rows.execute(step)
        rows.execute("create table papers (id integer primary key, version integer not null)")
        rows.execute("insert into papers values (1, 1)")
        rows.execute("insert into notice values (1, 2, '', 'Welcome.')")
        assert row_versions(rows) == (1, 2)
        AdminRows(rows)
        assert row_versions(rows) == (2, 2)
        assert all(columns_of(rows, table) for table in TABLES)
        assert rows.execute("select text from notice").fetchone() == ("Welcome.",)
        rows.execute(*add_token("till", "secret"))
        assert StaffRows(rows).token("secret") == "till"
        rows.execute(*remove_token("till"))
        assert StaffRows(rows).token("secret") is None


def test_both_databases_have_the_same_columns(postgres_url: str, tmp_path: Path) -> None:
    PostgresStore(PostgresUrl(postgres_url), tmp_path / "keys").close()
    with (
        closing(open_rows(PostgresUrl(postgres_url))) as shared,
        closing(open_rows(tmp_path / "room.db")) as file,
    ):
        for rows in (shared, file):
            AdminRows(rows)
        for table in TABLES:
            assert columns_of(shared, table) == columns_of(file, table) != set(), table


def test_a_session_goes_on_while_the_disk_cannot_be_written(tmp_path: Path) -> None:
    file = make_staffed_room(tmp_path / "room.db")
    with closing(open_rows(file)) as db:
        rows, member = StaffRows(db), StaffRows(db).member("olga")
        assert member is not None
        assert rows.begin_session("token", "id", member, "::1", 10**12)
        later = 10**12 + 600_000
        db.execute("pragma query_only = 1")
        session = rows.session("token", later)
        assert session is not None
        assert session.seen == 10**12
        with pytest.raises((apsw.Error, QueenhighError)):
            rows.end_session("id")
        db.execute("pragma query_only = 0")
        rows.session("token", later)
        session = rows.session("token", later)
        assert session is not None
        assert session.seen == later
