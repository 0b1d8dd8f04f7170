"""A round once more: what was bet by its name, what became of it, step by step and at a table."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser import SMALL
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.history_page import Player, money, rows
from tests.browser.panels import unfold
from tests.browser.room import Room
from tests.browser.rounds import at_table, cookie_of, play

Json = dict[str, Any]
pytestmark = pytest.mark.full


# In words


def test_history_names_bets_as_the_table_does(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page, eu = guest("Ann", None), room.open_table("roulette-european")
    wagers = {"first_four": 100, "split 17 20": 100, "low": 100, "line 1 2 3 4 5 6": 100}
    with at_table(companions, room, eu, "Ann", 3, cookie_of(page)) as ann:
        companions.do(play(ann, wagers))
    page.goto("/#/history")
    expect(rows(page).first).to_contain_text(
        "First four, Split 17 and 20, 1 to 18 and Line 1 to 6."
    )
    page.get_by_role("button", name=f"Replay round 1 at {eu}").click()
    box = page.get_by_role("dialog")
    box.get_by_role("button", name="Next").click()
    expect(box.get_by_role("status")).to_have_text(
        "You put $1.00 on First four, $1.00 on Split 17 and 20, $1.00 on 1 to 18"
        " and $1.00 on Line 1 to 6."
    )
    expect(box).to_contain_text("Split 17 and 20 $1.00")


def bet(key: str, stake: int, net: int, **more: object) -> Json:
    return {"player": "3", "bet": key, "stake": stake, "net": net, "clause": "RO-9", **more}


def wager(key: str, stake: int, net: int) -> Json:
    return {"wager": key, "stake": stake, "net": net, "action": abs(net), "clause": "CA-17"}


#: A result, and how the list, the replay and the recent rounds at a table describe it.
DESCRIPTIONS = [
    (
        bet("red", 200, 0, held=200),
        "Red $2 (held for the next spin)",
        "Red is held for the next spin: $2.00",
        "Red $2: $0.00, held for the next spin",
    ),
    (
        bet("red", 200, -100),
        "Red $2 ($1 returned)",
        "Red loses $1.00, and $1.00 is returned",
        "Red $2: −$1.00, $1 returned",
    ),
    (
        bet("red", 200, 0, in_prison=True),
        "Red $2 (returned)",
        "Red, in prison since the last spin, is returned: $2.00",
        "Red $2: $0.00, returned",
    ),
    (
        wager("ante", 2000, -1000),
        "Ante $20 ($10 returned)",
        "Ante loses $10.00, and $10.00 is returned",
        "Ante $20: −$10.00, $10 returned",
    ),
    (wager("ante", 2000, -2000), "Ante $20", "Ante loses $20.00", "Ante $20: −$20.00"),
    (wager("ante_bonus", 0, 500), "", "Ante bonus wins $5.00", "Ante bonus: +$5.00"),
]


def test_held_and_returned_bets_are_described(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(wheel=1)
    (played,) = ann.ask("/api/me/history?limit=1")
    *before, end = played["events"]

    def ended(n: int, row: Json) -> Json:
        rows = {"wagers" if "wager" in row else "bets": [row]}
        placed = {"place": played["place"], "net": row["net"], **rows}
        ending = {"n": n, "number": n, "events": [*before, {**end, "places": [placed]}]}
        return {**played, **ending, "net": row["net"]}

    ended_rounds = [ended(9 - n, row) for n, (row, *_) in enumerate(DESCRIPTIONS)]
    page.route("**/api/me/history?*", lambda route: route.fulfill(json=ended_rounds))
    page.goto("/#/history")
    expect(rows(page)).to_have_count(len(DESCRIPTIONS))
    for n, (_, line, step, _) in enumerate(DESCRIPTIONS):
        expect(rows(page).nth(n).locator(".what p").last).to_have_text(line)
        rows(page).nth(n).get_by_role("button", name=re.compile("^Replay")).click()
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_role("dialog").get_by_role("status")).to_have_text(f"You: {step}.")
        page.keyboard.press("Escape")
    page.goto(f"/#/table/{ann.ro}")
    recall = unfold(page, "Your last rounds here")
    recalled = recall.locator("ol > li")
    expect(recalled).to_have_count(len(DESCRIPTIONS))
    for n, (*_, line) in enumerate(DESCRIPTIONS):
        expect(recalled.nth(n).locator("ul li")).to_have_text(line)


# The replay


def test_round_is_replayed_step_by_step(guest: Guests, companions: Companions, room: Room) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    number, banker = ann.play_california()
    page.goto("/#/history")
    (played,) = ann.ask("/api/me/history?limit=1")
    page.get_by_role("button", name=f"Replay round {number} at {ann.ca}").click()
    box = page.get_by_role("dialog", name=f"Round {number} at {ann.ca}")
    step, count = box.get_by_role("status"), box.get_by_text(re.compile("^Step "))
    expect(box.get_by_role("button", name="Next")).to_be_focused()
    expect(step).to_have_text(f"{banker} banks $100.00.")
    for button, text in (
        ("Next", "Bets open."),
        ("Next", "You put $10.00 on Ante and $2.00 on Bonus."),
        ("Next", "No more bets. $3.00 in fees."),
    ):
        expect(box.get_by_role("img", name="a card face down")).to_have_count(0)
        box.get_by_role("button", name=button).click()
        expect(step).to_contain_text(text)
    box.get_by_role("button", name="Next").click()
    expect(step).to_contain_text("Cards are dealt. You have ")
    expect(step).to_contain_text("The dealer shows ")
    # The up card and the player's own three are seen, two are face down.
    expect(box.get_by_role("img", name="a card face down")).to_have_count(2)
    expect(box.get_by_role("img", name=re.compile(" of "))).to_have_count(4)
    box.get_by_role("button", name="Last").click()
    before, after = played["credits"]["before"], played["credits"]["after"]
    expect(step).to_contain_text(
        f"Your stack: {money(before, signed=False)} before this round,"
        f" {money(after, signed=False)} after it."
    )
    expect(box.get_by_role("img", name="a card face down")).to_have_count(0)
    steps = int((count.text_content() or "").split(" ")[3])
    expect(count).to_have_text(f"Step {steps} of {steps}")
    box.get_by_role("button", name="Back").click()
    expect(step).to_contain_text(f"{banker}'s bank ")
    box.get_by_role("button", name="First").click()
    expect(count).to_have_text(f"Step 1 of {steps}")
    box.get_by_role("button", name="Close").click()
    expect(box).to_have_count(0)
    expect(page.get_by_role("button", name=f"Replay round {number} at {ann.ca}")).to_be_focused()


def test_replay_works_by_keyboard(guest: Guests, companions: Companions, room: Room) -> None:
    page = guest("Ann", None)
    ann = Player(page, companions, room)
    ann.play(wheel=1)
    page.goto("/#/history")
    (played,) = ann.ask("/api/me/history?limit=1")
    page.get_by_role("button", name=f"Replay round 1 at {ann.ro}").press("Enter")
    box = page.get_by_role("dialog")
    step = box.get_by_role("status")
    expect(step).to_contain_text("Bets open.")
    for key, text in (
        ("ArrowLeft", "Bets open."),
        ("ArrowRight", "You put $5.00 on Red and $1.00 on Straight 17."),
        ("ArrowRight", "No more bets."),
        ("ArrowRight", f"The ball lands on {played['pocket']}."),
        ("ArrowRight", re.compile(r"^You: Red (wins|loses) \$5.00 and Straight 17 (wins|loses) ")),
        ("End", "Your stack: "),
        ("ArrowRight", "Your stack: "),
        ("Home", "Bets open."),
    ):
        page.keyboard.press(key)
        expect(step).to_contain_text(text)
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)


def test_replay_shows_that_the_felt_scrolls(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page = guest("Ann", None, viewport=SMALL)
    ann = Player(page, companions, room)
    number, _ = ann.play_california()
    (played,) = ann.ask("/api/me/history?limit=1")
    page.route("**/api/me/history?*", lambda route: route.fulfill(json=[played]))
    page.goto("/#/history")
    for company in (4, 20):
        names = {str(place): f"Bertram {place}" for place in range(11, 11 + company)}
        played["players"] |= names
        page.reload()
        page.get_by_role("button", name=f"Replay round {number} at {ann.ca}").click()
        page.keyboard.press("End")
        felt = page.get_by_role("group", name="The felt")
        # The felt grows once the rules are there, which say why the round ended so.
        expect(felt.locator("[data-verdict] .why")).not_to_be_empty()
        own = felt.get_by_text("You", exact=True)
        if company == 4:
            expect(own).to_be_in_viewport(ratio=1)
            expect(felt).to_have_css("mask-image", "none")
            page.keyboard.press("Escape")
    expect(felt).to_have_css("mask-image", re.compile("gradient"))
    felt.evaluate("felt => felt.scrollTo(0, felt.scrollHeight)")
    expect(felt).to_have_css("mask-image", "none")
    expect(own).to_be_in_viewport(ratio=1)


# Recall at a table


def test_recent_rounds_are_listed_beside_the_table(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page = guest("Ann", None)
    player = Player(page, companions, room)
    page.goto(f"/#/table/{player.ho}")
    with player.at(player.ho) as ann:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        companions.do(play(ann, {"ante": 400, "pair_plus": 100}))
        assert not [url for url in asked if "history" in url], "closed, it asks for nothing"
        recall = unfold(page, "Your last rounds here")
        items = recall.locator("ol > li")
        expect(items).to_have_count(1)
        companions.do(play(ann, {"ante": 300}, "fold"))
        expect(items).to_have_count(2)
        rounds = player.ask(f"/api/me/history?table={player.ho}&limit=10")
        for n, played in enumerate(rounds):
            item = items.nth(n)
            expect(item).to_contain_text(f"Round {played['number']}.")
            expect(item).to_contain_text(money(played["net"] - played["fee"]))
            for wager in played["wagers"]:
                expect(item).to_contain_text(money(wager["net"]))
            chips = played["credits"]
            expect(item).to_contain_text(
                f"Stack {money(chips['before'], signed=False)} before,"
                f" {money(chips['after'], signed=False)} after"
            )
        items.first.get_by_role("button", name="Replay").click()
        box = page.get_by_role("dialog", name=f"Round 2 at {player.ho}")
        box.get_by_role("button", name="Last").click()
        expect(box.get_by_role("status")).to_contain_text("Your stack: ")
        page.keyboard.press("Escape")
        for _ in range(9):
            companions.do(play(ann, {"ante": 100}, "fold"))
        expect(items).to_have_count(10)
        expect(items.first).to_contain_text("Round 11.")
        page.wait_for_load_state("networkidle")
