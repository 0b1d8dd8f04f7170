"""What docs/protocol.md shows is what happens; and the example of a bot plays."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from queenhigh.server import protocol
from tests.server.people import Person
from tests.server.served import AT_ONCE, Served

Json = dict[str, Any]
ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "protocol.md").read_text()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    rooms = {
        name: {"rulebook": name, "pace": AT_ONCE} for name in ("california", "house", "roulette")
    }
    with Served(tmp_path_factory.mktemp("room") / "room.db", rooms=rooms) as room:
        yield room
        assert room.errors() == ""


def fits(shown: Any, real: Any) -> bool:
    """Tell whether what is shown is part of what came."""
    if shown == "…":
        return real is not None
    if isinstance(shown, dict) and isinstance(real, dict):
        return all(key in real and fits(value, real[key]) for key, value in shown.items())
    if isinstance(shown, list) and isinstance(real, list):
        return len(shown) == len(real) and all(map(fits, shown, real))
    return bool(shown == real)


def run_http(client: httpx.Client, block: str) -> None:
    lines = block.strip().splitlines()
    for asked, told in zip(lines[::2], lines[1::2], strict=True):
        method, path, *body = asked.split(" ", 2)
        answer = client.request(method, path, json=json.loads(body[0]) if body else None)
        status, *shown = told.split(" ", 1)
        assert answer.status_code == int(status), f"{asked}: {answer.text}"
        assert not shown or fits(json.loads(shown[0]), answer.json()), f"{asked}: {answer.text}"
        if cookie := answer.headers.get("set-cookie"):
            client.headers["Cookie"] = cookie.split(";")[0]


async def run_socket(served: Served, cookie: str, block: str) -> None:
    _, *lines = block.strip().splitlines()
    async with Person(served, "house", "Ann", cookie) as ann:
        #: Views and answers each come in order; which comes first is nobody's promise.
        seen = {"view": 0, "other": 0}
        for line in lines:
            who, text = line.split(" ", 1)
            if who == ">":
                await ann.send(text)
                continue
            shown = json.loads(text)
            kind = "view" if shown["type"] == "view" else "other"

            def found(shown: Any = shown, since: int = seen[kind]) -> list[int]:
                told = enumerate(map(json.loads, ann.heard))
                return [at for at, said in told if at >= since and fits(shown, said)]

            await ann.until(lambda found=found: bool(found()))  # type: ignore[misc]
            seen[kind] = found()[0] + (kind == "other")


def test_the_examples_are_what_happens(served: Served) -> None:
    blocks = re.findall(r"```(http|socket)\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 6
    with served.http() as client:
        for kind, block in blocks:
            if kind == "http":
                run_http(client, block)
            else:
                asyncio.run(run_socket(served, str(client.headers["Cookie"]), block))


def test_the_comparison_can_fail() -> None:
    assert fits({"a": "…", "b": [1]}, {"a": 1, "b": [1], "c": 2})
    assert not fits({"a": "…"}, {})
    assert not fits({"a": 1}, {"a": 2})
    assert not fits([1], [1, 2])


def test_every_command_is_in_the_table() -> None:
    listed = set(re.findall(r"^\| `([a-z_]+)` \| ", PAGE, re.MULTILINE))
    assert {protocol._name(kind) for kind in protocol._FOR_PLAYERS} <= listed


def test_every_route_of_the_floor_is_in_the_page(served: Served) -> None:
    with served.http() as client:
        paths = client.get("/openapi.json").json()["paths"]
    for path in paths:
        last = path.split("/")[-1].split("{")[0] or path.split("/")[-2]
        assert last.removesuffix(".") in PAGE, path


@pytest.mark.parametrize("table", ["house", "roulette", "california"])
def test_the_example_of_a_bot_plays(served: Served, table: str) -> None:
    bot = [sys.executable, str(ROOT / "examples" / "remote" / "bot.py"), served.address]
    # At the California table somebody else has to bank.
    with_table = [*bot, table, "2"]
    if table == "california":
        spec = {"name": "practice", "rulebook": "california", "bots": 4, "pace": "quick"}
        with served.floor() as floor:
            floor.post("/api/floor/tables", json=spec)
        with_table = [*bot, "practice", "1"]
    done = subprocess.run(with_table, capture_output=True, timeout=300, check=False, text=True)
    assert done.returncode == 0, done.stderr
    assert "'type': 'answer'" in done.stdout
    assert "refused" not in done.stdout
    code = (ROOT / "examples" / "remote" / "bot.py").read_text()
    lines = [
        line
        for line in code.splitlines()
        if line.strip() and not line.strip().startswith(("#", '"""'))
    ]
    assert len(lines) <= 75


@pytest.fixture
def bot() -> Json:
    """What the example of a bot defines, without the part that connects."""
    code = (ROOT / "examples" / "remote" / "bot.py").read_text().split("\naddress, table,")[0]
    defined: Json = {}
    exec(compile(code, "bot.py", "exec"), defined)
    return defined


def shown_round(phase: str, chain: int = 1, **more: Any) -> Json:
    hands = [{"place": 2, "wagers": [{"spot": "ante", "cents": 100}]}]
    round = {"round": 7, "chain": chain, "commitment": "aa" * 32, "hands": hands, **more}
    return {"table": "t", "phase": phase, "round": round}


def test_bot_commits_to_other_bytes_on_another_chain(bot: Json) -> None:
    first, second = (bot["own_seed"](shown_round("betting", chain), 2, "Ann") for chain in (1, 2))
    assert first["type"] == second["type"] == "commit_seed"
    assert len(set(bot["seeds"].values())) == 2


def test_bot_shows_its_seed_once_and_only_for_its_commitment(bot: Json) -> None:
    own = bot["own_seed"](shown_round("betting"), 2, "Ann")["commitment"]
    for committed, room in (({}, "aa"), ({"2": "00" * 32}, "aa"), ({"2": own}, "bb")):
        view = shown_round("revealing", committed=committed, commitment=room * 32)
        assert bot["own_seed"](view, 2, "Ann") is None
    view = shown_round("revealing", committed={"2": own})
    assert bot["own_seed"](view, 2, "Ann")["type"] == "show_seed"
    assert bot["own_seed"](view, 2, "Ann") is None
    assert bot["own_seed"](shown_round("betting"), 2, "Ann") is None


def test_bot_stops_if_a_round_changes_after_its_seed(bot: Json) -> None:
    own = bot["own_seed"](shown_round("betting"), 2, "Ann")["commitment"]
    view = shown_round("revealing", committed={"2": own})
    bot["own_seed"](view, 2, "Ann")
    bot["check"]({"table": "t", "last": {"round": view["round"]}}, 2, "Ann")
    changed = {**view["round"], "added": {"3": "lucky"}}
    with pytest.raises(SystemExit, match="round 7 was changed"):
        bot["check"]({"table": "t", "last": {"round": changed}}, 2, "Ann")
