"""What every command prints with --json keeps to docs/json.md: one type and meaning for a key."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import asdict
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import queenhigh as qh
from queenhigh.cli import cli
from queenhigh.room.room import Room, now
from queenhigh.server.serve import Opened
from queenhigh.store.sqlite import SqliteStore
from queenhigh.table.commands import FLOOR, CloseTable
from tests.commands.test_every_command import leaves
from tests.games.test_settle_format import EXAMPLE
from tests.in_process import call
from tests.staffed_room import make_staffed_room
from tests.verify.ruled_rooms import banked

PAGE = Path(__file__).parents[2] / "docs" / "json.md"
KINDS = dict(re.findall(r"^\| `(\w+)` \| (.+?) \| .+ \|$", PAGE.read_text(), re.MULTILINE))
SPIN = {
    "id": "s1",
    "pocket": "0",
    "wagers": [
        {"player": "p1", "bet": "red", "stake": 100},
        {"player": "p1", "bet": "odd", "stake": 100, "in_prison": True},
    ],
}
#: A receipt that no room gave.
FORGED = {"key": "00" * 32, "epoch": 0, "stream": "table/california", "version": 1,
          "hash": "00" * 32, "signature": "00" * 64}  # fmt: skip

pytestmark = pytest.mark.usefixtures("covariance_counted_once")


def close_table(file: Path, name: str) -> None:
    with closing(SqliteStore(file)) as store:
        Room(store).table(name).execute(CloseTable(id="close", by=FLOOR, at=now(), reason="late"))


def parsed(text: str) -> Any:
    """Return what was printed; a list if each line is JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines()]


def outputs(folder: Path) -> dict[tuple[str, ...], Any]:
    """Run every command that has --json, in a few ways, and return what each printed."""
    bad, room = folder / "bad.toml", folder / "room.db"
    bad.write_text('game = "roulette"\n')
    staffed, corrected = make_staffed_room(folder / "staffed.db"), folder / "corrected.db"
    with closing(SqliteStore(corrected)) as store:
        banked(store)
    log, receipt = folder / "log.jsonl", folder / "receipt.json"
    receipt.write_text(json.dumps(FORGED))
    run = ("--engine", "scalar", "--rounds", "20", "--seed", "1")
    prison = ("roulette-european", "--set", "on_zero=en_prison")
    commands: list[tuple[tuple[str, ...], str]] = [
        (("rules",), ""),
        (("rules", "california", "--set", "tie=win"), ""),
        (("rules", "roulette-european"), ""),
        (("rules", "--check", "house"), ""),
        (("rules", "--check", str(bad)), ""),
        (("settle", "california"), EXAMPLE),
        (("settle", *prison), json.dumps(SPIN)),
        (("desk", "california"), f"{EXAMPLE}\nsettle\nbank 1\n9 5\n"),
        (("odds", "california"), ""),
        (("odds", *prison), ""),
        (("strategy", "california"), ""),
        (("strategy", "house", "--set", "up=2"), ""),
        (("strategy", "house", "--hand", "Qs 6d 4c"), ""),
        (("sheet", "fees", "california"), ""),
        (("sheet", "felt", "roulette"), ""),
        (("compare", "california", "house"), ""),
        (("compare", "roulette", "roulette-european"), ""),
        (("assumptions", "california", "--rounds", "1000"), ""),
        (("assumptions", "roulette-european"), ""),
        (("bank", "house", "--seats", "2"), ""),
        (("bank", "california"), ""),
        (("simulate", "california", "--seats", "2", "--bank", "900", *run), ""),
        (("simulate", "roulette", *run), ""),
        (("table", "run", "california", "--bots", "3", "--rounds", "2", "--db", str(room)), ""),
        (("table", "run", "roulette", "--bots", "1", "--rounds", "2", "--db", str(room)), ""),
        (("table", "recall", str(room), "--player", "Ben"), ""),
        (("verify", str(room), "--round", "california/1"), ""),
        (("verify", str(corrected), "--round", "t/1"), ""),
        (("verify", str(log)), ""),
        (("verify", str(room), "--receipt", str(receipt)), ""),
        (("backup", str(room), str(folder / "copy.db")), ""),
        (("restore", str(folder / "copy.db"), str(folder / "again.db")), ""),
        (("archive", str(room), "--to", str(folder / "a.qha")), ""),
        (("archive", str(room), "--to", str(folder / "b.qha"), "--remove"), ""),
        (("copy", str(room), str(folder / "moved.db")), ""),
        (("db", "upgrade", str(room)), ""),
        (("staff", "list", "--db", str(staffed)), ""),
        (("staff", "password", "Olga", "--codes-off", "--db", str(staffed)), "long enough\n"),
    ]
    printed: dict[tuple[str, ...], Any] = {}
    for words, stdin in commands:
        if words == ("verify", str(log)):
            lines = call("table", "export", str(room), "--as", "log").stdout.splitlines()
            log.write_text("\n".join([*lines[:5], *lines[6:]]))
        if words[0] == "restore":
            close_table(room, "roulette")
        done = call(*words, "--json", stdin=stdin)
        assert done.stdout, (words, done.stderr)
        printed[words] = parsed(done.stdout)
    return printed | {
        ("serve",): asdict(Opened("http://127.0.0.1:8777", ("house",), "token", "ab" * 32))
    }


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, ...], Any]:
    return outputs(tmp_path_factory.mktemp("json"))


PLAIN: dict[str, Callable[[Any], bool]] = {
    "text": lambda value: isinstance(value, str),
    "true or false": lambda value: isinstance(value, bool),
    "count": lambda value: type(value) is int,
    "cents": lambda value: type(value) is int,
    "number": lambda value: type(value) in (int, float),
    "fraction": lambda value: isinstance(value, str) and str(Fraction(value)) == value,
    "value": lambda value: True,
    "record": lambda value: isinstance(value, dict | list) and not list(floats(value)),
}


def complaints(value: Any, kind: str) -> Iterator[str]:
    """Yield what is not as the page says, with the keys that lead there."""
    kind, or_null, _ = kind.partition(" or null")
    inner, _, named = kind.rpartition(" by ")
    if value is None and or_null:
        return
    if kind in PLAIN:
        if not PLAIN[kind](value):
            yield f"{value!r:.60} is not {kind}"
    elif named and inner and isinstance(value, dict):
        for name, item in value.items():
            yield from (f"{name}: {complaint}" for complaint in complaints(item, inner))
    elif kind.startswith("list of ") and isinstance(value, list | tuple):
        for item in value:
            yield from complaints(item, kind.removeprefix("list of "))
    elif kind == "object" and isinstance(value, dict):
        for key, item in value.items():
            known_kind = KINDS.get(key, "a key of the page")
            yield from (f"{key}: {complaint}" for complaint in complaints(item, known_kind))
    else:
        yield f"{value!r:.60} is not {kind}"


def floats(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from floats(item)
    elif isinstance(value, float):
        yield value


def keys(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield key
            if KINDS.get(key) not in ("record", "record or null"):
                yield from keys(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from keys(item)


def test_every_command_with_json_is_covered(printed: dict[tuple[str, ...], Any]) -> None:
    ran = {words[:2] if words[0] in ("table", "db", "staff") else words[:1] for words in printed}
    with_json = {
        path
        for path, command in leaves(cli)
        if any(option.name == "as_json" for option in command.params)
    }
    assert ran == with_json


def test_every_key_has_its_documented_type(printed: dict[tuple[str, ...], Any]) -> None:
    wrong = []
    for words, value in printed.items():
        kind = "record" if words[:2] == ("table", "recall") else "object"
        for item in value if isinstance(value, list) else [value]:
            wrong += [f"{' '.join(words)}: {complaint}" for complaint in complaints(item, kind)]
    assert not wrong, "\n".join(wrong[:20])


def test_every_documented_key_is_printed(
    printed: dict[tuple[str, ...], Any],
) -> None:
    shown = {
        key for words, value in printed.items() if "recall" not in words for key in keys(value)
    }
    assert set(KINDS) <= shown
    assert list(KINDS) == sorted(KINDS)


@pytest.mark.parametrize(
    ("value", "kind", "complaint"),
    [
        (0.5, "fraction", "0.5 is not fraction"),
        ("2/4", "fraction", "'2/4' is not fraction"),
        (5.0, "cents", "5.0 is not cents"),
        (True, "count", "True is not count"),
        ({"edge": 0.5}, "object", "edge: 0.5 is not fraction"),
        ({"colour": 1}, "object", "colour: 1 is not a key of the page"),
        ({"edges": {"red": 1}}, "object", "edges: red: 1 is not fraction"),
        ({"gains": [[1, 2.5]]}, "object", "gains: 2.5 is not count"),
        ({"at": [1.5]}, "record", "is not record"),
    ],
)
def test_a_wrong_value_is_caught(value: Any, kind: str, complaint: str) -> None:
    assert complaint in next(complaints(value, kind))


def test_exact_figures_agree_between_commands(printed: dict[tuple[str, ...], Any]) -> None:
    odds = printed["odds", "california"]["bets"]
    compared = printed["compare", "california", "house"]["edges"]
    assert {name: bet["edge"] for name, bet in odds.items()} == compared
    assert printed["bank", "california"]["player_edge"] == odds["ante"]["edge"]
    assert odds["ante"]["edge"] == str(qh.odds(qh.load("california")).bets["ante"].edge)


def test_sufficient_bank_is_reported() -> None:
    words = ("simulate", "california", "--rounds", "9", "--seed", "1", "--engine", "scalar")
    plenty = ("--bank", "$1000")
    assert json.loads(call(*words, *plenty, "--json").stdout)["bank"] == 100_000
    assert "The bank of $1,000.00 covers every wager." in call(*words, *plenty).stdout
    assert json.loads(call(*words, "--json").stdout)["bank"] is None
    assert "The bank covers every wager." in call(*words).stdout
