"""The felt of Three Card Poker: whose round it shows, what a press does, when a result appears."""

import re
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import DESKTOP, SMALL, poker
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.conftest import OpenRoom
from tests.browser.guests import MOTION, Guests
from tests.browser.room import LINGERING, UNHURRIED, Room
from tests.browser.rounds import bank
from tests.browser.ws_proxy import change_messages

pytestmark = pytest.mark.full
SETTLING = "Paying out."
#: How a sentence about the player's result begins.
RESULT = re.compile("^(You won|You lost|You broke even|You're down)")


def open_table(room: Room, game: str) -> str:
    """Open a table with bots, in California so many that one of them banks."""
    return room.open_table(game, bots=4 if game == "california" else 2, pace=UNHURRIED)


def at(guest: Guests, room: Room, game: str, **context: Any) -> Page:
    """Come to a table with bots."""
    return guest("Ann", f"/#/table/{open_table(room, game)}", **context)


# Whose round it is


def test_result_is_not_shown_to_the_next_player_in_the_seat(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("house", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(4))
    companions.do(ben.until_phase("betting"))
    companions.do(ben.bet({"ante": 100}))
    companions.do(ben.until_phase("deciding"))
    companions.do(ben.do("choose", round=ben.round, move="play"))
    companions.do(ben.until(lambda: "last" in ben.view))
    companions.do(ben.do("leave", when="now"))
    assert ben.name
    panel = poker.last_hand(page)
    expect(panel.get_by_role("listitem")).to_contain_text(ben.name)
    poker.button(page, "Take seat 4").click()
    expect(poker.button(page, "Leave")).to_be_visible()
    expect(page.get_by_role("group", name="Your cards").get_by_role("img")).to_have_count(0)
    expect(panel.get_by_role("listitem")).to_contain_text(ben.name)
    expect(poker.settled(page)).to_have_count(0)
    expect(page.get_by_text(re.compile("^You('re down| won| lost| broke even)"))).to_have_count(0)


def test_banker_is_shown_the_result_of_the_bank(
    guest: Guests, companions: Companions, room: Room
) -> None:
    """Ben's fold uses up a bank of $5; Cat's gets no action."""
    table = room.open_table("california", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    people = [companions.arrive(room, table, name) for name in ("Ben", "Cat")]
    for place, person in zip((3, 6), people, strict=True):
        companions.do(person.sit(place))
    poker.button(page, "Take seat 2").click()
    seat, banks = people[0], poker.button(page, "Take the bank")
    for _ in range(3):
        companions.do(seat.until_phase("offering"))
        asked, number = seat.view["offered_to"], seat.view["next_round"]
        if asked == 2:
            break
        (asked_person,) = [person for person in people if person.own["place"] == asked]
        companions.do(asked_person.do("decline_bank", round=number))
        companions.do(seat.until(lambda was=asked: seat.view.get("offered_to") != was))  # type: ignore[misc]
    field = page.get_by_label("Put up")
    expect(page.get_by_text("$5 to $995", exact=True)).to_be_visible()
    expect(
        page.get_by_text(
            "Banker's fee: $2 to $5, by the biggest Ante. $5 is held until bets close."
        )
    ).to_be_visible()
    field.fill("2")
    banks.click()
    expect(page.get_by_text("The least is $5.")).to_be_visible()
    expect(field).to_have_value("2")
    field.fill("5")
    banks.click()
    for person in people:
        companions.do(person.until_phase("betting"))
        companions.do(person.bet({"ante": 500, "bonus": 300}))
    for person in people:
        companions.do(person.until_phase("deciding"))
        companions.do(person.do("choose", round=person.round, move="fold"))
    expect(page.get_by_text("Your bank won $3.00 after the $2.00 fee.").first).to_be_visible()
    expect(page.get_by_text("$1,003.00", exact=True)).to_be_visible()
    mine = poker.settled(page)
    expect(mine).to_contain_text("banked $5")
    expect(mine).to_contain_text("$2.00 fee included.")
    rows = poker.last_hand(page).get_by_role("listitem")
    expect(rows.nth(1)).to_contain_text("Folded. Ante loses $5.00. CA-13")
    expect(rows.nth(1)).to_contain_text("The bank ran out: $3.00 Bonus is returned. CA-21")
    expect(rows.nth(2)).to_contain_text("Folded. CA-13")
    unreached = "The bank ran out before this bet: $5.00 Ante and $3.00 Bonus are returned. CA-21"
    expect(rows.nth(2)).to_contain_text(unreached)
    expect(rows.nth(2).get_by_text("Bonus")).to_have_count(1)


def test_each_sentence_cites_the_clauses_of_its_wagers(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("california", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    people = [companions.arrive(room, table, name) for name in ("Ben", "Cat")]
    for place, person in zip((2, 3), people, strict=True):
        companions.do(person.sit(place))
    ben, cat = people
    companions.do(bank(ben, 500, people))
    companions.do(cat.until_phase("betting"))
    companions.do(cat.bet({"ante": 500, "bonus": 300}))
    companions.do(cat.until_phase("deciding"))
    companions.do(cat.do("choose", round=cat.round, move="play"))
    row = poker.last_hand(page).get_by_role("listitem").first
    assert cat.name
    expect(row).to_contain_text(cat.name)
    row.locator("summary").click()
    for line in row.locator("p").all():
        text = line.inner_text()
        assert ("CA-21" in text) == text.startswith("The bank ran out"), text
        assert ("CA-20" in text) == bool(re.match("The bank (covered|could)", text)), text


# What a press does


def press_again(page: Page, name: str) -> None:
    """Press a button as the second half of a double click."""
    spot = poker.button(page, name).bounding_box()
    assert spot
    page.mouse.move(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2)
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)


def test_double_click_does_not_press_the_next_button(guest: Guests, room: Room) -> None:
    page = at(guest, room, "house", **MOTION)
    page.evaluate(
        """() => new MutationObserver(() => {
            const [play] = [...document.querySelectorAll(".controls button")]
                .filter((one) => one.textContent === "Play");
            if (play) window.takes ??= getComputedStyle(play).pointerEvents;
        }).observe(document.body, { subtree: true, childList: true })"""
    )
    poker.sit(page)
    poker.bet(page, "Ante")
    expect(poker.button(page, "Play")).to_be_visible()
    assert page.evaluate("window.takes") == "none", "a button that has just come takes no pointer"
    for name in ("Fold", "Leave", "Play"):
        press_again(page, name)
    poker.button(page, "Play").click()
    expect(poker.settled(page)).to_contain_text(re.compile("Ante (wins|loses|is|and)"))


@pytest.mark.full
def test_press_while_cards_are_dealt_acts_at_once(guest: Guests, room: Room) -> None:
    """It ends the dealing too; the button under it stays where it is."""
    page = at(guest, room, "house", **MOTION)
    expect(page.locator(".controls:not(.fresh)")).to_be_visible()
    spot = poker.button(page, "Sit").bounding_box()
    assert spot is not None
    page.wait_for_function("() => document.getAnimations().length > 6")
    page.mouse.click(spot["x"] + spot["width"] / 2, spot["y"] + spot["height"] / 2, delay=50)
    expect(poker.button(page, "Leave")).to_be_visible()


def test_leave_button_is_apart_from_game_buttons(guest: Guests, room: Room) -> None:
    page = at(guest, room, "house", viewport=SMALL)
    poker.sit(page)
    boxes = []

    def lies(*names: str) -> None:
        expect(poker.button(page, names[0])).to_be_visible()
        script = "(one) => { const box = one.getBoundingClientRect(); return box.y + scrollY }"
        boxes.append([poker.button(page, name).evaluate(script) for name in (*names, "Leave")])

    poker.until_bets(page)
    lies("Deal me in", "Clear")
    poker.bet(page, "Ante")
    lies("Play", "Fold")
    poker.button(page, "Fold").click()
    expect(poker.settled(page)).to_be_visible()
    leaves = {round(row[-1]) for row in boxes}
    assert len(leaves) == 1, "it stays where it is"
    assert max(top for row in boxes for top in row[:-1]) + 40 < leaves.pop()


@pytest.mark.parametrize("game", ["california", "house"])
def test_sitting_down_scrolls_to_the_buttons(guest: Guests, room: Room, game: str) -> None:
    page = at(guest, room, game, viewport=SMALL)
    poker.sit(page)
    poker.until_bets(page)
    dealer = page.get_by_role("group", name="The dealer's cards")
    expect(dealer).to_be_in_viewport(ratio=1)
    for name in ("Deal me in", "Rebet", "Clear"):
        expect(poker.button(page, name)).to_be_in_viewport(ratio=1)


def focus(page: Page) -> str:
    return str(page.evaluate("document.activeElement.closest('[aria-label]')?.ariaLabel"))


def test_keyboard_focus_stays_in_the_controls(guest: Guests, room: Room) -> None:
    page = at(guest, room, "house")
    poker.sit(page)
    poker.until_bets(page)
    for press in ("Clear", "Deal me in"):
        poker.button(page, "Ante").click()
        poker.button(page, press).focus()
        page.keyboard.press("Enter")
        expect(page.get_by_text(re.compile(r"^Bet \$[\d.]+"))).to_have_count(0)
        assert focus(page) == "What you can do", press
    expect(poker.button(page, "Fold")).to_be_visible()
    poker.button(page, "Fold").focus()
    page.keyboard.press("Enter")
    expect(poker.button(page, "Fold")).to_have_count(0)
    assert focus(page) == "What you can do"


def test_top_up_is_offered_when_chips_are_short(guest: Guests, room: Room) -> None:
    page = at(guest, room, "california")
    poker.sit(page)
    poker.until_bets(page)
    page.get_by_role("radio", name="$100.00 chip").check(force=True)
    for _ in range(8):
        poker.button(page, "Ante").click()
    poker.button(page, "Deal me in").click()
    expect(page.get_by_text("bet less or add chips")).to_be_visible()
    expect(page.get_by_text("Ante $800", exact=True)).to_be_visible()
    page.get_by_label("Add chips").fill("700")
    guest.allow("ERR_FAILED")  # it comes all the same where the wallet cannot be looked up
    page.route("**/api/room", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        poker.button(page, "Add").click()
    expect(page.get_by_text("bet less or add chips")).to_be_hidden()
    poker.button(page, "Deal me in").click()
    expect(poker.button(page, "Play")).to_be_visible()


def test_buy_in_is_playable_and_in_whole_cents(guest: Guests, room: Room) -> None:
    """At the house's table Pair Plus may stand alone, so that a dollar is enough."""
    page = at(guest, room, "house")
    expect(page.get_by_text("$1 to $5,000", exact=True)).to_be_visible()
    brought = page.get_by_label("Buy in for")
    brought.fill("4995.123")
    brought.press("Tab")
    expect(page.get_by_role("alert").get_by_text("Amounts are in whole cents.")).to_be_visible()
    expect(brought).to_have_value("4995.123")
    brought.fill("4989.100")
    poker.sit(page)
    page.goto(f"/#/table/{open_table(room, 'california')}")
    expect(page.get_by_text("$10.90 to $10.90", exact=True)).to_be_visible()
    poker.sit(page)


def test_buy_in_below_one_hand_is_refused(guest: Guests, room: Room) -> None:
    page = at(guest, room, "california")
    expect(page.get_by_text("$11 to $5,000", exact=True)).to_be_visible()
    page.get_by_label("Buy in for").fill("10")
    poker.button(page, "Sit").click()
    expect(page.get_by_text("The least is $11.")).to_be_visible()
    page.get_by_label("Buy in for").fill("11")
    poker.sit(page)


# Chips and the clock


def test_chips_placed_at_the_last_moment_are_bet(guest: Guests, room: Room) -> None:
    """The page believes that bets close now, the room has time."""
    page = guest("Ann", None)
    change_messages(
        page,
        open_table(room, "house"),
        lambda text: re.sub(r'"deadline":\d+', '"deadline":1', text),
    )
    poker.sit(page)
    poker.until_bets(page)
    poker.button(page, "Ante").click()
    expect(poker.button(page, "Deal me in")).to_have_count(0)
    expect(poker.button(page, "Clear")).to_be_visible()
    expect(page.get_by_text("Ante $1", exact=True)).to_be_visible()


def test_chips_placed_too_late_come_back(guest: Guests, open_room: OpenRoom) -> None:
    """The page believes that there is time, and bets close."""
    room = open_room(paces={"quick": {**UNHURRIED, "bets": 4_000}})
    page = guest("Ann", None, room=room)
    change_messages(
        page,
        open_table(room, "house"),
        lambda text: re.sub(r'("deadline":)\d+', r"\g<1>9999999999999", text),
    )
    poker.sit(page)
    poker.until_bets(page)
    poker.button(page, "Ante").click()
    expect(page.get_by_text("Too late: your chips were returned.")).to_be_visible()
    expect(page.get_by_text("Ante $1", exact=True)).to_have_count(0)


def test_no_clock_while_the_table_waits(guest: Guests, room: Room) -> None:
    table = room.open_table("california", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}")
    poker.sit(page)
    expect(page.get_by_text("Waiting for players.")).to_be_visible()
    expect(page.get_by_role("timer")).to_have_count(0)


# What the page says, and how the chips lie


#: What stands beside the felt, now and when it begins to settle.
_BESIDE = """(settling) => {
    const words = (what) => document.querySelector(what)?.textContent ?? "";
    const beside = () => ({ panel: words("#settled"), purse: words(".purse"),
        aloud: words("[role=status][aria-live]"), books: words(".totals"),
        wallet: words("header .who .money") });
    const look = () => {
        if (words(".status-line > span:last-child") === settling) window.whenSettling ??= beside();
    };
    new MutationObserver(look).observe(
        document.body, { subtree: true, childList: true, characterData: true });
    return beside();
}"""


def test_no_panel_shows_the_result_before_the_felt(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=LINGERING)  # no other deal comes in between
    page = guest("Ann", f"/#/table/{table}", **MOTION)
    poker.sit(page)
    poker.bet(page, "Ante")
    expect(poker.button(page, "Fold")).to_be_visible()
    expect(page.locator(".purse")).to_contain_text("$999.00")  # it counts down to that
    before = page.evaluate(_BESIDE, SETTLING)
    poker.button(page, "Fold").click()
    expect(poker.settled(page)).to_contain_text("You folded")
    shown = page.evaluate("window.whenSettling")
    for what in ("panel", "purse", "books"):
        assert shown[what] == before[what]
    assert "You folded" not in shown["aloud"]
    hears(page, "You folded")


def test_wallet_does_not_show_the_result_before_the_felt(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=LINGERING)  # no other deal comes in between
    page = guest("Ann", f"/#/table/{table}", **MOTION)
    wallet = page.locator("header .who .money")
    poker.sit(page)
    expect(wallet).to_have_text("$4,000.00")
    poker.bet(page, "Ante")
    expect(poker.button(page, "Fold")).to_be_visible()
    poker.button(page, "Leave").click()
    expect(page.get_by_text("You'll leave after this hand").first).to_be_visible()
    page.evaluate(_BESIDE, SETTLING)
    poker.button(page, "Fold").click()
    expect(wallet).to_have_text("$4,999.00")
    assert page.evaluate("window.whenSettling.wallet") == "$4,000.00"


#: Keeps every height the felt has from now on, and whether the bank was offered meanwhile.
_HEIGHTS = """(felt) => {
    window.heights = [felt.offsetHeight];
    window.offered = false;
    new ResizeObserver(() => window.heights.push(felt.offsetHeight)).observe(felt);
    new MutationObserver(() => {
        window.offered ||= felt.textContent.includes("Pass");
    }).observe(felt, { subtree: true, childList: true, characterData: true });
}"""
#: Changes a caption, draws it, and returns whether all of it is inside of the felt.
_LONGEST = """(caption, text) => new Promise((resolve) => {
    const words = document.createElement("span");
    words.textContent = text;
    caption.replaceChildren(words);
    const [all, felt] = [words, caption.closest(".felt")].map((one) => one.getBoundingClientRect());
    requestAnimationFrame(() => requestAnimationFrame(
        () => resolve(all.left >= felt.left && all.right <= felt.right)));
})"""


def test_felt_keeps_its_height(guest: Guests, room: Room) -> None:
    """From round to round, until the bank was offered to everybody at the table."""
    page = at(guest, room, "california", viewport=SMALL, **MOTION)
    poker.sit(page)
    page.locator(".felt").evaluate(_HEIGHTS)
    for _ in range(10):
        poker.bet(page, "Ante", "Bonus")
        poker.button(page, "Play").click()
        expect(poker.button(page, "Play")).to_be_hidden()
        if page.evaluate("window.offered"):
            break
    poker.net(page)
    assert page.evaluate("window.offered")
    longest = "Dealer has a queen-high straight flush and qualifies"
    caption = page.locator(".dealer .says")
    assert caption.evaluate(_LONGEST, longest), "the longest caption is on the felt"
    assert set(page.evaluate("window.heights")) == {page.evaluate("window.heights[0]")}


def test_a_closed_table_has_no_coach(guest: Guests, room: Room) -> None:
    page = guest("Ann", None)
    change_messages(
        page,
        open_table(room, "house"),
        lambda text: re.sub(r'"phase":"\w+"', '"phase":"closed"', text),
    )
    expect(page.get_by_text("This table is closed.")).to_be_visible()
    expect(page.get_by_role("region", name="Coach")).to_have_count(0)


@pytest.mark.parametrize("suit", range(4))
def test_parts_of_a_card_do_not_overlap(guest: Guests, room: Room, suit: int) -> None:
    """Eight, nine and ten have the most on them."""
    hand = [4 * rank + suit for rank in (6, 7, 8)]
    page = guest("Ann", None, viewport=DESKTOP)
    change_messages(
        page,
        open_table(room, "house"),
        lambda text: re.sub(r'"cards":\[\d+,\d+,\d+\]', f'"cards":{hand}', text),
    )
    poker.sit(page)
    poker.bet(page, "Ante")
    expect(poker.button(page, "Play")).to_be_visible()
    for card in page.get_by_role("group", name="Your cards").get_by_role("img").all():
        boxes = card.evaluate(
            """(card) => [...card.querySelectorAll("path, text")].map((one) => {
                const box = one.getBBox(), to = one.getCTM();
                const ink = one.tagName === "text" ? box.height * 0.2 : 0; // above and below digits
                const ends = [[box.x, box.y + ink], [box.x + box.width, box.y + box.height - ink]]
                    .map(([x, y]) => new DOMPoint(x, y).matrixTransform(to));
                const sides = (axis) => ends.map((end) => end[axis]).sort((a, b) => a - b);
                return [sides("x"), sides("y")];
            })"""
        )
        assert len(boxes) >= 12
        for one, other in combinations(boxes, 2):
            shared = [min(a[1], b[1]) - max(a[0], b[0]) for a, b in zip(one, other, strict=True)]
            assert min(shared) < 0.5, (card.get_attribute("aria-label"), one, other)
