"""The documentation is run, not believed."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest

from queenhigh.cli import cli

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
ENV = {
    **os.environ,
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "PYTHONIOENCODING": "utf-8",
}
BLOCK = re.compile(r"^```(\S+)(?: ([^\n]*))?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, kind: str) -> list[tuple[str, str]]:
    return [(words, text) for lang, words, text in BLOCK.findall(page.read_text()) if lang == kind]


def bash(command: str) -> str:
    done = subprocess.run(
        ["bash", "-c", command], cwd=ROOT, env=ENV, capture_output=True, timeout=300, check=False
    )
    return (done.stdout + done.stderr).decode()


CONSOLE = [
    (page.name, command, output)
    for page in PAGES
    for _, text in blocks(page, "console")
    for command, output in re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", text, re.MULTILINE)
]


def agrees(shown: str, real: str) -> bool:
    """Compare what a page shows with what comes; a line of three dots stands for the rest."""
    head, dots, _ = shown.partition("...\n")
    return real.startswith(head) if dots else shown.rstrip("\n") == real.rstrip("\n")


def test_consoles_show_what_happens(tmp_path: Path) -> None:
    assert len(CONSOLE) >= 4
    for page, command, output in CONSOLE:
        real = bash(command.replace("/tmp/", f"{tmp_path}/")).replace(f"{tmp_path}/", "/tmp/")
        # Whoever runs an engine first is told that it is compiled; no page shows that.
        real = re.sub(r"^Getting ready: .*\n", "", real, flags=re.MULTILINE)
        assert agrees(output, real), f"{page}: {command}\n{real}"


def test_the_comparison_can_fail() -> None:
    assert not agrees("one\n", "two\n")
    assert not agrees("one\n...\n", "two\nmore\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page: Path) -> None:
    for _, text in blocks(page, "python"):
        exec(compile(text, str(page), "exec"), {})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_settle_examples_are_real(page: Path) -> None:
    for words, text in blocks(page, "json"):
        assert words.startswith("settle ")
        given, expected = text.splitlines()[::2], text.splitlines()[1::2]
        done = subprocess.run(
            [sys.executable, "-m", "queenhigh", *words.split(), "--json"],
            input="\n".join(given).encode(),
            capture_output=True,
            timeout=300,
            check=False,
        )
        assert done.stdout.decode().splitlines() == expected


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / link).exists(), link


def test_generated_parts_are_fresh() -> None:
    command = [sys.executable, str(ROOT / "docs" / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stdout.decode()) == (0, "")


def test_every_command_and_option_is_in_the_docs() -> None:
    page = (ROOT / "docs" / "commands.md").read_text()
    for name, command in cli.commands.items():
        assert f"## queenhigh {name}\n" in page
        for parameter in command.params:
            if isinstance(parameter, click.Option):
                assert all(option in page for option in parameter.opts)


def test_examples_run() -> None:
    for file in (ROOT / "examples").glob("*.py"):
        done = subprocess.run(
            [sys.executable, str(file)], capture_output=True, timeout=300, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert done.stdout


def test_no_tracked_file_names_a_package_registry() -> None:
    hosts = re.compile("|".join(["py" + r"pi\.org", "python" + "hosted", r"registry\." + "npmjs"]))
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in files.decode().split():
        assert not hosts.search((ROOT / name).read_text(errors="ignore")), name
