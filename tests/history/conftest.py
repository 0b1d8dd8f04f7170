"""Stores that tests of the index share: they are only read."""

from pathlib import Path

import pytest

from tests.history.made_once import made_once
from tests.history.stores import ROUNDS, go_wild, make_ready, play_all


def _make_bots(folder: Path) -> None:
    play_all(folder / "room.db", ROUNDS)
    make_ready(folder / "room.db")


def _make_few(folder: Path) -> None:
    play_all(folder / "room.db", 12)
    make_ready(folder / "room.db")
    play_all(folder / "other.db", 3, seed=9)
    make_ready(folder / "other.db")


def _make_wild(folder: Path) -> None:
    go_wild(folder / "room.db")
    make_ready(folder / "room.db")


@pytest.fixture(scope="session")
def bots(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store in which bots have played all three games."""
    return made_once(tmp_path_factory, "bots", _make_bots) / "room.db"


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store with some rounds, for what does not depend on how many there are."""
    return made_once(tmp_path_factory, "few", _make_few) / "room.db"


@pytest.fixture(scope="session")
def wild(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a store of players who send random commands."""
    return made_once(tmp_path_factory, "wild", _make_wild) / "room.db"


@pytest.fixture(params=["bots", "wild"])
def played(request: pytest.FixtureRequest) -> Path:
    """Return a store of bots, and one of people."""
    file: Path = request.getfixturevalue(request.param)
    return file
