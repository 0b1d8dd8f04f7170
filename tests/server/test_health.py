"""The server notices a disk that cannot be written, is full, hangs or is slow."""

import asyncio
import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from structlog.testing import capture_logs

from queenhigh.server import health as health_module
from queenhigh.server.health import Health
from queenhigh.server.metrics import Metrics
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import Sit
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.server.test_host import ENDLESS, Spectator, hosting, open_table


def replace(file: Path) -> None:
    """Put a copy in the place of a file."""
    copy = file.with_suffix(".copy")
    copy.write_bytes(file.read_bytes())
    os.replace(copy, file)


@pytest.mark.parametrize("how", [Path.unlink, replace])
def test_a_room_without_its_database_acknowledges_nothing(
    tmp_path: Path, how: Callable[[Path], object]
) -> None:
    async def go(served: RunningServer) -> None:
        async with PlayerClient(served, "ho", "Ann") as ann:
            with served.http(ann.cookie) as client:
                assert client.get("/healthz").status_code == 200
                assert client.get("/readyz").status_code == 200
                how(served.db)
                await ann.refused("store.gone", "sit", place=1, cents=1000)
                await ann.refused("store.gone", "sit", place=1, cents=1000)
                for path in ("/healthz", "/readyz"):
                    answer = client.get(path)
                    assert answer.status_code == 503
                    assert "deleted or replaced" in answer.json()["why"]
                for path, body in (
                    ("/api/guests", {"name": "Bob"}),
                    ("/api/tables", {"name": "b"}),
                ):
                    answer = client.post(path, json=body)
                    assert (answer.status_code, answer.json()["code"]) == (503, "store.gone")

    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
    with RunningServer(tmp_path / "room.db", rooms=rooms) as served:
        asyncio.run(go(served))


@pytest.fixture
def store(tmp_path: Path) -> Any:
    store = SqliteStore(tmp_path / "room.db")
    yield store
    store.close()


def make_health(store: SqliteStore, tmp_path: Path) -> Health:
    return Health(tmp_path / "room.db", store, Metrics())


def test_unwritable_disk_is_reported(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    health = make_health(store, tmp_path)
    health.probe()
    assert health.problem() is None
    assert health.free > 0

    def full(file: Path) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch, capture_logs() as logged:
        patch.setattr(health_module, "sync", full)
        health.probe()
        health.probe()
        assert "No space left" in (health.problem() or "")
    assert len(logged) == 1, "it is logged once"
    health.probe()
    assert health.problem() is None
    assert not [*tmp_path.glob("*.health")], "nothing is left behind"


def test_low_disk_space_is_reported(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    health = make_health(store, tmp_path)
    monkeypatch.setattr(health_module, "_FREE", 2**62)
    health.probe()
    assert "free on the disk" in (health.problem() or "")


def test_unresponsive_disk_is_reported(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health_module, "_BETWEEN", 0.01)
    monkeypatch.setattr(health_module, "_LATE", 0.05)
    stuck = Event()

    def stall(file: Path) -> None:
        stuck.wait(30)

    monkeypatch.setattr(health_module, "sync", stall)
    health = make_health(store, tmp_path)
    health.start(bool)
    try:
        until(lambda: "has not answered" in (health.problem() or ""))
        stuck.set()
        until(lambda: health.problem() is None)
    finally:
        stuck.set()
        health.stop()


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_commit_that_stalls_is_reported_and_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health_module, "_STALLS", 0.1)
    monkeypatch.setattr(health_module, "_LOOK", 0.01)

    async def go() -> None:
        async with hosting(tmp_path / "room.db") as host:
            table = open_table(host, "t", "house", pace=ENDLESS)
            host.start()
            spectator = Spectator()
            table.arrive(spectator)
            host.room.wallets.issue("Ann", 5000, id="chips", at=0, reason="to begin with")
            store: Any = host.room.store
            health = Health(tmp_path / "room.db", store, host.metrics)
            loop = asyncio.get_running_loop()
            health.start(lambda: loop.call_soon_threadsafe(host.notices.warn_of_slow_disk))
            write = store._writer.write

            def slow(requests: Any) -> Any:
                time.sleep(0.3)
                return write(requests)

            store._writer.write = slow
            before = health.is_slow
            await table.submit_and_wait(Sit(id="1", by="Ann", at=1, place=1, cents=5000))
            store._writer.write = write
            assert (before, health.is_slow) == (False, True)
            async with asyncio.timeout(10):
                while not notices(spectator):
                    await asyncio.sleep(0.01)
            assert "server is slow" in notices(spectator)[0]
            assert b"queenhigh_store_stalls_total 1.0" in host.metrics.text()
            assert health.problem() is None
            health.stop()

    with capture_logs() as logged:
        asyncio.run(go())
    assert [line["event"] for line in logged] == ["the disk stalls: a commit takes long"]


def notices(spectator: Spectator) -> list[str]:
    if not spectator.shown:
        return []
    result: list[str] = json.loads(spectator.shown[-1])["news"].get("notices", [])
    return result


def test_health_checks_go_on_after_any_error(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health_module, "_BETWEEN", 0.01)
    looks: list[int] = []

    def fail(folder: Path) -> None:
        looks.append(1)
        raise OSError(5, "Input/output error") if len(looks) % 2 else RuntimeError("trouble")

    health = make_health(store, tmp_path)
    with monkeypatch.context() as patch, capture_logs() as logged:
        patch.setattr("shutil.disk_usage", fail)
        health.start(bool)
        try:
            until(lambda: len(looks) >= 4)
            assert "Input/output error" in (health.problem() or "")
            patch.undo()
            until(lambda: health.problem() is None)
        finally:
            health.stop()
    assert {"error": "trouble"} in [{"error": line.get("error")} for line in logged]


def test_good_check_clears_an_earlier_failure(store: SqliteStore, tmp_path: Path) -> None:
    health = make_health(store, tmp_path)

    def fail() -> None:
        store.failure, store.written_at = "the disk is full", time.monotonic()

    health.probe()
    fail()
    assert health.problem() == "the disk is full", "the look was before it"
    health.probe()
    assert health.problem() is None
    fail()
    assert health.problem() == "the disk is full"


def test_hanging_commit_is_reported_during_and_after(
    store: SqliteStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    health = make_health(store, tmp_path)
    now = [1000.0]
    monkeypatch.setattr(health_module, "monotonic", lambda: now[0])
    health.probe()
    store.writing_since = 1000.0
    now[0] += 4
    health.watch()
    assert health.problem() is None, "it is only slow"
    now[0] += 3
    assert "running for 7 seconds" in (health.problem() or "")
    health.watch()
    store.writing_since = None
    now[0] += 9
    assert "took 7 seconds a moment ago" in (health.problem() or "")
    now[0] += 2
    assert health.problem() is None
