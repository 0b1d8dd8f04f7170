"""A round at the house's table, and another end of it on its way to the page."""

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import poker
from tests.browser.ws_proxy import change_messages

Json = dict[str, Any]


def with_ends(page: Page, table: str, change: Callable[[Json, Json], None]) -> None:
    """Go to a table whose last round is changed on its way to this page."""

    def changed(text: str) -> str:
        message = json.loads(text)
        if last := message.get("view", {}).get("last"):
            change(last, message.get("own", {}))
        return json.dumps(message)

    change_messages(page, table, changed)


def with_end(page: Page, table: str, mine: str, dealer: str, wagers: list[Json]) -> None:
    """Go to a table where a round ends with these cards and for everyone like this."""

    def end(last: Json, own: Json) -> None:
        last["round"]["dealer"], own["last_cards"] = cards(dealer), cards(mine)
        for hand in last["round"]["hands"]:
            hand["cards"] = cards(mine)
        for place in last["end"]["places"]:
            place |= {"wagers": wagers, "net": sum(wager["net"] for wager in wagers)}

    with_ends(page, table, end)


def cards(text: str) -> list[int]:
    return [4 * "23456789TJQKA".index(r) + "cdhs".index(s) for r, s in map(tuple, text.split())]


def outcome(wager: str, net: int, clause: str) -> Json:
    stake = 0 if wager == "ante_bonus" else 100
    return {"wager": wager, "stake": stake, "action": abs(net), "net": net, "clause": clause}


def play(page: Page, meanwhile: Callable[[], None] = lambda: None) -> None:
    """Play a round; something may happen before one decides."""
    poker.sit(page)
    poker.bet(page, "Ante")
    expect(poker.button(page, "Play")).to_be_visible()
    meanwhile()
    poker.button(page, "Play").click()
