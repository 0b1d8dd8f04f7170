"""A line that goes dead while a player decides: it shows at once, and the decision counts once."""

import json
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser import poker
from tests.browser.guests import NO_CONNECTION, Guests
from tests.browser.room import UNHURRIED, Room
from tests.browser.tcp_line import Line

LOST = "Connection lost. Reconnecting… Your seat and bets are safe."
#: How long the line is dead, in milliseconds.
OUTAGE = 3_000


def listen_to_commands(page: Page) -> list[dict[str, Any]]:
    """Note every decision that the page sends."""
    sent: list[dict[str, Any]] = []

    def note(text: str | bytes) -> None:
        command = json.loads(text)
        if command["type"] == "choose":
            sent.append(command)

    page.on("websocket", lambda socket: socket.on("framesent", note))
    return sent


@pytest.mark.full
@pytest.mark.parametrize("is_noticed", [True, False], ids=["offline", "dead line"])
def test_decision_counts_once_across_an_outage(guest: Guests, room: Room, is_noticed: bool) -> None:
    """Where the device does not notice, the answer that does not come shows it after 2 s."""
    guest.allow(*NO_CONNECTION, "ERR_", "WebSocket")
    table = room.open_table("house", pace=UNHURRIED)
    with Line(room.address) as line:
        page = guest("Ann", None, base_url=line.address)
        sent = listen_to_commands(page)
        page.goto(f"/#/table/{table}")
        poker.sit(page)
        poker.bet(page, "Ante")
        play, lost = poker.button(page, "Play"), page.get_by_text(LOST)
        expect(play).to_be_visible()
        mine = poker.cards(page, "Your cards")
        poker.watch(page)
        line.cut()
        if is_noticed:
            page.context.set_offline(True)
            expect(lost.last).to_be_visible()
        play.click()
        expect(lost.last).to_be_visible()
        page.wait_for_timeout(OUTAGE)
        page.context.set_offline(False)
        line.mend()
        _, dealer = poker.showdown(page)
        expect(lost).to_have_count(0)
        expected = poker.expected("house", {"ante": 100}, mine, dealer, "play")
        assert poker.net(page) == expected
    assert len(sent) > 1, "it was sent again"
    assert len({command["id"] for command in sent}) == 1, "as the same decision"
