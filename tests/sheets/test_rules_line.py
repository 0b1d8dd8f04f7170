"""What the lobby says of a table's rules in a line."""

import pytest

import queenhigh as qh
from queenhigh.sheets.rule_sheet import in_a_line

PARTAGE = "la partage: a zero takes half of an even-money bet"
PRISON = "en prison: a zero holds an even-money bet, a second one"


@pytest.mark.parametrize(
    ("rulebook", "changes", "line"),
    [
        ("roulette", {}, "Two zeros; straight up pays 35 to 1; a zero takes every outside bet"),
        ("roulette", {"zeros": 3}, "Three zeros; {}; a zero takes every outside bet"),
        ("roulette-american", {"zero.on_zero": "la_partage"}, f"Two zeros; {{}}; {PARTAGE}"),
        (
            "roulette-european",
            {"zero.on_zero": "en_prison"},
            f"One zero; {{}}; {PRISON} takes it",
        ),
        (
            "roulette-european",
            {"zero.on_zero": "en_prison", "zero.second_zero": "half"},
            f"One zero; {{}}; {PRISON} takes half of it",
        ),
        (
            "roulette-american",
            {"zeros": 3, "zero.on_zero": "en_prison", "zero.second_zero": "stay"},
            f"Three zeros; {{}}; {PRISON} holds it again",
        ),
        (
            "california",
            {},
            "A player banks, one dealer card is up; the dealer qualifies with queen-high or better",
        ),
    ],
)
def test_rules_in_a_line(rulebook: str, changes: dict[str, object], line: str) -> None:
    assert in_a_line(qh.load(rulebook, changes)) == line.format("straight up pays 35 to 1")
