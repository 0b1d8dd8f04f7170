"""The floor rules on a round and corrects it later: what its players see, hear and read then."""

import re
from typing import Any

import httpx
import pytest
from playwright.sync_api import Page, expect

from tests.browser import poker
from tests.browser.announcements import hears
from tests.browser.axe import violations
from tests.browser.conftest import OpenRoom
from tests.browser.guests import Guests
from tests.browser.room import LINGERING, Room
from tests.server.staff_clients import add, first_owner

pytestmark = pytest.mark.full

TABLE = "evening"


def rule(floor: httpx.Client, kind: str, **place: int) -> None:
    """Rule on the round that is being decided."""
    table = f"/api/floor/tables/{TABLE}"
    round = floor.get(f"{table}/incidents").json()["round"]
    body: dict[str, Any] = {"round": round, "kind": kind, "reason": "two cards fell", **place}
    answer = floor.post(f"{table}/incidents", json=body)
    assert answer.is_success, answer.text


def correct(floor: httpx.Client, owner: httpx.Client, **facts: Any) -> None:
    """Correct the second round: one person asks, another approves."""
    corrections = f"/api/floor/tables/{TABLE}/corrections"
    asked = {"round": 2, "facts": facts, "reason": "the dealer misread"}
    assert floor.post(corrections, json=asked).is_success
    answer = owner.post(f"{corrections}/1/approve")
    assert answer.is_success, answer.text


def place_of(page: Page) -> int:
    return int(page.locator(".own[data-place]").get_attribute("data-place") or 0)


def test_players_read_of_rulings_and_corrections(guest: Guests, open_room: OpenRoom) -> None:
    room = open_room(hired_ago=48)
    with first_owner(room) as owner, add(owner, "Fay", "floor") as floor:
        rule_and_correct(room, owner, floor, guest)


def rule_and_correct(room: Room, owner: httpx.Client, floor: httpx.Client, guest: Guests) -> None:
    """Rule twice on rounds of two players, and correct one; look at their pages."""
    room.open_table(
        "house", {"exposed_player": "void_hand", "misdeal": "redeal"}, pace=LINGERING, name=TABLE
    )
    ann, ben = (guest(name, f"/#/table/{TABLE}", room=room) for name in ("Ann", "Ben"))
    for page in (ann, ben):
        poker.sit(page)
    for page in (ann, ben):
        poker.bet(page, "Ante")
    for page in (ann, ben):
        expect(poker.button(page, "Play")).to_be_visible()

    rule(floor, "misdeal")
    for page in (ann, ben):
        expect(page.get_by_text("Dealt again with the same bets: press Ready.")).to_be_visible()
        hears(page, "The floor ruled: misdeal (IR-1). Dealt again with the same bets")
    poker.button(ann, "Ready").click()
    expect(poker.button(ann, "Ready")).to_be_hidden()
    poker.button(ben, "Ready").click()
    expect(poker.button(ann, "Play")).to_be_visible()

    rule(floor, "exposed_player", place=place_of(ben))
    hears(
        ann, "The floor ruled: exposed card. Ben's hand is void; $1.00 is returned (IR-2). Reason"
    )
    hears(ben, "Your hand is void; your $1.00 is returned (IR-2). Reason: two cards fell.")
    expect(ben.get_by_text("Your hand is void. Your bets are back")).to_be_visible()
    seat = ann.locator(f"li[data-place='{place_of(ben)}']")
    expect(seat.locator(".void .stamp")).to_be_visible()
    assert violations(ben) == []
    poker.button(ann, "Fold").click()
    expect(ben.locator("[data-verdict]")).to_contain_text("Hand void")
    expect(ann.get_by_text(re.compile("changed after bets closed"))).to_have_count(0)

    correct(floor, owner, wagers={str(place_of(ann)): []}, moves={})
    text = "Round 2 at Evening was corrected: $1.00 came to your stack. Reason: the dealer misread."
    expect(ann.locator("[data-correction]")).to_contain_text(text)
    expect(ben.locator("[data-correction]")).to_have_count(0)
    ann.goto("/#/history")
    expect(ann.locator("[data-correction]")).to_contain_text(text)
    expect(ann.get_by_text("Corrected: +$1.00. The dealer misread.")).to_be_visible()
    poker.button(ann, f"OK: {text}").click()
    expect(ann.locator("[data-correction]")).to_have_count(0)
    ann.reload()
    expect(ann.get_by_text("Corrected: +$1.00. The dealer misread.")).to_be_visible()
    expect(ann.locator("[data-correction]")).to_have_count(0)
    ben.goto("/#/history")
    expect(ben.get_by_text("Your hand was void (IR-2).")).to_be_visible()
