"""Install the lowest versions that pyproject.toml allows, and try the program with them.

python .ci/lowest.py UV FOLDER     UV is the program, FOLDER is for an environment

Every dependency and every extra but the GPU's is installed at exactly its minimum, which must have
wheels for every Python that pyproject.toml names. The tests below run there; without what they
need they fail. At the end one package is put below its minimum, and then they have to fail.
"""

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).parent.parent
#: It runs every command, at the size that CI has.
EVERY = "tests/commands/test_every_command.py"
#: They look closer, at the quick size; still nothing is skipped.
CLOSER = (
    "tests/commands",
    "tests/rulebook/test_law.py",
    "tests/server/test_serve_command.py",
    "tests/server/test_server_log.py",
    "tests/sheets/test_printed.py",
    "tests/simulation/test_simulate_command.py",
    "tests/store/test_contract.py",
)
#: What the tests import, in the versions of the lock.
TOOLS = ("httpx", "hypothesis", "jsonschema", "pytest", "pytest-xdist")
#: The program is known not to start with an older one.
CONTROL = "msgspec"


def requirements(project: dict[str, Any]) -> list[Requirement]:
    """Return the direct dependencies, with those of the build and of every extra but the GPU's."""
    of_extras = project["project"]["optional-dependencies"].items()
    listed = [
        *project["build-system"]["requires"],
        *project["project"]["dependencies"],
        *(line for extra, lines in of_extras if extra != "gpu" for line in lines),
    ]
    return [each for each in map(Requirement, listed) if each.name != project["project"]["name"]]


def pythons(project: dict[str, Any]) -> list[str]:
    """Return the versions of Python that the classifiers name."""
    lines = "\n".join(project["project"]["classifiers"])
    return re.findall(r"^Programming Language :: Python :: (3\.\d+)$", lines, re.MULTILINE)


def pins(lock: str) -> dict[str, str]:
    """Return the version of each package of a lock."""
    found = re.findall(r"^([A-Za-z0-9._-]+)==([^\s;]+)", lock, re.MULTILINE)
    return {canonicalize_name(name): version for name, version in found}


def problems(wanted: list[Requirement], resolved: dict[str, str]) -> Iterator[str]:
    """Yield a sentence for each requirement that is not met by exactly its minimum."""
    for each in wanted:
        minimums = [part.version for part in each.specifier if part.operator == ">="]
        version = resolved.get(canonicalize_name(each.name), "nothing")
        if len(minimums) != 1:
            yield f"{each}: write one minimum, {each.name}>={version}"
        elif version == "nothing" or Version(version) != Version(minimums[0]):
            yield f"{each}: the lowest that can be installed is {version}"


def resolve(uv: str, python: str, folder: Path, wanted: list[Requirement]) -> list[str]:
    """Resolve to the lowest versions that have wheels, in a file; return what is wrong."""
    tools = pins((ROOT / "requirements.lock").read_text())
    lines = [*map(str, wanted), *(f"{name}=={tools[name]}" for name in TOOLS)]
    listed, made = folder / f"{python}.in", folder / f"{python}.txt"
    listed.write_text("\n".join(lines))
    options = ("--quiet", "--no-header", "--no-annotate", "--only-binary=:all:")
    lowest = ("--resolution=lowest-direct", f"--python-version={python}", "--output-file", made)
    run(uv, "pip", "compile", *options, *lowest, listed)
    return [f"Python {python}: {each}" for each in problems(wanted, pins(made.read_text()))]


def run(*command: str | Path, size: str = "full", check: bool = True) -> int:
    """Run a program in the root of the checkout, where no test may be skipped."""
    environment = {**os.environ, "CI": "true", "SIZE": size}
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    if check and done.returncode:
        sys.exit(f"It failed: {' '.join(map(str, command))}")
    return done.returncode


def main(uv: str, folder: Path) -> None:
    """Resolve for each Python, install for this one, and run the tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    wanted, own = requirements(project), f"3.{sys.version_info.minor}"
    folder.mkdir(parents=True)
    versions = sorted({*pythons(project), own})
    if wrong := [line for each in versions for line in resolve(uv, each, folder, wanted)]:
        sys.exit("\n".join(["These minimums cannot be installed:", *wrong]))
    python = folder / "env" / "bin" / "python"
    run(uv, "venv", "--quiet", "--python", sys.executable, folder / "env")
    install = (uv, "pip", "install", "--quiet", "--python", python)
    run(*install, "--requirement", folder / f"{own}.txt")
    run(python, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder)
    run(*install, "--no-deps", next(folder.glob("*.whl")))
    pytest = (python, "-m", "pytest", "-p", "no:cacheprovider", "--quiet")
    run(*pytest, "-n", "0", EVERY)
    run(*pytest, "-n", "auto", *CLOSER, size="quick")
    (minimum,) = next(each for each in wanted if each.name == CONTROL).specifier
    run(*install, f"{CONTROL}<{minimum.version}")
    if run(*pytest, "-n", "0", EVERY, check=False) not in (1, 2):  # a test, or an import, fails
        sys.exit(f"The tests do not fail with {CONTROL} below {minimum.version}.")
    sys.stdout.write(f"They fail with {CONTROL} below {minimum.version}, as they have to.\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]).absolute())
