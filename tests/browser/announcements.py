"""What a page says to players who cannot see it: the live region, whose words do not stay."""

import re

from playwright.sync_api import Page

#: Keeps everything the live region ever said; for a page that is not opened yet.
LISTEN = """(() => {
    window.heard = [];
    let last = "";
    new MutationObserver(() => {
        const said = document.querySelector("[role=status][aria-live]")?.textContent ?? "";
        if (said && said !== last) window.heard.push(said);
        last = said;
    }).observe(document, { subtree: true, childList: true, characterData: true });
})()"""


def hears(page: Page, said: str | re.Pattern[str], times: int = 1) -> None:
    """Wait until the page has said this so often; whether it still says it does not matter."""
    pattern = said.pattern if isinstance(said, re.Pattern) else re.escape(said)
    page.wait_for_function(
        """([pattern, times]) => window.heard.filter((said) => new RegExp(pattern).test(said))
            .length >= times""",
        arg=[pattern, times],
    )
