"""How the page treats visitors who come, stay and go: what it says, and where the keyboard is."""

import re

import pytest
from playwright.sync_api import Page, Route, WebSocketRoute, expect

from tests.browser import PHONE, SMALL, axe, poker
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.conftest import OpenRoom
from tests.browser.guests import NO_CONNECTION, Guests
from tests.browser.room import UNHURRIED, Room
from tests.browser.rounds import cookie_of


def sideways(page: Page) -> int:
    wide: int = page.evaluate("document.documentElement.scrollWidth - innerWidth")
    return wide


def test_login_is_welcomed(guest: Guests) -> None:
    page = guest(None)
    name = page.get_by_label("Your name at the tables")
    name.fill("?!")
    guest.allow("400 (Bad Request)")
    name.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(re.compile(r"^A name needs .* between them\.$"))
    name.fill("Ann")
    name.press("Enter")
    hears(page, re.compile(r"Welcome, Ann( \d+)?\. You have \$5,000\.00\."))
    expect(page.locator("#main")).to_be_focused()


def test_menu_returns_keyboard_focus(guest: Guests) -> None:
    page = guest("Ann")
    opener, menu = page.get_by_label("Settings"), page.get_by_role("combobox", name="Deck")
    opener.press("Enter")
    menu.focus()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()
    expect(opener).to_be_focused()
    opener.press("Enter")
    page.get_by_role("button", name="Open your own table").focus()
    expect(menu).to_be_hidden()


def test_guest_confirms_before_losing_the_name(guest: Guests) -> None:
    page = guest("Ann")
    name = guest.name_of(page)
    guest.allow("401 (Unauthorized)")
    page.get_by_label("Settings").click()
    page.get_by_role("button", name="Log out", exact=True).click()
    warning = f"You haven't set a password. If you log out, {name} and $5,000.00 are gone for good."
    expect(page.get_by_role("alert")).to_have_text(warning)
    page.keyboard.press("Escape")
    expect(page.get_by_text(name, exact=True)).to_be_visible()
    page.get_by_label("Settings").click()
    page.get_by_role("button", name="Log out", exact=True).click()
    page.get_by_role("button", name="Log out anyway").click()
    expect(page.get_by_label("Your name at the tables")).to_be_visible()


def test_failed_logout_shows_an_error(guest: Guests) -> None:
    page = guest("Ann")
    guest.allow("ERR_FAILED")
    page.route("**/api/sessions", lambda route: route.abort())
    page.get_by_label("Settings").click()
    page.get_by_role("button", name="Log out", exact=True).click()
    page.get_by_role("button", name="Log out anyway").click()
    expect(page.get_by_text("Can't reach the server. You're still logged in.")).to_be_visible()
    page.unroute("**/api/sessions")
    guest.allow("401 (Unauthorized)")
    page.get_by_role("button", name="Log out anyway").click()
    expect(page.get_by_label("Your name at the tables")).to_be_visible()


def test_invalid_name_shows_an_error(guest: Guests) -> None:
    page = guest("Ann")
    guest.allow("422 (Unprocessable")
    page.get_by_role("button", name="Open your own table").click()
    page.get_by_label("Name", exact=True).fill("Bob & Co / table")
    page.get_by_role("button", name="Open the table").click()
    text = "A table name needs 1 to 40 letters and digits, with spaces, dots, ' or - between them."
    expect(page.get_by_role("alert")).to_have_text(text)


def test_longest_name_fits_a_phone(guest: Guests, room: Room) -> None:
    name = room.open_table("house", name="W" * 40)
    page = guest("Ann", viewport=PHONE)
    expect(page.get_by_role("heading", name=name)).to_be_visible()
    assert sideways(page) <= 0
    page.get_by_role("link", name=re.compile(name)).click()
    expect(page.get_by_role("button", name="Sit", exact=True).first).to_be_visible()
    assert sideways(page) <= 0


@pytest.mark.parametrize(
    ("cents", "text"),
    [
        pytest.param(500_000, "$5,000.00", marks=pytest.mark.full),
        (123_456_700, "$1,234,567.00"),
    ],
)
def test_balance_is_visible_on_the_smallest_phone(guest: Guests, cents: int, text: str) -> None:
    def tell(route: Route) -> None:
        route.fulfill(json={**route.fetch().json(), "wallet": cents})

    page = guest("Ann", viewport=SMALL)
    page.route("**/api/me", tell)
    page.reload()
    banner = page.get_by_role("banner")
    expect(banner.get_by_text(text)).to_be_in_viewport(ratio=1)
    assert sideways(page) <= 0
    over = banner.locator("nav a, .money, summary").evaluate_all(
        """all => all.flatMap((one) => all.filter((other) => {
          const [a, b] = [one, other].map((each) => each.getBoundingClientRect());
          const beside = a.right <= b.left || b.right <= a.left;
          return one !== other && !beside && a.bottom > b.top && b.bottom > a.top;
        })).length"""
    )
    assert over == 0, "nothing lies over anything else"


def test_same_message_is_announced_again(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('roulette')}")
    page.get_by_role("button", name="Sit", exact=True).click()
    expect(page.get_by_text("Bets are open. Choose a chip")).to_be_visible()
    for times in (1, 2, 3):
        page.get_by_role("button", name=re.compile("^Red,")).press("Enter")
        page.get_by_role("button", name="Undo", exact=True).click()
        hears(page, "Undone. $0.00 in total.", times)


@pytest.mark.full
@pytest.mark.parametrize("sits", [True, False])
def test_lost_connection_stays_visible(guest: Guests, open_room: OpenRoom, sits: bool) -> None:
    room = open_room()
    guest.allow(*NO_CONNECTION, "ERR_", "WebSocket")
    path = f"/#/table/{room.open_table('house', pace=UNHURRIED)}"
    page = guest("Ann", path, room=room, viewport=PHONE)
    if sits:
        page.get_by_role("button", name="Sit", exact=True).first.click()
        expect(page.get_by_role("button", name="Leave", exact=True)).to_be_visible()
    else:
        expect(page.get_by_role("button", name="Sit", exact=True).first).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    room.end(9)
    gone = page.locator("p.status", has_text="Connection lost.")
    expect(gone).to_be_in_viewport()
    expect(gone.filter(has_text="Your seat is safe.")).to_have_count(1 if sits else 0)
    room.start()
    expect(gone).to_be_hidden()


@pytest.mark.full
def test_closing_table_shows_only_that(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=UNHURRIED)
    page = guest("Ann", f"/#/table/{table}")
    poker.sit(page)
    poker.bet(page, "Ante")
    fold = poker.button(page, "Fold")
    expect(fold).to_be_visible()
    guest.allow("404 (Not Found)")  # the coach may ask what was right when nobody is there
    room.order(f"tables/{table}/close", reason="the night is over")
    hears(page, "This table closes after this round: the night is over.")
    fold.click()
    expect(page.get_by_text("See the tables")).to_be_visible()
    hears(page, "This table is closed: choose another in the lobby.")
    expect(page.get_by_text("This table closes after this round")).to_be_hidden()
    page.wait_for_timeout(600)  # longer than a connection may be gone unnoticed
    assert not page.evaluate("window.heard.some((one) => one.includes('Connection lost'))")


@pytest.mark.full
def test_floor_notices_are_announced_once(guest: Guests, room: Room) -> None:
    table = room.open_table("house", pace=UNHURRIED)
    page = guest("Ann", f"/#/table/{table}")
    poker.sit(page)
    poker.bet(page, "Ante")
    fold = poker.button(page, "Fold")
    expect(fold).to_be_visible()
    notice = "Free tea at nine."
    room.order("notices", text=notice, table=table)
    hears(page, notice)
    room.order(f"tables/{table}/rules", pace="slow", reason="the night is young")
    hears(page, "The rules change after this round: the night is young.")
    room.order(f"tables/{table}/disable", reason="tea")
    hears(page, "The floor has paused this table.")
    fold.click()
    expect(page.get_by_text("The rules change after this round")).to_be_hidden()
    expect(page.get_by_text(notice)).to_be_visible()
    heard = page.evaluate("window.heard.join(' ')")
    assert heard.count(notice) == 1
    assert heard.count("The floor has paused") == 1


def test_announced_fees_are_shown_until_withdrawn(guest: Guests, room: Room) -> None:
    table = room.open_table("california")
    page = guest("Ann", f"/#/table/{table}")
    room.order(f"tables/{table}/rules", set={"fees.rates.0.player": 150}, reason="dearer")
    banner = page.get_by_role("complementary", name="Announced change of fees or limits")
    expect(banner).to_contain_text(re.compile(r"\$1, banker \$2 .*→ .*\$1\.50, banker \$2"))
    expect(banner).to_contain_text(re.compile(r"in 0:\d\d"))
    hears(page, re.compile(r"Fees or limits change for rounds that start in \d\d seconds"))
    assert axe.violations(page) == []
    room.order(f"tables/{table}/rules/withdraw", reason="a mistake")
    hears(page, "The announced change of fees or limits is withdrawn.")
    expect(banner).to_be_hidden()
    assert page.evaluate("window.heard.filter((said) => said.includes('Fees')).length") == 1


def test_refused_connection_is_explained(guest: Guests, companions: Companions, room: Room) -> None:
    """A guest may have five connections."""
    guest.allow("WebSocket connection to")
    page, table = guest("Ann", None), room.open_table("house")
    for _ in range(5):
        companions.arrive(room, table, "Ann", cookie_of(page))
    page.goto(f"/#/table/{table}")
    hears(page, "Too many tabs are connected to this table.")


def test_returning_player_reads_missed_notices(guest: Guests, room: Room) -> None:
    """Nothing is asked for by the clock: what is new must come with the connection."""
    page, table = guest("Ann", None), room.open_table("house")
    page.add_init_script(
        "const real = setTimeout; window.setTimeout = (what, ms, ...more) =>"
        " ms === 15000 ? 0 : real(what, ms, ...more)"
    )
    lines: list[WebSocketRoute] = []

    def between(line: WebSocketRoute) -> None:
        if lines:
            room.order("notices", text="Free tea at nine.", table=table)
        line.connect_to_server()
        lines.append(line)

    page.route_web_socket(re.compile("socket"), between)
    page.goto(f"/#/table/{table}")
    expect(page.get_by_role("button", name="Sit", exact=True).first).to_be_visible()
    lines[-1].close()
    expect(page.locator("p.status", has_text="Free tea at nine.")).to_be_visible()


def test_invitation_works_without_a_clipboard(guest: Guests, room: Room) -> None:
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}")
    page.evaluate("document.execCommand = () => false")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.get_by_role("button", name="Invite a friend").press("Enter")
    field = page.get_by_role("textbox", name="Link to this table")
    expect(field).to_be_focused()
    expect(field).to_have_value(re.compile(f"#/table/{table}$"))
    hears(page, "Copy the link from the field.")


@pytest.mark.full
def test_invitation_opens_the_share_sheet(guest: Guests, room: Room) -> None:
    """Where it is closed again nothing else happens, where it fails the link is copied."""
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}")
    expect(page.get_by_role("list", name="Seats")).to_be_visible()
    page.evaluate(
        """() => {
            window.shared = [];
            window.failure = null;
            navigator.share = async (what) => {
                window.shared.push(what.url);
                if (window.failure) throw new DOMException("", window.failure);
            };
            document.execCommand = () => true;
        }"""
    )
    invite = page.get_by_role("button", name="Invite a friend")
    for failure in ("null", "'AbortError'"):
        page.evaluate(f"window.failure = {failure}")
        invite.press("Enter")
        expect(invite).to_be_visible()
    assert page.evaluate("window.shared.length") == 2
    assert page.evaluate("window.shared[0] === location.href")
    page.evaluate("window.failure = 'NotAllowedError'")
    invite.press("Enter")
    expect(page.get_by_role("button", name="Link copied")).to_be_visible()


@pytest.mark.full
def test_sound_has_a_switch_that_is_kept(guest: Guests) -> None:
    page = guest("Ann")
    switch = page.get_by_role("button", name="Sound", exact=True)
    expect(switch).to_have_attribute("aria-pressed", "true")
    switch.press("Enter")
    page.reload()
    expect(switch).to_have_attribute("aria-pressed", "false")
    page.get_by_label("Settings").click()
    expect(page.get_by_label("Sound and vibration")).not_to_be_checked()


@pytest.mark.full
def test_wallet_is_fetched_only_when_it_changes(guest: Guests, room: Room) -> None:
    page = guest("Ann", f"/#/table/{room.open_table('house', pace=UNHURRIED)}")
    page.get_by_role("button", name="Sit", exact=True).first.click()
    expect(page.get_by_role("button", name="Leave", exact=True)).to_be_visible()
    expect(page.locator(".who .money")).to_have_text("$4,000.00")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rpartition("/")[2]))
    page.get_by_role("button", name="Ante", exact=True).click()
    page.get_by_role("button", name="Deal me in", exact=True).click()
    page.get_by_role("button", name="Fold", exact=True).click()
    expect(page.locator("[data-verdict]")).to_be_visible()
    assert "me" not in asked
