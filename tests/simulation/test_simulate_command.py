"""``queenhigh simulate`` as people run it."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars
import pytest

from tests.commands.test_command_line import COMMAND
from tests.in_process import call


def simulate(*words: str) -> dict[str, object]:
    done = call("simulate", *words, "--json")
    assert done.returncode == 0, done.stderr
    result: dict[str, object] = json.loads(done.stdout)
    return result


def test_the_same_seed_gives_the_same_on_every_engine() -> None:
    words = ("california", "--seats", "3", "--bank", "1700", "--rounds", "2000", "--seed", "7")
    results = [
        simulate(*words, "--engine", "scalar"),
        simulate(*words, "--engine", "compiled", "--threads", "1"),
        simulate(*words),
    ]
    assert [result.pop("engine") for result in results] == ["scalar", "compiled", "compiled"]
    for result in results:
        del result["seconds"], result["wall_seconds"], result["threads"]
    assert results[0] == results[1] == results[2]


def test_printed_fresh_seed_reproduces_the_run() -> None:
    first = call("simulate", "house", "--rounds", "1e4")
    assert first.returncode == 0
    seed = first.stdout.split("seed ")[1].split()[0]
    again = simulate("house", "--rounds", "10,000", "--seed", seed)
    assert f"{again['rounds']:,} rounds" in first.stdout


def test_the_sheet_says_how_long_the_command_took() -> None:
    words = ("simulate", "house", "--rounds", "1e4", "--seed", "1")
    text = " ".join(call(*words).stdout.split())
    said = re.search(
        r"10,000 rounds with seed 1 in ([0-9.]+) (m?s)\."
        r" The compiled engine played them in ([0-9.]+) (m?s) on \d+ threads?:",
        text,
    )
    assert said, text
    unit = {"s": 1.0, "ms": 0.001}
    assert float(said[1]) * unit[said[2]] > float(said[3]) * unit[said[4]]
    result = simulate(*words[1:])
    assert float(str(result["wall_seconds"])) > float(str(result["seconds"]))


def test_slow_engine_notice_has_no_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    notice = "Using the slow pure-Python engine. For the fast one: pip install 'queenhigh[sim]'\n"
    monkeypatch.setattr("queenhigh.simulation.run.find_spec", lambda _: None)
    message = call("simulate", "house", "--rounds", "10").stderr
    assert message == notice


def test_the_sheet() -> None:
    done = call("simulate", "california", "--ante", "500,1000", "--bonus", "100", "--bank", "1200",
               "--rounds", "20000", "--seed", "1", "--set", "first=button")  # fmt: skip
    for text in (
        "2 seats, policy best. The bank is $12.00.",
        "Returned",
        "ran out",
        "Banker",
        "$5+$1",
    ):
        assert text in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80


def test_amounts_may_be_listed_or_repeated() -> None:
    rest = ("--rounds", "1000", "--seed", "1")
    listed = simulate("california", "--ante", "500,1000", "--bonus", "100", *rest)
    repeated = simulate("california", "--ante", "500", "--ante", "1000", "--bonus", "100", *rest)
    assert listed["seats"] == repeated["seats"]
    assert [seat["ante"] for seat in listed["seats"]] == [500, 1000]  # type: ignore[attr-defined]


def test_roulette_bets() -> None:
    done = call("simulate", "roulette-european", "--bet", "red", "--bet", "split 17 20", "--stake",
               "500", "--rounds", "1e5", "--seed", "1", "--set", "on_zero=en_prison")  # fmt: skip
    assert done.returncode == 0
    assert "split 17 20" in done.stdout
    assert "$5.00 on each bet" in done.stdout


def test_results_as_parquet(tmp_path: Path) -> None:
    file = tmp_path / "out.parquet"
    simulate("house", "--seats", "2", "--rounds", "5000", "--seed", "1", "--out", str(file))
    frame = polars.read_parquet(file)
    assert frame.columns == ["account", "cents", "rounds"]
    assert (
        frame.group_by("account").agg(polars.col("rounds").sum())["rounds"].to_list() == [5000] * 3
    )


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["house", "--rounds", "many"], "write 1000000 or 1e9"),
        (["house", "--rounds", "0"], "from 1 to 1e15"),
        (["house", "--rounds", "1e99"], "from 1 to 1e15"),
        (["house", "--ante", "five"], "write 500 for cents, or $5 or 5.00 for dollars"),
        (["house", "--ante", "99"], "outside the limits"),
        (["house", "--seats", "8"], "a table has 1 to 7 seats"),
        (["house", "--policy", "nobody"], "there is no policy 'nobody'"),
        (["house", "--out", "x.csv"], "use a name like FILE.parquet"),
        (["house", "--out", "nowhere/x.parquet"], "the folder nowhere does not exist"),
        (["house", "--bet", "red"], "has no bets"),
        (["house", "--engine", "abacus"], "there is no engine abacus: use one of auto, scalar"),
        (
            ["house", "--engine", "scalar", "--threads", "2"],
            "the scalar engine has only one thread",
        ),
        (["house", "--rounds", "1e"], "write 1000000 or 1e9"),
        (["house", "--out", "folder.parquet"], "this is a folder"),
        (["house", "--cluster", "127.0.0.1:1"], "there is no Ray cluster at 127.0.0.1:1"),
        (["house", "--cluster", "local", "--threads", "2"], "--threads has no effect on a cluster"),
        (["roulette", "--seats", "2"], "has no seats"),
        (["roulette", "--seed", "-1"], "a seed is a whole number"),
    ],
)
def test_bad_input_is_one_sentence(words: list[str], message: str, tmp_path: Path) -> None:
    (tmp_path / "folder.parquet").mkdir()
    done = call("simulate", *words, cwd=tmp_path)
    assert done.returncode == 2
    assert message in done.stderr
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) <= 2


def test_engine_explains_a_missing_gpu() -> None:
    done = call("simulate", "house", "--engine", "cuda", "--rounds", "10")
    if done.returncode == 0:
        return  # there is a GPU
    assert done.returncode == 2
    assert "the cuda engine needs" in done.stderr


def test_interrupt_prints_finished_rounds() -> None:
    words = ["simulate", "california", "--seats", "10", "--rounds", "1e13", "--seed", "7", "--json"]
    main, its = pty.openpty()
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.PIPE, stderr=its) as process:
        os.close(its)  # so that a process which ends is noticed, and not waited for
        seen = b""
        while "±".encode() not in seen:  # rounds were played
            seen += os.read(main, 4096)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=300)
    os.close(main)
    assert process.returncode == 130
    result = json.loads(out)
    assert 0 < result["rounds"] < 10**13
    words[words.index("1e13")] = str(result["rounds"])
    again = json.loads(call(*words).stdout)
    assert again["banker_result"] == result["banker_result"]


def test_unwritable_file_is_reported_after_the_results(tmp_path: Path) -> None:
    (tmp_path / "full.parquet").symlink_to("/dev/full")
    done = call("simulate", "house", "--rounds", "100", "--out", "full.parquet", cwd=tmp_path)
    assert done.returncode == 2
    assert "Banker" in done.stdout
    assert "the results above were not saved" in done.stderr


def test_an_interrupt_before_the_first_round() -> None:
    words = ["simulate", "house", "--set", "up=2", "--rounds", "1e12", "--json"]
    # An interrupt before our code runs is handled by Python, and not tested here.
    code = "from queenhigh.cli import main; print(flush=True); main()"
    for delay in (0.0, 0.4, 0.8, 1.2):
        with subprocess.Popen(
            [sys.executable, "-c", code, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            assert process.stdout is not None
            process.stdout.readline()
            time.sleep(delay)
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=300)
        assert process.returncode in (130, -signal.SIGINT)
        assert "Traceback" not in err or process.returncode < 0
        assert out == "" or json.loads(out)["rounds"] > 0


def test_a_terminal_sees_progress() -> None:
    main, its = pty.openpty()
    words = ["simulate", "california", "--seats", "10", "--rounds", "2e6", "--seed", "7"]
    with subprocess.Popen([*COMMAND, *words], stdout=subprocess.DEVNULL, stderr=its) as process:
        os.close(its)
        seen = b""
        while True:
            try:
                more = os.read(main, 4096)
            except OSError:
                break
            if not more:
                break
            seen += more
    assert process.returncode == 0
    assert b"banker" in seen
    assert "±".encode() in seen
