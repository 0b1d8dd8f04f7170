"""The settlement desk: hands of real cards entered by touch, by mouse and by keys; offline too."""

import json
import random
import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from queenhigh.cards import parse_cards
from tests import entered_hands, seeds
from tests.browser import DESKTOP, PHONE, axe, poker
from tests.browser.desk_page import DeskPage
from tests.browser.guests import NO_CONNECTION, Guests
from tests.browser.room import Room
from tests.browser.tcp_line import Line
from tests.oracle import plain, rounds
from tests.sizes import sized

Json = dict[str, Any]

#: Two seats, a bank that runs out in the middle of the second.
HAND: Json = {
    "dealer": "Kh Qs 4d",
    "bank": 2_000,
    "first": 2,
    "seats": [
        {"seat": 2, "cards": "4s 8c 4h", "ante": 1_000, "bonus": 500, "move": "play"},
        {"seat": 1, "cards": "2h 7d 9s", "ante": 500, "move": "fold"},
    ],
}


def open_desk(guest: Guests, rulebook: str = "california", *, phone: bool = False) -> DeskPage:
    look: Json = {"viewport": PHONE, "has_touch": True} if phone else {"viewport": DESKTOP}
    page = guest(None, f"/#/settle/{rulebook}", **look)
    return DeskPage(page, "tap" if phone else "click", is_narrow=phone)


def due(line: Json, settled: Json) -> dict[int, Json]:
    """Return what the oracle says that each seat gets."""
    assert [seat["seat"] for seat in settled["seats"]] == [seat["seat"] for seat in line["seats"]]
    return {
        seat["seat"]: {
            "wagers": {row["wager"]: row["net"] for row in seat["wagers"]},
            "net": seat["net"],
            "fee": seat.get("fee", 0),
        }
        for seat in settled["seats"]
    }


def shown(page: Page) -> dict[int, Json]:
    """Read what the payouts say that each seat gets."""
    seats: dict[int, Json] = {}
    for item in page.locator("[data-payouts] li[data-seat]").all():
        seat = seats.setdefault(
            int(item.get_attribute("data-seat") or ""), {"wagers": {}, "net": None, "fee": 0}
        )
        for row in item.locator("tr[data-wager]").all():
            does = row.locator(".do").inner_text()
            seat["wagers"][row.get_attribute("data-wager")] = signed(does)
        if (net := item.locator(".net")).count():
            seat["net"] = poker.cents(net.inner_text())
        if (fee := item.locator(".fee")).count():
            seat["fee"] = poker.cents(fee.inner_text())
    return seats


def signed(does: str) -> int:
    """Return what a player gets by what the dealer does: "Take $4.00, return $6.00" is −400."""
    word, _, amount = does.partition(" ")
    return {"Pay": 1, "Take": -1}.get(word, 0) * (poker.cents(amount) if "$" in amount else 0)


def is_small(hand: Json) -> bool:
    """Return whether it is entered in a few seconds; larger ones are entered in Node."""
    return len(hand["seats"]) <= 4 and hand.get("bank", 1) < 10**9


def hands_by_the_oracle(name: str, count: int) -> list[tuple[Json, Json]]:
    """Return hands under a shipped rulebook, and what is due."""
    draw = random.Random(f"{seeds.SEED} desk {name}")
    made: list[tuple[Json, Json]] = []
    while len(made) < count:
        line = entered_hands.written(getattr(rounds, name)(draw, {}))
        if is_small(line):
            settle = getattr(plain, f"settle_{name}")
            made.append((line, settle(line, {})))
    return made


@pytest.mark.full
@pytest.mark.parametrize("name", ["california", "house"])
def test_hands_entered_by_touch_pay_what_the_oracle_says(guest: Guests, name: str) -> None:
    desk = open_desk(guest, name, phone=True)
    for line, settled in hands_by_the_oracle(name, sized(1, 3, 10)):
        desk.enter(line)
        expect(desk.payouts()).to_be_visible()
        assert shown(desk.page) == due(line, settled), line
        assert by_seat(desk.line()) == by_seat(line)
        expect(desk.payouts()).to_contain_text(f"{dollars(settled['banker'])}")
        if "bank_left" in settled:
            left = f"{dollars(settled['bank_left'])} of the bank left"
            expect(desk.payouts()).to_contain_text(left)
        desk.press("Keep and next hand")
    kept = desk.page.get_by_text(re.compile(r"^\d+ hands? kept on this device$"))
    expect(kept).to_have_text(re.compile(rf"^{sized(1, 3, 10)} "))


def by_seat(line: Json) -> Json:
    return {**line, "seats": sorted(line["seats"], key=lambda seat: seat["seat"])}


def dollars(cents: int) -> str:
    return f"${abs(cents) / 100:,.2f}"


@pytest.mark.full
def test_reading_of_the_payouts_notices_a_wrong_amount(guest: Guests) -> None:
    """The planted bug: a cent more, written over what the page says."""
    desk = open_desk(guest)
    desk.enter(HAND)
    expect(desk.payouts()).to_be_visible()
    expected = due(HAND, plain.settle_california(HAND, {}))
    assert shown(desk.page) == expected
    cell = desk.page.locator("[data-payouts] li[data-seat] .do", has_text="Pay $10.00").first
    cell.evaluate("it => it.textContent = 'Pay $10.01'")
    assert shown(desk.page) != expected


@pytest.mark.full
def test_desk_works_offline_once_loaded(guest: Guests) -> None:
    """Another game too: the rules of all of them came with the first."""
    guest.allow(*NO_CONNECTION, "ERR_")
    desk = open_desk(guest, phone=True)
    desk.page.wait_for_function("() => localStorage['queenhigh.desk.rules.house']")
    desk.page.context.set_offline(True)
    desk.enter(HAND)
    expect(desk.payouts()).to_contain_text("Seat 2")
    desk.page.get_by_label("Game").select_option("house")
    expect(desk.page.get_by_role("button", name="Bank: none yet")).to_have_count(0)
    hand = {**HAND, "seats": [{"seat": 3, "cards": "As Ah 7c", "ante": 200, "move": "play"}]}
    del hand["bank"], hand["first"]
    desk.enter(hand)
    expect(desk.payouts()).to_be_visible()
    assert shown(desk.page) == due(hand, plain.settle_house(hand, {}))
    desk.page.get_by_label("Game").select_option("california")
    expect(desk.payouts()).to_contain_text("Seat 2")  # what was entered is kept


@pytest.mark.full
@pytest.mark.parametrize("is_silent", [True, False], ids=["silent", "bad gateway"])
def test_desk_opens_again_without_the_room(guest: Guests, room: Room, is_silent: bool) -> None:
    """The browser keeps the page once the desk was opened; a proxy may answer for the room."""
    guest.allow(*NO_CONNECTION, "ERR_", "timed out", "502 (Bad Gateway)")
    with Line(room.address) as line:
        page = guest(None, "/#/settle", base_url=line.address, viewport=DESKTOP)
        desk = DeskPage(page)
        desk.round(HAND)
        page.evaluate("navigator.serviceWorker.ready.then(() => {})")
        page.wait_for_function("() => localStorage['queenhigh.desk.rules.house']")
        line.cut() if is_silent else line.lose_room()
        page.reload()
        desk = DeskPage(page)
        expect(page.get_by_role("button", name="Bank: $20")).to_be_visible()
        for seat in HAND["seats"]:
            desk.seat(seat)
        desk.hand("The dealer's cards", HAND["dealer"])
        expect(desk.payouts()).to_be_visible()
        assert shown(page) == due(HAND, plain.settle_california(HAND, {}))


def entered(page: Page) -> Json:
    """Return the hand that the browser keeps while it is entered."""
    line: Json = json.loads(page.evaluate("localStorage['queenhigh.desk.hand.california']"))
    return line


@pytest.mark.full
def test_what_is_impossible_is_refused_where_it_is_entered(guest: Guests) -> None:
    desk = open_desk(guest)
    desk.round(HAND)
    desk.seat(HAND["seats"][0])
    desk.press("Add seat 1")

    # More than the limits, in the row of the seat; the bet is changed, and the words go.
    row = desk.page.get_by_role("listitem").filter(has=desk.page.get_by_text("Seat 1", exact=True))
    desk.bet(1, "ante", 400)
    expect(row.get_by_role("alert")).to_contain_text(
        "$4.00 on Ante is too little: the smallest Ante here is $5.00."
    )
    desk.bet(1, "ante", 500)
    expect(row.get_by_role("alert")).to_have_count(0)

    # A card that lies at another seat; nothing entered changes.
    before = entered(desk.page)
    desk.turn_to("Cards of seat 1")
    desk.press("four of spades")
    expect(row.get_by_role("alert")).to_contain_text("The four of spades is already on the table")
    assert entered(desk.page) == before

    # Unless the deck really had it twice: then the clause says what follows.
    row.get_by_role("button", name="It's a foul deck (IR-5)").click()
    expect(desk.page.get_by_text("The round is void.").first).to_be_visible()
    assert entered(desk.page)["irregularities"] == [{"kind": "foul_deck"}]
    desk.press("Undo")
    assert entered(desk.page) == before

    # A hand that was dealt out of nothing: the dealer's card is taken as well.
    desk.hand("Cards of seat 1", "2h 7d 9s")
    desk.turn_to("The dealer's cards")
    desk.press("seven of diamonds")
    expect(desk.page.get_by_role("alert")).to_contain_text("The seven of diamonds is already")


@pytest.mark.full
def test_desk_by_keys_alone(guest: Guests) -> None:
    """Cards are typed by rank and suit, moves by their letter; the payouts are announced."""
    desk = open_desk(guest)
    page, press = desk.page, desk.page.keyboard.press
    page.get_by_role("textbox", name="Bank", exact=True).fill("20")
    add = page.get_by_role("button", name="Add seat 2")
    add.focus()
    press("Enter")
    page.get_by_role("textbox", name="Ante", exact=True).fill("10")
    page.get_by_role("button", name="Cards of seat 2: none yet").focus()
    press("Enter")
    for key in "4s8c4h":
        press(key)
    press("Backspace")  # nothing is taken back: the hand was whole, and the dealer's is next
    press("p")
    for key in "khqs4":
        press(key)
    press("Backspace")  # the rank that was typed last, and no card
    for key in "4d":
        press(key)
    expect(desk.payouts()).to_contain_text("Pay $10.00")
    expect(page.get_by_text("The hand is settled.")).to_be_attached()
    assert desk.line()["dealer"] == "Kh Qs 4d"
    press("u")
    expect(desk.payouts()).to_have_count(0)

    # A button that goes away leaves the keyboard at the hand.
    for key in "4d":
        press(key)
    page.get_by_role("button", name="Keep and next hand").focus()
    press("Enter")
    expect(page.get_by_role("button", name="Bank: none yet")).to_be_focused()


@pytest.mark.full
def test_typed_move_goes_to_the_hand_just_entered(guest: Guests) -> None:
    """The desk has turned to the next seat by then; a rank typed before a move is forgotten."""
    desk = open_desk(guest)
    desk.round(HAND)
    for seat in HAND["seats"]:
        desk.seat({"seat": seat["seat"], "ante": seat["ante"]})
    desk.turn_to("Cards of seat 1")
    for key in "2h7d9sqpf":
        desk.page.keyboard.press(key)
    assert entered(desk.page)["seats"][0]["cards"] == "2h 7d 9s"
    assert [seat.get("move") for seat in entered(desk.page)["seats"]] == ["play", "fold"]


@pytest.mark.full
@pytest.mark.parametrize("phone", [False, True], ids=["desktop", "phone"])
def test_desk_can_be_used_by_everybody(guest: Guests, phone: bool) -> None:
    """Nothing grave for axe in either theme, empty, refused and settled; nothing is cut off."""
    desk = open_desk(guest, phone=phone)
    expect(desk.page.get_by_text("Tap the seats that have a bet.")).to_be_visible()
    assert axe.violations(desk.page) == []
    desk.round(HAND)
    desk.seat(HAND["seats"][0])
    desk.turn_to("The dealer's cards")
    desk.card(parse_cards("4s")[0])
    expect(desk.page.get_by_role("alert")).to_be_visible()
    assert axe.violations(desk.page) == []
    desk.hand("The dealer's cards", HAND["dealer"])
    expect(desk.payouts()).to_be_visible()
    assert axe.violations(desk.page) == []
    wide = desk.page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide
    desk.page.emulate_media(media="print")
    expect(desk.payouts()).to_be_visible()
    expect(desk.page.get_by_role("paragraph").filter(has_text="California Three")).to_be_visible()
    expect(desk.page.get_by_role("button", name="Undo")).to_be_hidden()


def test_same_problem_at_several_seats_is_listed_once(guest: Guests) -> None:
    """A card at three seats was a foul deck; then somebody takes that back."""
    seats = [{"seat": n, "cards": f"2c {n}d {n}h", "ante": 500, "move": "fold"} for n in (3, 4, 5)]
    line = {"bank": 10_000, "seats": seats, "irregularities": [{"kind": "foul_deck"}]}
    page = guest(None, None, viewport=DESKTOP)
    kept = json.dumps(json.dumps(line))
    page.add_init_script(f"localStorage['queenhigh.desk.hand.california'] = {kept}")
    page.goto("/#/settle")
    desk = DeskPage(page)
    expect(desk.payouts()).to_contain_text("The round is void")
    desk.press("Remove: Foul deck")
    expect(page.get_by_role("status").get_by_text("already on the table")).to_have_count(1)
    assert "irregularities" not in entered(page)
    desk.press("Undo")
    expect(desk.payouts()).to_be_visible()


#: Hands with as many digits as limits and banks have, and what their payouts say of a void one.
WIDE: dict[str, tuple[Json, list[str]]] = {
    "the bank runs out": (
        {
            "dealer": "Kh Qs 4d",
            "bank": 12_345_678,
            "first": 2,
            "seats": [
                {"seat": 2, "cards": "As Ks Qc", "ante": 99_999, "bonus": 9_999, "move": "play"},
                {"seat": 10, "cards": "2s 3c 7s", "ante": 100_000, "move": "play"},
            ],
        },
        ["Take $1,000.00"],
    ),
    "void hand": (
        {
            "dealer": "Kh Qs 4d",
            "bank": 12_345_678,
            "first": 2,
            "seats": [
                {"seat": 2, "cards": "4s 8c 4h", "ante": 99_999, "bonus": 9_999, "move": "play"},
                {"seat": 10, "cards": "2s 3c", "ante": 100_000, "bonus": 10_000, "move": "play"},
            ],
            "irregularities": [{"kind": "wrong_cards", "seat": 10}],
        },
        ["Seat 10: the hand is void. Return Ante $1,000.00 (IR-4)"],
    ),
    "void round": (
        {
            "dealer": "Kh Qs 4d",
            "bank": 12_345_678,
            "seats": [{"seat": 2, "cards": "4s 8c 4h", "ante": 99_999, "bonus": 9_999}],
            "irregularities": [{"kind": "foul_deck"}],
        },
        ["The round is void (IR-5): foul deck.", "Everything goes back."],
    ),
}


@pytest.mark.parametrize(("line", "says"), WIDE.values(), ids=WIDE.keys())
def test_payouts_fit_the_smallest_phone(guest: Guests, line: Json, says: list[str]) -> None:
    page = guest(None, None, viewport={"width": 320, "height": 568}, has_touch=True)
    kept = json.dumps(json.dumps(line))
    page.add_init_script(f"localStorage['queenhigh.desk.hand.california'] = {kept}")
    page.goto("/#/settle")
    payouts = DeskPage(page, is_narrow=True).payouts()
    for words in says:
        expect(payouts).to_contain_text(words)
    if "irregularities" in line and len(line["seats"]) == 1:
        expect(payouts).not_to_contain_text("Dealer has")
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.evaluate(CUT) == []
    payouts.get_by_role("heading", name="Payouts").evaluate("it => it.style.width = '400px'")
    assert page.evaluate(CUT) != []


#: What stands beyond the panel of the payouts, or beyond the button that it is in.
CUT = """() => [
    ...document.querySelectorAll("[data-payouts] *, .seats button *"),
].filter((it) => {
    const box = it.closest("button, .panel").getBoundingClientRect();
    const { left, right, width } = it.getBoundingClientRect();
    return width > 1 && (left < box.left || right > box.right);
}).map((it) => it.textContent)"""


@pytest.mark.full
def test_desk_settles_by_a_tables_own_rules(guest: Guests, room: Room) -> None:
    """What a table has changed counts: a Bonus that pays a pair twice."""
    table = room.open_table("california", {"bonus.pays.pair": "2 to 1"})
    page = guest(None, f"/#/settle/table/{table}", viewport=DESKTOP)
    desk = DeskPage(page)
    desk.enter({**HAND, "bank": 10_000})
    expect(desk.payouts()).to_contain_text("a pair pays 2 to 1")
    assert shown(page)[2]["wagers"]["bonus"] == 1_000


@pytest.mark.full
def test_next_hand_has_the_rules_that_a_table_has_now(guest: Guests, room: Room) -> None:
    table = room.open_table("house")
    page = guest(None, f"/#/settle/table/{table}", viewport=DESKTOP)
    desk = DeskPage(page)
    seat = {"seat": 1, "cards": "5h 5d 9c", "pair_plus": 100}
    desk.enter({"seats": [seat]})
    expect(desk.payouts()).to_contain_text("a pair pays 1 to 1")
    changed = {"pair_plus.pays.pair": "2 to 1"}
    room.order(f"tables/{table}/rules", set=changed, reason="a test")
    desk.press("Keep and next hand")
    expect(page.get_by_text("The rules have changed.")).to_be_visible()
    desk.enter({"seats": [seat]})
    expect(desk.payouts()).to_contain_text("a pair pays 2 to 1")
    assert shown(page)[1]["wagers"] == {"pair_plus": 200}
