"""The locks are whole, the bill of materials lists what they list, minimum versions are tried."""

import importlib.util
import json
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parent.parent


def supply(name: str = "supply") -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / ".ci" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_bill_lists_every_package_of_every_lock() -> None:
    command = [sys.executable, str(ROOT / ".ci" / "supply.py"), "sbom"]
    bill = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    urls = [component["purl"] for component in bill["components"]]
    assert urls == sorted(set(urls))
    pinned = {
        line.split("==")[0]
        for lock in ("requirements.lock", "web/node.lock")
        for line in (ROOT / lock).read_text().splitlines()
        if "==" in line and not line.startswith((" ", "#"))
    }
    listed = {
        component["name"]
        for component in bill["components"]
        if component["purl"].startswith("pkg:pypi/")
    }
    assert listed == pinned
    assert all(component["hashes"] for component in bill["components"])


HASH = "--hash=sha256:" + "a" * 64


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("apsw==3.1", "no SHA-256"),
        ("apsw>=3.1 \\\n    " + HASH, "no exact version"),
        ("apsw==3.1 \\\n    --hash=md5:0123", "no SHA-256"),
        ("apsw==3.1 \\\n    " + HASH + " \\\n    --hash=sha256:short", "no SHA-256"),
        ("-e .", "no exact version"),
        ("https://example.org/apsw.whl", "no exact version"),
    ],
)
def test_a_lock_that_leaves_something_open_is_found(entry: str, message: str) -> None:
    module = supply()
    good = (
        f"annotated-doc==0.0.6 \\\n    {HASH}\nanyio==4.1 ; python_version < '3.13' \\\n    {HASH}"
    )
    assert len([*module.python_components("lock", good)]) == 2
    with pytest.raises(module.BadLock, match=message):
        list(module.python_components("lock", f"{good}\n{entry}\n{good}"))


def test_a_package_of_the_page_without_a_hash_is_found() -> None:
    module = supply()
    lock = {"packages": {"": {}, "node_modules/svelte": {"version": "5"}}}
    with pytest.raises(module.BadLock, match="svelte"):
        list(module.page_components("lock", json.dumps(lock)))


def test_a_minimum_that_is_not_installed_is_found() -> None:
    module = supply("lowest")
    lines = ("numpy>=2.0", "ray>=2.45", "click", "rich>=14.3", "Psycopg[pool]>=3.3")
    installed = module.pins("numpy==2.1.0\nray==2.45.0 ; x\nclick==8.4.0\npsycopg==3.3.0\n")
    assert [*module.problems([*map(Requirement, lines)], installed)] == [
        "numpy>=2.0: the lowest that can be installed is 2.1.0",
        "click: write one minimum, click>=8.4.0",
        "rich>=14.3: the lowest that can be installed is nothing",
    ]


def test_every_extra_but_that_of_the_gpu_is_tried() -> None:
    module, project = supply("lowest"), tomllib.loads((ROOT / "pyproject.toml").read_text())
    names = {each.name for each in module.requirements(project)}
    assert {"hatchling", "pydantic", "numba", "polars", "ray", "psycopg"} <= names
    assert not any(name.startswith(("cupy", "queenhigh")) for name in names)
    assert module.pythons(project) == ["3.11", "3.12", "3.13"]
