"""Bots play on a store while the process is killed, again and again.

The child says what was acknowledged, and when it starts what it found. Whatever it had said must
be in the store, once; whatever was under way must go on with the same cards and the same holds.
"""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any

import pytest

from queenhigh.room.room import Room
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.events import CardsDealt, RoundOpened2, TableEvent, decode
from tests.room.bots_to_kill import summary
from tests.sizes import sized
from tests.verify.verifiers import BOTH

KILLS = sized(10, 25, 200)
CHILD = Path(__file__).parent / "bots_to_kill.py"
TABLES = ("california", "house", "roulette-european")


class Killing:
    """A store, and what is known of it so far."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.checked = dict.fromkeys(TABLES, 0)
        self.ranges: dict[tuple[str, str, str], tuple[int, int]] = {}
        self.acknowledged: dict[tuple[str, str, str], tuple[int, int]] = {}
        self.opened: dict[tuple[str, int], int] = {}
        self.dealt: dict[tuple[str, int], tuple[int, ...]] = {}
        self.before: dict[str, Any] = {}

    @contextmanager
    def running(self) -> Iterator[None]:
        """Have a process at hand that starts the bots."""
        command = [sys.executable, str(CHILD), "--again", str(self.file), *TABLES]
        with subprocess.Popen(command, stdin=PIPE, stdout=PIPE, text=True) as self._starter:
            yield

    def run_and_kill(self, after: int) -> None:
        """Run the bots until they have acknowledged so many commands; then kill their process."""
        assert self._starter.stdin is not None
        assert self._starter.stdout is not None
        print(file=self._starter.stdin, flush=True)
        process, heard = json.loads(self._starter.stdout.readline())["process"], 0
        for line in self._starter.stdout:
            if line == f'{{"ended": {process}}}\n':
                break
            if not line.endswith("}\n"):
                continue
            self._hear(line)
            heard += 1
            if heard == after + len(TABLES):
                os.kill(process, signal.SIGKILL)
        assert heard >= after + len(TABLES), "the bots ended too early"

    def _hear(self, line: str) -> None:
        said = json.loads(line)
        if "resumed" in said:
            expected = self.before.get(said["resumed"])
            assert expected is None or said["state"] == expected, "it goes on where it was"
        else:
            key = (said["table"], said["by"], said["id"])
            self.acknowledged[key] = (said["first"], said["last"])

    def look(self) -> None:
        """Look at what is on disk: everything acknowledged, nothing twice."""
        store = SqliteStore(self.file)
        try:
            for table in TABLES:
                for row in store.read(f"table/{table}", self.checked[table]):
                    self._take(table, row.version, decode(row.event))
                    self.checked[table] = row.version
            room = Room(store)
            self.before = {name: summary(room.table(name).committed) for name in room.tables()}
        finally:
            store.close()
        for key, span in self.acknowledged.items():
            assert self.ranges.get(key) == span, f"{key} was acknowledged as {span}"

    def _take(self, table: str, version: int, event: TableEvent) -> None:
        if event.id:
            key = (table, event.by, event.id)
            first, last = self.ranges.get(key, (version, version - 1))
            assert last == version - 1, f"{key} was applied twice"
            self.ranges[key] = (first, version)
        if isinstance(event, RoundOpened2):
            assert (table, event.round) not in self.opened, "a round opens once"
            self.opened[table, event.round] = event.link
        if isinstance(event, CardsDealt):
            assert (table, event.round) not in self.dealt, "a round is dealt once"
            self.dealt[table, event.round] = event.cards


def test_nothing_is_lost_or_doubled_by_kills(tmp_path: Path) -> None:
    draw = Random(17)
    killing = Killing(tmp_path / "room.db")
    under_way = 0
    with killing.running():
        for _ in range(KILLS):
            after = draw.choice((1, 3, draw.randint(1, 60), draw.randint(1, 150)))
            killing.run_and_kill(after)
            killing.look()
            under_way += sum(each["phase"] != "between" for each in killing.before.values())
    assert under_way > KILLS // 4, "hardly any round was under way when it was killed"
    assert len(killing.acknowledged) > 10 * KILLS
    for name, verify in BOTH.items():
        verdict = verify(killing.file)
        assert verdict.ok, f"{name}: event {verdict.n}: {verdict.reason}"
        assert verdict.rounds >= len(killing.opened) - len(TABLES)


def test_lost_acknowledgement_is_noticed(tmp_path: Path) -> None:
    """The control: an acknowledged command that is not there, and one that is there twice."""
    killing = Killing(tmp_path / "room.db")
    with killing.running():
        killing.run_and_kill(after=30)
    killing.acknowledged["california", "Ada", "no such command"] = (1, 1)
    with pytest.raises(AssertionError, match="was acknowledged as"):
        killing.look()
    key = next(iter(killing.ranges))
    event = RoundOpened2(at=0, by=key[1], id=key[2], round=1, chain=1, link=1, commitment="")
    with pytest.raises(AssertionError, match="applied twice"):
        killing._take(key[0], 10**6, event)
