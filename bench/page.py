"""How quick the page is, in a real Chromium on a real room.

    python -m bench.page [--size tiny|usual|long] [--json]

The first load: what is fetched, packed as it comes, and how long until the tables stand there and
nothing keeps the page busy; once as this machine is, and once as on a phone: a processor four times
slower, 1.6 Mbit/s, 150 ms away. Then how long it takes until another player who sits down is on the
screen: from when the server shows it, and from when they sent it, with the way to the disk in it.
Then how long it takes from a keystroke on the odds page to the new exact edge; every keystroke must
lead to a question that the server was not asked before. Then how much later cards come because the
page shows its seed (bench/seeds.py). Then the frames of a full table on a large screen while rounds
are dealt and settled, and of a wheel while the ball runs. Every load has an empty cache.
"""

import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request, ViewportSize, sync_playwright

from bench.measure import NotComputed
from bench.results import Bench, Recorder, Size, main
from bench.seeds import measure_seeds
from tests.browser import DESKTOP, chromium
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.server.player_client import PlayerClient
from tests.server.running_server import AT_ONCE, RunningServer

BUILT = Path(__file__).parent.parent / "src" / "queenhigh" / "server" / "static" / "index.html"
QUICK = {"pause": 1_500, "offer": 8_000, "bets": 10_000, "moves": 10_000}
#: With a player at the eleventh place ten hands are dealt.
BOTS = {"name": "quick", "rulebook": "california", "bots": 10, "pace": "quick"}
LARGE: ViewportSize = {"width": 1920, "height": 1080}
PHONE = {"latency": 150, "downloadThroughput": 200_000, "uploadThroughput": 93_750}
Figures = dict[str, Any]

#: Notes when all tables are listed, and when the page was last busy for more than 50 ms.
WATCH_LOAD = """
    window.seen = { tables: 0, busy: 0 };
    new PerformanceObserver((list) => {
        for (const one of list.getEntries()) seen.busy = one.startTime + one.duration;
    }).observe({ type: "longtask", buffered: true });
    new MutationObserver(() => {
        const tables = document.querySelectorAll('main a[href^="#/table/"]').length;
        if (tables >= 3 && !seen.tables) seen.tables = performance.now();
    }).observe(document, { childList: true, subtree: true });
"""
#: Waits until that is so for a while; by a promise, since the page's policy allows no `eval`.
IDLE = """() => new Promise((tell) => {
    const look = () => {
        const idle = seen.tables && performance.now() > Math.max(seen.tables, seen.busy) + 300;
        if (idle) tell(seen); else setTimeout(look, 20);
    };
    look();
})"""
#: Notes when the first frame was drawn that has a name in it.
WATCH_NAME = """(name) => {
    window.drawnAt = new Promise((tell) => {
        const now = () => performance.timeOrigin + performance.now();
        const watch = new MutationObserver(() => {
            if (!document.querySelector("main").textContent.includes(name)) return;
            watch.disconnect();
            requestAnimationFrame(() => {
                const { port1, port2 } = new MessageChannel();
                port1.onmessage = () => tell(now());
                port2.postMessage(0);
            });
        });
        const all = { childList: true, subtree: true, characterData: true };
        watch.observe(document.querySelector("main"), all);
    });
}"""
#: Notes how long it takes from an input to the new edge of a bet.
WATCH_EDGE = """(bet) => {
    let at = 0;
    window.took = [];
    document.addEventListener("input", () => { at = performance.now(); }, true);
    const edge = document.querySelector(`section[data-bet="${bet}"] [data-edge]`);
    const look = () => { if (at) { took.push(performance.now() - at); at = 0; } };
    new MutationObserver(look).observe(edge, { attributes: true });
}"""
#: Plays rounds by the page's own buttons, and notes how long each frame stood; in the page, since
#: asking from outside whether a button is there costs frames. After a minute a round it gives up,
#: with no frames.
WATCH_FRAMES = """(rounds) => new Promise((tell) => {
    const stood = [], end = performance.now() + 60_000 * rounds;
    let last = 0, played = 0;
    const next = (at) => {
        if (last) stood.push(at - last);
        last = at;
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    const press = (name) => {
        const button = [...document.querySelectorAll("main button:enabled")]
            .find((element) => (element.ariaLabel ?? element.textContent.trim()) === name);
        button?.click();
        return button !== undefined;
    };
    const playing = setInterval(() => {
        if (press("Play")) played++;
        else if (!press("Pass") && !press("Deal me in") && played < rounds) press("Ante");
        if (played < rounds && performance.now() < end) return;
        clearInterval(playing);
        setTimeout(() => tell(played < rounds ? [] : stood), 3000);
    }, 150);
})"""


#: Bets on red and spins, so many times; notes how long each frame stood while the ball ran. It
#: gives up in the same way.
WATCH_SPINS = """(spins) => new Promise((tell) => {
    const stood = [], end = performance.now() + 60_000 * spins;
    let last = 0, spun = 0;
    const label = (element) => element?.ariaLabel ?? element?.textContent.trim() ?? "";
    const find = (name) => [...document.querySelectorAll("main button:enabled, main [role=button]")]
        .find((element) => label(element).startsWith(name));
    const runs = () => document.querySelector("main .spinning") !== null;
    const next = (at) => {
        if (last && runs()) stood.push(at - last);
        last = runs() ? at : 0;
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    const playing = setInterval(() => {
        if (performance.now() > end) { clearInterval(playing); tell([]); }
        if (runs()) return;
        if (spun === spins) { clearInterval(playing); tell(stood); return; }
        const red = find("Red,");
        if (!label(red).includes("on it"))
            red?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        else if (find("Spin")) { find("Spin").click(); spun++; }
    }, 400);
})"""


def load(browser: Browser, room: RunningServer, phone: bool) -> Figures:
    """Load the page once, with an empty cache."""
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    debugger = context.new_cdp_session(page)
    fetched: list[int] = []
    cached: list[str] = []
    debugger.on("Network.loadingFinished", lambda event: fetched.append(event["encodedDataLength"]))
    debugger.on("Network.requestServedFromCache", lambda event: cached.append(event["requestId"]))
    debugger.send("Network.enable")
    if phone:
        debugger.send("Network.emulateNetworkConditions", {"offline": False, **PHONE})
        debugger.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.add_init_script(WATCH_LOAD)
    page.goto(room.address)
    seen = page.evaluate(IDLE)
    drawn = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    context.close()
    if cached or not sum(fetched):
        raise NotComputed("the page was not fetched from the server")
    return {
        "bytes": sum(fetched),
        "requests": len(fetched),
        "drawn_ms": drawn,
        "interactive_ms": max(seen["tables"], seen["busy"]),
    }


def measure_loads(browser: Browser, room: RunningServer, times: int, recorder: Recorder) -> None:
    """Measure loads as on this machine and as on a phone, in turns."""
    plain, phone = [], []
    for _ in range(times):
        plain.append(load(browser, room, phone=False))
        phone.append(load(browser, room, phone=True))
    how = f"median of {times} turns, each with an empty cache"
    requests = statistics.median(load["requests"] for load in plain)
    size = statistics.median(load["bytes"] for load in plain) / 1000
    recorder.add(
        "first load", size, "kB", how=f"{requests:.0f} requests, as they come over the wire"
    )
    for key, name in (("drawn_ms", "first drawn"), ("interactive_ms", "tables there, page idle")):
        here, there = ([float(load[key]) for load in loads] for loads in (plain, phone))
        recorder.add(name, statistics.median(here), "ms", how=how)
        ratio = statistics.median(far / near for near, far in zip(here, there, strict=True))
        recorder.add(
            f"{name}, as on a phone", statistics.median(there), "ms", f"{ratio:.1f} x", how
        )


def measure_events(guests: Guests, room: RunningServer, events: int, recorder: Recorder) -> None:
    """Measure how long it takes until others who sit down, one by one, are on the screen."""
    page, companions = guests("Watcher", "/#/table/plain", room=room), Companions()
    page.get_by_role("button", name="Sit", exact=True).first.wait_for()
    since_sent, since_shown = [], []
    for number in range(events):
        name = f"Other{number:03}"
        person = companions.arrive(room, "plain", name)
        page.evaluate(WATCH_NAME, name)
        sent = time.time() * 1000
        companions.do(person.sit(2 + number % 5, 10_000))
        on_screen: float = page.evaluate("drawnAt")
        since_sent.append(on_screen - sent)
        since_shown.append(on_screen - first_shown(person))
        companions.do(person.do("leave", when="now"))
    companions.leave()
    how = f"{events} players, each a new name on the screen"
    recorder.add_times("another's command, from the server to the screen", since_shown, how)
    recorder.add_times("another's command, from the sender to the screen", since_sent, how)


def first_shown(person: PlayerClient) -> float:
    """Return when the server, by its own clock, first showed a player as seated."""
    views = (said for said in map(json.loads, person.received) if said["type"] == "view")
    seated = (
        view for view in views if any(p["player"] == person.name for p in view["view"]["places"])
    )
    return float(next(seated)["now"])


def measure_keystrokes(guests: Guests, room: RunningServer, size: Size, recorder: Recorder) -> None:
    """Measure from a keystroke to the new edge, for pays and for readings."""
    for name, bet, change, proof in (
        ("a pay typed, digit by digit, to the new edge", "bonus", type_pays,
         "deals remembered by the server, the bet priced again"),
        ("another reading to the new edge", "ante", choose_readings, "every deal counted again"),
    ):  # fmt: skip
        page = guests(bet.title(), "/#/odds/california", room=room)
        asked: list[str] = []
        page.on("request", partial(note_question, asked))
        page.locator(f'section[data-bet="{bet}"] [data-edge]').wait_for()
        page.evaluate(WATCH_EDGE, bet)
        for count, _ in enumerate(change(page, size)):
            page.wait_for_function("count => took.length > count", arg=count)
        taken: list[float] = page.evaluate("took")
        if len(set(asked)) != len(asked) or len(asked) < len(taken):
            raise NotComputed(f"{len(taken)} edges came of {len(set(asked))} different questions")
        how = f"{len(taken)} different questions to the server; {proof}"
        recorder.add_times(name, taken, how)
        page.context.close()


def note_question(asked: list[str], request: Request) -> None:
    """Note the changed rulebooks that the page asks the server to price."""
    question = request.post_data or ""
    if request.url.endswith("/api/odds") and json.loads(question)["set"]:
        asked.append(question)


def type_pays(page: Page, size: Size) -> Iterator[None]:
    """Type pays, digit by digit, none of them twice."""
    page.locator('[data-field="bonus.pays.flush"] input').focus()
    for first in "12456789"[: size.pick(2, 8, 8)]:  # 3 is the pay that the rulebook ships
        page.keyboard.press("Control+A")
        for digit in f"{first}257":
            page.keyboard.press(digit)
            yield


def choose_readings(page: Page, size: Size) -> Iterator[None]:
    """Choose readings so that no two of them together come twice."""
    highs = ["eight", "nine", "ten", "jack", "king", "ace"]
    for tie, through in (("lose", highs), ("win", highs[-2::-1])):
        page.locator('[data-field="tie"] select').select_option(tie)
        yield
        for high in through[: size.pick(1, 6, 6)]:
            page.locator('[data-field="qualifier"] select').select_option(f"{high}-high")
            yield


def measure_dealing(guests: Guests, room: RunningServer, rounds: int, recorder: Recorder) -> None:
    """Play some rounds with bots by the page's own buttons, and time every frame."""
    page = guests("Player", "/#/table/quick", room=room, viewport=LARGE)
    page.get_by_role("button", name="Sit", exact=True).first.click()
    page.get_by_role("button", name="Leave", exact=True).wait_for()
    add_frames(
        f"ten hands dealt and settled, {rounds} rounds",
        page.evaluate(WATCH_FRAMES, rounds),
        recorder,
    )


def measure_spins(guests: Guests, room: RunningServer, spins: int, recorder: Recorder) -> None:
    """Spin some times, and time every frame while the ball runs."""
    page = guests("Spinner", "/#/table/wheel", room=room)
    page.get_by_role("button", name="Sit", exact=True).click()
    page.get_by_role("button", name="Leave", exact=True).wait_for()
    add_frames(f"the ball runs, {spins} spins", page.evaluate(WATCH_SPINS, spins), recorder)


def add_frames(name: str, stood: list[float], recorder: Recorder) -> None:
    """Record how smooth frames were, from how long each stood."""
    if not stood:
        raise NotComputed(f"{name}: the rounds were not played, or no frame was drawn")
    how = f"{len(stood):,} frames; longest {max(stood):.1f} ms"
    recorder.add_times(f"{name}: a frame stands", stood, how)
    late = 100 * sum(gap > 34 for gap in stood) / len(stood)
    recorder.add(f"{name}: frames that stood over 34 ms", late, "%", how=how)


def measure(size: Size, recorder: Recorder) -> None:
    """Measure loads, events, keystrokes and frames."""
    where = chromium.find()
    if where is None or not BUILT.exists():
        recorder.lacks("Chromium or the built page is not here, so the page was not measured.")
        return
    rooms = {
        "plain": {"rulebook": "house", "pace": AT_ONCE},
        "wheel": {"rulebook": "roulette", "pace": AT_ONCE},
        "seeds": {"rulebook": "house", "pace": AT_ONCE},
        "plain-seeds": {"rulebook": "house", "pace": AT_ONCE},
    }
    with (
        tempfile.TemporaryDirectory() as folder,
        RunningServer(Path(folder) / "room.db", standing=[BOTS], paces={"quick": QUICK},
                      rooms=rooms, bots_think=[0.2, 0.6]) as room,
        RunningServer(Path(folder) / "lobby.db") as lobby,
        sync_playwright() as playwright,
    ):  # fmt: skip
        browser = playwright.chromium.launch(executable_path=where, args=chromium.OPTIONS)
        guests = Guests(browser, room)
        measure_loads(browser, lobby, size.pick(1, 5, 15), recorder)
        measure_events(guests, room, size.pick(2, 100, 200), recorder)
        measure_keystrokes(guests, room, size, recorder)
        measure_seeds(guests, room, size.pick(1, 30, 100), recorder)
        measure_dealing(guests, room, size.pick(1, 5, 20), recorder)
        measure_spins(guests, room, size.pick(1, 3, 10), recorder)
        guests.leave()
        recorder.stop_watching()  # while the browser's processes can still be counted as ours
        browser.close()


BENCH = Bench(
    "page",
    "The page",
    "The page in headless Chromium without a graphics card, on a real room: the first load with an"
    " empty cache, here and with a phone's processor and network emulated; the way from another"
    " player's command, and from a keystroke on the odds page, to the screen; what showing seeds"
    " adds to a deal 100 ms away from the room; and frames.",
    "On a phone the network; between a command and the screen the next frame, 16.7 ms apart; the"
    " exact edge waits for one request to the server.",
    measure,
)

if __name__ == "__main__":
    main(BENCH)
