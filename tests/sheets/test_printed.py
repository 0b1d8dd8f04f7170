"""Printed reports: the same bytes for the same figures, and texts that stay texts."""

import os
import re
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

import pytest

from queenhigh.errors import QueenhighError
from queenhigh.history.floor_reports import lists
from queenhigh.history.floor_reports.filters import read_filter
from queenhigh.history.floor_reports.report import Report, Row
from queenhigh.sheets.printed import pdf, report
from queenhigh.sheets.printed.letterhead import Letterhead, Signed
from queenhigh.sheets.printed.pdf import printable, typeset
from queenhigh.sheets.printed.report import MOST_PRINTED, print_report

NOVEMBER = 1_793_523_600_000
#: Commands of the typesetter, which would fail, or show something else.
MARKUP = '#panic("x") $ x_ #let * _ ` <a> @b [ ] \\ "] #read("/etc/passwd") // /*'


def made(rows: int = 3, text: str = "a misdeal") -> Report:
    """Return a report of void rounds."""
    wanted = read_filter("voids", {"until": str(NOVEMBER), "zone": "America/Los_Angeles"})
    listed: list[Row] = [
        (NOVEMBER - 1000 * n, text, n, "(house)", "floor", text, 1234 * n, 0) for n in range(rows)
    ]
    return lists.voids(wanted, listed, 10**6)


def parts(printed: bytes) -> bytes:
    """Return what the streams of a PDF hold."""
    streams = re.findall(rb"stream\r?\n(.*?)\nendstream", printed, re.DOTALL)
    return b"\n".join(zlib.decompress(each) for each in streams if each[:1] == b"\x78")


def pages(printed: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", printed + parts(printed)))


def test_same_figures_give_the_same_bytes(tmp_path: Path) -> None:
    code = (
        "import sys; from tests.sheets.test_printed import *;"
        "sys.stdout.buffer.write(print_report(made(), Letterhead('The Room')))"
    )
    other = {"TZ": "Asia/Tokyo", "HOME": str(tmp_path), "LANG": "de_DE.UTF-8"}
    again = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env={**os.environ, **other}
    )
    printed = print_report(made(), Letterhead("The Room"))
    assert printed.startswith(b"%PDF-")
    assert again.stdout == printed
    assert print_report(made(text="a fire"), Letterhead("The Room")) != printed
    assert b"CreationDate" not in printed + parts(printed)


def test_text_is_never_markup(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    signed = (Signed(MARKUP, NOVEMBER, "0" * 64, MARKUP),)
    assert pages(print_report(made(text=MARKUP), Letterhead(MARKUP, signed))) <= 2
    (tmp_path / "eval.typ").write_text(
        '#eval(json(bytes(sys.inputs.data)).text, mode: "markup")', "utf-8"
    )
    monkeypatch.setattr(pdf, "_TEMPLATES", tmp_path)
    with pytest.raises(QueenhighError) as failed:
        typeset("eval", {"text": MARKUP})
    assert failed.value.code == "print.failed", "a template that did take it for markup"


def test_template_reads_no_file_outside_its_folder(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    inside = tmp_path / "templates"
    inside.mkdir()
    (tmp_path / "secret.txt").write_text("secret", "utf-8")
    (inside / "reads.typ").write_text('#read("../secret.txt")', "utf-8")
    monkeypatch.setattr(pdf, "_TEMPLATES", inside)
    with pytest.raises(QueenhighError):
        typeset("reads", {})


def test_long_report_is_cut_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    data: dict[str, Any] = {}
    monkeypatch.setattr(report, "typeset", lambda template, given: data.update(given) or b"")
    print_report(made(MOST_PRINTED + 7), Letterhead("The Room"))
    assert len(data["rows"]) == MOST_PRINTED
    assert data["left_off"].startswith("7 more rows are not printed; totals and digest are of all")
    assert data["totals"][-2] == f"${1234 * sum(range(MOST_PRINTED + 7)) / 100:,.2f}"
    print_report(made(MOST_PRINTED), Letterhead("The Room"))
    assert data["left_off"] == ""


def test_print_has_pages_and_signatures(monkeypatch: pytest.MonkeyPatch) -> None:
    figures = made(150)
    signed = (
        Signed("Maria", NOVEMBER, figures.digest, "counted twice"),
        Signed("Noor", NOVEMBER + 1000, "ab" * 32, ""),
    )
    assert pages(print_report(figures, Letterhead("The Room", signed))) >= 3
    data: dict[str, Any] = {}
    monkeypatch.setattr(report, "typeset", lambda template, given: data.update(given) or b"")
    print_report(figures, Letterhead("The Room", signed))
    first, second = data["signatures"]
    assert first == {
        "name": "Maria", "time": "2026-11-01 01:00:00 (America/Los_Angeles)",
        "note": "counted twice", "figures": "",
    }  # fmt: skip
    assert second["figures"] == "other figures: abababababababab"
    assert (data["room"], data["title"]) == ("The Room", "Void rounds")
    assert data["words"].startswith("Until 2026-11-01 01:00 (America/Los_Angeles)")
    assert data["rows"][1] == [
        "2026-11-01 01:59:59", "a misdeal", "1", "(house)", "floor", "a misdeal", "$12.34", "$0.00",
    ]  # fmt: skip


def test_characters_without_a_glyph_are_named() -> None:
    assert printable("José Müller, Ωmega, Ёлка, שלום – $5") == "José Müller, Ωmega, Ёлка, שלום – $5"
    assert printable("中\u202e\n") == "[U+4E2D][U+202E][U+000A]"
