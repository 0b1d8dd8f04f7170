"""The roster of the staff: who may do what, and what the log refuses."""

from typing import Any

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.table.events import encode
from queenhigh.table.registry import (
    ACCOUNTS,
    FLOOR_LOG,
    STAFF,
    AccountFrozen,
    FloorActed,
    Registry,
    stream_of,
)
from queenhigh.table.staff import (
    AUDITOR,
    CASHIER,
    FIRST_TOKEN,
    FLOOR_ROLE,
    OWNER,
    PERMISSIONS,
    READ,
    ROLES,
    StaffRoster,
    is_staff_name,
    may_role,
    permissions_of,
)
from queenhigh.table.staff_events import (
    RoleChanged,
    StaffAdded,
    StaffEvent,
    StaffPasswordSet,
    StaffRemoved,
    TokenGranted,
    TokenRevoked,
    TwoFactorSet,
    decode_staff,
)

FLOOR, OLGA, MARIA = "floor from 10.0.0.1", "staff Olga", "staff Maria"


def stamp(by: str) -> dict[str, Any]:
    return {"at": 5, "by": by, "id": "x"}


def added(member: str, role: str, by: str = OLGA) -> StaffAdded:
    return StaffAdded(member=member, role=role, **stamp(by))


def removed(member: str, by: str = OLGA, reason: str = "moved away") -> StaffRemoved:
    return StaffRemoved(member=member, reason=reason, **stamp(by))


def changed(member: str, role: str, by: str = OLGA, reason: str = "a course") -> RoleChanged:
    return RoleChanged(member=member, role=role, reason=reason, **stamp(by))


def granted(token: str, role: str = CASHIER, by: str = OLGA) -> TokenGranted:
    return TokenGranted(token=token, role=role, reason="a program", **stamp(by))


def revoked(token: str, by: str = OLGA) -> TokenRevoked:
    return TokenRevoked(token=token, reason="no longer used", **stamp(by))


def password(member: str, by: str) -> StaffPasswordSet:
    return StaffPasswordSet(member=member, **stamp(by))


def two_factor(member: str, by: str, *, on: bool) -> TwoFactorSet:
    return TwoFactorSet(member=member, on=on, **stamp(by))


def roster(*events: StaffEvent) -> StaffRoster:
    """Return a roster with the owner Olga, the floor Maria, and what some events bring."""
    made = StaffRoster()
    for event in (added("Olga", OWNER, FLOOR), added("Maria", FLOOR_ROLE), *events):
        made.take(decode_staff(encode(event)))
    return made


def acted(by: str, action: str) -> FloorActed:
    return FloorActed(action=action, subject="t", **stamp(by))


# The permissions


def test_roles_have_their_permissions() -> None:
    assert all(may_role(OWNER, permission) for permission in (*PERMISSIONS, "anything at all"))
    of_cashiers = ["ask correction", "freeze", "read", "sign report", "thaw", "withdraw correction"]
    assert permissions_of(CASHIER) == of_cashiers
    assert permissions_of(AUDITOR) == [READ]
    assert set(permissions_of(FLOOR_ROLE)) == set(PERMISSIONS)
    for role in ROLES[1:]:
        assert not may_role(role, "manage staff")
        assert not may_role(role, "archive")
    assert not may_role("boss", READ)


@pytest.mark.parametrize("name", ["Olga", "Ann 2", "O'Brien", "J. R.", "Ann-Marie", "é", "a" * 24])
def test_names_of_staff(name: str) -> None:
    assert is_staff_name(name)


@pytest.mark.parametrize("name", ["", " Ann", "Ann ", "a" * 25, "Ann\n", "[bot]", "a/b", "-"])
def test_what_is_no_name(name: str) -> None:
    assert not is_staff_name(name)


# The fold


def test_a_roster_follows_from_its_events() -> None:
    staff = roster(changed("Maria", CASHIER), granted("till 1"), two_factor("Olga", OLGA, on=True))
    assert staff.owners() == ["Olga"]
    assert staff.may(OLGA, "void round")
    assert staff.may(MARIA, "freeze")
    assert not staff.may(MARIA, "void round")
    assert staff.may_member("Maria", "ask correction")
    assert not staff.may_member("Nobody", READ)
    assert staff.may("token till 1", "sign report")
    assert not staff.may("token till 1", "close table")
    assert not staff.may("staff till 1", READ)
    assert not staff.may("token Maria", READ)
    assert not staff.may("Maria", READ)
    member = staff.member("Olga")
    assert member is not None
    assert member.two_factor


def test_who_is_removed_may_nothing() -> None:
    staff = roster(granted("till 1", FLOOR_ROLE), removed("Maria"), revoked("till 1"))
    assert not staff.may(MARIA, READ)
    assert not staff.may_member("Maria", READ)
    assert staff.member("Maria") is None
    assert not staff.may("token till 1", READ)


def test_the_first_token_is_valid_until_it_is_revoked() -> None:
    staff = roster()
    assert staff.may(FLOOR, "void round")
    assert staff.may("floor", "archive")
    staff.take(revoked(FIRST_TOKEN))
    assert not staff.may(FLOOR, "void round")
    assert not staff.may(FLOOR, "archive")
    assert not staff.may("floor", "void round")
    assert staff.may("floor", "archive"), "the command line archives without a token"


def test_an_owner_may_leave_when_there_is_another() -> None:
    staff = roster(changed("Maria", OWNER), removed("Olga"))
    assert staff.owners() == ["Maria"]
    staff.take(added("Nia", AUDITOR, MARIA))


REFUSED: dict[str, StaffEvent] = {
    "a second owner by the first token": added("Nia", OWNER, FLOOR),
    "a member by the floor's member": added("Nia", AUDITOR, MARIA),
    "a member by a stranger": added("Nia", AUDITOR, "staff Nia"),
    "a member by a player": added("Nia", AUDITOR, "Olga"),
    "a member by a token": added("Nia", AUDITOR, "token Olga"),
    "no such role": added("Nia", "boss"),
    "a name that is there": added("maria", AUDITOR),
    "no name": added("", AUDITOR),
    "a role by the member": changed("Maria", OWNER, MARIA),
    "the role of the last owner": changed("Olga", FLOOR_ROLE),
    "the role of nobody": changed("Nia", FLOOR_ROLE),
    "another role that is none": changed("Maria", "boss"),
    "no reason": changed("Maria", CASHIER, reason=" "),
    "a long reason": changed("Maria", CASHIER, reason="x" * 201),
    "the last owner": removed("Olga"),
    "an owner by the floor's member": removed("Olga", MARIA),
    "a member by the first token": removed("Maria", FLOOR),
    "a password by another member": password("Olga", MARIA),
    "a password of nobody": password("Nia", OLGA),
    "a code for another": two_factor("Maria", OLGA, on=True),
    "a code off by another member": two_factor("Olga", MARIA, on=False),
    "a token by the first token": granted("till 1", by=FLOOR),
    "a token of no role": granted("till 1", "boss"),
    "a token that is not there": revoked("till 1"),
    "the first token by itself": revoked(FIRST_TOKEN, FLOOR),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_a_roster_refuses(what: str) -> None:  # L27
    staff = roster()
    with pytest.raises(QueenhighError):
        staff.take(REFUSED[what])


def test_the_first_is_an_owner_by_the_first_token() -> None:
    for event in (added("Olga", FLOOR_ROLE, FLOOR), added("Olga", OWNER, OLGA)):
        with pytest.raises(QueenhighError, match="the first on the staff"):
            StaffRoster().take(event)


def test_no_name_is_given_twice() -> None:
    staff = roster(removed("Maria"), granted("Maria"), revoked("Maria"))
    for event in (added("MARIA", AUDITOR), granted("maria"), revoked("Maria"), removed("Maria")):
        with pytest.raises(QueenhighError):
            staff.take(event)


def test_passwords_and_codes_are_set_by_member_or_owner() -> None:
    roster(
        password("Maria", MARIA),
        password("Maria", OLGA),
        two_factor("Maria", MARIA, on=True),
        two_factor("Maria", OLGA, on=False),
    )


def test_the_first_token_is_revoked_once() -> None:
    staff = roster(revoked(FIRST_TOKEN))
    with pytest.raises(QueenhighError, match="already"):
        staff.take(revoked(FIRST_TOKEN))


# The registry of a proof


def registry(*events: StaffEvent) -> Registry:
    made = Registry()
    for event in (added("Olga", OWNER, FLOOR), added("Maria", CASHIER), *events):
        made.take(STAFF, encode(event))
    return made


def test_a_registry_checks_acts_by_role() -> None:
    checked = registry(granted("bot 1", FLOOR_ROLE))
    for by, action in ((OLGA, "archive"), (MARIA, "freeze"), ("token bot 1", "close table")):
        checked.take(FLOOR_LOG, encode(acted(by, action)))
    frozen = AccountFrozen(player="Ann", frozen=True, **stamp(MARIA))
    checked.take(ACCOUNTS, encode(frozen))
    for by, action in (
        (MARIA, "close table"),
        ("token bot 1", "change the moon"),
        ("staff Nia", "freeze"),
        ("token Nia", "freeze"),
        ("Olga", "freeze"),
        (OLGA, ""),
    ):
        with pytest.raises(QueenhighError):
            checked.take(FLOOR_LOG, encode(acted(by, action)))


def test_a_registry_refuses_a_freeze_by_the_wrong_role() -> None:
    checked = registry(added("Ada", AUDITOR), revoked(FIRST_TOKEN))
    for by in ("staff Ada", FLOOR, "floor", "staff Nobody"):
        with pytest.raises(QueenhighError):
            checked.take(ACCOUNTS, encode(AccountFrozen(player="Ann", frozen=False, **stamp(by))))


def test_old_logs_are_as_they_were() -> None:
    checked = Registry()
    for by in ("floor", FLOOR):
        checked.take(FLOOR_LOG, encode(acted(by, "any action")))


def test_events_belong_to_their_streams() -> None:
    assert stream_of(added("Olga", OWNER)) == STAFF
    assert stream_of(acted("floor", "freeze")) == FLOOR_LOG
    assert stream_of(AccountFrozen(player="Ann", frozen=True, **stamp("floor"))) == ACCOUNTS


def test_a_staff_event_needs_time_and_id() -> None:
    for field in ({"at": -1}, {"id": ""}):
        event = StaffAdded(member="Olga", role=OWNER, **(stamp(FLOOR) | field))
        with pytest.raises(QueenhighError, match="a time and an id"):
            Registry().take(STAFF, encode(event))


def test_what_is_no_staff_event() -> None:
    for raw in (b"{}", b'{"type":"staff.added/1","at":1,"by":"floor","id":"x"}', b"\xff"):
        with pytest.raises(QueenhighError, match="not an event of the staff"):
            decode_staff(raw)
