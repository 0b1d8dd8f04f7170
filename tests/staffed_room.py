"""A room that has an owner, who logs in with a code, other members, and tokens."""

import asyncio
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

from queenhigh.server import passwords, totp
from queenhigh.server.accounts import Accounts
from queenhigh.server.admin_store import AdminStore
from queenhigh.server.staff_accounts import StaffAccounts
from queenhigh.store.sqlite import SqliteStore
from tests.server.server_process import QUICK_HASHER

__all__ = ["make_staffed_room"]

_NOON = 1_790_000_000_000


def make_staffed_room(file: Path, password: str = "correct horse") -> Path:
    """Make a room with a staff in a file; return the file."""
    with (
        patch.object(passwords, "PasswordHasher", QUICK_HASHER),
        closing(SqliteStore(file)) as store,
        closing(AdminStore(file, store)) as admin,
    ):
        assert admin.staff is not None
        accounts = StaffAccounts(admin.staff, admin.rows, Accounts(admin.db, rows=admin.rows))
        asyncio.run(_hire(accounts, password))
    return file


async def _hire(staff: StaffAccounts, password: str) -> None:
    _, token = await staff.add_first_owner("Olga", password, _NOON, "10.0.0.1")
    login = staff.login_of(token, _NOON)
    assert login is not None
    key = staff.new_key(login)
    await staff.confirm_key(login, totp.code_at(key, _NOON // 30_000), lambda: _NOON, "10.0.0.1")
    await staff.changes.add("Max", "floor", password, login.sender, _NOON)
    staff.changes.remove("Max", login.sender, _NOON, "moved away")
    await staff.changes.add("Fay", "floor", password, login.sender, _NOON)
    staff.changes.grant("till", "cashier", login.sender, _NOON, "the till")
    staff.changes.revoke("", login.sender, _NOON, "everyone has a name now")
