"""The room that all tests of a worker share; each test opens tables of its own in it."""

from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import queenhigh as qh
from tests.server.running_server import GENEROUS, RunningServer

#: Nothing closes by the clock while a test looks on, however busy the machine is.
_PATIENT = {"offer": 600_000, "bets": 600_000, "moves": 600_000}
#: The next round begins at once.
AT_ONCE = {"pause": 0, **_PATIENT}
#: The felt keeps a round for a second.
UNHURRIED = {"pause": 1_000, **_PATIENT}
#: The felt keeps a round for so long that a test can look at it.
LINGERING = {"pause": 60_000, **_PATIENT}
#: The server knows three paces by name.
PACES = {"quick": UNHURRIED, "normal": LINGERING, "slow": AT_ONCE}
#: Nobody sits down at these; they are there to be seen in the lobby.
STANDING = [
    {"name": "california", "rulebook": "california", "bots": 4, "pace": "quick"},
    {"name": "house", "rulebook": "house", "bots": 2, "pace": "quick"},
    {"name": "roulette", "rulebook": "roulette", "bots": 2, "pace": "quick"},
]
#: Numbers of a bet that no layout has a place for.
SNAKE = [1, 5, 9, 12, 14, 16, 19, 23, 27, 30, 32, 34]

#: The clock of a lone guest runs, so that tests see it; a room with ``constants={}`` stops it.
_CLOCK_RUNS = {"presence": {"STOPS_CLOCK": False}}

Pace = Mapping[str, int]


class Room(RunningServer):
    """A room in which tests open tables; what a test has opened is closed after it."""

    def __init__(self, db: Path, **wanted: Any) -> None:
        usual = {"standing": STANDING, "paces": PACES, "constants": _CLOCK_RUNS}
        many = {"tables": 10_000, "tables_each": 10_000, "tables_of_guest": 10_000}
        limits = {"limits": {**GENEROUS, **many}}
        super().__init__(db, **{**usual, **limits, **wanted})
        self._numbers = count(1)
        self._opened: list[str] = []

    def open_table(
        self,
        rulebook: str,
        changes: Mapping[str, object] | None = None,
        *,
        pace: Pace = AT_ONCE,
        bots: int = 0,
        name: str | None = None,
    ) -> str:
        """Open a table by a rulebook with changes, where only bots sit; return its name."""
        name = name or f"{rulebook}-{next(self._numbers)}"
        (paced,) = [known for known, meant in PACES.items() if meant == pace]
        spec = {"name": name, "rulebook": rulebook, "set": changes or {}}
        self.order("tables", **spec, pace=paced, bots=bots)
        self._opened.append(name)
        return name

    def order(self, path: str, **said: object) -> None:
        """Do something that only the floor may do, at ``/api/floor/<path>``."""
        with self.floor() as floor:
            answer = floor.post(f"/api/floor/{path}", json=said)
        assert answer.is_success, answer.text

    def close_tables(self) -> None:
        """Close what was opened: a round under way is voided, so that no table stays."""
        with self.floor() as floor:
            for name in self._opened:
                for what in ("void", "close"):  # refused where there is no round, or no table
                    floor.post(
                        f"/api/floor/tables/{name}/{what}", json={"reason": "a test is over"}
                    )
        self._opened.clear()


def shared_room(folder: Path) -> Room:
    """Return a room with a few tables that cannot be opened while it is served, for one test each.

    ``snake`` is a wheel with a bet that no layout has a place for, at ``hurried`` bets close soon,
    and at ``fleeting`` hands are folded soon.
    """
    added = f'[[bets]]\nclause = "RO-1"\nname = "snake"\ncovers = {SNAKE}\npays = "2 to 1"\n\n'
    shipped = (Path(qh.__file__).parent / "rulebooks" / "roulette.toml").read_text()
    edited = folder / "edited.toml"
    custom = shipped.replace('name = "roulette"', 'name = "edited"', 1)
    edited.write_text(custom.replace("[[refused]]", f"{added}[[refused]]", 1))
    rooms = {
        "snake": {"rulebook": str(edited), "pace": AT_ONCE},
        "hurried": {"rulebook": "roulette", "pace": {**AT_ONCE, "bets": 4_000}},
        "fleeting": {"rulebook": "house", "pace": {**AT_ONCE, "pause": 500, "moves": 1_500}},
    }
    return Room(folder / "room.db", rooms=rooms)
