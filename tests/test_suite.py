"""The suite's own rules: sizes, seeds, the report of slow tests, and no skips in CI."""

import ast
import os
import random
import re
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import NamedTuple

import pytest

from tests import report, seeds
from tests.scheduling import EARLY, SHARING, OneByOne

ROOT = Path(__file__).parent.parent
MARKED = """
import pytest
from tests import seeds, sizes

def test_drawn():
    print("drawn", seeds.rng("here").random(), sizes.sized(1, 2, 3))

@pytest.mark.full
def test_long():
    pass

@pytest.mark.full
@pytest.mark.night
def test_longer():
    pass

@pytest.mark.gpu
@pytest.mark.skip(reason="no GPU")
def test_with_gpu():
    pass

@pytest.mark.skip(reason="too hard")
def test_hard():
    pass
"""


def run(folder: Path, **environment: str) -> str:
    """Run the marked tests under the suite's conftest; return what pytest prints."""
    (folder / "test_marked.py").write_text(MARKED)
    clean = {key: value for key, value in os.environ.items() if key not in ("CI", "SIZE")}
    alone = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONPATH": str(ROOT)}
    words = ["-p", "tests.conftest", "-p", "no:cacheprovider", "-v", "-s", "--color=no"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words, "test_marked.py"],
        cwd=folder,
        env={**clean, **alone, seeds.VARIABLE: "abc", **environment},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    return done.stdout


@pytest.mark.parametrize(
    ("environment", "number", "outcome"),
    [
        ({}, 1, "1 passed, 2 skipped, 2 deselected"),
        ({"CI": "true"}, 2, "2 passed, 1 skipped, 1 deselected"),
        ({"CI": "true", "SIZE": "night"}, 3, "3 passed, 1 skipped"),
    ],
    ids=["quick", "full", "night"],
)
def test_size_selects_marked_tests(
    tmp_path: Path, environment: dict[str, str], number: int, outcome: str
) -> None:
    printed = run(tmp_path, **environment)
    assert outcome in printed
    assert f"{seeds.VARIABLE}=abc" in printed
    assert f"drawn {random.Random('abc/here').random()} {number}" in printed
    refused = "test_hard was skipped, and in CI only tests marked `gpu` may be."
    assert (refused in printed and "1 error" in printed) == ("CI" in environment)


def test_unknown_size_is_refused() -> None:
    environment = {**os.environ, "SIZE": "huge", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", "import tests.sizes"],
        env=environment, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (1, "SIZE=huge: choose one of quick, full, night.\n")


#: Tests of money, of a table's events and of what it refuses.
CORE = ("tests/table/test_ledger.py", "tests/table/test_table.py", "tests/table/test_time.py")
PLANTED = """
def test_source_runs_without_assertions():
    exec("assert False")

def test_planted_failure_is_seen():
    assert 1 == 2
"""


@pytest.mark.full
def test_core_holds_without_assertions(tmp_path: Path) -> None:
    """Under -O: pytest rewrites assertions of test modules and plugins, so they still count."""
    (tmp_path / "test_planted.py").write_text(PLANTED)
    words = ["-p", "tests.table.table_driver", "-p", "no:cacheprovider", "-q", "--color=no"]
    words += ["-W", "ignore:assertions not in test"]
    done = subprocess.run(
        [sys.executable, "-O", "-m", "pytest", *words, *CORE, str(tmp_path / "test_planted.py")],
        cwd=ROOT,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    failed = [line for line in done.stdout.splitlines() if line.startswith(("FAILED", "ERROR"))]
    assert len(failed) == 1, done.stdout
    assert "test_planted_failure_is_seen - assert 1 == 2" in failed[0]
    assert int(re.findall(r"(\d+) passed", done.stdout)[0]) > 40


class Phase(NamedTuple):
    nodeid: str
    duration: float


def test_report_sums_phases_and_folders() -> None:
    phases = [Phase(f"tests/a/test_x.py::test_{n}", n / 2) for n in range(12)]
    phases += [Phase("tests/test_y.py::test_z", 0.25), Phase("tests/a/test_x.py::test_0", 9.0)]
    lines = report.lines(phases)
    assert lines[0] == "    9.00 s  tests/a/test_x.py::test_0"
    assert lines[1] == "    5.50 s  tests/a/test_x.py::test_11"
    assert lines[10:] == [
        "",
        "    42.0 s  tests/a (12 tests)",
        "     0.2 s  tests (1 tests)",
    ]


def runs_more_at_night(file: Path) -> bool:
    """Return whether a file of tests has a mark or a number for the night."""
    nodes = list(ast.walk(ast.parse(file.read_text())))
    calls = [node for node in nodes if isinstance(node, ast.Call) and len(node.args) == 3]
    marks = [node for node in nodes if isinstance(node, ast.Attribute) and node.attr == "night"]
    return any(getattr(call.func, "id", "") == "sized" for call in calls) or any(
        getattr(mark.value, "attr", "") == "mark" for mark in marks
    )


def test_contributing_lists_what_runs_only_at_night() -> None:
    listed = (ROOT / "CONTRIBUTING.md").read_text()
    larger = [file for file in ROOT.glob("tests/**/*.py") if runs_more_at_night(file)]
    names = [file.relative_to(ROOT).as_posix() for file in larger]
    assert len(names) >= 5
    assert [name for name in names if f"`{name}`" not in listed] == []


def test_a_number_for_the_night_is_noticed(tmp_path: Path) -> None:
    (file := tmp_path / "test_x.py").write_text("ROUNDS = sized(1, 2)\n")
    assert not runs_more_at_night(file)
    file.write_text("ROUNDS = sized(1, 2, 3)\n")
    assert runs_more_at_night(file)
    file.write_text("@pytest.mark.night\ndef test_x(): pass\n")
    assert runs_more_at_night(file)


@pytest.mark.parametrize(
    ("test", "together"),
    [
        ("tests/server/test_floor.py::test_a[x/y]", "tests/server/test_floor.py"),
        ("tests/price/test_bank.py::test_a", "tests/price/test_bank.py"),
        ("tests/browser/test_odds.py::test_a[x]", "tests/browser/test_odds.py::test_a[x]"),
        ("tests/price/test_odds.py::test_a", "tests/price/test_odds.py::test_a"),
    ],
)
def test_only_modules_that_share_stay_together(test: str, together: str) -> None:
    assert OneByOne._split_scope(OneByOne.__new__(OneByOne), test) == together


def test_scheduler_names_what_is_there() -> None:
    assert [name for name in (*SHARING, *EARLY) if not (ROOT / name).exists()] == []


def test_test_that_ends_its_worker_is_not_run_again() -> None:
    scheduler = OneByOne.__new__(OneByOne)
    tests = {"a::first": True, "a::hangs": False, "a::later": False}
    scheduler.workqueue, scheduler.assigned_work = OrderedDict(), {"gw0": {"a": tests}}
    assert scheduler.remove_node("gw0") == "a::hangs"
    assert scheduler.workqueue == {"a": {"a::first": True, "a::hangs": True, "a::later": False}}
    scheduler.assigned_work = {"gw1": {"b": {"b::only": True}}}
    assert scheduler.remove_node("gw1") is None
