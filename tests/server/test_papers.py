"""Rows beside the streams: what a disk that takes nothing makes of them."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.server import accounts as accounts_module
from queenhigh.server.accounts import Accounts
from queenhigh.server.app import _status
from queenhigh.server.office import Office, Opening
from tests.server.room_to_serve import QUICK_HASHER


def log_in(office: Office, accounts: Accounts) -> None:
    asyncio.run(accounts.log_in("Bea", "correct horse", 0))


WRITES: dict[str, Callable[[Office, Accounts], object]] = {
    "log in": log_in,
    "log out": lambda office, accounts: accounts.log_out("token"),
    "new guest": lambda office, accounts: accounts.new_guest("Ann", 0),
    "open a table": lambda office, accounts: office.papers.write(office.open_table("t", Opening())),
    "close a table": lambda office, accounts: office.close_table("t"),
    "disable a table": lambda office, accounts: office.disable("t", disabled=True),
    "post a notice": lambda office, accounts: office.post_notice(0, "", "hello"),
    "floor token": lambda office, accounts: office.renew_floor_token(),
}


@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_a_disk_that_takes_nothing_is_told_as_such(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, write: Callable[[Office, Accounts], object]
) -> None:
    monkeypatch.setattr(accounts_module, "PasswordHasher", QUICK_HASHER)
    office = Office(tmp_path / "room.db")
    accounts = Accounts(office.db, papers=office.papers)
    asyncio.run(accounts.register("Bea", "correct horse", 0))
    write(office, accounts)
    office.db.pragma("query_only", True)
    with pytest.raises(QueenhighError) as refused:
        write(office, accounts)
    office.db.pragma("query_only", False)
    assert (refused.value.code, _status(refused.value.code)) == ("store.failed", 503)
    write(office, accounts)
    office.close()
