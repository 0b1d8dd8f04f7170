"""Corrected rounds in proofs and on sheets."""

from io import StringIO

import pytest
from rich.console import Console

from queenhigh.history.proofs import CorrectionPair, as_proof, made_corrections
from queenhigh.history.records import Record, rounds_of
from queenhigh.sheets import proof_sheet
from queenhigh.sheets.tables import Block
from tests.verify.ruled_rooms import ruled_tables

Corrected = list[tuple[Record, list[CorrectionPair]]]


@pytest.fixture(scope="module")
def rounds() -> Corrected:
    events = ruled_tables()["banked"]
    made = [*made_corrections(events)]
    return [
        (record, [pair for pair in made if pair[1].round == record.live.number])
        for record in rounds_of(events, "t")
    ]


def test_proofs_have_rulings_void_hands_and_corrections(rounds: Corrected) -> None:
    proofs = [as_proof(record, {}, pairs) for record, pairs in rounds]
    assert [len(proof.get("corrections", ())) for proof in proofs] == [5, 0, 2, 0, 0]
    assert [len(proof.get("incidents", ())) for proof in proofs] == [1, 1, 1, 1, 0]
    voided = proofs[2]["voided"]
    assert [(hand["place"], hand["cents"], hand["fee"]) for hand in voided] == [(9, 600, 100)]
    assert "voided" not in proofs[0]
    assert proofs[0]["corrections"][0]["asked_by"] == "Carl"
    assert proofs[0]["corrections"][0]["approved_by"] == "Noor"


def drawn(block: Block) -> str:
    out = StringIO()
    Console(file=out, width=200).print(block)
    return out.getvalue()


def test_sheets_show_corrections(rounds: Corrected) -> None:
    record, pairs = rounds[0]
    text = drawn(proof_sheet.as_text(record, pairs))
    assert text.count("Corrected: ") == len(pairs)
    assert "seen on video (Carl asked for it, Noor approved it)" in text
    assert proof_sheet.as_json(record, pairs)["corrections"][0]["correction"] == 1
    assert "corrections" not in proof_sheet.as_json(record)
