"""Rows beside the streams, on a disk that cannot be written."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server import passwords as passwords_module
from queenhigh.server.accounts import Accounts
from queenhigh.server.admin_store import AdminStore, Opening
from queenhigh.server.app import _status
from tests.server.server_process import QUICK_HASHER


def log_in(admin: AdminStore, accounts: Accounts) -> None:
    asyncio.run(accounts.log_in("Bea", "correct horse", 0))


WRITES: dict[str, Callable[[AdminStore, Accounts], object]] = {
    "log in": log_in,
    "log out": lambda admin, accounts: accounts.log_out("token"),
    "new guest": lambda admin, accounts: accounts.new_guest("Ann", 0),
    "open a table": lambda admin, accounts: admin.rows.write(admin.open_table("t", Opening())),
    "close a table": lambda admin, accounts: admin.close_table("t"),
    "disable a table": lambda admin, accounts: admin.disable("t", disabled=True),
    "post a notice": lambda admin, accounts: admin.post_notice(0, "", "hello"),
    "floor token": lambda admin, accounts: admin.renew_floor_token(),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_unwritable_disk_is_refused_as_store_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[AdminStore, Accounts], object]
) -> None:
    monkeypatch.setattr(passwords_module, "PasswordHasher", QUICK_HASHER)
    admin = AdminStore(tmp_path / "room.db")
    accounts = Accounts(admin.db, rows=admin.rows)
    asyncio.run(accounts.register("Bea", "correct horse", 0))
    write(admin, accounts)
    admin.db.execute("pragma query_only = 1")
    with pytest.raises(QueenhighError) as refused:
        write(admin, accounts)
    admin.db.execute("pragma query_only = 0")
    assert (refused.value.code, _status(refused.value.code)) == ("store.failed", 503)
    write(admin, accounts)
    admin.close()
