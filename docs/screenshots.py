"""Take pictures of every screen of the page, in its states.

    python docs/screenshots.py [NAME ...]

Each is taken in a real room of its own, played into the state by the same helpers that the tests
use, and written to `docs/page/NAME-desktop.jpg` and `NAME-phone.jpg`.
"""

import re
import signal
import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import DESKTOP, PHONE, chromium, poker  # noqa: E402
from tests.browser.desk_page import DeskPage  # noqa: E402
from tests.browser.guests import Guests  # noqa: E402
from tests.browser.panels import unfold  # noqa: E402
from tests.browser.shift import Shift  # noqa: E402
from tests.browser.trainer_page import Trainee  # noqa: E402
from tests.server.running_server import RunningServer  # noqa: E402
from tests.trainer_rounds import ASKS, answers  # noqa: E402

#: Bots take no time, people as much as they like.
UNHURRIED = {"pause": 1_000, "offer": 60_000, "bets": 60_000, "moves": 60_000}
SHOTS = ROOT / "docs" / "page"
#: What a dealer enters at the settlement desk.
DESK_HAND: dict[str, Any] = {
    "dealer": "Kh Qs 4d",
    "bank": 5_000,
    "first": 3,
    "seats": [
        {"seat": 3, "cards": "5d 8h 6d", "ante": 1_000, "move": "play"},
        {"seat": 5, "cards": "4s 8c 4h", "ante": 1_000, "bonus": 500, "move": "play"},
        {"seat": 1, "cards": "Ah Kd Js", "ante": 2_000, "move": "play"},
        {"seat": 2, "cards": "2h 7d 9s", "ante": 500, "move": "fold"},
    ],
}
LOOKS: dict[str, dict[str, Any]] = {
    "desktop": {"viewport": DESKTOP},
    "phone": {"viewport": PHONE, "has_touch": True},
}


class Stage:
    """Where a picture is taken: rooms, guests and others, all gone afterwards."""

    def __init__(self, browser: Browser, look: dict[str, Any]) -> None:
        self._browser, self._look = browser, look
        self._done = ExitStack()
        self._folder = Path(self._done.enter_context(tempfile.TemporaryDirectory()))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *args: object) -> None:
        self._done.close()

    def open(self, **wanted: Any) -> RunningServer:
        """Open the room, as `RunningServer` does; with nothing said it has the standing tables.

        Its staff has been there for two days.
        """
        room = self._done.enter_context(
            RunningServer(self._folder / "room.db", hired_ago=48, **wanted)
        )
        self.room = room
        self._guests = Guests(self._browser, room)
        self._done.callback(self._guests.leave)
        return room

    def shift(self) -> Shift:
        """Bring the staff in."""
        shift = Shift(self.room, self._guests)
        self._done.callback(shift.close)
        return shift

    def floor(self, shift: Shift, name: str, path: str = "", *, light: bool = False) -> Page:
        """Return the floor's page of a member of the staff, as the picture wants it."""
        scheme = "light" if light else "dark"
        return shift.page(name, path, color_scheme=scheme, **self._look)

    def guest(self, name: str | None, path: str = "/", *, light: bool = False) -> Page:
        """Return the page of a guest, or of nobody, as the picture wants it."""
        scheme = "light" if light else "dark"
        return self._guests(name, path, color_scheme=scheme, **self._look)


def lobby(stage: Stage) -> Page:
    """Show the lobby as a guest sees it."""
    stage.open()
    page = stage.guest("Ann")
    page.get_by_role("heading", name="california").first.wait_for()
    return page


def door(stage: Stage) -> Page:
    """Show the lobby to a visitor without a name."""
    stage.open()
    page = stage.guest(None)
    page.get_by_role("heading", name="california").first.wait_for()
    return page


def own_table(stage: Stage) -> Page:
    """Open a table of the guest's own."""
    page = lobby(stage)
    page.get_by_role("button", name="Open your own table").click()
    page.get_by_label("Bots never bank").check()
    return page


def seated(stage: Stage, table: str, *, bots: int = 6, light: bool = False) -> Page:
    """Sit down at a table where bots play and nobody is hurried."""
    spec = {"name": table, "rulebook": table, "bots": bots, "pace": "quick"}
    stage.open(standing=[spec], paces={"quick": UNHURRIED})
    page = stage.guest("Ann", f"/#/table/{table}", light=light)
    poker.sit(page)
    return page


def bets(stage: Stage, table: str = "california", *, light: bool = False) -> Page:
    """Put chips on the felt."""
    page = seated(stage, table, light=light)
    poker.until_bets(page)
    poker.button(page, "Ante").click()
    poker.button(page, "Bonus" if table == "california" else "Pair Plus").click()
    page.wait_for_timeout(600)  # until the others have bet
    return page


def decision(stage: Stage, table: str = "california", *, light: bool = False) -> Page:
    """Have cards, and decide."""
    page = bets(stage, table, light=light)
    poker.button(page, "Deal me in").click()
    page.get_by_text("You have").first.wait_for()
    return page


def settlement(stage: Stage) -> Page:
    """Settle a round, seat by seat, and show what it came to."""
    page = decision(stage)
    poker.button(page, "Play").click()
    page.locator("[data-verdict]").wait_for()
    page.evaluate("scrollTo(0, 0)")
    return page


def lesson(stage: Stage) -> Page:
    """Decide on the first guided hand."""
    stage.open()
    page = stage.guest(None, "/#/learn", light=True)
    for name in ("Next", "Ante", "Pair Plus", "Deal me in"):
        poker.button(page, name).click()
    page.get_by_text("You have a pair").first.wait_for()
    page.wait_for_timeout(600)
    return page


def house(stage: Stage) -> Page:
    """Decide at the house's table, in daylight."""
    return decision(stage, "house", light=True)


def coach(stage: Stage) -> Page:
    """Read what both choices were worth."""
    page = decision(stage, "house")
    poker.button(page, "Play").click()
    coach = page.get_by_role("region", name="Coach")
    coach.get_by_text("on average").first.wait_for()
    page.wait_for_timeout(2_500)
    coach.scroll_into_view_if_needed()
    return page


def offer(stage: Stage) -> Page:
    """Be offered the bank of a table with nine bots."""
    spec = {"name": "nine", "rulebook": "california", "bots": 9, "bots_bank": False}
    standing = [{**spec, "pace": "quick"}]
    stage.open(standing=standing, paces={"quick": UNHURRIED}, bots_think=[0.2, 0.4])
    page = stage.guest("Ann", "/#/table/nine")
    poker.sit(page)
    poker.button(page, "Take the bank").wait_for()
    return page


def bank(stage: Stage, amount: str = "500") -> Page:
    """Bank nine bots, half of which are paid."""
    page = offer(stage)
    page.get_by_label("Put up").fill(amount)
    page.get_by_label("Put up").press("Tab")
    poker.watch(page)
    poker.button(page, "Take the bank").click()
    poker.showdown(page)
    page.wait_for_timeout(1_200)
    page.evaluate("scrollTo(0, 0)")
    return page


def bank_used_up(stage: Stage) -> Page:
    """Bank nine bots with so little that wagers come back."""
    page = bank(stage, "40")
    page.locator("[data-verdict]").wait_for()
    return page


def bank_tab(stage: Stage) -> Page:
    """Read what a bank that can run out earns and risks."""
    stage.open()
    page = stage.guest("Ann", "/#/odds/california")
    page.get_by_role("tab", name="Bank").click()
    page.get_by_label("Your bank").fill("50")
    page.get_by_text("A sample of").wait_for(timeout=120_000)
    page.wait_for_timeout(800)
    return page


def reconnecting(stage: Stage) -> Page:
    """Lose the connection in the middle of a decision."""
    page = decision(stage)
    stage.room.end(signal.SIGTERM)
    page.get_by_text("Connection lost.").first.wait_for()
    return page


def wheel(stage: Stage, *, light: bool = False) -> Page:
    """Bet on numbers, lines, corners and colours."""
    spec = {"name": "roulette", "rulebook": "roulette", "bots": 3, "pace": "quick"}
    stage.open(standing=[spec], paces={"quick": UNHURRIED})
    page = stage.guest("Ann", "/#/table/roulette", light=light)
    poker.sit(page)
    page.get_by_role("button", name="Spin", exact=True).wait_for()
    page.wait_for_timeout(700)
    for spot in ("straight 17", "split 8 11", "corner 25 26 28 29", "street 1 2 3", "red"):
        page.locator(f'[data-spot="{spot}"]').first.click(force=True)
    return page


def wheel_result(stage: Stage) -> Page:
    """See where the ball lies, and what it pays."""
    page = wheel(stage, light=True)
    page.get_by_role("button", name="Spin", exact=True).click()
    page.get_by_text(re.compile("^You (won|lost|broke even)")).first.wait_for()
    return page


def fairness(stage: Stage) -> Page:
    """Prove a round in the browser."""
    page = settlement(stage)
    panel = unfold(page, "Provably fair")
    page.get_by_role("button", name="Verify round 1", exact=True).click()
    page.get_by_text("The values").wait_for()
    panel.evaluate("it => it.scrollIntoView()")
    return page


def played(stage: Stage) -> Page:
    """Play a few rounds; return the page at the table."""
    page = seated(stage, "house", bots=2)
    for move in ("Play", "Fold", "Play", "Play"):
        poker.bet(page, "Ante", "Pair Plus")
        poker.button(page, move).click()
    poker.until_bets(page)
    return page


def history(stage: Stage) -> Page:
    """Look at the guest's own rounds."""
    page = played(stage)
    page.get_by_role("link", name="History").click()
    page.get_by_role("button", name=re.compile("^Replay")).first.wait_for()
    return page


def replay(stage: Stage) -> Page:
    """Go through a round step by step."""
    page = history(stage)
    page.get_by_role("button", name=re.compile("^Replay")).first.click()
    page.get_by_role("button", name="Last", exact=True).click()
    return page


def odds(stage: Stage) -> Page:
    """Change a pay and read the new exact edge."""
    stage.open()
    page = stage.guest("Ann", "/#/odds/california")
    flush = page.get_by_label("Flush", exact=True).first
    flush.wait_for()
    page.wait_for_timeout(1_500)
    flush.fill("4 to 1")
    page.wait_for_timeout(800)
    return page


def rule_card(stage: Stage) -> Page:
    """Show the rule card of a table with house rules; on a wide screen as it is printed."""
    page = house_rules(stage)
    page.goto("/#/table/evening/card")
    page.get_by_text("Document digest").wait_for()
    size = page.viewport_size
    if size is not None and size["width"] == DESKTOP["width"]:
        page.emulate_media(media="print")
        page.set_viewport_size({"width": 794, "height": 1123})  # A4
        page.locator("article").evaluate("it => (it.style.padding = '13mm')")  # the margins
    return page


def sheets(stage: Stage) -> Page:
    """Look at the fee sign of a table with fees of its own."""
    changes = {"fees.rates.0.player": 150}
    spec = {"name": "evening", "rulebook": "california", "bots": 4, "set": changes}
    stage.open(standing=[{**spec, "pace": "quick"}], paces={"quick": UNHURRIED})
    page = stage.guest("Ann", "/#/sheets/table/evening/fees")
    page.get_by_role("article").wait_for()
    return page


def house_rules(stage: Stage) -> Page:
    """Read what differs at a table with house rules, and its edge."""
    changes = {"tie": "lose", "up": 0, "bonus.pays.flush": "4 to 1", "fees.fee_per": "wager"}
    spec = {"name": "evening", "rulebook": "california", "bots": 4, "set": changes}
    stage.open(standing=[{**spec, "pace": "quick"}], paces={"quick": UNHURRIED})
    page = stage.guest("Ann", "/#/table/evening")
    page.get_by_role("button", name="House rules differ").click()
    page.get_by_text("Edge here").wait_for()
    return page


def chart(stage: Stage) -> Page:
    """Read best play by hand and up card, in daylight."""
    stage.open()
    page = stage.guest("Ann", "/#/odds/california", light=True)
    page.get_by_role("heading", name="Best strategy").scroll_into_view_if_needed()
    page.wait_for_timeout(2_500)
    page.get_by_role("heading", name="Best strategy").evaluate("it => it.scrollIntoView()")
    return page


def drill(stage: Stage) -> Page:
    """Decide on a hard hand, and read what both choices were worth."""
    stage.open()
    page = stage.guest("Ann", "/#/drill/california")
    page.get_by_role("button", name="Fold", exact=True).click()
    page.get_by_role("button", name="Next hand").wait_for()
    return page


def trainer(stage: Stage) -> Page:
    """Answer for a few seats of a bank that runs out."""
    stage.open()
    page = stage.guest("Ann", "/#/trainer/5/picture", light=True)
    page.locator(".ask").wait_for()
    trainee = Trainee(page)
    line = trainee.line()
    for answer in answers("california", line, ASKS[5])[:5]:
        trainee.give(answer)
    return page


def shift_under_way(stage: Stage) -> Shift:
    """Run a shift: rounds at three tables, a correction that waits, a table that is paused."""
    spec = {"name": "california", "rulebook": "california", "bots": 5, "pace": "quick"}
    changed = {"irregularities.exposed_player": "void_hand"}
    house = {"name": "house", "rulebook": "house", "bots": 3, "pace": "quick"}
    wheel = {"name": "roulette", "rulebook": "roulette", "bots": 2, "pace": "quick"}
    standing = [{**spec, "set": changed}, house, wheel]
    stage.open(standing=standing, paces={"quick": UNHURRIED}, bots_think=[0, 0.01])
    shift = stage.shift()
    players = {"california": stage.guest("Nora", "/#/table/california")}
    players["house"] = stage.guest("Liam", "/#/table/house")
    for table, rounds in (("house", 2), ("california", 4)):
        poker.sit(players[table])
        for _ in range(rounds):
            poker.bet(players[table], "Ante")
            poker.button(players[table], "Play").click()
            poker.until_bets(players[table])
    shift.do("Frank", "notices", text="Dinner at nine: tables pause for ten minutes", reason="menu")
    shift.do("Fay", "tables/house/disable", reason="A new deck of rules")
    facts = {"void": True}
    reason = "The bets of two players were swapped on the screen"
    shift.do("Carl", "tables/california/corrections", round=2, facts=facts, reason=reason)
    poker.bet(players["california"], "Ante", "Bonus")
    players["california"].get_by_text("You have").first.wait_for()
    return shift


def floor_tables(stage: Stage) -> Page:
    """See every table at a glance, and what needs a look."""
    page = stage.floor(shift_under_way(stage), "Frank")
    page.get_by_role("link", name="california").wait_for()
    return page


def floor_ruling(stage: Stage) -> Page:
    """See what follows from a ruling, before it is made."""
    page = stage.floor(shift_under_way(stage), "Frank", "tables/california/rulings", light=True)
    page.get_by_role("button", name="Rule on an irregularity").click()
    page.get_by_role("radio", name="A player's card was exposed").check()
    page.get_by_label("Whose hand?").select_option(index=1)
    page.get_by_role("table", name="See what follows").wait_for()
    return page


def floor_correction(stage: Stage) -> Page:
    """See what a correction would move, before it is approved."""
    page = stage.floor(shift_under_way(stage), "Frank", "corrections")
    page.get_by_role("button", name="See what would move").click()
    page.get_by_role("table", name="What would move").wait_for()
    return page


def floor_report(stage: Stage) -> Page:
    """Read fees by banker and player, with their plot."""
    shift = shift_under_way(stage)
    page = stage.floor(shift, "Frank", "reports/collection/by%3Dtable%2Cpayer", light=True)
    page.get_by_role("table", name="Figures").wait_for()
    page.get_by_role("heading", name="Reports").wait_for()
    return page


def settlement_desk(stage: Stage) -> Page:
    """Settle a hand of real cards whose bank runs out."""
    stage.open()
    page = stage.guest(None, "/#/settle", light=True)
    is_phone = page.viewport_size == PHONE
    DeskPage(page, is_narrow=is_phone).enter(DESK_HAND)
    top = "[aria-label=Payouts]" if is_phone else "h1"
    page.locator(top).evaluate("it => it.scrollIntoView()")
    return page


def floor_staff(stage: Stage) -> Page:
    """Read who is on the staff and what each may do."""
    page = stage.floor(shift_under_way(stage), "Olga", "staff")
    page.get_by_role("button", name="Add", exact=True).wait_for()
    return page


#: Every picture: what it is called, and what brings a page there.
SCREENS: dict[str, Callable[[Stage], Page]] = {
    "door": door,
    "lobby": lobby,
    "own-table": own_table,
    "lesson": lesson,
    "california-bets": bets,
    "california-decision": decision,
    "california-settlement": settlement,
    "california-offer": offer,
    "california-bank": bank,
    "california-bank-used-up": bank_used_up,
    "house": house,
    "coach": coach,
    "reconnecting": reconnecting,
    "roulette-bets": wheel,
    "roulette-result": wheel_result,
    "fairness": fairness,
    "house-rules": house_rules,
    "rule-card": rule_card,
    "sheets": sheets,
    "history": history,
    "replay": replay,
    "odds": odds,
    "bank": bank_tab,
    "strategy": chart,
    "drill": drill,
    "trainer": trainer,
    "floor": floor_tables,
    "floor-ruling": floor_ruling,
    "floor-correction": floor_correction,
    "floor-report": floor_report,
    "floor-staff": floor_staff,
    "desk": settlement_desk,
}


def take(browser: Browser, name: str, bring: Callable[[Stage], Page], look: str) -> None:
    """Take one picture, and say how large it is."""
    file = SHOTS / f"{name}-{look}.jpg"
    with Stage(browser, LOOKS[look]) as stage:
        page = bring(stage)
        page.wait_for_timeout(400)
        page.screenshot(path=file, animations="disabled", type="jpeg", quality=85)
    print(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1000:.0f} kB")


def main(wanted: list[str]) -> None:
    """Take the pictures that are wanted; all of them, if none is named."""
    executable = chromium.find()
    unknown = set(wanted) - set(SCREENS)
    if executable is None:
        sys.exit(chromium.MISSING)
    if unknown:
        sys.exit(f"There is no screen {', '.join(sorted(unknown))}.")
    SHOTS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=executable, args=chromium.OPTIONS)
        for name, bring in SCREENS.items():
            if not wanted or name in wanted:
                for look in LOOKS:
                    take(browser, name, bring, look)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
