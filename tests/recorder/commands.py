"""The commands that are recorded, in a folder with the same files for every program."""

import shutil
import zipfile
from pathlib import Path
from shlex import split
from typing import Any

from tests.recorder.programs import Program
from tests.recorder.recording import Recording

__all__ = ["RUNS", "record_commands", "unrecorded"]

_ROOT = Path(__file__).parents[2]
#: What is run; the file says how.
RUNS = Path(__file__).with_name("commands.txt").read_text()
#: When commands run: a day after the room was served.
NOW = 1_790_100_000_000_000_000
_DESK = "bank 500\nstart 5\n1 ante 10 bonus 5 play QH TD 2C\n5 20 f\nhand\nmissing\n5 2000\nyes\n"
_DESK += (
    "undo\nd qsjh3c\nsettle\nline\nw\nw exposed\nw 3 cards\nhelp\nremove 1\nnew\n1 1\nm\nquit\n"
)
_FILES = {
    "desk.txt": _DESK,
    "desk-house.txt": "1 ante 2 pp 1 play AS KS QS\n2 4 f\nd 2c 3d 7h\n\nl\nq\n",
    "bad.toml": 'game = "roulette"\n',
    "password.txt": "correct horse battery\n",
}
#: A room is served by itself, for as long as it is recorded.
_SERVED = [(["serve"], 0), (["serve", "--json"], 0)]
#: What a run leaves of the two forms: their names, and the option that makes the second.
_FORMS: dict[str, list[str]] = {"text": [], "json": ["--json"]}


def record_commands(
    program: Program, recording: Recording, folder: Path, runs: str = RUNS
) -> list[str]:
    """Record commands in a folder, which may have a room; return what has no recorded run."""
    older = _prepare(folder)
    known, _ = program.run(folder, [], NOW)
    jobs = [([*name.split(), "--help"], "") for name in known]
    for line in _lines(runs, older):
        words, _, given = line.partition(" < ")
        stdin = (folder / given).read_text() if given else ""
        has_json = known[_command(split(words), known)]["json"]
        for form, option in _FORMS.items():
            if has_json or not option:
                jobs.append(([*split(words.replace("FORM", form)), *option], stdin))
    _, results = program.run(folder, jobs, NOW)
    done = list(_SERVED)
    for (ran, _), result in zip(jobs, results, strict=True):
        name = _command(ran, known) or "queenhigh"
        recording.add(f"commands/{name}", f"queenhigh {' '.join(ran)}", _text(result))
        done.append((ran, result["status"]))
    return unrecorded(known, done)


def _lines(runs: str, older: list[str]) -> list[str]:
    """Return all runs; those of older rooms once for each, after the others."""
    lines = [line for line in runs.splitlines() if line and not line.startswith("#")]
    repeated = [line for line in lines if "OLDER" in line]
    once = [line for line in lines if "OLDER" not in line]
    return once + [line.replace("OLDER", name) for name in older for line in repeated]


def unrecorded(known: dict[str, dict[str, bool]], done: list[tuple[list[str], int]]) -> list[str]:
    """Return the commands of which no run has succeeded: their help, their text or their JSON."""
    ran = {(_command(words, known), _form(words)) for words, status in done if not status}
    return [
        f"{name}: no recorded run of its {form}"
        for name, kind in known.items()
        for form in ["help"] + ["text"] * (not kind["group"]) + ["json"] * kind["json"]
        if (name, form) not in ran
    ]


def _form(words: list[str]) -> str:
    return next((form for form in ("help", "json") if f"--{form}" in words), "text")


def _command(words: list[str], known: dict[str, Any]) -> str:
    """Return the name of the command that words begin with."""
    names = (" ".join(words[:count]) for count in range(len(words), -1, -1))
    return next(name for name in names if name in known)


def _text(result: dict[str, Any]) -> str:
    """Return what a run printed and wrote."""
    printed = {name: result[name] for name in ("out", "err") if result[name]}
    parts = [f"--- {name}\n{text}" for name, text in {**printed, **result["files"]}.items()]
    return "\n".join([f"exit status {result['status']}", *parts])


def _prepare(folder: Path) -> list[str]:
    """Put into a folder what the commands read; return the names of older rooms."""
    for file in [*(_ROOT / "examples").glob("*.jsonl"), *(_ROOT / "tests/golden").glob("*.jsonl")]:
        shutil.copy(file, folder)
    lines = (folder / "room.jsonl").rename(folder / "golden.jsonl").read_text().splitlines(True)
    (folder / "cut.jsonl").write_text("".join(lines[:5] + lines[6:]))
    for name, text in _FILES.items():
        (folder / name).write_text(text)
    older = []
    for packed in sorted((_ROOT / "tests").glob("*/old*/*.zip")):
        with zipfile.ZipFile(packed) as files:
            for end in (".db", ".db.key"):
                (folder / f"{packed.stem}{end}").write_bytes(files.read(f"room{end}"))
        older.append(packed.stem)
    return older
