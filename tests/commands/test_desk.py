"""The desk as a dealer uses it in a terminal, and as a program does."""

import json
import os
import pty
import re
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.games.test_settle_format import EXAMPLE, RESULT
from tests.in_process import call

HAND = ["bank 1000", "start 3", "dealer Qs 7d 2c", "3 ante 10 bonus 5 play As Kd 9h",
        "5 ante 10 fold 3c 5d 9s"]  # fmt: skip


#: The program, with standard input as the terminal that Ctrl-C is typed at.
OWN_TERMINAL = """
import fcntl, termios
from queenhigh.cli import main

fcntl.ioctl(0, termios.TIOCSCTTY, 0)
main()
"""


class Terminal:
    """A terminal with the desk in it."""

    def __init__(self, process: "subprocess.Popen[bytes]", screen: int) -> None:
        self.process, self.screen = process, screen
        self.shown = ""

    def type(self, keys: str) -> None:
        os.write(self.screen, keys.encode())

    def wait_for(self, text: str) -> str:
        """Return what is shown up to a text."""
        while text not in self.shown:
            try:
                self.shown += os.read(self.screen, 65_536).decode().replace("\r", "")
            except OSError:
                raise AssertionError(f"{text!r} is missing: {self.shown}") from None
        before, _, self.shown = self.shown.partition(text)
        return before

    def leave(self, key: str) -> str:
        """Type a key until the desk has ended; return what it shows.

        A key that comes before the desk waits for one may be overlooked.
        """
        shown, self.shown = self.shown, ""
        self.type(key)
        while True:
            if not select.select([self.screen], [], [], 2)[0]:
                self.type(key)
                continue
            try:
                block = os.read(self.screen, 65_536)
            except OSError:
                return shown
            shown += block.decode().replace("\r", "")


@contextmanager
def terminal(*words: str) -> Iterator[Terminal]:
    screen, end = pty.openpty()
    command = [sys.executable, "-c", OWN_TERMINAL, "desk", *words]
    env = {**os.environ, "TERM": "dumb", "COLUMNS": "80"}
    with subprocess.Popen(command, stdin=end, stdout=end, stderr=end, env=env,
                          start_new_session=True) as process:  # fmt: skip
        os.close(end)
        try:
            yield Terminal(process, screen)
        finally:
            process.kill()
            os.close(screen)


def test_a_hand_is_settled_in_a_terminal() -> None:
    with terminal("california") as desk:
        desk.wait_for("Type help to see how.\nBank> ")
        desk.type("500\r")
        desk.wait_for("Bank $500.00\nSeat and Ante> ")
        desk.type("1 5\r")
        desk.wait_for("Seat 1, play or fold> ")
        desk.type("p asKd9h\r")
        desk.wait_for("Dealer> ")
        desk.type("as 7d 2c\r")
        desk.wait_for("As is dealt twice.")
        desk.wait_for("Dealer> ")
        desk.type("qs7d2c\r")
        desk.wait_for("Enter for the payouts> ")
        desk.type("\r")
        desk.wait_for("Seat 1: As Kd 9h, ace-high, plays: +$10.00, fee $1.00\n")
        desk.wait_for("n for a new hand> ")
        assert "Traceback" not in desk.leave("q\r")
        assert desk.process.wait(30) == 0


@pytest.mark.parametrize(("key", "status"), [("\x03", 130), ("\x04", 0)], ids=["Ctrl-C", "Ctrl-D"])
def test_leaving_in_the_middle_keeps_the_hand(key: str, status: int) -> None:
    with terminal("california") as desk:
        desk.wait_for("Bank> ")
        desk.type("500\r")
        desk.wait_for("Seat and Ante> ")
        desk.type("1 5\r")
        desk.wait_for("Seat 1, play or fold> ")
        shown = desk.leave(key)
        assert desk.process.wait(30) == status
    assert "This hand isn't settled." in shown
    assert '{"bank":50000,"first":1,"seats":[{"seat":1,"ante":500}]}' in shown
    assert "Traceback" not in shown


def test_the_desk_answers_programs_in_json() -> None:
    done = call("desk", "california", "--json", stdin="\n".join([*HAND, "", "settle", "line"]))
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["reply"] for answer in answers] == ["entered"] * 5 + ["settled", "line"]
    assert answers[0]["missing"] == [{"lacks": "seats", "message": "Add the first player."}]
    assert answers[-1]["entered"] == {
        key: value for key, value in json.loads(EXAMPLE).items() if key != "id"
    }
    assert answers[-2]["settled"] == {
        key: value for key, value in json.loads(RESULT).items() if key != "id"
    }
    assert [(row["wager"], row["do"], row["cents"], row["left"]) for row in answers[-2]["payouts"]][
        2:
    ] == [("bonus", "take", 500, 97_500), ("ante", "take", 1000, 96_500)]
    assert (done.returncode, done.stderr) == (0, "")


def test_refused_entries_are_answered_and_counted() -> None:
    done = call("desk", "house", "--json", stdin="bank 5\n1 5\nyes\nquit\nundo\n")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["reply"] for answer in answers] == ["refused", "refused", "entered", "quit"]
    assert answers[0]["code"] == "bank.needless"
    assert answers[1]["offer"] == "If it was dealt to, $4.00 of the Ante stands (IR-6): type yes."
    assert answers[2]["entered"]["irregularities"][0]["kind"] == "outside_limits"
    assert done.returncode == 1


def test_the_printed_line_settles_to_the_same() -> None:
    done = call("desk", "california", stdin="\n".join([*HAND, "settle", ""]))
    line = next(line for line in done.stdout.splitlines() if line.startswith("{"))
    settled = json.loads(call("settle", "california", "--json", stdin=line).stdout)
    assert settled["seats"] == json.loads(RESULT)["seats"]
    for amount in ("Pay $10.00", "Take $5.00", "fee $1.00", "bank $965.00", "CA-16  If the"):
        assert amount in done.stdout
    assert "Fees: $4.00 (CA-7)." in done.stdout


@pytest.mark.parametrize("order", ["seat", "wager", "bonus_first"])
def test_payouts_come_in_the_order_of_settlement(order: str) -> None:
    entries = ["bank 12", "1 5 1 p As Kd 9h", "2 5 1 p Ac Kc 8h", "d Qs 7d 2c", "settle"]
    words = ("desk", "california", "--set", f"settle_order={order}")
    text = call(*words, stdin="\n".join(entries)).stdout.partition("Payouts\n")[2]
    left = [int(cents) for cents in re.findall(r"bank \$(\d+)\.00$", text, re.MULTILINE)]
    by_wager = [line.split()[0] for line in text.splitlines() if line.startswith("    ")]
    assert left == {"seat": [7, 2, 1, 0, 0, 0], "wager": [7, 2, 0, 0, 0, 0],
                    "bonus_first": [11, 6, 1, 0, 0, 0]}[order]  # fmt: skip
    first = {"seat": ["Ante", "Play", "Bonus"], "wager": ["Ante", "Ante", "Play"],
             "bonus_first": ["Bonus", "Ante", "Play"]}  # fmt: skip
    assert by_wager[:3] == first[order]


def test_what_goes_back_is_listed_in_a_void_round() -> None:
    text = call("desk", "california", stdin="b 100\n1 5\n2 10 1\nmisdeal\n\n").stdout
    assert "The round is void. Everything goes back." in text
    assert "Seat 2: return Ante $10.00 (IR-1), Bonus $1.00 (IR-1) and the fee of $1.00" in text
    assert "Banker: return the banker's fee of $2.00 (CA-7)." in text


def test_other_games_use_settle() -> None:
    done = call("desk", "roulette")
    assert done.stderr == (
        "the desk is for Three Card Poker: for this game use queenhigh settle roulette\n"
    )
    assert done.returncode == 2


@pytest.mark.parametrize("rulebook", ["california", "house"])
def test_lines_fit_into_80_columns(rulebook: str) -> None:
    entries = ["help", "w", "", "b 100000", "1 4", "1 500 100 p qh td 2c", "2 1000", "2 3", "hand",
               "fold 2", "w 2 exposed", "w rain", "r 2 bonus", "d qs jh 3c", "", "u", "u", "m",
               *HAND, "settle", "new", "1 1 pp 1", "p as ks qs", "d 2c 3c 4c", ""]  # fmt: skip
    shown = call("desk", rulebook, stdin="\n".join([*entries, ""])).stdout
    assert len(shown.splitlines()) > 60
    long = [line for line in shown.splitlines() if len(line) > 80 and not line.startswith("{")]
    assert long == []


@pytest.mark.parametrize("junk", [b"\xff\xfe\n", b"\0\n", b"\x1b[2J\n", b"9" * 5_000_000])
def test_junk_is_refused_without_harm(junk: bytes, tmp_path: Path) -> None:
    done = call("desk", "california", "--json", stdin=b"bank 5\n" + junk)
    first, *rest = [json.loads(line) for line in done.stdout.splitlines()]
    assert (first["reply"], {answer["reply"] for answer in rest}) == ("entered", {"refused"})
    assert "\x1b" not in done.stdout
    assert max(len(answer["message"]) for answer in rest) < 200


def test_the_rest_of_a_long_line_is_no_entry() -> None:
    long = f"1 ante {' ' * (1 << 20)}5 fold 2 ante 10"
    done = call("desk", "california", "--json", stdin=f"{long}\n{long}\nbank 5\n{long}")
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["reply"] for answer in answers] == ["refused", "refused", "entered", "refused"]
    assert answers[-1]["code"] == "entry.long"
    assert answers[-1]["entered"] == {"bank": 500, "first": 1, "seats": []}
