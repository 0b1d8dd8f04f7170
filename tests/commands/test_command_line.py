"""The commands as people run them: what they print, how they fail, how they end."""

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
import tomllib
from fractions import Fraction
from pathlib import Path

import jsonschema
import pytest

import queenhigh as qh
from queenhigh.cli import cli
from queenhigh.commands.help import TaskGroup
from queenhigh.rulebook.roulette_book import RouletteRulebook
from queenhigh.wheel import RED
from tests.games.test_settle_format import EXAMPLE, RESULT
from tests.in_process import call
from tests.simulation.compile_once import compile_engine

COMMAND = [sys.executable, "-m", "queenhigh"]
EXAMPLES = Path(__file__).parents[2] / "examples"
SHIPPED = Path(qh.__file__).parent / "rulebooks"

pytestmark = pytest.mark.usefixtures("covariance_counted_once")


def run(
    *words: str, stdin: str | bytes = b"", cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [*COMMAND, *words],
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        timeout=300,
        cwd=cwd,
        check=False,
    )
    assert b"Traceback" not in done.stderr
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


@pytest.mark.parametrize(
    ("words", "stdin"),
    [
        (("rules", "california"), ""),
        (("odds", "house", "--json"), ""),
        (("settle", "california", "--json"), f"{EXAMPLE}\nnonsense\n"),
        (("settle", "roulette"), ""),
        (("dance",), ""),
        (("settle", "--help"), ""),
    ],
)
def test_in_process_call_equals_a_process(words: tuple[str, ...], stdin: str) -> None:
    process, here = run(*words, stdin=stdin), call(*words, stdin=stdin)
    assert (here.returncode, here.stdout, here.stderr) == (
        process.returncode,
        process.stdout,
        process.stderr,
    )


def test_help_is_quick_to_load_and_names_every_command() -> None:
    done = run("--help")
    assert done.returncode == 0
    assert "rules" in done.stdout
    assert "settle" in done.stdout
    slow = ("pydantic", "rich", "msgspec")
    code = f"import sys, queenhigh.cli; sys.exit(any(m in sys.modules for m in {slow!r}))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize("words", [(), ("table",)])
def test_no_command_prints_help_and_ends_well(words: tuple[str, ...]) -> None:
    bare, asked = call(*words), call(*words, "--help")
    assert (bare.returncode, bare.stderr) == (0, "")
    assert bare.stdout == asked.stdout


def test_help_lists_every_command_once_by_task_and_uncut() -> None:
    for group, words in ((cli, ()), (cli.commands["table"], ("table",))):
        assert isinstance(group, TaskGroup)
        assert sorted(name for listed in group.tasks.values() for name in listed) == sorted(
            group.commands
        )
        lines = call(*words).stdout.splitlines()
        for task, listed in group.tasks.items():
            first = lines.index(f"{task}:") + 1
            for line, name in zip(lines[first : first + len(listed)], listed, strict=True):
                summary = group.commands[name].get_short_help_str(1000)
                assert line.split(maxsplit=1) == [name, summary], "a line for each, at 80 columns"


def test_rules_lists_the_rulebooks() -> None:
    done = call("rules")
    assert all(name in done.stdout for name in qh.shipped())
    listed = json.loads(call("rules", "--json").stdout)
    assert [row["name"] for row in listed] == list(qh.shipped())
    assert all(row["digest"] == qh.load(row["name"]).digest for row in listed)


@pytest.mark.parametrize("name", qh.shipped())
def test_the_sheet_has_every_clause_assumption_and_pay(name: str) -> None:
    book = qh.load(name)
    text = " ".join(call("rules", name).stdout.split())
    for clause in book.clauses:
        assert f"{clause.id} {clause.text}" in text
    for assumption in book.assumptions:
        assert assumption.says in text
    assert book.digest in text


@pytest.mark.parametrize("name", qh.shipped())
def test_rules_json_lists_every_bet_of_a_wheel(name: str) -> None:
    listing = json.loads(call("rules", name, "--json").stdout)
    if listing["game"] != "roulette":
        assert "spots" not in listing
        return
    book = qh.load(name)
    assert isinstance(book, RouletteRulebook)
    assert listing["pockets"] == list(book.pockets)
    listed = {row["spot"]: row for row in listing["spots"]}
    assert list(listed) == list(book.spots)
    clauses = {row["id"] for row in listing["document"]["clauses"]}
    assert {row["clause"] for row in listing["spots"]} <= clauses
    corner = {"bet": "corner", "pockets": ["16", "17", "19", "20"], "pays": "8 to 1"}
    assert listed["corner 16 17 19 20"].items() >= corner.items()
    assert listed["red"]["pockets"] == [n for n in listing["pockets"] if n in RED]
    assert listed["straight 0"]["pockets"] == ["0"]
    assert ("column 1" in listed) == (name != "roulette")


def test_rule_sheet_shows_changes() -> None:
    text = call("rules", "california", "--set", "tie=win", "--set", "flush=4").stdout
    assert "tie = win" in text
    assert "bonus.pays.flush = 4" in text
    assert "4 to 1" in text
    assert "Changed for this table" not in call("rules", "california").stdout


def test_check_prints_ok_or_every_problem(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    text = (SHIPPED / "california.toml").read_text()
    good.write_text(text)
    bad.write_text(text.replace("player = 100", 'player = "1%"').replace('"push" ', '"draw" '))
    done = call("rules", "--check", str(good))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{good}: OK: California Three Card Poker")
    done = call("rules", "--check", str(bad))
    assert (done.returncode, done.stdout) == (2, "")
    assert "fees.rates.0.player" in done.stderr
    assert "tie" in done.stderr
    assert done.stderr.endswith("2 problems\n")
    report = json.loads(call("rules", "--check", str(bad), "--json").stdout)
    assert report["ok"] is False
    assert {problem["key"] for problem in report["problems"]} == {"tie", "fees.rates.0.player"}
    assert json.loads(call("rules", "--check", "house", "--json").stdout)["ok"] is True


def test_schema_agrees_with_the_loader() -> None:
    schema = json.loads(call("rules", "--schema").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    for name in qh.shipped():
        document = tomllib.loads((SHIPPED / f"{name}.toml").read_text())
        jsonschema.validate(document, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**document, "colour": 3}, schema)


def test_settle_json_from_standard_input_and_from_a_file(tmp_path: Path) -> None:
    done = run("settle", "california", "--json", stdin=EXAMPLE)
    assert (done.returncode, done.stdout, done.stderr) == (0, RESULT + "\n", "")
    file = tmp_path / "rounds.jsonl"
    file.write_text(EXAMPLE)
    assert run("settle", "california", str(file), "--json").stdout == RESULT + "\n"
    assert run("settle", "california", "-", "--json", stdin=EXAMPLE).stdout == RESULT + "\n"


def test_settle_continues_after_bad_and_blank_lines() -> None:
    lines = ["\ufeff" + EXAMPLE, "", "nonsense", "   ", EXAMPLE + "\r", '{"dealer":1}', EXAMPLE]
    done = call("settle", "california", "--json", stdin="\n".join(lines))
    assert done.returncode == 1
    assert done.stdout == (RESULT + "\n") * 3
    problems = done.stderr.splitlines()
    assert problems[0].startswith("line 3: this is not JSON")
    assert problems[1] == "line 6: dealer must be text in quotes, not a whole number"
    assert len(problems) == 2


@pytest.mark.parametrize(
    "long",
    ['{"id":"' + "x" * (3 << 20) + '"}', EXAMPLE + " " * (3 << 20) + "x" + " " * (1 << 18)],
    ids=["text", "blanks"],
)
def test_settle_refuses_an_endless_line_and_continues(long: str) -> None:
    done = run("settle", "california", "--json", stdin=f"{EXAMPLE}\n{long}\n{EXAMPLE}\n")
    assert done.stdout == (RESULT + "\n") * 2
    assert done.stderr == "line 2: the line is longer than 1 MiB\n"


def test_settle_answers_each_line_before_it_waits_for_the_next() -> None:
    with subprocess.Popen(
        [*COMMAND, "settle", "california", "--json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for _ in range(3):
            process.stdin.write(EXAMPLE.encode() + b"\n")
            process.stdin.flush()
            assert process.stdout.readline().decode() == RESULT + "\n"
        process.stdin.close()
        assert process.wait(30) == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("settle", "nowhere"), "use a built-in rulebook (california, house,"),
        (("odds", "californa"), "there is no such rulebook; did you mean california?\n"),
        (("odds", "./californa.toml"), "use a built-in rulebook"),
        (("odds", "california", "--set", "coverge=net"), "did you mean bank.coverage?\n"),
        (("odds", "california", "--set", "colour=red"), "listed by queenhigh rules --schema\n"),
        (("settle", "california", "no-such-file"), "No such file or directory; give a file"),
        (("settle", "california", "."), "Is a directory; give a file"),
        (("settle", "california", "--set", "coverage"), "write KEY=VALUE"),
        (("settle", "california", "--set", "coverage=nett"), 'write one of "action", "net"'),
        (("settle", "california", "--set", "fees.rates.0.player=1%"), "(CA-4); write player = 100"),
        (("rules", "california", "--set", "colour=red"), "there is no key colour"),
        (("rules", "--check"), "Give the name of a built-in rulebook"),
        (("rules", "--set", "tie=win"), "Give the name of a built-in rulebook"),
        (("settle",), "Missing argument"),
        (("dance",), "No such command"),
    ],
)
def test_bad_arguments_get_a_sentence_and_status_2(words: tuple[str, ...], said: str) -> None:
    done = call(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    ("shell", "status", "said"),
    [
        ("settle california - <&-", 2, "standard input is closed"),
        ("settle california {example} --json >&-", 2, "standard output is closed"),
        ("rules california >&-", 2, "standard output is closed"),
        ("settle california {example} --json >/dev/full", 2, "standard output: No space left"),
        ("rules california >/dev/full", 2, "standard output: No space left"),
        ("rules --schema >/dev/full", 2, "standard output: No space left"),
        ("settle california {example} --json 2>&- >/dev/null", 0, ""),
    ],
)
def test_closed_and_full_streams_are_reported(shell: str, status: int, said: str) -> None:
    command = f"{' '.join(COMMAND)} {shell.format(example=EXAMPLES / 'california.jsonl')}"
    done = subprocess.run(["bash", "-c", command], capture_output=True, timeout=300, check=False)
    assert done.returncode == status
    assert done.stderr.decode().startswith(said)
    assert len(done.stderr.splitlines()) <= 1


def test_terminal_without_unicode_gets_replacements() -> None:
    env = {**os.environ, "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
    command = [*COMMAND, "rules", "california"]
    done = subprocess.run(command, capture_output=True, timeout=300, check=False, env=env)
    assert (done.returncode, done.stderr) == (0, b"")


def test_untrusted_text_cannot_break_a_line() -> None:
    bad = json.dumps({"x\nline 9: fake": 1})
    spin = {"pocket": "7", "wagers": [{"player": "\x1b[2J\nSpin 2", "bet": "red", "stake": 100}]}
    done = call("settle", "roulette", stdin=f"{bad}\n{json.dumps(spin)}\n")
    assert len(done.stderr.splitlines()) == 1
    assert "\x1b" not in done.stdout
    assert len(done.stdout.splitlines()) == 4
    huge = json.dumps(json.loads(EXAMPLE)).replace('"bonus": 500', f'"bonus": {"9" * 4000}')
    assert len(call("settle", "california", stdin=huge).stderr) < 400


def test_only_blanks_make_a_blank_line() -> None:
    for junk in (b"\xbb\xbb\xbf", b"\xbf" + EXAMPLE.encode(), EXAMPLE.encode() + b"\xef\xbb\xbf"):
        done = call("settle", "california", stdin=b"\n" + junk + b"\n")
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr.startswith("line 2: ")


def test_brackets_in_a_rulebook_are_plain_text(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    call("rules", "california", "--copy", str(file))
    file.write_text(re.sub("^title = .*", 'title = "x [/y] [bold]"', file.read_text(), flags=re.M))
    sheet = call("rules", str(file)).stdout
    assert sheet.startswith("x [/y] [bold]\n")
    assert "Rulebook mine, version 1.2, custom\n" in sheet


def test_set_reads_toml_values_and_plain_words() -> None:
    round = json.dumps(
        {"dealer": "Qs 7d 2c", "seats": [{"seat": 9, "cards": "As Ks 9s", "pair_plus": 100}]}
    )
    words = ("--set", "seats=9", "--set", 'pair_plus.pays.flush="5 to 1"')
    result = json.loads(call("settle", "house", "--json", *words, stdin=round).stdout)
    assert result["banker"] == -500


def test_closed_pipe_ends_quietly(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text((EXAMPLE + "\n") * 20_000)
    pipeline = f"{' '.join(COMMAND)} settle california {file} | head -1; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(["bash", "-c", pipeline], capture_output=True, timeout=300, check=False)
    assert done.stdout.startswith(b"Round r1")
    assert (done.returncode, done.stderr) == (1, b"")


def test_interrupt_keeps_finished_results() -> None:
    with subprocess.Popen(
        [*COMMAND, "settle", "california", "--json"],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as process:  # fmt: skip
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write((EXAMPLE + "\n").encode())
        process.stdin.flush()
        assert process.stdout.readline().decode() == RESULT + "\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert process.stderr.read().decode().startswith("stopped at line 1")


#: Interrupts the command line when it loads its module number N.
INTERRUPTED = """
import os, signal, sys
from queenhigh.__main__ import main

left = int(sys.argv.pop(1))

def count(event, _):
    global left
    left -= event == "import"
    if left == 0 and event == "import":
        os.kill(os.getpid(), signal.SIGINT)

sys.addaudithook(count)
main()
"""


@pytest.mark.parametrize("module", [1, 2, 8, 40, 120, 200])
def test_interrupt_while_loading_leaves_no_trace(module: int) -> None:
    command = [sys.executable, "-c", INTERRUPTED, str(module), "odds", "california"]
    done = subprocess.run(command, capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stdout, done.stderr.strip()) == (130, b"", b"")


def test_the_installed_script_starts_as_the_module_does() -> None:
    project = tomllib.loads((EXAMPLES.parent / "pyproject.toml").read_text())["project"]
    assert project["scripts"] == {"queenhigh": "queenhigh.__main__:main"}


def test_interrupts_that_are_ignored_stay_ignored() -> None:
    code = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)" + INTERRUPTED
    command = [sys.executable, "-c", code, "40", "rules"]
    done = subprocess.run(command, capture_output=True, timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"california" in done.stdout


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("simulate", "house", "--rounds", "many"), "write 1000000 or 1e9. See queenhigh sim"),
        (("simulate", "house", "--roundz", "1"), "'--rounds'?) See queenhigh simulate --help"),
        (("simlate", "house"), "Did you mean 'simulate'? See queenhigh --help"),
        (("settle",), "Missing argument 'RULEBOOK'. See queenhigh settle --help"),
    ],
)
def test_a_sentence_ends_before_the_next(words: tuple[str, ...], said: str) -> None:
    assert said in call(*words).stderr


def test_progress_goes_to_the_terminal_not_the_results(tmp_path: Path) -> None:
    file = tmp_path / "rounds.jsonl"
    file.write_text((EXAMPLE + "\n") * 4000)
    watcher, terminal = pty.openpty()
    with subprocess.Popen(
        [*COMMAND, "settle", "california", str(file), "--json"],
        stdout=subprocess.PIPE,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm"},
    ) as process:
        os.close(terminal)
        assert process.stdout is not None
        results = process.stdout.read().decode()
        seen, until = b"", time.monotonic() + 300
        while time.monotonic() < until:
            try:
                block = os.read(watcher, 4096)
            except OSError:
                break
            if not block:
                break
            seen += block
        assert process.wait(30) == 0
    os.close(watcher)
    assert results == (RESULT + "\n") * 4000
    assert b"4,000 lines" in seen


# Prices


def test_odds_json_has_the_documented_keys() -> None:
    odds = json.loads(call("odds", "house", "--json").stdout)
    assert odds["rulebook"] == "house"
    assert odds["digest"] == qh.load("house").digest
    assert odds["deals"] == 407_170_400
    ante = odds["bets"]["ante"]
    assert ante["ev"] == "-686689/20358520"
    assert ante["play_rate"] == "149/221"
    assert ante["distribution"]["-2"] == 91_126_832
    assert sum(ante["distribution"].values()) == odds["deals"]
    assert list(ante) == [
        "ev", "edge", "element_of_risk", "sd", "skew", "win_rate", "push_rate", "lose_rate",
        "play_rate", "distribution",
    ]  # fmt: skip
    assert set(odds["bets"]) == {"ante", "pair_plus"}
    assert set(json.loads(call("odds", "california", "--json").stdout)["bets"]) == {"ante", "bonus"}
    wheel = json.loads(call("odds", "roulette", "--json").stdout)
    assert wheel["deals"] == 38
    assert wheel["bets"]["dozen"]["ev"] == "-1/19"
    assert "straight" in wheel["bets"]


def test_strategy_of_a_hand_as_json() -> None:
    words = ("strategy", "california", "--hand", "Qs 6d 4c", "--up", "Kd", "--json")
    assert json.loads(call(*words).stdout) == {
        "play": "-2",
        "fold": "-1",
        "best": "fold",
        "cost": "1",
    }


def test_bank_as_json() -> None:
    bank = json.loads(call("bank", "california", "--seats", "10", "--json").stdout)
    assert bank["seats"] == [{"seat": n, "ante": 500, "bonus": 0} for n in range(1, 11)]
    exact = {key: Fraction(bank[key]) for key in bank if re.match("ev|fee|player", key)}
    assert float(exact["ev"]) == pytest.approx(0.42963722)
    assert exact["fee_player"] == Fraction(1, 5)
    assert exact["ev_after_fee"] == exact["ev"] - exact["fee_banker"]
    assert exact["player_edge_after_fee"] == exact["ev"] / 10 + exact["fee_player"]


def test_bank_takes_the_whole_table_or_as_many_seats_as_antes() -> None:
    whole, ten = call("bank", "california"), call("bank", "california", "--seats", "10")
    assert whole.stdout == ten.stdout
    listed = call("bank", "california", "--ante", "500,1000")
    repeated = call("bank", "california", "--ante", "500", "--ante", "$10")
    assert listed.stdout == repeated.stdout
    assert "2 seats with Antes of $5.00 and $10.00, best strategy" in listed.stdout


@pytest.mark.parametrize("five", ["500", "$5", "$5.00", "5.00"])
def test_money_is_cents_or_dollars(five: str) -> None:
    words = ("simulate", "california", "--rounds", "9", "--engine", "scalar", "--seed", "1")
    simulated = json.loads(
        call(*words, "--ante", five, "--bonus", five, "--bank", five, "--json").stdout
    )
    assert (simulated["bank"], simulated["seats"][0]["ante"], simulated["seats"][0]["bonus"]) == (
        500,
    ) * 3
    bets = ("simulate", "roulette", "--rounds", "9", "--engine", "scalar", "--stake", five)
    assert json.loads(call(*bets, "--json").stdout)["unit_cents"] == 500
    assert "with $5.00 on the Ante" in call("bank", "california", "--ante", five).stdout
    for command in ("bank", "simulate"):
        assert "in dollars if written as $5 or 5.00" in " ".join(call(command, "-h").stdout.split())


def test_a_number_alone_is_a_straight_bet() -> None:
    words = ("simulate", "roulette", "--bet", "17", "--bet", "00", "--rounds", "9", "--json")
    simulated = json.loads(call(*words, "--engine", "scalar").stdout)
    assert [seat["bet"] for seat in simulated["seats"]] == ["straight 17", "straight 00"]


@pytest.mark.parametrize(
    "words",
    [
        ("odds", "roulette-european", "--set", "on_zero=en_prison"),
        ("strategy", "california"),
        ("strategy", "house", "--set", "up=2"),
        ("strategy", "house", "--hand", "Qs 6d 4c"),
        ("compare", "california", "house"),
        ("compare", "roulette", "roulette-american"),
        ("assumptions", "california", "--rounds", "1000"),
        ("assumptions", "roulette-european"),
        ("bank", "house", "--seats", "1", "--bonus", "100"),
    ],
)
def test_every_price_as_a_sheet(words: tuple[str, ...]) -> None:
    compile_engine()  # the first use says that it takes a while
    sheet = call(*words)
    assert (sheet.returncode, sheet.stderr) == (0, "")
    assert sheet.stdout


@pytest.mark.parametrize(
    "words",
    [
        ("rules",),
        ("rules", "california"),
        ("rules", "roulette-american"),
        ("odds", "california"),
        ("strategy", "california"),
        ("strategy", "house", "--hand", "Qs 6d 4c"),
        ("compare", "california", "house"),
        ("assumptions", "roulette-european"),
        ("assumptions", "california", "--ante", "500,900", "--bonus", "100", "--rounds", "500"),
        ("bank", "house", "--seats", "2"),
        ("simulate", "california", "--ante", "500,900", "--bank", "900", "--rounds", "99",
         "--engine", "scalar", "--seed", "1"),
        ("simulate", "roulette", "--rounds", "99", "--engine", "scalar", "--seed", "1"),
    ],
)  # fmt: skip
def test_no_number_is_cut_in_a_narrow_terminal(words: tuple[str, ...]) -> None:
    wide = call(*words, columns=200).stdout
    for columns in (60, 40):
        narrow = call(*words, columns=columns).stdout
        assert max(map(len, narrow.splitlines())) <= columns
        assert "…" not in narrow
        assert numbers(wide) <= numbers(narrow)


def numbers(sheet: str) -> set[str]:
    """Return the numbers of a sheet; times differ from run to run, and digests must be folded."""
    changing = r"in [0-9.]+ m?s|[0-9,]+ rounds per second|sha256:\w+"
    text = re.sub(changing, "", " ".join(sheet.split()))
    return set(re.findall(r"[−+$]*[0-9][0-9,./-]*", text))


def test_assumptions_name_the_reading_they_depend_on() -> None:
    sheet = call("assumptions", "roulette-european").stdout
    assert "zero.second_zero = half, with on_zero = en_prison" in sheet
    listing = json.loads(call("assumptions", "roulette-european", "--json").stdout)
    assert [row["with"] for row in listing if row["value"] == "stay"] == [
        {"zero.on_zero": "en_prison"}
    ]


def test_the_chart_is_drawn_into_a_file(tmp_path: Path) -> None:
    file = tmp_path / "chart.html"
    assert call("strategy", "california", "--chart", str(file)).returncode == 0
    assert "<svg" in file.read_text()
    done = call("strategy", "california", "--chart", str(tmp_path / "no" / "chart.html"))
    assert done.returncode == 2
    assert "No such file or directory; choose a file" in done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("odds", "california", "--set", "up=3"), "write one of 0, 1, 2"),
        (("odds", "california", "--set", "qualifier=duck"), '"queen-high"'),
        (("odds", "house", "--set", "coverage=net"), "there is no key coverage"),
        (("strategy", "california", "--hand", "Qs 6d 4c"), 'write --up "Kd"'),
        (("strategy", "house", "--hand", "Qs 6d 4c", "--up", "Kd"), "remove --up"),
        (("strategy", "house", "--hand", "Qs 6d"), "a hand has three cards"),
        (("strategy", "house", "--hand", "Qs 6d Zz"), "unknown card"),
        (("strategy", "california", "--hand", "Qs 6d Kd", "--up", "Kd"), "a card appears twice"),
        (("strategy", "california", "--up", "Kd"), "add --hand"),
        (("strategy", "house", "--hand", "Qs 6d 4c", "--up", ""), "remove --up"),
        (("strategy", "california", "--chart", "x.png"), "write FILE.html"),
        (("strategy", "house", "--set", "up=2", "--chart", "x.html"), "two dealer cards up"),
        (("odds", "california", "--set", "up=true"), "true is not allowed here"),
        (("strategy", "roulette"), "nothing to decide"),
        (("bank", "roulette", "--seats", "1"), "nothing to decide or to bank"),
        (("bank", "california", "--seats", "11"), "1 to 10 seats"),
        (("bank", "california", "--seats", "x"), "not a valid integer"),
        (("bank", "california", "--ante", "500,600", "--seats", "3"), "2 amounts of ante do not"),
        (("bank", "california", "--ante", "500,600,1"), "the limits are $5.00"),
        (("bank", "california", "--ante", "5.5"), "write 500 for cents, or $5 or 5.00 for dollars"),
        (("bank", "california", "--ante", "$1,500"), "no commas in thousands"),
        (("bank", "california", "--seats", "2", "--ante", "1"), "the limits are $5.00"),
        (("compare", "california", "roulette"), "different games"),
    ],
)
def test_impossible_prices_are_refused_in_one_line(words: tuple[str, ...], said: str) -> None:
    done = call(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert len(done.stderr.splitlines()) == 1
