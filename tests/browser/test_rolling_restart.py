"""Every process of a room is restarted while a player decides: the page goes on within moments."""

import signal
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from queenhigh.table.events import RoundSettled, RoundVoided
from tests.browser import poker
from tests.browser.guests import NO_CONNECTION, Guests
from tests.browser.room import LINGERING
from tests.processes.running_room import RunningRoom
from tests.verify.verifiers import prove

#: The longest time without a decision that can be made, in milliseconds.
MOST = 2_000
#: Notes whether the newest socket of the page has received a view, and no farewell since.
WATCH_SOCKETS = """
window.isConnected = false;
let newest;
window.WebSocket = class extends WebSocket {
    constructor(...values) {
        super(...values);
        newest = this;
        const note = (isConnected) => {
            if (this === newest) window.isConnected = isConnected;
        };
        this.addEventListener("message", ({ data }) => {
            const { type } = JSON.parse(data);
            if (type === "view" || type === "bye") note(type === "view");
        });
        this.addEventListener("close", () => note(false));
    }
};
"""
#: Notes every 50 ms for how long the player could not decide, and the cards that were shown.
SAMPLE = """() => {
    window.pauses = [0];
    window.hands = new Set();
    let decided = performance.now();
    setInterval(() => {
        const buttons = [...document.querySelectorAll("button:enabled")];
        const mayPlay = buttons.some((button) => button.textContent.trim() === "Play");
        const said = document.querySelector(".unseen[aria-live]")?.textContent ?? "";
        const isLost = document.body.textContent.replace(said, "").includes("Connection lost");
        if (window.isConnected && mayPlay && !isLost) {
            decided = performance.now();
            if (window.pauses.at(-1)) window.pauses.push(0);
        } else window.pauses[window.pauses.length - 1] = performance.now() - decided;
        const cards = document.querySelectorAll('[aria-label="Your cards"] [role=img]');
        window.hands.add([...cards].map((card) => card.ariaLabel).join(", "));
    }, 50);
}"""


def decide(guest: Guests, room: RunningRoom) -> Page:
    """Return the page of a guest who has to decide, and which notes every pause."""
    page = guest("Ann", None, room=room)
    page.add_init_script(WATCH_SOCKETS)
    page.goto("/#/table/ho")
    poker.sit(page)
    poker.bet(page, "Ante")
    expect(poker.button(page, "Play")).to_be_enabled()
    page.evaluate(SAMPLE)
    return page


@pytest.mark.full
def test_rolling_restart_pauses_a_decision_for_moments(
    guest: Guests, postgres_url: str, tmp_path: Path
) -> None:
    guest.allow(*NO_CONNECTION, "ERR_", "WebSocket", "503 (Service Unavailable)")
    tables = {"ho": {"rulebook": "house", "pace": LINGERING}}
    with RunningRoom(postgres_url, tmp_path, standing=[], rooms=tables) as room:
        page = decide(guest, room)
        mine = poker.cards(page, "Your cards")
        for server in room.servers:
            server.end(signal.SIGTERM)
            room.start(server)
        page.wait_for_function("() => !window.pauses.at(-1)")
        pauses = page.evaluate("window.pauses")
        assert max(pauses) <= MOST, pauses
        assert len(pauses) > 1, "no process had the table"
        assert page.evaluate("window.hands.size") == 1, "other cards were shown"
        poker.watch(page)
        poker.button(page, "Play").click()
        _, dealer = poker.showdown(page)
        expected = poker.expected("house", {"ante": 100}, mine, dealer, "play")
        assert poker.net(page) == expected
        guest.leave()
        ends = [
            event for event in room.events("ho") if isinstance(event, RoundSettled | RoundVoided)
        ]
        assert [type(end) for end in ends] == [RoundSettled]
        assert room.errors() == ""
    prove(room.url)
