"""Sheets to print over HTTP: of shipped rulebooks, and of tables by the rules they play."""

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from typing import Any

import httpx
import pytest

import queenhigh as qh
from queenhigh.sheets.printed.as_html import as_html
from queenhigh.sheets.printed.as_pdf import as_pdf
from queenhigh.sheets.printed.blocks import KINDS
from queenhigh.sheets.printed.sheets import make_sheet
from tests.server.running_server import AT_ONCE, RunningServer

CHANGES: dict[str, Any] = {"fees.rates.0.player": 150, "bonus.pays.pair": "2 to 1"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    tables = {"plain": {"rulebook": "california", "pace": AT_ONCE}}
    with RunningServer(tmp_path_factory.mktemp("room") / "room.db", rooms=tables) as room:
        with room.floor() as floor:
            spec = {"name": "dear", "rulebook": "california", "set": CHANGES}
            assert floor.post("/api/floor/tables", json=spec).status_code == 201
        yield room
        assert room.errors() == ""


def get(served: RunningServer, path: str) -> httpx.Response:
    with served.http() as client:
        return client.get(f"/api/{path}")


def test_sheet_of_a_rulebook_is_that_of_the_command(served: RunningServer) -> None:
    for kind in KINDS:
        made = make_sheet(kind, qh.load("california"))
        pdf = get(served, f"rulebooks/california/sheets/{kind}.pdf")
        assert pdf.content == as_pdf(made)
        assert pdf.headers["content-type"] == "application/pdf"
        assert f'filename="california-{kind}.pdf"' in pdf.headers["content-disposition"]
        assert get(served, f"rulebooks/california/sheets/{kind}.html").text == as_html(made)


def test_sheet_of_a_table_has_its_own_rules(served: RunningServer) -> None:
    own = make_sheet("fees", qh.load("california", CHANGES), "a4", "dear")
    assert get(served, "tables/dear/sheets/fees.pdf?paper=a4").content == as_pdf(own)
    fees = get(served, "tables/dear/sheets/fees.json").json()
    assert fees["subtitle"] == "Table dear: California Three Card Poker, player-banked"
    assert fees["blocks"][0]["rows"][0] == ["$5 to $100", "$1.50", "$2"]
    pays = get(served, "tables/dear/sheets/pays.json").json()
    assert pays["blocks"][0]["rows"][-1][:2] == ["Pair", "2 to 1"]
    card = get(served, "tables/dear/sheets/rule-card.json").json()
    (changed,) = [part for part in card["blocks"] if "Changed" in part.get("title", "")]
    assert {row[0] for row in changed["rows"]} == {*CHANGES}
    plain = get(served, "tables/plain/sheets/rule-card.json").json()
    assert not [part for part in plain["blocks"] if "Changed" in part.get("title", "")]


def test_page_may_use_its_own_style_and_nothing_else(served: RunningServer) -> None:
    page = get(served, "tables/plain/sheets/fees.html")
    (style,) = re.findall("<style>(.*?)</style>", page.text, re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = page.headers["content-security-policy"]
    assert policy.split("; ") == [
        "default-src 'none'", f"style-src 'sha256-{digest}'", "frame-ancestors 'none'",
    ]  # fmt: skip
    assert page.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("path", "status", "code"),
    [
        ("rulebooks/house/sheets/fees.pdf", 404, "sheet.none"),
        ("rulebooks/roulette/sheets/strategy.html", 404, "sheet.none"),
        ("rulebooks/nowhere/sheets/fees.pdf", 404, "rulebook.none"),
        ("tables/nowhere/sheets/fees.pdf", 404, "table.none"),
        ("tables/plain/sheets/menu.pdf", 422, "request.invalid"),
        ("tables/plain/sheets/fees.doc", 422, "request.invalid"),
        ("tables/plain/sheets/fees.pdf?paper=a0", 422, "request.invalid"),
    ],
)
def test_wrong_sheets_are_refused(served: RunningServer, path: str, status: int, code: str) -> None:
    answer = get(served, path)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
