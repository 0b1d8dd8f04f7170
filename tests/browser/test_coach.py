"""The coach: what it says after a decision, what it does not say before, and its books."""

from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, ViewportSize, expect

import queenhigh as qh
from tests.browser import DESKTOP, SMALL, axe
from tests.browser.announcements import hears
from tests.browser.companions import Companions
from tests.browser.expected_text import (
    DecisionValues,
    cents,
    decision_values,
    dollars,
    rounded,
    text_of,
)
from tests.browser.guests import Guests
from tests.browser.poker import last_hand
from tests.browser.room import UNHURRIED, Room
from tests.browser.rounds import bank, cookie_of
from tests.server.player_client import PlayerClient
from tests.sizes import sized

WAGERS = {
    "california": {"ante": 500, "bonus": 300},
    "house": {"ante": 400, "pair_plus": 100},
}
OTHER = {"play": "Folding", "fold": "Playing"}


class Player:
    """The guest of a page; chips go down over a socket, so that the table may look as it likes."""

    def __init__(self, companions: Companions, room: Room, table: str, page: Page) -> None:
        self.companions, self.page, self.table = companions, page, table
        cookie = "; ".join(f"{each['name']}={each['value']}" for each in page.context.cookies())
        self.person = PlayerClient(room, table, "Ann", cookie)

    def sit(self, place: int) -> None:
        """Take a place."""

        async def come() -> None:
            await self.person.arrive()
            await self.person.sit(place)

        self.companions.do(come())

    def bet(self, wagers: dict[str, int]) -> int:
        """Wait for bets, decline the bank, put wagers down; return the round."""

        async def play() -> int:
            me = self.person
            while True:
                await me.until(lambda: self._asked() or me.view.get("phase") == "betting")
                if me.view["phase"] == "betting":
                    break
                await me.do("decline_bank", round=me.view["next_round"])
                await me.until(lambda: not self._asked())
            round = me.round
            await me.bet(wagers)
            return round

        return self.companions.do(play())

    def _asked(self) -> bool:
        view, own = self.person.view, self.person.own
        return view.get("phase") == "offering" and view.get("offered_to") == own.get("place")

    def dealt(self, game: str, wagers: dict[str, int]) -> DecisionValues:
        """Bet, wait for the cards, and work out the decision."""
        self.round = self.bet(wagers)
        self.companions.do(self.person.until_phase("deciding", self.round))
        hand = " ".join(map(text_of, self.person.own["cards"]))
        shown = self.person.view["round"]["dealer"]
        self.up = " ".join(text_of(card) for card in shown if card is not None)
        return decision_values(game, hand, self.up, wagers)

    def over(self) -> dict[str, Any]:
        """Wait for the end of the round; return the player's part in it."""
        self.companions.do(self.person.until_over(self.round))
        place, last = self.person.own["last_hand"], self.person.view["last"]
        (end,) = [row for row in last["end"]["places"] if row["place"] == place]
        (hand,) = [row for row in last["round"]["hands"] if row["place"] == place]
        return {"net": end["net"], "fee": hand.get("fee", 0), "move": hand.get("move")}

    def choose(self, move: str) -> None:
        """Decide in the page."""
        self.page.get_by_role("button", name=move.capitalize(), exact=True).click()


@contextmanager
def seated(
    companions: Companions, room: Room, table: str, page: Page, place: int
) -> Iterator[Player]:
    player = Player(companions, room, table, page)
    try:
        player.sit(place)
        yield player
    finally:
        companions.do(player.person.depart())


def open_table(room: Room, game: str) -> str:
    """Open a table where the coach is not quiet; in California a bot banks."""
    return room.open_table(game, bots=4 if game == "california" else 0, pace=UNHURRIED)


def coach_of(page: Page) -> Locator:
    return page.get_by_role("region", name="Coach")


SAME = "Playing and folding are worth exactly the same here."


def given(decision: DecisionValues) -> str:
    """Return what the worse move costs, in words."""
    return dollars(rounded(decision.cost)) if rounded(decision.cost) else "less than a cent"


def says(move: str, decision: DecisionValues) -> str:
    """Return how the coach begins, right or wrong."""
    if not decision.cost:
        return SAME
    if move != decision.best:
        better = f"{OTHER[move]} was better by {given(decision)} on average. The dealer"
        is_close = decision.cost * 20 < abs(decision.fold)
        return f"Close – {better[0].lower()}{better[1:]}" if is_close else better
    return f"Right. {other_costs(move, decision)}"


def other_costs(move: str, decision: DecisionValues) -> str:
    return f"{OTHER[move]} would cost you {given(decision)} more on average."


@pytest.mark.parametrize("game", ["california", pytest.param("house", marks=pytest.mark.full)])
def test_values_of_both_moves_and_totals_add_up(
    guest: Guests, companions: Companions, room: Room, game: str
) -> None:
    rounds = sized(2, 4)
    table, wagers = open_table(room, game), WAGERS[game]
    page = guest("Ann", f"/#/table/{table}")
    coach = coach_of(page)
    net, right, mistakes = 0, 0, Fraction(0)
    with seated(companions, room, table, page, 6) as ann:
        for n in range(rounds):
            decision = ann.dealt(game, wagers)
            expect(coach).to_contain_text("Decide first")
            move = decision.worst if n % 2 else decision.best
            ann.choose(move)
            expect(coach).to_contain_text(says(move, decision))
            both = coach.get_by_role("definition")
            for nth, worth in enumerate((decision.play, decision.fold)):
                expect(both.nth(nth)).to_contain_text(dollars(rounded(worth), signed=True))
            end = ann.over()
            net += end["net"] - end["fee"]
            mistakes += decision.cost if move != decision.best else 0
            right += move == decision.best or not decision.cost
            expect(coach).to_contain_text(f"{right} of {n + 1}")
    hears(page, "Coach: ", times=rounds)

    bets, fee = qh.odds(qh.load(game)).bets, {"california": 100, "house": 0}[game]
    start = sum((bets[bet].ev * stake for bet, stake in wagers.items()), Fraction(-fee))
    shown = books(coach, 0)
    assert (shown["net"], shown["mistakes"]) == (net, -rounded(mistakes))
    assert shown["price"] == rounded(rounds * start)
    assert shown["price"] + shown["mistakes"] + shown["luck"] == shown["net"]
    assert books(coach, 1) == shown

    page.reload()
    expect(coach).to_contain_text(f"{right} of {rounds}")
    assert books(coach, 1) == shown, "what this browser has seen stays"
    assert books(coach, 0) == shown, "a reload goes on with the visit"


def books(coach: Locator, column: int) -> dict[str, int]:
    return {
        part: cents(coach.locator(f"td[data-part={part}]").nth(column).inner_text())
        for part in ("price", "mistakes", "luck", "net")
    }


@pytest.mark.full
def test_coach_speaks_before_a_decision_only_on_request(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = open_table(room, "california")
    page = guest("Ann", f"/#/table/{table}")
    coach, asked = coach_of(page), list[Request]()
    page.on("request", lambda sent: asked.append(sent) if "/advice" in sent.url else None)
    with seated(companions, room, table, page, 6) as ann:
        decision = ann.dealt("california", {"ante": 500})
        expect(coach).to_contain_text("Decide first")
        expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
        assert "$" not in coach.inner_text()
        assert asked == []
        coach.get_by_label("Show advice before I decide").check()
        hint = f"{decision.best.capitalize()}. {other_costs(decision.best, decision)}"
        expect(coach).to_contain_text(hint if decision.cost else SAME)
        assert len(asked) == 1
        ann.choose(decision.best)
        expect(coach).to_contain_text(says(decision.best, decision))
        assert len(asked) == 1, "it is weighed once"


@pytest.mark.full
def test_coach_says_when_time_made_the_move(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page = guest("Ann", "/#/table/fleeting")
    with seated(companions, room, "fleeting", page, 3) as ann:
        ann.round = ann.bet({"ante": 100})
        ann.over()
        hand = " ".join(map(text_of, ann.person.own["last_cards"]))
        decision = decision_values("house", hand, "", {"ante": 100})
        coach = coach_of(page)
        before = "Time ran out and your hand was folded. "
        expect(coach).to_contain_text(before + says("fold", decision))


@pytest.mark.full
def test_coach_is_silent_without_a_decision(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = open_table(room, "house")
    page = guest("Ann", f"/#/table/{table}")
    with seated(companions, room, table, page, 6) as ann:
        ann.round = ann.bet({"pair_plus": 100})
        ann.over()
        expect(coach_of(page)).to_contain_text("grade every decision")
        assert "$" not in coach_of(page).inner_text()


def test_coach_is_off_among_people_until_turned_on(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}")
    expect(coach_of(page)).to_be_visible()
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(2))
    expect(page.get_by_text("Coach is off at tables with other people.")).to_be_visible()
    expect(coach_of(page)).to_have_count(0)
    page.get_by_role("button", name="Turn on").click()
    expect(coach_of(page)).to_be_visible()
    page.get_by_role("button", name="Turn off").click()
    expect(coach_of(page)).to_have_count(0)


@pytest.mark.full
def test_coach_counts_while_its_column_is_hidden(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = open_table(room, "house")
    page = guest("Ann", f"/#/table/{table}")
    page.get_by_role("button", name="Hide panel").click()
    line = page.locator(".coached")
    with seated(companions, room, table, page, 6) as ann:
        for _ in range(2):
            decision = ann.dealt("house", WAGERS["house"])
            expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
            expect(line).to_have_count(0)  # nothing of the hand before
            ann.choose(decision.best)
            expect(line).to_have_text(says(decision.best, decision))
            ann.over()
        page.get_by_role("button", name="Show panel").click()
        expect(coach_of(page)).to_contain_text("2 of 2")


@pytest.mark.full
def test_hands_the_bank_may_not_reach_are_not_counted(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("california", pace=UNHURRIED)
    page = guest("Ann", f"/#/table/{table}")
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(2))
    page.get_by_role("button", name="Turn on").click()
    with seated(companions, room, table, page, 6) as ann:
        companions.do(bank(ben, 900, [ben, ann.person]))
        decision = ann.dealt("california", {"ante": 500})
        ann.choose(decision.best)
        short = f"Right, if the bank covers you. {other_costs(decision.best, decision)}"
        if not decision.cost:
            short = f"If the bank covers you: {SAME[0].lower()}{SAME[1:]}"
        expect(coach_of(page)).to_contain_text(short)
        ann.over()
        expect(last_hand(page)).to_have_accessible_name("Round 1")
        page.get_by_role("tab", name="Coach").press("Enter")
        expect(coach_of(page)).not_to_contain_text("Right decisions")
        companions.do(bank(ben, 2_000, [ben, ann.person]))
        decision = ann.dealt("california", {"ante": 500})
        ann.choose(decision.best)
        expect(coach_of(page)).to_contain_text(says(decision.best, decision))
        ann.over()
        expect(coach_of(page)).to_contain_text("1 of 1")


@pytest.mark.full
def test_another_login_starts_its_own_coach_totals(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = open_table(room, "house")
    page = guest("Ann", f"/#/table/{table}")
    coach = coach_of(page)
    with seated(companions, room, table, page, 6) as ann:
        decision = ann.dealt("house", WAGERS["house"])
        ann.choose(decision.best)
        ann.over()
        expect(coach).to_contain_text("1 of 1")
        companions.do(ann.person.do("leave", when="now"))
    was = cookie_of(page)
    (cookie,) = page.context.cookies()
    bob, session = room.guest("Bob")
    token = session.partition("=")[2]
    page.context.add_cookies([{**cookie, "value": token}])  # type: ignore[typeddict-item]
    with room.http(was) as client:
        assert client.delete("/api/sessions").is_success
    expect(page.locator(".who .player")).to_have_text(bob)
    expect(coach).to_contain_text("0 of 0")
    assert set(books(coach, 0).values()) == {0}
    expect(coach).to_contain_text("1 of 1")  # in this browser


@pytest.mark.full
@pytest.mark.parametrize("viewport", [DESKTOP, SMALL], ids=["desktop", "small"])
def test_page_is_accessible(
    guest: Guests, companions: Companions, room: Room, viewport: ViewportSize
) -> None:
    table = open_table(room, "california")
    page = guest("Ann", f"/#/table/{table}", viewport=viewport)
    with seated(companions, room, table, page, 6) as ann:
        decision = ann.dealt("california", WAGERS["california"])
        ann.choose(decision.worst)
        coach = coach_of(page)
        expect(coach).to_contain_text(says(decision.worst, decision))
        ann.over()
        explain = coach.get_by_role("button", name="What are house edge, mistakes and luck?")
        explain.click()
        expect(explain).to_have_attribute("aria-expanded", "true")
        expect(coach).to_contain_text("Luck is everything else")
        coach.get_by_text("Best strategy").click()
        expect(coach).to_contain_text("10-7-5 or better")
        wide = "document.documentElement.scrollWidth <= innerWidth"
        assert page.evaluate(wide), "nothing goes over the edge"
        assert axe.violations(page) == []
