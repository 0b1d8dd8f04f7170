"""The wheel as it is seen and felt: the ball, keys and taps, sizes and looks."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser import DESKTOP, PHONE, SMALL, axe, every_width
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.guests import MOTION, Guests
from tests.browser.room import LINGERING, Room
from tests.browser.roulette_page import Seat, sit_beside, take_seat
from tests.browser.rounds import play
from tests.browser.wheel_oracle import money, offered, words

TABLET: ViewportSize = {"width": 768, "height": 1024}


@pytest.fixture
def seat(guest: Guests, room: Room) -> Seat:
    """Return a seat at the house's wheel, with nothing that moves."""
    return take_seat(guest, room.open_table("roulette"))


# The ball


def test_result_is_hidden_until_the_ball_lands(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette", pace=LINGERING), moves=True)
    seat.run_for_ever()
    seat.spot("Black").click()
    seat.button("Spin").click()
    expect(seat.page.get_by_text("The ball is rolling.")).to_be_visible()
    expect(seat.page.get_by_role("heading", name="Round 1", exact=True)).to_have_count(0)
    expect(seat.page.get_by_role("list", name="Last numbers")).to_have_count(0)
    expect(seat.page.get_by_text("Stack $999.00")).to_be_visible()
    seat.page.keyboard.press("Escape")
    expect(seat.page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    expect(seat.page.get_by_text(re.compile(r"Stack \$(999|1,001)\.00"))).to_be_visible()


@pytest.mark.full
def test_next_bets_leave_the_stack_only_after_the_ball_lands(
    guest: Guests, companions: Companions, room: Room
) -> None:
    seat, ben = sit_beside(guest, companions, room)
    seat.spot("Red").click()
    seat.button("Spin").click()
    companions.do(play(ben, {"black": 2_500}))
    expect(seat.page.get_by_text("The ball is rolling.")).to_be_visible()
    companions.do(ben.until_phase("betting", 2))
    companions.do(ben.bet({"black": 10_000}, ready=False))
    carl = companions.arrive(room, ben.table, "Carl")
    companions.do(carl.sit(7))
    sit = seat.page.get_by_role("list", name="Players").get_by_role("listitem")
    expect(sit.filter(has_text=f"{carl.name} $1,000.00")).to_be_visible()
    expect(sit.filter(has_text=f"{ben.name} $975.00 bets $25.00")).to_be_visible()
    seat.page.keyboard.press("Escape")
    paid = offered("roulette")["Black"].net(ben.view["last"]["round"]["pocket"], 2_500)
    expect(sit.filter(has_text=f"{ben.name} {money(90_000 + paid)} bets $100.00")).to_be_visible()


@pytest.mark.full
def test_ball_lands_without_input(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette-european"), moves=True)
    seat.spot("Straight 8").click()
    pocket = seat.spin()
    wheel = seat.page.get_by_role("img", name=f"The wheel: the ball is in {pocket}")
    expect(wheel).to_be_visible()
    hears(seat.page, words(pocket))


@pytest.mark.full
def test_press_during_a_spin_only_lands_the_ball(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette"), moves=True)
    seat.run_for_ever()
    seat.spot("Black").click()
    presses: list[Callable[[], None]] = [
        lambda: seat.button("Rebet").click(force=True),
        lambda: seat.page.keyboard.press("Enter"),
        lambda: seat.page.keyboard.press("Space"),
    ]
    for round, press in enumerate(presses, 1):
        seat.button("Spin").click()
        expect(seat.page.get_by_text("The ball is rolling.")).to_be_visible()
        for name in ("Undo", "Clear", "Rebet", "Double", "Spin"):
            expect(seat.button(name)).to_be_disabled()
        press()
        expect(seat.page.get_by_role("heading", name=f"Round {round}", exact=True)).to_be_visible()
        expect(seat.button("Rebet")).to_be_enabled()
        assert seat.bets() == {}
        expect(seat.alert()).to_have_count(0)
        seat.button("Rebet").click()
        assert seat.bets() == {"Black": "$1.00"}


# Hands and eyes


def test_spin_works_by_keyboard(guest: Guests, room: Room) -> None:
    table = room.open_table("roulette")
    page = guest("Kay", f"/#/table/{table}")
    expect(page.get_by_role("button", name="Sit", exact=True)).to_be_visible()

    def focused() -> str:
        return str(
            page.evaluate(
                "() => { const e = document.activeElement;"
                " return e.getAttribute('aria-label') ?? e.textContent.trim() }"
            )
        )

    def tab_to(name: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if focused() == name:
                return
        raise AssertionError(f"{name} is not reached")

    tab_to("Sit")
    page.keyboard.press("Enter")
    spot = page.locator(":focus")
    expect(spot).to_have_attribute("aria-label", "Straight 17, pays 35 to 1")
    expect(page.get_by_text("Bets are open. Choose a chip")).to_be_visible()
    for key, name in [
        ("ArrowRight", "Split 17 and 20"),
        ("ArrowDown", "Corner 16, 17, 19 and 20"),
        ("ArrowLeft", "Split 16 and 17"),
        ("ArrowUp", "Straight 17"),
    ]:
        page.keyboard.press(key)
        expect(spot).to_have_attribute("aria-label", re.compile(f"^{name}, pays"))
    page.keyboard.press("Enter")
    page.keyboard.press("Space")
    expect(spot).to_have_attribute("aria-label", "Straight 17, pays 35 to 1, $2.00 on it")
    page.keyboard.press("Delete")
    expect(spot).to_have_attribute("aria-label", "Straight 17, pays 35 to 1, $1.00 on it")
    expect(page.get_by_role("status").filter(has_text="Straight 17: $1.00.")).to_have_count(1)
    tab_to("Spin")
    page.keyboard.press("Enter")
    expect(page.get_by_text(re.compile(r"Straight 17\s+(wins|loses)")).first).to_be_visible()


@pytest.mark.full
def test_focus_stays_where_it_was_used(seat: Seat) -> None:
    def enter(name: str) -> None:
        seat.button(name).focus()
        seat.page.keyboard.press("Enter")

    for name in ("Red", "Odd", "1 to 18"):
        seat.spot(name).click()
    enter("Remove Odd")
    expect(seat.button("Remove 1 to 18")).to_be_focused()
    seat.page.keyboard.press("Enter")
    expect(seat.button("Remove Red")).to_be_focused()
    seat.page.keyboard.press("Enter")
    expect(seat.layout.locator(":focus")).to_have_count(1)
    seat.button("Clear").focus()
    for _ in range(6):
        enter("Undo")
    expect(seat.button("Undo")).to_be_disabled()
    expect(seat.button("Undo")).to_be_focused()
    seat.spot("Red").click()
    enter("Spin")
    expect(seat.page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    expect(seat.button("Spin")).to_be_focused()


@pytest.mark.full
def test_focus_is_visible_around_a_chip(seat: Seat) -> None:
    seat.spot("Straight 17").focus()
    seat.page.keyboard.press("ArrowRight")
    seat.page.keyboard.press("Enter")
    spot = seat.spot("Split 17 and 20")
    expect(spot).to_be_focused()
    ring = spot.locator("circle").last
    assert ring.evaluate("(ring) => getComputedStyle(ring).strokeWidth") == "3px"
    around, chip = ring.bounding_box(), seat.page.locator(".chips svg").bounding_box()
    assert around is not None
    assert chip is not None
    assert around["width"] > chip["width"]


@pytest.mark.full
def test_arrow_keys_reach_every_spot(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette-american"))
    seat.spot("Straight 17").focus()
    reached = seat.page.evaluate(
        """() => {
          const press = (from, key) => {
            from.focus();
            from.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            return document.activeElement;
          };
          const spots = new Set([document.activeElement]);
          for (const spot of spots)
            for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"])
              spots.add(press(spot, key));
          return [...spots].map((spot) => spot.getAttribute("aria-label"));
        }"""
    )
    assert set(reached) == {bet.label for bet in offered("roulette-american").values()}


@pytest.mark.full
def test_tap_near_a_corner_bets_the_corner(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette"), viewport=PHONE, has_touch=True)
    seat.spot("Straight 14").scroll_into_view_if_needed()
    box = seat.spot("Straight 14").bounding_box()
    assert box is not None
    assert box["width"] >= 34
    assert box["height"] >= 34
    right, below = box["x"] + box["width"] + 3, box["y"] + box["height"] + 3
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    seat.page.touchscreen.tap(right + 6, below - 5)
    assert seat.bets() == {"Corner 13, 14, 16 and 17": "$1.00"}
    seat.page.touchscreen.tap(right - 5, middle[1])
    seat.page.touchscreen.tap(middle[0] + 4, below + 4)
    seat.page.touchscreen.tap(*middle)
    assert set(seat.bets()) == {
        "Corner 13, 14, 16 and 17",
        "Split 14 and 17",
        "Split 13 and 14",
        "Straight 14",
    }


@pytest.mark.full
@every_width
def test_page_is_accessible(guest: Guests, room: Room, viewport: ViewportSize) -> None:
    table = room.open_table("roulette-european")
    path = f"/#/table/{table}"
    page = guest("Eve", path, viewport=viewport, **MOTION)
    expect(page.get_by_role("button", name="Sit", exact=True)).to_be_visible()
    assert axe.violations(page) == []
    seat = Seat(page)
    seat.sit()
    seat.run_for_ever()
    for name in ("Red", "Straight 17", "First four"):
        seat.spot(name).click()
    assert axe.violations(page) == []
    seat.button("Spin").click()
    expect(page.get_by_text("The ball is rolling.")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    assert axe.violations(page) == []
    wide = "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert page.evaluate(wide) <= 0, "nothing needs a sideways scroll"


@pytest.mark.full
def test_page_keeps_its_width_as_the_wheel_turns(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette"), viewport=SMALL)
    seat.spot("Red").click()
    pocket = seat.spin()
    name = f"The wheel: the ball is in {pocket}"  # on a small phone it is seen as it turns
    wheel = seat.page.get_by_role("img", name=name, include_hidden=True)
    widths = wheel.locator("> .turns").first.evaluate(
        """(rotor) => Array.from({ length: 38 }, (_, pocket) => {
          rotor.style.transform = `rotate(${(-pocket * 360) / 38}deg)`;
          return document.documentElement.scrollWidth;
        })"""
    )
    assert widths == [SMALL["width"]] * 38


@pytest.mark.full
@pytest.mark.parametrize("viewport", [SMALL, TABLET, DESKTOP], ids=["small", "tablet", "desktop"])
def test_layout_text_stays_in_its_box(guest: Guests, room: Room, viewport: ViewportSize) -> None:
    seat = take_seat(guest, room.open_table("roulette-american"), viewport=viewport)

    def runs_out() -> list[str]:
        texts: list[str] = seat.layout.locator("g.pocket text, g.print text").evaluate_all(
            """all => all.filter((text) => {
              const [own, box] = [text.getBBox(), text.parentNode.firstElementChild.getBBox()];
              const ring = text.closest(".print") ? 4 : 0;
              return own.x < box.x + ring || own.x + own.width > box.x + box.width - ring
                || own.y < box.y || own.y + own.height > box.y + box.height;
            }).map((text) => text.textContent)"""
        )
        return texts

    words = " ".join(seat.layout.locator("g.print text").all_text_contents())
    assert "1st 12 2nd 12 3rd 12" in words
    assert "1 to 18 19 to 36" in words
    assert runs_out() == []
    for name in ("1 to 18", "Even", "19 to 36", "1st 12", "Column 1"):
        seat.spot(name).press("Enter")
    expect(seat.page.locator(".chips svg")).to_have_count(5)
    assert runs_out() == [], "nor where it makes room for a chip"


@pytest.mark.full
def test_pays_stay_on_one_line(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette"), viewport=SMALL)
    seat.spot("Split 17 and 20").press("Enter")
    pays = seat.page.get_by_role("cell", name="17 to 1", exact=True)
    lines = """(cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getClientRects().length;
    }"""
    assert pays.evaluate(lines) == 1


@pytest.mark.full
@pytest.mark.parametrize("viewport", [SMALL, TABLET], ids=["small", "tablet"])
def test_layout_does_not_move(
    guest: Guests, companions: Companions, room: Room, viewport: ViewportSize
) -> None:
    table = room.open_table("roulette")
    seat = take_seat(guest, table, viewport=viewport)
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(8))

    def top() -> float:
        read = "(layout) => layout.getBoundingClientRect().top + scrollY"
        return float(seat.layout.evaluate(read))

    tops = [top()]
    companions.do(ben.bet({"red": 100}))
    seat.spot("Red").click()
    expect(seat.page.get_by_text("Press Spin, or wait: your bets count")).to_be_visible()
    tops.append(top())
    seat.spin()
    seat.spot("Red").click()
    expect(seat.page.get_by_text("Press Spin when you're ready.")).to_be_visible()
    tops.append(top())
    companions.do(ben.until_phase("betting", 2))
    companions.do(ben.bet({"red": 100}))
    expect(seat.page.get_by_text("Press Spin, or wait: your bets count")).to_be_visible()
    tops.append(top())
    assert tops == [tops[0]] * 4
    status, result = (
        seat.page.locator(f".status .{name}").bounding_box() for name in ("status-line", "result")
    )
    numbers = seat.page.get_by_role("list", name="Last numbers").bounding_box()
    assert status is not None
    assert result is not None
    assert numbers is not None
    for box in (result, numbers):
        beside = box["x"] >= status["x"] + status["width"]
        assert beside or status["y"] + status["height"] <= box["y"], (
            "nothing lies over the sentence"
        )
    text = seat.page.locator(".status-line > span").last.bounding_box()
    assert text is not None
    assert text["height"] <= status["height"]
