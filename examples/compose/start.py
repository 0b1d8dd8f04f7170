"""Start one room with two processes on this machine, without Docker.

    python examples/compose/start.py [--db URL --keys FOLDER] [--port 8777] [--no-caddy]

It starts PostgreSQL in a temporary folder unless --db is given, two `queenhigh serve` processes,
and Caddy in front of them if it is installed. Ctrl-C ends all of them.
"""

import argparse
import json
import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PATIENCE = 60
NO_POSTGRES = "PostgreSQL is missing: run `apt-get install postgresql`, or use --db URL."
NO_CADDY = "Caddy is not installed (`apt-get install caddy`): use the ports of the processes."


@contextmanager
def running(
    name: str, command: list[str], how: signal.Signals = signal.SIGTERM, **options: Any
) -> Iterator["subprocess.Popen[str]"]:
    """Run a process; end it by its id afterwards."""
    # In a session of its own, Ctrl-C reaches only this script, which ends the others in order.
    process = subprocess.Popen(command, text=True, start_new_session=True, **options)
    print(f"{name}: process {process.pid}", flush=True)
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(how)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def free_port() -> int:
    """Return a port of this machine that is free."""
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        port: int = listening.getsockname()[1]
        return port


def wait_until_open(port: int, process: "subprocess.Popen[str]", name: str) -> None:
    """Wait until a process listens on a port."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and process.poll() is None:
        with socket.socket() as trying:
            if trying.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    sys.exit(f"{name} did not start.")


# PostgreSQL


def find_postgres() -> Path:
    """Return the folder of PostgreSQL's programs: on the PATH, or where Debian has them."""
    on_path = shutil.which("initdb")
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: path.parent.name)
    if not on_path and not folders:
        sys.exit(NO_POSTGRES)
    return Path(on_path).resolve().parent if on_path else folders[-1]


def other_user(folder: Path) -> dict[str, Any]:
    """Return the user that runs PostgreSQL, which refuses root; give them the folder."""
    if os.geteuid() != 0:
        return {}
    nobody = pwd.getpwnam("nobody")
    os.chown(folder, nobody.pw_uid, nobody.pw_gid)
    return {"user": nobody.pw_uid, "group": nobody.pw_gid, "extra_groups": []}


@contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """Run a PostgreSQL server in a folder; yield the URL of a database, without the password."""
    programs, port, password = find_postgres(), free_port(), secrets.token_hex(16)
    data, file = folder / "data", folder / "password"
    user: dict[str, Any] = {**other_user(folder), "cwd": folder}
    file.write_text(password)
    file.chmod(0o644)  # only the owner of the folder reaches it
    made = subprocess.run(
        [programs / "initdb", "--pgdata", data, "--username=room", "--pwfile", file,
         "--auth=scram-sha-256", "--encoding=UTF8", "--locale=C", "--no-sync"],
        stdout=subprocess.DEVNULL, check=False, **user,
    )  # fmt: skip
    if made.returncode:
        sys.exit("initdb failed.")
    command = [str(programs / "postgres"), "-D", str(data), "-p", str(port), "-k", str(folder),
               "-c", "listen_addresses=127.0.0.1", "-c", "logging_collector=off"]  # fmt: skip
    with (folder / "log").open("w") as log:
        os.environ["PGPASSWORD"] = password
        with running("PostgreSQL", command, signal.SIGINT, stderr=log, **user) as process:
            wait_until_open(port, process, "PostgreSQL")
            yield f"postgresql://room@127.0.0.1:{port}/postgres"


# The room


def start_room(stack: ExitStack, url: str, keys: Path, port: int, *more: str) -> dict[str, Any]:
    """Start a process of the room; return what it reports when it is open."""
    command = [sys.executable, "-m", "queenhigh", "serve", "--db", url, "--keys", str(keys),
               "--port", str(port), "--json", *more]  # fmt: skip
    name = f"room at port {port}"
    process = stack.enter_context(running(name, command, stdout=subprocess.PIPE))
    assert process.stdout is not None
    stack.callback(process.stdout.close)
    line = process.stdout.readline()
    if not line:
        sys.exit(f"The {name} did not start.")
    opened: dict[str, Any] = json.loads(line)
    return opened


def start_caddy(stack: ExitStack, folder: Path, port: int, ports: list[int]) -> str:
    """Start Caddy in front of the processes; return its address."""
    site, rooms = f"https://localhost:{port}", " ".join(f"127.0.0.1:{each}" for each in ports)
    environment = {**os.environ, "SITE": site, "ROOMS": rooms, "XDG_DATA_HOME": str(folder),
                   "XDG_CONFIG_HOME": str(folder)}  # fmt: skip
    command = ["caddy", "run", "--config", str(HERE / "Caddyfile"), "--adapter", "caddyfile"]
    log = stack.enter_context((folder / "caddy.log").open("w"))
    process = stack.enter_context(running("Caddy", command, stderr=log, env=environment))
    wait_until_open(port, process, "Caddy")
    return site


def start_all(options: argparse.Namespace, stack: ExitStack) -> None:
    """Start everything, and print where the room is."""
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="queenhigh-", dir="/tmp")))
    (folder / "postgres").mkdir(mode=0o700)
    folder.chmod(0o711)  # another user may run PostgreSQL
    url = options.db or stack.enter_context(postgres(folder / "postgres"))
    keys = options.keys or (Path("room.keys") if options.db else folder / "keys")
    has_caddy = not options.no_caddy and shutil.which("caddy") is not None
    ports = [port or free_port() for port in options.rooms]
    more = ["--behind-proxy"] if has_caddy else []
    rooms = [start_room(stack, url, keys, port, *more) for port in ports]
    addresses = [room["address"] for room in rooms]
    if has_caddy:
        addresses = [start_caddy(stack, folder, options.port or free_port(), ports)]
    else:
        print(NO_CADDY)
    token = next(filter(None, (room["floor_token"] for room in rooms)), None)
    if token:
        print(f"Floor token (shown only once): {token}")
    print(f"The room is open at {' and '.join(addresses)}. Press Ctrl-C to stop.", flush=True)


def main() -> None:
    """Start everything, and end it at Ctrl-C."""
    parser = argparse.ArgumentParser(description="Start one room with two processes.")
    parser.add_argument("--db", metavar="URL", help="PostgreSQL database; else a temporary one")
    parser.add_argument("--keys", type=Path, metavar="FOLDER", help="folder of the room's keys")
    parser.add_argument("--port", type=int, default=8777, help="port of Caddy; 0: a free one")
    parser.add_argument("--rooms", type=int, nargs=2, default=[8771, 8772], metavar="PORT",
                        help="ports of the processes; 0: a free one")  # fmt: skip
    parser.add_argument("--no-caddy", action="store_true", help="start no Caddy")
    options = parser.parse_args()
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        with ExitStack() as stack:
            start_all(options, stack)
            signal.pause()
    except KeyboardInterrupt:
        print("Everything has ended.")


if __name__ == "__main__":
    main()
