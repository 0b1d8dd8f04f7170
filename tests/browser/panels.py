"""The panels beside a table.

What is above them may grow at any moment: a click whose press and release have such a moment
between them goes nowhere. So these helpers use keys, which reach an element wherever it is.
"""

from playwright.sync_api import Locator, Page


def unfold(page: Page, title: str) -> Locator:
    """Open the panel with this title, and the menu it may be in, and return it."""
    box = page.locator("details:not(.menu)", has=page.locator("summary", has_text=title))
    box.wait_for(state="attached")
    menu = page.locator("details.menu", has=box)
    for panel in (menu, box):
        if panel.count() and panel.get_attribute("open") is None:
            panel.locator("summary").first.press("Enter")
    return box
