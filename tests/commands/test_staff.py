"""``queenhigh staff``: who is on the staff, and owners who cannot log in."""

import json
from contextlib import closing
from pathlib import Path

import pytest

from queenhigh.server.admin_store import open_rows
from queenhigh.server.staff_rows import StaffRows
from queenhigh.store.locking import sole_writer
from queenhigh.store.sqlite import SqliteStore
from tests.in_process import call
from tests.staffed_room import make_staffed_room
from tests.verify.verifiers import prove

LISTED = """\
Olga: owner, since 2026-09-21, logs in with a code
Max: floor, since 2026-09-21, removed
Fay: floor, since 2026-09-21
the first token: owner, revoked
token till: cashier, since 2026-09-21
"""


@pytest.fixture
def room(tmp_path: Path) -> Path:
    return make_staffed_room(tmp_path / "room.db")


def test_list_names_everyone_and_every_token(room: Path) -> None:
    before = room.read_bytes()
    assert call("staff", "list", "--db", str(room)).stdout == LISTED
    with sole_writer(room):
        assert call("staff", "list", "--db", str(room)).stdout == LISTED, "while it is open"
    assert room.read_bytes() == before
    printed = json.loads(call("staff", "list", "--db", str(room), "--json").stdout)
    assert [row["member"] for row in printed["staff"]] == ["Olga", "Max", "Fay"]


def test_a_room_without_staff_says_how_to_begin(tmp_path: Path) -> None:
    SqliteStore(tmp_path / "room.db").close()
    listed = call("staff", "list", "--db", str(tmp_path / "room.db"))
    assert "has no staff yet" in listed.stdout
    refused = call("staff", "password", "Olga", "--db", str(tmp_path / "room.db"), stdin="x" * 8)
    assert (refused.returncode, "no owner yet" in refused.stderr) == (2, True)
    missing = call("staff", "list", "--db", str(tmp_path / "none.db"))
    assert (missing.returncode, missing.stdout) == (2, "")


def test_an_owner_gets_another_password(room: Path) -> None:
    def row() -> tuple[str, bool]:
        with closing(open_rows(room)) as db:
            member = StaffRows(db).member("Olga")
            sessions = db.execute("select count(*) from staff_session").fetchone()
            assert member is not None
            return member.password, sessions != (0,)

    (old, has_sessions), words = row(), ("staff", "password", "Olga", "--db", str(room))
    assert has_sessions
    done = call(*words, stdin="another password\n")
    assert done.stdout == "Olga has a new password and can log in with a code.\n"
    password, has_sessions = row()
    assert password != old
    assert not has_sessions
    done = call(*words, "--codes-off", stdin="one more password")
    assert done.stdout == "Olga has a new password and can log in.\n"
    prove(room)
    with closing(SqliteStore(room)) as store:
        events = [json.loads(row.event) for row in store.read("staff")][-3:]
    assert [(event["type"], event["by"]) for event in events] == [
        ("staff.password_set/1", "floor"),
        ("staff.password_set/1", "floor"),
        ("staff.two_factor/1", "floor"),
    ]


@pytest.mark.parametrize(
    ("name", "password", "sentence"),
    [
        ("Olga", "short", "8 to 256 characters"),
        ("Olga", "", "8 to 256 characters"),
        ("Fay", "long enough", "Fay is not an owner"),
        ("Max", "long enough", "'Max' is not on the staff"),
        ("olga", "long enough", "'olga' is not on the staff"),
    ],
)
def test_refusals_change_nothing(room: Path, name: str, password: str, sentence: str) -> None:
    before = call("table", "export", str(room), "--as", "log").stdout
    refused = call("staff", "password", name, "--db", str(room), stdin=password)
    assert (refused.returncode, refused.stdout) == (2, "")
    assert sentence in refused.stderr
    assert call("table", "export", str(room), "--as", "log").stdout == before


def test_a_room_in_a_file_must_not_be_open(room: Path) -> None:
    words = ("staff", "password", "Olga", "--db", str(room))
    with sole_writer(room):
        refused = call(*words, stdin="another password")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert call(*words, stdin="another password").returncode == 0
