"""The key ``fees.notice_seconds``: written into files with fees, and no part of the meaning."""

import json
from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.rulebook.load import from_document, parse, vary
from tests.table.table_changes import without_notice

FILE = Path(qh.__file__).parent / "rulebooks" / "california.toml"


def test_notice_is_not_part_of_the_meaning() -> None:
    usual = qh.load("california").rules_digest
    assert without_notice().rules_digest == usual
    assert qh.load("california", {"notice_seconds": 600}).rules_digest == usual


def test_file_with_fees_gets_a_minute_of_notice() -> None:
    text = FILE.read_text("utf-8").replace("notice_seconds = 60", "")
    assert "notice_seconds = " not in text
    assert parse(text, "mine.toml").notice_seconds == 60
    assert parse(text, "mine.toml").document["fees"]["notice_seconds"] == 60
    assert qh.load("house").notice_seconds is None
    assert "fees" not in qh.load("house").document


def test_stored_document_is_read_as_it_is() -> None:
    old = without_notice()
    assert "notice_seconds" not in old.document["fees"]
    stored = json.loads(json.dumps(dict(old.document)))
    assert from_document(stored).notice_seconds is None
    assert vary(old, {"limits.bonus.max": 400}).notice_seconds is None
    assert vary(old, {"fees.notice_seconds": 90}).notice_seconds == 90


@pytest.mark.parametrize("seconds", [59, 0, -60, 60.0, "60", True, 604_801])
def test_notice_is_whole_seconds_and_at_least_a_minute(seconds: object) -> None:
    with pytest.raises(qh.InvalidRulebook) as caught:
        qh.load("california", {"fees.notice_seconds": seconds})
    (problem,) = caught.value.problems
    assert problem.key == "fees.notice_seconds"
    assert "write notice_seconds = 60" in problem.write


def test_notice_is_governed_by_its_own_clause() -> None:
    assert qh.load("california").governing("fees.notice_seconds") == ("CA-6",)
