"""Sizes, seeds, and what a run reports about itself."""

import os
import shutil
import signal
import uuid
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer

from tests import report, scheduling, seeds, sizes

if TYPE_CHECKING:
    from tests.postgres import Databases, PostgresServer

# A shell ignores interrupts in its background jobs, and so would every process a test interrupts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

#: Where tests write, if it can be had: in memory nothing waits for a disk that others keep busy.
MEMORY = Path("/dev/shm")
if os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > 2 * 2**30:
    os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(MEMORY))

#: In these folders tests play many tables, and test no rulebook.
REMEMBERING = {"history", "room", "server", "table", "verify"}

_SLOW_OK = [HealthCheck.too_slow, HealthCheck.data_too_large]
for _size, _examples in {"quick": 100, "full": 400, "night": 5000}.items():
    settings.register_profile(
        _size, max_examples=_examples, deadline=None, suppress_health_check=_SLOW_OK
    )
settings.load_profile(sizes.SIZE)


def pytest_report_header() -> str:
    return f"size: {sizes.SIZE}; seed: {seeds.VARIABLE}={seeds.SEED} repeats this run's comparisons"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """Return one more than there are processors: tests of the page wait more than they work."""
    return (os.cpu_count() or 1) + 1


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> scheduling.OneByOne:
    """Return the scheduler of the suite."""
    return scheduling.OneByOne(config, log)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what is marked for a larger size."""
    selected = [
        item for item in items if sizes.is_selected({mark.name for mark in item.iter_markers()})
    ]
    config.hook.pytest_deselected(items=[item for item in items if item not in set(selected)])
    items[:] = sorted(selected, key=lambda item: not item.nodeid.startswith(scheduling.EARLY))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI, fail what is skipped, unless it needs a GPU."""
    made = yield
    if made.skipped and os.environ.get("CI") == "true" and not item.get_closest_marker("gpu"):
        made.outcome = "failed"
        made.longrepr = f"{item.nodeid} was skipped, and in CI only tests marked `gpu` may be."
    return made


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print where the seconds went, so that the suite stays fast."""
    reports = [
        entry
        for outcome in ("passed", "failed", "error", "skipped", "")
        for entry in terminalreporter.stats.get(outcome, ())
        if isinstance(entry, pytest.TestReport)
    ]
    terminalreporter.section("where the time went")
    for line in report.lines(reports):
        terminalreporter.line(line)


@pytest.fixture(autouse=True, scope="module")
def _rulebooks_parsed_once(request: pytest.FixtureRequest) -> Iterator[None]:
    """Parse no rulebook twice where tables are opened and played again by the thousand."""
    if request.path.parent.name not in REMEMBERING:
        yield
        return
    from tests.remembered import remembered  # noqa: PLC0415

    with remembered():
        yield


@pytest.fixture(scope="session")
def covariance_counted_once() -> Iterator[None]:
    """Remember the covariance of seats, which takes most of the time of a banker's book."""
    from tests.covariances import counted_once  # noqa: PLC0415

    with counted_once():
        yield


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Databases"]:
    """Start the PostgreSQL server of this run, which all workers share."""
    _need_postgres()
    from tests.shared_postgres import shared_server  # noqa: PLC0415

    with shared_server(tmp_path_factory) as server:
        yield server


@pytest.fixture
def postgres_url(postgres: "Databases") -> Iterator[str]:
    """Create an empty database on the server of this run, and drop it after the test."""
    name = f"test_{uuid.uuid4().hex}"
    yield postgres.create_database(name)
    postgres.drop_database(name)


@pytest.fixture
def own_postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator["PostgresServer"]:
    """Start a PostgreSQL server for one test, which may stop and kill it."""
    _need_postgres()
    from tests.postgres import PostgresServer  # noqa: PLC0415
    from tests.shared_postgres import prepared_files  # noqa: PLC0415

    with PostgresServer(prepared=prepared_files(tmp_path_factory)) as server:
        yield server


def _need_postgres() -> None:
    """Skip a test where there is no PostgreSQL, but never in CI."""
    from tests import postgres  # noqa: PLC0415

    if postgres.find() is None:
        if os.environ.get("CI") == "true":
            pytest.fail(postgres.MISSING)
        pytest.skip(postgres.MISSING)
