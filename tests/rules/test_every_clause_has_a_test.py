"""A clause without a test fails the build."""

import ast
import re
from pathlib import Path

import pytest

import queenhigh as qh

FOLDER = Path(__file__).parent
NAME = re.compile(r"test_([A-Z]+)_(\d+)_")

#: How many clauses each part of the rules has; a clause that disappears is noticed too.
PARTS = {"TCP": 5, "CA": 23, "HO": 13, "RO": 22, "IR": 7}


def clauses_with_a_test() -> set[str]:
    names = [
        node.name
        for file in FOLDER.glob("test_*.py")
        for node in ast.walk(ast.parse(file.read_text()))
        if isinstance(node, ast.FunctionDef)
    ]
    return {f"{match[1]}-{match[2]}" for name in names if (match := NAME.match(name))}


def known_clauses() -> set[str]:
    return {clause.id for name in qh.shipped() for clause in qh.load(name).clauses}


def missing(clauses: set[str]) -> set[str]:
    return clauses - clauses_with_a_test()


def test_every_clause_of_every_rulebook_has_a_test() -> None:
    assert missing(known_clauses()) == set()


def test_every_test_is_of_a_clause_that_exists() -> None:
    assert clauses_with_a_test() - known_clauses() == set()


def test_no_clause_is_missing_from_the_rulebooks() -> None:
    expected = {f"{part}-{n}" for part, count in PARTS.items() for n in range(1, count + 1)}
    assert known_clauses() == expected


@pytest.mark.parametrize("planted", ["CA-24", "TCP-6", "IR-8"])
def test_clause_without_a_test_is_caught(planted: str) -> None:
    assert missing({*known_clauses(), planted}) == {planted}
