"""Take pictures of every screen of the page, in its states.

    python docs/screenshots.py [NAME ...]

Each is taken in a real room of its own, played into the state by the same helpers that the tests
use, and written to `docs/page/NAME-desktop.png` and `NAME-phone.png`.
"""

import sys
import tempfile
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Self

from playwright.sync_api import Browser, Page, sync_playwright

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser import DESKTOP, PHONE, chromium  # noqa: E402
from tests.browser.guests import Guests  # noqa: E402
from tests.browser.others import Others  # noqa: E402
from tests.server.served import Served  # noqa: E402

SHOTS = ROOT / "docs" / "page"
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

    def open(self, **wanted: Any) -> Served:
        """Open the room, as `Served` does; with nothing said it has the standing tables."""
        room = self._done.enter_context(Served(self._folder / "room.db", **wanted))
        self._guests = Guests(self._browser, room)
        self._done.callback(self._guests.leave)
        return room

    def guest(self, name: str | None, path: str = "/") -> Page:
        """Return the page of a guest, or of nobody, as the picture wants it."""
        return self._guests(name, path, color_scheme="dark", **self._look)

    def others(self) -> Others:
        """Return others, who have no browser."""
        others = Others()
        self._done.callback(others.leave)
        return others


def lobby(stage: Stage) -> Page:
    """Show the lobby as a guest sees it."""
    stage.open()
    page = stage.guest("Ann")
    page.get_by_role("heading", name="california").first.wait_for()
    return page


def door(stage: Stage) -> Page:
    """Show the lobby to who has no name yet."""
    stage.open()
    page = stage.guest(None)
    page.get_by_role("heading", name="california").first.wait_for()
    return page


#: Every picture: what it is called, and what brings a page there.
SCREENS: list[tuple[str, Callable[[Stage], Page]]] = [
    ("lobby", lobby),
    ("door", door),
]


def take(browser: Browser, name: str, bring: Callable[[Stage], Page], look: str) -> None:
    """Take one picture, and say how large it is."""
    file = SHOTS / f"{name}-{look}.png"
    with Stage(browser, LOOKS[look]) as stage:
        page = bring(stage)
        page.wait_for_timeout(400)
        page.screenshot(path=file, animations="disabled")
    print(f"{file.relative_to(ROOT)}  {file.stat().st_size / 1000:.0f} kB")


def main(wanted: list[str]) -> None:
    """Take the pictures that are wanted; all of them, if none is named."""
    found = chromium.find()
    unknown = set(wanted) - {name for name, _ in SCREENS}
    if found is None:
        sys.exit(chromium.MISSING)
    if unknown:
        sys.exit(f"There is no screen {', '.join(sorted(unknown))}.")
    SHOTS.mkdir(exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found, args=chromium.OPTIONS)
        for name, bring in SCREENS:
            if not wanted or name in wanted:
                for look in LOOKS:
                    take(browser, name, bring, look)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
