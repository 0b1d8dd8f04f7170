"""A player's own rounds: the list, the graph, exports and proofs."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser import PHONE, axe, every_width
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.history_page import Player, money, rows
from tests.browser.panels import unfold
from tests.browser.room import Room
from tests.browser.rounds import cookie_of

Json = dict[str, Any]

#: Of rounds that a program played for the guest, without a seed.
PLAYED_WITHOUT_SEED = (
    "Verified: played and paid by the rules. But the table could have chosen the result."
)

# The list


def test_visitor_without_login_is_asked_to_log_in(guest: Guests) -> None:
    page = guest(None, "/#/history")
    expect(page.get_by_text("Your rounds are kept under your name.")).to_be_visible()
    page.get_by_label("Your name at the tables").fill("Zoe")
    page.get_by_role("button", name="Enter").click()
    expect(page.get_by_text("No rounds yet. Play a hand")).to_be_visible()
    page.get_by_role("link", name="See the tables").click()
    expect(page).to_have_url(re.compile("#/$"))


def test_rounds_come_newest_first_in_pages(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(house=14, wheel=9)
    page.goto("/#/history")
    rounds = ann.ask("/api/me/history?limit=100")
    assert len(rounds) == 23
    expect(rows(page)).to_have_count(20)
    page.get_by_role("button", name="More rounds").click()
    expect(rows(page)).to_have_count(23)
    expect(page.get_by_role("button", name="More rounds")).to_have_count(0)
    texts = rows(page).all_inner_texts()
    for text, played in zip(texts, rounds, strict=True):
        assert f"{played['table']}, round {played['number']}." in text
        assert money(played["net"] - played["fee"]) in text
        if played["table"] == ann.ro:
            assert text.startswith(f"Red and Straight 17. The ball landed on {played['pocket']}.")
            assert "Red $5, Straight 17 $1" in text
    assert texts[0].startswith("Red")
    assert "fee" not in "".join(texts), "where none is taken, none is shown"
    assert "folded." in "".join(texts)
    assert "played. Dealer had" in "".join(texts)


def test_result_shows_its_fee(guest: Guests, companions: Companions, room: Room) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play_california()
    page.goto("/#/history")
    expect(rows(page).locator(".what p").last).to_have_text(re.compile(r"^Ante \$10.*, fee \$1$"))
    page.goto(f"/#/table/{ann.ca}")
    recall = unfold(page, "Your last rounds here")
    expect(recall.locator("ul li").last).to_have_text("Fee: −$1.00")


def test_history_filters_by_table(guest: Guests, companions: Companions, room: Room) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(house=3, wheel=2)
    page.goto("/#/history")
    expect(rows(page)).to_have_count(5)
    page.get_by_label("Table All tables").select_option(ann.ro)
    expect(rows(page)).to_have_count(2)
    rounds = [played for played in ann.ask("/api/me/bankroll") if played["table"] == ann.ro]
    total = sum(played["net"] - played["fee"] for played in rounds)
    expect(page.locator("dl")).to_contain_text(f"Total here after fees {money(total)}")
    page.get_by_label("Table All tables").select_option("All tables")
    expect(rows(page)).to_have_count(5)
    page.goto(f"/#/history/{ann.ho}")
    expect(rows(page)).to_have_count(3)


def test_totals_and_graph_match_the_server(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(house=7, wheel=2)
    ann.play_california()
    page.goto("/#/history")
    rounds = ann.ask("/api/me/bankroll")
    sums = page.locator("dl")
    expect(sums).to_contain_text(f"Rounds {len(rounds)}")
    expect(sums).to_contain_text(f"Before fees {money(sum(played['net'] for played in rounds))}")
    fees = sum(played["fee"] for played in rounds)
    assert fees == 100
    expect(sums).to_contain_text(f"Fees {money(fees, signed=False)}")
    expect(sums).to_contain_text(f"Total after fees {money(rounds[-1]['total'])}")
    totals = [0, *(played["total"] for played in rounds)]
    caption = page.locator("figcaption")
    expect(caption).to_contain_text(f"Best {money(max(totals))}")
    expect(caption).to_contain_text(f"Worst {money(min(totals))}")
    expect(caption).to_contain_text(f"Now {money(totals[-1])}")
    page.get_by_role("button", name="Show the numbers").click()
    cells = page.locator("figure tbody tr").evaluate_all(
        "all => all.map(row => [...row.cells].slice(1).map(cell => cell.textContent))"
    )
    assert cells == [
        [
            played["table"],
            str(played["round"]),
            money(played["net"] - played["fee"]),
            money(played["fee"], signed=False),
            money(played["total"]),
        ]
        for played in reversed(rounds)
    ]
    # The same by keyboard, round by round.
    slider = page.get_by_label("Look at a round")
    slider.focus()
    page.keyboard.press("Home")
    first = rounds[0]
    expect(page.locator("figure .reading")).to_contain_text(
        f"Round {first['round']} at {first['table']}: {money(first['net'] - first['fee'])},"
        f" total {money(first['total'])}"
    )
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"Round {rounds[1]['round']} at"))


def test_the_graph_follows_a_pointer(guest: Guests, companions: Companions, room: Room) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(house=4)
    page.goto("/#/history")
    graph = page.get_by_role("img", name="Your result after each round")
    box = graph.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 90, box["y"] + 100)
    expect(page.locator("figure .reading")).to_contain_text(f"Round 1 at {ann.ho}")
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 100)
    expect(page.locator("figure .reading")).to_contain_text(f"Round 4 at {ann.ho}")


def made_up(count: int, table: str = "ho") -> list[Json]:
    """Return the last rounds of many as the room would list them: a dollar lost, a cent in fees."""
    first = max(0, count - 1000)
    return [
        {"n": n, "at": 1_700_000_000_000 + n, "table": table, "round": n, "net": -100, "fee": 1,
         "count": n, "fees": n, "total": -101 * n}
        for n in range(first + 1, count + 1)
    ]  # fmt: skip


@pytest.mark.full
def test_totals_cover_more_than_a_thousand_rounds(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(house=1, wheel=1)

    def answer(route: Route) -> None:
        here = f"table={ann.ro}" in route.request.url
        route.fulfill(json=made_up(7, ann.ro) if here else made_up(1340) + made_up(1, ann.ro))

    page.route("**/api/me/bankroll?*", answer)
    page.goto("/#/history")
    sums, caption = page.locator("dl"), page.locator("figcaption")
    page.get_by_label("Table All tables").select_option(ann.ro)
    expect(sums).to_have_text("Total here after fees −$7.07 Rounds 7 Before fees −$7.00 Fees $0.07")
    expect(caption).not_to_contain_text("Your last")
    page.unroute("**/api/me/bankroll?*")
    page.route("**/api/me/bankroll?*", lambda route: route.fulfill(json=made_up(1340)))
    page.reload()
    expect(sums).to_have_text(
        "Total after fees −$1,353.40 Rounds 1,340 Before fees −$1,340.00 Fees $13.40"
    )
    expect(caption).to_contain_text("Your last 1,000 rounds")
    expect(caption).to_contain_text("Best −$343.40")
    expect(caption).to_contain_text("Now −$1,353.40")
    expect(page.get_by_text("A file has your last 1,000 rounds.")).to_be_visible()
    # Amounts are whole beside the line, and their signs stay with them.
    page.set_viewport_size(PHONE)
    expect(page.locator("svg text", has_text="−$1,353.40")).to_be_visible()
    for amount in page.locator("figure .reading .money").all():
        assert amount.evaluate("one => one.getClientRects().length") == 1
    assert page.locator("svg text").evaluate_all("all => all.every(one => one.getBBox().x >= 0)"), (
        "no label is cut off"
    )


# Exports and proofs


@pytest.mark.parametrize(
    ("link", "kind"),
    [
        ("Download rounds (JSON)", "jsonl"),
        pytest.param("hand histories", "phhs", marks=pytest.mark.full),
    ],
)
def test_rounds_can_be_downloaded(
    guest: Guests, companions: Companions, room: Room, link: str, kind: str
) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(house=2)
    page.goto("/#/history")
    with page.expect_download() as saved:
        page.get_by_role("link", name=link).click()
    assert saved.value.suggested_filename == f"queenhigh-rounds.{kind}"
    text = Path(saved.value.path()).read_text("utf-8")
    with room.http(cookie_of(page)) as client:
        assert text == client.get(f"/api/me/rounds.{kind}").text
    if kind == "jsonl":
        lines = [json.loads(line) for line in text.splitlines()]
        assert [line["id"] for line in lines] == [f"{ann.ho}/1", f"{ann.ho}/2"]


@pytest.mark.full
def test_downloads_are_offered_when_not_empty(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(wheel=1)
    page.goto("/#/history")
    settle = page.get_by_role("link", name="Download rounds (JSON)")
    hands = page.get_by_role("link", name="Download hand histories")
    expect(settle).to_have_attribute("href", re.compile(f"table={ann.ro}&"))
    expect(hands).to_have_count(0)
    ann.play(house=1)
    page.reload()
    # Of several games there is no file that could be settled by one rulebook.
    expect(hands).to_be_visible()
    expect(settle).to_have_count(0)
    expect(page.get_by_text("Choose one table to download")).to_be_visible()
    page.get_by_label("Table All tables").select_option(ann.ro)
    expect(settle).to_have_attribute("href", re.compile(f"table={ann.ro}&"))
    expect(hands).to_have_count(0)
    ann.play(wheel=20)  # so many that the hand is not among those shown
    page.reload()
    expect(hands).to_be_visible()
    page.get_by_label("Table All tables").select_option(ann.ro)
    expect(hands).to_have_count(0)


def test_round_is_proved_from_its_row(guest: Guests, companions: Companions, room: Room) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(house=1)
    page.goto("/#/history")
    page.get_by_role("button", name=f"Verify round 1 at {ann.ho}").click()
    expect(page.get_by_text(PLAYED_WITHOUT_SEED, exact=True)).to_be_visible()
    expect(page.locator('[data-check="settlement"]')).to_have_attribute("data-fits", "true")
    anyone = guest(None, f"/#/history/{ann.ho}/1")
    expect(anyone.get_by_role("heading", name=f"Round 1 at {ann.ho}")).to_be_visible()
    expect(anyone.get_by_text(PLAYED_WITHOUT_SEED, exact=True)).to_be_visible()


# For everybody


@pytest.mark.full
@every_width
def test_page_is_accessible(
    guest: Guests, companions: Companions, room: Room, viewport: dict[str, int]
) -> None:
    page = guest("Ann", "/#/history", viewport=viewport)
    ann = Player(page, companions, room)
    expect(page.get_by_text("No rounds yet.")).to_be_visible()
    assert axe.violations(page) == []
    ann.play(house=3, wheel=1)
    page.reload()
    expect(rows(page)).to_have_count(4)
    page.get_by_role("button", name="Show the numbers").click()
    page.get_by_role("button", name=f"Verify round 3 at {ann.ho}").click()
    expect(page.get_by_text(PLAYED_WITHOUT_SEED, exact=True)).to_be_visible()
    page.get_by_text("The values").click()
    assert axe.violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= viewport["width"]
    page.get_by_role("button", name=f"Replay round 3 at {ann.ho}").click()
    page.keyboard.press("End")
    expect(page.get_by_role("dialog")).to_contain_text("Your stack: ")
    assert axe.violations(page) == []
