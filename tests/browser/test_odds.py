"""The odds page: change a pay or a reading, and the exact edge is there at once."""

import re
from fractions import Fraction
from functools import partial

import pytest
from playwright.sync_api import Locator, Page, expect

import queenhigh as qh
from queenhigh.price.strategy import hand_text, strategy
from queenhigh.rulebook.book import PokerRulebook
from queenhigh.simulation.quick import ROUNDS
from tests.browser import PHONE, SMALL, axe
from tests.browser.conftest import OpenRoom
from tests.browser.guests import Guests
from tests.browser.odds_page import (
    BONUS,
    Look,
    classes,
    expect_edge,
    look_at,
    pays,
    reading,
    side_bet,
)
from tests.server.running_server import GENEROUS
from tests.simulation.compile_once import compile_engine

RULEBOOKS = [
    "california",
    *(
        pytest.param(name, marks=pytest.mark.full)
        for name in ("house", "roulette", "roulette-american", "roulette-european")
    ),
]


@pytest.fixture
def look(guest: Guests) -> Look:
    return partial(look_at, guest)


def poker(name: str, **changes: object) -> PokerRulebook:
    book = qh.load(name, changes)
    assert isinstance(book, PokerRulebook)
    return book


def edge_of(name: str, bet: str, **changes: object) -> Fraction:
    return qh.odds(qh.load(name, changes)).bets[bet].edge


def test_changed_pay_changes_the_exact_edge(look: Look) -> None:
    page = look("california")
    expect_edge(page, "bonus", side_bet(**BONUS))
    expect_edge(page, "ante", edge_of("california", "ante"))
    pays(page, "bonus.pays.flush").fill("4")
    expect_edge(page, "bonus", side_bet(**{**BONUS, "flush": 4}))
    section = page.locator('section[data-bet="bonus"]')
    expect(section).to_contain_text("+4.9593 percentage points for the player")
    expect(section.locator('[data-field="bonus.pays.flush"]')).to_contain_text("was 3 to 1")
    expect(page.locator('section[data-bet="ante"]')).to_contain_text("standard rules")
    pays(page, "bonus.pays.flush").blur()
    expect(pays(page, "bonus.pays.flush")).to_have_value("4 to 1")
    pays(page, "bonus.pays.pair").fill("")
    expect_edge(page, "bonus", side_bet(**{**BONUS, "flush": 4, "pair": -1}))
    changes = page.get_by_role("region", name="Changes")
    expect(changes).to_contain_text("Bonus: flush pays 4 to 1 (was 3 to 1)")
    expect(changes).to_contain_text('queenhigh odds california --set bonus.pays.flush="4 to 1"')


@pytest.mark.full
@pytest.mark.parametrize(
    "written",
    [
        "7 to 1",
        *(pytest.param(each, marks=pytest.mark.full) for each in ("7:1", "7", " 7/1 ", "14 to 2")),
    ],
)
def test_pays_are_read_in_usual_notations(look: Look, written: str) -> None:
    page = look("house")
    six = {name: pay for name, pay in BONUS.items() if name != "royal_flush"}
    expect_edge(page, "pair_plus", side_bet(**six, royal_flush=40))
    pays(page, "pair_plus.pays.straight").fill(written)
    expect_edge(page, "pair_plus", side_bet(**{**six, "straight": 7}, royal_flush=40))


def test_ante_bonus_changes_the_ante_edge(look: Look) -> None:
    page = look("house")
    expect_edge(page, "ante", Fraction(686689, 20358520))
    pays(page, "ante_bonus.pays.straight_flush").fill("6 to 1")
    expect_edge(page, "ante", edge_of("house", "ante", **{"ante_bonus.pays.straight_flush": 6}))


def test_other_reading_changes_the_edge(look: Look) -> None:
    page = look("california")
    reading(page, "tie").select_option("win")
    expect_edge(page, "ante", edge_of("california", "ante", tie="win"))
    reading(page, "qualifier").select_option("king-high")
    both = {"tie": "win", "qualifier": "king-high"}
    expect_edge(page, "ante", edge_of("california", "ante", **both))
    reading(page, "royal_flush").select_option("false")
    expect_edge(page, "bonus", side_bet(**{**BONUS, "royal_flush": 40}))
    expect(pays(page, "bonus.pays.royal_flush")).to_have_count(0)
    expect(page.get_by_role("region", name="Changes")).to_contain_text("payout can't be removed")
    reading(page, "royal_flush").select_option("true")
    expect_edge(page, "bonus", side_bet(**BONUS))
    expect_edge(page, "ante", edge_of("california", "ante", **both))


def test_new_royal_flush_starts_with_the_straight_flush_pay(look: Look) -> None:
    page = look("house")
    reading(page, "royal_flush").select_option("true")
    expect(pays(page, "pair_plus.pays.royal_flush")).to_have_value("40 to 1")
    pays(page, "pair_plus.pays.royal_flush").fill("100")
    expect_edge(page, "pair_plus", side_bet(**{**BONUS, "royal_flush": 100}))


def test_edge_follows_every_keystroke(look: Look) -> None:
    page = look("california")
    flush = pays(page, "bonus.pays.flush")
    flush.focus()
    page.keyboard.press("Control+A")
    for typed in ("1", "12", "125", "1257"):
        page.keyboard.press(typed[-1])
        expect_edge(page, "bonus", side_bet(**{**BONUS, "flush": int(typed)}))
    flush.press_sequentially("91")  # a player who types on at once sees the last figures
    expect_edge(page, "bonus", side_bet(**{**BONUS, "flush": 125791}))


@pytest.mark.full
def test_reset_one_change_and_all(look: Look) -> None:
    page = look("california")
    pays(page, "bonus.pays.flush").fill("4")
    pays(page, "bonus.pays.pair").fill("2")
    reading(page, "tie").select_option("lose")
    expect_edge(page, "bonus", side_bet(**{**BONUS, "flush": 4, "pair": 2}))
    page.get_by_role("button", name="Reset flush pays to 3 to 1").click()
    expect_edge(page, "bonus", side_bet(**{**BONUS, "pair": 2}))
    expect(pays(page, "bonus.pays.flush")).to_have_value("3 to 1")
    page.get_by_role("button", name="Reset all").press("Enter")
    expect_edge(page, "bonus", side_bet(**BONUS))
    expect_edge(page, "ante", edge_of("california", "ante"))
    expect(reading(page, "tie")).to_have_value("push")
    expect(page.get_by_role("button", name="Reset all")).to_be_disabled()
    expect(page.get_by_role("button", name="Reset all")).to_be_focused()


@pytest.mark.full
def test_link_carries_the_changes(guest: Guests, look: Look) -> None:
    page = look("california")
    pays(page, "bonus.pays.flush").fill("4:1")
    reading(page, "tie").select_option("win")
    expect(page).to_have_url(re.compile("bonus.pays.flush=4%20to%201&tie=win$"))
    other = guest("Ben", page.url.removeprefix(page.url.split("/#")[0]))
    expect_edge(other, "bonus", side_bet(**{**BONUS, "flush": 4}))
    expect_edge(other, "ante", edge_of("california", "ante", tie="win"))
    expect(pays(other, "bonus.pays.flush")).to_have_value("4 to 1")
    other.evaluate("location.hash = '#/odds/california/coverage=net&bonus.pays.pair=2%20to%201'")
    expect_edge(other, "bonus", side_bet(**{**BONUS, "pair": 2}))
    expect(other.get_by_role("region", name="Changes")).to_contain_text("coverage is net")
    other.get_by_label("Rulebook").select_option("house")
    expect(other.get_by_role("heading", name="Pair Plus")).to_be_visible()


@pytest.mark.full
def test_rate_limited_odds_are_retried(open_room: OpenRoom, guest: Guests, look: Look) -> None:
    guest.allow("429 (Too Many Requests)")
    few = {**GENEROUS, "works": 2, "works_at_once": 5}
    page = look("house", room=open_room(limits=few))
    field = pays(page, "pair_plus.pays.flush")
    for pay in range(4, 24):
        field.fill(str(pay))
    rest = {**BONUS, "royal_flush": 40, "flush": 23}
    expect_edge(page, "pair_plus", side_bet(**rest))


def cell(page: Page, hand: str, up: str) -> Locator:
    """Return a cell of the chart by its hand and the up card."""
    grid = page.get_by_role("grid", name="Strategy chart")
    expect(grid.locator("thead th", has_text=re.compile(f"^{up}$"))).to_be_visible()
    names = grid.locator("thead th").all_inner_texts()
    row = grid.locator("tbody tr").filter(has=page.locator("th", has_text=re.compile(f"^{hand}$")))
    return row.locator("td").nth(names.index(up))


def test_chart_matches_best_play(look: Look) -> None:
    page = look("california")
    page.get_by_role("button", name="Show every hand").click()
    book = poker("california")
    for hand, cards, up in [
        ("Q-9-2", "Qs 9d 2c", "Q"), ("Q-8-7", "Qs 8d 7c", "Q"), ("K-9-2", "Ks 9d 2c", "K"),
        ("K-8-7", "Ks 8d 7c", "K"), ("10-5-4", "Ts 5d 4c", "4"), ("9-8-2", "9s 8d 2c", "5"),
        ("10-9-4", "Ts 9d 4c", "9"), ("A-8-7", "As 8d 7c", "A"), ("5-3-2", "5s 3d 2c", "J"),
    ]:  # fmt: skip
        shown = qh.parse_cards(f"{up.replace('10', 'T')}h")
        a, b, c = qh.parse_cards(cards)
        advice = qh.advise(book, (a, b, c), shown)
        expect(cell(page, hand, up)).to_have_class(re.compile(rf"\b{advice.best}\b"))
    cell(page, "Q-9-2", "Q").hover()
    expect(page.locator(".said")).to_have_text(
        re.compile(r"^Q-9-2 against a queen: playing is worth 0\.\d{3} Antes more than folding\.")
    )


@pytest.mark.full
def test_chart_boundary_matches_the_package(look: Look) -> None:
    page = look("house")
    best = strategy(poker("house"))
    least = hand_text(best.book.ranking, best.least(0))
    assert least == "Q-6-4"
    expect(page.locator(".rule")).to_contain_text("Play Q-6-4 or better; fold anything less.")
    line = page.locator("tr", has=page.locator("td.below"))
    expect(line).to_have_count(1)
    expect(line.locator("th")).to_have_text(least)
    reading(page, "up").select_option("1")
    best = strategy(poker("house", up=1))
    for up, rank in (("Q", 10), ("K", 11), ("A", 12)):
        last = hand_text(best.book.ranking, best.least(rank))
        expect(cell(page, re.escape(f"{last}+"), up)).to_have_class(re.compile(r"play.*\bbelow\b"))


@pytest.mark.full
def test_two_up_cards_show_no_chart(look: Look) -> None:
    page = look("house")
    reading(page, "up").select_option("2")
    expect(page.get_by_text("With two dealer cards showing")).to_be_visible()
    expect(page.get_by_role("grid")).to_have_count(0)
    expect_edge(page, "ante", edge_of("house", "ante", up=2))


def test_chart_works_by_keyboard(look: Look) -> None:
    page = look("california")
    page.get_by_role("grid", name="Strategy chart").locator('td[tabindex="0"]').focus()
    said = page.locator(".said")
    expect(said).to_contain_text("A pair or better against a two")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(said).to_contain_text("A-9-2 to A-K-J against an ace: playing is worth")
    page.keyboard.press("ArrowDown")
    expect(said).to_contain_text("less than folding")


def test_distributions_are_also_tables(look: Look) -> None:
    page = look("house")
    section = page.locator('section[data-bet="pair_plus"]')
    section.get_by_role("button", name="Show as a table").click()
    rows = section.locator("tbody tr").all_inner_texts()
    whole = 22100 * 18424
    counts = classes()
    assert [row.split()[:2] for row in rows][-2:] == [
        ["30", f"{counts['three_of_a_kind'] * 18424:,}"],
        ["40", f"{(counts['straight_flush'] + counts['royal_flush']) * 18424:,}"],
    ]
    expect(section.locator("tfoot")).to_contain_text(f"{whole:,}")


def row_edge(page: Page, bet: str) -> Locator:
    return page.locator(f'tr[data-bet="{bet}"] [data-edge]')


def test_wheel_lists_its_bets(guest: Guests, look: Look) -> None:
    guest.allow("400 (Bad Request)")
    page = look("roulette-european")
    expect(row_edge(page, "straight")).to_have_attribute("data-edge", "1/37")
    page.locator('tr[data-bet="straight"] input').fill("34")
    expect(row_edge(page, "straight")).to_have_attribute("data-edge", str(Fraction(2, 37)))
    page.locator('tr[data-bet="split"] input').fill("16")
    expect(row_edge(page, "split")).to_have_attribute("data-edge", str(Fraction(35 - 2 * 16, 37)))
    page.locator('tr[data-bet="dozen"] input').fill("2:1")
    reading(page, "zero.on_zero").select_option("la_partage")
    expect(row_edge(page, "red")).to_have_attribute("data-edge", "1/74")
    reading(page, "zeros").select_option("2")
    expect(row_edge(page, "red")).to_have_attribute("data-edge", "1/38")
    page.get_by_label("Look closer at").select_option("red")
    expect_edge(page, "red", Fraction(1, 38))
    page.get_by_role("button", name="Show as a table").click()
    expect(page.locator("figure thead th")).to_have_text(["Gain", "Spins", "Share"])
    page.evaluate("location.hash = '#/odds/roulette-american'")
    reading(page, "zeros").select_option("1")
    expect(page.locator('[data-field="zeros"]')).to_contain_text("covers 00")
    expect(row_edge(page, "red")).to_have_attribute("data-edge", "1/19")
    reading(page, "zeros").select_option("3")
    expect(row_edge(page, "red")).to_have_attribute("data-edge", "1/13")


@pytest.mark.parametrize(
    "rulebook",
    [
        "house",
        *(
            pytest.param(name, marks=pytest.mark.full)
            for name in ("california", "roulette", "roulette-american", "roulette-european")
        ),
    ],
)
@pytest.mark.full
def test_odds_page_is_accessible(guest: Guests, look: Look, rulebook: str) -> None:
    guest.allow("400 (Bad Request)")
    key = "bets.0.pays" if rulebook.startswith("roulette") else "limits.bonus.min"
    page = look(rulebook)
    hidden = page.get_by_role("button", name="Show as a table")
    for _ in range(hidden.count()):
        hidden.first.click()
    for summary in page.locator("summary").all():
        summary.click()
    assert axe.violations(page) == []
    page.evaluate(f"location.hash = '#/odds/{rulebook}/{key}=x'")
    expect(page.get_by_role("region", name="Changes")).to_contain_text(
        "Showing the last valid odds"
    )


def test_headline_has_the_fee_at_the_least_ante(look: Look) -> None:
    page = look("california")
    expect(page.locator(".headline")).to_have_text("4.30% + 20% fee at a $5 Ante")
    page.get_by_label("Rulebook").select_option("house")
    expect(page.locator(".headline")).to_have_text("3.37%")


@pytest.mark.full
def test_bank_tab_has_the_book_of_the_command_line(look: Look) -> None:
    compile_engine()
    page = look("california")
    page.get_by_role("tab", name="Odds").press("ArrowRight")
    expect(page.get_by_role("tab", name="Bank")).to_be_focused()

    def expect_book(seats: int, ante: int, bonus: int) -> None:
        book = qh.bank(poker("california"), seats=seats, ante=ante, bonus=bonus)
        mean = qh.dollars(round(book.mean_after_fee * ante), signed=True)
        swing = qh.dollars(round(book.sd * ante))
        expect(page.locator('[data-figure="mean"]')).to_have_text(mean.replace("-", "−"))
        expect(page.locator('[data-figure="sd"]')).to_have_text(f"±{swing}")
        expect(page.locator('[data-figure="losing"]')).to_have_text(f"{book.night.losing:.1%}")

    expect_book(10, 500, 0)
    for name, typed in (("Seats playing", "6"), ("Ante each", "25"), ("Bonus each", "5")):
        page.get_by_label(name).fill(typed)
    expect_book(6, 2500, 500)
    expect(page.get_by_text("the fee takes $2.00")).to_be_visible()
    page.get_by_label("Seats playing").fill("11")
    expect(page.get_by_label("Seats playing")).to_have_accessible_description("1 to 10 seats.")
    expect_book(6, 2500, 500)
    page.get_by_label("Seats playing").fill("3")
    page.get_by_label("Your bank").fill("500")
    expect(page.locator('[data-figure="worst"]')).to_have_text("$500")
    sample = qh.simulate(
        poker("california"), ROUNDS["compiled"], seats=3, ante=2500, bonus=500, bank=50_000, seed=7
    )
    command = page.get_by_text("queenhigh simulate california")
    expect(command).to_contain_text(
        f"--bank 500.00 --rounds {sample.rounds} --seed 7", timeout=60_000
    )
    mean = qh.dollars(round((sample.banker.mean - sample.banker.fee) * 2500), signed=True)
    expect(page.locator('[data-figure="mean"]')).to_have_text(mean.replace("-", "−"))
    runs_out = f"{sample.tally.exhausted / sample.rounds:.1%}"
    expect(page.locator('[data-figure="runs-out"]')).to_have_text(runs_out)
    assert axe.violations(page) == []
    page.set_viewport_size(PHONE)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("size", [PHONE, pytest.param(SMALL, marks=pytest.mark.full)])
def test_no_horizontal_scroll_on_a_phone(look: Look, rulebook: str, size: dict[str, int]) -> None:
    page = look(rulebook, viewport=size)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
