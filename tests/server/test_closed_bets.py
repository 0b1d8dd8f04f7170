"""The receipt that comes with a table while seeds are shown."""

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from queenhigh.verify.log_file import Row, read_log
from tests.in_process import call
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer

Json = dict[str, Any]


async def play(served: RunningServer) -> list[Json]:
    """Commit to a seed that is never shown, and play a round; return what the table said."""
    async with PlayerClient(served, "ho", "Ann") as ann:
        await ann.sit(1)
        await ann.until_phase("betting")
        await ann.do("commit_seed", round=1, commitment="ab" * 32)
        await ann.bet({"ante": 100})
        await ann.until_phase("deciding")
        await ann.do("choose", round=1, move="fold")
        await ann.until_over(1)
    return [json.loads(text) for text in ann.received]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Json]]:
    file = tmp_path_factory.mktemp("room") / "room.db"
    rooms = {"ho": {"rulebook": "house", "pace": AT_ONCE}}
    with RunningServer(file, rooms=rooms, standing=[]) as served:
        message = asyncio.run(play(served))
        assert served.errors() == ""
    return file, message


def receipts(message: list[Json]) -> list[tuple[str, Json]]:
    return [(item["view"]["phase"], item["receipt"]) for item in message if "receipt" in item]


def test_receipt_comes_while_seeds_are_shown(played: tuple[Path, list[Json]]) -> None:
    file, message = played
    result = receipts(message)
    assert {phase for phase, _ in result} == {"revealing"}
    receipt = result[0][1]
    assert receipt["key"] == message[0]["key"], "the key that the room greets with"
    rows = [row for row in read_log(file) if isinstance(row, Row)]
    (signed,) = (row for row in rows if row[1:3] == (receipt["stream"], receipt["version"]))
    assert b'"type":"bets.closed/2"' in signed.event


def test_receipt_verifies_its_own_log_only(played: tuple[Path, list[Json]], tmp_path: Path) -> None:
    file, message = played
    saved = tmp_path / "receipt.json"
    receipt = receipts(message)[0][1]
    saved.write_text(json.dumps(receipt))
    assert call("verify", str(file), "--receipt", str(saved)).returncode == 0
    saved.write_text(json.dumps({**receipt, "hash": "00" * 32}))
    assert call("verify", str(file), "--receipt", str(saved)).returncode == 1
