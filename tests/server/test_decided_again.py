"""What the floor's log says of a command that was decided again, since others wrote first."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest

from queenhigh.room import clock
from queenhigh.server.admin_rows import AdminChange, StaffChanged
from queenhigh.server.assembly import make_services
from queenhigh.server.options import ServeOptions
from queenhigh.server.routes import corrections
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import Append
from queenhigh.table.commands import ApproveCorrection, Command
from queenhigh.table.registry import STAFF
from tests.room.test_corrected_wallets import asked
from tests.table.staff_log import hire
from tests.table.table_driver import FOUR, Table
from tests.verify.verifiers import prove


def test_log_has_the_chips_that_moved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The staff changes while a correction is written, and again while that is logged.

    In between the payer gets chips.
    """
    file = tmp_path / "room.db"
    store = SqliteStore(file)
    hire(store)
    past = asked(Table("california", FOUR, store=store))
    store.close()

    async def find(*args: object) -> Any:
        return past

    monkeypatch.setattr(corrections, "_past", find)

    async def go() -> None:
        services = make_services(ServeOptions(db=file), 0, "")
        services.host.resume()
        live, guard = services.host.table("t"), services.host.room.guard
        tries: list[int] = []

        def guard_late(command: Command) -> tuple[Append, ...]:
            held = guard(command)
            if not isinstance(command, ApproveCorrection):
                return held
            tries.append(len(held))
            if len(tries) == 1:
                return (Append(STAFF, services.store.version(STAFF) - 1, ()),)
            wallets = services.host.wallets
            wallets.issue("ann", 100_000, id="more", at=clock.ROOM.now(), reason="a refill")
            return held

        write, changes = services.admin.rows.write, [StaffChanged()]

        def write_late(*notes: AdminChange) -> None:
            if changes:
                raise changes.pop()
            write(*notes)

        monkeypatch.setattr(live.durable, "_guard", guard_late)
        monkeypatch.setattr(services.admin.rows, "write", write_late)
        answer = await corrections.approve_correction("t", 1, services, "staff Noor")
        made = live.durable.committed.corrections.latest
        assert made is not None
        assert len(tries) == 2
        assert not any(row.owed for row in made.moved), "with the refill it is covered"
        (entry,) = services.admin.log_entries(None, 1)
        assert entry.after == {"moved": msgspec.json.decode(msgspec.json.encode(made.moved))}
        assert b"owed" not in answer.body
        services.host.stop()
        services.close()

    asyncio.run(go())
    prove(file)
