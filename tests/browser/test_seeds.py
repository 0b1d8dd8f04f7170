"""Seeds that a page hides until bets are closed, and then shows, by itself."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import axe, poker
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.panels import unfold
from tests.browser.room import LINGERING, Room
from tests.browser.test_fairness import verify
from tests.browser.ws_proxy import change_messages, hold

Json = dict[str, Any]
CHOSEN = "and the table could have chosen the result"
HIDDEN = "Your seed is sent, hidden until bets close."


def panel(page: Page) -> Locator:
    return unfold(page, "Provably fair").get_by_role("region", name=re.compile("^Fair "))


def look(room: Room, table: str) -> Json:
    """Return a table as everyone sees it."""
    with room.http() as client:
        view: Json = client.get(f"/api/tables/{table}").json()
    return view


def take_place(page: Page) -> None:
    """Sit down, and wait until the page has committed to a seed."""
    poker.sit(page)
    expect(panel(page).get_by_text(HIDDEN)).to_be_visible()


def felt_height(page: Page) -> float:
    box = page.locator(".felt").bounding_box()
    assert box
    return box["height"]


def play(page: Page) -> None:
    poker.bet(page, "Ante")
    poker.button(page, "Play").click()


def test_seed_of_a_page_is_in_the_deal(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    take_place(page)
    (place, commitment), *_ = look(room, table)["round"]["committed"].items()
    play(page)
    said = panel(page).get_by_text("Randomness of one seat, yours included.")
    expect(said.first).to_be_visible()
    last = look(room, table)["last"]["round"]
    assert last["committed"] == {place: commitment}
    assert list(last["shown"]) == [place]
    checks = verify(page, 1)
    assert [checks[name] for name in ("commitment", "chain", "places", "hidden")] == [True] * 4
    assert False not in checks.values()
    expect(panel(page).locator("[data-dealings]")).to_contain_text("1 shown, 0 left out")
    assert axe.violations(page) == []


@pytest.mark.full
def test_seed_survives_a_reload_and_is_shared_by_windows(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    take_place(page)
    twin = page.context.new_page()
    twin.goto(page.url)
    expect(panel(twin).get_by_text(HIDDEN)).to_be_visible()
    committed = look(room, table)["round"]["committed"]
    page.reload()
    expect(panel(page).get_by_text(HIDDEN)).to_be_visible()
    twin.close()
    play(page)
    expect(panel(page).get_by_text("yours included").first).to_be_visible()
    assert look(room, table)["last"]["round"]["committed"] == committed
    assert verify(page, 1)["hidden"] is True
    expect(page.locator(".status")).to_have_count(0)


@pytest.mark.full
def test_dropped_reveal_is_named(guest: Guests, room: Room) -> None:
    """Nothing that the page shows comes to the room, which deals once its time is over."""
    table = room.open_table("house", pace=LINGERING)
    page = guest("Ann", None)
    hold(page, table, "show_seed")
    take_place(page)
    height = felt_height(page)
    poker.bet(page, "Ante")
    expect(page.get_by_text("No more bets. Mixing the shuffle.")).to_be_visible()
    expect(poker.button(page, "Clear")).to_be_disabled()
    assert felt_height(page) == height
    poker.button(page, "Play").click()
    text = "Your seed was not counted. It came too late, or the table left it out."
    expect(page.locator(".status", has_text=text)).to_be_visible()
    checks = verify(page, 1)
    assert (checks["places"], checks["dropped"], checks["left"]) == (True, None, None)
    dropped = page.get_by_text(f"Verified, but your seed was not counted, {CHOSEN}.", exact=True)
    expect(dropped.first).to_be_visible()
    expect(panel(page).locator("[data-dealings]")).to_contain_text("0 shown, 1 left out")
    chosen = "1 round had none, so the table could have chosen the result."
    expect(panel(page).locator("[data-witnessed]")).to_contain_text(chosen)


def add_text_to_the_last_round(text: str) -> str:
    """Add text to a round as a room would that has seen the seeds of its places."""
    said = json.loads(text)
    last = said.get("view", {}).get("last")
    if last is not None:
        last["round"]["added"] = {"5": "lucky"}
    return json.dumps(said)


@pytest.mark.full
def test_round_changed_after_the_seed_was_shown_is_named(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=LINGERING)
    page = guest("Ann", None)
    change_messages(page, table, add_text_to_the_last_round)
    take_place(page)
    play(page)
    says = "changed after bets closed. Seat 5 added nothing; now it is “lucky”."
    expect(page.locator(".status", has_text=says)).to_be_visible()


@pytest.mark.full
def test_no_more_bets_at_a_wheel_until_seeds_are_shown(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    page = guest("Ann", None)
    release = hold(page, table, "show_seed")
    page.get_by_role("button", name="Sit").first.click()
    expect(panel(page).get_by_text(HIDDEN)).to_be_visible()
    height = felt_height(page)
    page.get_by_role("button", name="Red").first.click()
    page.get_by_role("button", name="Spin").click()
    expect(page.get_by_text(re.compile("^No more bets"))).to_be_visible()
    assert felt_height(page) == height
    release()
    expect(page.get_by_role("region", name="Round 1")).to_be_visible()
    assert len(look(room, table)["last"]["round"]["shown"]) == 1
