"""For any change of a log both verifiers name the same event, or accept it and count the same.

A changed log may well be a true one: another moment, another id, a round that is not over.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from queenhigh.store.sqlite import SqliteStore
from queenhigh.verify.log_file import write_log
from tests.seeds import rng
from tests.sizes import sized
from tests.table.random_play import BOOKS, RandomPlay
from tests.verify.forging import Json, chained
from tests.verify.verifiers import BOTH

GAMES = ("california", "net, drawn", "house", "en prison")
FORGERIES = sized(8, 50, 600)  # of each game


def play(book: str, seed: int, folder: Path) -> list[Json]:
    """Return the lines of a log of random commands."""
    store, log = SqliteStore(folder / "room.db"), folder / "played.jsonl"
    random_play = RandomPlay(store, BOOKS[book], seed)
    for _ in range(200):
        random_play.step()
    store.close()
    with log.open("w", encoding="utf-8") as out:
        write_log(folder / "room.db", out)
    return [json.loads(line) for line in log.read_bytes().splitlines()]


def another_text(text: str, draw: Random) -> str:
    if len(text) != 64:
        return draw.choice((text + "x", "floor", "clock", "ann", "", "3"))
    index = draw.randrange(64)
    return draw.choice((text[:index] + draw.choice("05afA") + text[index + 1 :], "", text[:-2]))


def change(event: Any, draw: Random) -> None:
    """Change a field; reasons are words that only people read."""
    name = draw.choice([name for name in event if name != "reason"])
    value = event[name]
    if draw.random() < 0.08:
        del event[name]
    elif name == "type":
        event[name] = value[:-1] + ("1" if value[-1] == "2" else "2")
    elif isinstance(value, bool):
        event[name] = not value
    elif isinstance(value, int):
        event[name] = value + draw.choice((-1, 1, 1000))
    elif isinstance(value, str):
        event[name] = another_text(value, draw)
    elif isinstance(value, list) and value and isinstance(value[0], dict):
        change(draw.choice(value), draw)
    elif isinstance(value, list) and value:
        value[draw.randrange(len(value))] += 1
    else:
        event[name] = {}


def forgeries(rows: list[Json], draw: Random) -> Iterator[tuple[str, list[Json]]]:
    """Yield logs with an event changed, left out, doubled or swapped, and all numbered again."""
    for _ in range(FORGERIES):
        forged = deepcopy(rows)
        index, other = (draw.randrange(len(rows) - 1) for _ in range(2))
        how = draw.choice(("change", "change", "change", "leave out", "double", "exchange"))
        if how == "change":
            event = json.loads(forged[index]["event"])
            change(event, draw)
            forged[index]["event"] = json.dumps(event, ensure_ascii=False, separators=(",", ":"))
        elif how == "leave out":
            del forged[index]
        elif how == "double":
            forged.insert(index, deepcopy(forged[index]))
        else:
            one, two = forged[index], forged[other]
            one["event"], two["event"] = two["event"], one["event"]
        versions: dict[str, int] = {}
        for n, row in enumerate(forged[:-1], 1):
            versions[row["stream"]] = versions.get(row["stream"], 0) + 1
            row["n"], row["version"] = n, versions[row["stream"]]
        yield f"{how} event {index + 1}: {forged[index].get('event', '')[:200]}", forged


def disagreements(book: str, folder: Path) -> Iterator[str]:
    """Yield the forgeries of which the verifiers do not say the same."""
    draw, file = rng(book), folder / "log.jsonl"
    rows = play(book, draw.getrandbits(32), folder)
    for what, forged in forgeries(rows, draw):
        file.write_bytes(b"".join(chained(forged)))
        verdicts = [verify(file, check_head=False) for verify in BOTH.values()]
        package, other = (verdict._replace(reason=None) for verdict in verdicts)
        if (package.ok, package.n) != (other.ok, other.n) or (package.ok and package != other):
            yield f"{what}: {verdicts}"


@pytest.mark.parametrize("book", GAMES)
def test_both_name_the_same_event(book: str, tmp_path: Path) -> None:
    assert list(disagreements(book, tmp_path)) == []


def test_verifiers_that_disagree_are_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    right = BOTH["other"]

    def late(file: Path, *, check_head: bool = True) -> Any:
        verdict = right(file, check_head=check_head)
        return verdict if verdict.n is None else verdict._replace(n=verdict.n + 1)

    monkeypatch.setitem(BOTH, "other", late)
    assert next(disagreements("house", tmp_path), "")
