"""The floor's page: logging in, the staff, two-factor login and sessions."""

import time
from base64 import b32decode

import pytest
from playwright.sync_api import expect

from queenhigh.server import totp
from tests.browser.conftest import OpenRoom, OpenShift
from tests.browser.guests import Guests
from tests.browser.shift import confirm, log_in
from tests.server.staff_clients import PASSWORD


def test_first_owner_comes_in_and_adds_staff(guest: Guests, open_room: OpenRoom) -> None:
    room = open_room()
    page = guest(None, "/#/floor", room=room)
    expect(page.get_by_role("heading", name="Set up the floor")).to_be_visible()
    page.get_by_label("Token").fill("wrong")
    page.get_by_label("Your name").fill("Olga")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Become the owner").click()
    expect(page.get_by_role("alert")).to_contain_text("not the floor token")
    page.get_by_label("Token").fill(room.floor_token or "")
    page.get_by_role("button", name="Become the owner").click()
    expect(page.get_by_role("heading", name="Tables")).to_be_visible()
    page.get_by_role("link", name="Staff").click()
    page.get_by_label("Name", exact=True).fill("Frank")
    page.get_by_label("First password").fill(PASSWORD)
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("rowheader", name="Frank")).to_be_visible()
    page.reload()
    expect(page.get_by_role("heading", name="Staff")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    log_in(page, "Frank", "not my password")
    expect(page.get_by_role("alert")).to_be_visible()
    log_in(page, "Frank")
    expect(page.get_by_role("alert")).to_contain_text("Olga set this password, 20")
    expect(page.get_by_label("Your own password")).to_be_focused()
    page.get_by_label("Your own password").fill("chosen by Frank")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("heading", name="Staff")).to_be_visible()
    expect(page.get_by_role("button", name="Add", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Log out").click()
    log_in(page, "Frank", "chosen by Frank")
    expect(page.get_by_role("button", name="Log out")).to_be_visible()


@pytest.mark.full
def test_two_factor_login_takes_a_code(open_shift: OpenShift) -> None:
    shift = open_shift()
    page = shift.page("Frank", "me")
    page.get_by_role("button", name="Set up two-factor login").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Password").fill(PASSWORD)
    dialog.get_by_role("button", name="Show the key").click()
    expect(page.get_by_role("img", name="QR code of the key")).to_be_visible()
    secret = page.locator("code").inner_text().replace(" ", "")
    page.get_by_label("Code", exact=True).fill(code_of(secret))
    page.get_by_role("button", name="Switch on").click()
    expect(page.get_by_text("On: logging in takes")).to_be_visible()
    page.get_by_role("button", name="Log out").click()
    log_in(page, "Frank")
    page.get_by_label("Code").fill("000000")
    page.get_by_role("button", name="Log in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    owner = shift.page("Olga", "staff")
    owner.get_by_role("button", name="Two-factor off for Frank").click()
    confirm(owner, "Switch it off")
    log_in(page, "Frank")  # a name that is typed again is not asked for the code of another
    expect(page.get_by_role("heading", name="Frank")).to_be_visible()


@pytest.mark.full
def test_owner_changes_roles_tokens_and_sessions(open_shift: OpenShift) -> None:
    shift = open_shift()
    page = shift.page("Olga", "staff")
    page.get_by_label("Role of Carl").select_option("auditor")
    confirm(page, "Change the role", "Carl moves to the office")
    expect(page.get_by_label("Role of Carl")).to_have_value("auditor")
    page.get_by_role("link", name="Programs").click()
    page.get_by_label("Program", exact=True).fill("till")
    page.get_by_label("Reason").fill("The till reads reports")
    page.get_by_role("button", name="Grant", exact=True).click()
    expect(page.get_by_text("shown only this once")).to_be_visible()
    page.get_by_role("button", name="Revoke the token of till").click()
    confirm(page, "Revoke the token", "A test is over")
    row = page.get_by_role("row").filter(has=page.get_by_role("rowheader", name="till"))
    expect(row).to_contain_text("Revoked")
    page.get_by_role("link", name="Sessions").click()
    frank = shift.page("Frank", "")
    expect(frank.get_by_role("heading", name="Tables")).to_be_visible()
    page.get_by_role("button", name="End session of Frank").click()
    expect(frank.get_by_role("button", name="Log in")).to_be_visible()
    page.get_by_role("link", name="Changes").click()
    expect(page.get_by_role("table")).to_contain_text("till")


def code_of(secret: str) -> str:
    """Return the code that an authenticator shows now."""
    return totp.code_at(b32decode(secret), int(time.time()) // 30)
