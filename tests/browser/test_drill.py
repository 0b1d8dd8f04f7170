"""The drill in the browser; web/src/lib/coach has the tests of its logic."""

import re
from fractions import Fraction

import pytest
from playwright.sync_api import Locator, Page, Route, ViewportSize, expect

from tests.browser import axe, every_width
from tests.browser.expected_text import (
    DecisionValues,
    antes,
    cards_in,
    decision_values,
    dollars,
    given_away,
    rounded,
)
from tests.browser.guests import Guests
from tests.sizes import sized

HANDS = 20


def deal_fewer(page: Page, hands: int) -> None:
    """Keep only the first hands of each batch that the room deals."""

    def shorten(route: Route) -> None:
        batch = route.fetch().json()
        route.fulfill(json={**batch, "deals": batch["deals"][:hands]})

    page.route("**/api/drill*", shorten)


def dealt(page: Page, game: str) -> DecisionValues:
    """Wait until a hand is dealt; return the value of both moves, in Antes."""
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    dealer = page.get_by_role("group", name="The dealer's cards")
    if game == "california":
        expect(dealer.get_by_role("img").first).to_have_attribute("aria-label", re.compile(" of "))
    hand = cards_in(page.get_by_role("group", name="Your cards"))
    decision = decision_values(game, hand, cards_in(dealer), {"ante": 500})
    return DecisionValues(decision.play / 500, decision.fold / 500)


def answer_of(page: Page) -> Locator:
    return page.get_by_role("region", name="What it was worth")


@pytest.mark.parametrize("game", ["california", pytest.param("house", marks=pytest.mark.full)])
def test_verdicts_and_score_are_those_of_the_oracle(guest: Guests, game: str) -> None:
    page = guest("Ann", f"/#/drill/{game}")
    given, streak = Fraction(0), 0
    for n in range(3):
        decision = dealt(page, game)
        expect(page.locator(".felt .said")).to_have_text(
            re.compile(r"\. The dealer shows .*\.$" if game == "california" else r"^[^.]*\.$")
        )
        assert "Antes" not in page.get_by_role("group", name="Your move").inner_text()
        expect(answer_of(page)).to_have_count(0)
        move = decision.worst if n == 1 else decision.best
        page.get_by_role("button", name=move.capitalize(), exact=True).click()
        answer = answer_of(page)
        right = move == decision.best or decision.cost == 0
        verdict = re.compile("^Right|exactly the same" if right else "was better by .* average")
        expect(answer).to_contain_text(verdict)
        if decision.cost:
            expect(answer).to_contain_text(f" {given_away(decision.cost)} ")
        expect(answer.get_by_role("definition").nth(0)).to_contain_text(antes(decision.play))
        expect(answer.get_by_role("definition").nth(1)).to_contain_text(antes(decision.fold))
        expect(answer).to_contain_text(re.compile("(beats you|doesn't qualify) in .*\\."))
        expect(page.get_by_role("status")).to_contain_text(verdict)
        given += 0 if right else decision.cost
        streak = streak + 1 if right else 0
        score = page.locator("dl").first
        expect(score).to_contain_text(f"{n + 1} of {HANDS}")
        expect(score).to_contain_text(dollars(rounded(given / (n + 1) * 500)))
        expect(score).to_contain_text(re.compile(rf"In a row\s*{streak}\s*$"))
        page.get_by_role("button", name="Next hand").click()

    before = page.get_by_role("group", name="Your cards").get_by_role("img").all()
    names = [card.get_attribute("aria-label") for card in before]
    page.reload()
    dealt(page, game)
    after = page.get_by_role("group", name="Your cards").get_by_role("img").all()
    assert [card.get_attribute("aria-label") for card in after] == names, "the same hand waits"
    expect(page.locator("dl").first).to_contain_text("2 of 3")


@pytest.mark.full
def test_whole_drill_by_keyboard_alone(guest: Guests) -> None:
    page = guest("Ann", "/#/drill")
    hands = sized(4, HANDS)
    if hands < HANDS:
        deal_fewer(page, hands)
    link = page.get_by_role("link", name=re.compile("California"))
    expect(link).to_be_visible()
    link.focus()
    page.keyboard.press("Enter")
    wrong = 0
    for n in range(hands):
        decision = dealt(page, "california")
        move = decision.worst if n in (1, 11) else decision.best
        wrong += move != decision.best and decision.cost != 0
        page.keyboard.press(move[0])
        expect(answer_of(page)).to_be_visible()
        page.keyboard.press("Enter" if n % 2 else "Space")
    heading = page.get_by_role("heading", name=f"{hands - wrong} of {hands} right")
    expect(heading).to_be_focused()
    summary = page.get_by_role("region", name="right")
    expect(summary.get_by_role("listitem")).to_have_count(wrong)
    page.keyboard.press("Tab")
    expect(summary.get_by_text("Best strategy")).to_be_focused()
    page.keyboard.press("Enter")
    expect(summary).to_contain_text("10-7-5 or better")
    page.reload()
    expect(heading).to_be_visible()
    page.get_by_role("button", name=f"Another {hands} hands").press("Enter")
    dealt(page, "california")
    expect(page.locator("dl").first).to_contain_text(f"1 of {hands}")
    expect(page.get_by_text(f"All in all: {hands - wrong} of {hands} right")).to_be_visible()


def test_drill_deals_twenty_hands_and_replaces_damaged_ones(guest: Guests) -> None:
    page = guest("Ann", "/#/drill/house")
    dealt(page, "house")
    expect(page.locator("dl").first).to_contain_text(f"1 of {HANDS}")
    damage = """() => {
        const key = "queenhigh.drill.house";
        const saved = JSON.parse(localStorage.getItem(key));
        saved.batch.deals[0].cost = "much";
        localStorage.setItem(key, JSON.stringify({ ...saved, score: null }));
    }"""
    page.evaluate(damage)
    page.reload()
    decision = dealt(page, "house")
    page.get_by_role("button", name=decision.best.capitalize(), exact=True).click()
    expect(answer_of(page)).to_be_visible()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("nothing", re.compile(r"^There is no rulebook 'nothing'.*\.$")),
        pytest.param(
            "roulette",
            re.compile(r"^[A-Z].* nothing to decide.*\.$"),
            marks=pytest.mark.full,
        ),
    ],
)
def test_game_without_drill_shows_an_error(guest: Guests, name: str, why: re.Pattern[str]) -> None:
    guest.allow("404 (Not Found)", "400 (Bad Request)")
    page = guest("Ann", f"/#/drill/{name}")
    expect(page.get_by_role("alert")).to_contain_text(why)
    page.get_by_role("link", name="Another game").click()
    expect(page.get_by_role("link", name=re.compile("house", re.IGNORECASE))).to_be_visible()


@pytest.mark.full
@every_width
def test_page_is_accessible(guest: Guests, viewport: ViewportSize) -> None:
    page = guest("Ann", "/#/drill", viewport=viewport, reduced_motion="reduce")
    hands = sized(4, HANDS)
    if hands < HANDS:
        deal_fewer(page, hands)
    expect(page.get_by_role("link", name=re.compile("California"))).to_be_visible()
    assert axe.violations(page) == []
    page.goto(page.url + "/california")
    decision = dealt(page, "california")
    assert axe.violations(page) == []
    page.get_by_role("button", name=decision.worst.capitalize(), exact=True).click()
    expect(answer_of(page)).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="Next hand")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe.violations(page) == []
    for _ in range(hands - 1):
        page.keyboard.press("Enter")
        page.keyboard.press("p")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name=re.compile("right"))).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe.violations(page) == []
