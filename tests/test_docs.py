"""The documentation is run, not believed."""

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import click
import pytest

from queenhigh.cli import cli
from tests.in_process import call
from tests.simulation.compile_once import compile_engine

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
KEYS = ROOT / "docs" / "rulebook.md"
ENV = {
    **os.environ,
    "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
    "PYTHONIOENCODING": "utf-8",
}
BLOCK = re.compile(r"^```(\S+)(?: ([^\n]*))?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page: Path, kind: str) -> list[tuple[str, str]]:
    return [(words, text) for lang, words, text in BLOCK.findall(page.read_text()) if lang == kind]


def bash(command: str, stdin: bytes = b"") -> tuple[bytes, bytes]:
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=ROOT,
        env=ENV,
        input=stdin,
        capture_output=True,
        timeout=300,
        check=False,
    )
    return done.stdout, done.stderr


def run_stages(command: str) -> str:
    """Run a pipeline stage by stage, our own commands without a process for each."""
    text, errors = b"", b""
    for stage in command.split(" | "):
        if stage.startswith("queenhigh "):
            done = call(*shlex.split(stage)[1:], stdin=text, cwd=ROOT)
            text, error = done.stdout.encode(), done.stderr.encode()
        else:
            text, error = bash(stage, text)
        errors += error
    return (text + errors).decode()


def run_in_shell(command: str) -> str:
    return b"".join(bash(command)).decode()


#: The commands of each block with what they show; a block may use what it wrote before.
CONSOLES = {
    f"{page.name}:{number}": re.findall(r"^\$ ([^\n]*)\n((?:(?!\$ )[^\n]*\n)*)", text, re.MULTILINE)
    for page in PAGES
    for number, (_, text) in enumerate(blocks(page, "console"), start=1)
}


def agrees(shown: str, real: str) -> bool:
    """Compare what a page shows with what comes; a line of three dots stands for the rest."""
    head, dots, _ = shown.partition("...\n")
    return real.startswith(head) if dots else shown.rstrip("\n") == real.rstrip("\n")


def assert_shown(
    block: str, folder: Path, run: Callable[[str], str], blocks: Mapping[str, Any] = CONSOLES
) -> None:
    for command, output in blocks[block]:
        if "simulate" in command or "assumptions" in command:
            compile_engine()
        real = run(command.replace("/tmp/", f"{folder}/")).replace(f"{folder}/", "/tmp/")
        # The first use of an engine says that it is compiled; no page shows that.
        real = re.sub(r"^Compiling the engine .*\n", "", real, flags=re.MULTILINE)
        assert agrees(output, real), f"{block}: {command}\n{real}"


@pytest.mark.parametrize("block", CONSOLES)
def test_consoles_show_what_happens(block: str, tmp_path: Path) -> None:
    assert_shown(block, tmp_path, run_stages)


@pytest.mark.full
@pytest.mark.parametrize("block", CONSOLES)
def test_consoles_show_what_a_shell_shows(block: str, tmp_path: Path) -> None:
    assert_shown(block, tmp_path, run_in_shell)


def test_one_pipeline_runs_in_a_shell(tmp_path: Path) -> None:
    block = next(name for name, each in CONSOLES.items() if " | queenhigh settle" in each[0][0])
    assert_shown(block, tmp_path, run_in_shell)


def test_there_are_consoles() -> None:
    assert sum(map(len, CONSOLES.values())) >= 20


@pytest.mark.parametrize("run", [run_stages, run_in_shell])
def test_a_console_that_shows_something_else_is_caught(
    run: Callable[[str], str], tmp_path: Path
) -> None:
    wrong = {"wrong": [("queenhigh rules --check house | cut -c 1-9", "house: NO\n")]}
    with pytest.raises(AssertionError, match="house: OK"):
        assert_shown("wrong", tmp_path, run, wrong)


def test_the_comparison_can_fail() -> None:
    assert not agrees("one\n", "two\n")
    assert not agrees("one\n...\n", "two\nmore\n")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python_blocks_run(page: Path) -> None:
    for _, text in blocks(page, "python"):
        if "simulate" in text:
            compile_engine()
        exec(compile(text, str(page), "exec"), {})


def strictly_typed(folder: Path, code: Mapping[str, str]) -> str:
    """Return what mypy finds wrong in some files, as somebody with strict settings sees it."""
    for name, text in code.items():
        (folder / name).write_text(text)
    cache = ["--config-file=", f"--cache-dir={ROOT / '.mypy_cache' / 'docs'}"]
    command = [sys.executable, "-m", "mypy", "--strict", *cache, *code]
    done = subprocess.run(
        command, cwd=folder, env=ENV, capture_output=True, text=True, timeout=300, check=False
    )
    return "" if done.returncode == 0 else done.stdout + done.stderr


@pytest.mark.full
def test_python_blocks_are_strictly_typed(tmp_path: Path) -> None:
    code = {
        f"{page.stem}_{number}.py": text
        for page in PAGES
        for number, (_, text) in enumerate(blocks(page, "python"))
    }
    assert strictly_typed(tmp_path, code) == ""
    wrong = 'import queenhigh as qh\nqh.strategy(qh.load("roulette"))\n'
    assert "[arg-type]" in strictly_typed(tmp_path, {"wrong.py": wrong})


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


def test_keys_of_a_rulebook_say_what_they_take() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.*?)(?:; optional)? \|", KEYS.read_text(), re.MULTILINE)
    taken = {(key, value) for key, value in rows if key in ("spots", "covers", "pays", "flush")}
    pocket = 'of pockets such as `17` and `"00"`'
    assert taken == {
        ("spots", f"a list of lists {pocket}"),
        ("covers", f"a list {pocket}"),
        ("pays", "a pay such as `3 to 1`"),
        ("flush", "a pay such as `3 to 1`"),
    }


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


def test_the_list_of_modules_is_whole() -> None:
    listed = set(re.findall(r"\w+\.py", (ROOT / "docs" / "internals" / "modules.md").read_text()))
    source = {file.name for file in (ROOT / "src").rglob("*.py")} - {"__init__.py"}
    assert source - listed == set(), "modules that docs/internals/modules.md does not name"
    folders = ("src", "tests", "web", "bench", "verifier")
    known = {file.name for name in folders for file in (ROOT / name).rglob("*.py")}
    assert listed - known - {"hatch_build.py"} == set(), "modules that are not there"
