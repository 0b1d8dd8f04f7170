"""Ask axe-core what is wrong with a page for people who cannot see it, or not well."""

from functools import cache
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

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
    """Return what is grave, a line for each element, once all that moves has come to rest."""
    first = _violations(page)
    # What changes while axe looks may be caught half-way: only what is still there counts.
    return [line for line in _violations(page) if line in first] if first else []


def _violations(page: Page) -> list[str]:
    page.evaluate(_REST)
    # By the debugger, so that the page's own security policy stays as it is.
    debugger = page.context.new_cdp_session(page)
    debugger.send("Runtime.evaluate", {"expression": _source(), "silent": True})
    debugger.detach()
    violated: list[dict[str, Any]] = page.evaluate(
        "async () => (await axe.run({ resultTypes: ['violations'] })).violations"
    )
    return [
        f"{violation['id']} ({violation['impact']}): {node['target']}: {node['failureSummary']}"
        for violation in violated
        if violation["impact"] in _GRAVE
        for node in violation["nodes"]
    ]
