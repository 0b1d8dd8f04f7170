"""A PostgreSQL server for one test or one run; as a script: get its programs, or say how."""

import os
import pwd
import random
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Literal, LiteralString, Self

import psycopg
from psycopg import sql

#: What a folder has to contain to be one of PostgreSQL's.
PROGRAMS = ("initdb", "postgres", "psql", "pg_dump", "pg_basebackup")
#: Where they are when the PATH does not have them: Debian, Red Hat, Homebrew on either processor.
FOLDERS = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
MISSING = (
    "There is no PostgreSQL server, so its tests do not run: use `apt-get install postgresql` or"
    " `brew install postgresql`, or set POSTGRES_BIN to the folder of its programs."
)
#: A killed server must keep what it committed, so these settings save memory, and no flush.
SETTINGS = {
    "fsync": "on",
    "synchronous_commit": "on",
    "full_page_writes": "on",
    "shared_buffers": "16MB",
    "max_connections": "100",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
#: Debian starts a server of its own with every new version, unless it reads this.
NO_CLUSTER = Path("/etc/postgresql-common/createcluster.d/queenhigh.conf")
#: The system gives no such ports to outgoing connections, so a stopped server gets its own back.
PORTS = range(15_000, 32_000)
PATIENCE_S = 60
#: The shell that is the server's parent. It reads the name of a signal; when the process that
#: writes there ends without one, even by kill -9, it stops the server and removes its files.
KEEPER = """
folder=$1; shift
"$@" </dev/null >>"$folder/server.log" 2>&1 &
echo $!
exec >/dev/null 2>&1
if read -r signal; then
  kill -s "$signal" $!; wait $!
else
  kill -s QUIT $!; wait $!; rm -rf "$folder"
fi
"""
_SIGNALS = {"fast": "INT", "immediate": "QUIT"}


def find() -> Path | None:
    """Return the folder of PostgreSQL's programs: POSTGRES_BIN, the PATH, then usual places."""
    return next((folder for folder in _folders() if _is_complete(folder)), None)


def _folders() -> Iterator[Path]:
    said = os.environ.get("POSTGRES_BIN")
    if said:
        yield Path(said)
        return
    on_path = shutil.which("initdb")
    if on_path:
        yield Path(on_path).resolve().parent
    for pattern in FOLDERS:
        yield from sorted(Path("/").glob(pattern[1:]), key=_version, reverse=True)


def _version(folder: Path) -> int:
    """Return the version in a folder's name; Homebrew's newest has none."""
    number = re.search(r"\d+", str(folder))
    return int(number[0]) if number else sys.maxsize


def _is_complete(folder: Path) -> bool:
    return all(os.access(folder / name, os.X_OK) for name in PROGRAMS)


def get() -> None:
    """Install PostgreSQL by Debian's packages, without the server that they would start."""
    if not shutil.which("apt-get") or os.geteuid() != 0:
        return
    print("PostgreSQL is needed to test it as a store: it is being fetched.", flush=True)
    install = ["apt-get", "install", "--yes", "--no-install-recommends", "postgresql"]
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    NO_CLUSTER.parent.mkdir(parents=True, exist_ok=True)
    NO_CLUSTER.write_text("create_main_cluster = false\n")
    try:
        for command in (["apt-get", "update"], install):
            subprocess.run(command, capture_output=True, env=environment, check=False)
    finally:
        NO_CLUSTER.unlink()


class ServerFailed(Exception):
    """A server that did not start or stop; the message has the end of its log."""


class Databases:
    """The databases of a server that this process or another one has started."""

    def __init__(self, programs: Path, port: int, password: str) -> None:
        self.programs = programs
        self.port = port
        self.password = password

    def program(self, name: str) -> str:
        """Return the path of a program of the server's version, such as pg_dump."""
        return str(self.programs / name)

    def url(self, database: str = "postgres") -> str:
        """Return the URL of a database, with the password of the server."""
        return f"postgresql://postgres:{self.password}@127.0.0.1:{self.port}/{database}"

    def create_database(self, name: str) -> str:
        """Create an empty database and return its URL."""
        self._execute("CREATE DATABASE {} TEMPLATE template0", name)
        return self.url(name)

    def drop_database(self, name: str) -> None:
        """Drop a database, and disconnect everyone from it."""
        self._execute("DROP DATABASE IF EXISTS {} WITH (FORCE)", name)

    def _execute(self, statement: LiteralString, name: str) -> None:
        with psycopg.connect(self.url(), autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(name)))


class PostgresServer(Databases):
    """A PostgreSQL server on a port of its own, in a temporary folder of its own.

    It ends with the process that started it, however that process ends. Files that ``prepare``
    wrote save it most of the time of its first start.
    """

    def __init__(
        self, settings: Mapping[str, str] | None = None, *, prepared: Path | None = None
    ) -> None:
        programs = find()
        if programs is None:
            raise ServerFailed(MISSING)
        password = (prepared / "password").read_text() if prepared else secrets.token_hex(16)
        super().__init__(programs, _free_port(), password)
        self.folder = Path(tempfile.mkdtemp(prefix="queenhigh-pg-", dir=_open_folder()))
        self.data = self.folder / "data"
        self._settings = {**SETTINGS, **(settings or {})}
        self._prepared = prepared
        self._keeper: subprocess.Popen[str] | None = None
        self._pid = 0

    def __enter__(self) -> Self:
        try:
            self.start()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def is_running(self) -> bool:
        """Return whether the server was started and not stopped since."""
        return self._keeper is not None

    def start(self) -> None:
        """Start the server and wait until it takes connections; the first time, make its files."""
        if self.is_running:
            return
        if not self.data.exists():
            self.initialize()
            self._configure()
        command = ["/bin/sh", "-c", KEEPER, "sh", str(self.folder)]
        command += [self.program("postgres"), "-D", str(self.data)]
        # In a session of its own an interrupt from the keyboard does not reach it.
        self._keeper = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=self.folder,
            start_new_session=True, **_credentials(),
        )  # fmt: skip
        assert self._keeper.stdout is not None
        self._pid = int(self._keeper.stdout.readline())
        self._wait(self._is_ready, "start")

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stop the server: fast ends every session and writes a checkpoint; immediate does not."""
        self._end(_SIGNALS[mode])

    def kill(self) -> None:
        """Kill the server and every process it started with kill -9, as a crash does."""
        if not self.is_running:
            return
        # A stopped process starts no others while its children are listed.
        os.kill(self._pid, signal.SIGSTOP)
        children = [pid for pid, (parent, _) in _processes().items() if parent == self._pid]
        self._end("KILL")
        for child in children:
            _kill(child)
        # A new server refuses to start as long as a child of the old one uses its memory.
        self._wait(lambda: not _alive(children), "end")

    def restart(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stop the server and start it again, on the same port."""
        self.stop(mode)
        self.start()

    def close(self) -> None:
        """Stop the server and remove its files."""
        try:
            self.stop("immediate")
        finally:
            shutil.rmtree(self.folder, ignore_errors=True)

    def log(self) -> str:
        """Return what the server has logged."""
        file = self.folder / "server.log"
        return file.read_text(errors="replace") if file.exists() else ""

    def initialize(self) -> None:
        """Make the server's files, or copy prepared ones."""
        _give_away(self.folder)
        if self._prepared is None:
            self._run_initdb()
            return
        shutil.copytree(self._prepared / "data", self.data)
        for path in (self.data, *self.data.rglob("*")):
            _give_away(path)

    def _run_initdb(self) -> None:
        password = self.folder / "password"
        password.write_text(self.password)
        _give_away(password)
        options = ["--pgdata", str(self.data), "--username", "postgres", "--pwfile", str(password)]
        options += ["--auth", "scram-sha-256", "--locale", "C", "--encoding", "UTF8", "--no-sync"]
        done = subprocess.run(
            [self.program("initdb"), *options], cwd=self.folder, capture_output=True, text=True,
            timeout=PATIENCE_S, check=False, **_credentials(),
        )  # fmt: skip
        if done.returncode:
            raise ServerFailed(f"initdb failed:\n{done.stderr}")
        password.unlink()

    def _configure(self) -> None:
        settings = {
            "listen_addresses": "127.0.0.1",
            "port": str(self.port),
            "unix_socket_directories": str(self.folder),
            **self._settings,
        }
        with (self.data / "postgresql.conf").open("a") as file:
            file.writelines(f"{name} = '{value}'\n" for name, value in settings.items())

    def _is_ready(self) -> bool:
        """Return whether the server has written that it is; a file of a killed one has its pid."""
        assert self._keeper is not None
        if not _alive([self._pid]):
            self._end("QUIT")
            raise ServerFailed(f"PostgreSQL did not start:\n{self._last_words()}")
        try:
            lines = (self.data / "postmaster.pid").read_text().splitlines()
        except FileNotFoundError:
            return False
        return len(lines) > 7 and int(lines[0]) == self._pid and lines[7].strip() == "ready"

    def _end(self, name: str) -> None:
        """Send a signal to the server and wait until it has ended."""
        keeper, self._keeper = self._keeper, None
        if keeper is None:
            return
        try:
            keeper.communicate(f"{name}\n", timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            _kill(self._pid)
            keeper.communicate(timeout=PATIENCE_S)
            raise ServerFailed(f"PostgreSQL did not stop:\n{self._last_words()}") from None

    def _wait(self, is_so: Callable[[], bool], verb: str) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while not is_so():
            if time.monotonic() > deadline:
                self._end("KILL")
                raise ServerFailed(f"PostgreSQL did not {verb}:\n{self._last_words()}")
            time.sleep(0.02)

    def _last_words(self) -> str:
        return "\n".join(self.log().splitlines()[-20:])


def prepare(folder: Path) -> None:
    """Write the files of a new server to a folder, so that others start from a copy."""
    server = PostgresServer()
    try:
        server.initialize()
        shutil.move(server.data, folder / "data")
        (folder / "password").write_text(server.password)
    finally:
        server.close()


def _free_port() -> int:
    for port in random.SystemRandom().sample(PORTS, 100):
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise ServerFailed("no port is free")


@cache
def _unprivileged() -> pwd.struct_passwd | None:
    """Return the user that runs the server for root, whom PostgreSQL refuses."""
    return pwd.getpwnam("nobody") if os.geteuid() == 0 else None


def _credentials() -> dict[str, Any]:
    user = _unprivileged()
    return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []} if user else {}


def _give_away(path: Path) -> None:
    user = _unprivileged()
    if user:
        os.chown(path, user.pw_uid, user.pw_gid)


def _open_folder() -> str | None:
    """Return a folder for temporary files that the server's user reaches; None: the usual one."""
    usual = Path(tempfile.gettempdir()).resolve()
    closed = [folder for folder in (usual, *usual.parents) if not folder.stat().st_mode & 0o001]
    return "/tmp" if closed and _unprivileged() else None


def _processes() -> dict[int, tuple[int, str]]:
    """Return the parent and the state of every process, by its id."""
    if Path("/proc/self/stat").exists():
        return dict(_read_proc())
    command = ["ps", "-A", "-o", "pid=,ppid=,state="]
    printed = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout
    rows = (line.split() for line in printed.splitlines())
    return {int(pid): (int(parent), state[0]) for pid, parent, state in rows}


def _read_proc() -> Iterator[tuple[int, tuple[int, str]]]:
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except (FileNotFoundError, ProcessLookupError):
            continue  # it has ended since
        yield int(folder.name), (int(parent), state)


def _alive(pids: list[int]) -> bool:
    """Return whether one of these runs: a zombie, which nobody has waited for, does not."""
    processes = _processes()
    return any(processes.get(pid, (0, "Z"))[1] != "Z" for pid in pids)


def _kill(pid: int) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)


if __name__ == "__main__":
    if find() is None and not os.environ.get("POSTGRES_BIN"):
        get()
    if find() is None:
        print(MISSING)
