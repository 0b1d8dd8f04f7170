"""The recorder finds what was planted and nothing else, and knows what it lacks."""

import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.recorder.__main__ import recorder
from tests.recorder.commands import record_commands, unrecorded
from tests.recorder.programs import Program
from tests.recorder.recording import MASKS, Recording, differences
from tests.recorder.room import missing_messages, missing_routes, record_room

ROOT = Path(__file__).parents[2]
RUNS = "settle house < house.jsonl\ntable run house --bots 2 --rounds 2 --seed 1 --db bots-FORM.db"


def record(tree: Path, folder: Path) -> Path:
    """Record a few commands of a tree; return the recording."""
    room = folder / "room"
    room.mkdir(parents=True)
    record_commands(Program(tree), Recording(folder / "out"), room, RUNS)
    return folder / "out"


def write(folder: Path, **entries: str) -> Path:
    """Write a recording of one file."""
    recording = Recording(folder)
    for title, text in entries.items():
        recording.add("routes/GET api", title, text)
    return folder


def test_planted_change_is_the_only_difference(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    shutil.copytree(ROOT / "src", tree / "src", ignore=shutil.ignore_patterns("static"))
    sheet = tree / "src/queenhigh/sheets/run_sheet.py"
    sheet.write_text(sheet.read_text().replace("rounds per second", "rounds a second"))
    lines = differences(record(ROOT, tmp_path / "1"), record(tree, tmp_path / "2"))
    assert [line for line in lines if not line.startswith(" ")] == [
        "commands/table_run.txt: 1 of 3 entries differ"
    ]
    assert any("rounds a second" in line for line in lines)


def test_compare_reports_changed_added_and_missing_entries(tmp_path: Path) -> None:
    before = write(tmp_path / "1", Ann='"cents": 1', Bob='"cents": 1')
    after = write(tmp_path / "2", Ann='"cents": 2', Cyd='"cents": 1')
    lines = differences(before, after)
    assert [line.strip() for line in lines] == [
        *("routes/GET_api.txt: other entries", "@@ -1,2 +1,2 @@", "Ann", "-Bob", "+Cyd"),
        *("routes/GET_api.txt: 1 of 2 entries differ", "Ann", "@@ -1,2 +1,2 @@"),
        *('-"cents": 1', '+"cents": 2', ""),
    ]
    compare = ["compare", str(before), str(after)]
    assert CliRunner().invoke(recorder, compare).exit_code == 1
    assert CliRunner().invoke(recorder, [*compare[:2], str(before)]).exit_code == 0


@pytest.mark.parametrize("mask", MASKS)
def test_mask_hides_its_field_and_nothing_else(tmp_path: Path, mask: tuple[str, str, str]) -> None:
    samples = {
        "": "open at http://127.0.0.1:40111, 7 tables",
        "commands/serve": '2026-11-19 23:32:42 [error] {"timestamp": "2026-11-19T23", "table": 7}',
    }
    sample = samples[mask[0]]
    hidden = Recording(tmp_path / "out", (MASKS[MASKS.index(mask)],)).masked(mask[0], sample)
    assert hidden != sample
    assert "7" in hidden
    assert len(hidden) > len(sample) - 20
    assert Recording(tmp_path / "in").masked("sockets/Ann", '{"now": 1}') == '{"now": 1}'


def test_missing_commands_routes_and_messages_are_listed() -> None:
    known = {
        "odds": {"group": False, "json": True},
        "table": {"group": True, "json": False},
    }
    done = [(["odds", "--help"], 0), (["odds", "house"], 0), (["odds", "house", "--json"], 2)]
    assert unrecorded(known, done) == [
        "odds: no recorded run of its json",
        "table: no recorded run of its help",
    ]
    assert missing_routes({"GET /a": {200, 401}, "GET /b": {401}}) == ["GET /b: no recorded answer"]
    missing = missing_messages(ROOT, [])
    assert {"< view: no recorded message", "> choose: no recorded message"} <= {*missing}
    assert len(missing) > 15


@pytest.mark.full
def test_everything_is_recorded(tmp_path: Path) -> None:
    room = tmp_path / "room"
    room.mkdir()
    recording, program = Recording(tmp_path / "out"), Program(ROOT)
    assert record_room(program, recording, room) == []
    assert record_commands(program, recording, room) == []
