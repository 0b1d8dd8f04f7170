"""The odds page: change a pay or a reading, and the exact edge is there at once."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

import queenhigh as qh
from queenhigh.price.strategy import hand_text, strategy
from queenhigh.rulebook.book import PokerRulebook
from tests.browser import PHONE, SMALL, axe
from tests.browser.conftest import OpenRoom
from tests.browser.guests import NO_CONNECTION, Guests
from tests.server.served import GENEROUS, Served

Look = Callable[..., Page]
RULEBOOKS = ("california", "house", "roulette", "roulette-american", "roulette-european")
RANKS = "23456789TJQKA"


def classes() -> dict[str, int]:
    """Count every three-card hand by its class, the plain way."""
    counted: dict[str, int] = {}
    for hand in combinations(range(52), 3):
        ranks = sorted(card // 4 for card in hand)
        suited = len({card % 4 for card in hand}) == 1
        straight = ranks in ([0, 1, 12], [ranks[0], ranks[0] + 1, ranks[0] + 2])
        names = {3: "three_of_a_kind", 2: "pair"}
        same = max(ranks.count(rank) for rank in ranks)
        name = names.get(same) or (
            ("royal_flush" if ranks == [10, 11, 12] else "straight_flush")
            if suited and straight
            else "straight" if straight else "flush" if suited else "high_card"
        )  # fmt: skip
        counted[name] = counted.get(name, 0) + 1
    return counted


def side_bet(**pays: int) -> Fraction:
    """Return the edge of a bet that pays so much to one on each class, and loses on the others."""
    counted = classes()
    assert sum(counted.values()) == 22100
    gained = sum(pays.get(name, -1) * count for name, count in counted.items())
    return Fraction(-gained, 22100)


BONUS = {"royal_flush": 50, "straight_flush": 40, "three_of_a_kind": 30, "straight": 6, "flush": 3,
         "pair": 1}  # fmt: skip


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One room for all: its process that prices is slow to start and quick afterwards."""
    with Served(tmp_path_factory.mktemp("odds") / "room.db", standing=[]) as served:
        yield served
        assert served.errors() == ""


@pytest.fixture
def look(guest: Guests) -> Look:
    """Open the odds of a rulebook, and wait until they are there."""

    def open_page(rulebook: str, **context: Any) -> Page:
        page = guest("Ann", f"/#/odds/{rulebook}", **context)
        expect(page.get_by_role("heading", name="The rules", exact=True)).to_be_visible()
        if not rulebook.startswith("roulette"):
            expect(page.locator(".rule")).to_be_visible()
        return page

    return open_page


def exact(page: Page, bet: str) -> Locator:
    return page.locator(f'section[data-bet="{bet}"] [data-edge]')


def expect_edge(page: Page, bet: str, edge: Fraction) -> None:
    """Expect the fraction to be there, exactly, and in percent, rounded."""
    found = exact(page, bet)
    expect(found).to_have_attribute("data-edge", str(edge))
    expect(found).to_have_text(f"{float(edge):.4%}".replace("-", "−"))


def pays(page: Page, key: str) -> Locator:
    return page.locator(f'[data-field="{key}"] input')


def reading(page: Page, key: str) -> Locator:
    return page.locator(f'[data-field="{key}"] select')


def poker(name: str, **changes: object) -> PokerRulebook:
    book = qh.load(name, changes)
    assert isinstance(book, PokerRulebook)
    return book


def edge_of(name: str, bet: str, **changes: object) -> Fraction:
    return qh.odds(qh.load(name, changes)).bets[bet].edge


def test_a_pay_changes_the_exact_edge(look: Look) -> None:
    page = look("california")
    expect_edge(page, "bonus", side_bet(**BONUS))
    expect_edge(page, "ante", edge_of("california", "ante"))
    pays(page, "bonus.pays.flush").fill("4")
    expect_edge(page, "bonus", side_bet(**{**BONUS, "flush": 4}))
    section = page.locator('section[data-bet="bonus"]')
    expect(section).to_contain_text("+4.9593 percentage points for the player")
    expect(section.locator('[data-field="bonus.pays.flush"]')).to_contain_text("was 3 to 1")
    expect(page.locator('section[data-bet="ante"]')).to_contain_text("as shipped")
    pays(page, "bonus.pays.flush").blur()
    expect(pays(page, "bonus.pays.flush")).to_have_value("4 to 1")
    pays(page, "bonus.pays.pair").fill("")
    expect_edge(page, "bonus", side_bet(**{**BONUS, "flush": 4, "pair": -1}))
    changes = page.get_by_role("region", name="Changes")
    expect(changes).to_contain_text("Bonus: flush pays 4 to 1 (was 3 to 1)")
    expect(changes).to_contain_text('queenhigh odds california --set bonus.pays.flush="4 to 1"')


@pytest.mark.parametrize("written", ["7 to 1", "7:1", "7", " 7/1 ", "14 to 2"])
def test_pays_are_read_as_people_write_them(look: Look, written: str) -> None:
    page = look("house")
    six = {name: pay for name, pay in BONUS.items() if name != "royal_flush"}
    expect_edge(page, "pair_plus", side_bet(**six, royal_flush=40))
    pays(page, "pair_plus.pays.straight").fill(written)
    expect_edge(page, "pair_plus", side_bet(**{**six, "straight": 7}, royal_flush=40))


def test_the_ante_bonus_changes_the_ante(look: Look) -> None:
    page = look("house")
    expect_edge(page, "ante", Fraction(686689, 20358520))
    pays(page, "ante_bonus.pays.straight_flush").fill("6 to 1")
    expect_edge(page, "ante", edge_of("house", "ante", **{"ante_bonus.pays.straight_flush": 6}))


def test_another_reading_is_another_edge(look: Look) -> None:
    page = look("california")
    reading(page, "tie").select_option("win")
    expect_edge(page, "ante", edge_of("california", "ante", tie="win"))
    reading(page, "qualifier").select_option("king-high")
    both = {"tie": "win", "qualifier": "king-high"}
    expect_edge(page, "ante", edge_of("california", "ante", **both))
    reading(page, "royal_flush").select_option("false")
    expect_edge(page, "bonus", side_bet(**{**BONUS, "royal_flush": 40}))
    expect(pays(page, "bonus.pays.royal_flush")).to_have_count(0)
    expect(page.get_by_role("region", name="Changes")).to_contain_text("cannot take a pay out")
    reading(page, "royal_flush").select_option("true")
    expect_edge(page, "bonus", side_bet(**BONUS))
    expect_edge(page, "ante", edge_of("california", "ante", **both))


def test_a_royal_flush_of_its_own_is_paid_like_a_straight_flush_at_first(look: Look) -> None:
    page = look("house")
    reading(page, "royal_flush").select_option("true")
    expect(pays(page, "pair_plus.pays.royal_flush")).to_have_value("40 to 1")
    pays(page, "pair_plus.pays.royal_flush").fill("100")
    expect_edge(page, "pair_plus", side_bet(**{**BONUS, "royal_flush": 100}))


def test_every_keystroke_has_its_edge(look: Look) -> None:
    page = look("california")
    flush = pays(page, "bonus.pays.flush")
    flush.focus()
    page.keyboard.press("Control+A")
    for typed in ("1", "12", "125", "1257"):
        page.keyboard.press(typed[-1])
        expect_edge(page, "bonus", side_bet(**{**BONUS, "flush": int(typed)}))
    flush.press_sequentially("91")  # and who types on at once sees the last one
    expect_edge(page, "bonus", side_bet(**{**BONUS, "flush": 125791}))


def test_what_cannot_be_priced_is_told_and_loses_nothing(guest: Guests, look: Look) -> None:
    guest.allow("400 (Bad Request)")
    page = look("california")
    pays(page, "bonus.pays.straight").fill("5")
    good = side_bet(**{**BONUS, "straight": 5})
    expect_edge(page, "bonus", good)
    flush = pays(page, "bonus.pays.flush")
    flush.fill("4 to")
    field = page.locator('[data-field="bonus.pays.flush"]')
    expect(field).to_contain_text("Write a pay such as 4 to 1.")
    expect(flush).to_have_attribute("aria-invalid", "true")
    expect(flush).to_have_accessible_description("Write a pay such as 4 to 1.")
    flush.blur()
    expect(flush).to_have_value("4 to")
    expect_edge(page, "bonus", good)
    expect(page.get_by_role("region", name="Changes")).to_contain_text("last good ones")
    flush.fill("4 to 1")
    expect_edge(page, "bonus", side_bet(**{**BONUS, "straight": 5, "flush": 4}))
    expect(field).not_to_contain_text("Write a pay")
    flush.fill("3 to 2")
    expect(field).to_contain_text("on a wager of $0.01 would not be whole cents (TCP-4). Let")
    field.get_by_role("button", name="steps of $0.02").click()
    half = side_bet(**{**BONUS, "straight": 5, "flush": 0}) - Fraction(3, 2) * Fraction(1096, 22100)
    expect_edge(page, "bonus", half)


@pytest.mark.parametrize(
    ("key", "written", "says"),
    [
        ("limits.ante.max", "$1,00", "Write an amount such as $5 or $2.50."),
        ("limits.ante.max", "0.001", "Write an amount such as $5 or $2.50."),
        ("limits.ante.max", "", "Write an amount such as $5 or $2.50."),
        ("limits.ante.max", "0", "Write an amount such as $5 or $2.50."),
        ("limits.ante.max", "0.50", "$0.50 is less than the least, $1.00 (HO-1)."),
        ("increment", "0.07", "Ante at least: $1.00 does not go in steps of $0.07 (TCP-4)."),
        ("pair_plus.pays.flush", "123456789", "The most is 9,999,999 to 1."),
    ],
)
def test_what_is_wrong_is_told_as_it_is_written_here(
    guest: Guests, look: Look, key: str, written: str, says: str
) -> None:
    guest.allow("400 (Bad Request)")
    page = look("house")
    page.locator("summary", has_text="Limits").click()
    pays(page, key).fill(written)
    field = page.locator(f'[data-field="{key}"]')
    expect(field).to_contain_text(says)
    expect(field).not_to_contain_text(re.compile("; write|[0-9] cents| max "))


@pytest.mark.parametrize("rulebook", ["house", "california"])
@pytest.mark.parametrize(("pay", "step"), [("3.001", "$10.00"), ("7 to 20011", "$200.11")])
def test_steps_that_are_offered_can_be_had(
    guest: Guests, look: Look, rulebook: str, pay: str, step: str
) -> None:
    guest.allow("400 (Bad Request)")
    page = look(rulebook)
    bet = "pair_plus" if rulebook == "house" else "bonus"
    pays(page, f"{bet}.pays.flush").fill(pay)
    page.get_by_role("button", name=f"Let wagers go in steps of {step}", exact=True).click()
    expect(page.get_by_role("region", name="Changes")).to_contain_text(
        f"Wagers go in steps of {step} instead of $0.01"
    )
    expect(page.locator(f'section[data-bet="{bet}"]')).to_contain_text("was ")
    expect(page.locator('[aria-invalid="true"]')).to_have_count(0)
    expect(pays(page, f"limits.{bet}.max")).not_to_have_value("$0.00")


def test_results_that_look_alike_are_told_apart(guest: Guests, look: Look) -> None:
    """Gains that are written alike, rounded, are bars of their own, and go on with the edge."""
    guest.allow("400 (Bad Request)")
    page = look("house")
    section = page.locator('section[data-bet="pair_plus"]')
    pays(page, "pair_plus.pays.flush").fill("3001 to 1000")
    page.get_by_role("button", name="Let wagers go in steps of").click()
    pays(page, "pair_plus.pays.pair").fill("3003 to 1000")
    expect(section.locator(".gain")).to_have_text(["−1", "+3.00", "+3.00", "+6", "+30", "+40"])
    pays(page, "pair_plus.pays.pair").fill("2")
    expect(section.locator(".gain")).to_have_text(["−1", "+2", "+3.00", "+6", "+30", "+40"])


def test_figures_from_before_a_change_look_it(guest: Guests, look: Look) -> None:
    guest.allow(*NO_CONNECTION)
    page = look("house", viewport=SMALL)
    figures, strip = page.locator('section[data-bet="pair_plus"] .stale'), page.locator(".strip")
    expect(figures).to_have_count(0)
    page.context.set_offline(True)
    pays(page, "pair_plus.pays.flush").fill("4")
    expect(figures).to_have_count(2)
    changes = page.get_by_role("region", name="Changes")
    expect(changes).to_contain_text("the figures are from before this change")
    why = strip.get_by_text("From before this change: no answer yet.")
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


def test_a_rulebook_that_is_not_there_is_told(guest: Guests) -> None:
    guest.allow("404 (Not Found)")
    page = guest("Ann", "/#/odds/nothing")
    expect(page.get_by_role("alert")).to_have_text(
        re.compile(r"^There is no rulebook 'nothing'.*\.$")
    )
    expect(page.get_by_label("Rulebook")).to_have_value("nothing")


def test_reset_one_and_all(look: Look) -> None:
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


def test_a_link_brings_the_changes_along(guest: Guests, look: Look) -> None:
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


def test_who_asks_too_often_waits_and_goes_on(
    open_room: OpenRoom, guest: Guests, look: Look
) -> None:
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


def test_the_chart_says_what_best_play_says(look: Look) -> None:
    page = look("california")
    page.get_by_role("button", name="Show every hand").click()
    book = poker("california")
    for hand, cards, up in [
        ("Q-9-2", "Qs 9d 2c", "Q"), ("Q-8-7", "Qs 8d 7c", "Q"), ("K-9-2", "Ks 9d 2c", "K"),
        ("K-8-7", "Ks 8d 7c", "K"), ("10-5-4", "Ts 5d 4c", "4"), ("9-8-2", "9s 8d 2c", "5"),
        ("10-9-4", "Ts 9d 4c", "9"), ("A-8-7", "As 8d 7c", "A"), ("5-3-2", "5s 3d 2c", "J"),
    ]:  # fmt: skip
        one = qh.parse_cards(f"{up.replace('10', 'T')}h")
        a, b, c = qh.parse_cards(cards)
        told = qh.advise(book, (a, b, c), one)
        expect(cell(page, hand, up)).to_have_class(re.compile(rf"\b{told.best}\b"))
    cell(page, "Q-9-2", "Q").hover()
    expect(page.locator(".said")).to_have_text(
        re.compile(r"^Q-9-2 against a queen: playing is worth 0\.\d{3} Antes more than folding\.")
    )


def test_the_line_is_where_the_package_draws_it(look: Look) -> None:
    page = look("house")
    found = strategy(poker("house"))
    least = hand_text(found.book.ranking, found.least(0))
    assert least == "Q-6-4"
    expect(page.locator(".rule")).to_contain_text("Play Q-6-4 or better; fold anything less.")
    line = page.locator("tr", has=page.locator("td.below"))
    expect(line).to_have_count(1)
    expect(line.locator("th")).to_have_text(least)
    reading(page, "up").select_option("1")
    found = strategy(poker("house", up=1))
    for up, rank in (("Q", 10), ("K", 11), ("A", 12)):
        last = hand_text(found.book.ranking, found.least(rank))
        expect(cell(page, re.escape(f"{last}+"), up)).to_have_class(re.compile(r"play.*\bbelow\b"))


def test_two_up_cards_have_no_chart(look: Look) -> None:
    page = look("house")
    reading(page, "up").select_option("2")
    expect(page.get_by_text("With two cards up there is no chart")).to_be_visible()
    expect(page.get_by_role("grid")).to_have_count(0)
    expect_edge(page, "ante", edge_of("house", "ante", up=2))


def test_the_chart_by_keyboard(look: Look) -> None:
    page = look("california")
    page.get_by_role("grid", name="Strategy chart").locator('td[tabindex="0"]').focus()
    said = page.locator(".said")
    expect(said).to_contain_text("A pair or better against a deuce")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(said).to_contain_text("A-9-2 to A-K-J against an ace: playing is worth")
    page.keyboard.press("ArrowDown")
    expect(said).to_contain_text("less than folding")


def test_distributions_have_a_table(look: Look) -> None:
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


def test_a_wheel_and_its_bets(guest: Guests, look: Look) -> None:
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


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_page_is_for_everyone(guest: Guests, look: Look, rulebook: str) -> None:
    guest.allow("400 (Bad Request)")
    key = "bets.0.pays" if rulebook.startswith("roulette") else "limits.bonus.min"
    for theme in ("light", "dark"):
        page = look(rulebook, color_scheme=theme)
        hidden = page.get_by_role("button", name="Show as a table")
        for _ in range(hidden.count()):
            hidden.first.click()
        for summary in page.locator("summary").all():
            summary.click()
        assert axe.violations(page) == []
    page.evaluate(f"location.hash = '#/odds/{rulebook}/{key}=x'")
    expect(page.get_by_role("region", name="Changes")).to_contain_text("last good ones")


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("size", [PHONE, SMALL])
def test_nothing_goes_sideways_on_a_phone(look: Look, rulebook: str, size: dict[str, int]) -> None:
    page = look(rulebook, viewport=size)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_what_is_wrong_at_a_wheel_has_the_whole_row_of_a_phone(guest: Guests, look: Look) -> None:
    guest.allow("400 (Bad Request)")
    page = look("roulette", viewport=SMALL)
    row = page.locator('tr[data-bet="straight"]')
    row.locator("input").fill("4 to")
    wrong = page.locator("#wrong-straight")
    expect(wrong).to_have_text("Write a pay such as 4 to 1.")
    expect(row.locator("input")).to_have_accessible_description("Write a pay such as 4 to 1.")
    width = "one => one.getBoundingClientRect().width"
    assert wrong.evaluate(width) > 0.9 * row.evaluate(width)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
