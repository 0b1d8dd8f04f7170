"""Rounds played over a socket by the guest of a page, so that the page has something to show."""

from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Page

from tests.browser.companions import Companions
from tests.server.player_client import PlayerClient
from tests.server.running_server import RunningServer


def cookie_of(page: Page) -> str:
    """Return the session of a page's guest, as programs send it."""
    (cookie,) = [each for each in page.context.cookies() if "queenhigh" in (each.get("name") or "")]
    return f"{cookie.get('name')}={cookie.get('value')}"


@contextmanager
def at_table(
    companions: Companions, room: RunningServer, table: str, name: str, place: int, cookie: str = ""
) -> Iterator[PlayerClient]:
    """Seat somebody over a socket: another, or with a cookie the guest of a page."""

    async def come() -> PlayerClient:
        person = PlayerClient(room, table, name, cookie)
        await person.arrive()
        await person.sit(place, 200_000)
        return person

    async def go() -> None:
        await person.ask("leave", when="now")
        await person.depart()

    person = companions.do(come())
    try:
        yield person
    finally:
        companions.do(go())


async def play(person: PlayerClient, wagers: dict[str, int], move: str = "play") -> int:
    """Play a round in which nobody else is waited for; return its number."""
    await person.until_phase("betting")
    round = person.round
    await person.bet(wagers)
    if "ante" in wagers:
        await person.until(lambda: person.view["phase"] == "deciding" or _over(person) >= round)
        await person.do("choose", round=round, move=move)
    await person.until_over(round)
    return round


def _over(person: PlayerClient) -> int:
    last = person.view.get("last")
    return int(last["round"]["round"]) if last else 0


async def bank(person: PlayerClient, cents: int, everyone: list[PlayerClient]) -> int:
    """Bank the next round as a person, although others are asked first; return its number."""
    while True:
        await person.until(lambda: person.view["phase"] in ("offering", "betting"))
        if person.view["phase"] == "betting":
            return person.round
        asked, number = person.view["offered_to"], person.view["next_round"]
        (asked_client,) = [client for client in everyone if client.own.get("place") == asked]
        if asked_client is person:
            await asked_client.do("accept_bank", round=number, cents=cents)
        else:
            await asked_client.do("decline_bank", round=number)
        await person.until(lambda before=asked: person.view.get("offered_to") != before)  # type: ignore[misc]
