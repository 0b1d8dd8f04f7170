"""Every command runs and ends well, on a room of its own; `make lowest` runs this first."""

import os
import shlex
import signal
from collections.abc import Iterator
from pathlib import Path
from subprocess import PIPE, Popen

import click
import httpx
import pytest

from queenhigh.cli import cli
from tests.commands.test_command_line import COMMAND, run
from tests.games.test_settle_format import EXAMPLE
from tests.in_process import call
from tests.room.test_archive import play_on
from tests.server.test_old_stores import COMMITS, unpack
from tests.staffed_room import make_staffed_room

#: In a folder with a staffed room, a room with a closed table, one of an older version, a
#: settled round and a password. `<` is what a command reads from standard input.
LINES = """
rules california
odds california
strategy house --chart chart.html
bank house --seats 2
compare california house
assumptions roulette-european
sheet strategy house --pdf sheet.pdf
simulate california --rounds 1e4 --seed 1 --engine compiled --out rounds.parquet
simulate california --rounds 1e4 --seed 1 --cluster local
settle california < round.jsonl
desk california < round.jsonl
table run house --bots 3 --rounds 3 --seed 1 --db room.db
table run house --bots 3 --rounds 3 --seed 1 --db {postgres} --keys keys
table recall room.db --player Ada
table export room.db
verify room.db
verify {postgres}
backup room.db copy.qhb
restore copy.qhb restored.db
copy room.db moved.db
archive closed.db --to closed.qha
db upgrade old/room.db
staff list --db room.db
staff password Olga --db room.db < password
"""


def leaves(group: click.Group, *path: str) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Return every command with its words."""
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from leaves(command, *path, name)
        else:
            yield (*path, name), command


def serve(folder: Path) -> None:
    """Serve a room, read a page of it, and end it."""
    words = [*COMMAND, "serve", "--db", "served.db", "--port", "0", "--json"]
    with Popen(words, cwd=folder, stdout=PIPE) as process:
        try:
            assert process.stdout is not None
            address = httpx.Response(200, content=process.stdout.readline()).json()["address"]
            for path in ("/", "/api/room", "/openapi.json"):
                assert httpx.get(f"{address}{path}", timeout=300).status_code == 200
        finally:
            os.kill(process.pid, signal.SIGTERM)
    assert process.returncode == 0


@pytest.mark.full
def test_every_command_ends_well(tmp_path: Path, postgres_url: str) -> None:
    make_staffed_room(tmp_path / "room.db")
    play_on(tmp_path / "closed.db", "house", 1, close=True)
    unpack(COMMITS[0], tmp_path / "old")
    (tmp_path / "round.jsonl").write_text(EXAMPLE)
    (tmp_path / "password").write_text("another password")
    serve(tmp_path)
    left = {" ".join(path) for path, _ in leaves(cli)} - {"serve"}
    for line in LINES.strip().splitlines():
        command, _, read = line.format(postgres=postgres_url).partition(" < ")
        stdin = (tmp_path / read).read_bytes() if read else b""
        way = run if "--cluster" in command else call  # Ray leaves files open in its process
        done = way(*shlex.split(command), stdin=stdin, cwd=tmp_path)
        assert done.returncode == 0, f"{line}: {done.stderr}"
        left -= {name for name in left if command.startswith(name)}
    assert not left
