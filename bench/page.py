"""How quick the page is, in a real Chromium on a real room.

    python bench/page.py [--json]

The first load: what is fetched, packed as it comes, and how long until the tables stand there and
nothing keeps the page busy; once as this machine is, and once as on a phone: a processor four times
slower, 1.6 Mbit/s, 150 ms away. Then how long it takes until another player who sits down is on the
screen: from when the server shows it, and from when they sent it, with the way to the disk in it.
Then how long it takes from a keystroke on the odds page to the new exact edge. Then the frames of a
table with bots while rounds are dealt, and of a wheel while the ball runs. Every load has an empty
cache.
"""

import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import DESKTOP, chromium  # noqa: E402
from tests.browser.guests import Guests  # noqa: E402
from tests.browser.others import Others  # noqa: E402
from tests.server.people import Person  # noqa: E402
from tests.server.served import AT_ONCE, Served  # noqa: E402

LOADS, EVENTS, ROUNDS, SPINS = 7, 60, 8, 4
QUICK = {"pause": 1_500, "offer": 8_000, "bets": 10_000, "moves": 10_000}
BOTS = {"name": "quick", "rulebook": "california", "bots": 6, "pace": "quick"}
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
    window.told = new Promise((tell) => {
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
#: whoever asks from outside whether a button is there costs frames.
WATCH_FRAMES = """(rounds) => new Promise((tell) => {
    const stood = [];
    let last = 0, played = 0;
    const next = (at) => {
        if (last) stood.push(at - last);
        last = at;
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    const press = (name) => {
        const button = [...document.querySelectorAll("main button:enabled")]
            .find((one) => (one.ariaLabel ?? one.textContent.trim()) === name);
        button?.click();
        return button !== undefined;
    };
    const playing = setInterval(() => {
        if (press("Play")) played++;
        else if (!press("Decline") && !press("Deal me in") && played < rounds) press("Ante");
        if (played < rounds) return;
        clearInterval(playing);
        setTimeout(() => tell(stood), 3000);
    }, 150);
})"""


#: Bets on red and spins, so many times; notes how long each frame stood while the ball ran.
WATCH_SPINS = """(spins) => new Promise((tell) => {
    const stood = [];
    let last = 0, spun = 0;
    const find = (name) => [...document.querySelectorAll("main button:enabled, main [role=button]")]
        .find((one) => (one.ariaLabel ?? one.textContent.trim()).startsWith(name));
    const runs = () => document.querySelector("main .told").textContent.includes("The ball runs");
    const next = (at) => {
        if (last && runs()) stood.push(at - last);
        last = runs() ? at : 0;
        requestAnimationFrame(next);
    };
    requestAnimationFrame(next);
    const playing = setInterval(() => {
        if (runs()) return;
        if (spun === spins) { clearInterval(playing); tell(stood); return; }
        const staked = document.querySelector("main").textContent.includes("Staked $1.00");
        if (!staked) find("Red,")?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
        else if (find("Spin")) { find("Spin").click(); spun++; }
    }, 400);
})"""


def at(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def load(browser: Browser, room: Served, phone: bool) -> Figures:
    context = browser.new_context(viewport=DESKTOP)
    page = context.new_page()
    debugger = context.new_cdp_session(page)
    fetched: list[int] = []
    debugger.on("Network.loadingFinished", lambda one: fetched.append(one["encodedDataLength"]))
    debugger.send("Network.enable")
    if phone:
        debugger.send("Network.emulateNetworkConditions", {"offline": False, **PHONE})
        debugger.send("Emulation.setCPUThrottlingRate", {"rate": 4})
    page.add_init_script(WATCH_LOAD)
    page.goto(room.address)
    seen = page.evaluate(IDLE)
    drawn = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    figures = {
        "bytes": sum(fetched),
        "requests": len(fetched),
        "drawn_ms": drawn,
        "interactive_ms": max(seen["tables"], seen["busy"]),
    }
    context.close()
    return figures


def loads(browser: Browser, room: Served, *, phone: bool) -> Figures:
    every = [load(browser, room, phone) for _ in range(LOADS)]
    return {key: statistics.median(one[key] for one in every) for key in every[0]}


def events(guests: Guests, room: Served) -> Figures:
    """Let others sit down one by one, and see when their names are on the screen."""
    page, others = guests("Watcher", "/#/table/plain", room=room), Others()
    page.get_by_role("button", name="Sit", exact=True).first.wait_for()
    since_sent, since_shown = [], []
    for number in range(EVENTS):
        name = f"Other{number:03}"
        person = others.arrive(room, "plain", name)
        page.evaluate(WATCH_NAME, name)
        sent = time.time() * 1000
        others.do(person.sit(2 + number % 5, 10_000))
        on_screen: float = page.evaluate("told")
        since_sent.append(on_screen - sent)
        since_shown.append(on_screen - first_shown(person))
        others.do(person.do("leave", when="now"))
    others.leave()
    return {
        "events": EVENTS,
        "since_sent_ms": [at(since_sent, 0.5), at(since_sent, 0.95)],
        "since_shown_ms": [at(since_shown, 0.5), at(since_shown, 0.95)],
    }


def first_shown(person: Person) -> float:
    """Return when the server first showed who sat down, by its own clock: what was on disk."""
    views = (said for said in map(json.loads, person.heard) if said["type"] == "view")
    seated = (
        view for view in views if any(p["player"] == person.name for p in view["view"]["places"])
    )
    return float(next(seated)["now"])


def keystrokes(guests: Guests, room: Served) -> Figures:
    """Type pays, and choose readings, that nobody asked for before; time each new edge."""
    figures: Figures = {}
    for what, bet, change in (("pay_ms", "bonus", type_pays), ("reading_ms", "ante", choose)):
        page = guests(what.title().replace("_", ""), "/#/odds/california", room=room)
        page.locator(f'section[data-bet="{bet}"] [data-edge]').wait_for()
        page.evaluate(WATCH_EDGE, bet)
        for count, _ in enumerate(change(page)):
            page.wait_for_function("count => took.length > count", arg=count)
        took = page.evaluate("took")
        figures[what] = [at(took, 0.5), at(took, 0.95)]
        page.context.close()
    return figures


def type_pays(page: Page) -> Iterator[None]:
    page.locator('[data-field="bonus.pays.flush"] input').focus()
    for first in range(1, 10):
        page.keyboard.press("Control+A")
        for digit in f"{first}257":
            page.keyboard.press(digit)
            yield


def choose(page: Page) -> Iterator[None]:
    for tie in ("lose", "win"):
        page.locator('[data-field="tie"] select').select_option(tie)
        yield
        for high in ("eight", "nine", "ten", "jack", "king", "ace", "queen"):
            page.locator('[data-field="qualifier"] select').select_option(f"{high}-high")
            yield


def frames(guests: Guests, room: Served) -> Figures:
    """Play some rounds with bots by the page's own buttons, and time every frame."""
    page = guests("Player", "/#/table/quick", room=room)
    page.get_by_role("button", name="Sit", exact=True).first.click()
    page.get_by_role("button", name="Leave", exact=True).wait_for()
    stood: list[float] = page.evaluate(WATCH_FRAMES, ROUNDS)
    return {"rounds": ROUNDS, **smooth(stood)}


def spins(guests: Guests, room: Served) -> Figures:
    """Spin some times, and time every frame while the ball runs."""
    page = guests("Spinner", "/#/table/wheel", room=room)
    page.get_by_role("button", name="Sit", exact=True).click()
    page.get_by_role("button", name="Leave", exact=True).wait_for()
    return {"spins": SPINS, **smooth(page.evaluate(WATCH_SPINS, SPINS))}


def smooth(stood: list[float]) -> Figures:
    """Return how smooth frames were, from how long each stood."""
    return {
        "frames": len(stood),
        "per_second": 1000 / statistics.mean(stood),
        "median_ms": at(stood, 0.5),
        "worst_ms": max(stood),
        "over_17_ms": sum(one > 17 for one in stood) / len(stood),
        "over_34_ms": sum(one > 34 for one in stood) / len(stood),
    }


def tell(found: Figures) -> None:
    first, phone, screen = (found[key] for key in ("load", "phone", "screen"))
    asked, dealt, spun = found["odds"], found["dealing"], found["spinning"]
    print("{processors} processors, {others:.1f} busy with other things".format(**found))
    rows = [
        ("First load", f"{first['bytes'] / 1000:.1f} kB in {first['requests']:.0f} requests"),
        ("  first drawn", f"{first['drawn_ms']:.0f} ms, as on a phone {phone['drawn_ms']:.0f} ms"),
        ("  tables there, page idle",
         f"{first['interactive_ms']:.0f} ms, as on a phone {phone['interactive_ms']:.0f} ms"),
        (f"Another's command, {screen['events']} times", "median and 95th percentile"),
        *[(f"  {text}", "{:.1f} ms, {:.1f} ms".format(*screen[key])) for key, text in (
            ("since_shown_ms", "from the server to the screen"),
            ("since_sent_ms", "from the sender to the screen"))],
        ("Keystroke to new exact edge", "median and 95th percentile"),
        *[(f"  {text}", "{:.0f} ms, {:.0f} ms".format(*asked[key])) for key, text in (
            ("pay_ms", "a pay, digit by digit"), ("reading_ms", "another reading"))],
        (f"Dealing, {dealt['rounds']} rounds with bots",
         f"{dealt['per_second']:.1f} frames/s, {dealt['frames']} frames"),
        ("  a frame", f"median {dealt['median_ms']:.1f} ms, worst {dealt['worst_ms']:.1f} ms"),
        ("  too long",
         f"{dealt['over_17_ms']:.1%} over 17 ms, {dealt['over_34_ms']:.1%} over 34 ms"),
        (f"The ball runs, {spun['spins']} spins",
         f"{spun['per_second']:.1f} frames/s, {spun['frames']} frames"),
        ("  a frame", f"median {spun['median_ms']:.1f} ms, worst {spun['worst_ms']:.1f} ms"),
    ]  # fmt: skip
    for what, how in rows:
        print(f"{what:<34}{how}")


def main() -> None:
    where, busy = chromium.find(), os.getloadavg()[0]
    if where is None:
        sys.exit(chromium.MISSING)
    rooms = {
        "plain": {"rulebook": "house", "pace": AT_ONCE},
        "wheel": {"rulebook": "roulette", "pace": AT_ONCE},
    }
    with (
        tempfile.TemporaryDirectory() as folder,
        Served(Path(folder) / "room.db", standing=[BOTS], paces={"quick": QUICK}, rooms=rooms,
               bots_think=[0.2, 0.6]) as room,
        Served(Path(folder) / "lobby.db") as lobby,
        sync_playwright() as playwright,
    ):  # fmt: skip
        browser = playwright.chromium.launch(executable_path=where, args=chromium.OPTIONS)
        guests = Guests(browser, room)
        found: Figures = {
            "processors": os.cpu_count(),
            "others": busy,
            "load": loads(browser, lobby, phone=False),
            "phone": loads(browser, lobby, phone=True),
            "screen": events(guests, room),
            "odds": keystrokes(guests, room),
            "dealing": frames(guests, room),
            "spinning": spins(guests, room),
        }
        guests.leave()
        browser.close()
    if "--json" in sys.argv:
        print(json.dumps(found))
    else:
        tell(found)


if __name__ == "__main__":
    main()
