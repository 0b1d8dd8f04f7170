"""The container image: its build gets no room and no key, the image only a wheel and a lock."""

import json
import os
import re
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType

import pytest

from queenhigh.store.postgres.store import DEALING_KEY, SIGNING_KEY
from tests.test_packaging import build

ROOT = Path(__file__).parent.parent
FOLDER = ROOT / "examples" / "compose"
IGNORED = (FOLDER / "Dockerfile.dockerignore").read_text()
#: Files of the page's folder that a build does not need.
UNNEEDED = {"web/.prettierignore"}


def is_sent(path: str, ignored: str) -> bool:
    """Return whether Docker sends a file to a build, where an ignore file has this text.

    A pattern matches a path from the root of the context, or one of its folders; the last pattern
    that matches decides. `*` and `?` stop at a slash, `**` does not.
    """
    parts = path.split("/")
    places = ["/".join(parts[: end + 1]) for end in range(len(parts))]
    sent = True
    for pattern, takes_in in _patterns(ignored):
        if any(pattern.fullmatch(place) for place in places):
            sent = takes_in
    return sent


def _patterns(text: str) -> Iterator[tuple[re.Pattern[str], bool]]:
    for line in map(str.strip, text.removeprefix("\ufeff").splitlines()):
        if line and not line.startswith("#"):
            pattern = line.removeprefix("!").strip().strip("/")
            yield re.compile(_regular_expression(pattern)), line.startswith("!")


def _regular_expression(pattern: str) -> str:
    """Return the pattern of a line as a regular expression, as Docker's patternmatcher does."""
    if "[" in pattern or "\\" in pattern:
        raise NotImplementedError(f"{pattern}: ranges and escapes are not read here")
    meanings = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    return "".join(meanings.get(part, re.escape(part)) for part in parts)


def tracked(*folders: str) -> set[str]:
    command = ["git", "ls-files", "-z", *folders]
    files = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    return {*files.split("\0")} - {""}


@contextmanager
def serving(python: Path | str, folder: Path, room: str) -> Iterator[dict[str, str]]:
    """Serve a room in a folder; yield what the server prints when it is open."""
    words = [str(python), "-m", "queenhigh", "serve", "--json", "--port", "0", "--db", room]
    with subprocess.Popen(words, cwd=folder, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield json.loads(process.stdout.readline())
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The files of rooms, as the program itself names them, and others that stay at home."""
    folder = tmp_path_factory.mktemp("room")
    with serving(sys.executable, folder, "room.db"):
        beside = {file.name for file in folder.iterdir()}
    assert {"room.db", "room.db-wal", "room.db.key", "room.db.dealing"} <= beside
    shared = {f"room.keys/{name}" for name in (SIGNING_KEY, DEALING_KEY, "history-8771.books")}
    archived = {"a.qha", "monday", "monday.key"}  # an archive; a backup and its key
    other = {".env", ".env.local", "tls.pem", ".git/config", "venv/pyvenv.cfg",
             ".venv/lib/site.py", "node_modules/vite/index.js"}  # fmt: skip
    renamed = {name.replace("room.db", "casino") for name in beside}
    return beside | shared | archived | other | renamed


def test_no_secret_is_in_the_context(secrets: set[str]) -> None:
    folders = ("", "examples/", "examples/compose/", "src/", "web/", "deep/down/")
    paths = [f"{folder}{name}" for folder in folders for name in sorted(secrets)]
    assert not [path for path in paths if is_sent(path, IGNORED)]
    inside = [f"{folder}{name}" for folder in ("src/queenhigh/", "src/queenhigh/rulebooks/",
              "web/src/", "web/public/") for name in sorted(secrets)]  # fmt: skip
    code = (".venv/lib/site.py", "venv/lib/site.py")
    assert not [path for path in inside if is_sent(path, IGNORED) and not path.endswith(code)]
    without = IGNORED.replace("\n*\n", "\n")  # planted: no line leaves everything out
    assert {path for path in paths if is_sent(path, without)} == {*paths}


def test_the_context_is_what_a_wheel_is_built_from() -> None:
    sent = {path for path in tracked() if is_sent(path, IGNORED)}
    needed = tracked("src", "web") - UNNEEDED
    text = (ROOT / "hatch_build.py").read_text() + (ROOT / "pyproject.toml").read_text()
    named = {name for name in ("LICENSE", "README.md", "hatch_build.py") if name in text}
    assert sent == needed | named | {"pyproject.toml", "requirements.lock",
                                     "examples/compose/pinned.py"}  # fmt: skip


@pytest.mark.parametrize(
    ("patterns", "sent"),
    [
        ("*", ""),
        ("*\n!a", "a/b a/c.py a/d/e.py"),
        ("*\n!a/*.py", "a/c.py"),
        ("*\n!a/**/*.py", "a/c.py a/d/e.py"),
        ("**/*.py", "a/b f"),
        ("a\n!/a/d", "a/d/e.py f"),
        ("# a\n\na/?\n", "a/c.py f"),
        ("!f\n*", ""),
    ],
)
def test_patterns_are_read_as_docker_reads_them(patterns: str, sent: str) -> None:
    files = ("a/b", "a/c.py", "a/d/e.py", "f")
    assert [path for path in files if is_sent(path, patterns)] == sent.split()


def stages() -> list[str]:
    text = (FOLDER / "Dockerfile").read_text().replace("\\\n", "")
    return re.split(r"^FROM .*\n", text, flags=re.MULTILINE)[1:]


def test_the_image_gets_only_what_the_first_stage_made() -> None:
    first, last = stages()
    assert re.findall(r"^(?:COPY|ADD) .*", last, re.MULTILINE) == ["COPY --from=build /made /made"]
    written = re.findall(r"(?:--wheel-dir|>|>>|-o|cp .*|mv .*) (/made\S*)", first)
    assert written == ["/made", "/made/requirements.lock"]


def pinned() -> ModuleType:
    spec = spec_from_file_location("pinned", FOLDER / "pinned.py")
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_lock_of_the_image_has_only_what_it_needs() -> None:
    def report(*names: str) -> str:
        rows = [{"metadata": {"name": name}, "requested": name == "us"} for name in names]
        return json.dumps({"install": rows})

    lock = "a-b==1 \\\n    --hash=sha256:1\nc==2 \\\n    --hash=sha256:2\n"
    assert pinned().pinned(report("us", "A_b"), lock) == ["a-b==1 \\\n    --hash=sha256:1"]
    lock += "c==3 ; python_full_version >= '3.12' \\\n    --hash=sha256:3\n"
    assert len(pinned().pinned(report("us", "c"), lock)) == 2
    with pytest.raises(SystemExit, match="The lock has no d: make lock"):
        pinned().pinned(report("us", "d"), lock)


@pytest.mark.full
def test_image_is_built_from_the_context_where_there_is_no_node(tmp_path: Path) -> None:
    """The commands of both stages, without Docker; the wheel is the one that is built here."""
    context, made, tools = tmp_path / "context", tmp_path / "made", tmp_path / "tools"
    for path in tracked():
        if is_sent(path, IGNORED):
            (context / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / path, context / path)
    tools.mkdir()
    for name in ("sh", "sed", "mkdir"):
        (tools / name).symlink_to(str(shutil.which(name)))
    pythons: list[Path] = []
    for stage, end in zip(stages(), ("", "&& useradd"), strict=True):
        pythons.append(tmp_path / str(len(pythons)) / "bin")
        venv.create(pythons[-1].parent, with_pip=True)
        (command,) = re.findall(r"^RUN (.*)", stage, re.MULTILINE)
        if end:
            command, _, _ = command.partition(end)
        environment = {**os.environ, "PATH": f"{pythons[-1]}:{tools}"}
        done = subprocess.run(
            ["sh", "-ec", command.replace("/made", str(made))],
            cwd=context, env=environment, capture_output=True, text=True, timeout=600, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    (wheel,) = made.glob("*.whl")
    assert {file.name for file in made.iterdir()} == {wheel.name, "requirements.lock"}
    assert build(ROOT, tmp_path / "here", "wheel").returncode == 0
    assert wheel.read_bytes() == (tmp_path / "here" / wheel.name).read_bytes()
    with serving(pythons[1] / "python", tmp_path, "room.db") as opened:
        assert opened["address"].startswith("http://127.0.0.1:")
