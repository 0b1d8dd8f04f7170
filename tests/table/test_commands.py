"""``queenhigh table`` and ``queenhigh verify`` as people run them; and a log from long ago."""

import json
import os
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import apsw
import pytest

from queenhigh.money import dollars
from queenhigh.store.migrations import MIGRATIONS
from queenhigh.store.sqlite import SqliteStore
from queenhigh.store.streams import GENESIS, chain
from tests.commands.test_command_line import COMMAND
from tests.commands.test_command_line import run as run_alone
from tests.in_process import call
from tests.verify.verifiers import BOTH

GOLDEN = Path(__file__).parent.parent / "golden" / "room.jsonl"


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("room") / "room.db"
    for book in ("california", "roulette"):
        done = run_alone(
            "table", "run", book, "--bots", "4", "--rounds", "6", "--seed", "1", "--db", str(file)
        )
        assert (done.returncode, done.stderr) == (0, "")
        assert "6 rounds" in done.stdout
    return file


def test_second_run_continues_the_same_table(room: Path) -> None:
    words = ("table", "run", "california", "--rounds", "3", "--db", str(room), "--json")
    result = json.loads(call(*words, "--bots", "4", "--seed", "2", "--policy", "q64").stdout)
    assert (result["rounds"], result["table"]) == (3, "california")
    assert sum(player["net"] for player in result["players"]) == -3 * (3 * 100 + 200)
    other = call(*words, "--set", "tie=lose")
    assert (other.returncode, other.stdout) == (2, "")
    assert "has other rules" in other.stderr


def test_export_names_the_table_whose_events_do_not_fit(room: Path, tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    lines = call("table", "export", str(room), "--as", "log").stdout.splitlines(keepends=True)
    events = [n for n, line in enumerate(lines) if '"stream":"table/california"' in line]
    first, second = events[5], events[30]
    lines[first], lines[second] = lines[second], lines[first]
    log.write_text("".join(lines))
    done = call("table", "export", str(log))
    assert done.returncode == 2
    assert "the events of table california do not fit together" in done.stderr


def test_verify_reports_its_findings(room: Path, tmp_path: Path) -> None:
    good = run_alone("verify", str(room))
    assert (good.returncode, good.stdout[:3]) == (0, "OK:")
    key = json.loads(call("verify", str(room), "--json").stdout)["signed_by"]
    assert call("verify", str(room), "--key", key).returncode == 0
    other = call("verify", str(room), "--key", "00" * 32)
    assert other.returncode == 1
    assert other.stdout == "BAD: head: the head is signed with another key\n"
    log = tmp_path / "log.jsonl"
    lines = call("table", "export", str(room), "--as", "log").stdout.splitlines(keepends=True)
    log.write_text("".join(lines))
    assert call("verify", str(log)).stdout == call("verify", str(room)).stdout == good.stdout
    log.write_text("".join([*lines[:9], *lines[10:]]))
    result = call("verify", str(log), "--json")
    assert (result.returncode, json.loads(result.stdout)["bad"]["n"]) == (1, 10)


def test_verify_prints_a_round_with_every_step(room: Path) -> None:
    for book in ("california", "roulette"):
        done = call("verify", str(room), "--round", f"{book}/2")
        assert done.returncode == 0
        for word in ("Commitment", "Seed", "Key", "No more bets", "OK:"):
            assert word in done.stdout
    result = json.loads(call("verify", str(room), "--round", "california/2", "--json").stdout)
    assert result["proof"]["settle"]["id"] == result["proof"]["round"] == "california/2"
    nowhere = call("verify", str(room), "--round", "california/999")
    assert (nowhere.returncode, nowhere.stdout) == (2, "")
    assert "write TABLE/NUMBER" in nowhere.stderr


def test_recall_and_export(room: Path) -> None:
    recalled = json.loads(call("table", "recall", str(room), "--player", "Ben", "--json").stdout)
    assert len(recalled) == 10
    output = call("table", "recall", str(room), "--player", "Ben", "--last", "1").stdout
    assert "Chips: " in output
    exported = run_alone("table", "export", str(room), "--table", "roulette").stdout
    settled = run_alone("settle", "roulette", "--json", stdin=exported)
    assert (settled.returncode, len(settled.stdout.splitlines())) == (0, 6)
    hands = tomllib.loads(call("table", "export", str(room), "--as", "phh").stdout)
    assert list(hands) == [str(number) for number in range(1, len(hands) + 1)]
    assert [hand["hand"] for hand in hands.values()][:6] == [1, 2, 3, 4, 5, 6]
    assert {hand["table"] for hand in hands.values()} == {"california"}


def test_recall_shows_the_result_after_the_fee(room: Path) -> None:
    words = ("table", "recall", str(room), "--player", "Ben", "--table", "california")
    charged = [each for each in json.loads(call(*words, "--json").stdout) if each["fee"]]
    text = call(*words).stdout
    assert charged
    for each in charged:
        result = dollars(each["credits"]["after"] - each["credits"]["before"], signed=True)
        fee = dollars(each["fee"])
        assert f"Round {each['round']}, settled: {result} after the {fee} fee\n" in text


def test_rounds_fit_a_narrow_terminal(room: Path) -> None:
    recall = call("table", "recall", str(room), "--player", "Ben", columns=40).stdout
    proof = call("verify", str(room), "--round", "california/2", columns=40).stdout
    assert "2   Round 2 opens; commitment\n" in proof, "a hash that is too long moves nothing"
    for line in [*recall.splitlines(), *proof.splitlines()[:-2]]:
        assert len(line) <= 40


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("verify", "{nowhere}"), "give a database or a log file"),
        (("verify", "{folder}"), "give a database or a log file"),
        (("table", "recall", "{nowhere}", "--player", "Ben"), "no such database"),
        (("table", "recall", "{room}", "--player", "Zoe"), "has played no round"),
        (("table", "export", "{room}", "--table", "x"), "its tables: california, roulette"),
        (("table", "export", "{nowhere}", "--as", "log"), "no such database"),
        (
            ("table", "run", "california", "--bots", "1", "--db", "{new}"),
            "is waiting for more players",
        ),
        (("table", "run", "house", "--bots", "9", "--db", "{new}"), "seat fewer bots"),
        (("table", "run", "house", "--db", "{folder}"), "cannot be used as a database"),
    ],
)
def test_bad_command_line_is_one_sentence(
    words: tuple[str, ...], message: str, room: Path, tmp_path: Path
) -> None:
    places = {"nowhere": tmp_path / "nowhere.db", "folder": tmp_path, "room": room}
    named = [word.format(**places, new=tmp_path / "new.db") for word in words]
    done = call(*named)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_interrupt_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    words = ["table", "run", "house", "--rounds", "1e9", "--policy", "q64", "--db", str(file)]
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        while not _grown(file):
            assert process.poll() is None
        os.kill(process.pid, signal.SIGINT)
        said = process.stdout.read()
    assert process.returncode == 130
    assert "of 1,000,000,000 rounds" in said
    assert call("verify", str(file)).returncode == 0


def _grown(file: Path) -> bool:
    log = Path(f"{file}-wal")
    return log.exists() and log.stat().st_size > 1_500_000


# Files from before


@pytest.mark.parametrize("name", BOTH)
def test_old_log_still_verifies(name: str) -> None:
    verdict = BOTH[name](GOLDEN)
    assert verdict.ok, f"event {verdict.n}: {verdict.reason}"
    assert verdict.rounds > 10


def test_store_without_signed_heads_is_migrated(tmp_path: Path) -> None:
    file = tmp_path / "room.db"
    old = apsw.Connection(str(file))
    old.execute(MIGRATIONS[0])
    old.execute("insert into stream values (1, 'a')")
    before = GENESIS
    for version in (1, 2, 3):
        before = chain(before, "a", version, b"x")
        old.execute("insert into event values (?, 1, ?, ?, ?)", (version, version, b"x", before))
    old.pragma("user_version", 1)
    old.close()
    store = SqliteStore(file)
    assert [row.version for row in store.read("a")] == [1, 2, 3]
    store.close()
    (head,) = apsw.Connection(str(file)).execute("select events from head")
    assert head == (3,)


def test_the_second_verifier_runs_alone(tmp_path: Path) -> None:
    """One file, in isolation from everything that is installed."""
    script = Path(__file__).parent.parent.parent / "verifier" / "verify_log.py"
    command = [sys.executable, "-I", "-S", str(script), str(GOLDEN)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert (done.returncode, done.stdout[:3], done.stderr) == (0, "OK:", "")
    source = script.read_text()
    assert "queenhigh." not in source.replace('"queenhigh', "")
    assert "import queenhigh" not in source


def test_second_verifier_stops_when_its_pipe_closes() -> None:
    """As before ``head -1``: nobody reads the lines that follow."""
    script = Path(__file__).parent.parent.parent / "verifier" / "verify_log.py"
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-I", "-S", str(script), str(GOLDEN)]
    with os.fdopen(writer, "wb") as closed:
        done = subprocess.run(command, stdout=closed, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
