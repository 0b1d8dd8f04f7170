"""The odds page where something cannot be had: what it says of it, and what it shows meanwhile."""

import re
from fractions import Fraction
from functools import partial

import pytest
from playwright.sync_api import expect

from tests.browser import SMALL
from tests.browser.guests import NO_CONNECTION, Guests
from tests.browser.odds_page import BONUS, Look, expect_edge, look_at, pays, side_bet

pytestmark = pytest.mark.full


@pytest.fixture
def look(guest: Guests) -> Look:
    return partial(look_at, guest)


def test_invalid_pay_keeps_the_last_valid_odds(guest: Guests, look: Look) -> None:
    guest.allow("400 (Bad Request)")
    page = look("california")
    pays(page, "bonus.pays.straight").fill("5")
    good = side_bet(**{**BONUS, "straight": 5})
    expect_edge(page, "bonus", good)
    flush = pays(page, "bonus.pays.flush")
    flush.fill("4 to")
    field = page.locator('[data-field="bonus.pays.flush"]')
    expect(field).to_contain_text("Write a payout such as 4 to 1.")
    expect(flush).to_have_attribute("aria-invalid", "true")
    expect(flush).to_have_accessible_description("Write a payout such as 4 to 1.")
    flush.blur()
    expect(flush).to_have_value("4 to")
    expect_edge(page, "bonus", good)
    expect(page.get_by_role("region", name="Changes")).to_contain_text(
        "Showing the last valid odds"
    )
    flush.fill("4 to 1")
    expect_edge(page, "bonus", side_bet(**{**BONUS, "straight": 5, "flush": 4}))
    expect(field).not_to_contain_text("Write a payout")
    flush.fill("3 to 2")
    expect(field).to_contain_text("on a wager of $0.01 would not be whole cents (TCP-4). Use")
    field.get_by_role("button", name="steps of $0.02").click()
    half = side_bet(**{**BONUS, "straight": 5, "flush": 0}) - Fraction(3, 2) * Fraction(1096, 22100)
    expect_edge(page, "bonus", half)


@pytest.mark.parametrize(
    ("key", "written", "says"),
    [
        ("limits.ante.max", "$1,0000", "Write an amount such as $5 or $2.50."),
        ("limits.ante.max", "0.001", "Write an amount such as $5 or $2.50."),
        ("limits.ante.max", "", "Write an amount such as $5 or $2.50."),
        ("limits.ante.max", "0", "Write an amount such as $5 or $2.50."),
        ("limits.ante.max", "0.50", "$0.50 is less than the minimum, $1.00 (HO-1)."),
        ("increment", "0.07", "Ante at least: $1.00 isn't a multiple of $0.07 (TCP-4)."),
        ("pair_plus.pays.flush", "123456789", "The largest is 9,999,999 to 1."),
    ],
)
def test_rule_errors_use_the_units_of_the_page(
    guest: Guests, look: Look, key: str, written: str, says: str
) -> None:
    guest.allow("400 (Bad Request)")
    page = look("house")
    page.locator("summary", has_text="Limits").click()
    pays(page, key).fill(written)
    field = page.locator(f'[data-field="{key}"]')
    expect(field).to_contain_text(says)
    expect(field).not_to_contain_text(re.compile("; write|[0-9] cents| max "))


@pytest.mark.parametrize(
    ("rulebook", "pay", "step"),
    [
        ("california", "3.001", "$10.00"),
        ("california", "7 to 20011", "$200.11"),
        ("house", "3.01", "$1.00"),
    ],
)
def test_offered_increments_are_valid(
    guest: Guests, look: Look, rulebook: str, pay: str, step: str
) -> None:
    guest.allow("400 (Bad Request)")
    page = look(rulebook)
    bet = "pair_plus" if rulebook == "house" else "bonus"
    pays(page, f"{bet}.pays.flush").fill(pay)
    page.get_by_role("button", name=f"Use bet steps of {step}", exact=True).click()
    expect(page.get_by_role("region", name="Changes")).to_contain_text(
        f"Bets go in steps of {step} instead of $0.01"
    )
    expect(page.locator(f'section[data-bet="{bet}"]')).to_contain_text("was ")
    expect(page.locator('[aria-invalid="true"]')).to_have_count(0)
    expect(pays(page, f"limits.{bet}.max")).not_to_have_value("$0.00")


def test_no_increment_beyond_the_law_is_offered(guest: Guests, look: Look) -> None:
    guest.allow("400 (Bad Request)")
    page = look("house")
    pays(page, "pair_plus.pays.flush").fill("3.001")
    expect(page.locator('[data-field="pair_plus.pays.flush"]')).to_contain_text("whole cents")
    expect(page.get_by_role("button", name="Use bet steps of")).to_have_count(0)


def test_gains_that_round_alike_stay_apart(guest: Guests, look: Look) -> None:
    """Gains that are written alike, rounded, are bars of their own, and go on with the edge."""
    guest.allow("400 (Bad Request)")
    page = look("california")
    section = page.locator('section[data-bet="bonus"]')
    pays(page, "bonus.pays.flush").fill("3001 to 1000")
    page.get_by_role("button", name="Use bet steps of").click()
    pays(page, "bonus.pays.pair").fill("3003 to 1000")
    alike = ["−1", "+3.00", "+3.00", "+6", "+30", "+40", "+50"]
    expect(section.locator(".gain")).to_have_text(alike)
    pays(page, "bonus.pays.pair").fill("2")
    apart = ["−1", "+2", "+3.00", "+6", "+30", "+40", "+50"]
    expect(section.locator(".gain")).to_have_text(apart)


def test_stale_figures_look_stale(guest: Guests, look: Look) -> None:
    guest.allow(*NO_CONNECTION)
    page = look("house", viewport=SMALL)
    figures, strip = page.locator('section[data-bet="pair_plus"] .stale'), page.locator(".strip")
    expect(figures).to_have_count(0)
    page.context.set_offline(True)
    pays(page, "pair_plus.pays.flush").fill("4")
    expect(figures).to_have_count(2)
    changes = page.get_by_role("region", name="Changes")
    expect(changes).to_contain_text("No answer yet")
    why = strip.get_by_text("No answer yet. Showing earlier odds.")
    expect(why).to_be_visible()
    inside = """one => {
        const [own, strip] = [one, one.closest('.strip')].map(each => each.getBoundingClientRect());
        return own.right <= strip.right && own.bottom <= strip.bottom && own.top >= strip.top
            && one.scrollWidth <= one.clientWidth;
    }"""
    assert why.evaluate(inside), "it is not cut off"
    page.context.set_offline(False)
    expect_edge(page, "pair_plus", side_bet(**{**BONUS, "royal_flush": 40, "flush": 4}))
    expect(figures).to_have_count(0)


def test_missing_rulebook_shows_an_error(guest: Guests) -> None:
    guest.allow("404 (Not Found)")
    page = guest("Ann", "/#/odds/nothing")
    expect(page.get_by_role("alert")).to_have_text(
        re.compile(r"^There is no rulebook 'nothing'.*\.$")
    )
    expect(page.get_by_label("Rulebook")).to_have_value("nothing")


def test_wheel_errors_span_the_row_on_a_phone(guest: Guests, look: Look) -> None:
    guest.allow("400 (Bad Request)")
    page = look("roulette", viewport=SMALL)
    row = page.locator('tr[data-bet="straight"]')
    row.locator("input").fill("4 to")
    wrong = page.locator("#wrong-straight")
    expect(wrong).to_have_text("Write a payout such as 4 to 1.")
    expect(row.locator("input")).to_have_accessible_description("Write a payout such as 4 to 1.")
    width = "one => one.getBoundingClientRect().width"
    assert wrong.evaluate(width) > 0.9 * row.evaluate(width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
