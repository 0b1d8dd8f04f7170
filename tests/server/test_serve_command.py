"""``queenhigh serve`` on the command line: where it listens, and what it refuses."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.in_process import call

QUEENHIGH = [sys.executable, "-m", "queenhigh", "serve"]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--host", "0.0.0.0"], "--tls-cert and --tls-key"),
        (["--tls-cert", "c.pem"], "give --tls-cert and --tls-key"),
        (["--tls-cert", "c.pem", "--tls-key", "k.pem"], "no such file"),
        (["--host", "203.0.113.1", "--insecure"], "give another --port or --host"),
        (["--host", "no such host"], "--"),
        (["--db", "/nowhere/room.db"], "/nowhere/room.db"),
        (["--table", "nowhere.toml"], "nowhere.toml"),
        (["--table", "bad.toml"], "not TOML"),
        (["--table", "odd.toml"], "bots"),
        (["--table", "book.toml"], "rulebook"),
    ],
)
def test_invalid_options_are_refused_in_a_sentence(
    tmp_path: Path, options: list[str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A room that opens would not end.
    monkeypatch.setattr("queenhigh.server.serve._Server.run", None, raising=False)
    (tmp_path / "bad.toml").write_text("bots = = 3")
    (tmp_path / "odd.toml").write_text('bots = "many"')
    (tmp_path / "book.toml").write_text('rulebook = "nowhere"')
    done = call("serve", *options, cwd=tmp_path)
    assert done.returncode == 2, done.stderr
    (sentence,) = done.stderr.strip().splitlines()
    assert expected in sentence


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """As a process of its own, with nothing but a sentence on its standard error."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = subprocess.run(
            [*QUEENHIGH, "--port", str(port)],
            capture_output=True, text=True, timeout=300, cwd=tmp_path, check=False,
        )  # fmt: skip
    assert done.returncode == 2, done.stderr
    (sentence,) = done.stderr.strip().splitlines()
    assert f"port {port}" in sentence


def run(
    tmp_path: Path, *options: str, env: dict[str, str] | None = None
) -> tuple[subprocess.Popen[str], dict[str, Any]]:
    command = [*QUEENHIGH, "--port", "0", "--json", "--db", str(tmp_path / "room.db"), *options]
    process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())


def end(process: subprocess.Popen[str], how: int) -> int:
    os.kill(process.pid, how)
    status = process.wait(timeout=300)
    assert process.stdout is not None
    process.stdout.close()
    return status


def test_serve_prints_its_address_and_ends_cleanly(tmp_path: Path) -> None:
    process, opened = run(tmp_path)
    assert opened["tables"] == ["california", "house", "roulette"]
    health = httpx.get(f"{opened['address']}/healthz", timeout=300).json()
    assert health["commit_age_ms"] >= 0
    assert health == {"ok": True, "tables": 3, "commit_age_ms": health["commit_age_ms"]}
    assert httpx.get(f"{opened['address']}/readyz", timeout=300).json() == {"ok": True}
    assert end(process, signal.SIGTERM) == 0
    process, again = run(tmp_path, "--new-floor-token")
    assert again["floor_token"] not in (None, opened["floor_token"])
    for token, status in ((opened["floor_token"], 401), (again["floor_token"], 200)):
        headers = {"Authorization": f"Bearer {token}"}
        assert (
            httpx.get(f"{again['address']}/metrics", headers=headers, timeout=300).status_code
            == status
        )
    assert end(process, signal.SIGINT) == 130


#: What Python does there before anything else runs, in every process.
ELSEWHERE = {
    "windows": """
import os, sys
sys.modules["fcntl"] = sys.modules["resource"] = None
del os.nice, os.O_DIRECTORY
""",
    "macos": """
import resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))
def setrlimit(*limits):
    raise ValueError("current limit exceeds maximum limit")
resource.setrlimit = setrlimit
""",
}


@pytest.mark.parametrize("system", ["windows", pytest.param("macos", marks=pytest.mark.full)])
def test_serve_runs_without_optional_system_features(tmp_path: Path, system: str) -> None:
    """As Windows has neither modules nor calls for it, and macOS refuses what it offers."""
    (tmp_path / "sitecustomize.py").write_text(ELSEWHERE[system])
    env = {**os.environ, "PYTHONPATH": str(tmp_path)}
    room = str(tmp_path / "room.db")
    process, opened = run(tmp_path, env=env)
    try:
        prices = httpx.get(f"{opened['address']}/api/tables/house/strategy", timeout=300)
        assert prices.status_code == 200
        commands = {
            ("table", "run", "house", "--rounds", "1", "--db", room): 2,
            ("backup", room, str(tmp_path / "copy.db")): 0,
        }
        for words, status in commands.items():
            command = [sys.executable, "-m", "queenhigh", *words]
            done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)
            assert (done.returncode, "Traceback" in done.stderr) == (status, False), done.stderr
    finally:
        assert end(process, signal.SIGTERM) == 0


def test_insecure_is_explicit_and_has_a_plain_cookie(tmp_path: Path) -> None:
    process, opened = run(tmp_path, "--host", "0.0.0.0", "--insecure")
    address = opened["address"].replace("0.0.0.0", "127.0.0.1")
    answer = httpx.post(f"{address}/api/guests", json={"name": "Ann"}, timeout=300)
    assert answer.headers["set-cookie"].startswith("queenhigh=")
    assert "secure" not in answer.headers["set-cookie"].lower()
    end(process, signal.SIGTERM)


def test_behind_a_proxy_cookies_are_secure_and_hosts_checked(tmp_path: Path) -> None:
    process, opened = run(tmp_path, "--behind-proxy", "--name", "cards.example")
    headers = {"Host": "cards.example", "Origin": "https://cards.example"}
    answer = httpx.post(
        f"{opened['address']}/api/guests", json={"name": "Ann"}, headers=headers, timeout=300
    )
    assert answer.headers["set-cookie"].startswith("__Host-queenhigh=")
    assert "strict-transport-security" in answer.headers
    headers["Host"] = "other.example"
    answer = httpx.post(
        f"{opened['address']}/api/guests", json={"name": "Ann"}, headers=headers, timeout=300
    )
    assert answer.status_code == 421
    end(process, signal.SIGTERM)


def test_tls(tmp_path: Path) -> None:
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    make_certificate(cert, key)
    process, opened = run(tmp_path, "--tls-cert", str(cert), "--tls-key", str(key))
    assert opened["address"].startswith("https://")
    answer = httpx.get(f"{opened['address']}/healthz", verify=False, timeout=300)
    assert answer.status_code == 200
    end(process, signal.SIGTERM)


def make_certificate(cert: Path, key: Path) -> None:
    """Write a certificate that signs itself."""
    from datetime import UTC, datetime, timedelta  # noqa: PLC0415

    from cryptography import x509  # noqa: PLC0415
    from cryptography.hazmat.primitives import hashes, serialization  # noqa: PLC0415
    from cryptography.hazmat.primitives.asymmetric import ec  # noqa: PLC0415
    from cryptography.x509.oid import NameOID  # noqa: PLC0415

    private = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    start = datetime.now(UTC) - timedelta(hours=1)
    made = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(private.public_key())
        .serial_number(1)
        .not_valid_before(start)
        .not_valid_after(start + timedelta(days=1))
        .sign(private, hashes.SHA256())
    )
    cert.write_bytes(made.public_bytes(serialization.Encoding.PEM))
    key.write_bytes(
        private.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
