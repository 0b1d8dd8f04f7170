"""Guests of a room, each with a browser of their own; what goes wrong in their pages is kept."""

from typing import Any, Protocol

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page

from tests.browser import DESKTOP, announcements

_PATIENCE = 60_000
#: For a guest who sees everything move.
MOTION: dict[str, Any] = {"reduced_motion": "no-preference"}
#: What a browser says where a test takes the room away.
NO_CONNECTION = (
    "ERR_CONNECTION_REFUSED", "ERR_INTERNET_DISCONNECTED", "WebSocket connection to", "/readyz",
    "/api/me/corrections", "An unknown error occurred when fetching the script",
)  # fmt: skip


class Entered(Protocol):
    """A room that guests can enter."""

    address: str

    def guest(self, name: str) -> tuple[str, str]:
        """Enter as a guest; return the name and the cookie."""


class Guests:
    """Call it with a name and a path: a page, entered as that guest, at that path.

    Without a name nobody has entered yet; without a path the page is still empty. A name that is
    taken gets a number; :meth:`name_of` returns the name that a page's guest has. ``context`` is
    for the browser's context: a viewport, ``color_scheme="light"``, ``has_touch=True``; ``usual``
    is for all of them.
    """

    def __init__(self, browser: Browser, room: Entered | None, **usual: Any) -> None:
        self._browser, self._room, self._usual = browser, room, usual
        self._names: dict[Page, str] = {}
        self._contexts: list[BrowserContext] = []
        self._allowed: list[str] = []
        self._wrong: list[str] = []

    def __call__(
        self,
        name: str | None,
        path: str | None = "/",
        *,
        room: Entered | None = None,
        **context: Any,
    ) -> Page:
        """Open a page in a context of its own."""
        room = room or self._room
        assert room is not None
        usual = {"viewport": DESKTOP, "base_url": room.address, **self._usual}
        made = self._browser.new_context(**{**usual, **context})
        made.set_default_timeout(_PATIENCE)
        self._contexts.append(made)
        if name is not None:
            name, cookie = room.guest(name)
            cookie, _, token = cookie.partition("=")
            # Loopback counts as secure, but not for a cookie that is set from outside the page.
            place = room.address.replace("http:", "https:")
            made.add_cookies([{"name": cookie, "value": token, "url": place, "secure": True}])
        else:
            self.allow("401 (Unauthorized)")
        made.add_init_script(announcements.LISTEN)
        page = made.new_page()
        page.on("console", lambda said: self._hear(name, said))
        page.on("pageerror", lambda error: self._wrong.append(f"{name}: {error}"))
        if path is not None:
            page.goto(path)
        if name is not None:
            self._names[page] = name
        return page

    def name_of(self, page: Page) -> str:
        """Return the name under which the guest of a page has entered."""
        return self._names[page]

    def allow(self, *texts: str) -> None:
        """Allow errors that contain one of these texts."""
        self._allowed += texts

    def _hear(self, name: str | None, said: ConsoleMessage) -> None:
        if said.type == "error":
            self._wrong.append(f"{name}: {said.text} {said.location.get('url', '')}")

    def wrong(self) -> list[str]:
        """Return the errors in all pages that no test allowed."""
        return [line for line in self._wrong if not any(text in line for text in self._allowed)]

    def leave(self) -> None:
        """Close all pages."""
        for context in self._contexts:
            context.close()
