"""The examples in docs/protocol.md are real, and the example of a bot plays."""

import asyncio
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import httpx
import pytest

from queenhigh.server import protocol
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer
from tests.simulation.compile_once import compile_engine

Json = dict[str, Any]
ROOT = Path(__file__).parent.parent.parent
SEED = b"seven" * 6 + b"!!"
LINK = (b"queenhigh/link/1", b"t", b"1", b"3", SEED)
PAGE = (ROOT / "docs" / "protocol.md").read_text()


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    compile_engine()  # or the server would, for its samples
    rooms = {
        name: {"rulebook": name, "pace": AT_ONCE} for name in ("california", "house", "roulette")
    }
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db", rooms=rooms) as room:
        yield room
        assert room.errors() == ""


def fits(shown: Any, real: Any) -> bool:
    """Return whether the example is part of the real message."""
    if shown == "…":
        return real is not None
    if isinstance(shown, dict) and isinstance(real, dict):
        return all(key in real and fits(value, real[key]) for key, value in shown.items())
    if isinstance(shown, list) and isinstance(real, list):
        return len(shown) == len(real) and all(map(fits, shown, real))
    return bool(shown == real)


def run_http(client: httpx.Client, block: str, floor_token: str = "") -> None:
    lines = block.strip().splitlines()
    for asked, sentence in zip(lines[::2], lines[1::2], strict=True):
        sent = asked.replace('"token": "…"', f'"token": "{floor_token}"')
        method, path, *body = sent.split(" ", 2)
        answer = client.request(method, path, json=json.loads(body[0]) if body else None)
        status, *shown = sentence.split(" ", 1)
        assert answer.status_code == int(status), f"{asked}: {answer.text}"
        assert not shown or fits(json.loads(shown[0]), answer.json()), f"{asked}: {answer.text}"
        if cookie := answer.headers.get("set-cookie"):
            client.headers["Cookie"] = cookie.split(";")[0]


async def run_socket(served: RunningServer, cookie: str, block: str) -> None:
    _, *lines = block.strip().splitlines()
    async with PlayerClient(served, "house", "Ann", cookie) as ann:
        #: Views and answers each come in order; which comes first is nobody's promise.
        seen = {"view": 0, "other": 0}
        for line in lines:
            direction, text = line.split(" ", 1)
            if direction == ">":
                await ann.send(text)
                continue
            shown = json.loads(text)
            kind = "view" if shown["type"] == "view" else "other"

            def result(shown: Any = shown, since: int = seen[kind]) -> list[int]:
                sentence = enumerate(map(json.loads, ann.received))
                return [
                    index for index, message in sentence if index >= since and fits(shown, message)
                ]

            await ann.until(lambda result=result: bool(result()))  # type: ignore[misc]
            seen[kind] = result()[0] + (kind == "other")


def test_protocol_examples_match_the_server(served: RunningServer) -> None:
    blocks = re.findall(r"```(http|socket)\n(.*?)```", PAGE, re.DOTALL)
    assert len(blocks) >= 6
    with served.http() as client:
        for kind, block in blocks:
            if kind == "http":
                run_http(client, block, served.floor_token or "")
            else:
                asyncio.run(run_socket(served, str(client.headers["Cookie"]), block))


def test_example_comparison_can_fail() -> None:
    assert fits({"a": "…", "b": [1]}, {"a": 1, "b": [1], "c": 2})
    assert not fits({"a": "…"}, {})
    assert not fits({"a": 1}, {"a": 2})
    assert not fits([1], [1, 2])


def test_every_command_is_in_the_table() -> None:
    listed = set(re.findall(r"^\| `([a-z_]+)` \| ", PAGE, re.MULTILINE))
    assert set(protocol._FOR_PLAYERS) <= listed


def test_every_route_of_the_floor_is_in_the_page(served: RunningServer) -> None:
    with served.http() as client:
        paths = client.get("/openapi.json").json()["paths"]
    for path in paths:
        *_, last = [part for part in path.split("/") if part and "{" not in part]
        assert last in PAGE, path


@pytest.mark.parametrize("table", ["house", "roulette", "california"])
def test_the_example_of_a_bot_plays(served: RunningServer, table: str) -> None:
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
    assert len(lines) <= 85


@pytest.fixture
def bot() -> Json:
    """What the example of a bot defines, without the part that connects."""
    code = (ROOT / "examples" / "remote" / "bot.py").read_text().split("\naddress, table,")[0]
    defined: Json = {}
    exec(compile(code, "bot.py", "exec"), defined)
    return defined


def shown_round(phase: str, chain: int = 1, **more: Any) -> Json:
    bet = [{"spot": "ante", "cents": 100}]
    hands = [{"place": 2, "seat": 2, "wagers": bet}, {"place": 4, "seat": 1, "wagers": bet}]
    end = sha256(b"".join(len(field).to_bytes(4, "big") + field for field in LINK)).hexdigest()
    round = {"round": 7, "chain": chain, "link": 3, "commitment": end, "hands": hands, **more}
    return {"table": "t", "phase": phase, "digest": "rules", "round": round}


def test_bot_commits_to_other_bytes_on_another_chain(bot: Json) -> None:
    first, second = (bot["own_seed"](shown_round("betting", chain), 2, "Ann") for chain in (1, 2))
    assert first["type"] == second["type"] == "commit_seed"
    assert len(set(bot["seeds"].values())) == 2


def test_bot_shows_its_seed_once_and_only_for_its_commitment(bot: Json) -> None:
    own = bot["own_seed"](shown_round("betting"), 2, "Ann")["commitment"]
    for change in ({}, {"committed": {"2": "00" * 32}}, {"committed": {"2": own}, "chain": 2}):
        assert bot["own_seed"](shown_round("revealing", **change), 2, "Ann") is None
    other = shown_round("revealing", committed={"2": own}, commitment="bb" * 32)
    assert bot["own_seed"](other, 2, "Ann") is None
    view = shown_round("revealing", committed={"2": own})
    assert bot["own_seed"](view, 2, "Ann")["type"] == "show_seed"
    assert bot["own_seed"](view, 2, "Ann") is None
    assert bot["own_seed"](shown_round("betting"), 2, "Ann") is None


def check_end(bot: Json, *, counted: bool = True, seed: bytes = SEED, **change: Any) -> None:
    """Run the bot until its seed is shown and the round ends, perhaps in another way."""
    own = bot["own_seed"](shown_round("betting"), 2, "Ann")["commitment"]
    round = shown_round("revealing", committed={"2": own})
    shown = bot["own_seed"](round, 2, "Ann")["seed"]
    end = {**round["round"], "dealer": [1, 2, 3], **({"shown": {"2": shown}} if counted else {})}
    end["hands"] = [end["hands"][1], end["hands"][0]]  # once dealt they come by seat
    last = {"round": {**end, **change}, "end": {"seed": seed.hex()}}
    bot["check"]({"table": "t", "last": last}, 2)


def test_bot_goes_on_after_an_honest_round(bot: Json, capsys: pytest.CaptureFixture[str]) -> None:
    check_end(bot)
    assert capsys.readouterr().out == ""


def test_bot_says_that_its_seed_was_not_counted(
    bot: Json, capsys: pytest.CaptureFixture[str]
) -> None:
    check_end(bot, counted=False)
    assert capsys.readouterr().out == "round 7: our seed was sent, not counted\n"


@pytest.mark.parametrize(
    "change",
    [{"added": {"3": "lucky"}}, {"chain": 2}, {"link": 4}, {"banker": 3}, {"hands": []}],
    ids=str,
)
def test_bot_stops_if_a_round_changes_after_its_seed(bot: Json, change: Json) -> None:
    with pytest.raises(SystemExit, match="round 7 was changed"):
        check_end(bot, **change)


def test_bot_stops_at_a_seed_that_is_not_on_the_chain(bot: Json) -> None:
    with pytest.raises(SystemExit, match="not the next one of its chain"):
        check_end(bot, seed=bytes(32))
