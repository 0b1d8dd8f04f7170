"""The panels beside a table.

What is above them may grow at any moment: a click whose press and release have such a moment
between them goes nowhere. So these helpers use keys, which reach an element wherever it is.
"""

from playwright.sync_api import Locator, Page


def unfold(page: Page, title: str) -> Locator:
    """Open the panel with this title, unless it is open, and return it."""
    box = page.locator("details", has=page.locator("summary", has_text=title))
    if box.get_attribute("open") is None:
        box.locator("summary").first.press("Enter")
    return box
