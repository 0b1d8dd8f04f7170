"""The behaviour of a table, rule by rule."""

import pytest

import queenhigh as qh
from queenhigh.table import events as happened
from queenhigh.table.commands import FLOOR, Bet
from queenhigh.table.own_view import own_views
from queenhigh.table.state import seat_of
from queenhigh.table.view import view
from tests.oracle.plain import KIND_RATES
from tests.table.table_driver import CHIPS, FOUR, Table, kinds

# The bank


def bankers(table: Table, rounds: int, unwilling: tuple[str, ...] = ()) -> list[str]:
    """Return the banker of each round when all but some take every offer."""
    places = []
    for _ in range(rounds):
        table.tick()
        while table.state.phase == "offering":
            assert table.state.offer.place is not None
            asked = table.state.places[table.state.offer.place].player
            if asked in unwilling:
                table.do("DeclineBank", asked)
            else:
                table.do("AcceptBank", asked, cents=5000)
        assert table.state.round is not None
        assert table.state.round.banker is not None
        places.append(table.state.places[table.state.round.banker].player)
        better = next(name for name in FOUR if name != places[-1])
        table.bet(better, ready=False, ante=500)
        table.tick()
        table.tick()
        assert table.state.phase == "between"
    return places


def test_the_bank_goes_round_after_two_rounds() -> None:
    assert bankers(Table("california", FOUR), 7) == [
        "ann",
        "ann",
        "bob",
        "bob",
        "cyd",
        "cyd",
        "dan",
    ]


def test_the_bank_goes_round_as_the_rulebook_says() -> None:
    every = qh.load("california", {"rotation": "every_round"})
    assert bankers(Table(every, FOUR), 5) == ["ann", "bob", "cyd", "dan", "ann"]
    free = qh.load("california", {"rotation": "free"})
    assert bankers(Table(free, FOUR), 4) == ["ann"] * 4


def test_only_willing_banker_keeps_the_bank() -> None:
    assert bankers(Table("california", FOUR), 4, ("ann", "bob", "dan")) == ["cyd"] * 4


def test_bank_offer_times_out_as_declined() -> None:
    table = Table("california", FOUR)
    assert kinds(table.tick()) == ["BankOffered"]
    offer = table.tick()
    assert kinds(offer) == ["BankDeclined", "BankOffered"]
    assert (offer[0].by, table.state.offer.place) == ("clock", 3)


def test_table_without_a_banker_waits_for_one() -> None:
    table = Table("california", FOUR)
    for _ in range(5):
        table.tick()
    assert (table.state.phase, view(table.state).waits_for) == ("between", "banker")
    assert table.tick() == []
    table.do("WantBank", "cyd")
    table.do("AcceptBank", "cyd", cents=5000)
    assert view(table.state).round is not None
    assert table.state.offer.banker == 4


def test_only_the_asked_place_answers_the_bank() -> None:
    table = Table("california", FOUR)
    table.tick()
    table.refused("bank.not_asked", "AcceptBank", "bob", cents=5000)
    table.refused("bank.in_turn", "WantBank", "bob")
    table.refused("offering.closed", "AcceptBank", "ann", cents=5000, round=7)
    table.refused("bank.least", "AcceptBank", "ann", cents=499)
    table.refused("stack.short", "AcceptBank", "ann", cents=99_501)
    table.do("AcceptBank", "ann", cents=99_500)
    assert (table.stack("ann"), table.held("ann")) == (0, 100_000)


def test_seats_are_counted_from_the_bankers_left() -> None:
    table = Table("california", FOUR)
    table.banked_by("cyd")
    seats = {name: seat_of(table.state, place, 4) for name, place in FOUR.items() if name != "cyd"}
    assert seats == {"dan": 5, "ann": 8, "bob": 10}
    table.refused("banker.bets", "PlaceWagers", "cyd", wagers=(Bet("ante", 500),))
    for player in ("ann", "bob", "dan"):
        events = table.bet(player, ante=500)
    dealt = next(event for event in events if isinstance(event, happened.CardsDealt))
    assert dealt.places == (9, 1, 3)


def test_banker_may_return_the_bank_before_any_wager() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    assert kinds(table.do("SitOut", "ann", aside=True)) == ["SeatAside", "RoundVoided"]
    assert (table.stack("ann"), table.held("ann")) == (100_000, 0)
    table.banked_by("bob")
    table.bet("cyd", ready=False, ante=500)
    assert kinds(table.do("Leave", "bob", when="now")) == ["SeatLeaving"]
    table.tick()
    assert kinds(table.tick())[-1] == "SeatLeft"
    assert table.state.place_of("bob") is None


def test_last_round_names_its_own_players() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    table.bet("bob", ante=500)
    for player in ("cyd", "dan"):
        table.do("SitOut", player, aside=True)
    table.do("Choose", "bob", move="fold")
    for player in ("ann", "bob"):
        table.do("Leave", player, when="now")
    table.do("Leave", "cyd", when="now")
    table.do("Sit", "cyd", place=FOUR["bob"], cents=5_000)
    last = view(table.state).last
    assert last is not None
    assert last.players == {FOUR["ann"]: "ann", FOUR["bob"]: "bob"}
    assert own_views(table.state)["cyd"].last_hand is None


# Wagers


def test_ante_needs_chips_for_play_and_fee() -> None:
    table = Table("california", {"ann": 1, "bob": 2}, stack=60_000)
    table.banked_by("ann")
    table.do("Leave", "bob")
    table.do("Sit", "bob", place=2, cents=2099)
    sentence = table.refused("stack.short", "PlaceWagers", "bob", wagers=(Bet("ante", 1000),))
    assert "$10.00 for Play" in sentence
    table.do("TopUp", "bob", cents=1)
    table.bet("bob", ante=1000)
    assert (table.stack("bob"), table.held("bob")) == (1000, 1000)
    table.do("Choose", "bob", move="play")
    assert table.state.last is not None
    assert isinstance(table.state.last.end, happened.RoundSettled)


@pytest.mark.parametrize(
    ("wagers", "code"),
    [
        ((Bet("bonus", 500),), "ante.missing"),
        ((Bet("ante", 499),), "wager.limits"),
        ((Bet("ante", 500), Bet("bonus", 99)), "wager.limits"),
        ((Bet("ante", 500), Bet("ante", 500)), "wager.twice"),
        ((Bet("pair_plus", 500),), "wager.unknown"),
        ((Bet("ante", 0),), "wager.limits"),
        ((), "wagers.empty"),
        ((Bet("ante", 500, True),), "wager.prison"),
    ],
)
def test_wagers_that_are_refused(wagers: tuple[Bet, ...], code: str) -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    table.refused(code, "PlaceWagers", "bob", wagers=wagers)


@pytest.mark.parametrize(
    ("wagers", "code", "sentence"),
    [
        (
            (Bet("ante", 300),),
            "wager.limits",
            "your Ante of $3.00 is outside the limits $5.00 to $1,000.00 (CA-7)",
        ),
        (
            (Bet("ante", 500), Bet("bonus", 50)),
            "wager.limits",
            "your Bonus of $0.50 is outside the limits $1.00 to $100.00 (CA-7)",
        ),
        ((Bet("bonus", 500),), "ante.missing", "you have no Ante: place one (CA-9)"),
    ],
)
def test_refusal_at_a_table_speaks_to_the_player(
    wagers: tuple[Bet, ...], code: str, sentence: str
) -> None:
    table = Table("california", FOUR)  # dan has place 9 and, left of the banker ann, seat 8
    table.banked_by("ann")
    assert table.refused(code, "PlaceWagers", "dan", wagers=wagers) == sentence


def test_table_stores_bets_under_the_names_of_the_rulebook() -> None:
    table = Table("roulette", {"ann": 1})
    table.tick()
    spots = ("straight-up 7", "1 to 18", "1st 12")
    (event,) = table.do("PlaceWagers", "ann", wagers=tuple(Bet(spot, 100) for spot in spots))
    assert isinstance(event, happened.WagersPlaced)
    assert [bet.spot for bet in event.wagers] == ["straight 7", "low", "dozen 1"]
    over = (Bet("low", 9901),)
    sentence = table.refused("wager.limits", "PlaceWagers", "ann", wagers=over)
    assert sentence == "your bets on low total $100.01, above the limit of $100.00 (RO-17)"


def test_chips_on_one_spot_count_together() -> None:
    table = Table("roulette", {"ann": 1, "bob": 2})
    table.tick()
    table.bet("ann", ready=False, **{"split 17 20": 6000})
    wagers = (Bet("split 20 17", 4001),)
    sentence = table.refused("wager.limits", "PlaceWagers", "ann", wagers=wagers)
    assert "RO-17" in sentence
    table.bet("ann", ready=False, **{"split 20 17": 4000})
    assert table.held("ann") == 10_000


def test_wagers_can_be_taken_back_until_bets_close() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=700, bonus=100)
    assert table.held("bob") == 900
    table.do("ClearWagers", "bob")
    assert (table.stack("bob"), table.held("bob")) == (100_000, 0)
    assert table.state.deadline is None
    table.refused("wagers.none", "ClearWagers", "bob")
    table.bet("bob", ready=False, ante=500)
    table.tick()
    table.refused("betting.closed", "ClearWagers", "bob")


def test_first_wager_starts_a_deadline_for_everyone() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    assert table.tick(wait=10_000) == []
    table.bet("bob", ready=False, ante=500)
    table.at += 501
    table.refused("time.over", "PlaceWagers", "cyd", wagers=(Bet("ante", 500),))
    assert kinds(table.tick()) == ["BetsClosed2", "CardsDealt2"]


# Moves


def test_timeout_makes_the_default_move() -> None:
    for silence in ("fold", "play"):
        table = Table("california", FOUR, default_move=silence)
        assert view(table.state).settings.default_move == silence
        table.banked_by("ann")
        table.bet("bob", ready=False, ante=500)
        table.tick()
        events = table.tick()
        assert kinds(events) == ["MoveMade", "RoundSettled"]
        assert isinstance(events[0], happened.MoveMade)
        assert (events[0].by, events[0].move) == ("clock", silence)


def test_pair_plus_alone_has_no_decision() -> None:
    table = Table("house", {"ann": 1})
    table.tick()
    events = table.bet("ann", pair_plus=300)
    assert kinds(events) == ["WagersPlaced", "BetsClosed2", "CardsDealt2", "RoundSettled"]


def test_everyone_decides_at_the_same_time() -> None:
    table = Table("house", {"ann": 1, "bob": 2, "cyd": 3})
    table.tick()
    table.bet("ann", ante=100)
    table.bet("bob", ante=100)
    table.bet("cyd", pair_plus=100)
    table.refused("move.made", "Choose", "cyd", move="play")
    table.do("Choose", "bob", move="fold")
    table.refused("move.made", "Choose", "bob", move="play")
    assert kinds(table.do("Choose", "ann", move="play")) == ["MoveMade", "RoundSettled"]


# Coming and going


def test_chips_come_from_the_wallet_and_go_back() -> None:
    table = Table("house", {"ann": 1})
    assert table.wallet("ann") == CHIPS - 100_000
    table.refused("wallet.short", "TopUp", "ann", cents=CHIPS)
    table.do("TopUp", "ann", cents=5)
    table.do("Leave", "ann")
    assert table.wallet("ann") == CHIPS
    assert sum(table.state.balances.values()) == 0


def test_two_tables_cannot_spend_the_same_cent() -> None:
    table = Table("house", {"ann": 1}, stack=CHIPS)
    durable = table.room.open_table("other", table.book, table.state.settings)
    with pytest.raises(qh.QueenhighError, match="your balance is"):
        durable.execute(table.command("Sit", "ann", place=1, cents=1))


def test_leaving_mid_round_settles_by_the_rules() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=500)
    left = table.do("Leave", "bob", when="now")
    assert kinds(left) == ["SeatLeaving", "MoveMade"]
    table.do("Choose", "cyd", move="fold")
    end = table.do("Choose", "dan", move="fold")
    assert kinds(end) == ["MoveMade", "RoundSettled", "SeatLeft"]
    assert table.wallet("bob") == CHIPS - 500 - 100


def test_leaving_while_bets_are_open_returns_them() -> None:
    table = Table("california", FOUR)
    table.banked_by("ann")
    table.bet("bob", ante=500)
    assert kinds(table.do("Leave", "bob")) == ["SeatLeaving", "WagersCleared", "SeatLeft"]
    assert table.wallet("bob") == CHIPS
    table.bet("cyd", ante=500)
    assert kinds(table.do("Leave", "cyd", when="after_round")) == ["SeatLeaving"]
    assert kinds(table.do("Leave", "dan", when="after_round"))[:2] == ["SeatLeaving", "SeatLeft"]
    assert table.state.phase == "deciding"


def test_closing_table_releases_everyone_after_the_round() -> None:  # L20
    table = Table("california", FOUR)
    table.banked_by("ann")
    table.bet("bob", ready=False, ante=500)
    table.refused("sender.wrong", "CloseTable", "ann", reason="late")
    table.do("CloseTable", FLOOR, reason="the night is over")
    table.refused("table.closing", "Sit", "eve", place=5, cents=500)
    table.tick()
    assert kinds(table.tick())[-5:] == ["SeatLeft"] * 4 + ["TableClosed"]
    table.refused("table.closed", "Sit", "eve", place=5, cents=500)
    assert sum(table.wallet(player) for player in FOUR) == 4 * CHIPS - 100 - 200


# The end of a round


def test_a_void_round_returns_everything_in_one_step() -> None:  # L19
    table = Table("california", FOUR)
    table.banked_by("ann")
    for player in ("bob", "cyd", "dan"):
        table.bet(player, ante=10_001, bonus=100)
    table.do("Choose", "bob", move="play")
    assert table.state.balances["fees"] == 3 * 200 + 400
    table.refused("void.reason", "VoidRound", FLOOR, reason=" ")
    (void,) = table.do("VoidRound", FLOOR, reason="a card was exposed")
    assert isinstance(void, happened.RoundVoided)
    assert (void.reason, len(void.seed)) == ("a card was exposed", 64)
    assert all(table.stack(player) == 100_000 for player in FOUR)
    assert table.state.balances["fees"] == 0
    table.refused("round.none", "VoidRound", FLOOR, reason="again")
    table.banked_by("bob")
    table.refused("round.over", "VoidRound", FLOOR, round=1, reason="sent again much later")


def test_fees_match_the_posted_rates_before_and_after() -> None:
    for collect, at_deal in (("before", 200 + 400), ("after", 0)):
        table = Table(qh.load("california", {"collect": collect}), FOUR)
        assert [rate["player"] for rate in view(table.state).fees] == [100, 200, 300]
        table.banked_by("ann")
        table.bet("bob", ready=False, ante=10_001)
        table.tick()
        assert table.state.balances.get("fees", 0) == at_deal
        table.tick()
        assert table.state.balances["fees"] == 200 + 400


@pytest.mark.parametrize("collect", ["before", "after"])
def test_fee_of_a_kind_is_charged_with_its_wager(collect: str) -> None:
    changes = {"fee_per": "kind", "fees.rates": KIND_RATES, "collect": collect}
    table = Table(qh.load("california", changes), FOUR)
    assert [(rate["on"], rate["player"]) for rate in view(table.state).fees] == [
        ("ante", 100), ("play", 50), ("bonus", 25),
    ]  # fmt: skip
    table.banked_by("ann")
    (bet, *_) = table.bet("bob", ready=False, ante=1000, bonus=100)
    assert isinstance(bet, happened.WagersPlaced)
    assert bet.fee == 100 + 25
    table.bet("cyd", ready=False, ante=500)
    table.tick()
    assert table.state.balances.get("fees", 0) == (125 + 100 + 200 if collect == "before" else 0)
    (move, *_) = table.do("Choose", "bob", move="play")
    assert isinstance(move, happened.MoveMade)
    assert move.fee == 50
    table.do("Choose", "cyd", move="fold")
    assert table.state.balances["fees"] == 125 + 50 + 100 + 200


def test_wagers_above_the_total_are_refused() -> None:
    table = Table(qh.load("house", {"scope": "total"}), {"ann": 1, "bob": 2})
    table.tick()
    both = (Bet("ante", 200), Bet("pair_plus", 201))
    sentence = table.refused("wager.limits", "PlaceWagers", "ann", wagers=both)
    assert "total $4.01" in sentence
    assert "HO-1" in sentence
    table.bet("ann", ready=False, ante=200)
    table.refused("wager.limits", "PlaceWagers", "ann", wagers=(Bet("pair_plus", 201),))
    table.bet("ann", pair_plus=200)
    assert table.held("ann") == 400


def test_bet_in_prison_waits_for_the_next_spin() -> None:
    book = qh.load("roulette-european", {"on_zero": "en_prison"})
    for seed in range(300):
        table = Table(book, {"ann": 1, "bob": 2})
        table.tick()
        table.do("AddSeed", "ann", seed=str(seed))
        table.bet("ann", red=1000)
        events = table.do("PlaceWagers", "bob", wagers=(Bet("straight 5", 100),), ready=True)
        landed = next(event for event in events if isinstance(event, happened.BallLanded))
        if landed.pocket == "0":
            break
    assert landed.pocket == "0"
    assert (table.held("ann"), table.stack("ann")) == (1000, 99_000)
    assert kinds(table.do("Leave", "ann", when="now")) == ["SeatLeaving"]
    table.tick()
    assert table.state.round is not None
    assert table.state.round.wagers == {1: (Bet("red", 1000, True),)}
    assert kinds(table.tick())[-2:] == ["SpinSettled", "SeatLeft"] or table.held("ann")
