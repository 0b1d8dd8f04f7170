"""Runs commands of the program whose interpreter this is: ``run_commands.py JOBS RESULTS``.

Each runs in a fork, which saves the start of Python for each. Results are written line by line,
after a first line with every command that there is.
"""

import gc
import json
import os
import sys
import traceback
from contextlib import suppress
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from typing import Any, NoReturn

import click

import queenhigh
from queenhigh.__main__ import main as run
from queenhigh.cli import cli

#: Python has imported it first; it is beside this file.
_GIVEN: Any = import_module("sitecustomize")


def commands(group: click.Group, path: tuple[str, ...] = ()) -> dict[str, dict[str, bool]]:
    """Return every command and group by its words: whether it is a group, and has --json."""
    kinds = {" ".join(path): {"group": True, "json": False}}
    for name in group.commands:
        command, words = group.commands[name], (*path, name)
        if isinstance(command, click.Group):
            kinds |= commands(command, words)
        else:
            has_json = any("--json" in parameter.opts for parameter in command.params)
            kinds[" ".join(words)] = {"group": False, "json": has_json}
    return kinds


def load_everything() -> None:
    """Import all modules here, rather than in every fork."""
    for module in walk_packages(queenhigh.__path__, "queenhigh.", onerror=lambda name: None):
        if not module.name.endswith("__main__"):
            with suppress(ImportError):  # an extra
                import_module(module.name)
    gc.freeze()


def run_here(words: list[str], stdin: Path, outputs: tuple[Path, Path]) -> NoReturn:
    """Run a command in this process, and end it."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
    opened = [os.open(stdin, os.O_RDONLY), *[os.open(file, flags) for file in outputs]]
    for target, descriptor in enumerate(opened):
        os.dup2(descriptor, target)
    sys.argv = ["queenhigh", *words]
    _GIVEN.give_chance(" ".join(words))
    status: Any = 1
    try:
        run()
        status = 0
    except SystemExit as end:
        status = end.code
    except BaseException:
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status if isinstance(status, int) else int(status is not None))


def stamps() -> dict[Path, tuple[int, int]]:
    """Return when each file of this folder was last written, and its size."""
    files = [file for file in Path().rglob("*") if file.is_file()]
    return {file: (file.stat().st_mtime_ns, file.stat().st_size) for file in files}


def written(before: dict[Path, tuple[int, int]]) -> dict[str, str]:
    """Return the files written since: their text, or what identifies their bytes."""
    contents = {}
    for file, stamp in sorted(stamps().items()):
        if before.get(file) != stamp:
            content = file.read_bytes()
            contents[str(file)] = f"{len(content)} bytes, sha256 {sha256(content).hexdigest()}"
            if b"\0" not in content and len(content) < 30_000:
                with suppress(UnicodeDecodeError):
                    contents[str(file)] = content.decode()
    return contents


def main(jobs: Path, results: Path) -> None:
    """Run all jobs, in the folder that this was started in."""
    stdin, outputs = Path(f"{jobs}.in"), (Path(f"{jobs}.out"), Path(f"{jobs}.err"))
    if len(jobs.read_text()) > 2_000:  # else it would not pay
        load_everything()
    with results.open("w") as writing:
        print(json.dumps(commands(cli)), file=writing, flush=True)
        for job in json.loads(jobs.read_text()):
            stdin.write_text(job["stdin"])
            before = stamps()
            if not (process := os.fork()):
                run_here(job["words"], stdin, outputs)
            status = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
            out, err = (file.read_bytes().decode(errors="replace") for file in outputs)
            result = {"status": status, "out": out, "err": err, "files": written(before)}
            print(json.dumps(result), file=writing, flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
