"""A shift on the floor: people of the staff with their roles, each with a page and a client."""

from typing import Any

import httpx
from playwright.sync_api import Page, expect

from tests.browser.guests import Guests
from tests.server.running_server import RunningServer
from tests.server.staff_clients import PASSWORD, add, first_owner

#: Everybody on the staff, by what they may do; the owner comes first.
STAFF = {"Olga": "owner", "Frank": "floor", "Fay": "floor", "Carl": "cashier", "Ada": "auditor"}


class Shift:
    """The staff of a room; the first owner is made with the token of the room's first start."""

    def __init__(self, room: RunningServer, guests: Guests) -> None:
        self.room, self._guests = room, guests
        owner = first_owner(room, "Olga")
        self.clients: dict[str, httpx.Client] = {"Olga": owner}
        for name, role in STAFF.items():
            if name not in self.clients:
                self.clients[name] = add(owner, name, role)

    def page(self, name: str, path: str = "", **context: Any) -> Page:
        """Open the floor's page as a member of the staff, at ``#/floor/<path>``."""
        page = self._guests(None, None, room=self.room, **context)
        cookie, _, token = self.clients[name].headers["Cookie"].partition("=")
        place = self.room.address.replace("http:", "https:")
        page.context.add_cookies([{"name": cookie, "value": token, "url": place, "secure": True}])
        page.goto(f"/#/floor/{path}")
        return page

    def do(self, name: str, path: str, /, **said: object) -> Any:
        """Post something to the floor's routes as a member of the staff."""
        answer = self.clients[name].post(f"/api/floor/{path}", json=said)
        assert answer.is_success, answer.text
        return answer.json()

    def get(self, name: str, path: str) -> Any:
        """Ask the floor's routes something as a member of the staff."""
        answer = self.clients[name].get(f"/api/floor/{path}")
        assert answer.is_success, answer.text
        return answer.json()

    def close(self) -> None:
        """Close the clients."""
        for client in self.clients.values():
            client.close()


def log_in(page: Page, name: str, password: str = PASSWORD) -> None:
    """Log in to the floor with the form."""
    form = page.get_by_role("form", name="Log in to the floor")
    form.get_by_label("Name").fill(name)
    form.get_by_label("Password", exact=True).fill(password)
    form.get_by_role("button", name="Log in").click()


def confirm(page: Page, button: str, reason: str | None = None) -> None:
    """Give a reason in the dialog that is open, if it asks for one, and confirm."""
    dialog = page.get_by_role("dialog")
    if reason is not None:
        dialog.get_by_role("textbox").fill(reason)
    dialog.get_by_role("button", name=button).click()
    expect(dialog).to_be_hidden()
