"""One PostgreSQL server for all workers of a run, kept by a process that ends after the last one.

Every worker that uses the server holds a shared lock, which the system releases when the worker
ends, however it ends. The process that keeps the server waits for that lock alone.
"""

import fcntl
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.history.made_once import made_once
from tests.locks import only_worker
from tests.postgres import PATIENCE_S, Databases, PostgresServer, ServerFailed, prepare

ROOT = Path(__file__).parent.parent


@contextmanager
def shared_server(factory: pytest.TempPathFactory) -> Iterator[Databases]:
    """Return the server of this run; the first worker that asks starts it."""
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with (folder / "postgres.users").open("w") as users:
        # This waits while a server without users is being stopped.
        fcntl.flock(users, fcntl.LOCK_SH)
        with only_worker(folder / "postgres.lock"):
            if not (folder / "postgres.json").exists():
                _start_keeper(folder, prepared_files(factory))
        address = json.loads((folder / "postgres.json").read_text())
        yield Databases(Path(address["programs"]), address["port"], address["password"])


def prepared_files(factory: pytest.TempPathFactory) -> Path:
    """Return the files from which all servers of this run start."""
    return made_once(factory, "postgres-files", prepare)


def _start_keeper(folder: Path, prepared: Path) -> None:
    """Start the process that keeps the server, and wait until it says that the server runs."""
    log = folder / "postgres.log"
    with log.open("w") as errors:
        keeper = subprocess.Popen(
            [sys.executable, "-m", "tests.shared_postgres", str(folder), str(prepared)],
            cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors,
            start_new_session=True,
        )  # fmt: skip
    assert keeper.stdout is not None
    with keeper.stdout:
        if keeper.stdout.readline() != b"ready\n":
            keeper.wait(PATIENCE_S)
            raise ServerFailed(log.read_text())
    # It outlives this worker on purpose, and Python would warn of that.
    keeper.returncode = 0


def keep(folder: Path, prepared: Path) -> None:
    """Run a server as long as a worker uses it."""
    address = folder / "postgres.json"
    with (
        PostgresServer(prepared=prepared) as server,
        (folder / "postgres.users").open("w") as users,
    ):
        parts = {"programs": str(server.programs), "port": server.port, "password": server.password}
        address.write_text(json.dumps(parts))
        print("ready", flush=True)
        fcntl.flock(users, fcntl.LOCK_EX)
        address.unlink(missing_ok=True)


if __name__ == "__main__":
    keep(Path(sys.argv[1]), Path(sys.argv[2]))
