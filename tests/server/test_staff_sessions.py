"""Sessions of the staff: how long they last, how they end, and what else ends them."""

import asyncio
from collections.abc import Callable

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server.admin_rows import StaffChanged
from queenhigh.server.staff_rows import IDLE_MS, LONGEST_MS
from queenhigh.table.commands import FLOOR, CloseTable
from tests.server.test_staff_codes import HERE, NOON, PASSWORD, StaffRoom, staffed

__all__ = ["staffed"]

HOUR = 3600 * 1000
OTHER = "long enough, too"


def enter(
    staffed: StaffRoom, name: str = "Olga", password: str = PASSWORD, new: str | None = None
) -> str:
    """Log in; return the token of the session."""
    entering = staffed.staff.log_in(name, password, None, lambda: staffed.now, HERE, new)
    return asyncio.run(entering)[1]


def is_in(staffed: StaffRoom, token: str) -> bool:
    return staffed.staff.login_of(token, staffed.now) is not None


def hire(staffed: StaffRoom, name: str, role: str) -> str:
    """Add a member to the staff; return the token of a session."""
    asyncio.run(staffed.staff.changes.add(name, role, PASSWORD, "staff Olga", staffed.now))
    return enter(staffed, name, new=OTHER)


def test_a_session_ends_when_it_is_not_used(staffed: StaffRoom) -> None:
    used, idle = enter(staffed), enter(staffed)
    for _ in range(3):
        staffed.now += IDLE_MS // 2
        assert is_in(staffed, used)
    assert not is_in(staffed, idle)


def test_a_session_ends_after_seven_days_however_busy(staffed: StaffRoom) -> None:
    token = enter(staffed)
    for hour in range(0, LONGEST_MS // HOUR, 6):
        assert is_in(staffed, token), hour
        staffed.now += 6 * HOUR
    assert not is_in(staffed, token)


def test_setting_the_clock_back_does_not_prolong_a_session(staffed: StaffRoom) -> None:
    token = enter(staffed)
    staffed.now -= 300 * 24 * HOUR
    assert is_in(staffed, token)
    for _ in range(5):
        staffed.now += 3 * HOUR
        staffed.staff.sessions(staffed.now)  # the time goes on with every request
    assert not is_in(staffed, token)


def test_sessions_are_listed_without_what_they_are_worth(staffed: StaffRoom) -> None:
    token = enter(staffed)
    staffed.now += 2 * HOUR
    assert is_in(staffed, token)
    sessions = {row.id: row for row in staffed.staff.sessions(staffed.now)}
    login = staffed.staff.login_of(token, staffed.now)
    assert login is not None
    row = sessions[login.session.id]
    assert (row.member, row.address, row.started, row.seen) == ("Olga", HERE, NOON, staffed.now)
    assert row.until == staffed.now + IDLE_MS
    assert staffed.staff.login_of(row.id, staffed.now) is None, "an id opens nothing"
    assert token not in repr(sessions)
    staffed.staff.end_session(row.id)
    assert not is_in(staffed, token)
    assert is_in(staffed, enter(staffed))


def test_another_password_ends_the_other_sessions(staffed: StaffRoom) -> None:
    own, other = enter(staffed), enter(staffed)
    changed = staffed.staff.change_password(staffed.login(own), PASSWORD, OTHER, staffed.now, HERE)
    asyncio.run(changed)
    assert (is_in(staffed, own), is_in(staffed, other)) == (True, False)
    with pytest.raises(QueenhighError):
        enter(staffed)
    assert is_in(staffed, enter(staffed, password=OTHER))


def test_a_password_that_an_owner_gives_ends_all_sessions(staffed: StaffRoom) -> None:
    token = hire(staffed, "Fred", "floor")
    asyncio.run(staffed.staff.changes.set_password("Fred", PASSWORD, "staff Olga", staffed.now))
    assert not is_in(staffed, token)
    assert is_in(staffed, enter(staffed, "fred", PASSWORD, OTHER))


def test_a_given_password_is_good_for_choosing_one(staffed: StaffRoom) -> None:
    changes = staffed.staff.changes
    asyncio.run(changes.add("Fred", "floor", "given by Olga", "staff Olga", staffed.now))
    for by, named in (("staff Olga", "Olga"), (FLOOR, "the command line")):
        name = "Olga" if by == FLOOR else "Fred"
        asyncio.run(changes.set_password(name, "given away", by, staffed.now))
        with pytest.raises(
            QueenhighError, match=rf"^{named} set this password, 2026-09-21 14:14 UTC"
        ):
            enter(staffed, name, "given away")
        with pytest.raises(QueenhighError, match="choose another one"):
            enter(staffed, name, "given away", "given away")
        token = enter(staffed, name, "given away", OTHER)
        assert is_in(staffed, token)
        with pytest.raises(QueenhighError, match="is wrong"):
            enter(staffed, name, "given away")
        assert is_in(staffed, enter(staffed, name, OTHER)), "from now on it is their own"


def test_a_given_password_takes_a_code_once(staffed: StaffRoom) -> None:
    """A login with codes needs one code to choose a password, not two."""
    staffed.switch_on()
    asyncio.run(staffed.staff.changes.set_password("Olga", "given away", FLOOR, staffed.now))
    assert staffed.refused(staffed.code(), "given away") == "password.given"
    entering = staffed.staff.log_in("Olga", "given away", None, lambda: staffed.now, HERE, OTHER)
    with pytest.raises(QueenhighError) as refused:
        asyncio.run(entering)
    assert refused.value.code == "code.needed"
    assert staffed.log_in(staffed.code(), "given away", new=OTHER).two_factor is True


def test_a_password_changed_during_a_login_lets_nobody_in(
    staffed: StaffRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    is_right = staffed.staff._passwords.is_right

    async def slow(hashed: str | None, password: str) -> bool:
        result = await is_right(hashed, password)
        await staffed.staff.changes.set_password("Olga", OTHER, "staff Olga", staffed.now)
        return result

    monkeypatch.setattr(staffed.staff._passwords, "is_right", slow)
    with pytest.raises(QueenhighError) as refused:
        enter(staffed)
    assert refused.value.code == "login.wrong"


CHANGES: dict[str, Callable[[StaffRoom], None]] = {
    "another role": lambda staffed: staffed.staff.changes.set_role(
        "Fred", "auditor", "staff Olga", staffed.now, "a course"
    ),
    "removed": lambda staffed: staffed.staff.changes.remove(
        "Fred", "staff Olga", staffed.now, "gone"
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_an_act_is_not_written_once_the_role_is_gone(
    staffed: StaffRoom, change: Callable[[StaffRoom], None]
) -> None:
    """Decided in one role, and written after it was taken away, perhaps by another process."""
    hire(staffed, "Fred", "floor")
    rows, staff = staffed.staff._admin_rows, staffed.staff.staff
    note = staffed.admin.acted(staffed.now, "staff Fred", "post notice", "the room",
                            change=(None, "hello"), reason="")  # fmt: skip
    command = CloseTable(id="floor.1", by=FLOOR, at=staffed.now, reason="late")
    with staff.acting(command, "staff Fred", "close table"):
        assert len(staff.guard(command)) == 1
        change(staffed)
        with pytest.raises(StaffChanged):
            rows.write(note)
        with pytest.raises(QueenhighError) as refused:
            staff.guard(command)
    assert refused.value.code == "role.needed"
    assert staff.guard(command) == (), "nobody of the staff is behind it any more"
    assert staffed.admin.log_entries(None, 10) == []
    with pytest.raises(QueenhighError):
        staffed.admin.renewed(note)


def test_an_act_is_written_while_the_staff_stays(staffed: StaffRoom) -> None:
    """The control: the same, and another member joins meanwhile."""
    hire(staffed, "Fred", "floor")
    note = staffed.admin.acted(staffed.now, "staff Fred", "post notice", "the room",
                            change=(None, "hello"), reason="")  # fmt: skip
    hire(staffed, "Gus", "floor")
    with pytest.raises(StaffChanged):
        staffed.staff._admin_rows.write(note)
    staffed.staff._admin_rows.write(staffed.admin.renewed(note))
    assert [entry.who for entry in staffed.admin.log_entries(None, 10)] == ["staff Fred"]
