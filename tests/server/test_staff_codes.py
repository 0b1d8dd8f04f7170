"""Codes of authenticators: RFC 6238, valid once, and slowed down like passwords."""

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server import passwords, totp
from queenhigh.server.accounts import Accounts
from queenhigh.server.admin_store import AdminStore
from queenhigh.server.staff_accounts import StaffAccounts, StaffLogin
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.staff import Member
from tests.server.server_process import QUICK_HASHER

STEP = 30_000
NOON = 1_790_000_010_000
PASSWORD = "correct horse"
HERE = "10.0.0.1"

#: RFC 6238, appendix B, for SHA-1: seconds and codes of eight digits.
VECTORS = {
    59: "94287082",
    1111111109: "07081804",
    1111111111: "14050471",
    1234567890: "89005924",
    2000000000: "69279037",
    20000000000: "65353130",
}
RFC_KEY = b"12345678901234567890"


@pytest.mark.parametrize(("seconds", "code"), VECTORS.items())
def test_codes_are_those_of_the_rfc(seconds: int, code: str) -> None:
    assert totp.code_at(RFC_KEY, seconds // 30) == code[-6:]
    assert totp.matching_step(RFC_KEY, code[-6:], seconds * 1000, 0) == seconds // 30
    assert totp.matching_step(RFC_KEY[::-1], code[-6:], seconds * 1000, 0) is None, "the control"


@pytest.mark.parametrize(("skew", "is_valid"), [(-2, 0), (-1, 1), (0, 1), (1, 1), (2, 0)])
def test_a_clock_may_be_one_step_off(skew: int, is_valid: int) -> None:
    now = NOON // STEP
    code = totp.code_at(RFC_KEY, now + skew)
    assert (totp.matching_step(RFC_KEY, code, NOON, 0) is not None) == is_valid
    assert totp.matching_step(RFC_KEY, code, NOON, now + skew) is None, "it was used"


@pytest.mark.parametrize(
    "text", ["", "12345", "1234567", "abcdef", "½23456", "\ud800", "一二三四五六"]
)
def test_what_is_no_code_is_wrong(text: str) -> None:
    assert totp.matching_step(RFC_KEY, text, NOON, 0) is None


def test_key_is_written_for_authenticators() -> None:
    assert totp.key_text(RFC_KEY) == "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
    uri = totp.key_uri(RFC_KEY, "Olga O'Hara")
    assert uri == (
        "otpauth://totp/Queenhigh:Olga%20O%27Hara?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
        "&issuer=Queenhigh"
    )
    assert len({totp.new_key() for _ in range(5)}) == 5


class StaffRoom:
    """The staff of a room, with an owner who needs a code, and a clock."""

    def __init__(self, file: Path, store: SqliteStore, admin: AdminStore) -> None:
        assert admin.staff is not None
        self.file, self.now, self.admin = file, NOON, admin
        players = Accounts(admin.db, rows=admin.rows)
        self.staff = StaffAccounts(admin.staff, admin.rows, players)
        self.delays: list[float] = []
        vars(players.logins)["_sleep"] = self._sleep
        _, token = asyncio.run(self.staff.add_first_owner("Olga", PASSWORD, self.now, HERE))
        self.first = self.login(token)
        self.key = b""

    async def _sleep(self, seconds: float) -> None:
        self.delays.append(seconds)

    def login(self, token: str) -> StaffLogin:
        login = self.staff.login_of(token, self.now)
        assert login is not None
        return login

    def switch_on(self) -> None:
        """Switch codes on, by the code of the step before this one."""
        self.key = self.staff.new_key(self.first)
        code = self.code(-1)
        asyncio.run(self.staff.confirm_key(self.first, code, lambda: self.now, HERE))
        self.first = StaffLogin(self.staff.changes.member("Olga"), self.first.session)

    def code(self, later: int = 0) -> str:
        return totp.code_at(self.key, self.now // STEP + later)

    def log_in(
        self,
        code: str | None,
        password: str = PASSWORD,
        address: str = HERE,
        new: str | None = None,
    ) -> Member:
        entering = self.staff.log_in("Olga", password, code, lambda: self.now, address, new)
        return asyncio.run(entering)[0]

    def refused(self, code: str | None, password: str = PASSWORD, address: str = HERE) -> str:
        with pytest.raises(QueenhighError) as refused:
            self.log_in(code, password, address)
        return refused.value.code


@pytest.fixture
def staffed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StaffRoom]:
    monkeypatch.setattr(passwords, "PasswordHasher", QUICK_HASHER)
    file = tmp_path / "room.db"
    with closing(SqliteStore(file)) as store, closing(AdminStore(file, store)) as admin:
        yield StaffRoom(file, store, admin)


def test_a_key_counts_once_a_first_code_has_confirmed_it(staffed: StaffRoom) -> None:
    assert staffed.log_in(None).two_factor is False
    key = staffed.staff.new_key(staffed.first)
    assert staffed.log_in(None).two_factor is False
    with pytest.raises(QueenhighError) as refused:
        asyncio.run(staffed.staff.confirm_key(staffed.first, "000000", lambda: NOON, HERE))
    assert refused.value.code == "code.wrong"
    code = totp.code_at(key, NOON // STEP)
    member = asyncio.run(staffed.staff.confirm_key(staffed.first, code, lambda: NOON, HERE))
    assert member.two_factor is True
    assert staffed.refused(None) == "code.needed"
    login = StaffLogin(member, staffed.first.session)
    with pytest.raises(QueenhighError) as refused:
        staffed.staff.new_key(login)
    assert refused.value.code == "code.on"


def test_a_code_is_valid_once(staffed: StaffRoom) -> None:
    staffed.switch_on()
    assert staffed.refused(staffed.code(-1)) == "code.wrong", "it has confirmed the key"
    staffed.log_in(staffed.code())
    assert staffed.refused(staffed.code()) == "code.wrong"
    assert staffed.refused(staffed.code(-1)) == "code.wrong", "an earlier one is used up with it"
    staffed.log_in(staffed.code(1))
    staffed.now += STEP
    assert staffed.refused(staffed.code()) == "code.wrong", "the same code, now on time"
    staffed.now += STEP
    staffed.log_in(staffed.code())


def test_a_code_without_the_password_is_worth_nothing(staffed: StaffRoom) -> None:
    staffed.switch_on()
    assert staffed.refused(staffed.code(), "wrong password") == "login.wrong"
    assert staffed.refused(None, "wrong password") == "login.wrong", "not: a code is needed"
    staffed.log_in(staffed.code())


def test_wrong_codes_are_slowed_down_like_wrong_passwords(staffed: StaffRoom) -> None:
    staffed.switch_on()
    for _ in range(3):
        assert staffed.refused("000000", address="10.0.0.9") == "code.wrong"
        assert staffed.refused(None, address="10.0.0.9") == "code.needed"
    assert staffed.delays
    for _ in range(8):
        staffed.refused("000000", address="10.0.0.9")
    assert staffed.delays == sorted(staffed.delays)
    assert staffed.delays[-1] == 30.0
    staffed.delays.clear()
    staffed.refused("000000", address="10.0.0.8")
    assert staffed.delays == [8.0], "from another address: by the name alone"


def test_another_process_has_used_the_code(
    staffed: StaffRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both processes have read the row before either has written it."""
    staffed.switch_on()
    row = staffed.staff._rows.member("Olga")
    monkeypatch.setattr(staffed.staff._rows, "member", lambda name: row)
    staffed.log_in(staffed.code())
    assert staffed.refused(staffed.code()) == "code.wrong"


def test_codes_are_switched_off_by_the_password(staffed: StaffRoom) -> None:
    staffed.switch_on()
    with pytest.raises(QueenhighError) as refused:
        asyncio.run(staffed.staff.drop_key(staffed.first, "wrong password", staffed.now, HERE))
    assert refused.value.code == "password.old"
    member = asyncio.run(staffed.staff.drop_key(staffed.first, PASSWORD, staffed.now, HERE))
    assert member.two_factor is False
    assert staffed.log_in(None) == member


def test_ended_session_changes_no_password(
    staffed: StaffRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody who knew the old password is not done when an owner sets another one."""

    staff = staffed.staff
    hash_now, waits = staff.changes.passwords.hash, asyncio.Event()

    async def race() -> None:
        reached = asyncio.Event()

        async def hash_late(password: str) -> str:
            if password == "what a thief chose":
                reached.set()
                await waits.wait()
            return await hash_now(password)

        monkeypatch.setattr(staff.changes.passwords, "hash", hash_late)
        change = staff.change_password(staffed.first, PASSWORD, "what a thief chose", NOON, HERE)
        theft = asyncio.create_task(change)
        await reached.wait()
        await staff.changes.set_password("Olga", "by the owner", "floor", NOON)
        waits.set()
        with pytest.raises(QueenhighError) as refused:
            await theft
        assert refused.value.code == "floor.only"

    asyncio.run(race())
    assert staffed.refused(None, "what a thief chose") == "login.wrong"
    assert staffed.refused(None, "by the owner") == "password.given"
    assert staffed.log_in(None, "by the owner", new="her own choice").name == "Olga"


def test_ended_session_confirms_no_key(staffed: StaffRoom) -> None:
    key = staffed.staff.new_key(staffed.first)
    asyncio.run(staffed.staff.changes.set_password("Olga", "by the owner", "floor", NOON))
    code = totp.code_at(key, NOON // STEP)
    with pytest.raises(QueenhighError) as refused:
        asyncio.run(staffed.staff.confirm_key(staffed.first, code, lambda: NOON, HERE))
    assert refused.value.code == "floor.only"
    assert staffed.log_in(None, "by the owner", new="her own choice").two_factor is False


def test_ended_session_switches_no_codes_off(staffed: StaffRoom) -> None:
    """A request may wait for its turn half a minute; its session may be ended meanwhile."""
    staffed.switch_on()
    staffed.staff.end_session(staffed.first.session.id)
    with pytest.raises(QueenhighError) as refused:
        asyncio.run(staffed.staff.drop_key(staffed.first, PASSWORD, staffed.now, HERE))
    assert refused.value.code == "floor.only"
    assert staffed.refused(None) == "code.needed"


def test_a_new_key_takes_the_password(staffed: StaffRoom) -> None:
    with pytest.raises(QueenhighError) as refused:
        asyncio.run(staffed.staff.ask_for_key(staffed.first, "a guess", HERE))
    assert refused.value.code == "password.old"
    assert len(asyncio.run(staffed.staff.ask_for_key(staffed.first, PASSWORD, HERE))) >= 20
