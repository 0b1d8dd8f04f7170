"""Playthroughs: rounds of every shipped rulebook, written out as a dealer could read them aloud.

A text in ``tests/golden`` is what ``queenhigh settle`` prints. The rounds of ``<rulebook>.txt`` are
the example of that rulebook; the other texts have their rounds beside them. After a change that is
meant, print a text again with the command in the message of the test that failed.
"""

import re
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

import queenhigh as qh
from tests.in_process import call

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "golden"
SHIPPED = {file.stem: file for file in (Path(qh.__file__).parent / "rulebooks").glob("*.toml")}


class Playthrough(NamedTuple):
    """Rounds in a file, the rulebook they are settled by, and the readings that it is given."""

    rulebook: str
    rounds: Path
    readings: tuple[str, ...] = ()

    @property
    def words(self) -> list[str]:
        readings = [word for reading in self.readings for word in ("--set", reading)]
        return ["settle", self.rulebook, str(self.rounds.relative_to(ROOT)), *readings]


def beside(name: str, rulebook: str, *readings: str) -> tuple[str, Playthrough]:
    """Return a playthrough whose rounds are beside its text."""
    return name, Playthrough(rulebook, GOLDEN / f"{name}.jsonl", readings)


EXAMPLES = {
    name: Playthrough(name, ROOT / "examples" / f"{name}.jsonl") for name in sorted(SHIPPED)
}
IRREGULAR = "california-irregular"
EXAMPLES[IRREGULAR] = Playthrough(
    "california", ROOT / "examples" / f"{IRREGULAR}.jsonl", ("misdeal=redeal",)
)
PLAYTHROUGHS = EXAMPLES | dict(
    [
        beside("california-all-endings", "california"),
        beside("house-all-endings", "house"),
        beside("house-irregular", "house", "exposed_player=void_hand", "exposed_dealer=play_on"),
        beside("roulette-all-bets", "roulette"),
        beside("roulette-european-la-partage", "roulette-european", "zero.on_zero=la_partage"),
        beside(
            "roulette-european-en-prison",
            "roulette-european",
            "zero.on_zero=en_prison",
            "zero.second_zero=stay",
        ),
    ]
)


@pytest.mark.parametrize("name", PLAYTHROUGHS)
def test_playthrough_reads_as_before(name: str) -> None:
    words = PLAYTHROUGHS[name].words
    text = GOLDEN / f"{name}.txt"
    again = f"queenhigh {' '.join(words)} > {text.relative_to(ROOT)}"
    assert text.exists(), f"there is no playthrough {name}: {again}"
    done = call(*words, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == text.read_text("utf-8"), f"if this is meant: {again}"


@pytest.mark.parametrize("rulebook", sorted(SHIPPED))
def test_playthroughs_show_every_way_to_settle(rulebook: str) -> None:
    document = tomllib.loads(SHIPPED[rulebook].read_text("utf-8"))
    rows = [*document.get("settlement", []), *document.get("bets", [])]
    assert rows
    clause_at_end = re.compile(r"  ([A-Z]+-\d+)(?: .* left)?$", re.M)
    cited = {
        clause
        for name, playthrough in PLAYTHROUGHS.items()
        if playthrough.rulebook == rulebook
        for clause in clause_at_end.findall((GOLDEN / f"{name}.txt").read_text())
    }
    assert {row["clause"] for row in rows} - cited == set()


def test_no_playthrough_is_left_over() -> None:
    assert {file.stem for file in GOLDEN.glob("*.txt")} == set(PLAYTHROUGHS)
