"""Whole rounds of Three Card Poker in the page, as people play them."""

import re
import signal
from itertools import count
from typing import Any

import pytest
from playwright.sync_api import APIResponse, Page, Route, WebSocketRoute, expect

from tests.browser import DESKTOP, PHONE, SMALL, axe, poker
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.conftest import OpenRoom
from tests.browser.guests import MOTION, NO_CONNECTION, Guests
from tests.browser.room import LINGERING, UNHURRIED, Room
from tests.browser.ws_proxy import hold

#: The spot beside the Ante, and what one tap on each puts down.
_SIDES = {"california": "Bonus", "house": "Pair Plus"}
_WAGERS = {
    "california": {"ante": 500, "bonus": 500},
    "house": {"ante": 100, "pair_plus": 100},
}
_BOTS = {"california": 4, "house": 2}


def open_table(room: Room, game: str) -> str:
    """Open a table with bots, in California so many that one of them banks."""
    return room.open_table(game, bots=_BOTS[game], pace=UNHURRIED)


def play_round(page: Page, game: str, move: str) -> None:
    """Play a round and compare what the page says of it with the oracle."""
    poker.bet(page, "Ante", _SIDES[game])
    expect(poker.button(page, move)).to_be_visible()
    mine = poker.cards(page, "Your cards")
    assert len(mine) == 3
    assert "?" not in mine
    shown = poker.cards(page, "The dealer's cards")
    assert shown.count("?") == (2 if game == "california" else 3)
    poker.watch(page)
    poker.button(page, move).click()
    if move == "Fold":  # then the dealer's hand may stay hidden, and any will do
        expect(poker.settled(page)).to_contain_text("You folded")
        dealer = [card for card in ("2c", "3d", "5h", "7s", "9c", "Jd") if card not in mine][:3]
    else:
        lay, dealer = poker.showdown(page)
        assert lay == mine
    assert poker.net(page) == poker.expected(game, _WAGERS[game], mine, dealer, move.lower())


@pytest.mark.parametrize("game", ["california", pytest.param("house", marks=pytest.mark.full)])
def test_guest_logs_in_and_plays(guest: Guests, room: Room, game: str) -> None:
    table = open_table(room, game)
    page = guest(None, **MOTION)
    page.get_by_label("Your name at the tables").fill("Ann")
    page.get_by_role("button", name="Enter").click()
    page.get_by_role("link", name=re.compile(rf"^{table}\b", re.IGNORECASE)).click()
    poker.sit(page)
    play_round(page, game, "Play")
    play_round(page, game, "Fold")
    # Rebet puts down what was put down last, also after a reload.
    poker.until_bets(page)
    page.reload()
    poker.until_bets(page)
    poker.button(page, "Rebet").click()
    costs = r"^Bet \$\d+\.00( \+ \$1\.00 fee)?\. Playing costs \$[15]\.00 more\.$"
    expect(page.get_by_text(re.compile(costs))).to_be_visible()
    poker.button(page, "Clear").click()
    expect(poker.button(page, "Deal me in")).to_be_disabled()
    poker.button(page, "Leave").click()
    expect(poker.button(page, "Sit")).to_be_visible()


@pytest.mark.full
def test_login_at_a_table_link_allows_sitting(guest: Guests, room: Room) -> None:
    """The table opens before the name is in, and what the room said to nobody comes after it."""
    table = open_table(room, "house")
    page = guest(None)
    coming: list[Route] = []
    looks: list[tuple[Route, APIResponse]] = []
    page.route("**/api/guests", lambda route: coming.append(route))  # noqa: PLW0108 (Playwright marks it)
    field = page.get_by_label("Your name at the tables")
    field.fill("Ann")
    page.get_by_role("button", name="Enter").click()
    page.route("**/api/room", lambda route: looks.append((route, route.fetch())))
    page.get_by_role("link", name=re.compile(rf"^{table}\b", re.IGNORECASE)).click()
    expect(page.get_by_role("list", name="Seats")).to_be_visible()
    while not looks:
        page.wait_for_timeout(50)
    page.unroute("**/api/room")
    coming[0].continue_()
    expect(field).to_be_hidden()
    for route, answer in looks:
        route.fulfill(response=answer)
    poker.sit(page)
    play_round(page, "house", "Fold")


def test_sit_finds_another_seat_if_one_is_taken(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page, table = guest("Ann", None), room.open_table("house")
    release = hold(page, table, "sit")
    expect(poker.button(page, "Sit")).to_be_visible()
    places = page.locator(".arc li").count()
    poker.button(page, "Sit").click()
    companions.do(companions.arrive(room, table, "Ben").sit((places + 1) // 2))
    release()
    expect(poker.button(page, "Leave")).to_be_visible()
    expect(page.get_by_text("is taken")).to_have_count(0)


def test_each_amount_has_a_reason_and_a_clause(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{open_table(room, 'california')}")
    poker.sit(page)
    poker.bet(page, "Ante")
    poker.button(page, "Fold").click()
    row = poker.settled(page)
    expect(row).to_contain_text("You folded. Ante loses $5.00.")
    row.get_by_role("button", name="CA-13").click()
    expect(row).to_contain_text("fold")


def test_bank_a_table_against_nine_bots(guest: Guests) -> None:
    page = guest("Ann")
    page.get_by_role("button", name="Open your own table").click()
    page.get_by_role("spinbutton", name="Bots").fill("9")
    page.get_by_label("Bots never bank").check()
    page.get_by_label("Pace").select_option("quick")
    page.get_by_role("button", name="Open the table").click()
    poker.sit(page)
    bank = poker.button(page, "Take the bank")
    expect(bank).to_be_visible()
    page.get_by_label("Put up").fill("300")
    page.get_by_label("Put up").press("Tab")
    bank.click()
    expect(page.get_by_text("You bank with $300.00.").first).to_be_attached()
    mine = poker.settled(page)
    expect(mine).to_contain_text("banked $300")
    rows = poker.last_hand(page).get_by_role("listitem").all()
    results = [row.locator("strong.money") for row in rows]
    nets = [poker.cents(result.inner_text()) for result in results]
    fees = [int(result.get_attribute("data-fee") or 0) for result in results]
    assert len(nets) == 10
    assert min(fees) > 0
    assert sum(nets) + sum(fees) == 0, "what the banker gains, the players lose"


# Two browsers


class Frames:
    """Everything a page was sent over its sockets, and every card it ever drew."""

    def __init__(self, page: Page) -> None:
        self.page, self.texts = page, list[str]()
        page.on("websocket", lambda socket: socket.on("framereceived", self._take))
        page.add_init_script(
            """window.drawn = {}; const look = () => {
                for (const card of document.querySelectorAll('svg[role=img]'))
                    if (/ of /.test(card.ariaLabel)) drawn[card.ariaLabel] ??= performance.now();
                requestAnimationFrame(look); }; requestAnimationFrame(look);"""
        )

    def _take(self, text: Any) -> None:
        self.texts.append(str(text))

    def drawn(self) -> set[str]:
        """Return every card that was in any frame the page drew, as ``Qs``."""
        labels = self.page.evaluate("Object.keys(window.drawn)")
        return {poker.card_of(label) for label in labels}


def cards_sent(texts: list[str]) -> set[str]:
    """Return every card in any message, by whatever key: lists of numbers from 0 to 51."""
    cards: set[str] = set()
    for text in texts:
        for key, listed in re.findall(r'"(\w*cards|dealer)":\[([\d,null]*)\]', text):
            assert key
            cards |= {_named(int(card)) for card in listed.split(",") if card.isdigit()}
    return cards


def _named(card: int) -> str:
    return "23456789TJQKA"[card >> 2] + "cdhs"[card & 3]


def test_players_do_not_see_each_others_cards(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=LINGERING)
    pages = [guest(name, None, **MOTION) for name in ("Ann", "Ben")]
    frames = [Frames(page) for page in pages]
    for page in pages:
        page.goto(f"/#/table/{table}")
        poker.sit(page)
    for page in pages:
        poker.bet(page, "Ante")
    hands = []
    for page in pages:
        expect(poker.button(page, "Play")).to_be_visible()
        hands.append(set(poker.cards(page, "Your cards")))
    assert not hands[0] & hands[1]
    poker.button(pages[0], "Fold").click()
    expect(poker.button(pages[0], "Fold")).to_be_hidden()
    poker.button(pages[1], "Fold").click()
    for page, seen, own in zip(pages, frames, hands, strict=True):
        expect(poker.settled(page)).to_contain_text("You folded")
        for known in (cards_sent(seen.texts), seen.drawn()):
            assert own <= known, "what one may see was noticed"
            assert known - own <= dealers(page)


def dealers(page: Page) -> set[str]:
    return set(poker.cards(page, "The dealer's cards"))


def test_leaked_cards_would_be_detected(guest: Guests, room: Room) -> None:
    """The control: another's cards in a message, or drawn for one frame only, are noticed."""
    page = guest("Ann", None)
    seen = Frames(page)
    page.goto(f"/#/table/{room.open_table('house')}")
    expect(poker.button(page, "Sit")).to_be_visible()
    page.evaluate(
        """() => new Promise((done) => { const card = document.createElementNS(
            "http://www.w3.org/2000/svg", "svg"); card.role = "img"; card.ariaLabel =
            "ace of spades"; document.body.append(card);
            requestAnimationFrame(() => requestAnimationFrame(() => { card.remove(); done(); }));
        })"""
    )
    assert "As" in seen.drawn()
    assert cards_sent(['{"hands":[{"place":2,"cards":[0,5,51]}]}']) == {"2c", "3d", "As"}


# The room goes and comes back


@pytest.mark.full
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_page_survives_a_server_kill_during_a_decision(
    guest: Guests, open_room: OpenRoom, how: signal.Signals
) -> None:
    room = open_room()
    guest.allow(*NO_CONNECTION, "ERR_", "WebSocket")
    table = room.open_table("house", pace=UNHURRIED)
    page = guest("Ann", f"/#/table/{table}", room=room, **MOTION)
    page.get_by_role("button", name="Turn off").click()  # the coach, who needs another process
    poker.sit(page)
    poker.bet(page, "Ante", "Pair Plus")
    expect(poker.button(page, "Play")).to_be_visible()
    mine = poker.cards(page, "Your cards")
    page.evaluate("window.neverReloaded = true")
    room.end(how)
    kept = page.get_by_text("Connection lost. Reconnecting… Your seat and bets are safe.")
    expect(kept.last).to_be_visible()
    # What is pressed while nobody hears it is heard once somebody does.
    poker.watch(page)
    poker.button(page, "Play").click()
    room.start()
    lay, dealer = poker.showdown(page)
    expect(kept).to_have_count(0)
    assert lay == mine
    assert poker.net(page) == poker.expected("house", _WAGERS["house"], mine, dealer, "play")
    assert page.evaluate("window.neverReloaded") is True


# By keyboard, and for everybody


def press_until(page: Page, name: str, key: str = "Tab") -> None:
    """Go on by keyboard until a control of that name has the focus."""
    for _ in range(80):
        focused = page.evaluate(
            "() => document.activeElement?.ariaLabel ?? document.activeElement?.innerText"
        )
        if (focused or "").split("\n")[0].strip() == name:
            return
        page.keyboard.press(key)
    raise AssertionError(f"{name} cannot be reached by keyboard")


def test_round_works_by_keyboard(guest: Guests, room: Room) -> None:
    table = open_table(room, "house")
    page = guest("Ann", "/")
    expect(page.get_by_role("link", name=re.compile(rf"^{table}\b", re.IGNORECASE))).to_be_visible()
    press_until(page, table.title())
    page.keyboard.press("Enter")
    expect(poker.button(page, "Sit")).to_be_visible()
    press_until(page, "Sit")
    page.keyboard.press("Enter")
    expect(poker.button(page, "Deal me in")).to_be_visible()
    for name in ("Ante", "Pair Plus", "Deal me in"):
        press_until(page, name)
        page.keyboard.press("Enter")
    expect(poker.button(page, "Play")).to_be_visible()
    press_until(page, "Play")
    page.keyboard.press("Space")
    expect(poker.settled(page)).to_be_visible()
    hears(page, re.compile("You won|You lost|You broke even|You're down"))


@pytest.mark.parametrize(
    ("game", "viewport"),
    [
        pytest.param("california", DESKTOP, id="california-desktop"),
        pytest.param("california", PHONE, marks=pytest.mark.night, id="california-phone"),
        pytest.param("california", SMALL, marks=pytest.mark.full, id="california-small"),
        pytest.param("house", DESKTOP, marks=pytest.mark.full, id="house-desktop"),
    ],
)
def test_table_is_accessible(
    guest: Guests, room: Room, game: str, viewport: dict[str, int]
) -> None:
    """Axe at each moment of a round; and nothing is wider than the screen."""
    path = f"/#/table/{open_table(room, game)}"
    page = guest("Ann", path, viewport=viewport)
    moments = count(1)

    def look() -> None:
        violations = axe.violations(page)
        assert violations == [], f"moment {next(moments)}"
        wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0

    expect(poker.button(page, "Sit")).to_be_visible()
    look()
    poker.sit(page)
    poker.until_bets(page)
    look()
    poker.bet(page, "Ante")
    expect(poker.button(page, "Play")).to_be_visible()
    look()
    poker.button(page, "Play").click()
    expect(poker.settled(page)).to_be_visible()
    for summary in page.locator("aside summary").all():
        summary.press("Enter")
    look()


def test_reduced_motion_shows_no_motion(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=LINGERING)
    page = guest("Ann", f"/#/table/{table}", reduced_motion="reduce")
    poker.sit(page)
    poker.bet(page, "Ante")
    poker.button(page, "Play").click()
    expect(page.get_by_text(re.compile("^You('re down| won| lost| broke even)"))).to_be_visible()


def test_missing_table_shows_an_error(guest: Guests) -> None:
    guest.allow("404", "WebSocket")
    page = guest("Ann", "/#/table/nowhere")
    expect(page.locator("main").get_by_text("There is no table 'nowhere'")).to_be_visible()
    hears(page, "There is no table 'nowhere'")


def test_refusals_are_shown_and_lose_nothing(guest: Guests, room: Room) -> None:
    """Between page and room a wager is made too small: the chips stay where they lie."""
    page = guest("Ann", None)

    def change_stakes(ws: WebSocketRoute) -> None:
        server = ws.connect_to_server()
        ws.on_message(lambda text: server.send(str(text).replace('"cents":500', '"cents":3')))

    page.route_web_socket(re.compile("socket"), change_stakes)
    page.goto(f"/#/table/{open_table(room, 'california')}")
    poker.sit(page)
    poker.bet(page, "Ante")
    alert = page.get_by_role("alert").filter(has_text=re.compile("Ante", re.IGNORECASE))
    expect(alert.first).to_be_visible()
    expect(page.get_by_text("Ante $5", exact=True)).to_be_visible()
    expect(poker.button(page, "Deal me in")).to_be_enabled()


def test_cleared_bet_is_not_placed(guest: Guests, companions: Companions, room: Room) -> None:
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}")
    poker.sit(page)
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(7))
    poker.bet(page, "Ante")
    expect(poker.button(page, "Deal me in")).to_be_hidden()
    poker.button(page, "Clear").click()
    expect(poker.button(page, "Deal me in")).to_be_disabled()
    companions.do(ben.bet({"ante": 100}, ready=False))

    def who_bets() -> list[int]:
        return [hand["place"] for hand in ben.view["round"]["hands"] if hand["wagers"]]

    companions.do(ben.until(lambda: who_bets() == [7]))
