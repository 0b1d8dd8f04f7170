"""The wheel: every bet of a rulebook can be made and is settled as an oracle of our own says."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser import SMALL
from tests.browser.companions import Companions
from tests.browser.guests import Guests
from tests.browser.room import SNAKE, Room
from tests.browser.roulette_page import Seat, take_seat, until_zero
from tests.browser.rounds import cookie_of, play
from tests.browser.wheel_oracle import Bet, money, offered, words
from tests.browser.ws_proxy import change_messages
from tests.server.player_client import PlayerClient

BOOKS = [
    "roulette",
    pytest.param("roulette-european", marks=pytest.mark.full),
    pytest.param("roulette-american", marks=pytest.mark.full),
]


@pytest.fixture
def seat(guest: Guests, room: Room) -> Seat:
    """Return a seat at the house's wheel, with nothing that moves."""
    return take_seat(guest, room.open_table("roulette"))


# Bets


@pytest.mark.full
@pytest.mark.parametrize("rulebook", BOOKS)
def test_every_bet_can_be_placed_and_is_settled(guest: Guests, room: Room, rulebook: str) -> None:
    seat, bets = take_seat(guest, room.open_table(rulebook)), offered(rulebook)
    if rulebook != "roulette":  # there, all the rest is bet
        bets = {name: bet for name, bet in bets.items() if name not in offered("roulette")}
    seat.press(*(bet.label for bet in bets.values()))
    assert seat.bets() == dict.fromkeys(bets, "$1.00")
    pocket = seat.spin()
    expect(seat.page.get_by_text(words(pocket)).first).to_be_visible()
    assert sorted(seat.settled()) == sorted(bet.sentence(pocket, 100) for bet in bets.values())
    net = sum(bet.net(pocket, 100) for bet in bets.values())
    expect(seat.page.get_by_text(f"Stack {money(100_000 + net)}")).to_be_visible()


@pytest.mark.parametrize("rulebook", BOOKS)
def test_only_the_bets_of_the_rulebook_are_offered(
    guest: Guests, room: Room, rulebook: str
) -> None:
    seat, bets = take_seat(guest, room.open_table(rulebook)), offered(rulebook)
    read = "spots => spots.map((spot) => spot.getAttribute('aria-label'))"
    labels = seat.layout.get_by_role("button").evaluate_all(read)
    assert sorted(labels) == sorted(bet.label for bet in bets.values())
    expect(seat.page.get_by_role("group", name="More bets")).to_have_count(0)
    kinds = seat.page.get_by_label("Bet", exact=True).locator("option").all_inner_texts()
    assert len(kinds) == len(set(kinds))
    named = {"Dozen" if re.match(r"\d\w\w 12$", name) else name.split()[0] for name in bets}
    assert {kind.split()[0] for kind in kinds} == named


def test_bet_without_a_layout_spot_is_a_button(guest: Guests) -> None:
    seat = take_seat(guest, "snake")
    bet = Bet("Snake", 2, frozenset(map(str, SNAKE)))
    more = seat.page.get_by_role("group", name="More bets").get_by_role("button")
    expect(more).to_have_count(1)
    expect(more).to_have_text("Snake, 1, 5, 9, 12, 14, 16, 19, 23, 27, 30, 32 and 34, pays 2 to 1")
    more.click()
    more.click()
    assert seat.bets() == {"Snake": "$2.00"}
    pocket = seat.spin()
    assert seat.settled() == [bet.sentence(pocket, 200)]


def test_button_names_the_numbers_of_a_bet_once(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette-european", {"zeros": 2}))
    more = seat.page.get_by_role("group", name="More bets")
    expect(
        more.get_by_role("button", name="Split 0 and 3, pays 17 to 1", exact=True)
    ).to_be_visible()


def test_bet_is_placed_by_name(seat: Seat) -> None:
    form = seat.page.get_by_role("form", name="Place a bet by name")
    form.get_by_label("Bet", exact=True).select_option("Corner")
    form.get_by_label("Numbers").select_option("22, 23, 25 and 26")
    form.get_by_label("Amount in dollars").fill("2.50")
    form.get_by_role("button", name="Add").click()
    form.get_by_label("Bet", exact=True).select_option("Black")
    form.get_by_role("button", name="Add").click()
    assert seat.bets() == {"Corner 22, 23, 25 and 26": "$2.50", "Black": "$2.50"}
    seat.button("Remove Black").click()
    pocket = seat.spin()
    assert seat.settled() == [offered("roulette")["Corner 22, 23, 25 and 26"].sentence(pocket, 250)]


@pytest.mark.full
def test_undo_clear_rebet_and_double(seat: Seat) -> None:
    seat.spot("Red").click()
    seat.choose("$5.00")
    seat.spot("Straight 17").click()
    seat.spot("Red").click()
    assert seat.bets() == {"Red": "$6.00", "Straight 17": "$5.00"}
    seat.button("Undo").click()
    assert seat.bets() == {"Red": "$1.00", "Straight 17": "$5.00"}
    expect(seat.page.get_by_text("Stack $994.00")).to_be_visible()
    expect(seat.page.get_by_role("list", name="Players")).to_contain_text("You $994.00")
    seat.button("Double").click()
    assert seat.bets() == {"Red": "$2.00", "Straight 17": "$10.00"}
    seat.button("Clear").click()
    assert seat.bets() == {}
    seat.button("Undo").click()
    expect(seat.page.get_by_text("Bet $12.00")).to_be_visible()
    expect(seat.button("Rebet")).to_be_disabled()
    seat.spin()
    expect(seat.page.get_by_text("Bet $0.00")).to_be_visible()
    seat.button("Rebet").click()
    assert seat.bets() == {"Red": "$2.00", "Straight 17": "$10.00"}
    pocket, bets = seat.spin(), offered("roulette")
    expected = [bets["Red"].sentence(pocket, 200), bets["Straight 17"].sentence(pocket, 1000)]
    assert sorted(seat.settled()) == sorted(expected)


def test_rebet_does_not_add_to_placed_bets(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    seat = take_seat(guest, table)
    seat.spot("Red").click()
    seat.spin()
    expect(seat.button("Rebet")).to_be_enabled()
    ann = PlayerClient(room, table, "Ann", cookie_of(seat.page))

    async def bet() -> None:
        """Do as the page itself does when time is nearly over: bets are down, but not ready."""
        async with ann:
            await ann.until_phase("betting", 2)
            await ann.bet({"red": 100}, ready=False)

    companions.do(bet())
    expect(seat.page.get_by_text("Bet $1.00")).to_be_visible()
    expect(seat.button("Rebet")).to_be_disabled()


@pytest.mark.full
def test_last_numbers_and_bets_survive_a_reload(guest: Guests, seat: Seat) -> None:
    came: list[str] = []
    for name in ("Red", "Straight 17", "1 to 18"):
        seat.spot(name).click()
        came.insert(0, seat.spin())
    numbers = seat.page.get_by_role("list", name="Last numbers").get_by_role("listitem")
    seat.page.reload()
    expect(numbers).to_have_text([re.compile(f"^{pocket}, ") for pocket in came])
    seat.button("Rebet").click()
    assert seat.bets() == {"1 to 18": "$1.00"}
    visitor = guest("Visitor", f"/#{seat.page.url.partition('#')[2]}")
    numbers = visitor.get_by_role("list", name="Last numbers").get_by_role("listitem")
    expect(numbers).to_have_text([re.compile(f"^{pocket}, ") for pocket in came])


def test_clause_of_a_bet_is_shown_on_request(seat: Seat) -> None:
    seat.spot("Straight 00").click()
    seat.spin()
    seat.button("RO-1").click()
    expect(seat.page.get_by_text("Straight-up, one number, pays 35 to 1.")).to_be_visible()


def test_limits_are_checked_before_sending(seat: Seat) -> None:
    seat.choose("$100.00")
    seat.spot("Red").click()
    seat.spot("Red").click()
    most = "Red would be $200.00: the most on one bet here is $100.00."
    expect(seat.alert().filter(has_text=most)).to_be_visible()
    assert seat.bets() == {"Red": "$100.00"}
    seat.button("Double").click()
    expect(seat.alert().filter(has_text=most)).to_be_visible()
    form = seat.page.get_by_role("form", name="Place a bet by name")
    form.get_by_label("Amount in dollars").fill("0.99")
    form.get_by_role("button", name="Add").click()
    least = "$0.99 on Straight 0 is too little: the smallest bet here is $1.00."
    expect(seat.alert().filter(has_text=least)).to_be_visible()
    form.get_by_label("Amount in dollars").fill("five")
    form.get_by_role("button", name="Add").click()
    expect(seat.alert().filter(has_text="Enter an amount in dollars")).to_be_visible()
    for n in range(1, 11):
        seat.spot(f"Straight {n}").click()
    expect(seat.alert().filter(has_text="is more than your stack of $1,000.00")).to_be_visible()
    assert len(seat.bets()) == 10


def test_refused_bets_stay_on_the_layout(guest: Guests, room: Room) -> None:
    table = room.open_table("roulette-european", {"zero.on_zero": "la_partage"})
    seat = take_seat(guest, table)
    form = seat.page.get_by_role("form", name="Place a bet by name")
    form.get_by_label("Bet", exact=True).select_option("Even")
    form.get_by_label("Amount in dollars").fill("1.01")
    form.get_by_role("button", name="Add").click()
    seat.button("Spin").click()
    expect(seat.alert().filter(has_text="not an even number of cents")).to_be_visible()
    assert seat.bets() == {"Even": "$1.01"}
    expect(seat.button("Remove Even")).to_be_visible()


def test_bets_can_be_taken_back_while_others_bet(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    ben = companions.arrive(room, table, "Ben")
    companions.do(ben.sit(8))
    seat = take_seat(guest, table)
    seat.spot("Odd").click()
    seat.button("Spin").click()
    expect(seat.page.get_by_text("Waiting for Ben")).to_be_visible()
    seat.button("Undo").click()
    expect(seat.button("Remove Odd")).to_be_visible()
    seat.button("Spin").click()
    expect(seat.page.get_by_text("Waiting for Ben")).to_be_visible()
    companions.do(ben.bet({"straight 5": 300}))
    expect(seat.page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    companions.do(ben.until_over(1))
    five = offered("roulette")["Straight 5"].net(ben.view["last"]["round"]["pocket"], 300)
    text = f"{ben.name} {'+' if five > 0 else ''}{money(five)}"
    theirs = seat.page.get_by_role("region", name="Round 1", exact=True).locator(".others li")
    expect(theirs).to_have_text(text)


@pytest.mark.full
def test_unsent_bets_are_placed_before_time_is_up(
    guest: Guests, companions: Companions, room: Room
) -> None:
    seat = take_seat(guest, "hurried")
    ben = companions.arrive(room, "hurried", "Ben")
    companions.do(ben.sit(8))
    seat.spot("Red").click()
    companions.do(ben.bet({"black": 100}))
    expect(seat.page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    companions.do(ben.until_over(1))
    seat.rounds = 1
    pocket = ben.view["last"]["round"]["pocket"]
    assert seat.settled() == [offered("roulette")["Red"].sentence(pocket, 100)]


@pytest.mark.full
def test_refusal_disappears_with_its_reason(guest: Guests, room: Room) -> None:
    table, why = room.open_table("roulette"), {"reason": "a test"}
    seat = take_seat(guest, table)
    seat.spot("Red").click()
    form = seat.page.get_by_role("form", name="Place a bet by name")
    form.get_by_label("Amount in dollars").fill("five")
    form.get_by_role("button", name="Add").click()
    expect(seat.alert()).to_have_text("Enter an amount in dollars, such as 5 or 2.50.")
    with room.floor() as floor:
        assert floor.post(f"/api/floor/tables/{table}/disable", json=why).is_success
        seat.spin()
        expect(seat.alert()).to_have_count(0)
        seat.spot("Red").click()
        expect(seat.alert()).to_have_text("Bets are closed. Wait for the next round.")
        assert floor.post(f"/api/floor/tables/{table}/enable", json=why).is_success
    expect(seat.page.get_by_text("Bets are open. Choose a chip")).to_be_visible()
    expect(seat.alert()).to_have_count(0)


def test_player_chooses_the_buy_in(guest: Guests, room: Room) -> None:
    table = room.open_table("roulette")
    seat = Seat(guest("Una", f"/#/table/{table}", viewport=SMALL))
    bring = seat.page.get_by_label("Buy in for")
    expect(bring).to_have_value("1000")
    bring.fill("0.50")
    seat.button("Sit").click()
    expect(seat.alert()).to_have_text("The least is $1.")
    bring.fill("123.45")
    seat.sit()
    expect(seat.page.get_by_text("Stack $123.45")).to_be_visible()


def test_top_up_is_offered_when_chips_run_out(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    seat = Seat(guest("Una", f"/#/table/{table}"))
    una = PlayerClient(room, table, "Una", cookie_of(seat.page))

    async def sit() -> None:
        async with una:
            await una.sit(1, 10_000)

    companions.do(sit())
    seat.choose("$100.00")
    seat.spot("Red").click()
    expect(seat.page.get_by_role("button", name="Add $")).to_have_count(0)
    seat.spot("Black").click()
    lacking = "$200.00 is more than your stack of $100.00: bet less or add chips."
    expect(seat.alert()).to_have_text(lacking)
    guest.allow("ERR_FAILED")  # they come all the same where the wallet cannot be looked up
    seat.page.route("**/api/room", lambda route: route.abort())
    with seat.page.expect_event("requestfailed"):
        seat.button("Add $1,000.00").click()
    expect(seat.page.get_by_text("Stack $1,000.00")).to_be_visible()
    expect(seat.alert()).to_have_count(0)
    expect(seat.button("Add $1,000.00")).to_have_count(0)
    expect(seat.layout.locator(":focus")).to_have_count(1)
    seat.spot("Black").click()
    assert seat.bets() == {"Red": "$100.00", "Black": "$100.00"}


@pytest.mark.full
def test_double_press_acts_once(guest: Guests, room: Room) -> None:
    seat = Seat(guest("Una", f"/#/table/{room.open_table('roulette')}"))
    seat.page.evaluate(
        """() => {
          const send = WebSocket.prototype.send;
          window.sent = [];
          WebSocket.prototype.send = function (text) {
            window.sent.push(JSON.parse(text).type);
            send.call(this, text);
          };
        }"""
    )

    def press_twice(name: str) -> None:
        seat.button(name).evaluate("(button) => { button.click(); button.click(); }")

    seat.page.get_by_label("Buy in for").fill("100")
    seat.page.get_by_label("Buy in for").blur()
    press_twice("Sit")
    seat.choose("$100.00")
    seat.spot("Red").click()
    seat.spot("Black").click()
    press_twice("Add $1,000.00")
    expect(seat.page.get_by_text("Stack $1,000.00")).to_be_visible()
    press_twice("Leave")
    expect(seat.button("Sit")).to_be_visible()
    expect(seat.alert()).to_have_count(0)
    sent = seat.page.evaluate("window.sent")
    by_itself = ("look", "commit_seed")
    assert [kind for kind in sent if kind not in by_itself] == ["sit", "top_up", "leave"]


def test_chips_at_another_table_are_pointed_out(
    guest: Guests, companions: Companions, room: Room
) -> None:
    table = room.open_table("roulette")
    page = guest("Una")
    una = PlayerClient(room, room.open_table("roulette"), "Una", cookie_of(page))

    async def sit() -> None:
        async with una:
            await una.sit(1, 499_950)

    companions.do(sit())
    seat = Seat(page)
    page.goto(f"{room.address}/#/table/{table}")
    text = "Balance $0.50. The minimum bet here is $1. Your other chips are at another"
    expect(page.get_by_text(text)).to_be_visible()
    expect(seat.button("Sit")).to_have_count(0)
    expect(seat.button("Get more play chips")).to_have_count(0)


def test_refused_play_chips_are_explained(guest: Guests, room: Room) -> None:
    page = guest("Una")
    guest.allow("400 (Bad Request)")
    nothing = {"player": "Una", "guest": True, "frozen": False, "wallet": 0, "seats": []}
    page.route("**/api/me", lambda route: route.fulfill(json=nothing))
    page.goto(f"{room.address}/#/table/{room.open_table('roulette')}")
    seat = Seat(page)
    seat.button("Get more play chips").click()
    expect(seat.alert()).to_have_text("You still have chips: play them first.")


def test_broke_player_gets_play_chips(guest: Guests, companions: Companions, room: Room) -> None:
    table = room.open_table("roulette", {"limits.max": 100_000_000})
    seat = Seat(guest("Una", f"/#/table/{table}"))
    una = PlayerClient(room, table, "Una", cookie_of(seat.page))

    def stack() -> int:
        (place,) = una.view["places"]
        return int(place["stack"])

    async def lose() -> None:
        """Put everything on a number again and again: one in 38 goes on."""
        while stack():
            await play(una, {"straight 1": min(stack(), 100_000_000)})
        await una.depart()

    companions.do(una.arrive())
    companions.do(una.sit(1, 500_000))
    expect(seat.page.locator(".who .money")).to_have_text("$0.00")
    companions.do(lose())
    seat.button("Get more play chips").click()
    expect(seat.page.locator(".who .money")).to_have_text("$5,000.00")
    expect(seat.button("Add $5,000.00")).to_be_visible()
    expect(seat.button("Get more play chips")).to_have_count(0)


@pytest.mark.full
def test_bets_being_sent_are_shown(guest: Guests, room: Room) -> None:
    seat = take_seat(guest, room.open_table("roulette"))
    waiting: list[Callable[[], None]] = []

    def slow(page: WebSocketRoute) -> None:
        server = page.connect_to_server()

        def send(said: str | bytes) -> None:
            if "place_wagers" in str(said):
                waiting.append(lambda: server.send(said))
            else:
                server.send(said)

        page.on_message(send)

    seat.page.route_web_socket("**/socket*", slow)
    seat.page.reload()
    seat.spot("Red").click()
    seat.button("Spin").click()
    expect(seat.page.get_by_text("Sending your bets…", exact=True)).to_be_visible()
    expect(seat.button("Spin")).to_be_disabled()
    for go in waiting:
        go()
    expect(seat.page.get_by_role("heading", name="Round 1", exact=True)).to_be_visible()
    expect(seat.page.get_by_text("Sending your bets")).to_have_count(0)


# Zeros that are gentle


def test_la_partage_returns_half(guest: Guests, companions: Companions, room: Room) -> None:
    gentle = {"zeros": 3, "zero.on_zero": "la_partage"}
    table = room.open_table("roulette-american", gentle)
    seat, pocket = until_zero(guest, companions, room, table)
    expect(seat.page.get_by_text(words(pocket)).first).to_be_visible()
    assert seat.settled() == ["Red loses $1.00, and $1.00 is returned."]


def test_bet_in_prison_is_shown_as_held(guest: Guests, companions: Companions, room: Room) -> None:
    gentle = {"zeros": 3, "zero.on_zero": "en_prison"}
    seat, _ = until_zero(guest, companions, room, room.open_table("roulette-american", gentle))
    held = "Red is held: the next spin frees its $2.00 or takes it."
    assert seat.settled() == [held]
    expect(seat.page.get_by_role("row", name="Red held $2.00")).to_be_visible()
    pocket = seat.spin()
    free = offered("roulette-american")["Red"].net(pocket, 200) > 0
    assert seat.settled() == ["Red is free: $2.00 is returned." if free else "Red loses $2.00."]


# At the table


@pytest.mark.full
def test_rules_are_fetched_once(guest: Guests, room: Room) -> None:
    table = room.open_table("roulette")
    seat = take_seat(guest, table)
    fetched: list[str] = []
    seat.page.on("request", lambda request: fetched.append(request.url))
    seat.page.reload()
    seat.spot("Red").click()
    seat.spin()
    assert sum(url.endswith("/rules") for url in fetched) == 1


@pytest.mark.full
def test_watcher_sees_how_to_bet(guest: Guests, room: Room) -> None:
    table = room.open_table("roulette")
    nobody = Seat(guest(None, f"/#/table/{table}"))
    expect(nobody.page.get_by_label("Your name at the tables")).to_be_visible()
    nobody.spot("Red").click()
    expect(nobody.alert()).to_have_text("Enter with a name first, then take a seat.")
    seat = Seat(guest("Una", f"/#/table/{table}"))
    expect(seat.button("Sit")).to_be_visible()
    seat.spot("Red").click()
    expect(seat.alert()).to_have_text("Take a seat first.")
    seat.sit()
    expect(seat.alert()).to_have_count(0)
    late = Seat(guest("Zoe"))
    full = re.compile(r'(?<="settings":\{"places":)\d+')
    change_messages(late.page, table, lambda text: full.sub("1", text))
    late.spot("Red").click()
    expect(late.alert()).to_have_text("Every seat is taken. You can watch.")


def test_leaving_returns_the_chips(seat: Seat) -> None:
    expect(seat.page.get_by_text("$4,000.00")).to_be_visible()
    seat.button("Leave").click()
    expect(seat.button("Sit")).to_be_visible()
    expect(seat.page.get_by_text("$5,000.00").first).to_be_visible()
