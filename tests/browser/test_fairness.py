"""Rounds proved in the browser: what fits, and everything that does not."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from queenhigh.table.fairness import link_before
from tests.browser import axe, every_width
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.panels import unfold
from tests.browser.room import Room
from tests.browser.rounds import at_table, bank, cookie_of, play
from tests.browser.ws_proxy import change_messages

Json = dict[str, Any]
WAGERS = {
    "house": {"ante": 400, "pair_plus": 100},
    "california": {"ante": 500, "bonus": 100},
    "roulette": {"red": 500, "straight 17": 100},
}
#: What is proved of a round that the player saw from the start, with a seed of their own.
COMMON = [
    *("round", "rules", "commitment", "chain", "shown", "fixed"),
    *("places", "hidden", "players", "seed", "deal"),
]
ENDS = ["settlement", "sum", "wagers", "result"]
GAMES = [
    "house",
    pytest.param("california", marks=pytest.mark.full),
    pytest.param("roulette", marks=pytest.mark.full),
]
POKER = [*COMMON, "cards", "seats"]
CHECKS = {
    "house": [*POKER, *ENDS],
    "california": [*POKER, "settlement", "bank", "sum", "fees", "wagers", "result"],
    "roulette": [*COMMON, *ENDS],
}


def panel(page: Page) -> Locator:
    """Return the panel beside a table, opened."""
    region = unfold(page, "Provably fair").get_by_role("region", name=re.compile("^Fair "))
    own = region.locator("details", has_text="unhidden")
    if own.count() and own.get_attribute("open") is None:
        own.locator("summary").press("Enter")
    return region


def wait_for_commitment(page: Page, shown: str) -> None:
    """Wait until the page has seen that bets are open, and has added a seed if it should."""
    expect(panel(page).locator(f'[data-commitment="{shown}"]')).to_be_visible()
    if panel(page).get_by_label("every round").is_checked():
        expect(panel(page).get_by_text("You added")).to_be_visible()


@contextmanager
def seated(
    page: Page, companions: Companions, room: Room, table: str
) -> Iterator[Callable[[], int]]:
    """Seat Ann, whose page it is; give a function that plays a round before her eyes."""
    game = table.partition("-")[0]
    with ExitStack() as seats:
        ann = seats.enter_context(at_table(companions, room, table, "Ann", 5, cookie_of(page)))
        if game == "california":
            ben = seats.enter_context(at_table(companions, room, table, "Ben", 3))

        def play_one() -> int:
            if game == "california":
                companions.do(bank(ben, 20_000, [ann, ben]))
            companions.do(ann.until_phase("betting"))
            wait_for_commitment(page, ann.view["round"]["commitment"])
            round = companions.do(play(ann, WAGERS[game]))
            if game == "roulette":  # the wheel has come to rest
                expect(page.get_by_role("region", name=f"Round {round}")).to_be_visible()
            return round

        yield play_one
        page.wait_for_load_state("networkidle")


def add_seed(page: Page, seed: str) -> None:
    panel(page).get_by_label(re.compile("Your text|Other text")).fill(seed)
    panel(page).get_by_role("button", name="Add my text").click()
    expect(panel(page).get_by_text(f"“{seed}”")).to_be_visible()


def verify(page: Page, round: int) -> dict[str, bool | None]:
    """Click on Verify; return what fits and what does not, by name."""
    opened = page.get_by_role("button", name=f"Close the proof of round {round}", exact=True)
    if opened.count():
        opened.press("Enter")
    page.get_by_role("button", name=f"Verify round {round}", exact=True).press("Enter")
    expect(page.locator("[data-check]").first).to_be_visible()
    listed = page.locator("[data-check]").evaluate_all(
        "all => all.map(one => [one.dataset.check, JSON.parse(one.dataset.fits)])"
    )
    return dict(listed)


# What fits


@pytest.mark.parametrize("game", GAMES)
def test_a_round_is_proved_from_commitment_to_cents(
    guest: Guests, companions: Companions, room: Room, game: str
) -> None:
    table = room.open_table(game)
    page = guest("Ann", f"/#/table/{table}")
    with seated(page, companions, room, table) as play_one:
        expect(panel(page).get_by_label("Your text for this round")).to_be_visible()
        if game == "california":
            panel(page).get_by_label("every round").check()
        else:
            add_seed(page, "lucky ♣ seed")
        round = play_one()
        checks = verify(page, round)
        assert list(checks) == CHECKS[game]
        assert set(checks.values()) == {True}
        expect(
            page.get_by_text("Verified: this round was played and paid fairly.", exact=True).first
        ).to_be_visible()
        expect(page.get_by_text("your browser's SHA-256")).to_be_visible()


@pytest.mark.full
def test_wheel_proofs_do_not_mention_cards(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    page = guest("Ann", f"/#/table/{table}")
    with seated(page, companions, room, table) as play_one:
        round = play_one()
        verify(page, round)
        expect(page.locator('[data-check="wagers"]')).to_contain_text(
            "Your bets are as you made them: Red $5.00, Straight 17 $1.00."
        )
        expect(panel(page)).to_contain_text("The seed gives the pocket of the round.")
        expect(panel(page)).to_contain_text("works out the pocket, and settles every bet")
        assert re.findall("card|deal|deck|hand|wager", panel(page).text_content() or "") == []
    page.goto(f"/#/history/{table}/{round}")
    proof = page.get_by_role("region", name=f"Round {round} at {table}")
    expect(proof).to_contain_text("works out the pocket, and settles every bet")


@pytest.mark.full
def test_random_seed_is_added_to_every_round_on_request(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}")
    with seated(page, companions, room, table) as play_one:
        first = play_one()
        panel(page).get_by_label("every round").check()
        expect(panel(page).get_by_text("You added")).to_be_visible()
        second = play_one()
        page.reload()
        expect(panel(page).get_by_label("every round")).to_be_checked()
        expect(panel(page).get_by_text("You added")).to_be_visible()
        third = play_one()
        assert verify(page, third)["seed"] is True
        with room.http() as client:
            seeds = [
                client.get(f"/api/tables/{table}/rounds/{n}").json()["seeds"]
                for n in (first, second, third)
            ]
    assert seeds[0] == {}
    assert list(seeds[1]) == list(seeds[2]) == ["5"]
    assert len(seeds[1]["5"]) == 20
    assert seeds[1] != seeds[2]


@pytest.mark.full
def test_two_windows_may_both_add_a_seed(guest: Guests, companions: Companions, room: Room) -> None:
    """Of two seeds of one place the later one counts, whichever window it came from."""
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}")
    twin = page.context.new_page()
    twin.goto(page.url)
    with seated(page, companions, room, table) as play_one:
        add_seed(page, "from here")
        add_seed(twin, "from there")
        round = play_one()
        for window in (page, twin):
            panel(window)
            assert verify(window, round)["seed"] is True
            expect(window.locator('[data-check="seed"]')).to_contain_text("“from there”")


def test_proof_says_when_the_window_did_not_watch(
    guest: Guests, companions: Companions, room: Room
) -> None:
    page, table = guest("Ann", None), room.open_table("house")
    with at_table(companions, room, table, "Ann", 2, cookie_of(page)) as ann:
        round = companions.do(play(ann, WAGERS["house"]))
    page.goto(f"/#/table/{table}")
    panel(page)
    checks = verify(page, round)
    assert checks["shown"] is None
    assert "cards" not in checks
    assert checks["settlement"] is True
    expect(page.get_by_text("wasn't watching while bets were open")).to_be_visible()


def wait_until_seen(page: Page, spot: str) -> None:
    """Wait until the page has seen a bet of its guest's."""
    page.wait_for_function("spot => sessionStorage['queenhigh.seen']?.includes(spot)", arg=spot)


@pytest.mark.full
def test_changing_seats_adds_a_new_seed(guest: Guests, companions: Companions, room: Room) -> None:
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}")
    with at_table(companions, room, table, "Ann", 3, cookie_of(page)) as ann:
        panel(page).get_by_label("every round").check()
        added = panel(page).get_by_text("You added")
        expect(added).to_be_visible()
        companions.do(ann.do("leave", when="now"))
        expect(added).to_have_count(0)
        companions.do(ann.sit(5))
        expect(panel(page).get_by_text("Your seed is sent")).to_be_visible()
        expect(added).to_be_visible()
        round = companions.do(play(ann, WAGERS["house"]))
        checks = verify(page, round)
        assert list(checks) == CHECKS["house"]
        assert set(checks.values()) == {True}


@pytest.mark.full
def test_withdrawn_bets_belong_to_nobody(guest: Guests, companions: Companions, room: Room) -> None:
    """A player who takes over a place bets there on their own account."""
    table = room.open_table("roulette")
    page = guest("Ann", f"/#/table/{table}")
    with (
        at_table(companions, room, table, "Ann", 2, cookie_of(page)) as ann,
        at_table(companions, room, table, "Ben", 3) as ben,
    ):
        companions.do(ann.until_phase("betting"))
        companions.do(ann.bet({"red": 500}, ready=False))
        wait_until_seen(page, "red")
        companions.do(ann.do("leave", when="now"))
        companions.do(ben.do("leave", when="now"))
        companions.do(ben.sit(2))
        rounds = [companions.do(play(ben, {"black": 100}))]
        # The wheel is spun as soon as the last player it waited for has gone.
        companions.do(ann.sit(5))
        companions.do(ann.until_phase("betting"))
        rounds.append(ann.round)
        companions.do(ann.bet({"odd": 500}, ready=False))
        wait_until_seen(page, "odd")
        companions.do(ben.bet({"black": 100}))
        companions.do(ann.do("leave", when="now"))
        companions.do(ben.until_over(rounds[-1]))
        unfold(page, "Provably fair")  # what Ann added herself goes away with her, at any moment
        for round in rounds:
            checks = verify(page, round)
            assert list(checks) == [*COMMON[:7], "players", "deal", "settlement", "sum", "result"]
            # Only programs are left.
            assert (checks.pop("places"), checks.pop("players")) == (None, None)
            assert set(checks.values()) == {True}
        companions.do(ann.sit(5))


def test_invalid_seeds_show_an_error(guest: Guests, companions: Companions, room: Room) -> None:
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}")
    with seated(page, companions, room, table):
        seed = panel(page).get_by_label("Your text for this round")
        unseen = "👩\u200d🚀"
        for text, message in (
            ("", "at least one letter"),
            ("♣" * 22, "this one has 66"),
            (unseen, "invisible characters (found U+200D"),
        ):
            seed.fill(text)
            panel(page).get_by_role("button", name="Add my text").click()
            expect(panel(page).get_by_role("alert")).to_contain_text(message)
            expect(seed).to_have_value(text)


# What does not fit


def other_card(proof: Json) -> None:
    proof["cards"][0] = (proof["cards"][0] + 1) % 52


def other_amount(proof: Json) -> None:
    end = proof["end"]["places"][0]
    (end.get("wagers") or end["bets"])[0]["net"] += 100


def other_seed(proof: Json) -> None:
    """A seed and its commitment that fit each other, and were not shown before bets closed."""
    seed = bytes(32)
    made = link_before(proof["table"], proof["chain"], proof["link"], seed).hex()
    proof |= {"seed": seed.hex(), "commitment": made}
    proof["end"]["seed"] = seed.hex()


def kinder_rules(proof: Json) -> None:
    proof["rulebook"]["title"] += " today"


def other_stake(proof: Json) -> None:
    proof["hands"][0]["wagers"][0]["cents"] += 100


def swapped_hands(proof: Json) -> None:
    proof["cards"] = proof["cards"][-3:] + proof["cards"][:-3]


TAMPERING: dict[str, dict[str, tuple[Callable[[Json], None], set[str]]]] = {
    "house": {
        "a card": (other_card, {"deal", "cards"}),
        "hands": (swapped_hands, {"deal", "cards"}),
        "the commitment": (lambda p: p.update(commitment="00" * 32), {"commitment", "shown"}),
        "the seed": (lambda p: p.update(seed="00" * 32), {"commitment", "deal"}),
        "both": (other_seed, {"chain", "shown", "deal"}),
        "a link": (lambda p: p.update(link=2), {"commitment", "chain"}),
        "never committed": (lambda p: p["committed"].clear(), {"places", "hidden", "deal"}),
        "left out": (lambda p: p["committed"][0].update(shown=None), {"places", "hidden", "deal"}),
        "scheme 1": (lambda p: p.update(chain=0, link=0), {"commitment", "chain"}),
        "a place's seed": (lambda p: p["seeds"].update({"5": "other"}), {"seed", "deal"}),
        "no seed": (lambda p: p["seeds"].clear(), {"seed", "deal"}),
        "another's seed": (lambda p: p["seeds"].update({"1": "late"}), {"deal"}),
        "the rules": (kinder_rules, {"rules"}),
        "an amount": (other_amount, {"settlement", "result"}),
        "the total": (lambda p: p["end"].update(net=12345), {"sum", "result"}),
        "a stake": (other_stake, {"settlement", "wagers"}),
        "the move": (lambda p: p["hands"][0].update(move="fold"), {"settlement", "wagers"}),
        "a fee": (lambda p: p["fees"].append({"place": 5, "cents": 100}), {"fees"}),
        "the round": (lambda p: p.update(round=2), {"round", "chain"}),
        "the table": (lambda p: p.update(table="ca"), {"round", "commitment"}),
        "a void": (lambda p: p.update(ended="voided"), {"round", "settlement"}),
        "nothing at all": (lambda p: p.clear(), {"round", "rules", "commitment", "settlement"}),
    },
    "california": {
        "the bank": (lambda p: p.update(bank=1_000_000), {"bank"}),
        "what is left": (lambda p: p["end"].update(bank_left=0), {"bank", "result"}),
        "a fee": (lambda p: p["fees"][0].update(cents=1), {"fees"}),
        "the seat": (lambda p: p["hands"][0].update(seat=3), {"seats", "settlement"}),
        "the start": (lambda p: p.update(first=2), {"seats"}),
    },
    "roulette": {
        "the pocket": (lambda p: p.update(pocket="17x"), {"deal"}),
        "an amount": (other_amount, {"settlement", "result"}),
        "a bet": (lambda p: p["hands"][0]["wagers"].pop(), {"settlement", "wagers"}),
    },
}


@contextmanager
def tampered(page: Page, change: Callable[[Json], None]) -> Iterator[None]:
    def answer(route: Route) -> None:
        response = route.fetch()
        proof = response.json()
        change(proof)
        route.fulfill(response=response, json=proof)

    page.route("**/rounds/*", answer)
    yield
    page.unroute("**/rounds/*")


@pytest.mark.full
@pytest.mark.parametrize("game", GAMES)
def test_tampered_proofs_are_detected(
    guest: Guests, companions: Companions, room: Room, game: str
) -> None:
    table = room.open_table(game)
    page = guest("Ann", f"/#/table/{table}")
    with seated(page, companions, room, table) as play_one:
        panel(page).get_by_label("every round").check()
        round = play_one()
        assert set(verify(page, round).values()) == {True}
        for what, (change, expected) in TAMPERING[game].items():
            with tampered(page, change):
                checks = verify(page, round)
            wrong = {name for name, fits in checks.items() if fits is False}
            assert wrong >= expected, f"{what}: {checks}"
            expect(page.get_by_text(re.compile("(doesn't|don't) match\\.$")).first).to_be_visible()
            expect(
                page.get_by_text("Verified: this round was played and paid fairly.", exact=True)
            ).to_have_count(0)
        assert set(verify(page, round).values()) == {True}


def into_prison(hands: list[Json], end: Json) -> None:
    """Settle fresh bets on red as if a zero before had put them in prison."""
    for hand, place in zip(hands, end["places"], strict=True):
        for bet, row in zip(hand["wagers"], place["bets"], strict=True):
            net = min(row["net"], 0) - row.pop("held", 0)
            end["net"] -= net - row["net"]
            place["net"] += net - row["net"]
            bet["in_prison"] = True
            row |= {"in_prison": True, "net": net, "clause": "RO-22"}


@pytest.mark.full
def test_fresh_bet_shown_in_prison_is_detected(
    guest: Guests, companions: Companions, room: Room
) -> None:
    """Where bets can be held, a table could say so of one that wins, and pay nothing."""

    def lie(text: str) -> str:
        said: Json = json.loads(text)
        if "last" in said.get("view", {}):
            into_prison(said["view"]["last"]["round"]["hands"], said["view"]["last"]["end"])
        return json.dumps(said)

    page = guest("Ann", None)
    table = room.open_table("roulette-european", {"zero.on_zero": "en_prison"})
    change_messages(page, table, lie)
    with at_table(companions, room, table, "Ann", 5, cookie_of(page)) as ann:
        companions.do(ann.until_phase("betting"))
        wait_for_commitment(page, ann.view["round"]["commitment"])
        round = ann.round
        companions.do(ann.bet({"red": 500}, ready=False))
        wait_until_seen(page, "red")
        companions.do(ann.bet({}))
        expect(page.get_by_role("region", name=f"Round {round}")).to_be_visible()
        with tampered(page, lambda proof: into_prison(proof["hands"], proof["end"])):
            checks = verify(page, round)
        assert {name for name, fits in checks.items() if fits is False} == {"wagers"}
        expect(page.locator('[data-check="wagers"]')).to_contain_text(
            "You had Red $5.00; the proof says Red $5.00 in prison."
        )
        assert verify(page, round)["wagers"] is True


@pytest.mark.full
def test_mismatches_are_shown_clearly(guest: Guests, companions: Companions, room: Room) -> None:
    table = room.open_table("roulette")
    page = guest("Ann", f"/#/table/{table}")
    with seated(page, companions, room, table) as play_one:
        round = play_one()
        with room.http() as client:
            pocket = client.get(f"/api/tables/{table}/rounds/{round}").json()["pocket"]
        other = "0" if pocket != "0" else "1"
        with tampered(page, lambda proof: proof.update(pocket=other)):
            verify(page, round)
        item = page.locator('[data-check="deal"]')
        expect(item).to_contain_text("The pocket doesn't follow from the seeds.")
        expect(item).to_contain_text(f"The seeds give {pocket}; the proof says {other}.")


def test_missing_round_shows_an_error(guest: Guests, room: Room) -> None:
    guest.allow("404 (Not Found)")
    page = guest(None, "/#/history/house/99")
    expect(page.get_by_role("alert")).to_have_text("There is no such round that is over.")
    expect(page.get_by_role("button", name="Try again")).to_be_visible()


@pytest.mark.full
def test_round_is_proved_without_web_crypto(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}")
    page.add_init_script("Object.defineProperty(Crypto.prototype, 'subtle', { value: undefined })")
    page.reload()
    with seated(page, companions, room, table) as play_one:
        add_seed(page, "plain http")
        round = play_one()
        checks = verify(page, round)
        assert set(checks.values()) == {True}
        expect(page.get_by_text("the page's own SHA-256")).to_be_visible()
        with tampered(page, other_card):
            assert verify(page, round)["deal"] is False


# For everybody


@pytest.mark.full
@every_width
def test_page_is_accessible(
    guest: Guests, companions: Companions, room: Room, viewport: dict[str, int]
) -> None:
    table = room.open_table("house")
    page = guest("Ann", f"/#/table/{table}", viewport=viewport)
    with seated(page, companions, room, table) as play_one:
        add_seed(page, "my own")
        round = play_one()
        panel(page).get_by_text("How this works").click()
        with tampered(page, other_card):
            verify(page, round)
        panel(page).get_by_text("The values").click()
        assert axe.violations(page) == []
        width = page.evaluate("() => document.documentElement.scrollWidth")
        assert width <= viewport["width"]
