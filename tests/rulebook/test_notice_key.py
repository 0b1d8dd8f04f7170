"""The key ``fees.notice_seconds``: written into files with fees, and no part of the meaning."""

import json
from pathlib import Path

import pytest

import queenhigh as qh
from queenhigh.rulebook.load import from_document, parse, vary
from tests.table.table_changes import without_notice

#: The digests of meaning from before the key; it changes none of them.
MEANINGS = {
    "california": "sha256:baf5b820c2d8a94b811f1192de993f0063871637c33fee2c087751fda5808285",
    "house": "sha256:87b690786fd9b456ac4822ff85fcab13e9373b5f4e4f4cd94ffa3f3a64579a9d",
    "roulette": "sha256:41d67f7c1bddd137ee3eee35b48a32c3150fb821db6743b30d35db5ce1945f43",
    "roulette-american": "sha256:7c78dfe015df7065129d7ad1ae32d28eaecfd2f44fe5dc28ced34f2752142e3c",
    "roulette-european": "sha256:be16f006f469e28ba8562375dbf91155eda4927f3eeec78a594ec14c1d1c6b41",
}
FILE = Path(qh.__file__).parent / "rulebooks" / "california.toml"


def test_meaning_of_shipped_rulebooks_stays_the_same() -> None:
    assert {name: qh.load(name).digest for name in MEANINGS} == MEANINGS
    assert without_notice().digest == MEANINGS["california"]
    assert qh.load("california", {"notice_seconds": 600}).digest == MEANINGS["california"]
    assert qh.load("california", {"max_rates": 4}).digest != MEANINGS["california"]


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
