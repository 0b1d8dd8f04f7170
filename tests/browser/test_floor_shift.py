"""A shift on the floor's page: tables, rulings, corrections, fees, a report that is signed."""

import re
import time
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import DESKTOP, PHONE, axe, poker
from tests.browser.conftest import OpenShift
from tests.browser.guests import Guests
from tests.browser.shift import Shift, confirm

pytestmark = pytest.mark.full

#: A period can be signed when it has been over for so long: everything in it is on disk.
_SETTLED_MS = 2_500


def play(page: Page, rounds: int) -> None:
    """Play some rounds to their end, and wait for the next."""
    for _ in range(rounds):
        poker.bet(page, "Ante")
        poker.button(page, "Play").click()
        poker.until_bets(page)


def own_place(shift: Shift, table: str, player: str) -> dict[str, Any]:
    """Return the place where a player sits."""
    places = shift.get("Ada", f"tables/{table}")["places"]
    return next(place for place in places if place["player"] == player)


def last_round(shift: Shift, table: str) -> dict[str, Any]:
    """Return the last round of a table, once the history has it."""
    for _ in range(100):
        rounds = shift.get("Ada", f"rounds?table={table}&limit=1")
        if rounds:
            row: dict[str, Any] = shift.get("Ada", f"rounds/{table}/{rounds[0]['round']}")
            return row
        time.sleep(0.05)
    raise AssertionError("the history has no round")


def ask(page: Page, reason: str) -> None:
    """Ask for the correction that the form shows."""
    page.get_by_role("button", name="Ask…").click()
    confirm(page, "Ask for it", reason)


def test_floor_opens_a_table_rules_and_closes(open_shift: OpenShift, guest: Guests) -> None:
    shift = open_shift()
    floor = shift.page("Frank", "open")
    floor.get_by_label("Table name").fill("evening")
    floor.get_by_label("Keys that are different").fill('exposed_player = "void_hand"')
    floor.get_by_label("Bots", exact=True).fill("4")
    floor.get_by_label("Pace").select_option("quick")
    floor.get_by_label("Reason").fill("Friday night")
    floor.get_by_role("button", name="Open the table").click()
    expect(floor.get_by_role("heading", name="Evening", exact=True)).to_be_visible()

    ann = guest("Ann", "/#/table/evening", room=shift.room)
    poker.sit(ann)
    poker.bet(ann, "Ante")
    expect(poker.button(ann, "Play")).to_be_visible()
    floor.get_by_role("button", name="Rule on an irregularity").click()
    notice = "The floor is ruling on this round. The clock is stopped."
    expect(ann.locator(".status-line")).to_have_text(notice)
    expect(ann.get_by_role("timer")).to_have_count(0)
    expect(floor.get_by_role("radio", name="A misdeal")).to_have_count(0)  # bots have decided
    floor.get_by_role("radio", name="A player's card was exposed").check()
    place = own_place(shift, "evening", guest.name_of(ann))
    floor.get_by_label("Whose hand?").select_option(str(place["place"]))
    row = floor.get_by_role("table", name="See what follows").get_by_role("row", name="Ann")
    expect(row).to_contain_text("$6.00")
    confirm(floor, "Make the ruling", "Her card fell off the table")
    expect(
        floor.get_by_role("status").filter(has_text=re.compile("Ruled in round . by IR-2"))
    ).to_be_visible()
    floor.get_by_role("link", name="Rulings").click()
    past = floor.get_by_role("table", name="Rulings at this table")
    expect(past.get_by_role("row", name="Ann")).to_contain_text("Her card fell off the table")
    after = own_place(shift, "evening", guest.name_of(ann))
    assert after["stack"] == 100_000

    poker.until_bets(ann)
    floor.get_by_role("button", name="Close").click()
    guest.allow("404 (Not Found)")  # the page asks once more
    confirm(floor, "Close the table", "The night is over")
    expect(floor.get_by_text("Closing: The night is over")).to_be_visible()
    poker.bet(ann, "Ante")  # the round that is open is played out
    poker.button(ann, "Fold").click()
    expect(floor.get_by_text("This table is closed")).to_be_visible()


def test_misdeal_before_any_move_voids_the_round(open_shift: OpenShift, guest: Guests) -> None:
    shift = open_shift()
    shift.do("Frank", "tables", name="two", rulebook="house", reason="a test")
    ann = guest("Ann", "/#/table/two", room=shift.room)
    poker.sit(ann)
    poker.bet(ann, "Ante")
    expect(poker.button(ann, "Play")).to_be_visible()
    floor = shift.page("Frank", "tables/two/rulings")
    floor.get_by_role("button", name="Rule on an irregularity").click()
    floor.get_by_role("radio", name="A misdeal").check()
    expect(floor.get_by_text("By IR-1: the round is void", exact=False).last).to_be_visible()
    confirm(floor, "Make the ruling", "Two cards stuck together")
    expect(floor.get_by_role("status").filter(has_text="by IR-1")).to_be_visible()
    assert own_place(shift, "two", guest.name_of(ann))["stack"] == 100_000


def test_correction_says_from_when_on_somebody_new_may_approve(
    open_shift: OpenShift, guest: Guests
) -> None:
    """The first owner came by the token of the first start, so all of them may be one person."""
    shift = open_shift(hired_ago=1)
    shift.do("Frank", "tables", name="two", rulebook="house", pace="slow", reason="a test")
    ann = guest("Ann", "/#/table/two", room=shift.room)
    poker.sit(ann)
    play(ann, 1)
    last_round(shift, "two")
    shift.do("Carl", "tables/two/corrections", round=1, facts={"void": True}, reason="A dispute")
    frank = shift.page("Frank", "corrections")
    waiting = frank.get_by_role("article").filter(has_text="Correction 1:")
    expect(waiting).to_contain_text("You can approve this from ")
    made = "(the command line made or changed your login|Olga made or changed both your logins)"
    expect(waiting).to_contain_text(re.compile(f"on, a day after {made}[.]"))
    expect(waiting.get_by_role("button", name="Approve")).to_have_count(0)
    refused = shift.clients["Frank"].post("/api/floor/tables/two/corrections/1/approve")
    assert refused.json()["code"] == "correction.wait"


def test_correction_takes_two_people(open_shift: OpenShift, guest: Guests) -> None:
    shift = open_shift()
    shift.do("Frank", "tables", name="two", rulebook="house", pace="slow", reason="a test")
    ann = guest("Ann", "/#/table/two", room=shift.room)
    poker.sit(ann)
    play(ann, 1)
    name = guest.name_of(ann)
    played = last_round(shift, "two")
    stack = own_place(shift, "two", name)["stack"]
    assert stack == 100_000 + played["places"][0]["net"]

    carl = shift.page("Carl", "rounds")
    carl.get_by_role("link", name="two, round 1").click()
    carl.get_by_label("Ann's move").select_option("fold")
    preview = carl.get_by_role("table", name="What would move")
    expect(preview.get_by_role("row", name="Ann")).to_be_visible()
    ask(carl, "She said fold")
    expect(carl.get_by_text("Correction 1 waits for another person.")).to_be_visible()
    expect(carl.get_by_role("button", name="Approve")).to_have_count(0)

    # Nobody approves their own: the page offers no button, and the server refuses.
    number = shift.do(
        "Frank", "tables/two/corrections", round=1, facts={"void": True}, reason="All of it"
    )["correction"]
    frank = shift.page("Frank", "corrections")
    own = frank.get_by_role("article").filter(has_text=f"Correction {number}:")
    expect(own).to_contain_text("You asked for this: another person has to approve it.")
    expect(own.get_by_role("button", name="Approve")).to_have_count(0)
    refused = shift.clients["Frank"].post(f"/api/floor/tables/two/corrections/{number}/approve")
    assert refused.json()["code"] == "correction.self"
    own.get_by_role("button", name="Withdraw").click()
    confirm(frank, "Withdraw it", "Carl's is right")

    # While a round is open the server refuses in its sentence; once it is over, chips move.
    hers = frank.get_by_role("article").filter(has_text="Correction 1:")
    hers.get_by_role("button", name="Approve").click()
    dialog = frank.get_by_role("dialog")
    expect(dialog).to_contain_text("The bank's result changes")
    guest.allow("400 (Bad Request)")
    dialog.get_by_role("button", name="Approve it").click()
    expect(dialog.get_by_role("alert")).to_contain_text("is in progress: pause the table")
    shift.do("Fay", "tables/two/disable", reason="to correct a round")
    shift.do("Fay", "tables/two/void", reason="to correct a round")
    dialog.get_by_role("button", name="Approve it").click()
    expect(frank.get_by_text("Correction 1 is made.")).to_be_visible()
    assert own_place(shift, "two", name)["stack"] == 100_000 - 100
    expect(hers).to_contain_text("Approved")

    # What is typed for the next one stays while another is withdrawn.
    carl.reload()
    carl.get_by_label("The whole round").check()
    ask(carl, "All of it")
    third = carl.get_by_role("article").filter(has_text="Correction 3:")
    expect(third).to_contain_text("Waiting")
    expect(carl.get_by_label("The whole round")).not_to_be_checked()
    carl.get_by_label("Ann's move").select_option("play")
    third.get_by_role("button", name="Withdraw").click()
    confirm(carl, "Withdraw it", "She did play")
    expect(third).to_contain_text("Withdrawn")
    expect(carl.get_by_label("Ann's move")).to_have_value("play")


def test_fees_change_with_notice_and_report_is_signed(open_shift: OpenShift, guest: Guests) -> None:
    since = int(time.time() * 1000) - 1000
    shift = open_shift()
    shift.do("Frank", "tables", name="banked", bots=3, pace="slow", reason="a test")
    ann = guest("Ann", "/#/table/banked", room=shift.room)
    poker.sit(ann)
    play(ann, 2)
    # Bots had played for Ann to look on before she sat; now the table waits for her bet.
    number = shift.get("Ada", "tables/banked")["round"]["round"]
    rounds: list[dict[str, Any]] = []
    for _ in range(100):
        rounds = shift.get("Ada", "rounds?table=banked&limit=200")
        if len(rounds) == number - 1:
            break
        time.sleep(0.05)
    assert len(rounds) == number - 1
    fees = sum(line["fees"] for line in rounds)

    until = int(time.time() * 1000)
    floor = shift.page("Frank", "tables/banked/rules")
    floor.get_by_label("Banker pays, rate 1").fill("3")
    expect(floor.get_by_role("region", name="What will be announced")).to_contain_text("banker $3")
    floor.get_by_role("button", name="Change…").click()
    expect(floor.get_by_role("dialog")).to_contain_text("60 seconds' notice")
    confirm(floor, "Announce the change", "Evening rates")
    expect(floor.get_by_label("Announced change of fees or limits")).to_contain_text("banker $3")
    expect(ann.get_by_label("Announced change of fees or limits")).to_contain_text("banker $3")
    floor.get_by_role("button", name="Withdraw the announced change").click()
    confirm(floor, "Withdraw it", "Not tonight")
    expect(floor.get_by_label("Announced change of fees or limits")).to_have_count(0)

    address = f"reports/collection/since%3D{since}%26until%3D{until}"
    report = shift.page("Carl", address)
    total = report.get_by_role("table", name="Figures").get_by_role("row", name="Total")
    expect(total).to_contain_text(f"${fees / 100:.2f}")
    with report.expect_download() as csv:
        report.get_by_role("link", name="Download CSV").click()
    assert "banked" in csv.value.path().read_text("utf-8")
    with report.expect_download() as pdf:
        report.get_by_role("link", name="Download PDF").click()
    assert pdf.value.path().read_bytes().startswith(b"%PDF")
    time.sleep(max(0, until + _SETTLED_MS - time.time() * 1000) / 1000)
    report.get_by_role("button", name="Sign off").click()
    confirm(report, "Sign it", "Counted twice")
    signatures = report.get_by_role("table", name="Signatures")
    expect(signatures.get_by_role("row", name=re.compile("Fees summed"))).to_contain_text(
        "Counted twice"
    )
    report.get_by_role("button", name="Check every signature").click()
    expect(signatures).to_contain_text("Still the same")


def seated_at(shift: Shift, guest: Guests, name: str) -> Page:
    """Open a table where an exposed hand is void, and sit a player down who is to decide."""
    shift.do(
        "Frank", "tables", name=name, rulebook="house", set={"exposed_player": "void_hand"},
        pace="quick", reason="a test",
    )  # fmt: skip
    ann = guest("Ann", f"/#/table/{name}", room=shift.room)
    poker.sit(ann)
    poker.bet(ann, "Ante")
    expect(poker.button(ann, "Play")).to_be_visible()
    return ann


def test_clock_stands_for_all_while_a_dialog_is_open(open_shift: OpenShift, guest: Guests) -> None:
    shift = open_shift()
    ann = seated_at(shift, guest, "two")
    frank, fay = shift.page("Frank", "tables/two"), shift.page("Fay", "tables/two")
    frank.get_by_role("button", name="Void the round").click()
    dialog = frank.get_by_role("dialog")
    expect(dialog).to_contain_text("The clock is stopped until you are done")
    status = ann.locator(".status-line")
    expect(status).to_have_text("The floor is ruling on this round. The clock is stopped.")
    for size in (PHONE, DESKTOP):
        ann.set_viewport_size(size)
        assert covered(ann) == [], size
    fay.get_by_role("button", name="Rule on an irregularity").click()
    expect(fay.get_by_role("dialog")).to_contain_text("Frank has stopped the clock")
    fay.get_by_role("button", name="Cancel").click()
    expect(status).to_contain_text("The clock is stopped")
    frank.get_by_role("button", name="Cancel").click()
    expect(status).to_contain_text("You have")
    frank.get_by_role("button", name="Rule on an irregularity").click()
    expect(dialog).to_contain_text("The clock runs. It stops once a round")
    frank.get_by_role("button", name="Cancel").click()
    log = shift.page("Frank", "log")
    expect(log.get_by_role("row", name="Started the clock again")).to_contain_text("dialog")
    expect(log.get_by_role("row", name="Stopped the clock to rule")).to_be_visible()


def covered(page: Page) -> list[str]:
    """Return the buttons and cards that the status line lies on."""
    overlaps: list[str] = page.evaluate("""() => {
        const line = document.querySelector(".status-line span").getBoundingClientRect();
        return [...document.querySelectorAll("button, .card")]
            .filter((each) => each.getClientRects().length)
            .map((each) => [each.getBoundingClientRect(), each.textContent || each.className])
            .filter(([box]) => box.left < line.right && box.right > line.left
                && box.top < line.bottom && box.bottom > line.top && box.width)
            .map(([, name]) => name);
    }""")
    return overlaps


def test_late_ruling_leads_to_the_correction_filled_in(
    open_shift: OpenShift, guest: Guests
) -> None:
    shift = open_shift()
    guest.allow("400 (Bad Request)")  # the dialog asks for the clock of a round that is over
    ann = seated_at(shift, guest, "two")
    floor = shift.page("Frank", "tables/two")
    floor.get_by_role("button", name="Rule on an irregularity").click()
    dialog = floor.get_by_role("dialog")
    dialog.get_by_role("radio", name="A player's card was exposed").check()
    place = str(own_place(shift, "two", guest.name_of(ann))["place"])
    dialog.get_by_label("Whose hand?").select_option(place)
    expect(dialog.get_by_role("table", name="See what follows")).to_be_visible()
    dialog.get_by_role("textbox").fill("it fell on the floor")
    poker.button(ann, "Fold").click()
    expect(dialog.get_by_role("alert")).to_have_text(
        "Round 1 is already settled. Ask for a correction instead."
    )
    expect(dialog.get_by_role("button", name="Make the ruling")).to_have_count(0)
    assert axe.violations(floor) == []
    dialog.get_by_role("link", name="Ask for a correction").click()
    expect(dialog).to_have_count(0)
    expect(floor.get_by_label("Ann's hand should have been void")).to_be_checked()
    expect(floor.get_by_text("What was seen: A player's card was exposed: it fell")).to_be_visible()
    floor.get_by_role("button", name="Ask…").click()
    reason = "A player's card was exposed: it fell on the floor"
    expect(floor.get_by_role("dialog").get_by_role("textbox")).to_have_value(reason)
    confirm(floor, "Ask for it")
    expect(floor.get_by_text("Correction 1 waits for another person.")).to_be_visible()


def test_late_void_spares_the_next_round(open_shift: OpenShift, guest: Guests) -> None:
    shift = open_shift()
    guest.allow("400 (Bad Request)")  # the dialog asks for the clock of a round that is over
    ann = seated_at(shift, guest, "two")
    floor = shift.page("Frank", "tables/two")
    floor.get_by_role("button", name="Void the round").click()
    dialog = floor.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("a dispute")
    shift.do("Fay", "tables/two/void", reason="Fay was faster")
    poker.until_bets(ann)
    poker.bet(ann, "Ante")
    if not dialog.get_by_role("alert").count():
        dialog.get_by_role("button", name="Void the round").click()
    expect(dialog.get_by_role("alert")).to_have_text("Round 1 was void.")
    assert shift.get("Ada", "tables/two")["round"]["round"] == 2
