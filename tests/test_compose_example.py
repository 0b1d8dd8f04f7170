"""The example of a room with two processes starts, shares everything, and ends."""

import json
import os
import re
import shutil
import signal
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.postgres import MISSING, find

FOLDER = Path(__file__).parent.parent / "examples" / "compose"
#: Caddy is optional; without it players use the ports of the processes.
WAYS = [["--no-caddy"], *([[]] if shutil.which("caddy") else [])]
#: Caddy signs its certificate for localhost itself.
UNVERIFIED = ssl._create_unverified_context()


@contextmanager
def started(*options: str) -> Iterator[tuple[list[str], list[int]]]:
    """Run the script until its room is open; yield the addresses and the ids of its processes."""
    ports = ["--rooms", "0", "0", "--port", "0"]
    script = subprocess.Popen(
        [sys.executable, str(FOLDER / "start.py"), *ports, *options],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert script.stdout is not None
    try:
        printed = ""
        while "is open at" not in printed:
            line = script.stdout.readline()
            assert line, f"it ended after: {printed}"
            printed += line
        processes = [int(id) for id in re.findall(r"process (\d+)", printed)]
        yield re.findall(r"https?://[^ ]+:\d+", printed.splitlines()[-1]), processes
    finally:
        script.send_signal(signal.SIGINT)
        script.communicate(timeout=60)


def ask(url: str, body: dict[str, str] | None = None, cookie: str = "") -> tuple[Any, str]:
    """Return the answer to a request, and the cookie that it sets."""
    headers = {"Content-Type": "application/json", "Cookie": cookie}
    content = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, content, headers)
    with urllib.request.urlopen(request, timeout=30, context=UNVERIFIED) as answer:
        return json.load(answer), (answer.headers["Set-Cookie"] or "").partition(";")[0]


def is_running(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


@pytest.mark.full
@pytest.mark.parametrize("options", WAYS, ids=lambda options: "".join(options) or "caddy")
def test_two_processes_share_sessions_and_tables(options: list[str]) -> None:
    if find() is None:
        assert not os.environ.get("CI"), MISSING
        pytest.skip(MISSING)
    with started(*options) as (addresses, processes):
        assert len(addresses) == (2 if options else 1)
        first, second = addresses[0], addresses[-1]
        _, cookie = ask(f"{first}/api/guests", {"name": "Nora"})
        for address in (first, second, first):  # with Caddy, whichever process it chooses
            me, _ = ask(f"{address}/api/me", cookie=cookie)
            assert me["player"] == "Nora"
        tables = [
            {table["table"] for table in ask(f"{each}/api/room")[0]["tables"]}
            for each in (first, second)
        ]
        assert tables[0] == tables[1] == {"california", "house", "roulette"}
    assert not any(map(is_running, processes))


def test_caddyfile_is_valid() -> None:
    text = (FOLDER / "Caddyfile").read_text()
    assert "health_uri /readyz" in text
    if shutil.which("caddy"):
        command = ["caddy", "validate", "--config", "Caddyfile", "--adapter", "caddyfile"]
        done = subprocess.run(command, cwd=FOLDER, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
