"""Printed sheets as HTML, PDF and text: the same figures in each, and the same bytes always."""

import json
import os
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import queenhigh as qh
from queenhigh.errors import InvalidRulebook, QueenhighError
from queenhigh.sheets import rule_sheet
from queenhigh.sheets.printed.as_html import as_html
from queenhigh.sheets.printed.as_pdf import as_pdf
from queenhigh.sheets.printed.blocks import (
    KINDS,
    PAPERS,
    Clauses,
    Figures,
    Headline,
    Kind,
    Lines,
    Paper,
    Picture,
    PrintedSheet,
    as_json,
)
from queenhigh.sheets.printed.pdf import typeset
from queenhigh.sheets.printed.sheets import make_sheet
from tests.in_process import call
from tests.sheets.test_printed import MARKUP, pages

#: Every kind of sheet, with and without up cards.
SHEETS: list[tuple[str, Kind]] = [
    *(("california", kind) for kind in KINDS),
    ("house", "strategy"),
    ("house", "pays"),
    ("roulette-european", "pays"),
    ("roulette-european", "felt"),
]


def sheet_of(name: str, kind: Kind, paper: Paper = "letter") -> PrintedSheet:
    return make_sheet(kind, qh.load(name), paper)


class Page(HTMLParser):
    """The rows of all tables of a page, and all its texts."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.texts: list[str] = []
        self._within = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a row or a cell."""
        self._within = tag
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        """Read a text."""
        if self._within in ("td", "th"):
            self.rows[-1][-1] += data
        elif self._within != "style":
            self.texts.append(data.strip())

    def handle_endtag(self, tag: str) -> None:
        """End a cell."""
        self._within = ""


@pytest.mark.parametrize(("name", "kind"), SHEETS)
def test_page_shows_every_figure_of_the_sheet(name: str, kind: Kind) -> None:
    sheet = sheet_of(name, kind)
    page = Page(as_html(sheet))
    tables = [block for block in sheet.blocks if isinstance(block, Figures)]
    assert page.rows == [list(row) for each in tables for row in (each.head, *each.rows)]
    for block in sheet.blocks:
        if isinstance(block, Lines):
            assert {*block.lines} <= {*page.texts}
        elif isinstance(block, Headline):
            assert {block.text, block.more} <= {*page.texts}
        elif isinstance(block, Clauses):
            assert {text for row in block.rows for text in row} <= {*page.texts}
        elif isinstance(block, Figures):
            assert {block.title, block.note} - {""} <= {*page.texts}
    assert {sheet.title, sheet.subtitle, *sheet.foot} <= {*page.texts}


def test_missing_row_is_noticed() -> None:
    """A page that leaves a row out shows other rows than the sheet has."""
    sheet = sheet_of("california", "fees")
    (table, lines) = sheet.blocks
    assert isinstance(table, Figures)
    short = replace(sheet, blocks=(replace(table, rows=table.rows[1:]), lines))
    assert Page(as_html(short)).rows == [list(row) for row in (table.head, *table.rows[1:])]
    assert Page(as_html(short)).rows != Page(as_html(sheet)).rows


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Yield the path of every text that is printed."""
    if isinstance(value, dict):
        for name, each in value.items():
            if name not in ("is", "kind", "paper", "rulebook", "svg", "words"):
                yield from leaves(each, (*path, name))
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from leaves(each, (*path, index))
    elif isinstance(value, str) and value:
        yield path


def changed(data: Any, path: tuple[Any, ...]) -> Any:
    """Return data with another text at a path."""
    if not path:
        return "1" + data[1:] if data[0] != "1" else "2" + data[1:]
    first, *others = path
    if isinstance(data, dict):
        return {**data, first: changed(data[first], tuple(others))}
    return [changed(each, tuple(others)) if i == first else each for i, each in enumerate(data)]


@pytest.mark.parametrize(("name", "kind"), [("california", "fees"), ("house", "strategy")])
def test_every_text_of_a_sheet_is_on_its_print(name: str, kind: Kind) -> None:
    data = as_json(sheet_of(name, kind))
    printed = typeset("sheet", data)
    for path in leaves(data):
        assert typeset("sheet", changed(data, path)) != printed, path


def test_text_that_is_not_printed_is_noticed() -> None:
    """What the template does not know changes nothing: the test above would fail."""
    data = as_json(sheet_of("california", "fees"))
    assert typeset("sheet", {**data, "unknown": "1"}) == typeset("sheet", {**data, "unknown": "2"})


@pytest.mark.parametrize(("name", "kind"), SHEETS)
def test_sign_is_one_page_on_both_papers(name: str, kind: Kind) -> None:
    for paper in PAPERS:
        sheet = sheet_of(name, kind, paper)
        assert pages(as_pdf(sheet)) == (1 if sheet.is_sign else 2)


def test_long_sign_still_fits_a_page() -> None:
    sheet = sheet_of("california", "fees")
    (table, lines) = sheet.blocks
    assert isinstance(table, Figures)
    long = replace(sheet, blocks=(replace(table, rows=table.rows * 8), lines))
    assert pages(as_pdf(long)) == 1


def test_paper_has_its_size() -> None:
    """A sheet is as large as its paper, and a felt lies on its side."""
    for paper, kind, box in (
        ("letter", "fees", b"612 792"),
        ("letter", "felt", b"792 612"),
        ("a4", "fees", b"595.2756 841.8898"),
        ("a4", "felt", b"841.8898 595.2756"),
    ):
        sheet = make_sheet(kind, qh.load("california"), paper)  # type: ignore[arg-type]
        assert re.search(rb"/MediaBox ?\[0 0 " + re.escape(box), as_pdf(sheet)), (paper, kind)


CODE = """
import sys
import queenhigh as qh
from queenhigh.sheets import rule_sheet
from queenhigh.sheets.printed.as_html import as_html
from queenhigh.sheets.printed.as_pdf import as_pdf
from queenhigh.sheets.printed.sheets import make_sheet
from tests.sheets.test_printed_sheets import SHEETS
for name, kind in SHEETS:
    sheet = make_sheet(kind, qh.load(name))
    sys.stdout.buffer.write(as_pdf(sheet) + as_html(sheet).encode())
"""


@pytest.mark.full
def test_same_rulebook_gives_the_same_bytes(tmp_path: Path) -> None:
    def printed(**other: str) -> bytes:
        done = subprocess.run(
            [sys.executable, "-c", CODE],
            capture_output=True,
            check=True,
            env={**os.environ, **other},
        )
        return done.stdout

    first = printed(PYTHONHASHSEED="1", TZ="Asia/Tokyo", LANG="de_DE.UTF-8", HOME=str(tmp_path))
    again = printed(PYTHONHASHSEED="77", TZ="America/Los_Angeles", LANG="C", LC_ALL="C")
    assert first == again
    assert first.count(b"%PDF-") == len(SHEETS)
    assert b"CreationDate" not in first


def test_other_rules_give_other_bytes() -> None:
    other = make_sheet("fees", qh.load("california", {"fees.rates.0.player": 101}))
    assert as_pdf(other) != as_pdf(sheet_of("california", "fees"))
    assert as_html(other) != as_html(sheet_of("california", "fees"))


def test_title_is_never_markup() -> None:
    sheet = replace(sheet_of("california", "felt"), subtitle=f"{MARKUP}<script>x</script>")
    assert pages(as_pdf(sheet)) == 1
    assert "<script>" not in as_html(sheet)
    assert "&lt;script&gt;" in as_html(sheet)


def test_page_loads_nothing_from_elsewhere() -> None:
    for name, kind in SHEETS:
        page = as_html(sheet_of(name, kind)).replace("http://www.w3.org/2000/svg", "")
        assert not re.search(r"https?:|url\(|@import|<script|<link|<img", page)


def readings() -> Iterator[tuple[str, str, object]]:
    """Yield every value of every key that takes one of a few."""
    for name in qh.shipped():
        for key, values in rule_sheet.as_json(qh.load(name))["choices"].items():
            yield from ((name, key, value) for value in values)


@pytest.mark.full
def test_every_reading_has_its_sheets() -> None:
    made: Counter[Kind] = Counter()
    refused: set[str] = set()
    for name, key, value in readings():
        try:
            book = qh.load(name, {key: value})
        except InvalidRulebook:
            continue  # it needs other changes with it
        for kind in KINDS:
            try:
                sheet = make_sheet(kind, book)
            except QueenhighError as error:
                refused.add(error.code)
                continue
            made[kind] += 1
            assert as_html(sheet)
    assert min(made[kind] for kind in KINDS) > 20, made
    assert refused == {"sheet.none"}


def test_felt_has_a_place_for_everyone() -> None:
    (picture,) = sheet_of("california", "felt").blocks
    assert isinstance(picture, Picture)
    assert picture.svg.count(">Ante</text>") == picture.svg.count(">Bonus</text>") == 11
    (seven,) = sheet_of("house", "felt").blocks
    assert isinstance(seven, Picture)
    assert seven.svg.count(">Ante</text>") == 7


def test_chips_on_the_layout_lie_apart() -> None:
    """No chip of the legend hides another one, on any wheel."""
    for name in ("roulette", "roulette-american", "roulette-european"):
        (picture,) = sheet_of(name, "felt").blocks
        assert isinstance(picture, Picture)
        places = re.findall(r"translate\(([\d.]+) ([\d.]+)\)", picture.svg)
        spots = [(float(x), float(y)) for x, y in places]
        for index, (x, y) in enumerate(spots):
            assert all(abs(x - a) + abs(y - b) > 30 for a, b in spots[:index]), name


def test_command_writes_and_prints(tmp_path: Path) -> None:
    pdf, html = tmp_path / "fees.pdf", tmp_path / "fees.html"
    done = call("sheet", "fees", "california", "--pdf", str(pdf), "--html", str(html))
    assert done.returncode == 0, done.stderr
    assert pdf.read_bytes() == as_pdf(sheet_of("california", "fees"))
    assert html.read_text("utf-8") == as_html(sheet_of("california", "fees"))
    text = call("sheet", "fees", "california", "--set", "fees.rates.0.player=150").stdout
    assert "$5 to $100" in text
    assert "$1.50" in text


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["fees", "house"], "no collection fees are charged"),
        (["strategy", "roulette"], "there is nothing to decide"),
        (["fees", "california", "--pdf", "fees.txt"], "with --pdf write FILE.pdf"),
        (["fees", "california", "--html", "fees.pdf"], "with --html write FILE.html"),
        (["fees", "california", "--pdf", "/nowhere/fees.pdf"], "choose a file you can write to"),
    ],
)
def test_command_refuses_in_a_sentence(arguments: list[str], sentence: str) -> None:
    done = call("sheet", *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_command_prints_json() -> None:
    made = json.loads(call("sheet", "strategy", "house", "--json", "--paper", "a4").stdout)
    assert made == json.loads(json.dumps(as_json(sheet_of("house", "strategy", "a4"))))
