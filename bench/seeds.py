"""How much later cards come because pages show their seeds, 100 ms away from the room.

Two pages at tables of their own take turns: one as it is, one whose commitments do not reach the
room, so that nothing has to be shown. Every message takes 50 ms each way.
"""

import statistics

from playwright.sync_api import Page

from bench.measure import NotComputed
from bench.results import Recorder
from tests.browser.guests import Guests
from tests.server.running_server import RunningServer

#: Delays messages both ways, can leave out commitments, and notes when a bet was sent, when its
#: cards came, and how many seeds were shown.
DISTANCE = """(commits) => {
    window.deals = { took: [], shown: 0 };
    let sent = 0;
    window.WebSocket = class extends WebSocket {
        send(text) {
            const { type, ready } = JSON.parse(text);
            if (type === "commit_seed" && !commits) return;
            if (type === "show_seed") deals.shown++;
            if (type === "place_wagers" && ready) sent = performance.now();
            setTimeout(() => super.send(text), 50);
        }
        set onmessage(hear) {
            super.onmessage = (event) => setTimeout(() => {
                const said = JSON.parse(event.data);
                if (sent && said.view?.phase === "deciding") {
                    deals.took.push(performance.now() - sent);
                    sent = 0;
                }
                hear(event);
            }, 50);
        }
    };
}"""


def sit(guests: Guests, room: RunningServer, name: str, table: str, *, commits: bool) -> Page:
    """Seat a guest at a distance from the room."""
    page = guests(name, None, room=room)
    page.add_init_script(f"({DISTANCE})({str(commits).lower()})")
    page.goto(f"/#/table/{table}")
    page.get_by_role("button", name="Sit", exact=True).first.click()
    return page


def play(page: Page, rounds: int) -> None:
    """Bet, and fold whatever comes, so that the given number of rounds was dealt."""
    ante = page.get_by_role("button", name="Ante", exact=True)
    ante.wait_for()
    page.wait_for_timeout(300)  # a commitment is at the room by now
    ante.click()
    page.get_by_role("button", name="Deal me in").click()
    page.get_by_role("button", name="Fold", exact=True).click()
    page.wait_for_function("rounds => deals.took.length === rounds", arg=rounds)


def measure_seeds(guests: Guests, room: RunningServer, rounds: int, recorder: Recorder) -> None:
    """Measure from the last bet to the cards, with and without seeds, in turns."""
    hidden = sit(guests, room, "Hidden", "seeds", commits=True)
    plain = sit(guests, room, "Plain", "plain-seeds", commits=False)
    for number in range(1, rounds + 1):
        play(hidden, number)
        play(plain, number)
    shown, none = (page.evaluate("deals.shown") for page in (hidden, plain))
    if (shown, none) != (rounds, 0):
        raise NotComputed(f"{shown} and {none} seeds were shown in {rounds} rounds")
    later: list[float] = hidden.evaluate("deals.took")
    sooner: list[float] = plain.evaluate("deals.took")
    how = f"{rounds} rounds, 100 ms there and back"
    recorder.add_times("from the last bet to the cards, no seeds", sooner, how)
    recorder.add_times("from the last bet to the cards, a seed shown", later, how)
    added = [one - other for one, other in zip(later, sooner, strict=True)]
    recorder.add("added by showing seeds", statistics.median(added), "ms", how=how)
