"""One's own rounds: the list, the graph, the replay, exports, and recall at a table."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser import PHONE, axe, every_look
from tests.browser.conftest import OpenRoom
from tests.browser.guests import Guests
from tests.browser.others import Others
from tests.browser.rounds import ROOMS, at_table, bank, cookie_of, play
from tests.server.served import AT_ONCE, Served

Json = dict[str, Any]


@pytest.fixture
def room(open_room: OpenRoom) -> Served:
    european = {"rulebook": "roulette-european", "pace": AT_ONCE}
    return open_room(rooms=ROOMS | {"eu": european}, standing=[])


def ask(room: Served, page: Page, path: str) -> Any:
    """Return what the room tells the guest of a page."""
    with room.http(cookie_of(page)) as client:
        answer = client.get(path)
    assert answer.status_code == 200, answer.text
    return answer.json()


def play_some(page: Page, others: Others, room: Served, house: int = 0, wheel: int = 0) -> None:
    """Let the guest of a page play rounds: against the house every third is folded."""
    for table, count in (("ho", house), ("ro", wheel)):
        if not count:
            continue
        with at_table(others, room, table, "Ann", 3, cookie_of(page)) as ann:
            for n in range(count):
                wagers = {"red": 500, "straight 17": 100}
                if table == "ho":
                    wagers = {"ante": 400} if n % 2 else {"ante": 300, "pair_plus": 100}
                others.do(play(ann, wagers, "fold" if n % 3 == 2 else "play"))


def play_california(page: Page, others: Others, room: Served) -> int:
    """Let the guest of a page play a round that Ben banks."""
    with (
        at_table(others, room, "ca", "Ann", 2, cookie_of(page)) as ann,
        at_table(others, room, "ca", "Ben", 7) as ben,
    ):
        others.do(bank(ben, 10_000, [ann, ben]))
        return others.do(play(ann, {"ante": 1000, "bonus": 200}))


def rows(page: Page) -> Locator:
    return page.get_by_role("main").locator("ol > li")


def money(cents: int, *, signed: bool = True) -> str:
    sign = "−" if cents < 0 else "+" if cents > 0 and signed else ""
    return f"{sign}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


# The list


def test_who_has_not_entered_is_asked_in(guest: Guests) -> None:
    page = guest(None, "/#/history")
    expect(page.get_by_text("Your rounds are kept under your name.")).to_be_visible()
    page.get_by_label("Your name at the tables").fill("Zoe")
    page.get_by_role("button", name="Come in").click()
    expect(page.get_by_text("No round yet. Sit down at a table")).to_be_visible()
    page.get_by_role("link", name="See the tables").click()
    expect(page).to_have_url(re.compile("#/$"))


def test_rounds_come_newest_first_in_pages(guest: Guests, others: Others, room: Served) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, house=14, wheel=9)
    page.reload()
    told = ask(room, page, "/api/me/history?limit=100")
    assert len(told) == 23
    expect(rows(page)).to_have_count(20)
    page.get_by_role("button", name="More rounds").click()
    expect(rows(page)).to_have_count(23)
    expect(page.get_by_role("button", name="More rounds")).to_have_count(0)
    texts = rows(page).all_inner_texts()
    for text, one in zip(texts, told, strict=True):
        assert f"{one['table']}, round {one['number']}." in text
        assert money(one["net"] - one["fee"]) in text
        if one["table"] == "ro":
            assert text.startswith(f"Red and Straight 17. The ball lay in {one['pocket']}.")
            assert "Red $5, Straight 17 $1" in text
    assert texts[0].startswith("Red")
    assert "folded." in "".join(texts)
    assert "played. Dealer had" in "".join(texts)


def test_one_table_can_be_looked_at_alone(guest: Guests, others: Others, room: Served) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, house=3, wheel=2)
    page.reload()
    expect(rows(page)).to_have_count(5)
    page.get_by_label("Table All tables").select_option("ro")
    expect(rows(page)).to_have_count(2)
    told = [one for one in ask(room, page, "/api/me/bankroll") if one["table"] == "ro"]
    total = sum(one["net"] - one["fee"] for one in told)
    expect(page.locator("dl")).to_contain_text(f"Here in all{money(total)}")
    page.get_by_label("Table All tables").select_option("All tables")
    expect(rows(page)).to_have_count(5)
    page.goto(f"{room.address}/#/history/ho")
    expect(rows(page)).to_have_count(3)


def test_totals_and_graph_are_what_the_room_says(
    guest: Guests, others: Others, room: Served
) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, house=7, wheel=2)
    play_california(page, others, room)
    page.reload()
    told = ask(room, page, "/api/me/bankroll")
    sums = page.locator("dl")
    expect(sums).to_contain_text(f"Rounds{len(told)}")
    expect(sums).to_contain_text(f"Won and lost{money(sum(one['net'] for one in told))}")
    fees = sum(one["fee"] for one in told)
    assert fees == 100
    expect(sums).to_contain_text(f"Fees{money(fees, signed=False)}")
    expect(sums).to_contain_text(f"In all{money(told[-1]['total'])}")
    totals = [0, *(one["total"] for one in told)]
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
            one["table"],
            str(one["round"]),
            money(one["net"]),
            money(one["fee"], signed=False),
            money(one["total"]),
        ]
        for one in reversed(told)
    ]
    # The same by keyboard, round by round.
    slider = page.get_by_label("Look at a round")
    slider.focus()
    page.keyboard.press("Home")
    first = told[0]
    expect(page.locator("figure .told")).to_contain_text(
        f"Round {first['round']} at {first['table']}: {money(first['net'] - first['fee'])},"
        f" then {money(first['total'])} in all."
    )
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", re.compile(f"Round {told[1]['round']} at"))


def test_the_graph_follows_a_pointer(guest: Guests, others: Others, room: Served) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, house=4)
    page.reload()
    graph = page.get_by_role("img", name="Your result after each round")
    box = graph.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 90, box["y"] + 100)
    expect(page.locator("figure .told")).to_contain_text("Round 1 at ho")
    page.mouse.move(box["x"] + box["width"] - 2, box["y"] + 100)
    expect(page.locator("figure .told")).to_contain_text("Round 4 at ho")


def made_up(count: int, table: str = "ho") -> list[Json]:
    """Return the last rounds of many as the room would list them: a dollar lost, a cent in fees."""
    first = max(0, count - 1000)
    return [
        {"n": n, "at": 1_700_000_000_000 + n, "table": table, "round": n, "net": -100, "fee": 1,
         "count": n, "fees": n, "total": -101 * n}
        for n in range(first + 1, count + 1)
    ]  # fmt: skip


def test_beyond_a_thousand_rounds_the_figures_are_of_all(
    guest: Guests, others: Others, room: Served
) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, house=1, wheel=1)

    def answer(route: Route) -> None:
        here = "table=ro" in route.request.url
        route.fulfill(json=made_up(7, "ro") if here else made_up(1340) + made_up(1, "ro"))

    page.route("**/api/me/bankroll?*", answer)
    page.reload()
    sums, caption = page.locator("dl"), page.locator("figcaption")
    page.get_by_label("Table All tables").select_option("ro")
    expect(sums).to_have_text("Rounds7 Won and lost−$7.00 Fees$0.07 Here in all−$7.07")
    expect(caption).not_to_contain_text("Your last")
    page.unroute("**/api/me/bankroll?*")
    page.route("**/api/me/bankroll?*", lambda route: route.fulfill(json=made_up(1340)))
    page.reload()
    expect(sums).to_have_text("Rounds1,340 Won and lost−$1,340.00 Fees$13.40 In all−$1,353.40")
    expect(caption).to_contain_text("Your last 1,000 rounds")
    expect(caption).to_contain_text("Best −$343.40")
    expect(caption).to_contain_text("Now −$1,353.40")
    expect(page.get_by_text("A file has your last 1,000 rounds.")).to_be_visible()
    # Amounts are whole beside the line, and their signs stay with them.
    page.set_viewport_size(PHONE)
    expect(page.locator("svg text", has_text="−$1,353.40")).to_be_visible()
    for amount in page.locator("figure .told .money").all():
        assert amount.evaluate("one => one.getClientRects().length") == 1
    assert page.locator("svg text").evaluate_all("all => all.every(one => one.getBBox().x >= 0)"), (
        "no label is cut off"
    )


def test_bets_have_the_names_of_the_table(guest: Guests, others: Others, room: Served) -> None:
    page = guest("Ann", "/#/history")
    wagers = {"first_four": 100, "split 17 20": 100, "low": 100, "line 1 2 3 4 5 6": 100}
    with at_table(others, room, "eu", "Ann", 3, cookie_of(page)) as ann:
        others.do(play(ann, wagers))
    page.reload()
    expect(rows(page).first).to_contain_text("First four, Split 17 and 20, Low and Line 1 to 6.")
    page.get_by_role("button", name="Replay round 1 at eu").click()
    box = page.get_by_role("dialog")
    box.get_by_role("button", name="Next").click()
    expect(box.get_by_role("status")).to_have_text(
        "You put $1.00 on First four, $1.00 on Split 17 and 20, $1.00 on Low"
        " and $1.00 on Line 1 to 6."
    )
    expect(box).to_contain_text("Split 17 and 20 $1.00")


def bet(key: str, stake: int, net: int, **more: object) -> Json:
    return {"player": "3", "bet": key, "stake": stake, "net": net, "clause": "RO-9", **more}


def wager(key: str, stake: int, net: int) -> Json:
    return {"wager": key, "stake": stake, "net": net, "action": abs(net), "clause": "CA-17"}


#: What a round came to, and how the list, the replay and the recall at a table tell it.
TOLD = [
    (
        bet("red", 200, 0, held=200),
        "Red $2 (held for the next spin)",
        "Red is held for the next spin: $2.00",
        "Red $2: $0.00, held for the next spin",
    ),
    (
        bet("red", 200, -100),
        "Red $2 ($1 came back)",
        "Red loses $1.00, and $1.00 comes back",
        "Red $2: −$1.00, $1 came back",
    ),
    (
        bet("red", 200, 0, in_prison=True),
        "Red $2 (came back)",
        "Red, in prison since the last spin, comes back: $2.00",
        "Red $2: $0.00, came back",
    ),
    (
        wager("ante", 2000, -1000),
        "Ante $20 ($10 came back)",
        "Ante loses $10.00, and $10.00 comes back",
        "Ante $20: −$10.00, $10 came back",
    ),
    (wager("ante", 2000, -2000), "Ante $20", "Ante loses $20.00", "Ante $20: −$20.00"),
    (wager("ante_bonus", 0, 500), "", "Ante bonus wins $5.00", "Ante bonus: +$5.00"),
]


def test_what_was_held_or_came_back_is_told(guest: Guests, others: Others, room: Served) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, wheel=1)
    (played,) = ask(room, page, "/api/me/history?limit=1")
    *before, end = played["events"]

    def ended(n: int, row: Json) -> Json:
        rows = {"wagers" if "wager" in row else "bets": [row]}
        placed = {"place": played["place"], "net": row["net"], **rows}
        told = {"n": n, "number": n, "events": [*before, {**end, "places": [placed]}]}
        return {**played, **told, "net": row["net"]}

    told = [ended(9 - n, row) for n, (row, *_) in enumerate(TOLD)]
    page.route("**/api/me/history?*", lambda route: route.fulfill(json=told))
    page.reload()
    expect(rows(page)).to_have_count(len(TOLD))
    for n, (_, line, step, _) in enumerate(TOLD):
        expect(rows(page).nth(n).locator(".what p").last).to_have_text(line)
        rows(page).nth(n).get_by_role("button", name=re.compile("^Replay")).click()
        page.keyboard.press("End")
        page.keyboard.press("ArrowLeft")
        expect(page.get_by_role("dialog").get_by_role("status")).to_have_text(f"You: {step}.")
        page.keyboard.press("Escape")
    page.goto(f"{room.address}/#/table/ro")
    recall = page.locator("details", has=page.get_by_text("Your last rounds here"))
    recall.locator("summary").click()
    recalled = recall.locator("ol > li")
    expect(recalled).to_have_count(len(TOLD))
    for n, (*_, line) in enumerate(TOLD):
        expect(recalled.nth(n).locator("ul li")).to_have_text(line)


# The replay


def test_a_round_is_replayed_step_by_step(guest: Guests, others: Others, room: Served) -> None:
    page = guest("Ann", "/#/history")
    number = play_california(page, others, room)
    page.reload()
    (told,) = ask(room, page, "/api/me/history?limit=1")
    page.get_by_role("button", name=f"Replay round {number} at ca").click()
    box = page.get_by_role("dialog", name=f"Round {number} at ca")
    step, count = box.get_by_role("status"), box.get_by_text(re.compile("^Step "))
    expect(box.get_by_role("button", name="Next")).to_be_focused()
    expect(step).to_have_text("Ben banks $100.00.")
    for button, text in (
        ("Next", "Bets open."),
        ("Next", "You put $10.00 on Ante and $2.00 on Bonus."),
        ("Next", "No more bets. $3.00 in fees are collected."),
    ):
        expect(box.get_by_role("img", name="a card face down")).to_have_count(0)
        box.get_by_role("button", name=button).click()
        expect(step).to_contain_text(text)
    box.get_by_role("button", name="Next").click()
    expect(step).to_contain_text("Cards are dealt. You have ")
    expect(step).to_contain_text("The dealer shows ")
    # The up card and one's own three are seen, two are face down.
    expect(box.get_by_role("img", name="a card face down")).to_have_count(2)
    expect(box.get_by_role("img", name=re.compile(" of "))).to_have_count(4)
    box.get_by_role("button", name="Last").click()
    before, after = told["credits"]["before"], told["credits"]["after"]
    expect(step).to_contain_text(
        f"You had {money(before, signed=False)} before this round"
        f" and {money(after, signed=False)} after it. The fee was $1.00."
    )
    expect(box.get_by_role("img", name="a card face down")).to_have_count(0)
    steps = int((count.text_content() or "").split(" ")[3])
    expect(count).to_have_text(f"Step {steps} of {steps}")
    box.get_by_role("button", name="Back").click()
    expect(step).to_contain_text("Ben's bank ")
    box.get_by_role("button", name="First").click()
    expect(count).to_have_text(f"Step 1 of {steps}")
    box.get_by_role("button", name="Close").click()
    expect(box).to_have_count(0)
    expect(page.get_by_role("button", name=f"Replay round {number} at ca")).to_be_focused()


def test_a_replay_goes_by_keys(guest: Guests, others: Others, room: Served) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, wheel=1)
    page.reload()
    (told,) = ask(room, page, "/api/me/history?limit=1")
    page.get_by_role("button", name="Replay round 1 at ro").press("Enter")
    box = page.get_by_role("dialog")
    step = box.get_by_role("status")
    expect(step).to_contain_text("Bets open.")
    for key, text in (
        ("ArrowLeft", "Bets open."),
        ("ArrowRight", "You put $5.00 on Red and $1.00 on Straight 17."),
        ("ArrowRight", "No more bets."),
        ("ArrowRight", f"The ball lands on {told['pocket']}."),
        ("ArrowRight", re.compile(r"^You: Red (wins|loses) \$5.00 and Straight 17 (wins|loses) ")),
        ("End", "You had "),
        ("ArrowRight", "You had "),
        ("Home", "Bets open."),
    ):
        page.keyboard.press(key)
        expect(step).to_contain_text(text)
    page.keyboard.press("Escape")
    expect(box).to_have_count(0)


# Exports and proofs


@pytest.mark.parametrize(
    ("link", "kind"), [("Download for queenhigh settle", "jsonl"), ("hand histories", "phh")]
)
def test_rounds_can_be_downloaded(
    guest: Guests, others: Others, room: Served, link: str, kind: str
) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, house=2)
    page.reload()
    with page.expect_download() as saved:
        page.get_by_role("link", name=link).click()
    assert saved.value.suggested_filename == f"queenhigh-rounds.{kind}"
    text = Path(saved.value.path()).read_text("utf-8")
    with room.http(cookie_of(page)) as client:
        assert text == client.get(f"/api/me/rounds.{kind}").text
    if kind == "jsonl":
        lines = [json.loads(line) for line in text.splitlines()]
        assert [one["id"] for one in lines] == ["ho/1", "ho/2"]


def test_files_are_offered_where_they_have_something_in_them(
    guest: Guests, others: Others, room: Served
) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, wheel=1)
    page.reload()
    settle = page.get_by_role("link", name="Download for queenhigh settle")
    hands = page.get_by_role("link", name="Download hand histories")
    expect(settle).to_have_attribute("href", re.compile("table=ro"))
    expect(hands).to_have_count(0)
    play_some(page, others, room, house=1)
    page.reload()
    # Of several games there is no file that could be settled by one rulebook.
    expect(hands).to_be_visible()
    expect(settle).to_have_count(0)
    expect(page.get_by_text("Choose one table above to download")).to_be_visible()
    page.get_by_label("Table All tables").select_option("ro")
    expect(settle).to_have_attribute("href", re.compile("table=ro"))
    expect(hands).to_have_count(0)


def test_a_round_is_proved_from_its_line(guest: Guests, others: Others, room: Served) -> None:
    page = guest("Ann", "/#/history")
    play_some(page, others, room, house=1)
    page.reload()
    page.get_by_role("button", name="Verify round 1 at ho").click()
    expect(page.get_by_text("Everything fits.", exact=True)).to_be_visible()
    expect(page.locator('[data-check="settlement"]')).to_have_attribute("data-fits", "true")
    anyone = guest(None, "/#/history/ho/1")
    expect(anyone.get_by_role("heading", name="Round 1 at ho")).to_be_visible()
    expect(anyone.get_by_text("Everything fits.", exact=True)).to_be_visible()


# Recall at a table


def test_the_last_rounds_stand_beside_a_table(guest: Guests, others: Others, room: Served) -> None:
    page = guest("Ann", "/#/table/ho")
    with at_table(others, room, "ho", "Ann", 3, cookie_of(page)) as ann:
        asked: list[str] = []
        page.on("request", lambda one: asked.append(one.url))
        others.do(play(ann, {"ante": 400, "pair_plus": 100}))
        recall = page.locator("details", has=page.get_by_text("Your last rounds here"))
        assert not [one for one in asked if "history" in one], "closed, it asks for nothing"
        recall.locator("summary").click()
        items = recall.locator("ol > li")
        expect(items).to_have_count(1)
        others.do(play(ann, {"ante": 300}, "fold"))
        expect(items).to_have_count(2)
        told = ask(room, page, "/api/me/history?table=ho&limit=10")
        for n, one in enumerate(told):
            item = items.nth(n)
            expect(item).to_contain_text(f"Round {one['number']}.")
            expect(item).to_contain_text(money(one["net"] - one["fee"]))
            for wager in one["wagers"]:
                expect(item).to_contain_text(money(wager["net"]))
            chips = one["credits"]
            expect(item).to_contain_text(
                f"{money(chips['before'], signed=False)} before,"
                f" {money(chips['after'], signed=False)} after"
            )
        items.first.get_by_role("button", name="Replay").click()
        box = page.get_by_role("dialog", name="Round 2 at ho")
        box.get_by_role("button", name="Last").click()
        expect(box.get_by_role("status")).to_contain_text("You had ")
        page.keyboard.press("Escape")
        for _ in range(9):
            others.do(play(ann, {"ante": 100}, "fold"))
        expect(items).to_have_count(10)
        expect(items.first).to_contain_text("Round 11.")
        page.wait_for_load_state("networkidle")


# For everybody


@every_look
def test_everybody_can_read_it(
    guest: Guests, others: Others, room: Served, viewport: dict[str, int], scheme: str
) -> None:
    page = guest("Ann", "/#/history", viewport=viewport, color_scheme=scheme)
    expect(page.get_by_text("No round yet.")).to_be_visible()
    assert axe.violations(page) == []
    play_some(page, others, room, house=3, wheel=1)
    page.reload()
    expect(rows(page)).to_have_count(4)
    page.get_by_role("button", name="Show the numbers").click()
    page.get_by_role("button", name="Verify round 3 at ho").click()
    expect(page.get_by_text("Everything fits.", exact=True)).to_be_visible()
    page.get_by_text("The values").click()
    assert axe.violations(page) == []
    assert page.evaluate("() => document.documentElement.scrollWidth") <= viewport["width"]
    page.get_by_role("button", name="Replay round 3 at ho").click()
    page.keyboard.press("End")
    expect(page.get_by_role("dialog")).to_contain_text("You had")
    page.wait_for_timeout(300)  # cards that are being turned
    assert axe.violations(page) == []
