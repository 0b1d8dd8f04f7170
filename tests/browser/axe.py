"""Ask axe-core what is wrong with a page for people who cannot see it, or not well."""

from functools import cache
from pathlib import Path
from typing import Any, Literal

from playwright.sync_api import Page

Theme = Literal["light", "dark"]

_FILE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_GRAVE = ("serious", "critical")
#: What fades in has its colours afterwards. What a second is not enough for is not waited for: a
#: clock that runs, or a change whose element went away before it was drawn.
_REST = """() => Promise.race([
    Promise.allSettled(document.getAnimations().map((one) => one.finished)).then(() => null),
    new Promise((done) => setTimeout(done, 1000)),
])"""


@cache
def _source() -> str:
    return _FILE.read_text("utf-8")


def violations(page: Page) -> list[str]:
    """Return what is grave in either theme, a line for each element, once nothing moves any more.

    Another theme is other colours and nothing else, so that only the contrast is asked for again.
    """
    light = page.evaluate("matchMedia('(prefers-color-scheme: light)').matches")
    own: Theme = "light" if light else "dark"
    other: Theme = "dark" if light else "light"
    grave = _lasting(page, {})
    page.emulate_media(color_scheme=other)
    grave += [f"{other}: {line}" for line in _lasting(page, {"runOnly": ["color-contrast"]})]
    page.emulate_media(color_scheme=own)
    return grave


def _lasting(page: Page, options: dict[str, Any]) -> list[str]:
    first = _violations(page, options)
    # What changes while axe looks may be caught half-way: only what is still there counts.
    return [line for line in _violations(page, options) if line in first] if first else []


def _violations(page: Page, options: dict[str, Any]) -> list[str]:
    page.evaluate(_REST)
    if not page.evaluate("'axe' in window"):
        # By the debugger, so that the page's own security policy stays as it is.
        debugger = page.context.new_cdp_session(page)
        debugger.send("Runtime.evaluate", {"expression": _source(), "silent": True})
        debugger.detach()
    violated: list[dict[str, Any]] = page.evaluate(
        "async (options) => (await axe.run(options)).violations",
        {"resultTypes": ["violations"], **options},
    )
    return [
        f"{violation['id']} ({violation['impact']}): {node['target']}: {node['failureSummary']}"
        for violation in violated
        if violation["impact"] in _GRAVE
        for node in violation["nodes"]
    ]
