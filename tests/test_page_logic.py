"""The logic of the page: its own tests, which run in Node while other tests run here."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MODULES = ROOT / "web" / "node_modules"


@pytest.mark.skipif(not MODULES.exists(), reason="Vitest is not here: run `make page`")
def test_logic_of_the_page() -> None:
    command = [sys.executable, "web/npm.py", "run", "test"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.fullmatch(r"Tests of the page: (\d+) passed \(\1\)\n", done.stdout)
    assert passed, done.stdout
    assert int(passed[1]) > 500
