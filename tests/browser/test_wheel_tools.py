"""What helps at a wheel: the layout on phones, names of bets, the racetrack, numbers, results."""

import re
from collections import Counter

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.browser import DESKTOP, SMALL, axe
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.room import LINGERING, Room
from tests.browser.roulette_page import take_seat, until_zero
from tests.browser.rounds import cookie_of, play
from tests.browser.wheel_oracle import AROUND, groups, money, offered, words
from tests.server.player_client import PlayerClient

pytestmark = pytest.mark.full

SIDEWAYS: ViewportSize = {"width": 667, "height": 375}
WIDE_SIDEWAYS: ViewportSize = {"width": 844, "height": 390}
ZOOMED: ViewportSize = {"width": 640, "height": 400}


def pressed_numbers(page: Page) -> list[str]:
    """Return the numbers that the racetrack lights up."""
    return page.locator(".racetrack g.hot text").all_text_contents()


# Phones


@pytest.mark.parametrize("rulebook", ["roulette", "roulette-european", "roulette-american"])
def test_whole_layout_is_in_view_on_a_small_phone(guest: Guests, room: Room, rulebook: str) -> None:
    seat = take_seat(guest, room.open_table(rulebook), viewport=SMALL, has_touch=True)
    seat.page.evaluate("scrollTo(0, 0)")
    boxes = seat.layout.locator("g.pocket rect, g.print rect")
    outside = 9 if rulebook == "roulette" else 12
    numbers = 37 if rulebook == "roulette-european" else 38
    expect(boxes).to_have_count(numbers + outside)
    controls = seat.page.locator(".bottom").bounding_box()
    status = seat.page.locator(".status").bounding_box()
    assert controls is not None
    assert status is not None
    assert controls["y"] + controls["height"] <= SMALL["height"]
    assert status["height"] <= 48
    frames = boxes.evaluate_all("all => all.map((box) => box.getBoundingClientRect().toJSON())")
    for box in frames:
        assert box["top"] >= status["y"] + status["height"]
        assert box["bottom"] <= controls["y"], "no number lies under the buttons"
        assert box["left"] >= 0
        assert box["right"] <= SMALL["width"]
        assert min(box["width"], box["height"]) >= 34


@pytest.mark.parametrize("viewport", [SIDEWAYS, WIDE_SIDEWAYS, ZOOMED], ids=str)
def test_layout_status_and_buttons_are_in_one_view(
    guest: Guests, room: Room, viewport: ViewportSize
) -> None:
    table = room.open_table("roulette-european")
    seat = take_seat(guest, table, viewport=viewport, has_touch=True)
    seat.page.evaluate("scrollTo(0, 0)")
    frame = """(one) => { const box = one.getBoundingClientRect(); return [box.top, box.bottom] }"""
    boxes = [
        seat.page.locator(".status").evaluate(frame),
        seat.button("Spin").evaluate(frame),
        seat.layout.evaluate(frame),
    ]
    assert min(top for top, _ in boxes) >= 0
    assert max(bottom for _, bottom in boxes) <= viewport["height"]
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert seat.page.evaluate(wide) <= 0


@pytest.mark.parametrize("viewport", [SMALL, SIDEWAYS], ids=["upright", "sideways"])
def test_wheel_never_covers_the_layout(guest: Guests, room: Room, viewport: ViewportSize) -> None:
    table = room.open_table("roulette", pace=LINGERING)
    seat = take_seat(guest, table, moves=True, viewport=viewport, has_touch=True)
    seat.run_for_ever()
    seat.spot("Red").press("Enter")
    seat.button("Spin").click()
    expect(seat.page.get_by_text("The ball is rolling.")).to_be_visible()
    wheel = seat.page.get_by_role("img", name="The wheel")
    expect(wheel).to_be_visible()
    turning = wheel.bounding_box()
    assert turning is not None
    assert turning["width"] == pytest.approx(120, abs=1)
    boxes = seat.layout.locator("g.pocket rect, g.print rect")
    frames = boxes.evaluate_all("all => all.map((box) => box.getBoundingClientRect().toJSON())")
    for box in frames:
        assert turning["y"] >= box["bottom"] or turning["x"] >= box["right"]
    seat.page.keyboard.press("Escape")
    expect(seat.page.locator("[data-verdict]")).to_be_visible()
    expect(seat.button("Rebet")).to_be_visible()


# Names


def test_bet_is_named_on_hover_focus_and_touch(guest: Guests, room: Room) -> None:
    table = room.open_table("roulette-european", {"zero.on_zero": "la_partage"})
    seat = take_seat(guest, table)
    name = seat.page.get_by_role("tooltip")
    seat.spot("Split 17 and 20").hover()
    expect(name).to_contain_text("Split 17 and 20")
    expect(name).to_contain_text("Two numbers that touch")
    expect(name).to_contain_text("Pays 17 to 1: $1 wins $17")
    expect(name).to_contain_text("RO-2: ")
    seat.page.mouse.move(5, 5)
    expect(name).to_have_count(0)
    seat.choose("$25.00")
    seat.spot("Red").focus()
    expect(name).to_contain_text("Pays 1 to 1: $25 wins $25")
    expect(name).to_contain_text("On a zero you lose only half")
    described = seat.spot("Red").get_attribute("aria-describedby")
    assert name.get_attribute("id") == described
    seat.page.keyboard.press("Escape")
    expect(name).to_have_count(0)
    assert seat.bets() == {}


def test_finger_that_stays_names_a_bet_and_places_none(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette"), viewport=SMALL, has_touch=True)
    box = seat.spot("Straight 14").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    name = seat.page.get_by_role("tooltip")
    seat.page.touchscreen.tap(x, y)
    expect(name).to_contain_text("Straight 14")
    assert seat.bets() == {"Straight 14": "$1.00"}
    session = seat.page.context.new_cdp_session(seat.page)
    point = {"x": x + box["width"], "y": y}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    seat.page.wait_for_timeout(700)  # a finger that stays
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(name).to_contain_text("Straight 17")
    assert seat.bets() == {"Straight 14": "$1.00"}


# The racetrack


@pytest.mark.parametrize("rulebook", ["roulette-european", "roulette-american"])
def test_racetrack_bets_neighbours_in_wheel_order(guest: Guests, room: Room, rulebook: str) -> None:
    seat = take_seat(guest, room.open_table(rulebook))
    track = seat.page.get_by_role("group", name="Racetrack")
    order = AROUND[rulebook]
    read = "cells => cells.map((cell) => cell.dataset.pocket)"
    assert track.get_by_role("button").evaluate_all(read) == order
    for each in (1, 2, 3, 4):
        seat.page.get_by_role("radio", name=str(each), exact=True).check(force=True)
        pocket = order[-each]  # so that its neighbours lie on both sides of the zero
        at = order.index(pocket)
        near = [order[(at + n) % len(order)] for n in range(-each, each + 1)]
        cell = track.locator(f'[data-pocket="{pocket}"]')
        cell.hover()
        assert sorted(pressed_numbers(seat.page)) == sorted(near)
        cell.click()
        assert seat.bets() == {f"Straight {number}": "$1.00" for number in near}
        total = f"{len(near)} bets, {money(100 * len(near))} more."
        hears(seat.page, f"{pocket} and neighbours: {total}")
        seat.button("Undo").click()  # all of them are one change
        assert seat.bets() == {}


def test_racetrack_works_by_keyboard(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette-european"))
    track = seat.page.get_by_role("group", name="Racetrack")
    track.locator("[tabindex='0']").focus()
    for key, label in [
        ("ArrowRight", "32 and its neighbours: 26, 0, 32, 15 and 19"),
        ("ArrowLeft", "0 and its neighbours: 3, 26, 0, 32 and 15"),
        ("ArrowLeft", "26 and its neighbours: 35, 3, 26, 0 and 32"),
    ]:
        seat.page.keyboard.press(key)
        full = f"{label}, 5 straight-up bets, each pays 35 to 1"
        expect(seat.page.locator(":focus")).to_have_attribute("aria-label", full)
    seat.page.keyboard.press("Enter")
    assert set(seat.bets()) == {f"Straight {n}" for n in (35, 3, 26, 0, 32)}
    pocket = seat.spin()
    net = 3500 - 400 if pocket in ("35", "3", "26", "0", "32") else -500
    expect(seat.page.get_by_text(f"Stack {money(100_000 + net)}")).to_be_visible()


# Numbers


def test_statistics_count_the_last_200_numbers(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    page = guest("Ann", None)
    ann = PlayerClient(room, table, "Ann", cookie_of(page))
    came: list[str] = []

    async def play_on() -> None:
        async with ann:
            await ann.sit(1, 500_000)
            for _ in range(204):
                await play(ann, {"red": 100})
                came.insert(0, str(ann.view["last"]["round"]["pocket"]))

    companions.do(play_on())
    page.goto(f"/#/table/{table}")
    box = page.locator("details", has=page.locator("summary", has_text="Last numbers"))
    box.locator("summary").press("Enter")
    last = came[:200]
    expect(box.get_by_role("listitem")).to_have_text(last)
    expect(box.get_by_text("The last 200 spins")).to_be_visible()
    expect(box.get_by_text("The wheel has no memory")).to_be_visible()
    rows = box.locator("tbody tr").evaluate_all(
        "rows => rows.map((row) => [...row.cells].map((cell) => cell.innerText))"
    )
    expected = [
        [name, str(sum(pocket in group for pocket in last)), f"{200 * len(group) / 38:.1f}"]
        for name, group in groups("roulette").items()
    ]
    assert [[name, count, chance] for name, count, _, chance in rows] == expected
    times = Counter(last)
    (often, count), *_ = times.most_common()
    most = box.locator("dd").first
    expect(most).to_contain_text(f": {count} times")
    expect(most).to_contain_text(re.compile(rf"(^|\s){often}\b"))
    assert axe.violations(page) == []


# Results


def test_result_is_one_figure_on_felt_column_and_history(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette", pace=LINGERING))
    seat.choose("$5.00")
    seat.spot("Red").click()
    seat.spot("Straight 17").click()
    pocket = seat.spin()
    bets = offered("roulette")
    net = sum(bets[name].net(pocket, 500) for name in ("Red", "Straight 17"))
    sign = "+" if net > 0 else ""
    plate = seat.page.locator("[data-verdict]")
    expect(plate.locator(".net")).to_have_text(f"{sign}{money(net)}")
    number, colour, *_ = words(pocket).rstrip(".").split(", ")
    expect(plate.locator(".why")).to_contain_text(f"{number} {colour}. ")
    for name in ("Red", "Straight 17"):
        sentence = bets[name].sentence(pocket, 500).rstrip(".")
        expect(plate.locator(".why")).to_contain_text(sentence, ignore_case=True)
    total = seat.page.get_by_role("region", name="Round 1", exact=True).locator(".net strong")
    expect(total).to_have_text(f"{sign}{money(net)}")
    seat.page.goto("/#/history")
    expect(seat.page.get_by_text(f"{sign}{money(net)}").first).to_be_visible()


def test_plate_stays_for_its_reader_and_goes_with_the_next_chip(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette"))
    seat.spot("Red").click()
    seat.spin()
    plate = seat.page.locator("[data-verdict]")
    plate.get_by_role("button").first.click()
    expect(plate.get_by_role("button", name="RO-9")).to_be_visible()
    seat.page.wait_for_timeout(3500)  # longer than a plate lies that nobody reads
    expect(plate).to_be_visible()
    seat.spot("Red").press("Enter")
    expect(plate).to_have_count(0)


def test_void_is_not_announced_as_a_result(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(8))
    seat = take_seat(guest, table)
    seat.spot("Red").click()
    seat.button("Spin").click()
    expect(seat.page.get_by_text("Your bets are in. Waiting for Ben")).to_be_visible()
    room.order(f"tables/{table}/void", reason="a test")
    plate = seat.page.locator("[data-verdict]")
    expect(plate).to_contain_text("Round void")
    hears(seat.page, "This round is void. All bets were returned.")
    heard = seat.page.evaluate("window.heard")
    assert not [said for said in heard if re.search(r"You (won|lost|broke)|black|red,", said)]
    expect(seat.page.get_by_text("Stack $1,000.00")).to_be_visible()


# Keys


def test_keys_choose_a_chip_spin_rebet_and_clear(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette"))
    keys = seat.page.keyboard
    seat.page.locator("main").focus()
    keys.press("2")
    seat.spot("Red").click()
    assert seat.bets() == {"Red": "$5.00"}
    seat.page.locator("main").focus()
    keys.press("c")
    expect(seat.page.get_by_text("Bet $0.00")).to_be_visible()
    seat.spot("Odd").click()
    seat.page.locator("main").focus()
    keys.press("Space")
    expect(seat.page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    expect(seat.button("Rebet")).to_be_enabled()
    keys.press("r")
    expect(seat.page.get_by_text("Bet $5.00")).to_be_visible()
    assert seat.bets() == {"Odd": "$5.00"}
    amount = seat.page.get_by_label("Amount in dollars")
    amount.fill("")
    amount.press_sequentially("21")  # in a field, keys write
    expect(amount).to_have_value("21")
    expect(seat.page.get_by_role("radio", name="$5.00 chip")).to_be_checked()


# Gentle zeros


@pytest.mark.parametrize(
    ("reading", "line"),
    [("la_partage", "la partage: a zero takes half"), ("en_prison", "en prison: a zero holds")],
)
def test_table_with_a_gentle_zero_is_opened_from_the_page(
    guest: Guests, companions: Companions, room: Room, reading: str, line: str
) -> None:
    page = guest("Gia", viewport=DESKTOP)
    page.get_by_role("button", name="Open your own table").click()
    form = page.get_by_role("form", name="Open a table")
    table = f"Gia's {reading}"
    form.get_by_label("Name").fill(table)
    form.get_by_role("combobox", name=re.compile("^Rulebook")).first.select_option(
        "roulette-european"
    )
    form.get_by_label("When zero comes up").select_option(reading)
    form.get_by_label("Bots").fill("0")
    form.get_by_label("Pace").select_option("slow")
    form.get_by_role("button", name="Open the table").click()
    expect(page.get_by_text(line).first).to_be_visible()
    seat, _ = until_zero(guest, companions, room, table)
    expected = {
        "la_partage": "Red loses $1.00, and $1.00 is returned.",
        "en_prison": "Red is held: the next spin frees its $2.00 or takes it.",
    }
    assert seat.settled() == [expected[reading]]
    with room.floor() as floor:
        floor.post(f"/api/floor/tables/{table}/void", json={"reason": "a test is over"})
        floor.post(f"/api/floor/tables/{table}/close", json={"reason": "a test is over"})
