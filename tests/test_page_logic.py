"""The logic of the page: its own tests, which run in Node while other tests run here."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.trainer_rounds import wrong_answers

ROOT = Path(__file__).parent.parent
MODULES = ROOT / "web" / "node_modules"


@pytest.mark.skipif(not MODULES.exists(), reason="Vitest is not here: run `make page`")
def test_logic_of_the_page(tmp_path: Path) -> None:
    command = [sys.executable, "web/npm.py", "run", "test"]
    rounds = tmp_path / "rounds.json"
    env = {**os.environ, "QUEENHIGH_TRAINER_ROUNDS": str(rounds)}
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.fullmatch(r"Tests of the page: (\d+) passed \(\1\)\n", done.stdout)
    assert passed, done.stdout
    assert int(passed[1]) > 500

    written = json.loads(rounds.read_text("utf-8"))
    assert len(written) > 200
    assert wrong_answers(written) == []
    # A page that takes a cent more for right is found.
    assert len(wrong_answers(written, off_by=1)) > 200
