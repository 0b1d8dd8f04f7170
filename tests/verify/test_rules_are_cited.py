"""Every rule of docs/log.md has a number, and is cited where the verifier and tests check it."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = re.findall(r"^- \*\*(L\d+) ", (ROOT / "docs" / "log.md").read_text(), re.MULTILINE)
#: In a docstring of the second verifier, and in a comment of a test.
CITED, COMMENT = re.compile(r"\((L\d+)\)"), re.compile(r"# ((?:L\d+(?:, )?)+)$", re.MULTILINE)
FOLDERS = ("room", "server", "table", "verify")


def cited_by_verifier(text: str) -> set[str]:
    return set(CITED.findall(text))


def cited_by_test(text: str) -> set[str]:
    return {rule for rules in COMMENT.findall(text) for rule in rules.split(", ")}


def test_rules_are_numbered_in_order() -> None:
    assert len(RULES) > 20
    assert [f"L{number}" for number in range(1, len(RULES) + 1)] == RULES


def test_second_verifier_cites_every_rule() -> None:
    assert cited_by_verifier((ROOT / "verifier" / "verify_log.py").read_text()) == set(RULES)


def test_every_rule_is_cited_by_a_test() -> None:
    files = [file for folder in FOLDERS for file in (ROOT / "tests" / folder).glob("*.py")]
    cited = {rule for file in files for rule in cited_by_test(file.read_text())}
    assert cited == set(RULES)


def test_citations_are_recognised() -> None:
    assert cited_by_verifier('"""Raise Bad unless bets may be closed (L9)."""') == {"L9"}
    assert cited_by_test("def lie() -> None:  # L13, L19\n    pass") == {"L13", "L19"}
    assert cited_by_test("x = 1  # a line") == set()
