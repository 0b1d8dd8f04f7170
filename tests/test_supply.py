"""The locks are whole, and the bill of materials lists what they list."""

import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parent.parent


def supply() -> ModuleType:
    spec = importlib.util.spec_from_file_location("supply", ROOT / ".ci" / "supply.py")
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
