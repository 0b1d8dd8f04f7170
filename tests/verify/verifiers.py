"""Both verifiers, under one name each: the package's, and the one that shares no code with it."""

import importlib.util
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from queenhigh.store.location import Location
from queenhigh.verify.verifier import verify

FILE = Path(__file__).parent.parent.parent / "verifier" / "verify_log.py"


class Verdict(NamedTuple):
    """The result of a verifier: ok, or the number of the first bad event; ``None`` for the head."""

    ok: bool
    n: int | None
    reason: str | None
    rounds: int
    dealing: dict[str, int]
    rebased: int = 0
    hash_only: int = 0


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("verify_log", FILE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


_other: Any = _load()


def package(file: Location, *, check_head: bool = True, archives: Sequence[Path] = ()) -> Verdict:
    report = verify(file, check="everything" if check_head else "events", archives=archives)
    counted = (report.rounds, report.dealing, report.rebased, report.hash_only)
    return Verdict(report.ok, report.n, report.bad, *counted)


def other(file: Location, *, check_head: bool = True, archives: Sequence[Path] = ()) -> Verdict:
    place = file if isinstance(file, Path) else file.secret
    report = _other.verify(place, check_head=check_head, archives=archives)
    counted = (report.rounds, report.dealing, report.rebased, report.hash_only)
    return Verdict(report.ok, report.n, report.reason, *counted)


BOTH = {"package": package, "other": other}


def run_other(*words: str) -> "subprocess.CompletedProcess[str]":
    """Run the second verifier as a program."""
    command = [sys.executable, str(FILE), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def prove(file: Location) -> None:
    """Fail unless both verifiers accept a store or a log, and count the same in it."""
    verdicts = {name: verifier(file) for name, verifier in BOTH.items()}
    for name, verdict in verdicts.items():
        assert verdict.ok, f"{name}: event {verdict.n}: {verdict.reason}"
    assert verdicts["package"] == verdicts["other"]
